/* Runs of one kernel side by side. Members of a table are the runs of one problem on devices of
 * several kinds, or those of one kind for several problems. A cell is the best of one run, at the
 * place of another. */
#include "hone_results.h"

#include "base/text.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

struct table {
  enum hone_matrix_subject subject;
  const char *about; /* what all members share */
  const struct hone_report **members;
  const char **places;
  size_t count;
};

struct hone_matrix {
  struct hone__arena arena;
  const struct hone_report *const *reports;
  size_t report_count;
  struct table *tables;
  size_t count, capacity;
};

/* ---- Cells ---- */

static bool is_proved(const struct hone_report *report)
{
  return report->verdict == HONE_VERDICT_IMPROVED;
}

static const char *best_config(const struct hone_report *report)
{
  return is_proved(report) ? report->winner : report->baseline;
}

static const struct hone_report_elsewhere *find_elsewhere(const struct hone_report *on, int64_t run)
{
  for (size_t i = 0; i < on->elsewhere_count; i++)
    if (on->elsewhere[i].run == run) return &on->elsewhere[i];
  return NULL;
}

static const struct hone_report_row *find_row(const struct hone_report *on, const char *config)
{
  for (size_t i = 0; i < on->row_count; i++)
    if (strcmp(on->rows[i].config, config) == 0) return &on->rows[i];
  return NULL;
}

static const char *failure_of(const struct hone_report *on, const char *config)
{
  for (size_t i = 0; i < on->failed_row_count; i++)
    if (strcmp(on->failed_rows[i].config, config) == 0)
      return hone_outcome_name(on->failed_rows[i].outcome);
  return "";
}

/* Measured in the run itself, when the search came to it. */
static double speedup_of_row(const struct hone_report_row *row, const char **out_note)
{
  double speedup = row->is_baseline ? 1 : row->confirmed ? row->speedup : row->screen_speedup;

  *out_note = row->is_baseline || row->confirmed  ? ""
              : row->outcome == HONE_OUTCOME_SLOW ? "slow"
              : isfinite(speedup)                 ? "screen"
                                                  : "";
  return row->outcome == HONE_OUTCOME_SLOW ? NAN : speedup;
}

static double speedup_at(const struct hone_report *on, const struct hone_report *best,
                         const char **out_note)
{
  const struct hone_report_elsewhere *there = find_elsewhere(on, best->run);
  const struct hone_report_row *row = find_row(on, best_config(best));

  *out_note = "";
  if (on == best) return is_proved(on) ? on->speedup : 1;
  if (there) {
    if (!isfinite(there->speedup)) *out_note = there->outcome;
    return there->speedup;
  }
  if (row) return speedup_of_row(row, out_note);
  *out_note = failure_of(on, best_config(best));
  return NAN;
}

/* ---- Members ---- */

static bool is_of_table(const struct hone_report *a, const struct hone_report *b,
                        enum hone_matrix_subject subject)
{
  if (strcmp(a->name, b->name) != 0) return false;
  return subject == HONE_MATRIX_KINDS ? strcmp(a->problem, b->problem) == 0
                                      : strcmp(a->kind, b->kind) == 0;
}

/* Runs that cannot be distinguished are left out, such as a second one of a problem. */
static const char *place_of(const struct hone_report *report, enum hone_matrix_subject subject)
{
  return subject == HONE_MATRIX_KINDS ? report->kind : report->problem;
}

static bool has_place(const struct table *table, const char *place)
{
  for (size_t i = 0; i < table->count; i++)
    if (strcmp(place_of(table->members[i], table->subject), place) == 0) return true;
  return false;
}

/* A run whose baseline fails has no rows. */
static bool is_member(const struct hone_report *report)
{
  return report && !report->is_sweep && *report->baseline && report->row_count;
}

static void collect(const struct hone_matrix *matrix, size_t first, struct table *table)
{
  for (size_t i = first; i < matrix->report_count; i++) {
    const struct hone_report *report = matrix->reports[i];
    const char *place = is_member(report) ? place_of(report, table->subject) : "";
    if (!*place || !is_of_table(report, matrix->reports[first], table->subject)) continue;
    if (!has_place(table, place)) table->members[table->count++] = report;
  }
}

static bool is_first(const struct hone_matrix *matrix, size_t at, enum hone_matrix_subject subject)
{
  if (!is_member(matrix->reports[at])) return false;
  for (size_t i = 0; i < at; i++)
    if (is_member(matrix->reports[i]) &&
        is_of_table(matrix->reports[i], matrix->reports[at], subject))
      return false;
  return true;
}

/* Something besides the diagonal, of another configuration. */
static bool has_comparisons(const struct table *table)
{
  const char *note;

  for (size_t i = 0; i < table->count; i++)
    for (size_t k = 0; k < table->count; k++)
      if (strcmp(best_config(table->members[i]), best_config(table->members[k])) != 0 &&
          isfinite(speedup_at(table->members[i], table->members[k], &note)))
        return true;
  return false;
}

