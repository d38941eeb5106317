/* Rows, runs and jobs of a store. */
#include "store/migrations.h"
#include "store/run_lock.h"
#include "stores.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- Rows ---- */

static const double baselines[] = {3, 4, 5};

static void put_in_full(struct hone_store *store, int64_t run)
{
  const struct hone__samples samples[] = {
      {.phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 3},
      {.phase = HONE_PHASE_CONFIRM,
       .restart = 2,
       .times_ns = times,
       .baseline_ns = baselines,
       .count = 3,
       .facts = "{\"cpu\": 1}"},
      {.phase = HONE_PHASE_RACE},
  };
  struct hone__evaluation evaluation = {.config = "BM=64",
                                        .candidate_key = "c1",
                                        .measure_key = "m1",
                                        .object = "o1",
                                        .device = "c:0",
                                        .outcome = HONE_OUTCOME_SLOW,
                                        .evidence = "late",
                                        .command = "hone run",
                                        .tries = 2,
                                        .compile_s = 0.5,
                                        .cached = true,
                                        .warnings = "w",
                                        .deps = "[]",
                                        .time_ns = 10,
                                        .baseline_ns = 20,
                                        .cold_ns = NAN,
                                        .cap_ns = 40,
                                        .metrics = "{}",
                                        .output = "{\"stdout\": \"hi\"}",
                                        .mesh_idx = 3,
                                        .same_as = 7,
                                        .samples = samples,
                                        .sample_count = 3};

  assert_null(hone__store_evaluation_put(store, run, &evaluation));
  assert_true(evaluation.id > 0);
}

static bool check_in_full(void *data, const struct hone__evaluation *e)
{
  assert_string_equal(e->config, "BM=64");
  assert_string_equal(e->candidate_key, "c1");
  assert_string_equal(e->measure_key, "m1");
  assert_string_equal(e->object, "o1");
  assert_string_equal(e->device, "c:0");
  assert_int_equal(e->outcome, HONE_OUTCOME_SLOW);
  assert_string_equal(e->evidence, "late");
  assert_string_equal(e->command, "hone run");
  assert_string_equal(e->warnings, "w");
  assert_string_equal(e->deps, "[]");
  assert_string_equal(e->metrics, "{}");
  assert_string_equal(e->output, "{\"stdout\": \"hi\"}");
  assert_int_equal(e->mesh_idx, 3);
  assert_true(e->tries == 2 && e->cached && !e->is_baseline);
  assert_true(e->compile_s == 0.5 && e->time_ns == 10 && e->baseline_ns == 20);
  assert_true(isnan(e->cold_ns) && e->cap_ns == 40);
  assert_true(e->same_as == 7 && e->reused_from == 0 && e->sample_count == 0);
  ++*(int *)data;
  return true;
}

static void rows_come_back_after_reopening(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  int seen = 0;

  (void)state;
  put_in_full(store, run);
  assert_null(hone__store_sync(store));
  hone__store_close(store);
  store = open_store(true);
  assert_string_equal(hone_store_file(store), file);
  assert_null(hone__store_evaluations(store, run, check_in_full, &seen));
  assert_null(hone__store_by_candidate_key(store, "c1", check_in_full, &seen));
  assert_null(hone__store_by_measure_key(store, "m1", check_in_full, &seen));
  assert_null(hone__store_by_measure_key(store, "c1", check_in_full, &seen));
  assert_int_equal(seen, 3);
  hone__store_close(store);
  expect_answer("SELECT group_concat(phase || restart || count || length(times_ns) || "
                "ifnull(length(baseline_ns), '-')) FROM samples",
                "screen0324-,confirm232424,race000-");
  expect_answer("SELECT hex(times_ns) FROM samples LIMIT 1",
                "000000000000F83F00000000000004409C7500883CE4377E");
}

