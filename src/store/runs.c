/* Runs: begun or taken up again, finished, logged, read. One that failed is unfinished too: what
 * made it fail, a full disk or a lost worker, may be gone. Whether an unfinished run is free is
 * decided inside the transaction that takes it, so that of two processes one gets it. */
#include "store/store_internal.h"

#include "store/driver.h"

#include <stdio.h>
#include <unistd.h>

/* ---- Begin ---- */

struct maker { /* of a run: the process that asks, or the one that has it */
  int64_t pid;
  char start[HONE__DRIVER_TEXT], host[HONE__DRIVER_TEXT];
};

static struct maker maker_of(const struct hone__store_run_record *run)
{
  struct maker maker = {.pid = run->driver_pid ? run->driver_pid : getpid()};

  hone__driver_start(maker.pid, maker.start);
  hone__driver_host(maker.host);
  if (run->host) {
    strncpy(maker.host, run->host, sizeof maker.host - 1);
    maker.host[sizeof maker.host - 1] = '\0';
  }
  return maker;
}

static hone_status check_free(int64_t id, sqlite3_stmt *row, const struct maker *maker)
{
  int64_t pid = sqlite3_column_int64(row, 1);
  const char *start = hone__column_lent(row, 2);
  const char *host = hone__column_lent(row, 3);

  if (pid == maker->pid || !hone__driver_is_alive(pid, start, host)) return NULL;
  return hone__error(HONE_UNAVAILABLE,
                     "run %lld is being tuned by pid %lld on host %s; wait for it or use another "
                     "store",
                     (long long)id, (long long)pid, host);
}

static const char newest_sql[] = "SELECT id, driver_pid, driver_start, host, state, fresh, taken, "
                                 "(SELECT count(*) FROM evaluations WHERE run = runs.id) "
                                 "FROM runs WHERE key = ? ORDER BY id DESC LIMIT 1";

static bool is_of_state(sqlite3_stmt *row, enum hone_run_state state)
{
  return strcmp((const char *)sqlite3_column_text(row, 4), hone_run_state_name(state)) == 0;
}

/* 0: there is none to go on with. */
static hone_status find_unfinished(struct hone_store *store, struct hone__store_run_record *run,
                                   const struct maker *maker, int64_t *out_id)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, newest_sql, &statement);
  int64_t id;

  *out_id = 0;
  if (status) return status;
  hone__store_bind(statement, "t", run->key);
  if (!hone__store_next(store, statement, &status)) return status;
  id = sqlite3_column_int64(statement, 0);
  if (run->reopens || !is_of_state(statement, HONE_RUN_FINISHED)) {
    if (!run->is_locked) status = check_free(id, statement, maker);
    if (!run->is_fresh) {
      *out_id = id;
      run->is_fresh = sqlite3_column_int64(statement, 5) != 0;
    }
  }
  hone__store_done(statement);
  return status;
}

static hone_status reopen(struct hone_store *store, int64_t id,
                          const struct hone__store_run_record *run, const struct maker *maker)
{
  static const char text[] =
      "UPDATE runs SET state = 'running', driver_pid = ?2, driver_start = ?3, host = ?4, "
      "command = ifnull(?5, command), taken = datetime('now'), ended = NULL, verdict = NULL, "
      "why = NULL WHERE id = ?1";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "iittt", id, maker->pid, maker->start, maker->host, run->command);
  return hone__store_execute(store, statement, NULL);
}

static hone_status insert(struct hone_store *store, const struct hone__store_run_record *run,
                          const struct maker *maker, int64_t *out_id)
{
  static const char text[] =
      "INSERT INTO runs (key, name, spec, problem, command, options, environment, fingerprint, "
      "space, strategy, seed, checked, answers, fresh, problem_key, state, driver_pid, "
      "driver_start, host, imported, part, uid, started, taken) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, "
      "lower(hex(randomblob(16))), datetime('now'), datetime('now')) "
      "RETURNING id";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "ttttttttttiitititttt", run->key, run->name, run->spec, run->problem,
                   run->command, run->options, run->environment, run->fingerprint, run->space,
                   run->strategy, (int64_t)run->seed, (int64_t)run->checked, run->answers,
                   (int64_t)run->is_fresh, run->problem_key, maker->pid, maker->start, maker->host,
                   run->imported, run->part);
  return hone__store_execute(store, statement, out_id);
}

