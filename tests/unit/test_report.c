/* Reports of runs that were put into a store by hand. */
#include "base/names.h"

#include "base/text.h"
#include "report/report.h"
#include "report/sentence.h"
#include "stored_run.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
  struct stored_run stored;
  struct hone_report *report;
};

static int begin(void **state)
{
  struct fixture *fixture = hone__alloc(sizeof *fixture);

  if (make_folder(state) != 0) return -1;
  begin_stored(&fixture->stored, stored_record());
  *state = fixture;
  return 0;
}

static int end(void **state)
{
  struct fixture *fixture = *state;

  hone_report_free(fixture->report);
  close_stored(&fixture->stored);
  free(fixture);
  return remove_folder(state);
}

/* ---- Rows by hand ---- */

static int64_t put(struct fixture *fixture, const char *config, enum hone_outcome outcome,
                   double time_ns, const char *metrics)
{
  const double times[] = {time_ns, NAN, time_ns + 1};
  const struct hone__samples samples = {
      .phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 3, .facts = "{\"cpu\": 3}"};
  struct hone__evaluation evaluation = evaluated(config, outcome, time_ns, "bad \xff byte");

  evaluation.metrics = metrics;
  evaluation.samples = &samples;
  evaluation.sample_count = hone__outcome_works(outcome);
  return put_stored(&fixture->stored, evaluation);
}

static void put_baseline(struct fixture *fixture)
{
  struct hone__evaluation baseline = evaluated("A=0", HONE_OUTCOME_OK, 1000, NULL);

  baseline.is_baseline = true;
  baseline.compile_s = NAN;
  baseline.cached = true;
  baseline.metrics = "{\"GFLOP/s\": 12.3456}";
  put_stored(&fixture->stored, baseline);
}

static void put_all(struct fixture *fixture)
{
  int64_t third, fourth;

  put(fixture, "A=1", HONE_OUTCOME_OK, 900, "{\"GFLOP/s\": 0.00001}");
  put_baseline(fixture);
  put(fixture, "A=2", HONE_OUTCOME_SLOW, 9000, NULL);
  third = put(fixture, "A=3", HONE_OUTCOME_OK, 500, "{\"GFLOP/s\": 24567.8, \"GB/s\": 3}");
  fourth = put(fixture, "A=4", HONE_OUTCOME_OK, 450, "not JSON");
  put(fixture, "A=5", HONE_OUTCOME_CRASH, 0, NULL);
  put(fixture, "A=6", HONE_OUTCOME_WRONG_RESULT, 0, NULL);
  put(fixture, "A=7", HONE_OUTCOME_WRONG_RESULT, 0, NULL);
  assert_null(hone__store_confirm(fixture->stored.store, third,
                                  &(struct hone__confirmation){HONE_VERDICT_IMPROVED, 2.314, 2.25,
                                                               2.38, 42, 3, 480, 1110, NULL}));
  assert_null(hone__store_confirm(
      fixture->stored.store, fourth,
      &(struct hone__confirmation){HONE_VERDICT_IMPROVED, 2.1, 2.0, 2.2, 30, 3, 490, 1100, NULL}));
}

static struct hone__store_run_result improved(void)
{
  return (struct hone__store_run_result){.state = HONE_RUN_FINISHED,
                                         .verdict = HONE_VERDICT_IMPROVED,
                                         .baseline = "A=0",
                                         .winner = "A=3",
                                         .speedup = 2.314,
                                         .low = 2.25,
                                         .high = 2.38,
                                         .confidence = 0.95,
                                         .pairs = 42,
                                         .restarts = 3,
                                         .drift = NAN,
                                         .wall_s = 12,
                                         .notes = "[\"one\", \"two\"]"};
}

static void finish(struct fixture *fixture, const struct hone__store_run_result *result)
{
  assert_null(hone__store_run_finish(fixture->stored.store, fixture->stored.run, result));
  hone_report_free(fixture->report);
  assert_null(hone_report_load(fixture->stored.store, 0, &fixture->report));
}

static void expect_sentence(struct fixture *fixture, const struct hone__store_run_result *result,
                            const char *sentence)
{
  finish(fixture, result);
  assert_string_equal(fixture->report->sentence, sentence);
}

