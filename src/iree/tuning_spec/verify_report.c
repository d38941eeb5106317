/* verify_report.c - which matcher has matched which operation, and why others have matched none. */
#include "iree/tuning_spec/verify.h"

#include "hone_iree.h"
#include "iree/dispatch/dispatch.h"
#include "iree/operation/operation_steps.h"

#include <stdlib.h>

enum { MAX_CONFLICTS = 100 };

struct seen { /* an operation of the model that can be tuned */
  struct hone__iree_operation operation;
  const struct hone__mlir_op *op;
};
struct report {
  const struct hone__iree_tuning_spec *spec;
  struct hone__mlir *mlir;
  struct hone_iree_verification *out;
  struct seen *seen; /* of the plain model */
  size_t seen_count, seen_capacity;
};

/* ---- Words ---- */

static char *dispatch_name(const struct hone__mlir_op *op)
{
  const struct hone__mlir_op *function = hone__mlir_around(op, "func.func");

  return hone__strdup(function && function->symbol ? function->symbol : "?");
}

static char *operation_words(struct hone__mlir *mlir, const struct hone__mlir_op *op)
{
  struct hone__iree_operation operation;
  struct hone__text text = {0}, why = {0};
  enum hone__iree_refusal refusal = hone__iree_operation_read(mlir, op, &operation, &why);

  if (refusal == HONE__IREE_UNSUPPORTED)
    refusal = hone__iree_operation_read_generic(mlir, op, &operation, &why);
  if (refusal == HONE__IREE_TUNABLE || refusal == HONE__IREE_DYNAMIC) {
    hone__iree_operation_layout(&operation, &text);
    hone__text_add(&text, " ");
    hone__iree_operation_sizes(&operation, &text);
  } else {
    hone__text_add(&text, op->name);
  }
  hone__text_release(&why);
  return hone__text_take(&text);
}

/* ---- Hits ---- */

/* Whether the operation has the configuration, whatever the others have. */
static bool is_applied(const struct hone__mlir *mlir, struct hone__mlir_op *op,
                       const struct hone__iree_spec_matcher *matcher, struct hone__text *why)
{
  struct hone__mlir_op *children[] = {op};
  struct hone__mlir_op root = {.name = "", .children = children, .child_count = 1};
  struct hone__mlir alone = {.path = mlir->path, .text = mlir->text, .size = mlir->size};

  if (!matcher->compilation_info) {
    hone__text_add(why, "the matcher sets no compilation_info");
    return false;
  }
  alone.root = &root;
  return hone__iree_is_applied(&alone, matcher->compilation_info, matcher->decomposition_config,
                               why);
}

static void add_hit(struct report *report, size_t matcher, struct hone__mlir_op *op)
{
  struct hone_iree_spec_use *use = &report->out->uses[matcher];
  struct hone__text info = {0}, decomposition = {0}, why = {0};
  struct hone_iree_spec_hit *hit;

  use->hits = hone__realloc(use->hits, (use->hit_count + 1) * sizeof *use->hits);
  hit = &use->hits[use->hit_count++];
  hone__iree_configuration(op, &info, &decomposition);
  if (decomposition.length) hone__text_addf(&info, " %s", decomposition.data);
  hit->dispatch = dispatch_name(op);
  hit->operation = operation_words(report->mlir, op);
  hit->configuration = hone__text_take(&info);
  hit->is_applied = is_applied(report->mlir, op, &report->spec->matchers[matcher], &why);
  hit->why_not = hone__text_take(&why);
  hone__text_release(&decomposition);
}

static bool visit_marked(void *data, struct hone__mlir_op *op)
{
  struct report *report = data;
  size_t number;

  for (size_t i = 0; i < op->attr_count; i++)
    if (hone__iree_spec_mark_read(op->attrs[i].key, &number) && number < report->out->use_count)
      add_hit(report, number, op);
  return true;
}

/* ---- Those without ---- */

static bool visit_plain(void *data, struct hone__mlir_op *op)
{
  struct report *report = data;
  struct hone__iree_operation operation;
  struct hone__text why = {0};
  enum hone__iree_refusal refusal = HONE__IREE_UNSUPPORTED;

  if (hone__starts_with(op->name, "linalg.") || hone__starts_with(op->name, "iree_linalg_ext."))
    refusal = hone__iree_operation_read(report->mlir, op, &operation, &why);
  if (refusal == HONE__IREE_TUNABLE || refusal == HONE__IREE_DYNAMIC) {
    HONE__GROW(report->seen, report->seen_count, report->seen_capacity);
    report->seen[report->seen_count++] = (struct seen){.operation = operation, .op = op};
  }
  hone__text_release(&why);
  return true;
}

