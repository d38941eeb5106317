/* merge_print.c - matchers of several files as one module.
 *
 * Sequences are copied as they stand, with new names where two files use one for different things;
 * actions that are the same are written once. A matcher that was carried over from older words is
 * written anew; where only its configuration was, that is replaced in the copy.
 */
#include "iree/tuning_spec/merge.h"

#include <stdlib.h>

struct placed {                   /* a sequence that is in the new module */
  const struct hone__mlir_op *op; /* NULL: written anew */
  char *name;
  char *text; /* of actions: with another name, to find equal ones */
};

struct printer {
  struct hone__text *out;
  struct placed *placed;
  size_t count, capacity;
};

/* ---- Names ---- */

static bool is_taken(const struct printer *printer, const char *name)
{
  for (size_t i = 0; i < printer->count; i++)
    if (!strcmp(printer->placed[i].name, name)) return true;
  return !strcmp(name, "__kernel_config");
}

static const char *place(struct printer *printer, const struct hone__mlir_op *op,
                         const char *wanted)
{
  struct hone__text name = {0};
  char *symbol = hone__iree_tuning_spec_symbol(wanted);

  hone__text_add(&name, symbol);
  for (unsigned i = 0; is_taken(printer, name.data); i++) {
    name.length = 0;
    hone__text_addf(&name, "%s_%u", symbol, i);
  }
  free(symbol);
  HONE__GROW(printer->placed, printer->count, printer->capacity);
  printer->placed[printer->count] = (struct placed){.op = op, .name = hone__text_take(&name)};
  return printer->placed[printer->count++].name;
}

static const char *find_placed(const struct printer *printer, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < printer->count; i++)
    if (printer->placed[i].op == op) return printer->placed[i].name;
  return NULL;
}

/* ---- Copies ---- */

/* The symbol as it stands in the text. */
static char *written_symbol(const char *symbol)
{
  struct hone__mlir_attr attr = {.kind = HONE__MLIR_SYMBOL, .text = symbol};
  struct hone__text text = {0};

  hone__mlir_print_attr(&attr, &text);
  return hone__text_take(&text);
}

struct renames {
  struct hone__iree_spec_rename *data;
  size_t count, capacity;
};

static void add_rename(struct renames *renames, const char *symbol, const char *name)
{
  struct hone__text to = {0};

  hone__text_addf(&to, "@%s", name);
  HONE__GROW(renames->data, renames->count, renames->capacity);
  renames->data[renames->count++] =
      (struct hone__iree_spec_rename){.from = written_symbol(symbol), .to = hone__text_take(&to)};
}

static void release_renames(struct renames *renames)
{
  for (size_t i = 0; i < renames->count; i++) {
    free((char *)renames->data[i].from);
    free((char *)renames->data[i].to);
  }
  free(renames->data);
}

/* New names of all sequences of the module that are placed already. */
static void module_renames(const struct printer *printer, const struct hone__mlir_op *module,
                           struct renames *renames)
{
  for (size_t i = 0; i < printer->count; i++) {
    const struct hone__mlir_op *op = printer->placed[i].op;
    if (op && op->parent == module && op->symbol)
      add_rename(renames, op->symbol, printer->placed[i].name);
  }
}

/* The span of `op` but for what stands at `holes`, which is replaced. */
static void copy_with_holes(const struct hone__mlir *mlir, const struct hone__mlir_op *op,
                            const struct hone__mlir_edit *holes, size_t count,
                            const struct renames *renames, struct hone__text *text)
{
  struct hone__mlir_span rest = op->span;

  for (size_t i = 0; i < count; i++) {
    struct hone__mlir_span before = {rest.begin, holes[i].span.begin};
    if (holes[i].span.begin < rest.begin || holes[i].span.end > rest.end) continue;
    hone__iree_spec_copy(mlir, before, renames->data, renames->count, text);
    hone__text_add(text, holes[i].text);
    rest.begin = holes[i].span.end;
  }
  hone__iree_spec_copy(mlir, rest, renames->data, renames->count, text);
}

/* Everything that the sequence includes comes before it. */
static void print_sequence(struct printer *printer, const struct hone__mlir *mlir,
                           const struct hone__mlir_op *op, unsigned depth);

static void print_included(struct printer *printer, const struct hone__mlir *mlir,
                           const struct hone__mlir_op *op, unsigned depth)
{
  for (size_t i = 0; depth < 16 && i < op->child_count; i++) {
    const struct hone__mlir_op *child = op->children[i], *included;
    if (strcmp(child->name, "transform.include") != 0 || !child->symbol) continue;
    included = hone__iree_spec_symbol(op->parent, child->symbol);
    if (included && included != op) print_sequence(printer, mlir, included, depth + 1);
  }
}

static void print_copy(struct printer *printer, const struct hone__mlir *mlir,
                       const struct hone__mlir_op *op, const struct hone__mlir_edit *holes,
                       size_t count)
{
  struct renames renames = {0};

  module_renames(printer, op->parent, &renames);
  hone__text_add(printer->out, "  ");
  copy_with_holes(mlir, op, holes, count, &renames, printer->out);
  hone__text_add(printer->out, "\n");
  release_renames(&renames);
}