hone_status hone__store_run_begin(struct hone_store *store, struct hone__store_run_record *run,
                                  bool *out_resumed)
{
  struct maker maker = maker_of(run);
  int64_t id = 0;
  hone_status status = hone__store_begin(store);

  *out_resumed = false;
  if (status) return status;
  status = find_unfinished(store, run, &maker, &id);
  if (!status) {
    *out_resumed = id != 0;
    status = id ? reopen(store, id, run, &maker) : insert(store, run, &maker, &id);
  }
  status = hone__store_end(store, status);
  if (!status) run->id = store->run = id;
  return status;
}

hone_status hone__store_run_finished(struct hone_store *store, const char *key, int64_t *out_run)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, newest_sql, &statement);

  *out_run = 0;
  if (status) return status;
  hone__store_bind(statement, "t", key);
  if (hone__store_next(store, statement, &status)) {
    if (is_of_state(statement, HONE_RUN_FINISHED)) *out_run = sqlite3_column_int64(statement, 0);
    hone__store_done(statement);
  }
  return status;
}

hone_status hone__store_run_newest(struct hone_store *store, const char *key, int64_t *out_run)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, newest_sql, &statement);

  *out_run = 0;
  if (status) return status;
  hone__store_bind(statement, "t", key);
  if (!hone__store_next(store, statement, &status)) return status;
  *out_run = sqlite3_column_int64(statement, 0);
  hone__store_done(statement);
  return NULL;
}

hone_status hone__store_run_of_problem(struct hone_store *store, const char *problem_key,
                                       int64_t *out_run)
{
  static const char text[] = "SELECT id FROM runs WHERE problem_key = ? AND state = 'finished' AND "
                             "verdict IS NOT NULL AND part IS NULL ORDER BY id DESC LIMIT 1";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_run = 0;
  if (status) return status;
  hone__store_bind(statement, "t", problem_key);
  if (hone__store_next(store, statement, &status)) {
    *out_run = sqlite3_column_int64(statement, 0);
    hone__store_done(statement);
  }
  return status;
}

static void read_maker(sqlite3_stmt *row, struct hone__store_run_maker *maker)
{
  const char *start = hone__column_lent(row, 2), *host = hone__column_lent(row, 3),
             *since = hone__column_lent(row, 6);

  maker->run = sqlite3_column_int64(row, 0);
  maker->pid = sqlite3_column_int64(row, 1);
  maker->done = (uint64_t)sqlite3_column_int64(row, 7);
  maker->is_elsewhere = maker->pid != getpid() && hone__driver_is_alive(maker->pid, start, host);
  snprintf(maker->host, sizeof maker->host, "%s", host ? host : "");
  snprintf(maker->since, sizeof maker->since, "%s", since ? since : "");
}

hone_status hone__store_run_maker(struct hone_store *store, const char *key,
                                  struct hone__store_run_maker *out_maker)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, newest_sql, &statement);

  *out_maker = (struct hone__store_run_maker){0};
  if (status) return status;
  hone__store_bind(statement, "t", key);
  if (!hone__store_next(store, statement, &status)) return status;
  if (is_of_state(statement, HONE_RUN_RUNNING)) read_maker(statement, out_maker);
  hone__store_done(statement);
  return NULL;
}

/* ---- End, log ---- */

static hone_status no_run(struct hone_store *store, int64_t run)
{
  if (run == 0) return hone__error(HONE_NOT_FOUND, "the store '%s' has no runs", store->path);
  return hone__error(HONE_NOT_FOUND, "the store '%s' has no run %lld", store->path, (long long)run);
}