static void a_configuration_is_once_in_a_run(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  const struct hone__samples samples = {.phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 3};
  struct hone__evaluation a = some_evaluation("A=1"), b = some_evaluation("A=2"), again;
  struct hone__evaluation base0 = some_evaluation("A=1"), base1 = some_evaluation("A=1");

  (void)state;
  a.samples = &samples;
  a.sample_count = 1;
  assert_null(hone__store_evaluation_put(store, run, &a));
  assert_null(hone__store_evaluation_put(store, run, &b));
  base0.is_baseline = base1.is_baseline = true;
  base0.device = "c:0";
  base1.device = "c:1";
  assert_null(hone__store_evaluation_put(store, run, &base0));
  assert_null(hone__store_evaluation_put(store, run, &base1));
  assert_null(hone__store_evaluation_put(store, run, &base0));
  again = a;
  again.id = 0;
  again.device = "c:1";
  again.outcome = HONE_OUTCOME_CRASH;
  assert_null(hone__store_evaluation_put(store, run, &again));
  assert_int_equal(again.id, a.id);
  expect_configs(store, run, "A=1;A=2;A=1;A=1;");
  assert_null(hone__store_samples_add(store, a.id, &samples));
  hone__store_close(store);
  expect_answer("SELECT count(*) FROM samples", "3");
  expect_answer("SELECT outcome || device FROM evaluations LIMIT 1", "crashc:1");
}

/* In a sweep the mesh may have a configuration twice. */
static void a_sweep_has_a_row_for_each_place(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  struct hone__evaluation first = some_evaluation("A=1"), second = first;

  (void)state;
  first.mesh_idx = 0;
  second.mesh_idx = 7;
  assert_null(hone__store_evaluation_put(store, run, &first));
  assert_null(hone__store_evaluation_put(store, run, &second));
  second.output = "{}";
  assert_null(hone__store_evaluation_put(store, run, &second));
  expect_configs(store, run, "A=1;A=1;");
  hone__store_close(store);
  expect_answer("SELECT group_concat(mesh_idx || ifnull(output, '-')) FROM evaluations", "0-,7{}");
}

/* A file of the first version: what it has stays, and reading it alone is enough. */
static void older_files_are_brought_up_to_date(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  struct hone__evaluation evaluation = some_evaluation("A=1");
  char latest[16];

  (void)state;
  assert_null(hone__store_evaluation_put(store, run, &evaluation));
  hone__store_close(store);
  execute(file,
          "ALTER TABLE evaluations DROP COLUMN output; ALTER TABLE evaluations DROP COLUMN "
          "mesh_idx; DROP TABLE seeds; ALTER TABLE runs DROP COLUMN screening; "
          "ALTER TABLE evaluations DROP COLUMN suspicious; ALTER TABLE runs DROP COLUMN answers; "
          "ALTER TABLE runs DROP COLUMN fresh; ALTER TABLE evaluations DROP COLUMN asked; "
          "ALTER TABLE runs DROP COLUMN two_groups; DROP INDEX runs_by_problem; "
          "ALTER TABLE runs DROP COLUMN problem_key; ALTER TABLE runs DROP COLUMN taken; "
          "ALTER TABLE runs DROP COLUMN devices; ALTER TABLE runs DROP COLUMN imported; "
          "DROP TABLE saved_baselines; DROP INDEX runs_by_uid; "
          "ALTER TABLE runs DROP COLUMN uid; ALTER TABLE runs DROP COLUMN part; "
          "DROP TABLE jobs; DROP TABLE workers; "
          "PRAGMA user_version = 1");
  store = open_store(true);
  expect_configs(store, run, "A=1;");
  hone__store_close(store);
  expect_answer("SELECT ifnull(mesh_idx, 'none') FROM evaluations", "none");
  snprintf(latest, sizeof latest, "%d", hone__migrations_latest());
  expect_answer("PRAGMA user_version", latest);
  expect_answer("SELECT count(*) FROM seeds", "0");
}

static void many_rows_come_in_order(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k"), other = begin(store, "other");
  struct seen seen = {0};
  char config[32];

  (void)state;
  for (int i = 0; i < 300; i++) {
    struct hone__evaluation evaluation = some_evaluation(config);
    snprintf(config, sizeof config, "A=%d", 300 - i);
    evaluation.candidate_key = "same";
    assert_null(hone__store_evaluation_put(store, i % 100 == 50 ? other : run, &evaluation));
  }
  assert_null(hone__store_evaluations(store, run, see, &seen));
  assert_int_equal(seen.count, 297);
  assert_true(hone__starts_with(seen.configs.data, "A=300;A=299;"));
  hone__text_release(&seen.configs);
  seen = (struct seen){.limit = 130};
  assert_null(hone__store_by_candidate_key(store, "same", see, &seen));
  assert_int_equal(seen.count, 130);
  assert_true(hone__starts_with(seen.configs.data, "A=1;A=2;A=3;"));
  hone__text_release(&seen.configs);
  hone__store_close(store);
}

