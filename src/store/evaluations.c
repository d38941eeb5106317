/* Evaluations and their samples. Rows are read a page at a time and visited when the statement is
 * done: a visitor may use the store as it likes. */
#include "store/store_internal.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "samples are stored as they lie in memory");

/* ---- Writing ---- */

static hone_status insert_samples(struct hone_store *store, int64_t evaluation,
                                  const struct hone__samples *samples)
{
  static const char text[] =
      "INSERT INTO samples (evaluation, phase, restart, count, times_ns, baseline_ns, facts) "
      "VALUES (?, ?, ?, ?, ifnull(?, x''), ?, ?)";
  size_t size = samples->count * sizeof *samples->times_ns;
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "itiibbt", evaluation, hone__phase_name(samples->phase),
                   samples->restart, (int64_t)samples->count, samples->times_ns, size,
                   samples->baseline_ns, size, samples->facts);
  return hone__store_execute(store, statement, NULL);
}

/* What tells equal configurations of a run apart. */
static const char *slot_of(const struct hone__evaluation *e, char buffer[24])
{
  if (e->is_baseline && e->device) return e->device;
  if (e->is_baseline || e->mesh_idx < 0) return "";
  snprintf(buffer, 24, "%lld", (long long)e->mesh_idx);
  return buffer;
}

static hone_status upsert(struct hone_store *store, int64_t run, const struct hone__evaluation *e,
                          int64_t *out_id)
{
  static const char text[] =
      "INSERT INTO evaluations (run, config, is_baseline, slot, candidate_key, measure_key, "
      "object, device, outcome, evidence, command, tries, compile_s, cached, warnings, deps, "
      "time_ns, baseline_ns, cold_ns, cap_ns, metrics, same_as, reused_from, output, suspicious, "
      "mesh_idx, asked, made) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0), "
      "nullif(?, 0), ?, ?, nullif(?, -1), nullif(?, 0), datetime('now')) "
      "ON CONFLICT (run, config, is_baseline, slot) DO UPDATE SET "
      "candidate_key = excluded.candidate_key, measure_key = excluded.measure_key, "
      "object = excluded.object, device = excluded.device, outcome = excluded.outcome, "
      "evidence = excluded.evidence, command = excluded.command, tries = excluded.tries, "
      "compile_s = excluded.compile_s, cached = excluded.cached, warnings = excluded.warnings, "
      "deps = excluded.deps, time_ns = excluded.time_ns, baseline_ns = excluded.baseline_ns, "
      "cold_ns = excluded.cold_ns, cap_ns = excluded.cap_ns, metrics = excluded.metrics, "
      "same_as = excluded.same_as, reused_from = excluded.reused_from, "
      "output = excluded.output, suspicious = excluded.suspicious, "
      "asked = ifnull(excluded.asked, asked) "
      "RETURNING id";
  char slot[24];
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "itittttttttirittrrrrtiittii", run, e->config,
                   (int64_t)e->is_baseline, slot_of(e, slot), e->candidate_key, e->measure_key,
                   e->object, e->device, hone_outcome_name(e->outcome), e->evidence, e->command,
                   (int64_t)e->tries, e->compile_s, (int64_t)e->cached, e->warnings, e->deps,
                   e->time_ns, e->baseline_ns, e->cold_ns, e->cap_ns, e->metrics, e->same_as,
                   e->reused_from, e->output, e->suspicious,
                   e->mesh_idx < 0 ? (int64_t)-1 : e->mesh_idx, e->asked);
  return hone__store_execute(store, statement, out_id);
}

hone_status hone__store_evaluation_put(struct hone_store *store, int64_t run,
                                       struct hone__evaluation *evaluation)
{
  int64_t id = 0;
  hone_status status = hone__store_begin(store);

  if (status) return status;
  status = upsert(store, run, evaluation, &id);
  for (size_t i = 0; !status && i < evaluation->sample_count; i++)
    status = insert_samples(store, id, &evaluation->samples[i]);
  status = hone__store_end(store, status);
  if (!status) evaluation->id = id;
  return status;
}

hone_status hone__store_samples_add(struct hone_store *store, int64_t evaluation,
                                    const struct hone__samples *samples)
{
  return insert_samples(store, evaluation, samples);
}

hone_status hone__store_confirm(struct hone_store *store, int64_t evaluation,
                                const struct hone__confirmation *confirmation)
{
  static const char text[] =
      "UPDATE evaluations SET confirmed = ?2, confirmed_speedup = ?3, confirmed_low = ?4, "
      "confirmed_high = ?5, confirmed_pairs = ?6, confirmed_restarts = ?7, "
      "confirmed_time_ns = ?8, confirmed_baseline_ns = ?9, metrics = coalesce(?10, metrics) "
      "WHERE id = ?1";
  const struct hone__confirmation *c = confirmation;
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "itrrriirrt", evaluation, hone_verdict_name(c->verdict), c->speedup,
                   c->low, c->high, c->pairs, c->restarts, c->time_ns, c->baseline_ns, c->metrics);
  status = hone__store_execute(store, statement, NULL);
  if (!status && sqlite3_changes(store->database) == 0)
    status = hone__error(HONE_NOT_FOUND, "the store '%s' has no evaluation %lld", store->path,
                         (long long)evaluation);
  return status;
}

