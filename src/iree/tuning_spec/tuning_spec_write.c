/* tuning_spec_write.c - prints a tuning spec.
 *
 * A matcher has conditions on everything of the operation: kind, element types, maps, sizes. The
 * sizes are those of the operation, never padded ones, because padding happens after the spec. A
 * configured operation is not changed. The action adds a marker to the configuration, so that a
 * dump shows where the spec was applied.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- The matcher ---- */

static void add_maps(const struct hone__iree_operation *operation, struct hone__text *text)
{
  hone__text_add(text, ", indexing_maps = [");
  for (unsigned i = 0; i < operation->map_count; i++) {
    if (i) hone__text_add(text, ", ");
    hone__mlir_print_map(&operation->maps[i], text);
  }
  hone__text_add(text, "] : !transform.any_op -> !transform.param<i64>\n");
}

/* A role with an unknown size gets no condition. */
static void add_sizes(const struct hone__iree_operation *operation, const char *role,
                      struct hone__text *text)
{
  struct hone__iree_spec_dims dims;

  hone__iree_spec_role_sizes(operation, role, &dims);
  for (unsigned i = 0; i < dims.count; i++)
    if (dims.sizes[i] < 0) return;
  hone__text_addf(text, "    transform.iree.match.dims_equal %%%s, [", role);
  for (unsigned i = 0; i < dims.count; i++)
    hone__text_addf(text, "%s%lld", i ? ", " : "", (long long)dims.sizes[i]);
  hone__text_add(text, "] : !transform.param<i64>\n");
}

static void add_match(const struct hone__iree_operation *operation, struct hone__text *text)
{
  const struct hone__iree_spec_kind *kind = hone__iree_spec_kind_of(operation);

  for (unsigned i = 0; kind->roles[i]; i++)
    hone__text_addf(text, "%s%%%s", i ? ", " : "    ", kind->roles[i]);
  hone__text_addf(text, " = transform.iree.match.%s %%arg0", kind->what);
  for (unsigned i = 0; kind->types[i]; i++)
    if (*kind->types[i]) hone__text_addf(text, ", %s = %s", kind->types[i], operation->types[i]);
  add_maps(operation, text);
  for (unsigned i = 0; kind->roles[i]; i++)
    add_sizes(operation, kind->roles[i], text);
}

void hone__iree_tuning_spec_operand_type(unsigned operand, const char *type,
                                         struct hone__text *text)
{
  hone__text_addf(text,
                  "    %%operand_%u = transform.get_operand %%arg0[%u] : (!transform.any_op) -> "
                  "!transform.any_value\n",
                  operand, operand);
  if (type)
    hone__text_addf(text,
                    "    transform.iree.match.cast_compatible_type %%operand_%u = %s : "
                    "!transform.any_value\n",
                    operand, type);
}

/* IREE's matchers of attention do not support a mask: then the types of all operands are
 * conditions. */
static void add_masked_attention(const struct hone__mlir_op *op, struct hone__text *text)
{
  static const char *const words[] = {"ins", "outs"};
  unsigned operand = 0;

  hone__text_addf(text, "    transform.match.operation_name %%arg0 [\"%s\"] : !transform.any_op\n",
                  op->name);
  for (size_t c = 0; c < 2; c++) {
    const struct hone__mlir_clause *clause = hone__mlir_clause(op, words[c]);
    for (size_t i = 0; clause && i < clause->type_count; i++, operand++)
      hone__iree_tuning_spec_operand_type(operand, clause->types[i].text, text);
  }
}

void hone__iree_tuning_spec_matcher(const struct hone__iree_operation *operation,
                                    struct hone__text *text)
{
  hone__text_add(text,
                 "    transform.iree.match.has_no_lowering_config %arg0 : !transform.any_op\n");
  if (operation->kind == HONE__IREE_ATTENTION && operation->has_mask && operation->op)
    add_masked_attention(operation->op, text);
  else if (operation->fusion)
    hone__iree_tuning_spec_fused(operation->fusion, text);
  else if (operation->kind == HONE__IREE_GENERIC)
    hone__iree_tuning_spec_single(operation, text);
  else
    add_match(operation, text);
}