static void only_telling_outcomes_are_found_by_key(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  struct seen seen = {0};

  (void)state;
  for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
    struct hone__evaluation evaluation = some_evaluation(hone_outcome_name((enum hone_outcome)i));
    evaluation.outcome = (enum hone_outcome)i;
    evaluation.measure_key = "m";
    assert_null(hone__store_evaluation_put(store, run, &evaluation));
  }
  assert_null(hone__store_by_measure_key(store, "m", see, &seen));
  assert_true(hone__starts_with(seen.configs.data, "protocol;crash;oom_host;"));
  assert_int_equal(seen.count, HONE_OUTCOME_COUNT - 6);
  hone__text_release(&seen.configs);
  hone__store_close(store);
}

static bool write_more(void *data, const struct hone__evaluation *evaluation)
{
  struct hone_store *store = data;
  struct hone__evaluation more = some_evaluation(evaluation->config);
  struct seen seen = {0};

  more.outcome = HONE_OUTCOME_HANG;
  assert_null(hone__store_evaluation_put(store, 1, &more));
  assert_null(hone__store_evaluations(store, 1, see, &seen));
  hone__text_release(&seen.configs);
  return true;
}

static void visitors_may_use_the_store(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  struct hone__evaluation a = some_evaluation("A=1"), b = some_evaluation("A=2");

  (void)state;
  assert_int_equal(run, 1);
  assert_null(hone__store_evaluation_put(store, run, &a));
  assert_null(hone__store_evaluation_put(store, run, &b));
  assert_null(hone__store_evaluations(store, run, write_more, store));
  hone__store_close(store);
  expect_answer("SELECT group_concat(outcome) FROM evaluations", "hang,hang");
}

static void what_is_not_there_is_said(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone__evaluation evaluation = some_evaluation("A=1");
  const struct hone__store_run_result result = {.state = HONE_RUN_FINISHED};

  (void)state;
  expect(hone__store_evaluation_put(store, 99, &evaluation), HONE_IO, "FOREIGN KEY");
  expect(hone__store_run_finish(store, 99, &result), HONE_NOT_FOUND, "no run 99");
  expect(hone__store_confirm(
             store, 99,
             &(struct hone__confirmation){HONE_VERDICT_IMPROVED, 2, 1, 3, 4, 3, 1, 2, NULL}),
         HONE_NOT_FOUND, "no evaluation 99");
  begin(store, "k");
  hone__store_close(store);
  expect_answer("SELECT count(*) FROM evaluations", "0");
}

/* ---- Runs ---- */

static void finish(struct hone_store *store, int64_t run, enum hone_run_state run_state)
{
  const struct hone__store_run_result result = {.state = run_state,
                                                .verdict = HONE_VERDICT_NO_IMPROVEMENT,
                                                .speedup = NAN,
                                                .low = NAN,
                                                .high = NAN,
                                                .drift = NAN,
                                                .wall_s = 1.5};

  assert_null(hone__store_run_finish(store, run, &result));
}

static void an_unfinished_run_is_taken_up(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone__store_run_record run = some_run("k");
  struct hone__evaluation evaluation = some_evaluation("A=1");
  int64_t first, finished;
  bool resumed;

  (void)state;
  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_false(resumed);
  first = run.id;
  assert_null(hone__store_evaluation_put(store, first, &evaluation));
  hone__store_close(store);
  store = open_store(false);
  for (int i = 0; i < 2; i++) {
    run = some_run("k");
    assert_null(hone__store_run_begin(store, &run, &resumed));
    assert_true(resumed);
    assert_int_equal(run.id, first);
    expect_configs(store, first, "A=1;");
    finish(store, first, HONE_RUN_INTERRUPTED);
  }
  assert_null(hone__store_run_finished(store, "k", &finished));
  assert_int_equal(finished, 0);
  assert_true(begin(store, "another") != first);
  assert_int_equal(begin(store, "k"), first);
  finish(store, first, HONE_RUN_FINISHED);
  assert_null(hone__store_run_finished(store, "k", &finished));
  assert_int_equal(finished, first);
  assert_true(begin(store, "k") > first);
  hone__store_close(store);
  expect_answer("SELECT wall_s || state FROM runs LIMIT 1", "4.5finished");
}