static const char *name_or_null(enum hone_verdict verdict)
{
  return verdict == HONE_VERDICT_NONE ? NULL : hone_verdict_name(verdict);
}

hone_status hone__store_run_finish(struct hone_store *store, int64_t run,
                                   const struct hone__store_run_result *result)
{
  static const char text[] =
      "UPDATE runs SET state = ?2, verdict = ?3, why = ?4, baseline = ?5, winner = ?6, "
      "speedup = ?7, low = ?8, high = ?9, confidence = ?10, pairs = ?11, restarts = ?12, "
      "drift = ?13, wall_s = wall_s + ifnull(?14, 0), notes = ?15, ended = datetime('now'), "
      "screening = ifnull(?16, screening), two_groups = ?17, devices = ifnull(?18, devices), "
      "driver_pid = NULL, "
      "driver_start = NULL WHERE id = ?1";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "itttttrrrriirrtttt", run, hone_run_state_name(result->state),
                   name_or_null(result->verdict), result->why, result->baseline, result->winner,
                   result->speedup, result->low, result->high, result->confidence, result->pairs,
                   result->restarts, result->drift, result->wall_s, result->notes,
                   result->screening, result->two_groups, result->devices);
  status = hone__store_execute(store, statement, NULL);
  if (!status && sqlite3_changes(store->database) == 0) status = no_run(store, run);
  return status;
}

hone_status hone__store_run_devices(struct hone_store *store, int64_t run, const char *devices)
{
  static const char text[] = "UPDATE runs SET devices = ?2 WHERE id = ?1";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "it", run, devices);
  return hone__store_execute(store, statement, NULL);
}

hone_status hone__store_log(struct hone_store *store, int64_t run, const char *line)
{
  static const char text[] = "INSERT INTO log (run, at, line) VALUES (?, datetime('now'), ?)";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "it", run, line);
  return hone__store_execute(store, statement, NULL);
}

hone_status hone__store_log_lines(struct hone_store *store, int64_t run, hone__log_visit *visit,
                                  void *data)
{
  static const char text[] = "SELECT at, line FROM log WHERE run = ? ORDER BY id";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "i", run);
  while (hone__store_next(store, statement, &status))
    visit(data, hone__column_lent(statement, 0), hone__column_lent(statement, 1));
  return status;
}

/* ---- Reading ---- */

static hone_status unknown_name(struct hone_store *store, const char *what, const char *name)
{
  return hone__error(
      HONE_IO,
      "cannot read the store '%s': it holds the %s '%s', which this version of hone does not know",
      store->path, what, name ? name : "");
}

hone_status hone__column_state(struct hone_store *store, sqlite3_stmt *row,
                               const struct hone__driver_columns *columns,
                               enum hone_run_state *out_state)
{
  const char *name = hone__column_lent(row, columns->state),
             *host = hone__column_lent(row, columns->host);

  if (!hone__state_parse(name, out_state)) return unknown_name(store, "state of a run", name);
  if (*out_state == HONE_RUN_RUNNING && host &&
      hone__driver_is_gone(sqlite3_column_int64(row, columns->pid),
                           hone__column_lent(row, columns->start), host))
    *out_state = HONE_RUN_INTERRUPTED;
  return NULL;
}

hone_status hone__column_verdict(struct hone_store *store, sqlite3_stmt *row, int column,
                                 enum hone_verdict *out_verdict)
{
  const char *name = hone__column_lent(row, column);

  return hone__verdict_parse(name, out_verdict) ? NULL : unknown_name(store, "verdict", name);
}

static void read_record(sqlite3_stmt *row, struct hone__arena *arena,
                        struct hone__store_run_record *out_record)
{
  int column = 0;