/* ---- The table ---- */

static void rows_are_in_order(void **state)
{
  static const char *const configs[] = {"A=0", "A=3", "A=4", "A=1", "A=2"};
  struct fixture *fixture = *state;
  const struct hone__store_run_result result = improved();
  const struct hone_report_row *rows;

  put_all(fixture);
  finish(fixture, &result);
  rows = fixture->report->rows;
  assert_int_equal(fixture->report->row_count, 5);
  for (size_t i = 0; i < 5; i++)
    assert_string_equal(rows[i].config, configs[i]);
  assert_true(rows[0].is_baseline && rows[0].speedup == 1 && rows[0].time_ns == 1110);
  assert_true(rows[1].is_winner && rows[1].confirmed && rows[1].time_ns == 480);
  assert_true(rows[1].speedup == 2.314 && rows[1].low == 2.25 && rows[1].high == 2.38);
  assert_true(rows[1].screen_speedup == 2 && rows[1].pairs == 42 && rows[1].restarts == 3);
  assert_true(!rows[2].is_winner && rows[2].confirmed && rows[2].samples == 3);
  assert_true(!rows[3].confirmed && rows[3].speedup == 1000.0 / 900 && isnan(rows[3].low));
  assert_int_equal(rows[4].outcome, HONE_OUTCOME_SLOW);
  assert_int_equal(rows[1].verdict, HONE_VERDICT_IMPROVED);
  assert_int_equal(rows[3].verdict, HONE_VERDICT_NONE);
}

/* Layout and pages differ between processes: what fewer than three of them say is no interval. */
static void intervals_cover_restarts(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_result result = improved();
  char *json = NULL;

  put_all(fixture);
  assert_null(hone__store_confirm(fixture->stored.store,
                                  put(fixture, "A=8", HONE_OUTCOME_OK, 400, NULL),
                                  &(struct hone__confirmation){HONE_VERDICT_INCONCLUSIVE, 2.5, 2.4,
                                                               2.6, 12, 1, 400, 1000, NULL}));
  result.restarts = 1;
  finish(fixture, &result);
  assert_string_equal(fixture->report->rows[2].config, "A=8");
  assert_true(fixture->report->rows[2].speedup == 2.5 && fixture->report->rows[2].restarts == 1);
  assert_true(isnan(fixture->report->rows[2].low) && isnan(fixture->report->rows[2].high));
  assert_true(fixture->report->rows[1].low == 2.25);
  assert_null(hone_report_json(fixture->stored.store, 0, &json));
  assert_non_null(strstr(json, "\"speedup\": 2.5, \"low\": null, \"high\": null, \"pairs\": 12"));
  assert_non_null(strstr(json, "\"low\": null, \"high\": null, \"confidence\""));
  free(json);
}

static void metrics_have_columns(void **state)
{
  struct fixture *fixture = *state;
  const struct hone__store_run_result result = improved();
  const struct hone_report_row *rows;

  put_all(fixture);
  finish(fixture, &result);
  rows = fixture->report->rows;
  assert_int_equal(fixture->report->metric_count, 2);
  assert_string_equal(fixture->report->metric_names[0], "GFLOP/s");
  assert_string_equal(fixture->report->metric_names[1], "GB/s");
  assert_string_equal(rows[0].metric_values[0], "12.35");
  assert_string_equal(rows[1].metric_values[0], "24568");
  assert_string_equal(rows[1].metric_values[1], "3.000");
  assert_string_equal(rows[2].metric_values[0], "");
  assert_string_equal(rows[3].metric_values[0], "1.000e-05");
}