static const struct seen *find_nearest(const struct report *report,
                                       const struct hone__iree_spec_matcher *matcher)
{
  const struct seen *nearest = NULL;
  unsigned least = 0;

  for (size_t i = 0; i < report->seen_count; i++) {
    unsigned distance = hone__iree_spec_matcher_distance(matcher, &report->seen[i].operation);
    if (nearest && distance >= least) continue;
    nearest = &report->seen[i];
    least = distance;
  }
  return nearest;
}

/* The earlier matcher that matches the operation; NULL. */
static const struct hone__iree_spec_matcher *
find_earlier(const struct report *report, size_t matcher,
             const struct hone__iree_operation *operation)
{
  for (size_t i = 0; i < matcher; i++)
    if (hone__iree_spec_matcher_hits(&report->spec->matchers[i], operation, NULL))
      return &report->spec->matchers[i];
  return NULL;
}

/* Encoded operations are no longer those that matchers are written for; IREE may even fail to
 * compile a model with both ("failed to build pass pipeline"). */
static void add_tiling(const struct report *report, struct hone__text *text)
{
  if (hone__mlir_find(report->mlir->root, "linalg.mmt4d"))
    hone__text_add(text,
                   "; data tiling has taken products of the model (linalg.mmt4d), and its tiles "
                   "are fixed: compile without data tiling, or without this entry");
}

static void explain_miss(struct report *report, size_t number, struct hone__text *text)
{
  const struct hone__iree_spec_matcher *matcher = &report->spec->matchers[number], *earlier;
  const struct seen *nearest = find_nearest(report, matcher);
  struct hone__text why = {0};
  char *dispatch, *operation;

  if (!nearest) {
    hone__text_add(text, "the model has no operation that a matcher could match");
    add_tiling(report, text);
    return;
  }
  dispatch = dispatch_name(nearest->op);
  operation = operation_words(report->mlir, nearest->op);
  earlier = find_earlier(report, number, &nearest->operation);
  if (!hone__iree_spec_matcher_hits(matcher, &nearest->operation, &why))
    hone__text_addf(text, "nearest is %s, %s: %s", dispatch, operation, why.data ? why.data : "");
  else if (earlier)
    hone__text_addf(text, "%s, %s, is matched by @%s first", dispatch, operation, earlier->name);
  else
    hone__text_addf(
        text,
        "%s, %s, should match; when specs are applied, the compiler has it in a different form",
        dispatch, operation);
  if (!earlier) add_tiling(report, text);
  free(dispatch);
  free(operation);
  hone__text_release(&why);
}

/* ---- The whole ---- */

static void add_conflicts(const struct hone__iree_tuning_spec *spec, struct hone__text *text)
{
  unsigned count = 0;

  for (size_t i = 0; i < spec->matcher_count; i++)
    for (size_t j = 0; j < i && count < MAX_CONFLICTS; j++) {
      const struct hone__iree_spec_matcher *first = &spec->matchers[j], *later = &spec->matchers[i];
      if (!first->what && !first->op_name_count) continue;
      if (!later->what && !later->op_name_count) continue;
      if (!hone__iree_spec_matchers_overlap(first, later)) continue;
      count++;
      hone__text_addf(text,
                      hone__iree_spec_matcher_covers(first, later)
                          ? "@%s is never reached: @%s before it matches all that it matches\n"
                          : "@%s matches operations that @%s before it matches too\n",
                      later->name, first->name);
    }
}

void hone__verify_report(const struct hone__iree_tuning_spec *spec, struct hone__mlir *configured,
                         struct hone__mlir *plain, struct hone_iree_verification *out)
{
  struct report report = {.spec = spec, .mlir = configured, .out = out};
  struct hone__text text = {0};

  out->use_count = spec->matcher_count;
  out->uses = hone__alloc((out->use_count + 1) * sizeof *out->uses);
  for (size_t i = 0; i < out->use_count; i++) {
    hone__iree_spec_matcher_words(&spec->matchers[i], &text);
    out->uses[i].matcher = hone__strdup(spec->matchers[i].name);
    out->uses[i].matches = hone__text_take(&text);
  }
  if (configured->root) hone__mlir_each(configured->root, visit_marked, &report);
  report.mlir = plain;
  hone__mlir_each(plain->root, visit_plain, &report);
  for (size_t i = 0; i < out->use_count; i++) {
    if (!out->uses[i].hit_count) explain_miss(&report, i, &text);
    out->uses[i].why_none = hone__text_take(&text);
  }
  add_conflicts(spec, &text);
  out->conflicts = hone__text_take(&text);
  free(report.seen);
}
