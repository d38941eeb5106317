/* The dump's text is edited, not printed again: unknown parts stay unchanged. */
#include "iree/dispatch/dispatch.h"

#include "iree/dispatch/dispatch_dump.h"

#include <stdlib.h>

/* ---- A list of edits ---- */

struct edits {
  const struct hone__mlir *mlir;
  struct hone__arena texts;
  struct hone__mlir_edit *list;
  size_t count, capacity;
};

static void add_edit(struct edits *edits, struct hone__mlir_span span, const char *text)
{
  HONE__GROW(edits->list, edits->count, edits->capacity);
  edits->list[edits->count++] =
      (struct hone__mlir_edit){.span = span, .text = hone__arena_strdup(&edits->texts, text)};
}

static void insert(struct edits *edits, size_t at, const struct hone__text *text)
{
  add_edit(edits, (struct hone__mlir_span){at, at}, text->data ? text->data : "");
}

static void release_edits(struct edits *edits)
{
  hone__arena_release(&edits->texts);
  free(edits->list);
}

/* ---- Stripping ---- */

static const char *const chosen_keys[] = {"lowering_config", "translation_info", "compilation_info",
                                          "decomposition_config"};

static bool is_chosen(const char *key)
{
  for (size_t i = 0; i < sizeof chosen_keys / sizeof *chosen_keys; i++)
    if (key && strcmp(key, chosen_keys[i]) == 0) return true;
  return false;
}

static bool visit_strip(void *data, struct hone__mlir_op *op)
{
  struct edits *edits = data;

  for (size_t i = 0; i < op->attr_count; i++)
    if (is_chosen(op->attrs[i].key))
      add_edit(edits, hone__mlir_entry_span(edits->mlir, &op->attrs[i]), "");
  return true;
}

/* The model has no root_op, so a matcher of all attributes has none. */
static void strip_generic_root(struct edits *edits, struct hone__mlir *dump)
{
  struct hone__iree_operation operation;
  struct hone__text why = {0};

  if (hone__iree_operation_find(dump, &operation, &why) == HONE__IREE_TUNABLE &&
      operation.kind == HONE__IREE_GENERIC)
    for (size_t i = 0; i < operation.op->attr_count; i++)
      if (operation.op->attrs[i].key && strcmp(operation.op->attrs[i].key, "root_op") == 0)
        add_edit(edits, hone__mlir_entry_span(dump, &operation.op->attrs[i]), "");
  hone__text_release(&why);
}

/* ---- Another architecture ---- */

/* What a PTX for them needs at least; IREE's own list ends earlier. */
static const struct {
  const char *arch, *features;
} newer[] = {{"sm_90", "+ptx80"}, {"sm_90a", "+ptx80"}, {"sm_100", "+ptx86"}, {"sm_120", "+ptx87"}};

static const char *features_of(const char *arch)
{
  for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
    if (strcmp(newer[i].arch, arch) == 0) return newer[i].features;
  return NULL;
}

/* The text between the quotes after `words`; its end is given back. */
static const char *replace_quoted(struct edits *edits, const char *words, const char *with)
{
  size_t begin = (size_t)(words - edits->mlir->text), length = strcspn(words, "\"\n");

  if (with) add_edit(edits, (struct hone__mlir_span){begin, begin + length}, with);
  return words + length;
}

static void rewrite_arch(struct edits *edits, const char *arch)
{
  static const char mark[] = "<arch = \"", next[] = "\", features = \"";
  const char *at = edits->mlir->text;

  while ((at = strstr(at, mark)) != NULL) {
    at = replace_quoted(edits, at + strlen(mark), arch);
    if (hone__starts_with(at, next))
      at = replace_quoted(edits, at + strlen(next), features_of(arch));
  }
}

/* ---- Filling ---- */

static void fill_use(struct edits *edits, const struct hone__dispatch_use *use, size_t number,
                     uint64_t seed)
{
  struct hone__text text = {0};

  hone__text_add(&text, "\n    util.call ");
  hone__dispatch_fill_name(number, &text);
  hone__text_addf(&text, "(%s) : (!hal.buffer) -> ()", use->stored->operands[0]);
  insert(edits, use->stored->span.end, &text);
  hone__text_release(&text);
  hone__dispatch_write_fill(edits->mlir, use, number, seed, &text);
  if (number == 0) hone__dispatch_write_answer(use, &text);
  insert(edits, use->function->span.end, &text);
  hone__text_release(&text);
}