hone_status hone__store_suspect(struct hone_store *store, int64_t evaluation, const char *why)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(
      store, "UPDATE evaluations SET suspicious = ?2 WHERE id = ?1", &statement);

  if (status) return status;
  hone__store_bind(statement, "it", evaluation, why);
  return hone__store_execute(store, statement, NULL);
}

hone_status hone__store_metrics(struct hone_store *store, int64_t evaluation, const char *metrics)
{
  sqlite3_stmt *statement;
  hone_status status =
      hone__store_statement(store, "UPDATE evaluations SET metrics = ?2 WHERE id = ?1", &statement);

  if (status) return status;
  hone__store_bind(statement, "it", evaluation, metrics);
  return hone__store_execute(store, statement, NULL);
}

/* ---- Reading ---- */

#define COLUMNS                                                                                    \
  "SELECT id, config, is_baseline, candidate_key, measure_key, object, device, outcome, "          \
  "evidence, command, tries, compile_s, cached, warnings, deps, time_ns, baseline_ns, cold_ns, "   \
  "cap_ns, metrics, same_as, reused_from, output, suspicious, mesh_idx, asked, confirmed, "        \
  "confirmed_speedup, "                                                                            \
  "confirmed_low, "                                                                                \
  "confirmed_high, confirmed_pairs, confirmed_restarts, confirmed_time_ns, "                       \
  "confirmed_baseline_ns, "                                                                        \
  "(SELECT sum(count) FROM samples WHERE evaluation = evaluations.id), made FROM evaluations "

static hone_status read_outcome(struct hone_store *store, sqlite3_stmt *row, int column,
                                struct hone__evaluation *out_evaluation)
{
  const char *name = hone__column_lent(row, column);

  if (name && hone__outcome_parse(name, &out_evaluation->outcome)) return NULL;
  return hone__error(HONE_IO,
                     "cannot read the store '%s': evaluation %lld has the outcome '%s', which this "
                     "version of hone does not know",
                     store->path, (long long)out_evaluation->id, name ? name : "");
}

static hone_status read_evaluation(struct hone_store *store, sqlite3_stmt *row, int *column,
                                   struct hone__arena *arena, struct hone__evaluation *e)
{
  hone_status status;
  int c = *column;

  e->id = sqlite3_column_int64(row, c++);
  e->config = hone__column_text(row, c++, arena);
  e->is_baseline = sqlite3_column_int64(row, c++) != 0;
  e->candidate_key = hone__column_text(row, c++, arena);
  e->measure_key = hone__column_text(row, c++, arena);
  e->object = hone__column_text(row, c++, arena);
  e->device = hone__column_text(row, c++, arena);
  status = read_outcome(store, row, c++, e);
  e->evidence = hone__column_text(row, c++, arena);
  e->command = hone__column_text(row, c++, arena);
  e->tries = sqlite3_column_int(row, c++);
  e->compile_s = hone__column_real(row, c++);
  e->cached = sqlite3_column_int64(row, c++) != 0;
  e->warnings = hone__column_text(row, c++, arena);
  e->deps = hone__column_text(row, c++, arena);
  e->time_ns = hone__column_real(row, c++);
  e->baseline_ns = hone__column_real(row, c++);
  e->cold_ns = hone__column_real(row, c++);
  e->cap_ns = hone__column_real(row, c++);
  e->metrics = hone__column_text(row, c++, arena);
  e->same_as = sqlite3_column_int64(row, c++);
  e->reused_from = sqlite3_column_int64(row, c++);
  e->output = hone__column_text(row, c++, arena);
  e->suspicious = hone__column_text(row, c++, arena);
  e->mesh_idx = sqlite3_column_type(row, c) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, c);
  c++;
  e->asked = sqlite3_column_int64(row, c++);
  *column = c;
  return status;
}

static hone_status read_stored(struct hone_store *store, sqlite3_stmt *row,
                               struct hone__arena *arena, struct hone__stored *stored)
{
  int c = 0;
  hone_status status = read_evaluation(store, row, &c, arena, &stored->evaluation);

  stored->confirmed = sqlite3_column_type(row, c) != SQLITE_NULL;
  if (!status) status = hone__column_verdict(store, row, c, &stored->verdict);
  c++;
  stored->speedup = hone__column_real(row, c++);
  stored->low = hone__column_real(row, c++);
  stored->high = hone__column_real(row, c++);
  stored->pairs = sqlite3_column_int64(row, c++);
  stored->restarts = sqlite3_column_int64(row, c++);
  stored->time_ns = hone__column_real(row, c++);
  stored->baseline_ns = hone__column_real(row, c++);
  stored->times = sqlite3_column_int64(row, c++);
  stored->made = hone__column_text(row, c, arena);
  return status;
}

