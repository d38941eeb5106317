/* tuning_spec_older.c - translates configurations of older versions of IREE to the present syntax.
 *
 * Pipelines were words of one list (until 3.11), prefetching stages a boolean (until 3.9),
 * subgroups were counted along m and n rather than along every loop (2025). Only old parts of the
 * text change.
 */
#include "iree/tuning_spec/older_words.h"
#include "iree/tuning_spec/tuning_spec_parts.h"

#include <stdlib.h>

enum { MAX_EDITS = 32, MAX_DEPTH = 32 };

struct carrier {
  struct hone__iree_spec_reader *reader;
  const struct hone__iree_spec_matcher *matcher;
  const struct hone__iree_operation *operation; /* NULL: not known */
  struct hone__mlir mlir;                       /* the text of the configuration */
  struct hone__mlir_edit edits[MAX_EDITS];
  unsigned edit_count, depth;
  const char *part; /* "qk_attrs", "pv_attrs"; NULL: the operation itself */
};

static void replace(struct carrier *carrier, struct hone__mlir_span span, const char *text)
{
  if (carrier->edit_count == MAX_EDITS) return;
  carrier->edits[carrier->edit_count++] = (struct hone__mlir_edit){.span = span, .text = text};
}

static void drop(struct carrier *carrier, const struct hone__mlir_entry *entry)
{
  replace(carrier, hone__mlir_entry_span(&carrier->mlir, entry), "");
}

static struct hone__arena *arena_of(struct carrier *carrier)
{
  return &carrier->reader->spec->mlir.arena;
}

/* ---- Pipelines ---- */

static const char *new_pipeline(struct carrier *carrier, const char *word)
{
  struct hone__text text = {0};
  const char *pipeline = hone__iree_pipeline_now(word, &text)
                             ? hone__arena_strdup(arena_of(carrier), text.data)
                             : NULL;

  hone__text_release(&text);
  return pipeline;
}

static void carry_pipeline(struct carrier *carrier, const struct hone__mlir_entry *entry)
{
  const char *word = entry->value.text, *pipeline;

  if (!strcmp(word, "None")) return;
  if (carrier->reader->keeps_older && entry->key) return;
  pipeline = new_pipeline(carrier, word);
  if (!pipeline) {
    hone__iree_spec_problem(carrier->reader, carrier->matcher,
                            "pipeline %s is of an older version of IREE, and has no counterpart",
                            word);
    return;
  }
  if (carrier->reader->keeps_older) pipeline = word;
  hone__iree_spec_carried(carrier->reader, carrier->matcher, "pipeline %s is %s now", word,
                          pipeline);
  replace(carrier, entry->span, hone__arena_printf(arena_of(carrier), "pipeline = %s", pipeline));
}

/* ---- Subgroups ---- */

static unsigned last_of(const struct hone__dim_list *list)
{
  return list->count ? list->dims[list->count - 1] : 16;
}

/* Which loops m and n are along, and which have no place in this part of attention. */
static void find_loops(const struct carrier *carrier, unsigned *m, unsigned *n,
                       const struct hone__dim_list **absent)
{
  const struct hone__iree_operation *operation = carrier->operation;
  bool is_qk = carrier->part && !strcmp(carrier->part, "qk_attrs");

  *absent = NULL;
  if (operation->kind == HONE__IREE_CONVOLUTION) {
    *m = last_of(&operation->image);
    *n = last_of(&operation->output_channel);
    return;
  }
  *m = last_of(&operation->m);
  *n = last_of(is_qk ? &operation->k2 : &operation->n);
  if (carrier->part) *absent = is_qk ? &operation->n : &operation->k1;
}

static bool has_loop(const struct hone__dim_list *list, unsigned loop)
{
  for (unsigned i = 0; list && i < list->count; i++)
    if (list->dims[i] == loop) return true;
  return false;
}

static const char *print_basis(struct carrier *carrier, int64_t m_count, int64_t n_count)
{
  unsigned m, n, loops = carrier->operation->loop_count;
  const struct hone__dim_list *absent;
  struct hone__text text = {0};
  const char *basis, *comma = "";

  find_loops(carrier, &m, &n, &absent);
  hone__text_add(&text, "subgroup_basis = [[");
  for (unsigned d = 0; d < loops; d++)
    hone__text_addf(&text, "%s%lld", d ? ", " : "",
                    (long long)(d == m   ? m_count
                                : d == n ? n_count
                                         : 1));
  hone__text_add(&text, "], [");
  for (unsigned d = 0; d < loops; d++) {
    if (has_loop(absent, d)) continue;
    hone__text_addf(&text, "%s%u", comma, d);
    comma = ", ";
  }
  hone__text_add(&text, "]]");
  basis = hone__arena_strdup(arena_of(carrier), text.data);
  hone__text_release(&text);
  return basis;
}

static const struct hone__mlir_entry *find_entry(const struct hone__mlir_attr *attr,
                                                 const char *key)
{
  for (size_t i = 0; i < attr->count; i++)
    if (attr->entries[i].key && !strcmp(attr->entries[i].key, key)) return &attr->entries[i];
  return NULL;
}