static void print_sequence(struct printer *printer, const struct hone__mlir *mlir,
                           const struct hone__mlir_op *op, unsigned depth)
{
  if (find_placed(printer, op)) return;
  print_included(printer, mlir, op, depth);
  place(printer, op, op->symbol);
  print_copy(printer, mlir, op, NULL, 0);
}

/* ---- Actions ---- */

/* The action's text under a name that all share, with single blanks. */
static char *nameless(const struct hone__mlir *mlir, const struct hone__mlir_op *op)
{
  struct renames renames = {0};
  struct hone__text copy = {0}, text = {0};

  add_rename(&renames, op->symbol, "action");
  hone__iree_spec_copy(mlir, op->span, renames.data, renames.count, &copy);
  for (size_t i = 0; i < copy.length; i++) {
    bool is_blank = strchr(" \n\t", copy.data[i]) != NULL;
    if (!is_blank || (text.length && text.data[text.length - 1] != ' '))
      hone__text_addn(&text, is_blank ? " " : copy.data + i, 1);
  }
  release_renames(&renames);
  hone__text_release(&copy);
  return hone__text_take(&text);
}

static const char *print_action(struct printer *printer, const struct hone__mlir *mlir,
                                const struct hone__mlir_op *op)
{
  const char *name = find_placed(printer, op);
  char *text;

  if (name) return name;
  text = nameless(mlir, op);
  for (size_t i = 0; i < printer->count; i++)
    if (printer->placed[i].text && !strcmp(printer->placed[i].text, text)) {
      free(text);
      return printer->placed[i].name;
    }
  print_sequence(printer, mlir, op, 0);
  printer->placed[printer->count - 1].text = text;
  return find_placed(printer, op);
}

static const char *print_new_action(struct printer *printer,
                                    const struct hone__iree_tuning_entry *entry)
{
  const char *wanted = hone__iree_tuning_entry_action(entry), *name;
  struct hone__text text = {0};

  hone__iree_tuning_spec_print_action(entry, "action", &text);
  for (size_t i = 0; i < printer->count; i++)
    if (!printer->placed[i].op && printer->placed[i].text &&
        !strcmp(printer->placed[i].text, text.data)) {
      hone__text_release(&text);
      return printer->placed[i].name;
    }
  name = place(printer, NULL, wanted);
  printer->placed[printer->count - 1].text = hone__text_take(&text);
  hone__iree_tuning_spec_print_action(entry, name, printer->out);
  return name;
}

/* ---- Matchers ---- */

static void add_hole(struct hone__mlir_edit *holes, size_t *count, struct hone__mlir_span span,
                     const char *text)
{
  if (!text || span.begin == span.end) return;
  if (*count && holes[0].span.begin > span.begin) {
    holes[1] = holes[0];
    holes[0] = (struct hone__mlir_edit){span, text};
  } else {
    holes[*count] = (struct hone__mlir_edit){span, text};
  }
  ++*count;
}

static const char *print_old_matcher(struct printer *printer, const struct hone__merge_item *item)
{
  const struct hone__iree_spec_matcher *matcher = item->matcher;
  struct hone__mlir_edit holes[2];
  size_t count = 0;
  const char *name;

  print_included(printer, &item->spec->mlir, matcher->sequence, 0);
  name = place(printer, matcher->sequence, matcher->sequence->symbol);
  if (matcher->is_carried) {
    add_hole(holes, &count, matcher->info_span, matcher->compilation_info);
    add_hole(holes, &count, matcher->decomposition_span, matcher->decomposition_config);
  }
  print_copy(printer, &item->spec->mlir, matcher->sequence, holes, count);
  return name;
}

static void print_item(struct printer *printer, const struct hone__merge_item *item,
                       const char **pair)
{
  const struct hone__iree_spec_matcher *matcher = item->matcher;
  const struct hone__iree_tuning_entry entry = {.name = matcher->name,
                                                .matcher = matcher->lines,
                                                .compilation_info = matcher->compilation_info,
                                                .decomposition_config =
                                                    matcher->decomposition_config};

  if (matcher->has_new_lines) {
    pair[1] = print_new_action(printer, &entry);
    pair[0] = place(printer, NULL, matcher->sequence->symbol);
    hone__iree_tuning_spec_print_matcher(&entry, pair[0], printer->out);
  } else {
    pair[1] = print_action(printer, &item->spec->mlir, matcher->action_sequence);
    pair[0] = find_placed(printer, matcher->sequence);
    if (!pair[0]) pair[0] = print_old_matcher(printer, item);
  }
}

void hone__merge_print(const struct hone__merge_item *items, size_t count, bool inserts_batch,
                       struct hone__text *text)
{
  struct printer printer = {.out = text};
  const char **pairs = hone__alloc((2 * count + 1) * sizeof *pairs);

  if (!count) {
    hone__iree_tuning_spec_placeholder(text);
  } else {
    hone__text_add(text, inserts_batch ? HONE__TUNING_PASS_MODULE : HONE__TUNING_MODULE);
    for (size_t i = 0; i < count; i++)
      print_item(&printer, &items[i], &pairs[2 * i]);
    hone__iree_tuning_spec_entry_point(pairs, count, inserts_batch, text);
  }
  for (size_t i = 0; i < printer.count; i++) {
    free(printer.placed[i].name);
    free(printer.placed[i].text);
  }
  free(printer.placed);
  free(pairs);
}