static void the_rest_is_counted(void **state)
{
  struct fixture *fixture = *state;
  const struct hone__store_run_result result = improved();
  const struct hone_report *report;

  put_all(fixture);
  assert_null(hone__store_log(fixture->stored.store, fixture->stored.run, "a line"));
  finish(fixture, &result);
  report = fixture->report;
  assert_true(report->evaluations == 8 && report->ok == 4 && report->slow == 1);
  assert_true(report->failed == 3 && report->compiled == 7 && report->cached == 1);
  assert_int_equal(report->failure_count, 2);
  assert_int_equal(report->failures[0].outcome, HONE_OUTCOME_WRONG_RESULT);
  assert_string_equal(report->failures[0].text, "its answer is wrong");
  assert_true(report->failures[0].count == 2 && report->failures[1].count == 1);
  assert_string_equal(report->failures[0].config, "A=6");
  assert_string_equal(report->failures[0].command, "hone run sgemm.yaml");
  assert_int_equal(report->note_count, 2);
  assert_string_equal(report->notes[1], "two");
  assert_int_equal(report->log_count, 1);
  assert_string_equal(report->log[0] + 19, " a line");
  assert_string_equal(report->name, "sgemm");
  assert_int_equal(report->state, HONE_RUN_FINISHED);
  assert_true(report->seed == UINT64_MAX && report->wall_s == 12 && isnan(report->drift));
}

/* ---- Sentences ---- */

static void verdicts_are_sentences(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_result result = improved();

  put_all(fixture);
  expect_sentence(fixture, &result,
                  "A=3 is 2.31 times as fast as the baseline (95 % interval 2.25 to 2.38, 42 pairs "
                  "over 3 restarts)");
  result.low = 1.011;
  result.high = 1.018;
  result.speedup = 1.014;
  result.confidence = 0.975;
  expect_sentence(fixture, &result,
                  "A=3 is 1.014 times as fast as the baseline (97.5 % interval 1.011 to 1.018, 42 "
                  "pairs over 3 restarts)");
  result.pairs = result.restarts = 1;
  expect_sentence(fixture, &result,
                  "A=3 is 1.014 times as fast as the baseline (1 pair over 1 restart)");
  result = (struct hone__store_run_result){.state = HONE_RUN_FINISHED,
                                           .verdict = HONE_VERDICT_NO_IMPROVEMENT};
  expect_sentence(fixture, &result,
                  "none of the 2 confirmed candidates is more than 2.5 % faster than the "
                  "baseline");
  result.verdict = HONE_VERDICT_INCONCLUSIVE;
  result.why = "the baseline drifted by 12 %";
  expect_sentence(
      fixture, &result,
      "whether a candidate is faster than the baseline remains open: the baseline "
      "drifted by 12 %; the best candidate in screening is A=4 (2.22 times as fast as the "
      "baseline there, 2.10 times in the confirmation)");
  result.winner = "A=3";
  result.speedup = 1.014;
  result.low = 0.99;
  result.high = 1.03;
  result.confidence = 0.95;
  result.pairs = 240;
  result.restarts = 12;
  expect_sentence(
      fixture, &result,
      "whether A=3 is faster than the baseline remains open (1.014 times, 95 % "
      "interval 0.990 to 1.030, 240 pairs over 12 restarts): the baseline drifted by 12 "
      "%; the best candidate in screening is A=4 (2.22 times as fast as the baseline there, 2.10 "
      "times in the confirmation)");
}

/* Who needs the winner reads fields, and who has another name for it gives that. */
static void the_winner_is_a_field(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_result result = improved();
  const struct hone_report *report;
  char *sentence;

  put_all(fixture);
  finish(fixture, &result);
  report = fixture->report;
  assert_string_equal(report->baseline, "A=0");
  assert_string_equal(report->winner, "A=3");
  assert_true(report->speedup == 2.314 && report->low == 2.25 && report->high == 2.38);
  sentence = hone__report_sentence_about(report, "the model");
  assert_string_equal(sentence, "the model is 2.31 times as fast as the baseline (95 % interval "
                                "2.25 to 2.38, 42 pairs over 3 restarts)");
  free(sentence);
  assert_true(hone__starts_with(report->sentence, "A=3 is "));
  result = (struct hone__store_run_result){.state = HONE_RUN_FAILED, .why = "no memory"};
  finish(fixture, &result);
  report = fixture->report;
  assert_true(!*report->winner && !*report->baseline);
  sentence = hone__report_sentence_about(report, "the model");
  assert_string_equal(sentence, report->sentence);
  free(sentence);
}