enum { PAGE = 64 };

struct scan {
  const char *text; /* binds run or key, the last id that was seen, PAGE */
  int64_t run;
  const char *key; /* or NULL: it goes by run */
  int64_t last;
  struct hone__arena arena; /* of the page */
  struct hone__stored *page;
  size_t count;
};

static hone_status read_page(struct hone_store *store, struct scan *scan)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, scan->text, &statement);

  scan->count = 0;
  hone__arena_release(&scan->arena);
  if (status) return status;
  if (scan->key)
    hone__store_bind(statement, "tii", scan->key, scan->last, (int64_t)PAGE);
  else
    hone__store_bind(statement, "iii", scan->run, scan->last, (int64_t)PAGE);
  while (hone__store_next(store, statement, &status)) {
    status = read_stored(store, statement, &scan->arena, &scan->page[scan->count]);
    if (status) {
      hone__store_done(statement);
      return status;
    }
    scan->last = scan->page[scan->count++].evaluation.id;
  }
  return status;
}

static hone_status visit_all(struct hone_store *store, struct scan *scan, hone__stored_visit *visit,
                             void *data)
{
  hone_status status;
  bool more = true;

  scan->page = hone__alloc(PAGE * sizeof *scan->page);
  do {
    status = read_page(store, scan);
    for (size_t i = 0; !status && more && i < scan->count; i++)
      more = visit(data, &scan->page[i]);
  } while (!status && more && scan->count == PAGE);
  hone__arena_release(&scan->arena);
  free(scan->page);
  return status;
}

hone_status hone__store_each(struct hone_store *store, int64_t run, hone__stored_visit *visit,
                             void *data)
{
  static const char text[] = COLUMNS "WHERE run = ? AND id > ? ORDER BY id LIMIT ?";
  struct scan scan = {.text = text, .run = run};

  return visit_all(store, &scan, visit, data);
}

struct forward {
  hone__evaluation_visit *visit;
  void *data;
  bool repeatable; /* only such outcomes */
};

static bool forward(void *data, const struct hone__stored *stored)
{
  const struct forward *to = data;

  if (to->repeatable && !hone__outcome_is_repeatable(stored->evaluation.outcome)) return true;
  return to->visit(to->data, &stored->evaluation);
}

hone_status hone__store_evaluations(struct hone_store *store, int64_t run,
                                    hone__evaluation_visit *visit, void *data)
{
  struct forward to = {.visit = visit, .data = data};

  return hone__store_each(store, run, forward, &to);
}

static hone_status visit_key(struct hone_store *store, const char *text, const char *key,
                             hone__evaluation_visit *visit, void *data)
{
  struct scan scan = {.text = text, .key = key, .last = INT64_MAX};
  struct forward to = {.visit = visit, .data = data, .repeatable = true};

  return visit_all(store, &scan, forward, &to);
}

hone_status hone__store_by_candidate_key(struct hone_store *store, const char *key,
                                         hone__evaluation_visit *visit, void *data)
{
  static const char text[] = COLUMNS "WHERE candidate_key = ? AND id < ? ORDER BY id DESC LIMIT ?";

  return visit_key(store, text, key, visit, data);
}

hone_status hone__store_by_measure_key(struct hone_store *store, const char *key,
                                       hone__evaluation_visit *visit, void *data)
{
  static const char text[] = COLUMNS "WHERE measure_key = ? AND id < ? ORDER BY id DESC LIMIT ?";

  return visit_key(store, text, key, visit, data);
}

/* SQLite's blobs lie anywhere; doubles do not. */
static const double *copy_times(sqlite3_stmt *row, int column, size_t count,
                                struct hone__arena *arena)
{
  size_t size = count * sizeof(double);
  const void *bytes = hone__column_blob(row, column);
  double *copy;

  if (!bytes || (size_t)sqlite3_column_bytes(row, column) < size) return NULL;
  copy = hone__arena_alloc(arena, size);
  memcpy(copy, bytes, size);
  return copy;
}

static void visit_samples(sqlite3_stmt *row, hone__samples_visit *visit, void *data)
{
  struct hone__arena arena = {0};
  size_t count = (size_t)sqlite3_column_bytes(row, 2) / sizeof(double);
  struct hone__samples samples = {
      .phase = hone__phase_parse(hone__column_lent(row, 0)),
      .restart = sqlite3_column_int64(row, 1),
      .times_ns = copy_times(row, 2, count, &arena),
      .baseline_ns = copy_times(row, 3, count, &arena),
      .count = count,
      .facts = hone__column_lent(row, 4),
  };

  visit(data, &samples);
  hone__arena_release(&arena);
}

hone_status hone__store_samples(struct hone_store *store, int64_t evaluation,
                                hone__samples_visit *visit, void *data)
{
  static const char text[] = "SELECT phase, restart, times_ns, baseline_ns, facts FROM samples "
                             "WHERE evaluation = ? ORDER BY id";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "i", evaluation);
  while (hone__store_next(store, statement, &status))
    visit_samples(statement, visit, data);
  return status;
}
