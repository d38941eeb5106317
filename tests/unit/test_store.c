#include "base/text.h"
#include "folder.h"
#include "store/migrations.h"
#include "store/run_lock.h"
#include "store/store.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

static char file[96];

/* Others may come into it. */
static int make_open_folder(void **state)
{
  if (make_folder(state) != 0 || chmod(folder, 0777) != 0) return -1;
  snprintf(file, sizeof file, "%s/hone.db", folder);
  return 0;
}

/* ---- Helpers ---- */

static struct hone_store *open_store(bool read_only)
{
  struct hone_store *store;
  hone_status status = hone__store_open(file, read_only, &store);

  if (status) print_message("# %s\n", hone_status_message(status));
  assert_null(status);
  return store;
}

static void expect(hone_status status, enum hone_code code, const char *part)
{
  if (hone_status_code(status) != code || !strstr(hone_status_message(status), part))
    print_message("# got: %s\n", hone_status_message(status));
  assert_int_equal(hone_status_code(status), code);
  assert_non_null(strstr(hone_status_message(status), part));
  hone_status_free(status);
}

static void expect_no_open(const char *path, enum hone_code code, const char *part)
{
  struct hone_store *store;

  for (int read_only = 0; read_only < 2; read_only++) {
    expect(hone__store_open(path, read_only, &store), code, part);
    assert_null(store);
  }
}

static struct hone__store_run_record some_run(const char *key)
{
  return (struct hone__store_run_record){
      .key = key, .name = "sgemm", .spec = "/a/sgemm.yaml", .problem = "M=256", .seed = 42};
}

static int64_t begin(struct hone_store *store, const char *key)
{
  struct hone__store_run_record run = some_run(key);
  bool resumed;

  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_true(run.id > 0);
  return run.id;
}

static struct hone__evaluation some_evaluation(const char *config)
{
  return (struct hone__evaluation){.config = config,
                                   .outcome = HONE_OUTCOME_OK,
                                   .compile_s = NAN,
                                   .time_ns = 1000,
                                   .baseline_ns = 2000,
                                   .cold_ns = NAN,
                                   .cap_ns = NAN,
                                   .mesh_idx = -1};
}

struct seen {
  struct hone__text configs;
  struct hone__evaluation last; /* without its texts */
  size_t count, limit;
};

static bool see(void *data, const struct hone__evaluation *evaluation)
{
  struct seen *seen = data;

  hone__text_addf(&seen->configs, "%s;", evaluation->config);
  seen->last = *evaluation;
  return ++seen->count != seen->limit;
}

static void expect_configs(struct hone_store *store, int64_t run, const char *configs)
{
  struct seen seen = {0};

  assert_null(hone__store_evaluations(store, run, see, &seen));
  assert_string_equal(seen.configs.data ? seen.configs.data : "", configs);
  hone__text_release(&seen.configs);
}

