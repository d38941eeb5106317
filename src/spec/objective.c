/* What is tuned for: time, energy, or metrics; up to three at once. */
#include "spec/rules.h"

const struct hone__rule hone__objective_rules[] = {
    {"maximise", .takes = HONE__TAKES_TEXT, .form = 1,
     HONE__RULE_DOC(NULL, "maximise: GFLOP/s", "A metric that is to be large.")},
    {"minimise", .takes = HONE__TAKES_TEXT, .form = 2,
     HONE__RULE_DOC(NULL, "minimise: error", "A metric that is to be small.")},
    {0},
};

/* ---- One ---- */

static bool takes_joules(const char *formula)
{
  return strstr(formula, "energy_j") || strstr(formula, "power_w");
}

/* The number of a metric; SIZE_MAX: there is none of this name, or its formula is wrong. */
static size_t find_metric(const struct hone_spec *spec, const char *name)
{
  for (size_t i = 0; i < spec->metric_count; i++)
    if (strcmp(spec->metrics[i].name, name) == 0) return i;
  return SIZE_MAX;
}

/* Looks at the file's own keys: a metric whose expression is wrong has been reported already. */
static bool check_name(struct hone__loader *loader, const struct hone__node *node, bool maximise)
{
  const struct hone__node *metrics = hone__node_get(loader->root, "metrics");
  size_t count = metrics && metrics->kind == HONE__MAPPING ? metrics->count : 0, used = 0;
  const char **names = hone__arena_alloc(&loader->diagnostics->arena, (count + 3) * sizeof *names);

  for (size_t i = 0; i < count; i++)
    names[used++] = metrics->pairs[i].key->text;
  if (!maximise) names[used++] = "time";
  if (!maximise) names[used++] = "energy";
  if (hone__spec_is_one_of(node->text, names)) return true;
  if (strcmp(node->text, "time") == 0 || strcmp(node->text, "energy") == 0)
    hone__loader_error(loader, node, "%s is minimised; only a metric can be maximised", node->text);
  else
    hone__loader_error(loader, node, "unknown metric '%s'%s", node->text,
                       hone__suggest_word(loader, node->text, names));
  return false;
}

/* Of several files the first says what is tuned for. */
static void add_objective(struct hone__loader *loader, const struct hone__node *node, bool maximise)
{
  struct hone_spec *spec = loader->spec;
  struct hone__objective objective = {.name = node->text, .maximise = maximise};

  if (!check_name(loader, node, maximise)) return;
  if (loader->file || spec->objective_count == HONE__MOST_OBJECTIVES) return;
  objective.metric = find_metric(spec, node->text);
  objective.is_energy = objective.metric == SIZE_MAX
                            ? strcmp(node->text, "energy") == 0
                            : takes_joules(spec->metrics[objective.metric].text);
  spec->objectives[spec->objective_count++] = objective;
}

/* METRIC, or that of {maximise: METRIC}; NULL: it is neither. */
static const struct hone__node *word_of(const struct hone__node *node, bool *out_maximise)
{
  const struct hone__node *word = node;

  *out_maximise = node->kind == HONE__MAPPING && hone__node_get(node, "maximise");
  if (node->kind == HONE__MAPPING)
    word = hone__node_get(node, *out_maximise ? "maximise" : "minimise");
  return word && word->kind == HONE__SCALAR ? word : NULL;
}

void hone__objective_load(struct hone__loader *loader, const struct hone__node *node)
{
  bool maximise;
  const struct hone__node *word = word_of(node, &maximise);

  if (word)
    add_objective(loader, word, maximise);
  else
    hone__loader_error(loader, node, "an objective is a metric, or {maximise: METRIC}");
}

void hone__objective_load_maximise(struct hone__loader *loader, const struct hone__node *node)
{
  add_objective(loader, node, true);
}

/* ---- All of them ---- */

void hone__spec_objectives_check(struct hone__loader *loader, const struct hone__node *list)
{
  bool maximise;

  for (size_t i = 1; i < list->count; i++) {
    const struct hone__node *word = word_of(list->items[i], &maximise);
    for (size_t k = 0; word && k < i; k++) {
      const struct hone__node *other = word_of(list->items[k], &maximise);
      if (!other || strcmp(other->text, word->text) != 0) continue;
      hone__loader_error(loader, word, "'%s' is already an objective", word->text);
      break;
    }
  }
}

/* Joules are measured once for a candidate, which proves nothing: time is an objective, too. */
void hone__spec_objectives_add_proof(struct hone__loader *loader)
{
  struct hone_spec *spec = loader->spec;

  if (loader->file || !spec->objective_count) return;
  for (size_t i = 0; i < spec->objective_count; i++)
    if (!spec->objectives[i].is_energy) return;
  if (spec->objective_count == HONE__MOST_OBJECTIVES)
    hone__loader_error(loader, hone__node_get(loader->root, "objective"),
                       "all objectives depend on energy, which is measured once per candidate; a "
                       "verdict needs time or a metric of time");
  else
    spec->objectives[spec->objective_count++] =
        (struct hone__objective){.name = "time", .metric = SIZE_MAX};
}
