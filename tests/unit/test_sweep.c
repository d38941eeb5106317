/* Sweeps: every configuration once, in mesh order, with real workers and a real store. Most are of
 * a recording; a program in sh says what it was called with. */
#include "sim_tuning.h"

#include "session/cases.h"
#include "store/store.h"
#include "store/stored.h"
#include "sweep/sweep.h"

#include <math.h>

static const double times_ms[] = {2.0, 2.4, 0, 1.9};
enum { COUNT = sizeof times_ms / sizeof *times_ms };

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_recording(times_ms, COUNT);
  return 0;
}

struct notes {
  char text[4096];
};

static bool keep_note(void *data, const struct hone_event *event)
{
  struct notes *notes = data;
  size_t length = strlen(notes->text);

  if (event->kind == HONE_EVENT_NOTE)
    snprintf(notes->text + length, sizeof notes->text - length, "%s\n", event->text);
  return true;
}

/* Returns the number of the run. */
static int64_t sweep(struct hone_spec *loaded, const struct hone_tune_options *options)
{
  struct hone_tuning *tuning = NULL;
  hone_status status = hone_sweep(loaded, options, &tuning);
  int64_t run;

  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(hone_tuning_count(tuning), 1);
  run = hone_tuning_run(tuning, 0);
  hone_tuning_free(tuning);
  hone_spec_free(loaded);
  return run;
}

struct seen {
  char text[1024]; /* "K=0 ok, ": in mesh order */
  size_t count;
};

static bool note_evaluation(void *data, const struct hone__evaluation *evaluation)
{
  struct seen *seen = data;
  size_t length = strlen(seen->text);

  snprintf(seen->text + length, sizeof seen->text - length, "%lld %s %s, ",
           (long long)evaluation->mesh_idx, evaluation->config,
           hone__outcome_works(evaluation->outcome) ? "works" : "fails");
  seen->count++;
  return true;
}

static struct seen evaluations_of(int64_t run)
{
  struct hone_store *store = NULL;
  struct seen seen = {0};

  assert_null(hone__store_open(getenv("HONE_STORE"), false, &store));
  assert_null(hone__store_evaluations(store, run, note_evaluation, &seen));
  hone__store_close(store);
  return seen;
}

static void expect_row(const struct seen *seen, const char *row)
{
  if (!strstr(seen->text, row)) fail_msg("no '%s' in: %s", row, seen->text);
}

static void every_configuration_is_run_once(void **state)
{
  struct notes notes = {0};
  struct hone_tune_options options = sim_options();
  struct seen seen;

  (void)state;
  options.progress = keep_note;
  options.progress_data = &notes;
  seen = evaluations_of(sweep(sim_spec(""), &options));
  assert_int_equal(seen.count, COUNT);
  expect_row(&seen, "0 K=0 works, ");
  expect_row(&seen, "2 K=2 fails, ");
  expect_row(&seen, "3 K=3 works, ");
  expect_part(notes.text, "scheduled 4 unique build items out of 4");
  expect_part(notes.text, "(4 unique items)");
  expect_part(notes.text, "Execution summary: 3 succeeded, ");
  expect_part(notes.text, "(4 total)");
}

/* A finished sweep is measured again, unlike a tuning. */
static void a_finished_sweep_is_made_again(void **state)
{
  const struct hone_tune_options options = sim_options();
  int64_t first = sweep(sim_spec(""), &options);

  (void)state;
  assert_true(sweep(sim_spec(""), &options) > first);
}

static void building_alone_runs_nothing(void **state)
{
  struct notes notes = {0};
  struct hone_tune_options options = sim_options();

  (void)state;
  options.stop_after = HONE_STAGE_BUILD;
  options.progress = keep_note;
  options.progress_data = &notes;
  sweep(sim_spec(""), &options);
  expect_part(notes.text, "finished building 4 unique items");
  assert_null(strstr(notes.text, "Execution summary"));
}

/* ---- Programs ---- */

static const char script[] = "#!/bin/sh\n"
                             "for word; do\n"
                             "  case $word in --A=*) a=${word#--A=};; esac\n"
                             "  [ \"$last\" = -o ] && out=$word\n"
                             "  last=$word\n"
                             "done\n"
                             "[ $a = 2 ] && { echo two is too many >&2; exit 3; }\n"
                             "printf 'name,met (ms),iters\\n\"k\",%s,1\\n' $a >\"$out\"\n";

static struct hone_spec *load_spec(const char *yaml)
{
  const char *files[] = {path_of("p.yaml")};
  struct hone_spec_options options;
  struct hone_spec *loaded = NULL;
  hone_status status;

  write_text("p.yaml", yaml);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &loaded);
  if (status) fail_msg("%s", hone_status_message(status));
  return loaded;
}

static struct hone_spec *program_spec(void)
{
  write_script("bench.sh", script);
  return load_spec("name: p\nbackend: program\nfile: bench.sh\n"
                   "params: {A: [3, 1, 2], $x: [0, 1]}\n");
}

