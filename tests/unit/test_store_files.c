/* Files of stores: used by several processes, killed writers, files that are not stores, and errors
 * of the operating system. */
#include "stores.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Several processes, and kill -9 ---- */

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

/* Writes rows, and the number of each row to `to` when it is acknowledged. */
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

/* ---- Files that are not stores ---- */

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

/* ---- Errors of the operating system ---- */

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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_open_folder, remove_folder)
  const struct CMUnitTest tests[] = {
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
  };

  return cmocka_run_group_tests_name("store_files", tests, NULL, NULL);
}