static void runs_without_a_verdict_have_sentences(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_result result = {.state = HONE_RUN_INTERRUPTED};

  expect_sentence(fixture, &result,
                  "interrupted: no result is confirmed; no candidate was timed; run the same "
                  "command to continue");
  put(fixture, "A=1", HONE_OUTCOME_OK, 900, NULL);
  expect_sentence(fixture, &result,
                  "interrupted: no result is confirmed; the best candidate in screening is A=1 "
                  "(1.11 times as fast "
                  "as the baseline, unconfirmed); run the same command to continue");
  put_all(fixture);
  expect_sentence(
      fixture, &result,
      "interrupted: no result is confirmed; the best candidate in screening is A=4 (2.22 times as "
      "fast as the baseline there, 2.10 times in the confirmation); run the same command to "
      "continue");
  result = (struct hone__store_run_result){.state = HONE_RUN_INTERRUPTED,
                                           .verdict = HONE_VERDICT_IMPROVED,
                                           .winner = "A=3",
                                           .speedup = 2.31,
                                           .low = 2.25,
                                           .high = 2.38,
                                           .confidence = 0.95,
                                           .pairs = 12,
                                           .restarts = 1};
  expect_sentence(fixture, &result,
                  "A=3 is 2.31 times as fast as the baseline (12 pairs over 1 restart); "
                  "interrupted before all candidates were tried; run the same command to continue");
  result = (struct hone__store_run_result){.state = HONE_RUN_FAILED,
                                           .why = "the baseline does not build"};
  expect_sentence(fixture, &result, "the run failed: the baseline does not build");
  result = (struct hone__store_run_result){.state = HONE_RUN_FINISHED};
  expect_sentence(
      fixture, &result,
      "no verdict: confirmation was not requested; the best candidate in screening is A=4 (2.22 "
      "times as fast as the baseline there, 2.10 times in the confirmation)");
}

static void unchecked_runs_say_so(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_record run = stored_record();
  const struct hone__store_run_result result = {.state = HONE_RUN_FINISHED,
                                                .verdict = HONE_VERDICT_NO_IMPROVEMENT};

  run.key = "unchecked";
  run.checked = false;
  run.options = NULL;
  begin_stored(&fixture->stored, run);
  expect_sentence(fixture, &result,
                  "no candidate is more than 1 % faster than the baseline; answers were not "
                  "checked");
}

/* In words and by name; a run of an older version knows less. */
static void reports_say_what_answers_were_compared_with(void **state)
{
  static const struct {
    const char *stored, *name, *text;
    bool checked;
  } cases[] = {
      {"reference", "reference", "compared with the reference", true},
      {"baseline", "baseline", "compared with the baseline's output", true},
      {"command", "command", "judged by check.command", true},
      {"recorded", "recorded", "NOT checked: this is a recording", false},
      {"none", "none", "NOT checked", false},
      {NULL, "", "", true},
      {NULL, "none", "NOT checked", false},
      {"of a later version", "", "", true},
  };
  struct fixture *fixture = *state;

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__store_run_record run = stored_record();
    struct hone_report *report = NULL;
    run.key = "another";
    run.checked = cases[i].checked;
    run.answers = cases[i].stored;
    begin_stored(&fixture->stored, run);
    finish_stored(&fixture->stored, &(struct hone__store_run_result){.state = HONE_RUN_FINISHED});
    assert_null(hone_report_load(fixture->stored.store, fixture->stored.run, &report));
    assert_string_equal(hone_answers_name(hone_report_answers(report)), cases[i].name);
    assert_string_equal(report->answers_text, cases[i].text);
    hone_report_free(report);
  }
}