/* ---- The module ---- */

#define ANY_OP    "!transform.any_op"
#define ANY_PARAM "!transform.any_param"

enum { MAX_PARAMS = 2 };

static const char *const keys[MAX_PARAMS] = {"compilation_info", "decomposition_config"};
static const char *const values[MAX_PARAMS] = {"config", "decomposition"};
/* By what is annotated: bit 0 compilation_info, bit 1 decomposition_config. */
static const char *const actions[1 << MAX_PARAMS] = {
    "keep_op_config", "apply_op_config", "apply_decomposition_config", "apply_attention_config"};

static bool is_given(const char *string)
{
  return string && *string;
}

static unsigned params_of(const struct hone__iree_tuning_entry *entry)
{
  return (unsigned)is_given(entry->compilation_info) |
         (unsigned)is_given(entry->decomposition_config) << 1;
}

/* The operations that the entry configures; only the first without a configuration. */
static void read_handles(const struct hone__iree_tuning_entry *entry,
                         struct hone__iree_spec_handles *handles)
{
  hone__iree_spec_handles(entry->matcher, handles);
  if (params_of(entry) != 1) handles->count = 1;
}

const char *hone__iree_tuning_entry_action(const struct hone__iree_tuning_entry *entry)
{
  static const char *const several[HONE__IREE_MAX_FUSED + 1] = {
      [2] = "apply_2_configs", [3] = "apply_3_configs", [4] = "apply_4_configs",
      [5] = "apply_5_configs", [6] = "apply_6_configs", [7] = "apply_7_configs",
      [8] = "apply_8_configs"};
  struct hone__iree_spec_handles handles;

  read_handles(entry, &handles);
  return handles.count > 1 ? several[handles.count] : actions[params_of(entry)];
}

static void print_arguments(unsigned operations, unsigned params, struct hone__text *text)
{
  hone__text_add(text, "(");
  for (unsigned i = 0; i < operations + params; i++)
    hone__text_addf(text, "%s%%arg%u: %s {transform.readonly}", i ? ", " : "", i,
                    i < operations ? ANY_OP : ANY_PARAM);
  hone__text_add(text, ") {\n");
}

static void print_annotation(unsigned operation, const char *key, unsigned param,
                             struct hone__text *text)
{
  hone__text_addf(text,
                  "    transform.annotate %%arg%u \"%s\" = %%arg%u : " ANY_OP ", " ANY_PARAM "\n",
                  operation, key, param);
}

void hone__iree_tuning_spec_print_action(const struct hone__iree_tuning_entry *entry,
                                         const char *name, struct hone__text *text)
{
  const unsigned params = params_of(entry);
  struct hone__iree_spec_handles handles;
  unsigned argument;

  read_handles(entry, &handles);
  argument = handles.count;
  hone__text_addf(text, "  transform.named_sequence @%s", name);
  print_arguments(handles.count, (params & 1) + (params >> 1) + handles.count - 1, text);
  for (unsigned i = 0; i < MAX_PARAMS; i++)
    if (params >> i & 1) print_annotation(0, keys[i], argument++, text);
  for (unsigned i = 1; i < handles.count; i++)
    print_annotation(i, "lowering_config", argument++, text);
  hone__text_add(text, "    transform.annotate %arg0 \"" HONE__TUNING_MARKER "\" : " ANY_OP "\n"
                       "    transform.yield\n  }\n");
}

/* Each of them once. */
static void print_actions(const struct hone__iree_tuning_entry *entries, size_t count,
                          struct hone__text *text)
{
  for (size_t i = 0; i < count; i++) {
    const char *name = hone__iree_tuning_entry_action(&entries[i]);
    size_t first = 0;
    while (strcmp(hone__iree_tuning_entry_action(&entries[first]), name) != 0)
      first++;
    if (first == i) hone__iree_tuning_spec_print_action(&entries[i], name, text);
  }
}

