/* Pages of results: files of programs, and runs that were put into a store by hand. */
#include "base/text.h"
#include "report/bars.h"
#include "report/report.h"
#include "stored_run.h"

#include <math.h>
#include <stdlib.h>

#define HEAD "name,met (ms),iters,Rate (GB/s),spec\n"

static struct hone_results *read_csv(const char *name, const char *csv)
{
  struct hone_results *results = NULL;
  hone_status status;

  write_text(name, csv);
  status = hone_results_read(path_of(name), &results);
  if (status) fail_msg("%s", hone_status_message(status));
  return results;
}

static char *page_of(struct hone_page_options *options)
{
  char *html = NULL;
  hone_status status = hone_results_page(options, &html);

  if (status) fail_msg("%s", hone_status_message(status));
  return html;
}

/* The page of one file. */
static char *page_of_csv(const char *csv)
{
  struct hone_results *results = read_csv("a.csv", csv);
  struct hone_page_options options;
  char *html;

  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.count = 1;
  html = page_of(&options);
  hone_results_free(results);
  return html;
}

static size_t count_of(const char *text, const char *part)
{
  size_t count = 0;

  for (; (text = strstr(text, part)); text += strlen(part))
    count++;
  return count;
}

static void expect(const char *html, const char *part)
{
  if (!strstr(html, part)) fail_msg("no '%s' in %s", part, html);
}

static void expect_number_card(const char *html, const char *number, const char *name)
{
  struct hone__text card = {0};

  hone__text_addf(&card, "<b>%s</b><span>%s</span>", number, name);
  expect(html, card.data);
  hone__text_release(&card);
}

/* ---- One file ---- */

static void one_row_is_its_own_best(void **state)
{
  char *html = page_of_csv(HEAD "x,2,1,8,k/A=1\n");

  (void)state;
  expect_number_card(html, "1", "configurations");
  expect_number_card(html, "1", "ok");
  expect_number_card(html, "0", "failed");
  expect_number_card(html, "1.00x", "worst/best");
  expect(html, "Best: <code>A=1</code></p>");
  assert_int_equal(count_of(html, "<tr class=\"best\">"), 1);
  assert_int_equal(count_of(html, "<h2>Failures</h2>"), 0);
  assert_int_equal(count_of(html, "<h2>Search"), 0);
  assert_int_equal(count_of(html, "<svg class=\"chart\""), 1);
  free(html);
}

static void the_unit_is_one_that_can_be_read(void **state)
{
  char *html = page_of_csv(HEAD "x,0.5,1,8,k/A=1\ny,0.25,1,8,k/A=2\n");

  (void)state;
  expect(html, "<h2>met (us)</h2>");
  expect_number_card(html, "2.00x", "worst/best");
  expect(html, "250.0us</text>");
  free(html);
  html = page_of_csv(HEAD "x,2500,1,8,k/A=1\n");
  expect(html, "<h2>met (s)</h2>");
  free(html);
  html = page_of_csv(HEAD "x,0,1,8,k/A=1\n"); /* which is no time */
  expect_number_card(html, "–", "best met (ms)");
  expect_number_card(html, "–", "worst/best");
  expect(html, "No configuration has a value to show.");
  assert_int_equal(count_of(html, "<svg"), 0);
  free(html);
}

static void rows_without_a_number_are_left_out(void **state)
{
  char *html = page_of_csv(HEAD "x,nan,1,8,k/A=1\ny,3,1,8,k/A=2\nz,1,1,8,k/A=3\n");

  (void)state;
  expect(html, "Best: <code>A=3</code></p>");
  expect_number_card(html, "3.00x", "worst/best");
  expect(html, "<tr class=\"best\"><td class=\"n\">2</td><td class=\"n\">3</td>");
  expect(html, "<tr><td class=\"n\">1</td><td class=\"n\">2</td>");
  assert_int_equal(count_of(html, "<tr"), 1 + 2); /* with the titles */
  free(html);
}