/* What a second look with plain SQLite says. */
static char *ask(const char *sql)
{
  sqlite3 *database;
  sqlite3_stmt *statement;
  char *answer;

  assert_int_equal(sqlite3_open_v2(file, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  answer = hone__strdup((const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return answer;
}

static void expect_answer(const char *sql, const char *expected)
{
  char *answer = ask(sql);

  assert_string_equal(answer, expected);
  free(answer);
}

static void execute(const char *path, const char *sql)
{
  sqlite3 *database;

  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(database);
}

/* ---- Rows ---- */

static const double times[] = {1.5, 2.5, 1e300}, baselines[] = {3, 4, 5};

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

/* ---- Several at once, and kill -9 ---- */

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

/* The winner, what was proven, then what looked good; what failed is none. */
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

static void two_handles_share_a_file(void **state)
{
  struct hone_store *one = open_store(false), *two = open_store(false), *reader;
  int64_t run = begin(one, "k");

  (void)state;
  for (int i = 0; i < 20; i++) {
    char config[32];
    struct hone__evaluation evaluation = some_evaluation(config);
    snprintf(config, sizeof config, "A=%d", i / 2);
    assert_null(hone__store_evaluation_put(i % 2 ? one : two, run, &evaluation));
  }
  reader = open_store(true);
  expect_configs(reader, run, "A=0;A=1;A=2;A=3;A=4;A=5;A=6;A=7;A=8;A=9;");
  hone__store_close(one);
  hone__store_close(two);
  hone__store_close(reader);
}

/* Writes rows and says each number when it was acknowledged. */
static void write_rows(int to, bool second)
{
  struct hone_store *store;
  struct hone__store_run_record run = some_run(second ? "second" : "first");
  const struct hone__samples samples = {.phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 3};
  bool resumed;

  if (hone__store_open(file, false, &store)) _exit(4);
  if (hone__store_run_begin(store, &run, &resumed)) _exit(1);
  for (int i = 0;; i++) {
    char config[32];
    struct hone__evaluation evaluation = some_evaluation(config);
    evaluation.samples = &samples;
    evaluation.sample_count = 1;
    snprintf(config, sizeof config, "A=%d", i);
    if (hone__store_evaluation_put(store, run.id, &evaluation)) _exit(2);
    if (write(to, &i, sizeof i) != sizeof i) _exit(3);
  }
}

static void read_acknowledged(int from, int *out_last)
{
  int number;

  while (read(from, &number, sizeof number) == sizeof number)
    *out_last = number;
}

static void kill_writers_once(unsigned delay_us)
{
  int from[2][2], last[2] = {-1, -1}, result;
  pid_t writers[2];

  for (int i = 0; i < 2; i++) {
    assert_int_equal(pipe2(from[i], O_CLOEXEC), 0);
    fcntl(from[i][1], F_SETPIPE_SZ, 1 << 20);
    writers[i] = fork();
    if (writers[i] == 0) write_rows(from[i][1], i);
    close(from[i][1]);
  }
  usleep(delay_us);
  for (int i = 0; i < 2; i++)
    kill(writers[i], SIGKILL);
  for (int i = 0; i < 2; i++) {
    char sql[200], expected[32];
    read_acknowledged(from[i][0], &last[i]);
    close(from[i][0]);
    waitpid(writers[i], &result, 0);
    assert_true(WIFSIGNALED(result));
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM (SELECT DISTINCT config FROM evaluations JOIN runs ON "
             "run = runs.id WHERE key = '%s' AND CAST(substr(config, 3) AS INTEGER) <= %d)",
             i ? "second" : "first", last[i]);
    snprintf(expected, sizeof expected, "%d", last[i] + 1);
    if (last[i] >= 0) expect_answer(sql, expected);
  }
}

static int stored_rows(void)
{
  char *text = access(file, F_OK) == 0 ? ask("SELECT count(*) FROM evaluations") : NULL;
  int rows = text ? atoi(text) : 0;

  free(text);
  return rows;
}

/* A busy machine needs more rounds for as many rows. */
static void acknowledged_rows_survive_kill(void **state)
{
  enum { LEAST_ROUNDS = 25, MOST_ROUNDS = 500, LEAST_ROWS = 100 };

  (void)state;
  srand(1);
  for (int round = 0; round < LEAST_ROUNDS || stored_rows() <= LEAST_ROWS; round++) {
    assert_true(round < MOST_ROUNDS);
    kill_writers_once((unsigned)(rand() % 40000));
    if (access(file, F_OK) != 0) continue;
    hone__store_close(open_store(false));
    expect_answer("PRAGMA integrity_check", "ok");
    expect_answer("SELECT count(*) FROM (SELECT 1 FROM evaluations GROUP BY run, config "
                  "HAVING count(*) > 1)",
                  "0");
    expect_answer("SELECT count(*) FROM evaluations WHERE id NOT IN "
                  "(SELECT evaluation FROM samples)",
                  "0");
    expect_answer("SELECT count(*) <= 2 FROM runs", "1");
  }
}

/* ---- Files that are no stores ---- */

static char *slurp(const char *path, size_t *out_size)
{
  FILE *stream = fopen(path, "rb");
  char *bytes = hone__alloc(1 << 20);

  assert_non_null(stream);
  *out_size = fread(bytes, 1, 1 << 20, stream);
  fclose(stream);
  return bytes;
}

static void expect_refused_untouched(enum hone_code code, const char *part)
{
  size_t before_size, after_size;
  char *before = slurp(file, &before_size), *after;

  expect_no_open(file, code, part);
  after = slurp(file, &after_size);
  assert_int_equal(before_size, after_size);
  assert_memory_equal(before, after, before_size);
  free(before);
  free(after);
}

static void foreign_files_are_refused(void **state)
{
  (void)state;
  write_file("hone.db",
             "a: letter to somebody, longer than any header of one hundred bytes, "
             "which is in no way a data base, but that nobody wants to lose\n",
             130);
  expect_refused_untouched(HONE_INVALID_ARGUMENT, "not an SQLite file");
  write_file("hone.db", "x", 1);
  expect_refused_untouched(HONE_INVALID_ARGUMENT, "not an SQLite file");
  unlink(file);
  execute(file, "CREATE TABLE runs (a); INSERT INTO runs VALUES (1)");
  expect_refused_untouched(HONE_INVALID_ARGUMENT, "of another program");
  execute(file, "PRAGMA journal_mode = WAL; INSERT INTO runs VALUES (2)");
  expect_refused_untouched(HONE_INVALID_ARGUMENT, file);
}

static void newer_files_are_refused(void **state)
{
  (void)state;
  hone__store_close(open_store(false));
  execute(file, "PRAGMA user_version = 99");
  expect_refused_untouched(HONE_UNAVAILABLE, "version 99");
  expect_refused_untouched(HONE_UNAVAILABLE, "update hone");
}

/* The new version stands in the "-wal" file alone: what a crash leaves. */
static void newer_files_are_refused_after_a_crash(void **state)
{
  int done;
  pid_t child;

  (void)state;
  hone__store_close(open_store(false));
  child = fork();
  if (child == 0) {
    sqlite3 *database;
    sqlite3_open(file, &database);
    sqlite3_exec(database, "PRAGMA user_version = 99", NULL, NULL, NULL);
    _exit(0);
  }
  waitpid(child, &done, 0);
  expect_refused_untouched(HONE_UNAVAILABLE, "version 99");
}

static void other_things_are_refused(void **state)
{
  char path[128];

  (void)state;
  expect_no_open(folder, HONE_INVALID_ARGUMENT, "it is a folder");
  snprintf(path, sizeof path, "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  expect_no_open(path, HONE_INVALID_ARGUMENT, "not a regular file");
  expect_no_open("", HONE_INVALID_ARGUMENT, "empty");
  expect_no_open("/dev/null/x", HONE_IO, "/dev/null");
}

static void fill_store(int rows)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");

  for (int i = 0; i < rows; i++) {
    char config[32];
    struct hone__evaluation evaluation = some_evaluation(config);
    snprintf(config, sizeof config, "A=%d", i);
    assert_null(hone__store_evaluation_put(store, run, &evaluation));
  }
  hone__store_close(store);
}

static void truncated_files_are_refused(void **state)
{
  size_t size;
  char *bytes;

  (void)state;
  fill_store(200);
  bytes = slurp(file, &size);
  assert_true(size > 20000);
  for (size_t cut = 1; cut < size; cut = cut < 100 ? cut + 7 : cut * 2) {
    write_file("hone.db", bytes, cut);
    expect_refused_untouched(cut < 15 ? HONE_INVALID_ARGUMENT : HONE_IO,
                             cut < 15 ? "not an SQLite" : "truncated");
  }
  free(bytes);
}

/* Wherever the damage is: a status, or an answer, and no crash. */
static void expect_bytes(const char *expected, size_t expected_size)
{
  size_t size;
  char *bytes = slurp(file, &size);

  assert_int_equal(size, expected_size);
  assert_memory_equal(bytes, expected, size);
  free(bytes);
}

static void corrupt_files_do_no_harm(void **state)
{
  size_t size;
  char *bytes, *bad;

  (void)state;
  fill_store(200);
  bytes = slurp(file, &size);
  bad = hone__alloc(size);
  srand(2);
  for (int round = 0; round < 150; round++) {
    struct hone_store *store = NULL;
    struct hone__evaluation evaluation = some_evaluation("B=1");
    struct hone_run_list *runs = NULL;
    struct seen seen = {0};

    memcpy(bad, bytes, size);
    for (int i = 0; i < 40; i++)
      bad[(size_t)rand() % (i % 2 ? size : 4096)] = (char)rand();
    memcpy(bad, bytes, 100);
    write_file("hone.db", bad, size);
    hone_status_free(hone__store_open(file, round % 2, &store));
    if (!store) {
      expect_bytes(bad, size);
      continue;
    }
    hone_status_free(hone_store_runs(store, &runs));
    hone_status_free(hone__store_evaluations(store, 1, see, &seen));
    hone_status_free(hone__store_evaluation_put(store, 1, &evaluation));
    hone__text_release(&seen.configs);
    hone_run_list_free(runs);
    hone__store_close(store);
  }
  free(bytes);
  free(bad);
}

static void put_rows(struct hone_store *store, int64_t run, int from, int to)
{
  for (int i = from; i < to; i++) {
    char config[32];
    struct hone__evaluation evaluation = some_evaluation(config);
    snprintf(config, sizeof config, "A=%d", i);
    assert_null(hone__store_evaluation_put(store, run, &evaluation));
  }
}

static void expect_rescued(const char *name, int64_t run, size_t count)
{
  struct hone_store *store;
  struct seen seen = {0};

  assert_null(hone__store_open(path_of(name), true, &store));
  assert_null(hone__store_evaluations(store, run, see, &seen));
  assert_int_equal(seen.count, count);
  hone__text_release(&seen.configs);
  hone__store_close(store);
}

/* After the first failure nothing is rescued once more, and every write says the same. */
static void a_store_that_goes_away_is_rescued(void **state)
{
  static const char *const words[] = {"was deleted or moved", "was replaced by another file",
                                      "was truncated"};
  struct hone__evaluation last = some_evaluation("A=100");
  struct stat rescued;

  (void)state;
  for (int way = 0; way < 3; way++) {
    struct hone_store *store = open_store(false);
    int64_t run = begin(store, "k");
    put_rows(store, run, 0, 100);
    assert_int_equal(chmod(file, 0600), 0);
    if (way < 2) { /* it is all in the file, and nothing in memory */
      hone__store_close(store);
      store = open_store(false);
      assert_int_equal(begin(store, "k"), run);
    }
    if (way < 2) assert_int_equal(unlink(file), 0);
    if (way == 1) write_text("hone.db", "another");
    if (way == 2) assert_int_equal(truncate(file, 4096), 0);
    expect(hone__store_evaluation_put(store, run, &last), HONE_IO, words[way]);
    assert_true(hone__store_is_lost(store));
    expect(hone__store_log(store, run, "line"), HONE_IO, words[way]);
    expect(hone__store_evaluation_put(store, run, &last), HONE_IO, "hone.db.rescued-1.db'");
    hone__store_close(store);
    expect_rescued("hone.db.rescued-1.db", run, 101);
    assert_int_equal(stat(path_of("hone.db.rescued-1.db"), &rescued), 0);
    if (way < 2) assert_int_equal(rescued.st_mode & 0777, 0600);
    assert_int_not_equal(access(path_of("hone.db.rescued-1-2.db"), F_OK), 0);
    unlink(path_of("hone.db.rescued-1.db"));
    unlink(file);
    unlink(path_of("hone.db-wal"));
    unlink(path_of("hone.db-shm"));
  }
}

static bool is_last(void *data, const struct hone__evaluation *evaluation)
{
  *(bool *)data = *(bool *)data || strcmp(evaluation->config, "A=3001") == 0;
  return true;
}

/* What was in the file is gone; what was measured since it was opened is not. */
static void of_a_truncated_store_the_newest_is_rescued(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone__evaluation last = some_evaluation("A=3001");
  int64_t run = begin(store, "k");
  bool found = false;

  (void)state;
  put_rows(store, run, 0, 3000);
  hone__store_close(store);
  store = open_store(false);
  assert_int_equal(begin(store, "k"), run);
  put_rows(store, run, 3000, 3001);
  assert_int_equal(truncate(file, 0), 0);
  expect(hone__store_evaluation_put(store, run, &last), HONE_IO, "hone.db.rescued-1.db'");
  hone__store_close(store);
  assert_null(hone__store_open(path_of("hone.db.rescued-1.db"), true, &store));
  assert_null(hone__store_evaluations(store, run, is_last, &found));
  assert_true(found);
  hone__store_close(store);
}

static void a_store_may_be_vacuumed_by_others(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");

  (void)state;
  put_rows(store, run, 0, 300);
  assert_null(hone__store_sync(store));
  execute(file, "DELETE FROM evaluations WHERE config <> 'A=1'; VACUUM; "
                "PRAGMA wal_checkpoint(TRUNCATE)");
  put_rows(store, run, 300, 310);
  hone__store_close(store);
  expect_answer("SELECT count(*) FROM evaluations", "11");
}

/* ---- A machine that says no ---- */

/* Runs `check` in a child without root's rights; true if it could. */
static void as_nobody(void (*check)(void))
{
  int result;
  pid_t child = fork();

  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(77);
    check();
    _exit(0);
  }
  assert_int_equal(waitpid(child, &result, 0), child);
  if (WIFEXITED(result) && WEXITSTATUS(result) == 77) skip();
  assert_int_equal(result, 0);
}

static bool says(hone_status status, enum hone_code code, const char *part)
{
  bool right = hone_status_code(status) == code && strstr(hone_status_message(status), part);

  if (!right) fprintf(stderr, "# got: %s\n", hone_status_message(status));
  hone_status_free(status);
  return right;
}

static void try_read_only_file(void)
{
  struct hone_store *store;
  struct hone__store_run_record run = some_run("another");
  struct hone_run_list *runs;
  bool resumed;

  if (!says(hone__store_open(file, false, &store), HONE_IO, "permission denied")) _exit(1);
  if (hone__store_open(file, true, &store)) _exit(2);
  if (hone_store_runs(store, &runs) || hone_run_list_count(runs) != 1) _exit(3);
  hone_run_list_free(runs);
  if (!says(hone__store_run_begin(store, &run, &resumed), HONE_IO, "read-only")) _exit(4);
  hone__store_close(store);
}

static void try_new_file(void)
{
  struct hone_store *store;

  if (!says(hone__store_open(file, false, &store), HONE_IO, file)) _exit(1);
  if (!says(hone__store_open(file, true, &store), HONE_NOT_FOUND, file)) _exit(2);
}

static void read_only_folders_can_be_read(void **state)
{
  struct stat root;

  (void)state;
  if (stat("/", &root) != 0 || !(root.st_mode & S_IXOTH)) {
    print_message("# skipped: nobody may not enter / here\n");
    skip();
  }
  fill_store(3);
  assert_int_equal(chmod(file, 0444) | chmod(folder, 0555), 0);
  as_nobody(try_read_only_file);
  assert_int_equal(chmod(folder, 0755) | unlink(file) | chmod(folder, 0555), 0);
  as_nobody(try_new_file);
}

/* Writes until the disk is full; then what was acknowledged is there. */
static int write_until_full(int64_t run, struct hone_store *store)
{
  static double many[2000];
  const struct hone__samples samples = {
      .phase = HONE_PHASE_SCREEN, .times_ns = many, .count = 2000};

  for (int i = 0; i < 4000; i++) {
    char config[32];
    struct hone__evaluation evaluation = some_evaluation(config);
    evaluation.samples = &samples;
    evaluation.sample_count = 1;
    snprintf(config, sizeof config, "A=%d", i);
    hone_status status = hone__store_evaluation_put(store, run, &evaluation);
    if (!status) continue;
    if (!says(status, HONE_IO, "committed data is not lost")) return -1;
    return i;
  }
  return -2;
}

static void expect_rows(int64_t run, int written)
{
  struct hone_store *store = open_store(true);
  struct seen seen = {0};

  assert_null(hone__store_evaluations(store, run, see, &seen));
  assert_int_equal(seen.count, written);
  hone__text_release(&seen.configs);
  hone__store_close(store);
  expect_answer("PRAGMA integrity_check", "ok");
}

static void a_file_size_limit_loses_nothing(void **state)
{
  struct rlimit old, small;
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  int written;

  (void)state;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &old);
  small = (struct rlimit){.rlim_cur = 3 << 20, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  written = write_until_full(run, store);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_true(written > 10);
  hone__store_close(store);
  expect_rows(run, written);
}

static void a_full_disk_loses_nothing(void **state)
{
  struct hone_store *store;
  int64_t run;
  int written;

  (void)state;
  if (mount("none", folder, "tmpfs", 0, "size=4m") != 0) {
    print_message("# no file system can be mounted here: not tried\n");
    skip();
  }
  store = open_store(false);
  run = begin(store, "k");
  written = write_until_full(run, store);
  hone__store_close(store);
  if (written > 0) expect_rows(run, written);
  assert_int_equal(umount(folder), 0);
  assert_true(written > 10);
}

/* ---- Where it lies ---- */

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

/* ---- Saved baselines ---- */

static int64_t begin_problem(struct hone_store *store, const char *key, const char *name,
                             const char *problem)
{
  struct hone__store_run_record run = some_run(key);
  bool resumed;

  run.name = name;
  run.problem = problem;
  assert_null(hone__store_run_begin(store, &run, &resumed));
  return run.id;
}

static void expect_saved(const char *expected)
{
  struct hone_store *store = open_store(true);
  struct hone_baseline_list *list;
  struct hone__text text = {0};

  assert_null(hone_store_baselines(store, &list));
  for (size_t i = 0; i < hone_baseline_list_count(list); i++)
    hone__text_addf(&text, "%s=%d ", hone_baseline_list_name(list, i),
                    (int)hone_baseline_list_run(list, i));
  assert_string_equal(text.data ? text.data : "", expected);
  assert_null(hone_baseline_list_name(list, hone_baseline_list_count(list)));
  hone__text_release(&text);
  hone_baseline_list_free(list);
  hone__store_close(store);
}

static void a_name_stands_for_a_run_of_each_problem(void **state)
{
  struct hone_store *store = open_store(false);
  size_t replaced = 9;

  (void)state;
  begin_problem(store, "1", "k", "n=1");
  begin_problem(store, "2", "k", "n=2");
  begin_problem(store, "3", "k", "n=1");
  begin_problem(store, "4", "other", NULL);
  begin_problem(store, "5", "other", NULL);
  hone__store_close(store);
  expect_saved("");
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){1, 2}, 2, &replaced));
  assert_int_equal(replaced, 0);
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){4, 5}, 2, NULL));
  assert_null(hone_store_save_baseline(file, "branch", (int64_t[]){1}, 1, NULL));
  expect_saved("branch=1 main=1 main=2 main=4 main=5 ");
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){3}, 1, &replaced));
  assert_int_equal(replaced, 1);
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){4}, 1, &replaced));
  assert_int_equal(replaced, 2);
  expect_saved("branch=1 main=2 main=3 main=4 ");
}

