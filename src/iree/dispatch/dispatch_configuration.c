/* The configuration of an operation is in two places, the operation and its function; a tuning spec
 * has both in one attribute. Configurations are compared entry by entry, because the compiler adds
 * defaults and prints keys in its own order.
 */
#include "iree/dispatch/dispatch.h"

#include <stdlib.h>

enum { DEEPEST = 64, LONGEST_VALUE = 200 };

/* ---- Asking an operation ---- */

static const struct hone__mlir_attr *translation_of(const struct hone__mlir_op *op)
{
  const struct hone__mlir_op *function = hone__mlir_around(op, "func.func");

  return function ? hone__mlir_attr(function, "translation_info") : NULL;
}

/* "<...>" of "#iree_codegen.translation_info<...>" */
static void print_short(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  struct hone__text whole = {0};
  const char *angle;

  hone__mlir_print_attr(attr, &whole);
  angle = whole.data ? strchr(whole.data, '<') : NULL;
  hone__text_add(text, angle ? angle : "<>");
  hone__text_release(&whole);
}

bool hone__iree_configuration(const struct hone__mlir_op *op, struct hone__text *compilation_info,
                              struct hone__text *decomposition_config)
{
  const struct hone__mlir_attr *whole = hone__mlir_attr(op, "compilation_info"),
                               *lowering = hone__mlir_attr(op, "lowering_config"),
                               *decomposition = hone__mlir_attr(op, "decomposition_config"),
                               *translation = translation_of(op);

  if (!whole && !lowering) return false;
  if (decomposition) hone__mlir_print_attr(decomposition, decomposition_config);
  if (whole) {
    hone__mlir_print_attr(whole, compilation_info);
    return true;
  }
  hone__text_add(compilation_info, "#iree_codegen.compilation_info<lowering_config = ");
  hone__mlir_print_attr(lowering, compilation_info);
  if (translation) {
    hone__text_add(compilation_info, ", translation_info = ");
    print_short(translation, compilation_info);
  }
  hone__text_add(compilation_info, ">");
  return true;
}

/* ---- Comparing ---- */

static const struct hone__mlir_attr *counterpart(const struct hone__mlir_attr *actual,
                                                 const struct hone__mlir_entry *entry,
                                                 size_t position)
{
  if (entry->key) return hone__mlir_entry(actual, entry->key);
  for (size_t i = 0; i < actual->count; i++)
    if (!actual->entries[i].key && position-- == 0) return &actual->entries[i].value;
  return NULL;
}

static void add_value(struct hone__text *why, const struct hone__mlir_attr *attr)
{
  struct hone__text text = {0};

  if (attr) hone__mlir_print_attr(attr, &text);
  if (text.length > LONGEST_VALUE) {
    hone__text_addn(why, text.data, LONGEST_VALUE);
    hone__text_add(why, "...");
  } else {
    hone__text_add(why, attr && text.data ? text.data : "nothing");
  }
  hone__text_release(&text);
}

static bool differ(const char *key, const struct hone__mlir_attr *wanted,
                   const struct hone__mlir_attr *actual, struct hone__text *why)
{
  hone__text_addf(why, "%s should be ", key);
  add_value(why, wanted);
  hone__text_add(why, " and is ");
  add_value(why, actual);
  return false;
}

static bool is_open(const struct hone__mlir_attr *attr)
{
  return attr->kind == HONE__MLIR_DICT || attr->kind == HONE__MLIR_DIALECT;
}

/* A short form, <...>, has no name. */
static bool same_name(const struct hone__mlir_attr *a, const struct hone__mlir_attr *b)
{
  if (a->kind != HONE__MLIR_DIALECT || b->kind != HONE__MLIR_DIALECT) return a->kind == b->kind;
  return !a->text || !b->text || !*a->text || !*b->text || strcmp(a->text, b->text) == 0;
}