/* ---- Description ---- */

static const char *executable_of(const struct hone__mlir *mlir)
{
  const struct hone__mlir_op *op = hone__mlir_find(mlir->root, "hal.executable");

  return op && op->symbol ? op->symbol : "";
}

static void copy_bindings(const struct hone__dispatch_use *use,
                          struct hone__iree_dispatch *dispatch)
{
  size_t bytes = use->binding_count * sizeof *use->bindings;

  dispatch->bindings = hone__alloc(bytes + 1);
  if (bytes) memcpy(dispatch->bindings, use->bindings, bytes);
  dispatch->binding_count = use->binding_count;
  dispatch->buffer_size = use->buffer_size;
}

static bool writes_anything(const struct hone__dispatch_use *use)
{
  for (size_t i = 0; i < use->binding_count; i++)
    if (use->bindings[i].is_written) return true;
  return false;
}

static bool visit_root(void *data, struct hone__mlir_op *op)
{
  struct hone__iree_dispatch *dispatch = data;
  struct hone__text info = {0}, decomposition = {0};
  bool is_root =
      hone__mlir_attr(op, "root_op") && hone__iree_configuration(op, &info, &decomposition);

  if (is_root) {
    free(dispatch->choice);
    free(dispatch->choice_decomposition);
    dispatch->choice = hone__text_take(&info);
    dispatch->choice_decomposition = decomposition.length ? hone__text_take(&decomposition) : NULL;
  }
  hone__text_release(&info);
  hone__text_release(&decomposition);
  return true;
}

static void describe(const struct hone__mlir *mlir, const struct hone__dispatch_use *use,
                     struct hone__iree_dispatch *dispatch)
{
  const char *why = use->why_not;

  if (!why && !writes_anything(use)) why = "it writes nothing";
  dispatch->executable = hone__strdup(executable_of(mlir));
  dispatch->benchmark = hone__strdup(use->function->symbol);
  if (why)
    dispatch->why_unchecked = hone__strdup(why);
  else
    dispatch->answer = hone__strdup("hone_answer");
  copy_bindings(use, dispatch);
  hone__mlir_each(mlir->root, visit_root, dispatch);
}

/* ---- The whole ---- */

static bool is_prepared(const struct hone__mlir *mlir)
{
  return strstr(mlir->text, "@hone_fill") != NULL || strstr(mlir->text, "@hone_answer") != NULL;
}

hone_status hone__iree_dispatch_prepare(struct hone__mlir *dump, uint64_t seed, const char *arch,
                                        struct hone__iree_dispatch *out_dispatch)
{
  struct edits edits = {.mlir = dump};
  struct hone__dispatch_dump read;
  hone_status status;

  *out_dispatch = (struct hone__iree_dispatch){0};
  if (is_prepared(dump))
    return hone__error(HONE_INVALID_SPEC, "'%s' is already prepared: give the original dump",
                       dump->path);
  status = hone__dispatch_dump_read(dump, &read);
  if (status) return status;
  hone__mlir_each(dump->root, visit_strip, &edits);
  strip_generic_root(&edits, dump);
  if (arch) rewrite_arch(&edits, arch);
  for (size_t i = 0; i < read.count; i++)
    if (!read.uses[i].why_not) fill_use(&edits, &read.uses[i], i, seed);
  hone__mlir_edit(dump, edits.list, edits.count, &out_dispatch->text);
  describe(dump, &read.uses[0], out_dispatch);
  release_edits(&edits);
  hone__dispatch_dump_release(&read);
  return NULL;
}

void hone__iree_dispatch_release(struct hone__iree_dispatch *dispatch)
{
  free((char *)dispatch->executable);
  free((char *)dispatch->benchmark);
  free((char *)dispatch->answer);
  free((char *)dispatch->why_unchecked);
  free(dispatch->bindings);
  free(dispatch->choice);
  free(dispatch->choice_decomposition);
  hone__text_release(&dispatch->text);
  *dispatch = (struct hone__iree_dispatch){0};
}