static void what_has_a_name_is_not_deleted(void **state)
{
  struct hone_store *store = open_store(false);

  (void)state;
  begin(store, "1");
  begin(store, "2");
  hone__store_close(store);
  assert_null(hone_store_save_baseline(file, "main", (int64_t[]){2}, 1, NULL));
  expect(hone_store_delete_runs(file, (int64_t[]){1, 2}, 2), HONE_INVALID_ARGUMENT,
         "run 2 is saved as the baseline 'main'");
  expect_answer("SELECT count(*) FROM runs", "2");
  expect(hone_store_forget_baseline(file, "nobody"), HONE_NOT_FOUND, "'nobody'");
  assert_null(hone_store_forget_baseline(file, "main"));
  expect_saved("");
  assert_null(hone_store_delete_runs(file, (int64_t[]){1, 2}, 2));
  expect_answer("SELECT count(*) FROM runs", "0");
}

static void names_of_runs_and_files_are_refused(void **state)
{
  static const char *const names[] = {"", "12", "last", "a.csv", "../x", "-v", "a b", "\033"};
  struct hone_store *store = open_store(false);

  (void)state;
  begin(store, "1");
  hone__store_close(store);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    expect(hone_store_save_baseline(file, names[i], (int64_t[]){1}, 1, NULL), HONE_INVALID_ARGUMENT,
           "cannot be the name of a baseline");
  assert_null(hone_store_save_baseline(file, "v1-2_a:b@c+d", (int64_t[]){1}, 1, NULL));
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

/* Returns the number of the next. */
static int64_t put_jobs(struct hone_store *store, int64_t run, int64_t first)
{
  struct hone__stored_worker runner = {.role = "run", .name = "gpu1/sim:0", .host = "gpu1"};
  struct hone__stored_worker builder = {.role = "build", .name = "builder 1"};
  struct hone__stored_job jobs[] = {
      {.kind = HONE__STORED_JOINED, .began_s = 0.25},
      {.phase = HONE_PHASE_SCREEN,
       .began_s = 0.5,
       .took_s = 1.5,
       .outcome = HONE_OUTCOME_WORKER_LOST,
       .is_requeued = true,
       .candidate = 7},
      {.phase = HONE_PHASE_BUILD, .began_s = 1, .took_s = 0.125, .outcome = HONE_OUTCOME_OK}};

  assert_null(hone__store_worker_put(store, run, &runner, &jobs[0].worker));
  assert_null(hone__store_worker_put(store, run, &builder, &jobs[2].worker));
  jobs[1].worker = jobs[0].worker;
  assert_null(hone__store_jobs_add(store, run, first, jobs, 3));
  return first + 3;
}

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

/* ---- Several stores as one ---- */

static void put(struct hone_store *store, int64_t run, const char *config, int64_t same_as,
                int64_t reused_from, int64_t *out_id)
{
  const struct hone__samples samples = {.phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 2};
  struct hone__evaluation evaluation = some_evaluation(config);

  evaluation.same_as = same_as;
  evaluation.reused_from = reused_from;
  evaluation.samples = &samples;
  evaluation.sample_count = 1;
  assert_null(hone__store_evaluation_put(store, run, &evaluation));
  if (out_id) *out_id = evaluation.id;
}

static void expect_merged(const char *from, uint64_t added, uint64_t grown, uint64_t known)
{
  struct hone_store *store = open_store(false);
  struct hone__store_merged merged;

  assert_null(hone__store_merge(store, from, &merged));
  assert_int_equal(merged.added, added);
  assert_int_equal(merged.grown, grown);
  assert_int_equal(merged.known, known);
  hone__store_close(store);
}

/* References point to the same configurations as before; nothing is there twice. */
static const char references[] = "SELECT group_concat(a.config || '<' || b.config, ' ') FROM "
                                 "evaluations AS a JOIN evaluations "
                                 "AS b ON b.id = a.same_as OR b.id = a.reused_from";

static void stores_are_merged(void **state)
{
  struct hone__store_run_result finish = {.state = HONE_RUN_FINISHED,
                                          .speedup = NAN,
                                          .low = NAN,
                                          .high = NAN,
                                          .confidence = NAN,
                                          .drift = NAN,
                                          .wall_s = 1};
  struct hone_store *store = open_store(false), *other;
  int64_t run = begin(store, "k"), old, first, second;
  char from[120];

  (void)state;
  put(store, run, "A=9", 0, 0, NULL);
  assert_null(hone__store_run_finish(store, run, &finish));
  hone__store_close(store);
  snprintf(from, sizeof from, "%s/other.db", folder);
  assert_null(hone__store_open(from, false, &other));
  first = begin(other, "k");
  put(other, first, "A=1", 0, 0, &old);
  assert_null(hone__store_log(other, first, "a line"));
  put_jobs(other, first, 1);
  finish.devices = "{\"elsewhere\": [{\"run\": 1, \"config\": \"A=1\"}]}";
  assert_null(hone__store_run_finish(other, first, &finish));
  second = begin(other, "l");
  put(other, second, "A=2", 0, old, &old);
  put(other, second, "A=3", old, 0, NULL);

  expect_merged(from, 2, 0, 0);
  expect_merged(from, 0, 0, 2);
  expect_merged(file, 0, 0, 0);
  expect_answer("SELECT group_concat(run || config, ' ') FROM evaluations", "1A=9 2A=1 3A=2 3A=3");
  expect_answer("SELECT count(*) FROM samples", "4");
  expect_answer("SELECT group_concat(run || line) FROM log", "2a line");
  expect_answer("SELECT group_concat(jobs.run || name || phase, ' ') FROM jobs JOIN workers"
                " ON workers.run = jobs.run AND workers.number = jobs.worker",
                "2gpu1/sim:0joined 2gpu1/sim:0screen 2builder 1build");
  expect_answer(references, "A=2<A=1 A=3<A=2");
  expect_answer("SELECT json_extract(devices, '$.elsewhere[0].run') FROM runs WHERE id = 2", "2");

  put(other, second, "A=4", 0, 0, NULL); /* it goes on */
  hone__store_close(other);
  expect_merged(from, 0, 1, 1);
  expect_answer("SELECT group_concat(run || config, ' ') FROM evaluations",
                "1A=9 2A=1 3A=2 3A=3 3A=4");
  expect_answer(references, "A=2<A=1 A=3<A=2");
  expect_answer("SELECT count(*) FROM samples", "5");
  expect_answer("SELECT count(*) FROM pragma_foreign_key_check", "0");
}

static const char names[] =
    "SELECT group_concat(name || run, ' ') FROM (SELECT * FROM saved_baselines ORDER BY run, name)";

/* Those of a run that is copied anew are kept; a name that both have stays with the run that it has
 * here. */
static void names_of_baselines_are_merged(void **state)
{
  struct hone_store *store = open_store(false), *other;
  int64_t run = begin(store, "k"), first;
  char from[120];

  (void)state;
  put(store, run, "A=9", 0, 0, NULL);
  hone__store_close(store);
  snprintf(from, sizeof from, "%s/other.db", folder);
  assert_null(hone__store_open(from, false, &other));
  first = begin(other, "k");
  put(other, first, "A=1", 0, 0, NULL);
  assert_null(hone_store_save_baseline(file, "both", &run, 1, NULL));
  assert_null(hone_store_save_baseline(from, "both", &first, 1, NULL));
  assert_null(hone_store_save_baseline(from, "theirs", &first, 1, NULL));

  expect_merged(from, 1, 0, 0);
  expect_answer(names, "both1 theirs2");
  assert_null(hone_store_save_baseline(file, "ours", (int64_t[]){2}, 1, NULL));
  put(other, first, "A=2", 0, 0, NULL);
  hone__store_close(other);
  expect_merged(from, 0, 1, 0);
  expect_answer(names, "both1 ours2 theirs2");
}

static void what_is_no_store_is_not_merged(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone__store_merged merged;
  char from[120];
  FILE *foreign;

  (void)state;
  snprintf(from, sizeof from, "%s/foreign", folder);
  foreign = fopen(from, "w");
  fputs("not a store, but a text that is long enough to be read as the header of a file\n",
        foreign);
  fclose(foreign);
  expect(hone__store_merge(store, from, &merged), HONE_INVALID_ARGUMENT, from);
  snprintf(from, sizeof from, "%s/missing", folder);
  expect(hone__store_merge(store, from, &merged), HONE_NOT_FOUND, from);
  hone__store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_open_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(rows_come_back_after_reopening),
      TEST(a_configuration_is_once_in_a_run),
      TEST(a_sweep_has_a_row_for_each_place),
      TEST(older_files_are_brought_up_to_date),
      TEST(jobs_of_workers_come_back),
      TEST(stores_are_merged),
      TEST(names_of_baselines_are_merged),
      TEST(what_is_no_store_is_not_merged),
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
      TEST(two_handles_share_a_file),
      TEST(acknowledged_rows_survive_kill),
      TEST(foreign_files_are_refused),
      TEST(newer_files_are_refused),
      TEST(newer_files_are_refused_after_a_crash),
      TEST(other_things_are_refused),
      TEST(truncated_files_are_refused),
      TEST(corrupt_files_do_no_harm),
      TEST(a_store_that_goes_away_is_rescued),
      TEST(of_a_truncated_store_the_newest_is_rescued),
      TEST(a_store_may_be_vacuumed_by_others),
      TEST(read_only_folders_can_be_read),
      TEST(a_file_size_limit_loses_nothing),
      TEST(a_full_disk_loses_nothing),
      TEST(the_file_follows_the_environment),
      TEST(names_are_taken_as_they_are),
      TEST(a_name_stands_for_a_run_of_each_problem),
      TEST(what_has_a_name_is_not_deleted),
      TEST(names_of_runs_and_files_are_refused),
      TEST(putting_is_quick),
  };

  return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