  out_record->id = sqlite3_column_int64(row, column++);
  out_record->key = hone__column_text(row, column++, arena);
  out_record->name = hone__column_text(row, column++, arena);
  out_record->spec = hone__column_text(row, column++, arena);
  out_record->problem = hone__column_text(row, column++, arena);
  out_record->command = hone__column_text(row, column++, arena);
  out_record->options = hone__column_text(row, column++, arena);
  out_record->environment = hone__column_text(row, column++, arena);
  out_record->fingerprint = hone__column_text(row, column++, arena);
  out_record->space = hone__column_text(row, column++, arena);
  out_record->strategy = hone__column_text(row, column++, arena);
  out_record->seed = (uint64_t)sqlite3_column_int64(row, column++);
  out_record->checked = sqlite3_column_int64(row, column++) != 0;
  out_record->driver_pid = sqlite3_column_int64(row, column++);
  out_record->host = hone__column_text(row, column, arena);
}

static void read_result(sqlite3_stmt *row, int column, struct hone__arena *arena,
                        struct hone__store_run_result *out_result)
{
  out_result->why = hone__column_text(row, column++, arena);
  out_result->baseline = hone__column_text(row, column++, arena);
  out_result->winner = hone__column_text(row, column++, arena);
  out_result->speedup = hone__column_real(row, column++);
  out_result->low = hone__column_real(row, column++);
  out_result->high = hone__column_real(row, column++);
  out_result->confidence = hone__column_real(row, column++);
  out_result->pairs = sqlite3_column_int64(row, column++);
  out_result->restarts = sqlite3_column_int64(row, column++);
  out_result->drift = hone__column_real(row, column++);
  out_result->wall_s = hone__column_real(row, column++);
  out_result->notes = hone__column_text(row, column++, arena);
  out_result->screening = hone__column_text(row, column, arena);
}

static hone_status read_run(struct hone_store *store, sqlite3_stmt *row, struct hone__arena *arena,
                            struct hone__store_run_stored *out_run)
{
  enum {
    STARTED_COLUMN = 17,
    ENDED_COLUMN,
    VERDICT_COLUMN,
    RESULT_COLUMN,
    ANSWERS_COLUMN = 33,
    GROUPS_COLUMN,
    DEVICES_COLUMN,
    IMPORTED_COLUMN,
    PART_COLUMN
  };
  static const struct hone__driver_columns driver = {
      .pid = 13, .host = 14, .state = 15, .start = 16};
  hone_status status = hone__column_state(store, row, &driver, &out_run->result.state);

  if (!status) status = hone__column_verdict(store, row, VERDICT_COLUMN, &out_run->result.verdict);
  read_record(row, arena, &out_run->record);
  out_run->started = hone__column_text(row, STARTED_COLUMN, arena);
  out_run->ended = hone__column_text(row, ENDED_COLUMN, arena);
  read_result(row, RESULT_COLUMN, arena, &out_run->result);
  out_run->record.answers = hone__column_text(row, ANSWERS_COLUMN, arena);
  out_run->result.two_groups = hone__column_text(row, GROUPS_COLUMN, arena);
  out_run->result.devices = hone__column_text(row, DEVICES_COLUMN, arena);
  out_run->record.imported = hone__column_text(row, IMPORTED_COLUMN, arena);
  out_run->record.part = hone__column_text(row, PART_COLUMN, arena);
  return status;
}

hone_status hone__store_run(struct hone_store *store, int64_t run, struct hone__arena *arena,
                            struct hone__store_run_stored *out_run)
{
  static const char text[] =
      "SELECT id, key, name, spec, problem, command, options, environment, fingerprint, space, "
      "strategy, seed, checked, driver_pid, host, state, driver_start, started, ended, "
      "verdict, why, baseline, winner, speedup, low, high, confidence, pairs, restarts, drift, "
      "wall_s, notes, screening, answers, two_groups, devices, imported, part FROM runs "
      "WHERE id = CASE ?1 WHEN 0 THEN (SELECT max(id) FROM runs) ELSE ?1 END";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_run = (struct hone__store_run_stored){.started = NULL};
  if (status) return status;
  hone__store_bind(statement, "i", run);
  if (hone__store_next(store, statement, &status)) {
    status = read_run(store, statement, arena, out_run);
    hone__store_done(statement);
    return status;
  }
  return status ? status : no_run(store, run);
}
