/* What earlier runs found best: where the next search may begin. */
#include "store/store_internal.h"

static struct hone__past_run read_run(sqlite3_stmt *row, struct hone__arena *arena)
{
  return (struct hone__past_run){.id = sqlite3_column_int64(row, 0),
                                 .spec = hone__column_text(row, 1, arena),
                                 .problem = hone__column_text(row, 2, arena),
                                 .options = hone__column_text(row, 3, arena),
                                 .is_imported = sqlite3_column_type(row, 4) != SQLITE_NULL};
}

hone_status hone__store_past_runs(struct hone_store *store, const char *name,
                                  hone__past_run_visit *visit, void *data)
{
  static const char text[] =
      "SELECT id, spec, problem, options, imported FROM runs WHERE name = ? ORDER BY id DESC";
  struct hone__arena arena = {0};
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "t", name);
  while (hone__store_next(store, statement, &status)) {
    struct hone__past_run run = read_run(statement, &arena);
    bool goes_on = visit(data, &run);
    hone__arena_release(&arena);
    if (goes_on) continue;
    hone__store_done(statement);
    break;
  }
  return status;
}

/* What was proven comes before what only looked good. Where programs were run without a baseline,
 * their times are compared. */
hone_status hone__store_best_of(struct hone_store *store, int64_t run, size_t most,
                                hone__past_best_visit *visit, void *data)
{
  static const char text[] =
      "SELECT config, device FROM evaluations "
      "WHERE run = ?1 AND outcome IN ('ok', 'slow') AND time_ns > 0 "
      "ORDER BY config = (SELECT winner FROM runs WHERE id = ?1) DESC, "
      "CASE WHEN confirmed_speedup >= 1 THEN -confirmed_speedup ELSE 0 END, "
      "ifnull(1 / confirmed_speedup, time_ns / ifnull(baseline_ns, 1)), id LIMIT ?2";
  struct hone__arena arena = {0};
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "ii", run, (int64_t)most);
  while (hone__store_next(store, statement, &status)) {
    struct hone__past_best best = {.config = hone__column_text(statement, 0, &arena),
                                   .device = hone__column_text(statement, 1, &arena)};
    visit(data, &best);
    hone__arena_release(&arena);
  }
  return status;
}