/* The mark goes with the evaluation: it is replaced with it, and set later. */
static void suspicious_results_are_marked(void **state)
{
  struct fixture *fixture = *state;
  struct hone__evaluation evaluation = {.config = "A=1",
                                        .time_ns = 1,
                                        .baseline_ns = 1000,
                                        .cold_ns = NAN,
                                        .cap_ns = NAN,
                                        .compile_s = NAN,
                                        .mesh_idx = -1,
                                        .suspicious = "1000 times"};
  int64_t later = put(fixture, "A=2", HONE_OUTCOME_OK, 2, NULL);

  put(fixture, "A=3", HONE_OUTCOME_OK, 900, NULL);
  assert_null(hone__store_evaluation_put(fixture->stored.store, fixture->stored.run, &evaluation));
  assert_null(hone__store_suspect(fixture->stored.store, later, "500 times"));
  assert_null(hone_report_load(fixture->stored.store, fixture->stored.run, &fixture->report));
  assert_string_equal(fixture->report->rows[0].suspicious, "1000 times");
  assert_string_equal(fixture->report->rows[1].suspicious, "500 times");
  assert_string_equal(fixture->report->rows[2].suspicious, "");
}

/* The metric of A=1 is the worst and its time is not; A=8 has none. */
static void metrics_are_what_the_verdict_is_about(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_record run = stored_record();
  struct hone__store_run_result result = improved();
  const struct hone_report_row *row;

  run.key = "metric";
  run.options = "{\"aim\": {\"metric\": \"GFLOP/s\", \"maximise\": true}}";
  begin_stored(&fixture->stored, run);
  put_all(fixture);
  put(fixture, "A=8", HONE_OUTCOME_OK, 1, NULL);
  put(fixture, "A=9", HONE_OUTCOME_OK, 2000, "{\"GFLOP/s\": 24.6912}");
  expect_sentence(fixture, &result,
                  "A=3 is 2.31 times as good as the baseline in 'GFLOP/s' (95 % interval 2.25 to "
                  "2.38, 42 pairs over 3 restarts)");
  for (size_t i = 0; i < fixture->report->row_count; i++) {
    row = &fixture->report->rows[i];
    if (strcmp(row->config, "A=9") == 0) assert_true(fabs(row->speedup - 2) < 1e-9);
    if (strcmp(row->config, "A=1") == 0) assert_true(row->speedup < 1e-6);
    if (strcmp(row->config, "A=8") == 0) assert_true(isnan(row->speedup));
  }
  result = (struct hone__store_run_result){.state = HONE_RUN_FINISHED,
                                           .verdict = HONE_VERDICT_NO_IMPROVEMENT};
  expect_sentence(fixture, &result,
                  "none of the 2 confirmed candidates is more than 1 % better than the "
                  "baseline in 'GFLOP/s'");
  /* metrics of those that were confirmed are none of screening: the best there is not known */
  result.verdict = HONE_VERDICT_INCONCLUSIVE;
  expect_sentence(fixture, &result,
                  "whether a candidate is better than the baseline in 'GFLOP/s' remains open");
}

static void a_running_run_says_so(void **state)
{
  struct fixture *fixture = *state;

  assert_null(hone_report_load(fixture->stored.store, fixture->stored.run, &fixture->report));
  assert_int_equal(fixture->report->state, HONE_RUN_RUNNING);
  assert_string_equal(fixture->report->sentence, "still running; no candidate was timed");
  assert_true(isnan(fixture->report->drift) && fixture->report->row_count == 0);
}

static void what_is_not_there_is_said(void **state)
{
  struct fixture *fixture = *state;
  hone_status status = hone_report_load(fixture->stored.store, 99, &fixture->report);
  char *text;

  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_non_null(strstr(hone_status_message(status), "no run 99"));
  assert_null(fixture->report);
  hone_status_free(status);
  status = hone_report_json(fixture->stored.store, 99, &text);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_null(text);
  hone_status_free(status);
}

/* ---- JSON ---- */

static json_t *load_json(struct fixture *fixture)
{
  json_t *root;
  char *text;

  assert_null(hone_report_json(fixture->stored.store, 0, &text));
  root = json_loads(text, 0, NULL);
  assert_non_null(root);
  free(text);
  return root;
}

static const char *text_at(json_t *object, const char *name)
{
  const char *text = json_string_value(json_object_get(object, name));

  assert_non_null(text);
  return text;
}