static int64_t begin_fresh(struct hone_store *store, const char *key)
{
  struct hone__store_run_record run = some_run(key);
  bool resumed;

  run.is_fresh = true;
  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_false(resumed);
  return run.id;
}

static void expect_finished(struct hone_store *store, int64_t expected)
{
  int64_t finished = -1;

  assert_null(hone__store_run_finished(store, "k", &finished));
  assert_int_equal(finished, expected);
}

static void the_newest_run_counts(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone__store_run_record run = some_run("k");
  int64_t first = begin(store, "k"), fresh, last;
  bool resumed;

  (void)state;
  finish(store, first, HONE_RUN_FINISHED);
  fresh = begin_fresh(store, "k");
  assert_true(fresh > first);
  expect_finished(store, 0);
  finish(store, fresh, HONE_RUN_INTERRUPTED);
  expect_finished(store, 0);
  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_true(resumed && run.id == fresh && run.is_fresh);
  last = begin_fresh(store, "k");
  assert_true(last > fresh);
  finish(store, last, HONE_RUN_FINISHED);
  expect_finished(store, last);
  run = some_run("k"); /* the older one stays unfinished */
  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_true(!resumed && run.id > last && !run.is_fresh);
  hone__store_close(store);
}

static void a_lock_is_of_one_key_and_ends_with_its_process(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone__store_run_lock one, two, other;
  int ready[2];
  char byte;
  pid_t pid;

  (void)state;
  assert_true(hone__store_run_lock_take(&one, store, "k") && one.is_held);
  assert_false(hone__store_run_lock_take(&two, store, "k"));
  assert_true(hone__store_run_lock_take(&other, store, "l") && other.is_held);
  hone__store_run_lock_release(&one);
  hone__store_run_lock_release(&other);
  assert_int_equal(pipe(ready), 0);
  pid = fork();
  if (pid == 0) {
    if (!hone__store_run_lock_take(&one, store, "k") || write(ready[1], "", 1) != 1) _exit(1);
    for (;;)
      pause();
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  assert_false(hone__store_run_lock_take(&two, store, "k"));
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  assert_true(hone__store_run_lock_take(&two, store, "k") && two.is_held);
  hone__store_run_lock_release(&two);
  close(ready[0]);
  close(ready[1]);
  hone__store_close(store);
}

/* A process that has a run until it is told to end. */
struct holder {
  pid_t pid;
  int tell, hear;
};

static struct holder hold_run(const char *key)
{
  int to[2], from[2];
  struct holder holder;
  char byte = 0;

  assert_int_equal(pipe2(to, O_CLOEXEC) | pipe2(from, O_CLOEXEC), 0);
  holder.pid = fork();
  if (holder.pid == 0) {
    struct hone_store *store;
    struct hone__store_run_record run = some_run(key);
    bool resumed;
    close(to[1]);
    if (hone__store_open(file, false, &store)) _exit(1);
    if (hone__store_run_begin(store, &run, &resumed)) _exit(1);
    if (write(from[1], &byte, 1) != 1) _exit(2);
    _exit(read(to[0], &byte, 1) == 1 ? 3 : 0);
  }
  close(to[0]);
  close(from[1]);
  holder.tell = to[1];
  holder.hear = from[0];
  assert_int_equal(read(from[0], &byte, 1), 1);
  return holder;
}

static void a_run_has_one_process(void **state)
{
  struct holder holder = hold_run("k");
  struct hone_store *store = open_store(false);
  struct hone__store_run_record run = some_run("k");
  struct hone_run_list *runs;
  siginfo_t dead;
  char said[64];
  bool resumed;

  (void)state;
  snprintf(said, sizeof said, "run 1 is being tuned by pid %d on host ", (int)holder.pid);
  expect(hone__store_run_begin(store, &run, &resumed), HONE_UNAVAILABLE, said);
  assert_int_equal(run.id, 0);
  assert_null(hone_store_runs(store, &runs));
  assert_int_equal(hone_run_state(hone_run_list_at(runs, 0)), HONE_RUN_RUNNING);
  hone_run_list_free(runs);
  kill(holder.pid, SIGKILL);
  assert_int_equal(waitid(P_PID, (id_t)holder.pid, &dead, WEXITED | WNOWAIT), 0); /* a zombie */
  close(holder.tell);
  close(holder.hear);
  assert_null(hone_store_runs(store, &runs));
  assert_int_equal(hone_run_state(hone_run_list_at(runs, 0)), HONE_RUN_INTERRUPTED);
  hone_run_list_free(runs);
  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_true(resumed);
  assert_int_equal(run.id, 1);
  waitpid(holder.pid, NULL, 0);
  hone__store_close(store);
}

static void a_process_number_alone_is_no_process(void **state)
{
  struct holder holder = hold_run("k");
  struct hone_store *store;
  bool resumed;
  struct hone__store_run_record run = some_run("k");

  (void)state;
  execute(file, "UPDATE runs SET driver_start = 'another boot 1'");
  store = open_store(false);
  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_true(resumed);
  hone__store_close(store);
  close(holder.tell);
  close(holder.hear);
  waitpid(holder.pid, NULL, 0);
}

static void the_list_of_runs(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t first = begin(store, "a"), second = begin(store, "b");
  struct hone__evaluation good = some_evaluation("A=1"), bad = some_evaluation("A=2");
  struct hone_run_list *runs;

  (void)state;
  bad.outcome = HONE_OUTCOME_WRONG_RESULT;
  assert_null(hone__store_evaluation_put(store, first, &good));
  assert_null(hone__store_evaluation_put(store, first, &bad));
  finish(store, first, HONE_RUN_FINISHED);
  assert_null(hone_store_runs(store, &runs));
  assert_int_equal(hone_run_list_count(runs), 2);
  assert_null(hone_run_list_at(runs, 2));
  assert_true(hone_run_number(hone_run_list_at(runs, 0)) == second &&
              hone_run_number(hone_run_list_at(runs, 1)) == first);
  assert_int_equal(hone_run_state(hone_run_list_at(runs, 0)), HONE_RUN_RUNNING);
  assert_int_equal(hone_run_verdict(hone_run_list_at(runs, 0)), HONE_VERDICT_NONE);
  assert_int_equal(hone_run_state(hone_run_list_at(runs, 1)), HONE_RUN_FINISHED);
  assert_int_equal(hone_run_verdict(hone_run_list_at(runs, 1)), HONE_VERDICT_NO_IMPROVEMENT);
  assert_string_equal(hone_run_name(hone_run_list_at(runs, 1)), "sgemm");
  assert_true(hone_run_evaluations(hone_run_list_at(runs, 1)) == 2 &&
              hone_run_failures(hone_run_list_at(runs, 1)) == 1 &&
              hone_run_wall_s(hone_run_list_at(runs, 1)) == 1.5);
  assert_true(isnan(hone_run_speedup(hone_run_list_at(runs, 1))) &&
              strlen(hone_run_started(hone_run_list_at(runs, 1))) == 19);
  hone_run_list_free(runs);
  hone_run_list_free(NULL);
  hone__store_close(store);
}

/* Names of values are parsed where they are read: what another program wrote is refused by name. */
static void unknown_names_are_refused(void **state)
{
  static const char *const changes[] = {"UPDATE runs SET verdict = 'BETTER'",
                                        "UPDATE runs SET verdict = NULL, state = 'finishing'"};
  static const char *const names[] = {"'BETTER'", "'finishing'"};
  struct hone_store *store = open_store(false);

  (void)state;
  finish(store, begin(store, "a"), HONE_RUN_FINISHED);
  for (size_t i = 0; i < 2; i++) {
    struct hone_run_list *runs;
    hone_status status;
    execute(file, changes[i]);
    status = hone_store_runs(store, &runs);
    assert_int_equal(hone_status_code(status), HONE_IO);
    assert_non_null(strstr(hone_status_message(status), names[i]));
    assert_null(runs);
    hone_status_free(status);
  }
  hone__store_close(store);
}

/* ---- What was best before ---- */

static void see_best(void *data, const struct hone__past_best *best)
{
  hone__text_addf(data, "%s;", best->config);
}

static void expect_best(struct hone_store *store, int64_t run, size_t most, const char *configs)
{
  struct hone__text seen = {0};

  assert_null(hone__store_best_of(store, run, most, see_best, &seen));
  assert_string_equal(seen.data ? seen.data : "", configs);
  hone__text_release(&seen);
}

static bool see_past(void *data, const struct hone__past_run *run)
{
  hone__text_addf(data, "%lld %s;", (long long)run->id, run->problem);
  return run->id > 1;
}

/* The winner, what was proven, then what looked good; failures are left out. */
static void what_was_best_before(void **state)
{
  static const struct {
    const char *config;
    double time_ns, speedup; /* proven */
  } rows[] = {{"A=1", 900, 0},   {"A=2", 500, 1.5}, {"A=3", 700, 1.9}, {"A=4", NAN, 0},
              {"A=5", 600, 0.9}, {"A=6", 400, 0},   {"A=7", 950, 1.7}};
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "best");
  struct hone__text past = {0};

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct hone__evaluation evaluation = some_evaluation(rows[i].config);
    const struct hone__confirmation proven = {.verdict = HONE_VERDICT_IMPROVED,
                                              .speedup = rows[i].speedup};
    evaluation.time_ns = rows[i].time_ns;
    evaluation.baseline_ns = 1000;
    if (isnan(rows[i].time_ns)) evaluation.outcome = HONE_OUTCOME_CRASH;
    assert_null(hone__store_evaluation_put(store, run, &evaluation));
    if (rows[i].speedup > 0) assert_null(hone__store_confirm(store, evaluation.id, &proven));
  }
  expect_best(store, run, 9, "A=3;A=7;A=2;A=6;A=1;A=5;");
  assert_null(hone__store_run_finish(
      store, run, &(struct hone__store_run_result){.state = HONE_RUN_FINISHED, .winner = "A=7"}));
  expect_best(store, run, 2, "A=7;A=3;");
  begin(store, "next");
  assert_null(hone__store_past_runs(store, "sgemm", see_past, &past));
  assert_string_equal(past.data, "2 M=256;1 M=256;");
  past.length = 0;
  assert_null(hone__store_past_runs(store, "other", see_past, &past));
  assert_int_equal(past.length, 0);
  hone__text_release(&past);
  hone__store_close(store);
}