static void others_words_stay_text(void **state)
{
  static const char script[] = "<script>alert(1)</script>";
  struct hone_results *results =
      read_csv("a.csv", HEAD "x,2,1,8,\"k/A=<b>&'\"\ny,1,1,8,k/A=矩阵\n");
  const char *labels[] = {script};
  struct hone_page_options options;
  char *html;

  (void)state;
  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.count = 1;
  options.title = script;
  options.labels = labels;
  html = page_of(&options);
  assert_int_equal(count_of(html, "<script>alert"), 0);
  assert_int_equal(count_of(html, "<b>&'"), 0);
  expect(html, "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>");
  expect(html, "Best: <code>A=矩阵</code></p>");
  expect(html, "&lt;b&gt;&amp;&#39;");
  free(html);
  hone_results_free(results);
}

static void long_values_are_cut_between_characters(void **state)
{
  struct hone_results *results = read_csv(
      "a.csv", HEAD "x,2,1,8,k/A=123456789012345678901234567890123456789äöü\ny,1,1,8,k/A=2\n");
  struct hone_page_options options;
  struct hone__bars *bars;

  (void)state;
  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.count = 1;
  assert_null(hone__bars_make(&options, &bars));
  assert_string_equal(bars->group_labels[0], "A=123456789012345678901234567890123456789…");
  assert_string_equal(bars->group_labels[1], "A=2");
  hone__bars_free(bars);
  hone_results_free(results);
}

/* ---- Many rows ---- */

static struct hone_results *read_many(size_t count)
{
  struct hone__text csv = {0};
  struct hone_results *results;

  hone__text_add(&csv, HEAD);
  for (size_t i = 0; i < count; i++)
    hone__text_addf(&csv, "x%zu,%zu,1,8,k/A=%zu/B=3\n", i, count - i, i);
  results = read_csv("many.csv", csv.data);
  hone__text_release(&csv);
  return results;
}

static void expect_charts(int64_t asked, size_t charts, size_t shown, size_t in_the_last)
{
  struct hone_results *results = read_many(500);
  struct hone_page_options options;
  struct hone__bars *bars;

  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.count = 1;
  options.groups_per_chart = asked;
  assert_null(hone__bars_make(&options, &bars));
  assert_int_equal(bars->chart_count, charts);
  if (shown) assert_int_equal(bars->shown, shown);
  if (in_the_last) assert_int_equal(bars->charts[charts - 1].group_count, in_the_last);
  assert_string_equal(bars->charts[0].group_caption, "B=3"); /* what all share */
  assert_int_equal(bars->order[0], 499);
  hone__bars_free(bars);
  hone_results_free(results);
}

static void charts_are_cut_as_asked(void **state)
{
  (void)state;
  expect_charts(-1, 1, 500, 500);
  expect_charts(150, 4, 500, 50);
  expect_charts(500, 1, 500, 500);
  expect_charts(0, 1, 0, 0); /* the best, as many as can be read */
}

static void what_is_left_out_is_said(void **state)
{
  struct hone_results *results = read_many(500);
  struct hone_page_options options;
  char *html;

  (void)state;
  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.count = 1;
  html = page_of(&options);
  expect(html, "of 500 configurations, best first.");
  expect(html, "Best: <code>A=499 B=3</code>");
  free(html);
  hone_results_free(results);
}

/* ---- Two files ---- */

static void ratios_say_what_is_better(void **state)
{
  struct hone_results *results[] = {
      read_csv("old.csv", HEAD "x,2,1,8,k/A=1\ny,4,1,4,k/A=2\nz,1,1,1,k/A=3\n"),
      read_csv("new.csv", HEAD "x,1,1,8,k/A=1\ny,8,1,2,k/A=2\nw,5,1,5,k/A=4\n")};
  struct hone_page_options options;
  char *html, *svg = NULL;

  (void)state;
  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)results;
  options.count = 2;
  html = page_of(&options);
  expect(html, "<title>old vs new</title>");
  expect(html, "1 better, 1 worse, 0 equal, 1 missing, 1 new</td>");
  expect(html, "<td class=\"n good\">0.50x</td>");
  expect(html, "<td class=\"n bad\">2.00x</td>");
  free(html);
  options.compare = true;
  assert_null(hone_results_chart(&options, &svg));
  assert_int_equal(count_of(svg, "class=\"base\""), 1);
  expect(svg, "ratio to old");
  assert_int_equal(count_of(svg, "class=\"none\""), 2); /* those without a partner */
  free(svg);
  options.count = 1;
  hone_status_free(hone_results_chart(&options, &svg));
  assert_null(svg);
  hone_results_free(results[0]);
  hone_results_free(results[1]);
}