static void json_has_everything(void **state)
{
  struct fixture *fixture = *state;
  const struct hone__store_run_result result = improved();
  json_t *root, *evaluation, *samples, *times;

  put_all(fixture);
  finish(fixture, &result);
  root = load_json(fixture);
  assert_int_equal(json_integer_value(json_object_get(root, "schema_version")), 1);
  assert_string_equal(text_at(root, "verdict"), "IMPROVED");
  assert_string_equal(text_at(root, "sentence"), fixture->report->sentence);
  assert_string_equal(text_at(root, "seed"), "18446744073709551615");
  assert_true(json_is_null(json_object_get(root, "drift")));
  assert_string_equal(text_at(json_object_get(root, "environment"), "cpu"), "x");
  assert_int_equal(json_array_size(json_object_get(root, "evaluations")), 8);
  evaluation = json_array_get(json_object_get(root, "evaluations"), 3);
  assert_string_equal(text_at(evaluation, "config"), "A=3");
  assert_int_equal(
      json_integer_value(json_object_get(json_object_get(evaluation, "confirmation"), "pairs")),
      42);
  samples = json_array_get(json_object_get(evaluation, "samples"), 0);
  assert_string_equal(text_at(samples, "phase"), "screen");
  times = json_object_get(samples, "times_ns");
  assert_int_equal(json_array_size(times), 3);
  assert_true(json_real_value(json_array_get(times, 0)) == 500);
  assert_true(json_is_null(json_array_get(times, 1)));
  evaluation = json_array_get(json_object_get(root, "evaluations"), 5);
  assert_string_equal(text_at(evaluation, "evidence"), "bad \xef\xbf\xbd byte");
  assert_true(json_is_null(json_object_get(evaluation, "confirmation")));
  json_decref(root);
}

/* ---- Sweeps ---- */

/* A run of hone_sweep in the place of the one that begin() has made. */
static void begin_sweep(struct fixture *fixture)
{
  struct hone__store_run_record run = stored_record();

  run.key = "sweep";
  run.strategy = HONE__STRATEGY_OF_SWEEPS;
  begin_stored(&fixture->stored, run);
}

static void sweeps_have_sentences_without_a_verdict(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_result result = {.state = HONE_RUN_FINISHED};

  begin_sweep(fixture);
  expect_sentence(fixture, &result, "0 of 0 configurations were built");
  put(fixture, "A=1", HONE_OUTCOME_OK, 900, NULL);
  put(fixture, "A=2", HONE_OUTCOME_OK, 450, NULL);
  put(fixture, "A=3", HONE_OUTCOME_CRASH, 0, NULL);
  expect_sentence(fixture, &result,
                  "2 of 3 configurations work; the fastest is A=2 (450 ns, measured "
                  "once)");
  assert_true(fixture->report->is_sweep);
  result.state = HONE_RUN_INTERRUPTED;
  expect_sentence(fixture, &result,
                  "interrupted: 2 of 3 configurations work; the fastest is A=2 (450 "
                  "ns, measured once); run the same command to "
                  "continue");
  result.state = HONE_RUN_FAILED;
  result.why = "no space is left";
  expect_sentence(fixture, &result,
                  "failed: no space is left; 2 of 3 configurations work; the fastest is "
                  "A=2 (450 ns, measured once)");
}

static void times_of_sweeps_have_units(void **state)
{
  static const struct {
    double time_ns;
    const char *words;
  } cases[] = {{1500000, "(1.5 ms, measured once)"},
               {1500, "(1.5 us, measured once)"},
               {0.25, "(0.25 ns, measured once)"},
               {2.5e9, "(2.5 s, measured once)"}};
  struct fixture *fixture = *state;
  const struct hone__store_run_result result = {.state = HONE_RUN_FINISHED};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__store_run_record run = stored_record();
    char key[16];
    snprintf(key, sizeof key, "sweep%zu", i);
    run.key = key;
    run.strategy = HONE__STRATEGY_OF_SWEEPS;
    begin_stored(&fixture->stored, run);
    put(fixture, "Größe=ä", HONE_OUTCOME_OK, cases[i].time_ns, NULL);
    finish(fixture, &result);
    if (!strstr(fixture->report->sentence, cases[i].words))
      fail_msg("no '%s' in: %s", cases[i].words, fixture->report->sentence);
    assert_non_null(strstr(fixture->report->sentence, "the fastest is Größe=ä ("));
  }
}

/* ---- For programs ---- */

