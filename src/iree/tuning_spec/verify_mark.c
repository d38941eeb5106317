/* verify_mark.c - a spec whose matchers can be distinguished by their effects.
 *
 * Matchers share actions, and the effect of an action does not identify its matcher. Every pair of
 * matcher and action therefore gets a copy of the action that also adds a mark.
 */
#include "iree/tuning_spec/verify.h"

#include <stdlib.h>

struct marking {
  const struct hone__iree_tuning_spec *spec;
  struct hone__mlir_edit *edits;
  char **texts; /* of the edits */
  size_t count, capacity;
};

static void add_edit(struct marking *marking, size_t begin, size_t end, struct hone__text *text)
{
  if (marking->count == marking->capacity) {
    marking->capacity = marking->capacity ? 2 * marking->capacity : 16;
    marking->edits = hone__realloc(marking->edits, marking->capacity * sizeof *marking->edits);
    marking->texts = hone__realloc(marking->texts, marking->capacity * sizeof *marking->texts);
  }
  marking->texts[marking->count] = hone__text_take(text);
  marking->edits[marking->count] =
      (struct hone__mlir_edit){{begin, end}, marking->texts[marking->count]};
  marking->count++;
}

static const struct hone__mlir_op *find_yield(const struct hone__mlir_op *action)
{
  for (size_t i = action->child_count; i-- > 0;)
    if (!strcmp(action->children[i]->name, "transform.yield")) return action->children[i];
  return NULL;
}

/* Adds the copy of the action for one matcher. */
static void add_action(struct marking *marking, const struct hone__mlir_op *action, size_t number,
                       struct hone__text *text)
{
  const struct hone__mlir *mlir = &marking->spec->mlir;
  const struct hone__mlir_op *yield = find_yield(action);
  struct hone__mlir_attr symbol = {.kind = HONE__MLIR_SYMBOL, .text = action->symbol};
  struct hone__text from = {0}, to = {0};
  struct hone__iree_spec_rename rename;

  hone__mlir_print_attr(&symbol, &from);
  hone__text_addf(&to, "@" HONE__SPEC_MARK "%zu", number);
  rename = (struct hone__iree_spec_rename){.from = from.data, .to = to.data};
  hone__text_add(text, "\n");
  hone__iree_spec_copy(mlir, (struct hone__mlir_span){action->span.begin, yield->span.begin},
                       &rename, 1, text);
  hone__text_addf(text, "transform.annotate %s \"" HONE__SPEC_MARK "%zu\" : !transform.any_op\n",
                  action->block_args[0], number);
  hone__iree_spec_copy(mlir, (struct hone__mlir_span){yield->span.begin, action->span.end}, &rename,
                       1, text);
  hone__text_release(&from);
  hone__text_release(&to);
}

/* The place of the action's name in the pair that the matcher stands in. */
static const struct hone__mlir_entry *find_pair(const struct hone__mlir_op *op,
                                                const struct hone__iree_spec_matcher *matcher)
{
  const struct hone__mlir_entry *before = NULL;
  bool is_action = false;

  for (size_t i = 0; i < op->attr_count; i++) {
    const struct hone__mlir_entry *entry = &op->attrs[i];
    if (entry->key || entry->value.kind != HONE__MLIR_SYMBOL) continue;
    if (is_action && !strcmp(before->value.text, matcher->name) &&
        !strcmp(entry->value.text, matcher->action))
      return entry;
    before = entry;
    is_action = !is_action;
  }
  return NULL;
}

static void mark_matcher(struct marking *marking, size_t number)
{
  const struct hone__iree_spec_matcher *matcher = &marking->spec->matchers[number];
  const struct hone__mlir_op *action = matcher->action_sequence;
  const struct hone__mlir_entry *entry = find_pair(matcher->pairs, matcher);
  struct hone__text text = {0};

  if (!action || !entry || !action->block_arg_count || !find_yield(action)) return;
  for (size_t i = 0; i < marking->count; i++) /* the same pair again is never reached */
    if (marking->edits[i].span.begin == entry->value.span.begin) return;
  hone__text_addf(&text, "@" HONE__SPEC_MARK "%zu", number);
  add_edit(marking, entry->value.span.begin, entry->value.span.end, &text);
  add_action(marking, action, number, &text);
  add_edit(marking, action->span.end, action->span.end, &text);
}

void hone__verify_mark(const struct hone__iree_tuning_spec *spec, struct hone__text *text)
{
  struct marking marking = {.spec = spec};

  for (size_t i = 0; i < spec->matcher_count; i++)
    mark_matcher(&marking, i);
  hone__mlir_edit(&spec->mlir, marking.edits, marking.count, text);
  for (size_t i = 0; i < marking.count; i++)
    free(marking.texts[i]);
  free(marking.edits);
  free(marking.texts);
}

bool hone__iree_spec_mark_read(const char *key, size_t *out_number)
{
  const size_t length = strlen(HONE__SPEC_MARK);

  if (!key || strncmp(key, HONE__SPEC_MARK, length) != 0) return false;
  *out_number = strtoul(key + length, NULL, 10);
  return true;
}