static void what_cannot_be_shown_is_an_error(void **state)
{
  struct hone_results *results = read_csv("a.csv", HEAD "x,2,1,8,k/A=1\n");
  struct hone_page_options options;
  hone_status status;
  char *html = NULL;

  (void)state;
  hone_page_options_init(&options);
  status = hone_results_page(&options, &html);
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  hone_status_free(status);
  options.results = (const struct hone_results *const *)&results;
  options.count = 1;
  options.compare = true;
  status = hone_results_page(&options, &html);
  assert_non_null(strstr(hone_status_message(status), "ratios need at least two results"));
  hone_status_free(status);
  assert_null(html);
  hone_results_free(results);
}

/* ---- Runs ---- */

static void begin_run(struct stored_run *stored)
{
  struct hone__store_run_record run = stored_record();

  run.environment = "{\"cpu\": \"<x>\", \"cpus\": 2}";
  run.seed = 7;
  *stored = (struct stored_run){0};
  begin_stored(stored, run);
}

static void put(struct stored_run *stored, const char *config, enum hone_outcome outcome,
                double time_ns, bool is_baseline)
{
  struct hone__evaluation evaluation = evaluated(config, outcome, time_ns, "<i>bad</i> \xff byte");

  evaluation.is_baseline = is_baseline;
  put_stored(stored, evaluation);
}

static char *page_of_run(struct stored_run *stored, const struct hone__store_run_result *result)
{
  struct hone_results *results = NULL;
  struct hone_report *report = NULL;
  struct hone_page_options options;
  char *html;

  finish_stored(stored, result);
  assert_null(hone_results_load(stored->store, stored->run, &results));
  assert_null(hone_report_load(stored->store, stored->run, &report));
  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.reports = (const struct hone_report *const *)&report;
  options.count = 1;
  html = page_of(&options);
  hone_report_free(report);
  hone_results_free(results);
  close_stored(stored);
  return html;
}

static void a_run_shows_verdict_search_and_failures(void **state)
{
  const struct hone__store_run_result result = {.state = HONE_RUN_FINISHED,
                                                .verdict = HONE_VERDICT_IMPROVED,
                                                .baseline = "A=0",
                                                .winner = "A=2",
                                                .speedup = 2,
                                                .low = 1.9,
                                                .high = 2.1,
                                                .confidence = 0.95,
                                                .pairs = 42,
                                                .restarts = 7,
                                                .drift = NAN,
                                                .wall_s = 12,
                                                .notes = "[\"quiet & <calm>\"]"};
  struct stored_run stored;
  char *html;

  (void)state;
  begin_run(&stored);
  put(&stored, "A=0", HONE_OUTCOME_OK, 1000, true);
  put(&stored, "A=1", HONE_OUTCOME_OK, 900, false);
  put(&stored, "A=2", HONE_OUTCOME_OK, 500, false);
  put(&stored, "A=3", HONE_OUTCOME_CRASH, 0, false);
  html = page_of_run(&stored, &result);
  expect(html, "<p class=\"lead\">IMPROVED: A=2 is 2.00 times as fast as the baseline (95 % "
               "interval 1.90 to 2.10, 42 pairs over "
               "7 restarts)</p>");
  expect(html, "<h2>Search</h2>\n<p class=\"note\">random, seed 7; configurations in the order "
               "they were tried, without those that failed.</p>");
  expect(html, "<h2>Failures</h2>");
  expect(html, "<pre>&lt;i&gt;bad&lt;/i&gt; \xef\xbf\xbd byte</pre>");
  expect(html, "<li>Make the run again<code>hone tune sgemm.yaml --fresh</code></li>");
  expect(html, "<dt>cpu</dt><dd>&lt;x&gt;</dd>");
  expect(html, "<dt>cpus</dt><dd>2</dd>");
  expect(html, "<h2>Notes</h2>\n<ul class=\"notes\">\n<li>quiet &amp; &lt;calm&gt;</li>\n</ul>");
  assert_int_equal(count_of(html, "SUSPICIOUS: "), 0);
  free(html);
}