/* The winner by the accessors of hone_results.h: verdict, interval, each value with its type. */
static void programs_read_the_winner(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_result result = improved();
  const struct hone_report *report;
  const struct hone_params *params;
  struct hone_value value;

  put_all(fixture);
  result.winner = "BM=64,USE=True,F=0.5,$N=None,T='a,b'";
  finish(fixture, &result);
  report = fixture->report;
  assert_int_equal(hone_report_verdict(report), HONE_VERDICT_IMPROVED);
  assert_true(hone_report_speedup(report) == 2.314 && hone_report_confidence(report) == 0.95);
  assert_true(hone_report_low(report) == 2.25 && hone_report_high(report) == 2.38);
  params = hone_report_winner_params(report);
  assert_int_equal(hone_params_count(params), 5);
  assert_true(hone_params_find(params, "BM", &value));
  assert_true(value.type == HONE_INT && value.integer == 64);
  assert_true(hone_params_find(params, "USE", &value));
  assert_true(value.type == HONE_BOOL && value.integer == 1);
  assert_true(hone_params_value(params, 2).type == HONE_FLOAT);
  assert_true(hone_params_value(params, 2).real == 0.5);
  assert_string_equal(hone_params_name(params, 3), "N");
  assert_true(hone_params_is_runtime(params, 3) && !hone_params_is_runtime(params, 4));
  assert_int_equal(hone_params_value(params, 3).type, HONE_NONE);
  assert_string_equal(hone_params_value(params, 4).text, "a,b");
  assert_false(hone_params_find(params, "BN", &value));
  assert_null(hone_params_name(params, 5));
  assert_int_equal(hone_params_value(params, 5).type, HONE_NONE);
  assert_true(hone_params_find(hone_report_baseline_params(report), "A", &value));
  assert_null(hone_report_winner_row(report)); /* this one was not evaluated */
}

static void programs_read_rows_and_failures(void **state)
{
  struct fixture *fixture = *state;
  const struct hone__store_run_result result = improved();
  const struct hone_report *report;
  const struct hone_report_row *winner;
  const struct hone_report_failure *failure;

  put_all(fixture);
  finish(fixture, &result);
  report = fixture->report;
  winner = hone_report_winner_row(report);
  assert_ptr_equal(winner, hone_report_row(report, 1));
  assert_string_equal(hone_report_row_config(winner), hone_report_winner(report));
  assert_true(hone_report_row_is_confirmed(winner) && hone_report_row_time_ns(winner) == 480);
  assert_string_equal(hone_report_row_metric(winner, 1), "3.000");
  assert_string_equal(hone_report_row_metric(winner, 2), "");
  assert_true(hone_report_row_is_baseline(hone_report_baseline_row(report)));
  assert_null(hone_report_row(report, hone_report_row_count(report)));
  assert_int_equal(hone_report_failure_count(report), 2);
  failure = hone_report_failure(report, 0);
  assert_int_equal(hone_report_failure_outcome(failure), HONE_OUTCOME_WRONG_RESULT);
  assert_int_equal(hone_report_failure_candidates(failure), 2);
  assert_string_equal(hone_report_failure_config(failure), "A=6");
  assert_null(hone_report_failure(report, 2));
  assert_string_equal(hone_report_note(report, 1), "two");
  assert_null(hone_report_note(report, 2));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(rows_are_in_order),
      TEST(intervals_cover_restarts),
      TEST(metrics_have_columns),
      TEST(the_rest_is_counted),
      TEST(verdicts_are_sentences),
      TEST(the_winner_is_a_field),
      TEST(runs_without_a_verdict_have_sentences),
      TEST(unchecked_runs_say_so),
      TEST(reports_say_what_answers_were_compared_with),
      TEST(suspicious_results_are_marked),
      TEST(metrics_are_what_the_verdict_is_about),
      TEST(a_running_run_says_so),
      TEST(what_is_not_there_is_said),
      TEST(json_has_everything),
      TEST(sweeps_have_sentences_without_a_verdict),
      TEST(times_of_sweeps_have_units),
      TEST(programs_read_the_winner),
      TEST(programs_read_rows_and_failures),
  };

  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