/* One that is compiled, once for both configurations. */
static struct hone_spec *compiled_spec(void)
{
  write_text("bench.c",
             "#include <stdio.h>\n#include <string.h>\n"
             "int main(int count, char **words) {\n"
             "  for (int i = 1; i + 1 < count; i++)\n"
             "    if (strcmp(words[i], \"-o\") == 0 && freopen(words[i + 1], \"w\", stdout))\n"
             "      printf(\"name,met (ms),iters\\nk,%d,1\\n\", A);\n"
             "}\n");
  return load_spec("name: p\nbackend: program\nfile: bench.c\nparams: {A: [3], $x: [0, 1]}\n");
}

/* Those before a build are not in the cache, and those after it are. */
static void runs_can_be_of_the_cache_alone(void **state)
{
  struct hone_tune_options options = sim_options();
  struct hone_tuning *tuning = NULL;
  struct hone_spec *loaded = compiled_spec();
  hone_status status;

  (void)state;
  options.run_only = true;
  status = hone_sweep(loaded, &options, &tuning);
  assert_int_equal(hone_status_code(status), HONE_UNAVAILABLE);
  expect_part(hone_status_message(status), "1 binary is not in the cache: build it first");
  hone_status_free(status);
  hone_tuning_free(tuning);
  hone_spec_free(loaded);
  options.run_only = false;
  options.stop_after = HONE_STAGE_BUILD;
  sweep(compiled_spec(), &options);
  options.run_only = true;
  options.stop_after = HONE_STAGE_ALL;
  assert_string_equal(evaluations_of(sweep(compiled_spec(), &options)).text,
                      "0 A=3,x=0 works, 1 A=3,x=1 works, ");
}

static void programs_are_built_and_run(void **state)
{
  struct hone_tune_options options = sim_options();
  struct seen seen;

  (void)state;
  seen = evaluations_of(sweep(program_spec(), &options));
  assert_int_equal(seen.count, 6);
  expect_row(&seen, "0 A=3,x=0 works, ");
  expect_row(&seen, "1 A=3,x=1 works, ");
  expect_row(&seen, "4 A=2,x=0 fails, ");
}

static void commands_are_printed_without_a_run(void **state)
{
  struct hone_tune_options options = sim_options();
  struct hone_spec *loaded = sim_spec("");
  char *text = NULL;
  size_t lines = 0;

  (void)state;
  assert_null(hone_sweep_commands(loaded, &options, &text));
  for (const char *at = text; (at = strchr(at, '\n')); at++)
    lines++;
  assert_int_equal(lines, COUNT); /* a recording needs no build */
  expect_part(text, "--config K=3\n");
  free(text);
  options.stop_after = HONE_STAGE_BUILD;
  assert_null(hone_sweep_commands(loaded, &options, &text));
  assert_string_equal(text, "");
  free(text);
  hone_spec_free(loaded);
  loaded = program_spec();
  options.stop_after = HONE_STAGE_ALL;
  assert_null(hone_sweep_commands(loaded, &options, &text));
  expect_part(text, "bench.sh");
  expect_part(text, "A=3");
  free(text);
  hone_spec_free(loaded);
}

/* ---- Counts and words ---- */

static void outcomes_are_summed_up(void **state)
{
  struct notes notes = {0};
  struct hone_tune_options options = sim_options();
  struct hone__sweep counted = {
      .count = 10, .known = 1, .build_count = 5, .builds_ok = 3, .builds_failed = 2};

  (void)state;
  options.progress = keep_note;
  options.progress_data = &notes;
  counted.session.settings.options = &options;
  counted.outcomes[HONE_OUTCOME_OK] = 2;
  counted.outcomes[HONE_OUTCOME_SLOW] = 1;
  counted.outcomes[HONE_OUTCOME_COMPILE_ERROR] = 2;
  counted.outcomes[HONE_OUTCOME_CRASH] = 1;
  counted.outcomes[HONE_OUTCOME_HANG] = 1;
  counted.outcomes[HONE_OUTCOME_WRONG_RESULT] = 1;
  counted.outcomes[HONE_OUTCOME_WORKER_LOST] = 1;
  assert_int_equal(hone__sweep_finished(&counted), 9);
  hone__sweep_report_scheduled(&counted);
  hone__sweep_report_built(&counted);
  hone__sweep_report_done(&counted);
  assert_string_equal(notes.text,
                      "scheduled 5 unique build items out of 9\n"
                      "finished building 5 unique items\n"
                      "Build summary: 3 succeeded, 2 failed (5 unique items)\n"
                      "Execution summary: 3 succeeded, 1 crashed, 1 timed out, 1 gave a wrong "
                      "result, 1 lost with a worker, 2 failed to build (9 total)\n");
  notes.text[0] = '\0';
  memset(counted.outcomes, 0, sizeof counted.outcomes);
  hone__sweep_report_done(&counted);
  assert_string_equal(notes.text, "Execution summary: 0 succeeded (0 total)\n");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(every_configuration_is_run_once), TEST(a_finished_sweep_is_made_again),
      TEST(building_alone_runs_nothing),     TEST(runs_can_be_of_the_cache_alone),
      TEST(programs_are_built_and_run),      TEST(commands_are_printed_without_a_run),
      TEST(outcomes_are_summed_up),
  };
  int status = worker_status(argc, argv);

  return status >= 0 ? status : cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