static void carry_subgroups(struct carrier *carrier, const struct hone__mlir_attr *dict)
{
  const struct hone__mlir_entry *m = find_entry(dict, "subgroup_m_count");
  const struct hone__mlir_entry *n = find_entry(dict, "subgroup_n_count");
  const char *basis;

  if (!m && !n) return;
  if (!carrier->operation) {
    hone__iree_spec_problem(
        carrier->reader, carrier->matcher,
        "subgroup_m_count and subgroup_n_count are of an older version of IREE, and "
        "have no counterpart while the loops of the operation are not known");
    return;
  }
  basis = print_basis(carrier, m ? m->value.integer : 1, n ? n->value.integer : 1);
  hone__iree_spec_carried(carrier->reader, carrier->matcher,
                          "subgroup_m_count and subgroup_n_count are %s now", basis);
  replace(carrier, m ? m->span : n->span, basis);
  if (m && n) drop(carrier, n);
}

/* ---- Single keys ---- */

static void carry_prefetch(struct carrier *carrier, const struct hone__mlir_entry *entry)
{
  const char *now = entry->value.integer ? "prefetch_num_stages = 2" : "prefetch_num_stages = 0";

  hone__iree_spec_carried(carrier->reader, carrier->matcher,
                          "prefetch_shared_memory = %s is %s now",
                          entry->value.integer ? "true" : "false", now);
  replace(carrier, entry->span, now);
}

static void carry_intrinsic(struct carrier *carrier, const struct hone__mlir_entry *entry)
{
  struct hone__mlir_span key = {entry->span.begin, entry->value.span.begin};

  replace(carrier, key, "");
}

static void carry_marker(struct carrier *carrier, const struct hone__mlir_entry *entry)
{
  hone__iree_spec_carried(carrier->reader, carrier->matcher, "%s is no longer needed", entry->key);
  drop(carrier, entry);
}

static void refuse_key(struct carrier *carrier, const struct hone__mlir_entry *entry)
{
  hone__iree_spec_problem(carrier->reader, carrier->matcher,
                          "%s is of an older version of IREE, and has no counterpart", entry->key);
}

static const struct {
  const char *key;
  enum hone__mlir_kind kind; /* that its value had */
  void (*carry)(struct carrier *carrier, const struct hone__mlir_entry *entry);
} older_keys[] = {
    {"pipeline", HONE__MLIR_WORD, carry_pipeline},
    {"prefetch_shared_memory", HONE__MLIR_BOOL, carry_prefetch},
    {"intrinsic", HONE__MLIR_WORD, carry_intrinsic},
    {"attention_qk_matmul", HONE__MLIR_UNIT, carry_marker},
    {"attention_pv_matmul", HONE__MLIR_UNIT, carry_marker},
    {"mma_schedule", HONE__MLIR_DIALECT, refuse_key},
    {"tile_sizes", HONE__MLIR_LIST, refuse_key},
};

/* ---- The whole ---- */

static void visit(struct carrier *carrier, const struct hone__mlir_attr *attr);

static void visit_entry(struct carrier *carrier, const struct hone__mlir_entry *entry)
{
  const char *part = carrier->part;

  for (size_t i = 0; entry->key && i < sizeof older_keys / sizeof *older_keys; i++)
    if (!strcmp(older_keys[i].key, entry->key) && older_keys[i].kind == entry->value.kind) {
      older_keys[i].carry(carrier, entry);
      return;
    }
  if (entry->key && (!strcmp(entry->key, "qk_attrs") || !strcmp(entry->key, "pv_attrs")))
    carrier->part = entry->key;
  visit(carrier, &entry->value);
  carrier->part = part;
}

/* <LLVMGPUVectorDistribute workgroup_size = ...>: the pipeline was the first word. */
static bool is_bare_pipeline(struct carrier *carrier, const struct hone__mlir_attr *attr)
{
  const struct hone__mlir_attr *first = attr->count ? &attr->entries[0].value : NULL;

  return attr->kind == HONE__MLIR_DIALECT && first && !attr->entries[0].key &&
         first->kind == HONE__MLIR_WORD && new_pipeline(carrier, first->text) &&
         !strstr(attr->text, "pipeline");
}

static void visit(struct carrier *carrier, const struct hone__mlir_attr *attr)
{
  if (attr->kind != HONE__MLIR_DICT && attr->kind != HONE__MLIR_DIALECT) return;
  if (carrier->depth == MAX_DEPTH) return;
  carrier->depth++;
  if (is_bare_pipeline(carrier, attr)) carry_pipeline(carrier, &attr->entries[0]);
  carry_subgroups(carrier, attr);
  for (size_t i = 0; i < attr->count; i++)
    visit_entry(carrier, &attr->entries[i]);
  carrier->depth--;
}

const char *hone__iree_spec_carry_configuration(struct hone__iree_spec_reader *reader,
                                                const struct hone__iree_spec_matcher *matcher,
                                                const struct hone__iree_operation *operation,
                                                const char *key, const char *text)
{
  struct carrier *carrier;
  struct hone__mlir_attr attr;
  struct hone__text out = {0};
  hone_status status;

  if (!text) return NULL;
  carrier = hone__alloc(sizeof *carrier);
  carrier->reader = reader;
  carrier->matcher = matcher;
  carrier->operation = operation;
  carrier->mlir.path = key;
  carrier->mlir.text = text;
  carrier->mlir.size = strlen(text);
  status = hone__mlir_parse_attr(&reader->spec->mlir.arena, text, &attr);
  if (!status) visit(carrier, &attr);
  hone_status_free(status);
  if (carrier->edit_count) {
    hone__mlir_edit(&carrier->mlir, carrier->edits, carrier->edit_count, &out);
    text = hone__arena_strdup(&reader->spec->mlir.arena, out.data);
    hone__text_release(&out);
  }
  free(carrier);
  return text;
}
