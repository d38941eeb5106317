#include "tune/elsewhere.h"

#include "store/stored.h"
#include "tune/attempt.h"
#include "wire/run_kinds.h"

#include <math.h>
#include <stdlib.h>

struct comparison {
  const struct hone__cases *cases;
  const struct hone__case *which;
  struct hone_store *store;
  struct hone__arena arena;
  struct hone__store_run_stored *stored; /* one for each run */
};

static bool has_winner(const struct hone__store_run_stored *stored)
{
  return stored->result.verdict == HONE_VERDICT_IMPROVED && stored->result.winner &&
         *stored->result.winner;
}

/* ---- One on the devices of another ---- */

static const char *why_not(const struct hone__attempt *attempt)
{
  const struct hone__candidate *candidate = attempt->candidate;

  if (attempt->was_run) return hone_outcome_name(attempt->outcome);
  return hone_outcome_name(candidate ? candidate->evaluation.outcome : HONE_OUTCOME_INVALID);
}

static void fill_in(const struct hone__attempt *attempt, struct hone__wire_elsewhere *entry)
{
  if (attempt->works && attempt->count)
    entry->speedup = hone__attempt_speed(attempt).ratio.value;
  else
    entry->outcome = attempt->is_legal ? why_not(attempt) : "invalid";
}

/* It may be illegal there: constraints may name facts of the device. */
static hone_status measure(struct comparison *c, const struct hone__kind *kind,
                           struct hone__wire_elsewhere *entry)
{
  struct hone__case which = *c->which;
  struct hone__attempt *attempt = hone__alloc(sizeof *attempt);
  hone_status status;

  which.kind = kind;
  entry->outcome = hone_outcome_name(HONE_OUTCOME_OK);
  entry->speedup = NAN;
  status = hone__attempt_make(attempt, c->cases->spec, c->cases->options, &which, entry->config);
  if (hone_status_code(status) == HONE_INVALID_ARGUMENT) {
    entry->outcome = "invalid";
    hone_status_free(status);
    status = NULL;
  } else if (!status) {
    fill_in(attempt, entry);
  }
  hone__attempt_release(attempt);
  free(attempt);
  return status;
}

/* ---- All on the devices of one ---- */

static hone_status keep(struct comparison *c, size_t at, const struct hone__wire_matrix *matrix)
{
  const struct hone__store_run_stored *stored = &c->stored[at];
  struct hone__packed *packed =
      hone__packed_parse(stored->result.devices, strlen(stored->result.devices));
  struct hone__text text = {0};
  hone_status status = NULL;

  if (!packed) return NULL;
  hone__packed_add(packed, &hone__wire_matrix_type, matrix);
  hone__packed_print(packed, &text);
  status = hone__store_run_devices(c->store, stored->record.id, text.data);
  hone__text_release(&text);
  hone__packed_drop(packed);
  return status;
}

/* What is known; false: there is no place for it. */
static bool read_matrix(struct comparison *c, const struct hone__store_run_stored *stored,
                        struct hone__wire_matrix *out_known)
{
  const char *devices = stored->result.devices;
  struct hone__packed *packed = devices ? hone__packed_parse(devices, strlen(devices)) : NULL;

  *out_known = (struct hone__wire_matrix){0};
  if (!packed) return false;
  hone_status_free(hone__unpack(packed, &hone__wire_matrix_type, &c->arena, out_known));
  for (size_t i = 0; i < out_known->elsewhere_count; i++) { /* they are lent */
    struct hone__wire_elsewhere *entry = &out_known->elsewhere[i];
    entry->config = hone__arena_strdup(&c->arena, entry->config);
    entry->outcome = hone__arena_strdup(&c->arena, entry->outcome);
  }
  hone__packed_drop(packed);
  return true;
}

static const struct hone__wire_elsewhere *find(const struct hone__wire_matrix *known,
                                               const struct hone__wire_elsewhere *wanted)
{
  for (size_t i = 0; i < known->elsewhere_count; i++)
    if (known->elsewhere[i].run == wanted->run &&
        strcmp(known->elsewhere[i].config, wanted->config) == 0)
      return &known->elsewhere[i];
  return NULL;
}

/* A kind may come later than the others: what is known stays. */
static hone_status compare_on(struct comparison *c, const struct hone__tuning_kind_run *runs,
                              size_t count, size_t at)
{
  struct hone__wire_matrix matrix = {0}, known;
  hone_status status = NULL;
  size_t added = 0;

  if (!runs[at].kind->count || !read_matrix(c, &c->stored[at], &known)) return NULL;
  matrix.elsewhere = hone__arena_alloc(&c->arena, count * sizeof *matrix.elsewhere);
  for (size_t i = 0; i < count && !status; i++) {
    struct hone__wire_elsewhere *entry = &matrix.elsewhere[matrix.elsewhere_count];
    const struct hone__wire_elsewhere *old;
    if (i == at || !has_winner(&c->stored[i])) continue;
    *entry = (struct hone__wire_elsewhere){.run = c->stored[i].record.id,
                                           .config = c->stored[i].result.winner};
    old = find(&known, entry);
    matrix.elsewhere_count++;
    added += !old;
    if (old)
      *entry = *old;
    else
      status = measure(c, runs[at].kind, entry);
  }
  if (!status && added) status = keep(c, at, &matrix);
  return status;
}

hone_status hone__tuning_compare_kinds(const struct hone__cases *cases,
                                       const struct hone__case *which, struct hone_store *store,
                                       const struct hone__tuning_kind_run *runs, size_t count)
{
  struct comparison c = {.cases = cases, .which = which, .store = store};
  hone_status status = NULL;

  c.stored = hone__arena_alloc(&c.arena, count * sizeof *c.stored);
  for (size_t i = 0; i < count && !status; i++)
    status = hone__store_run(store, runs[i].run, &c.arena, &c.stored[i]);
  for (size_t i = 0; i < count && !status; i++)
    status = compare_on(&c, runs, count, i);
  hone__arena_release(&c.arena);
  return status;
}
