/* The newest run of a kernel that proves which configuration is best. */
#include "store/store_internal.h"

#include <math.h>

static hone_status read_proved(struct hone_store *store, sqlite3_stmt *row,
                               struct hone__arena *arena, struct hone__proved *out_proved)
{
  hone_status status = hone__column_verdict(store, row, 2, &out_proved->verdict);
  bool is_improved = out_proved->verdict == HONE_VERDICT_IMPROVED;

  out_proved->run = sqlite3_column_int64(row, 0);
  out_proved->config = hone__column_text(row, is_improved ? 4 : 3, arena);
  out_proved->speedup = is_improved ? hone__column_real(row, 5) : 1;
  out_proved->low = is_improved ? hone__column_real(row, 6) : NAN;
  out_proved->high = is_improved ? hone__column_real(row, 7) : NAN;
  out_proved->device = hone__column_text(row, 8, arena);
  return status;
}

/* ---- Problems ---- */

static const char between_sizes[] = " ,";

static bool has_size(const char *problem, const char *size, size_t length)
{
  while (*(problem += strspn(problem, between_sizes))) {
    size_t own = strcspn(problem, between_sizes);
    if (own == length && memcmp(problem, size, length) == 0) return true;
    problem += own;
  }
  return false;
}

static bool has_all_sizes(const char *problem, const char *sizes)
{
  while (*(sizes += strspn(sizes, between_sizes))) {
    size_t length = strcspn(sizes, between_sizes);
    if (!has_size(problem, sizes, length)) return false;
    sizes += length;
  }
  return true;
}

/* The same sizes, in any order. */
static bool is_same_problem(const char *a, const char *b)
{
  return has_all_sizes(a, b) && has_all_sizes(b, a);
}

/* ---- Runs ---- */

static bool is_asked_for(sqlite3_stmt *row, const char *problem, bool has_device,
                         struct hone__proved_seen *seen)
{
  const char *own = hone__column_lent(row, 1);

  seen->runs++;
  if (!is_same_problem(own ? own : "", problem)) return false;
  seen->of_problem++;
  if (has_device && !hone__column_lent(row, 8)) return false;
  seen->of_device++;
  return true;
}

/* A winner whose time is implausible is not proved. */
static bool proves_something(sqlite3_stmt *row, const struct hone__proved *proved,
                             struct hone__proved_seen *seen)
{
  bool is_suspicious = proved->verdict == HONE_VERDICT_IMPROVED && sqlite3_column_int(row, 9) != 0;

  seen->suspicious += is_suspicious;
  if (is_suspicious) return false;
  seen->inconclusive += proved->verdict == HONE_VERDICT_INCONCLUSIVE;
  return proved->config && (proved->verdict == HONE_VERDICT_IMPROVED ||
                            proved->verdict == HONE_VERDICT_NO_IMPROVEMENT);
}

hone_status hone__store_proved(struct hone_store *store, const char *kernel, const char *problem,
                               const char *device, struct hone__arena *arena,
                               struct hone__proved *out_proved, struct hone__proved_seen *out_seen)
{
  static const char text[] =
      "SELECT id, problem, verdict, baseline, winner, speedup, low, high, "
      "(SELECT device FROM evaluations WHERE run = runs.id AND device = ifnull(?2, device) "
      " ORDER BY is_baseline DESC, id LIMIT 1), "
      "EXISTS (SELECT 1 FROM evaluations WHERE run = runs.id AND config = runs.winner "
      " AND suspicious IS NOT NULL) "
      "FROM runs WHERE name = ?1 AND state = 'finished' ORDER BY id DESC";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_seen = (struct hone__proved_seen){0};
  if (status) return status;
  hone__store_bind(statement, "tt", kernel, device);
  while (hone__store_next(store, statement, &status)) {
    if (!is_asked_for(statement, problem, device != NULL, out_seen)) continue;
    status = read_proved(store, statement, arena, out_proved);
    if (!status && !proves_something(statement, out_proved, out_seen)) continue;
    hone__store_done(statement);
    return status;
  }
  out_proved->config = NULL;
  return status;
}