/* True if `actual` has everything that is wanted. */
static bool holds(const char *key, const struct hone__mlir_attr *wanted,
                  const struct hone__mlir_attr *actual, unsigned depth, struct hone__text *why)
{
  size_t unnamed = 0;

  if (!actual || depth > DEEPEST) return differ(key, wanted, actual, why);
  if (!is_open(wanted) || !is_open(actual))
    return hone__mlir_same_attr(wanted, actual) || differ(key, wanted, actual, why);
  if (!same_name(wanted, actual)) return differ(key, wanted, actual, why);
  for (size_t i = 0; i < wanted->count; i++) {
    const struct hone__mlir_entry *entry = &wanted->entries[i];
    const struct hone__mlir_attr *other = counterpart(actual, entry, unnamed);
    unnamed += !entry->key;
    if (!entry->key && !other) return differ(key, wanted, actual, why);
    if (!holds(entry->key ? entry->key : key, &entry->value, other, depth + 1, why)) return false;
  }
  return true;
}

/* ---- Was it applied? ---- */

struct wanted {
  const struct hone__mlir_attr *info, *decomposition; /* NULL: none */
};

/* The difference of the nearest operation: the first one. */
struct proof {
  struct wanted wanted;
  bool is_applied, needs_root;
  size_t seen;
  struct hone__text why;
};

static bool is_configured(const struct wanted *wanted, const struct hone__mlir_op *op,
                          struct hone__text *why)
{
  const struct hone__mlir_attr *lowering = hone__mlir_attr(op, "lowering_config"),
                               *decomposition = hone__mlir_attr(op, "decomposition_config");
  const struct hone__mlir_attr *first = hone__mlir_entry(wanted->info, "lowering_config"),
                               *second = hone__mlir_entry(wanted->info, "translation_info");

  if (hone__mlir_attr(op, "compilation_info")) {
    hone__text_add(why, "the operation already had a configuration, which was kept");
    return false;
  }
  if (first && !holds("lowering_config", first, lowering, 0, why)) return false;
  if (second && !holds("translation_info", second, translation_of(op), 0, why)) return false;
  return !wanted->decomposition ||
         holds("decomposition_config", wanted->decomposition, decomposition, 0, why);
}

static bool visit_operation(void *data, struct hone__mlir_op *op)
{
  struct proof *proof = data;
  bool is_one = hone__mlir_attr(op, proof->needs_root ? "root_op" : "lowering_config") ||
                hone__mlir_attr(op, "compilation_info");
  struct hone__text why = {0};

  if (!is_one) return true;
  proof->is_applied = is_configured(&proof->wanted, op, &why);
  if (!proof->seen++ && why.data) hone__text_add(&proof->why, why.data);
  hone__text_release(&why);
  return !proof->is_applied;
}

/* Operations with root_op, else all that have a configuration. */
static void look(const struct hone__mlir *configured, struct proof *proof)
{
  proof->needs_root = true;
  hone__mlir_each(configured->root, visit_operation, proof);
  if (proof->seen) return;
  proof->needs_root = false;
  hone__mlir_each(configured->root, visit_operation, proof);
}

static bool parse(struct hone__arena *arena, const char *text, struct hone__mlir_attr *attr,
                  const struct hone__mlir_attr **out, struct hone__text *why)
{
  hone_status status = text && *text ? hone__mlir_parse_attr(arena, text, attr) : NULL;

  if (status)
    hone__text_addf(why, "the requested configuration is not understood: %s",
                    hone_status_message(status));
  *out = text && *text && !status ? attr : NULL;
  hone_status_free(status);
  return !status;
}

bool hone__iree_is_applied(const struct hone__mlir *configured, const char *compilation_info,
                           const char *decomposition_config, struct hone__text *why)
{
  struct hone__arena arena = {0};
  struct hone__mlir_attr info, decomposition;
  struct proof proof = {0};

  if (parse(&arena, compilation_info, &info, &proof.wanted.info, why) &&
      parse(&arena, decomposition_config, &decomposition, &proof.wanted.decomposition, why)) {
    look(configured, &proof);
    if (!proof.seen)
      hone__text_add(why, "no operation has a configuration");
    else if (!proof.is_applied)
      hone__text_add(why, proof.why.data ? proof.why.data : "a different configuration was used");
  }
  hone__text_release(&proof.why);
  hone__arena_release(&arena);
  return proof.is_applied;
}
