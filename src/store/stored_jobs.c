/* What workers did, and when: a row a job. Rows are added many at once, since a job is short and a
 * transaction is not. */
#include "store/store_internal.h"

#include <math.h>
#include <string.h>

static const char *const event_names[] = {
    [HONE__STORED_JOINED] = "joined", [HONE__STORED_LEFT] = "left"};

hone_status hone__store_worker_put(struct hone_store *store, int64_t run,
                                   const struct hone__stored_worker *worker, int64_t *out_number)
{
  static const char text[] =
      "INSERT INTO workers (run, number, role, name, host) VALUES (?1,"
      "  (SELECT ifnull(max(number), 0) + 1 FROM workers WHERE run = ?1), ?2, ?3, ?4)"
      "  ON CONFLICT (run, role, name) DO UPDATE SET host = excluded.host RETURNING number";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_number = 0;
  if (status) return status;
  hone__store_bind(statement, "ittt", run, worker->role, worker->name, worker->host);
  return hone__store_execute(store, statement, out_number);
}

static int64_t microseconds(double seconds)
{
  return seconds > 0 ? llround(seconds * 1e6) : 0;
}

static hone_status add_job(struct hone_store *store, int64_t run, int64_t number,
                           const struct hone__stored_job *job)
{
  static const char text[] = "INSERT INTO jobs (run, number, worker, phase, began_us, took_us,"
                             "  requeued, candidate, outcome)"
                             "  VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?)";
  bool is_job = job->kind == HONE__STORED_JOB;
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "iiitiiiit", run, number, job->worker,
                   is_job ? hone__phase_name(job->phase) : event_names[job->kind],
                   microseconds(job->began_s), microseconds(job->took_s), (int64_t)job->is_requeued,
                   job->candidate, is_job ? hone_outcome_name(job->outcome) : NULL);
  return hone__store_execute(store, statement, NULL);
}

hone_status hone__store_jobs_add(struct hone_store *store, int64_t run, int64_t first,
                                 const struct hone__stored_job *jobs, size_t count)
{
  hone_status status = hone__store_begin(store);

  if (status) return status;
  for (size_t i = 0; i < count && !status; i++)
    status = add_job(store, run, first + (int64_t)i, &jobs[i]);
  return hone__store_end(store, status);
}

hone_status hone__store_job_totals(struct hone_store *store, int64_t run,
                                   struct hone__stored_totals *out_totals)
{
  static const char text[] =
      "SELECT count(*), ifnull(max(number), 0), ifnull(max(began_us + took_us), 0) FROM jobs"
      "  WHERE run = ?";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_totals = (struct hone__stored_totals){0};
  if (status) return status;
  hone__store_bind(statement, "i", run);
  while (hone__store_next(store, statement, &status))
    *out_totals = (struct hone__stored_totals){(uint64_t)sqlite3_column_int64(statement, 0),
                                               sqlite3_column_int64(statement, 1),
                                               1e-6 * sqlite3_column_double(statement, 2)};
  return status;
}

static struct hone__stored_job read_job(sqlite3_stmt *row)
{
  const char *what = hone__column_lent(row, 1), *outcome = hone__column_lent(row, 4);
  struct hone__stored_job job = {.worker = sqlite3_column_int64(row, 0),
                                 .phase = hone__phase_parse(what),
                                 .began_s = 1e-6 * sqlite3_column_double(row, 2),
                                 .took_s = 1e-6 * sqlite3_column_double(row, 3),
                                 .outcome = HONE_OUTCOME_OK,
                                 .is_requeued = sqlite3_column_int(row, 5) != 0,
                                 .candidate = sqlite3_column_int64(row, 6)};

  for (int kind = HONE__STORED_JOINED; what && kind <= HONE__STORED_LEFT; kind++)
    if (strcmp(what, event_names[kind]) == 0) job.kind = (enum hone__stored_job_kind)kind;
  if (outcome) hone__outcome_parse(outcome, &job.outcome);
  return job;
}

hone_status hone__store_jobs(struct hone_store *store, int64_t run, hone__stored_job_visit *visit,
                             void *data)
{
  static const char text[] = "SELECT worker, phase, began_us, took_us, outcome, requeued, candidate"
                             "  FROM jobs WHERE run = ? ORDER BY number";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "i", run);
  while (hone__store_next(store, statement, &status)) {
    struct hone__stored_job job = read_job(statement);
    visit(data, &job);
  }
  return status;
}

hone_status hone__store_workers(struct hone_store *store, int64_t run,
                                hone__stored_worker_visit *visit, void *data)
{
  static const char text[] =
      "SELECT number, role, name, host FROM workers WHERE run = ? ORDER BY number";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "i", run);
  while (hone__store_next(store, statement, &status)) {
    struct hone__stored_worker worker = {
        sqlite3_column_int64(statement, 0), hone__column_lent(statement, 1),
        hone__column_lent(statement, 2), hone__column_lent(statement, 3)};
    visit(data, &worker);
  }
  return status;
}