static void a_run_without_a_winner_has_a_page(void **state)
{
  const struct hone__store_run_result result = {.state = HONE_RUN_FINISHED,
                                                .verdict = HONE_VERDICT_INCONCLUSIVE,
                                                .why = "no candidate works",
                                                .baseline = "A=0",
                                                .speedup = NAN,
                                                .low = NAN,
                                                .high = NAN,
                                                .drift = NAN};
  struct stored_run stored;
  char *html;

  (void)state;
  begin_run(&stored);
  put(&stored, "A=0", HONE_OUTCOME_OK, 1000, true);
  put(&stored, "A=1", HONE_OUTCOME_CRASH, 0, false);
  html = page_of_run(&stored, &result);
  expect(html, "<p class=\"lead\">INCONCLUSIVE: ");
  expect(html, "no candidate works");
  assert_int_equal(count_of(html, "the winner separately"), 0);
  expect_number_card(html, "1", "failed");
  assert_int_equal(count_of(html, "<h2>Search"), 0); /* one point is no search */
  free(html);
}

static void a_run_in_which_all_failed_has_no_page(void **state)
{
  struct hone_results *results = NULL;
  struct hone_page_options options;
  struct stored_run stored;
  hone_status status;
  char *html = NULL;

  (void)state;
  begin_run(&stored);
  put(&stored, "A=0", HONE_OUTCOME_CRASH, 0, true);
  assert_null(hone_results_load(stored.store, stored.run, &results));
  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.count = 1;
  status = hone_results_page(&options, &html);
  assert_non_null(strstr(hone_status_message(status), "none works; 'hone show 1' shows why"));
  assert_null(html);
  hone_status_free(status);
  hone_results_free(results);
  close_stored(&stored);
}

/* ---- Pictures ---- */

static void pictures_are_files_by_themselves(void **state)
{
  char *html = page_of_csv(HEAD "a,1,1,1,k/A=1\nb,2,1,1,k/A=2\n"), *names, *svg = NULL;
  hone_status status;

  (void)state;
  names = hone_page_pictures(html);
  assert_string_equal(names, "bars\n");
  assert_null(hone_page_picture(html, "bars", &svg));
  expect(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\"");
  expect(svg, "</svg>\n");
  expect(svg, ".chart text{font:");
  assert_null(strstr(svg, "var("));
  assert_int_equal(count_of(svg, "<svg"), 1);
  hone_free(svg);
  status = hone_page_picture(html, "bar", &svg);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_null(svg);
  hone_status_free(status);
  hone_free(names);
  hone_free(html);
}

/* As a browser prints it. */
static void pictures_of_a_browser_become_xml(void **state)
{
  static const char page[] =
      "<svg class=\"icon\"></svg><svg viewBox=\"0 0 20 10\" class=\"plot\" role=\"img\" "
      "id=\"plot-effect-of-b\"><title>x&nbsp;&amp;</title><path d=\"M0 0\"></path></svg>"
      "<svg viewBox=\"0 0 1 1\" class=\"plot\" id=\"plot-cut";
  char *names = hone_page_pictures(page), *svg = NULL;

  (void)state;
  assert_string_equal(names, "effect-of-b\n");
  assert_null(hone_page_picture(page, "effect-of-b", &svg));
  expect(svg, "viewBox=\"0 0 20 10\" width=\"20\" height=\"10\">");
  expect(svg, "<title>x&#160;&amp;</title><path d=\"M0 0\"></path></svg>\n");
  hone_free(svg);
  hone_free(names);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(pictures_are_files_by_themselves),
      TEST(pictures_of_a_browser_become_xml),
      TEST(one_row_is_its_own_best),
      TEST(the_unit_is_one_that_can_be_read),
      TEST(rows_without_a_number_are_left_out),
      TEST(others_words_stay_text),
      TEST(long_values_are_cut_between_characters),
      TEST(charts_are_cut_as_asked),
      TEST(what_is_left_out_is_said),
      TEST(ratios_say_what_is_better),
      TEST(what_cannot_be_shown_is_an_error),
      TEST(a_run_shows_verdict_search_and_failures),
      TEST(a_run_without_a_winner_has_a_page),
      TEST(a_run_in_which_all_failed_has_no_page),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