/* A name for a value that the matcher's lines do not use. */
static void free_value(const char *matcher, const char *wanted, struct hone__text *name)
{
  unsigned i;

  hone__text_addf(name, "%%%s", wanted);
  for (i = 0; strstr(matcher, name->data); i++) {
    name->length = 0;
    hone__text_addf(name, "%%%s_%u", wanted, i);
  }
}

/* "%op_1, %arg0, %config, %arg0_tiles" */
struct yielded {
  struct hone__text values, types;
};

static void add_yielded(struct yielded *yielded, const char *value, const char *type)
{
  hone__text_addf(&yielded->values, "%s%s", yielded->values.length ? ", " : "", value);
  hone__text_addf(&yielded->types, "%s%s", yielded->types.length ? ", " : "", type);
}

static void add_params(const struct hone__iree_tuning_entry *entry, struct yielded *yielded,
                       struct hone__text *lines)
{
  const char *params[MAX_PARAMS] = {entry->compilation_info, entry->decomposition_config};

  for (unsigned i = 0; i < MAX_PARAMS; i++) {
    struct hone__text value = {0};
    if (!is_given(params[i])) continue;
    free_value(entry->matcher, values[i], &value);
    hone__text_addf(lines, "    %s = transform.param.constant %s -> " ANY_PARAM "\n", value.data,
                    params[i]);
    add_yielded(yielded, value.data, ANY_PARAM);
    hone__text_release(&value);
  }
}

static void add_tiles(const struct hone__iree_spec_handles *handles, struct yielded *yielded)
{
  for (unsigned i = 1; i < handles->count; i++) {
    struct hone__text value = {0};
    hone__iree_spec_handle_tiles(handles->names[i], &value);
    add_yielded(yielded, value.data, ANY_PARAM);
    hone__text_release(&value);
  }
}

void hone__iree_tuning_spec_print_matcher(const struct hone__iree_tuning_entry *entry,
                                          const char *name, struct hone__text *text)
{
  struct hone__iree_spec_handles handles;
  struct yielded yielded = {{0}, {0}};
  struct hone__text lines = {0};

  read_handles(entry, &handles);
  if (handles.count > 1)
    hone__iree_spec_fill_tiles(entry->matcher, entry->compilation_info, &lines);
  else
    hone__text_add(&lines, entry->matcher);
  for (unsigned i = 0; i < handles.count; i++)
    add_yielded(&yielded, handles.names[i], ANY_OP);
  add_params(entry, &yielded, &lines);
  add_tiles(&handles, &yielded);
  hone__text_addf(text,
                  "  transform.named_sequence @%s(%%arg0: " ANY_OP
                  " {transform.readonly}) -> (%s) {\n%s    transform.yield %s : %s\n  }\n",
                  name, yielded.types.data, lines.data, yielded.values.data, yielded.types.data);
  hone__text_release(&yielded.values);
  hone__text_release(&yielded.types);
  hone__text_release(&lines);
}

void hone__iree_tuning_spec_entry_point(const char *const *pairs, size_t count, bool inserts_batch,
                                        struct hone__text *text)
{
  size_t i;

  hone__text_add(text, "  transform.named_sequence @__kernel_config(%arg0: " ANY_OP
                       " {transform.consumed}) -> " ANY_OP
                       " attributes {iree_codegen.tuning_spec_entrypoint} {\n");
  if (inserts_batch)
    hone__text_add(text, "    %batched = transform.apply_registered_pass \"" HONE__TUNING_BATCH_PASS
                         "\" to %arg0 : (" ANY_OP ") -> " ANY_OP "\n");
  hone__text_addf(text, "    %%updated_root = transform.foreach_match in %s\n",
                  inserts_batch ? "%batched" : "%arg0");
  for (i = 0; i < count; i++)
    hone__text_addf(text, "        @%s -> @%s%s", pairs[2 * i], pairs[2 * i + 1],
                    i + 1 < count ? ",\n" : "\n");
  hone__text_add(text, "      : (" ANY_OP ") -> " ANY_OP "\n"
                       "    transform.yield %updated_root : " ANY_OP "\n  }\n}\n");
}

