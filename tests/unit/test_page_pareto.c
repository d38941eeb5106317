/* The Pareto set on a page: units, members, and words of others. */
#include "base/memory.h"
#include "base/text.h"
#include "report/page_parts.h"
#include "report/report.h"
#include "results/pareto_set.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The section of reports with these sets; free(). */
static char *sections_of(const struct hone_pareto *const *sets, size_t count)
{
  struct hone_report reports[2] = {0};
  const struct hone_report *lent[2] = {NULL, NULL};
  const struct hone_page_options options = {.reports = lent, .count = count};
  char *labels[] = {(char *)"old", (char *)"<new>"};
  const struct hone__bars bars = {.options = &options, .labels = (void *)labels};
  struct hone__text html = {0};

  for (size_t i = 0; i < count; i++) {
    reports[i].pareto = sets[i];
    lent[i] = sets[i] ? &reports[i] : NULL;
  }
  hone__page_pareto(&html, &bars);
  return hone__text_take(&html);
}

static char *section_of(const struct hone_pareto *pareto)
{
  return sections_of(&pareto, 1);
}

static void expect(const char *html, const char *part)
{
  if (!strstr(html, part)) fail_msg("no '%s' in %s", part, html);
}

static size_t count_of(const char *text, const char *part)
{
  size_t count = 0;

  for (; (text = strstr(text, part)); text += strlen(part))
    count++;
  return count;
}

static struct hone__results_pareto_objective objectives[] = {{"time", HONE_UNIT_NS, false},
                                                             {"size <b>", HONE_UNIT_NONE, true}};
static struct hone_pareto_point points[] = {
    {.config = "A=<1>",
     .is_member = true,
     .confirmed = true,
     .values = {2.5e6, 40},
     .ratios = {0.5, 2}},
    {.config = "A=0",
     .is_member = true,
     .is_baseline = true,
     .values = {5e6, 80},
     .ratios = {1, 1}},
    {.config = "A=2", .is_member = true, .values = {6e6, NAN}, .ratios = {1.2, NAN}},
    {.config = "A=3", .values = {9e6, 10}, .ratios = {1.8, 0.1}},
};

static struct hone_pareto set_of_all(void)
{
  return (struct hone_pareto){.objectives = objectives,
                              .objective_count = 2,
                              .points = points,
                              .point_count = 4,
                              .member_count = 3};
}

static void members_are_a_table_and_a_picture(void **state)
{
  const struct hone_pareto set = set_of_all();
  char *html = section_of(&set);

  (void)state;
  expect(html, "<h2>Pareto set</h2>");
  expect(html, "3 of 4 configurations");
  assert_int_equal(count_of(html, "<svg"), 1);
  expect(html, "<th class=\"n\">time (ms)</th>");
  expect(html, "<td>confirmed</td><td class=\"wrap\">A=&lt;1&gt;</td>");
  expect(html, "<td>baseline</td><td class=\"wrap\">A=0</td>");
  expect(html, "<td>screening</td><td class=\"wrap\">A=2</td>");
  assert_int_equal(count_of(html, "<td class=\"wrap\">A=3"), 0); /* it is no member */
  expect(html, "<td class=\"n\">2.5</td><td class=\"n\">0.50x");
  expect(html, "\xe2\x80\x93</td>"); /* no value */
  free(html);
}

static void words_of_others_stay_text(void **state)
{
  const struct hone_pareto set = set_of_all();
  char *html = section_of(&set);

  (void)state;
  expect(html, "size &lt;b&gt;, more is better");
  assert_int_equal(count_of(html, "<b>"), 0);
  assert_int_equal(count_of(html, "A=<1>"), 0);
  free(html);
}

static void units_suit_the_largest_member(void **state)
{
  static const struct {
    enum hone_unit unit;
    double value;
    const char *title;
  } cases[] = {{HONE_UNIT_NS, 3e9, "v (s)"},  {HONE_UNIT_NS, 2e3, "v (us)"},
               {HONE_UNIT_NS, 12, "v (ns)"},  {HONE_UNIT_NS, 0.5, "v (ns)"},
               {HONE_UNIT_J, 4, "v (J)"},     {HONE_UNIT_J, 2e-3, "v (mJ)"},
               {HONE_UNIT_J, 3e-8, "v (nJ)"}, {HONE_UNIT_NONE, 5, "<th class=\"n\">v</th>"}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__results_pareto_objective own[] = {{"v", cases[i].unit, false},
                                                   {"w", HONE_UNIT_NONE, false}};
    struct hone_pareto_point point = {
        .config = "A=1", .is_member = true, .values = {cases[i].value, 1}};
    const struct hone_pareto set = {own, 2, &point, 1, 1};
    char *html = section_of(&set);
    expect(html, cases[i].title);
    free(html);
  }
}

static void small_and_large_numbers_can_be_read(void **state)
{
  static const struct {
    double value, ratio;
    const char *cell;
  } cases[] = {{2.5e-5, 0.001, "2.500e-05</td><td class=\"n\">1.0e-03x"},
               {3e12, 1, "3.000e+12</td>"},
               {0.25, 1, "<td class=\"n\">0.25</td>"},
               {0, 0, "<td class=\"n\">0</td>"}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__results_pareto_objective own[] = {{"v", HONE_UNIT_NONE, false},
                                                   {"w", HONE_UNIT_NONE, false}};
    struct hone_pareto_point point = {.config = "A=1",
                                      .is_member = true,
                                      .values = {cases[i].value, 7},
                                      .ratios = {cases[i].ratio, 1}};
    const struct hone_pareto set = {own, 2, &point, 1, 1};
    char *html = section_of(&set);
    expect(html, cases[i].cell);
    free(html);
  }
}

static void a_long_set_is_cut_with_a_note(void **state)
{
  enum { COUNT = 1200 };
  struct hone_pareto_point *many = hone__alloc(COUNT * sizeof *many);
  const struct hone_pareto set = {objectives, 2, many, COUNT, COUNT};
  char *html;

  (void)state;
  for (size_t i = 0; i < COUNT; i++)
    many[i] = (struct hone_pareto_point){
        .config = "A=1", .is_member = true, .values = {1e6 + (double)i, (double)i}};
  html = section_of(&set);
  expect(html, "<p class=\"note\">1000 of 1200.</p>");
  assert_int_equal(count_of(html, "<td class=\"wrap\">"), 1000);
  free(html);
  free(many);
}

/* Several runs have their labels; those without a set have no section. */
static void each_run_has_its_section(void **state)
{
  const struct hone_pareto set = set_of_all(), empty = {objectives, 2, points, 0, 0};
  char *html = sections_of((const struct hone_pareto *const[]){&set, &set}, 2);

  (void)state;
  expect(html, "<h2>Pareto set: old</h2>");
  expect(html, "<h2>Pareto set: &lt;new&gt;</h2>");
  free(html);
  html = sections_of((const struct hone_pareto *const[]){NULL, &empty}, 2);
  assert_string_equal(html, "");
  free(html);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_are_a_table_and_a_picture),
      cmocka_unit_test(words_of_others_stay_text),
      cmocka_unit_test(units_suit_the_largest_member),
      cmocka_unit_test(small_and_large_numbers_can_be_read),
      cmocka_unit_test(a_long_set_is_cut_with_a_note),
      cmocka_unit_test(each_run_has_its_section),
  };

  return cmocka_run_group_tests_name("page_pareto", tests, NULL, NULL);
}
