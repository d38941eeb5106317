/* The list of runs. The rows and their texts live in one piece, which the rows end. */
#include "store/store_internal.h"

#include <stddef.h>
#include <stdlib.h>

struct list {
  struct hone__arena arena;
  struct hone_run_summary runs[];
};

static hone_status read_summary(struct hone_store *store, sqlite3_stmt *row,
                                struct hone__arena *arena, struct hone_run_summary *out_summary)
{
  static const struct hone__driver_columns driver = {
      .state = 11, .pid = 12, .start = 13, .host = 14};
  hone_status status;

  *out_summary = (struct hone_run_summary){
      .run = sqlite3_column_int64(row, 0),
      .name = hone__column_text(row, 1, arena),
      .problem = hone__column_text(row, 2, arena),
      .spec = hone__column_text(row, 3, arena),
      .winner = hone__column_text(row, 5, arena),
      .started = hone__column_text(row, 6, arena),
      .speedup = hone__column_real(row, 7),
      .wall_s = hone__column_real(row, 8),
      .evaluations = (uint64_t)sqlite3_column_int64(row, 9),
      .failures = (uint64_t)sqlite3_column_int64(row, 10),
      .strategy = hone__column_text(row, 15, arena),
  };
  out_summary->is_sweep = hone__is_sweep(out_summary->strategy);
  status = hone__column_state(store, row, &driver, &out_summary->state);
  return status ? status : hone__column_verdict(store, row, 4, &out_summary->verdict);
}

hone_status hone_store_runs(struct hone_store *store, struct hone_run_summary **out_runs,
                            size_t *out_count)
{
  static const char text[] =
      "SELECT id, name, problem, spec, verdict, winner, started, speedup, wall_s, "
      "(SELECT count(*) FROM evaluations WHERE run = runs.id), "
      "(SELECT count(*) FROM evaluations WHERE run = runs.id AND outcome NOT IN ('ok', 'slow')), "
      "state, driver_pid, driver_start, host, strategy FROM runs ORDER BY id DESC";
  struct list *list = hone__alloc(sizeof *list);
  size_t count = 0, capacity = 0;
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_runs = NULL;
  *out_count = 0;
  while (!status && hone__store_next(store, statement, &status)) {
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 16;
      list = hone__realloc(list, sizeof *list + capacity * sizeof *list->runs);
    }
    status = read_summary(store, statement, &list->arena, &list->runs[count++]);
    if (status) hone__store_done(statement);
  }
  if (status) {
    hone_runs_free(list->runs, count);
    return status;
  }
  *out_runs = list->runs;
  *out_count = count;
  return NULL;
}

void hone_runs_free(struct hone_run_summary *runs, size_t count)
{
  struct list *list;

  (void)count;
  if (!runs) return;
  list = (struct list *)((char *)runs - offsetof(struct list, runs));
  hone__arena_release(&list->arena);
  free(list);
}
