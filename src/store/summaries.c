/* The list of runs. */
#include "store/store_internal.h"

#include <stdlib.h>

struct hone_run {
  int64_t run;
  enum hone_run_state state;
  enum hone_verdict verdict;
  const char *name, *problem, *spec, *winner, *started, *strategy; /* NULL where unknown */
  const char *part, *subject, *command;
  bool is_sweep;
  double speedup, wall_s;
  uint64_t evaluations, failures;
};

struct hone_run_list {
  struct hone__arena arena;
  struct hone_run *runs;
  size_t count, capacity;
};

static hone_status read_summary(struct hone_store *store, sqlite3_stmt *row,
                                struct hone__arena *arena, struct hone_run *out_summary)
{
  static const struct hone__driver_columns driver = {
      .state = 11, .pid = 12, .start = 13, .host = 14};
  hone_status status;

  *out_summary = (struct hone_run){
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
      .part = hone__column_text(row, 16, arena),
      .subject = hone__column_text(row, 17, arena),
      .command = hone__column_text(row, 18, arena),
  };
  out_summary->is_sweep = hone__is_sweep(out_summary->strategy);
  status = hone__column_state(store, row, &driver, &out_summary->state);
  return status ? status : hone__column_verdict(store, row, 4, &out_summary->verdict);
}

hone_status hone_store_runs(struct hone_store *store, struct hone_run_list **out_list)
{
  static const char text[] =
      "SELECT id, name, problem, spec, verdict, winner, started, speedup, wall_s, "
      /* each device has its own baseline, which is one configuration */
      "(SELECT count(*) - max(sum(is_baseline) - 1, 0) FROM evaluations WHERE run = runs.id), "
      "(SELECT count(*) FROM evaluations WHERE run = runs.id AND outcome NOT IN ('ok', 'slow')), "
      "state, driver_pid, driver_start, host, strategy, part, problem_key, command "
      "FROM runs ORDER BY id DESC";
  struct hone_run_list *list = hone__alloc(sizeof *list);
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_list = NULL;
  while (!status && hone__store_next(store, statement, &status)) {
    HONE__GROW(list->runs, list->count, list->capacity);
    status = read_summary(store, statement, &list->arena, &list->runs[list->count++]);
    if (status) hone__store_done(statement);
  }
  if (status)
    hone_run_list_free(list);
  else
    *out_list = list;
  return status;
}

size_t hone_run_list_count(const struct hone_run_list *list)
{
  return list->count;
}

const struct hone_run *hone_run_list_at(const struct hone_run_list *list, size_t i)
{
  return i < list->count ? &list->runs[i] : NULL;
}

void hone_run_list_free(struct hone_run_list *list)
{
  if (!list) return;
  free(list->runs);
  hone__arena_release(&list->arena);
  free(list);
}

/* ---- A run of the list ---- */

#define GETTER(type, name, field)                                                                  \
  type name(const struct hone_run *run)                                                            \
  {                                                                                                \
    return run->field;                                                                             \
  }

GETTER(int64_t, hone_run_number, run)
GETTER(enum hone_run_state, hone_run_state, state)
GETTER(enum hone_verdict, hone_run_verdict, verdict)
GETTER(const char *, hone_run_name, name)
GETTER(const char *, hone_run_problem, problem)
GETTER(const char *, hone_run_spec, spec)
GETTER(const char *, hone_run_winner, winner)
GETTER(const char *, hone_run_started, started)
GETTER(const char *, hone_run_strategy, strategy)
GETTER(const char *, hone_run_part, part)
GETTER(const char *, hone_run_subject, subject)
GETTER(const char *, hone_run_command, command)
GETTER(bool, hone_run_is_sweep, is_sweep)
GETTER(double, hone_run_speedup, speedup)
GETTER(uint64_t, hone_run_evaluations, evaluations)
GETTER(uint64_t, hone_run_failures, failures)
GETTER(double, hone_run_wall_s, wall_s)