/* ---- Titles ---- */

static bool has_pair(const char *problem, const char *pair, size_t length)
{
  for (; *problem; problem += strcspn(problem, " "), problem += strspn(problem, " "))
    if (strcspn(problem, " ") == length && memcmp(problem, pair, length) == 0) return true;
  return false;
}

static bool is_shared(const struct table *table, const char *pair, size_t length)
{
  for (size_t i = 0; i < table->count; i++)
    if (!has_pair(table->members[i]->problem, pair, length)) return false;
  return true;
}

/* Its sizes that the others share, or those that they do not. */
static const char *some_sizes(struct hone__arena *arena, const struct table *table,
                              const char *problem, bool shared)
{
  struct hone__text text = {0};
  const char *kept;

  for (const char *pair = problem; *pair; pair += strspn(pair, " ")) {
    size_t length = strcspn(pair, " ");
    if (is_shared(table, pair, length) == shared)
      hone__text_addf(&text, "%s%.*s", text.length ? " " : "", (int)length, pair);
    pair += length;
  }
  kept = hone__arena_strdup(arena, text.data ? text.data : "");
  hone__text_release(&text);
  return kept;
}

static void name_places(struct hone__arena *arena, struct table *table)
{
  bool are_kinds = table->subject == HONE_MATRIX_KINDS;

  table->places = hone__arena_alloc(arena, (table->count + 1) * sizeof *table->places);
  for (size_t i = 0; i < table->count; i++)
    table->places[i] = are_kinds ? table->members[i]->kind
                                 : some_sizes(arena, table, table->members[i]->problem, false);
  table->about = are_kinds ? table->members[0]->problem
                 : *table->members[0]->kind
                     ? table->members[0]->kind
                     : some_sizes(arena, table, table->members[0]->problem, true);
}

/* ---- The whole ---- */

static void add_table(struct hone_matrix *matrix, size_t first, enum hone_matrix_subject subject)
{
  struct table table = {.subject = subject};

  if (!is_first(matrix, first, subject)) return;
  table.members =
      hone__arena_alloc(&matrix->arena, (matrix->report_count + 1) * sizeof *table.members);
  collect(matrix, first, &table);
  if (table.count < 2 || !has_comparisons(&table)) return;
  name_places(&matrix->arena, &table);
  HONE__GROW(matrix->tables, matrix->count, matrix->capacity);
  matrix->tables[matrix->count++] = table;
}

struct hone_matrix *hone_matrix_make(const struct hone_report *const *reports, size_t count)
{
  struct hone_matrix *matrix = hone__alloc(sizeof *matrix);

  matrix->reports = reports;
  matrix->report_count = count;
  for (size_t i = 0; i < count; i++)
    add_table(matrix, i, HONE_MATRIX_KINDS);
  for (size_t i = 0; i < count; i++)
    add_table(matrix, i, HONE_MATRIX_PROBLEMS);
  return matrix;
}

void hone_matrix_free(struct hone_matrix *matrix)
{
  if (!matrix) return;
  free(matrix->tables);
  hone__arena_release(&matrix->arena);
  free(matrix);
}

size_t hone_matrix_table_count(const struct hone_matrix *matrix)
{
  return matrix->count;
}

enum hone_matrix_subject hone_matrix_subject(const struct hone_matrix *matrix, size_t table)
{
  return table < matrix->count ? matrix->tables[table].subject : HONE_MATRIX_KINDS;
}

const char *hone_matrix_about(const struct hone_matrix *matrix, size_t table)
{
  return table < matrix->count ? matrix->tables[table].about : "";
}

size_t hone_matrix_size(const struct hone_matrix *matrix, size_t table)
{
  return table < matrix->count ? matrix->tables[table].count : 0;
}

const char *hone_matrix_place(const struct hone_matrix *matrix, size_t table, size_t i)
{
  return i < hone_matrix_size(matrix, table) ? matrix->tables[table].places[i] : NULL;
}

int64_t hone_matrix_run(const struct hone_matrix *matrix, size_t table, size_t i)
{
  return i < hone_matrix_size(matrix, table) ? matrix->tables[table].members[i]->run : 0;
}

const char *hone_matrix_config(const struct hone_matrix *matrix, size_t table, size_t i)
{
  return i < hone_matrix_size(matrix, table) ? best_config(matrix->tables[table].members[i]) : NULL;
}

double hone_matrix_speedup(const struct hone_matrix *matrix, size_t table, size_t best,
                           size_t place, const char **out_note)
{
  size_t size = hone_matrix_size(matrix, table);
  const char *note = "";
  double speedup = NAN;

  if (best < size && place < size)
    speedup = speedup_at(matrix->tables[table].members[place], matrix->tables[table].members[best],
                         &note);
  if (out_note) *out_note = note;
  return speedup;
}