/* ---- The path of a store ---- */

static void the_file_follows_the_environment(void **state)
{
  struct hone_store *store;
  char path[160];

  (void)state;
  setenv("HONE_STORE", "/a/b.db", 1);
  assert_string_equal(hone__store_path(NULL), "/a/b.db");
  assert_string_equal(hone__store_path("c.db"), "c.db");
  unsetenv("HONE_STORE");
  setenv("XDG_DATA_HOME", "/xdg", 1);
  assert_string_equal(hone__store_path(NULL), "/xdg/hone/hone.db");
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", folder, 1);
  snprintf(path, sizeof path, "%s/.local/share/hone/hone.db", folder);
  assert_string_equal(hone__store_path(NULL), path);
  expect(hone_store_open(NULL, &store), HONE_NOT_FOUND, path);
  assert_null(hone__store_open(NULL, false, &store));
  hone__store_close(store);
  assert_int_equal(access(path, R_OK), 0);
  unsetenv("HOME");
  assert_null(hone__store_path(NULL));
  expect_no_open(NULL, HONE_UNAVAILABLE, "HONE_STORE");
}

static void names_are_taken_as_they_are(void **state)
{
  static const char *const names[] = {":memory:", "file:a.db?mode=memory", "a b%20c?d#e.db",
                                      "ü.db"};
  struct hone_store *store;
  char here[4096];

  (void)state;
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(folder), 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    assert_null(hone__store_open(names[i], false, &store));
    begin(store, "k");
    hone__store_close(store);
    assert_int_equal(access(names[i], R_OK), 0);
  }
  assert_int_equal(chdir(here), 0);
}

