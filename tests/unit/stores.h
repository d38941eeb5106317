/* stores.h - a store in the folder of a test. */
#ifndef HONE_TESTS_STORES_H
#define HONE_TESTS_STORES_H

#include "base/text.h"
#include "folder.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>

#include <sqlite3.h>

static char file[96];
static const double times[] = {1.5, 2.5, 1e300};

/* The folder is open to other users. */
static inline int make_open_folder(void **state)
{
  if (make_folder(state) != 0 || chmod(folder, 0777) != 0) return -1;
  snprintf(file, sizeof file, "%s/hone.db", folder);
  return 0;
}

static inline struct hone_store *open_store(bool read_only)
{
  struct hone_store *store;
  hone_status status = hone__store_open(file, read_only, &store);

  if (status) print_message("# %s\n", hone_status_message(status));
  assert_null(status);
  return store;
}

static inline void expect(hone_status status, enum hone_code code, const char *part)
{
  if (hone_status_code(status) != code || !strstr(hone_status_message(status), part))
    print_message("# got: %s\n", hone_status_message(status));
  assert_int_equal(hone_status_code(status), code);
  assert_non_null(strstr(hone_status_message(status), part));
  hone_status_free(status);
}

static inline void expect_no_open(const char *path, enum hone_code code, const char *part)
{
  struct hone_store *store;

  for (int read_only = 0; read_only < 2; read_only++) {
    expect(hone__store_open(path, read_only, &store), code, part);
    assert_null(store);
  }
}

static inline struct hone__store_run_record some_run(const char *key)
{
  return (struct hone__store_run_record){
      .key = key, .name = "sgemm", .spec = "/a/sgemm.yaml", .problem = "M=256", .seed = 42};
}

static inline int64_t begin(struct hone_store *store, const char *key)
{
  struct hone__store_run_record run = some_run(key);
  bool resumed;

  assert_null(hone__store_run_begin(store, &run, &resumed));
  assert_true(run.id > 0);
  return run.id;
}

static inline struct hone__evaluation some_evaluation(const char *config)
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

static inline bool see(void *data, const struct hone__evaluation *evaluation)
{
  struct seen *seen = data;

  hone__text_addf(&seen->configs, "%s;", evaluation->config);
  seen->last = *evaluation;
  return ++seen->count != seen->limit;
}

static inline void expect_configs(struct hone_store *store, int64_t run, const char *configs)
{
  struct seen seen = {0};

  assert_null(hone__store_evaluations(store, run, see, &seen));
  assert_string_equal(seen.configs.data ? seen.configs.data : "", configs);
  hone__text_release(&seen.configs);
}

/* The answer of plain SQLite. */
static inline char *ask(const char *sql)
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

static inline void expect_answer(const char *sql, const char *expected)
{
  char *answer = ask(sql);

  assert_string_equal(answer, expected);
  free(answer);
}

static inline void execute(const char *path, const char *sql)
{
  sqlite3 *database;

  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(database);
}

/* Returns the number of the next job. */
static inline int64_t put_jobs(struct hone_store *store, int64_t run, int64_t first)
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

#endif
