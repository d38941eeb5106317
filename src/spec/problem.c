/* The problem's sizes: every combination of them is a problem, with its own space. */
#include "spec/loader.h"

enum { MOST_PROBLEMS = 10000, MOST_SIZES = 100 };

struct size_axis {
  struct hone__place place;
  const char *name;
  struct hone__item *items;
  size_t count;
};

static bool lookup_size(void *data, const char *name, struct hone_value *out_value)
{
  const struct hone__problem *problem = data;

  for (size_t i = 0; i < problem->count; i++) {
    if (strcmp(problem->names[i], name) == 0) {
      *out_value = problem->values[i];
      return true;
    }
  }
  return false;
}

static const char *problem_text(struct hone__arena *arena, const struct hone__problem *problem)
{
  struct hone__text text = {0};
  const char *copy;

  for (size_t i = 0; i < problem->count; i++) {
    hone__text_addf(&text, "%s%s=", i ? " " : "", problem->names[i]);
    hone__value_print(problem->values[i], &text);
  }
  copy = hone__arena_strdup(arena, text.data ? text.data : "");
  hone__text_release(&text);
  return copy;
}

static void push_problem(struct hone_spec *spec, const struct hone__problem *problem,
                         size_t *capacity)
{
  struct hone__problem *grown;

  if (spec->problem_count == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 8;
    grown = hone__arena_alloc(&spec->arena, *capacity * sizeof *grown);
    if (spec->problem_count) memcpy(grown, spec->problems, spec->problem_count * sizeof *grown);
    spec->problems = grown;
  }
  spec->problems[spec->problem_count] = *problem;
  spec->problems[spec->problem_count++].text = problem_text(&spec->arena, problem);
}

/* Of several words, or left open by 'hone init'. */
static bool is_no_size(const char *text)
{
  return strpbrk(text, " ,=") || strcmp(text, "TODO") == 0;
}

/* One combination of the axes' values, `number` counting with the last axis fastest. Sizes may be
 * expressions over the sizes before them. */
static bool combine_sizes(struct hone__loader *loader, const struct size_axis *axes, size_t count,
                          size_t number, struct hone__problem *out_problem)
{
  struct hone__arena *arena = &loader->spec->arena;
  struct hone__problem problem = {
      .names = hone__arena_alloc(arena, (count + 1) * sizeof(char *)),
      .values = hone__arena_alloc(arena, (count + 1) * sizeof(struct hone_value))};
  size_t *picks = hone__arena_alloc(arena, (count + 1) * sizeof *picks);

  for (size_t i = count; i-- > 0;) {
    picks[i] = number % axes[i].count;
    number /= axes[i].count;
  }
  for (size_t i = 0; i < count; i++) {
    const struct hone__item *item = &axes[i].items[picks[i]];
    struct hone__evaluator evaluator = {
        .arena = arena, .work = &loader->spec->work, .lookup = lookup_size, .data = &problem};
    problem.names[i] = axes[i].name;
    problem.values[i] = item->value;
    if (item->formula && !hone__evaluate(&evaluator, item->formula->expr, &problem.values[i])) {
      hone__report(loader->diagnostics, HONE__ERROR, loader->source,
                   hone__formula_place(item->formula, evaluator.culprit->begin), "%s%s",
                   hone__fault_message(&evaluator, item->formula->text, arena),
                   evaluator.fault == HONE__FAULT_NAME
                       ? "; a size can use only the sizes defined before it"
                       : "");
      return false;
    }
    if (problem.values[i].type == HONE_TEXT && is_no_size(problem.values[i].text)) {
      hone__report(loader->diagnostics, HONE__ERROR, loader->source, axes[i].place,
                   "a size is a number or a word, not '%.80s'", problem.values[i].text);
      return false;
    }
    problem.count++;
  }
  *out_problem = problem;
  return true;
}

static void add_size_name(struct hone_spec *spec, const char *name)
{
  size_t count = spec->size_name_count;

  if (hone__spec_has_size(spec, name)) return;
  if ((count & (count - 1)) == 0) { /* full at 0, 1, 2, 4 ... */
    const char **grown = hone__arena_alloc(&spec->arena, (count ? 2 * count : 1) * sizeof *grown);
    if (count) memcpy(grown, spec->size_names, count * sizeof *grown);
    spec->size_names = grown;
  }
  spec->size_names[spec->size_name_count++] = name;
}

static void load_sizes(struct hone__loader *loader, const struct hone__node *node, size_t *capacity)
{
  struct hone_spec *spec = loader->spec;
  struct size_axis *axes = hone__arena_alloc(&spec->arena, (node->count + 1) * sizeof *axes);
  struct hone__problem problem;
  size_t total = 1;
  bool ok = true;

  if (node->count > MOST_SIZES) {
    hone__loader_error(loader, node, "more than %d sizes", MOST_SIZES);
    return;
  }
  for (size_t i = 0; i < node->count; i++) /* known to expressions even where they are wrong */
    add_size_name(spec, node->pairs[i].key->text);
  for (size_t i = 0; i < node->count; i++) {
    const char *name = node->pairs[i].key->text;
    const char *what = hone__arena_printf(&spec->arena, "size '%s'", name);
    axes[i].name = name;
    axes[i].place = node->pairs[i].value->place;
    ok =
        hone__values_load(loader, node->pairs[i].value, what, &axes[i].items, &axes[i].count) && ok;
    if (axes[i].count && total > MOST_PROBLEMS / axes[i].count) {
      hone__loader_error(loader, node, "more than %d problems", MOST_PROBLEMS);
      ok = false;
      break;
    }
    total *= axes[i].count;
  }
  for (size_t i = 0; i < total && ok; i++) {
    ok = combine_sizes(loader, axes, node->count, i, &problem);
    if (ok) push_problem(spec, &problem, capacity);
  }
}

void hone__problems_load(struct hone__loader *loader)
{
  const struct hone__node *node = hone__node_get(loader->root, "problem");
  size_t capacity = 0;

  if (node && node->kind == HONE__MAPPING) {
    load_sizes(loader, node, &capacity);
  } else if (node && node->kind == HONE__SEQUENCE && node->count) {
    for (size_t i = 0; i < node->count; i++) {
      if (node->items[i]->kind == HONE__MAPPING)
        load_sizes(loader, node->items[i], &capacity);
      else
        hone__loader_error(loader, node->items[i], "expected a mapping of sizes, found %s",
                           hone__node_kind_name(node->items[i]));
    }
  } else if (node) {
    hone__loader_error(loader, node,
                       "'problem' must be a mapping of sizes or a list of them, found %s",
                       hone__node_kind_name(node));
  }
  if (loader->spec->problem_count == 0)
    push_problem(loader->spec, &(struct hone__problem){0}, &capacity);
}