/* ---- Speed ---- */

static double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void putting_is_quick(void **state)
{
  enum { ROWS = 2000 };
  const struct hone__samples samples = {.phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 3};
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  double begun = seconds(), each_us;

  (void)state;
  for (int i = 0; i < ROWS; i++) {
    char config[32];
    struct hone__evaluation evaluation = some_evaluation(config);
    evaluation.samples = &samples;
    evaluation.sample_count = 1;
    snprintf(config, sizeof config, "A=%d", i);
    assert_null(hone__store_evaluation_put(store, run, &evaluation));
  }
  each_us = 1e6 * (seconds() - begun) / ROWS;
  print_message("# an evaluation takes %.0f us\n", each_us);
  assert_true(each_us <
              5000); /* ten times and more what the slowest machine and a sanitizer take */
  hone__store_close(store);
}

/* ---- Jobs of workers ---- */

static void see_job(void *data, const struct hone__stored_job *job)
{
  hone__text_addf(data, "%d:%lld:%s:%g+%g:%s:%d:%lld ", (int)job->kind, (long long)job->worker,
                  hone__phase_name(job->phase), job->began_s, job->took_s,
                  hone_outcome_name(job->outcome), job->is_requeued, (long long)job->candidate);
}

static void see_worker(void *data, const struct hone__stored_worker *worker)
{
  hone__text_addf(data, "%lld %s %s %s;", (long long)worker->number, worker->role, worker->name,
                  worker->host ? worker->host : "-");
}