void hone__iree_tuning_spec_placeholder(struct hone__text *text)
{
  hone__text_add(text, "module attributes {transform.with_named_sequence} {\n"
                       "  transform.named_sequence @__kernel_config(%arg0: " ANY_OP
                       " {transform.readonly}) -> " ANY_OP
                       " attributes {iree_codegen.tuning_spec_entrypoint} {\n"
                       "    transform.yield %arg0 : " ANY_OP "\n  }\n}\n");
}

/* Hone's own matchers alone are meant: those of others come with their entry points. */
bool hone__iree_tuning_entry_needs_batch(const struct hone__iree_tuning_entry *entry)
{
  const char *pattern = strstr(entry->matcher, "cast_compatible_dag_from_root");

  if (!is_given(entry->compilation_info) || !strstr(entry->compilation_info, "#iree_cpu."))
    return false;
  if (pattern) return strstr(pattern, " + d") != NULL; /* a window in a map */
  return strstr(entry->matcher, "transform.iree.match.convolution ") &&
         strstr(entry->matcher, "dims_equal %batch_dims, [1] ");
}

static bool any_needs_batch(const struct hone__iree_tuning_entry *entries, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (hone__iree_tuning_entry_needs_batch(&entries[i])) return true;
  return false;
}

/* ---- Names ---- */

char *hone__iree_tuning_spec_symbol(const char *wanted)
{
  char *symbol = hone__strdup(is_given(wanted) ? wanted : "op"), *at;

  for (at = symbol; *at; at++)
    if (!isalnum((unsigned char)*at) && *at != '_') *at = '_';
  return symbol;
}

static bool is_taken(char *const *names, size_t count, const char *name)
{
  size_t i;

  for (i = 0; i < count; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

/* "match_NAME", with a number after it if another entry has that. */
static char *matcher_name(char *const *names, size_t count, const char *wanted)
{
  struct hone__text name = {0};
  char *symbol = hone__iree_tuning_spec_symbol(wanted);
  unsigned i;

  hone__text_addf(&name, "match_%s", symbol);
  for (i = 0; is_taken(names, count, name.data); i++) {
    name.length = 0;
    hone__text_addf(&name, "match_%s_%u", symbol, i);
  }
  free(symbol);
  return hone__text_take(&name);
}

void hone__iree_tuning_spec_print(const struct hone__iree_tuning_entry *entries, size_t count,
                                  struct hone__text *text)
{
  char **names = hone__alloc((count + 1) * sizeof *names);
  const char **pairs = hone__alloc((2 * count + 1) * sizeof *pairs);
  const bool inserts_batch = any_needs_batch(entries, count);
  size_t i;

  if (!count) {
    hone__iree_tuning_spec_placeholder(text);
  } else {
    hone__text_add(text, inserts_batch ? HONE__TUNING_PASS_MODULE : HONE__TUNING_MODULE);
    print_actions(entries, count, text);
    for (i = 0; i < count; i++) {
      names[i] = matcher_name(names, i, entries[i].name);
      hone__iree_tuning_spec_print_matcher(&entries[i], names[i], text);
      pairs[2 * i] = names[i];
      pairs[2 * i + 1] = hone__iree_tuning_entry_action(&entries[i]);
    }
    hone__iree_tuning_spec_entry_point(pairs, count, inserts_batch, text);
  }
  for (i = 0; i < count; i++)
    free(names[i]);
  free(names);
  free(pairs);
}