static void jobs_of_workers_come_back(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t other = begin(store, "k"), run = begin(store, "l"), next;
  struct hone__stored_totals totals;
  struct hone__text seen = {0}, workers = {0};

  (void)state;
  put_jobs(store, other, 1);
  next = put_jobs(store, run, 1);
  assert_null(hone__store_jobs(store, run, see_job, &seen));
  assert_string_equal(seen.data, "1:1::0.25+0:ok:0:0 0:1:screen:0.5+1.5:worker_lost:1:7 "
                                 "0:2:build:1+0.125:ok:0:0 ");
  put_jobs(store, run, next); /* the same workers again */
  assert_null(hone__store_workers(store, run, see_worker, &workers));
  assert_string_equal(workers.data, "1 run gpu1/sim:0 gpu1;2 build builder 1 -;");
  assert_null(hone__store_job_totals(store, run, &totals));
  assert_int_equal(totals.jobs, 6);
  assert_int_equal(totals.last, 6);
  assert_true(totals.until_s == 2);
  hone__store_close(store);
  execute(file, "PRAGMA foreign_keys = ON; DELETE FROM runs WHERE id = 2");
  expect_answer("SELECT count(*) || ' ' || (SELECT count(*) FROM workers) FROM jobs", "3 2");
  hone__text_release(&seen);
  hone__text_release(&workers);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_open_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(rows_come_back_after_reopening),
      TEST(a_configuration_is_once_in_a_run),
      TEST(a_sweep_has_a_row_for_each_place),
      TEST(older_files_are_brought_up_to_date),
      TEST(many_rows_come_in_order),
      TEST(only_telling_outcomes_are_found_by_key),
      TEST(visitors_may_use_the_store),
      TEST(what_is_not_there_is_said),
      TEST(an_unfinished_run_is_taken_up),
      TEST(the_newest_run_counts),
      TEST(a_lock_is_of_one_key_and_ends_with_its_process),
      TEST(a_run_has_one_process),
      TEST(a_process_number_alone_is_no_process),
      TEST(the_list_of_runs),
      TEST(unknown_names_are_refused),
      TEST(what_was_best_before),
      TEST(the_file_follows_the_environment),
      TEST(names_are_taken_as_they_are),
      TEST(putting_is_quick),
      TEST(jobs_of_workers_come_back),
  };

  return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
