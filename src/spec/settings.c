/* The settings of a spec, as tables that schema.c walks, and the few checks that need more than one
 * key. Nothing but the metrics is kept here: later stages read the nodes. */
#include "spec/schema.h"

#define AT_LEAST(number)     .low = (number), .high = INFINITY
#define FROM_TO(first, last) .low = (first), .high = (last)
#define NAMED_BY(word_list)  .takes = HONE_TAKES_WORD, .words = (word_list)

enum {
  /* Inputs are made once for a problem and shared by all its candidates. */
  NAMES_OF_INPUTS = HONE_NAMES_PROBLEM | HONE_NAMES_DEVICE,
  NAMES_OF_CANDIDATE = NAMES_OF_INPUTS | HONE_NAMES_PARAMS | HONE_NAMES_DERIVED,
  NAMES_OF_RESULT = NAMES_OF_CANDIDATE | HONE_NAMES_RESULTS,
  MOST_ARGS = 1000,
  MOST_VALUES_SHOWN = 12
};

static const char *const backends[] = {"c", "program", "opencl", "cuda", "iree", "sim", NULL};
static const char *const types[] = {"f16", "bf16", "f32", "f64", "i8",   "i16",    "i32",    "i64",
                                    "u8",  "u16",  "u32", "u64", "bool", "f8e4m3", "f8e5m2", NULL};
static const char *const roles[] = {"in", "out", "inout", NULL};
static const char *const fills[] = {"auto", "integer", "uniform",  "normal", "randn", "zero",
                                    "one",  "arange",  "constant", "file",   NULL};
static const char *const clocks[] = {"wall", "cpu", NULL};
static const char *const timings[] = {"iree", "rocprof", NULL};
static const char *const caches[] = {"hot", "cold", NULL};
static const char *const modes[] = {"process", "library", NULL};
static const char *const units[] = {"ns", "us", "ms", "s", NULL};
static const char *const only_auto[] = {"auto", NULL};
static const char *const only_baseline[] = {"baseline", NULL};
static const char *const strategies[] = {"auto",      "exhaustive", "random",       "ordered",
                                         "annealing", "genetic",    "differential", "local",
                                         "surrogate", NULL};
static const char *const result_names[] = {"time", "time_ns", "time_us", "time_ms", "time_s", NULL};

/* ---- Checks beyond the tables ---- */

static const char *text_of(const struct hone_node *mapping, const char *key)
{
  const struct hone_node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE_SCALAR ? node->text : NULL;
}

/* Which fills a key belongs to, and whether they are nothing without it. */
static const struct fill_key {
  const char *key;
  bool required;
  const char *fills[4];
} fill_keys[] = {
    {"low", false, {"auto", "integer", "uniform"}},
    {"high", false, {"auto", "integer", "uniform"}},
    {"range", false, {"auto", "integer", "uniform"}},
    {"value", true, {"constant"}},
    {"file", true, {"file"}},
};

static void check_fill(struct hone_loader *loader, const struct hone_node *holder, const char *fill)
{
  for (size_t i = 0; i < sizeof fill_keys / sizeof *fill_keys; i++) {
    const struct fill_key *row = &fill_keys[i];
    const struct hone_node *node = hone__node_get(holder, row->key);
    bool belongs = hone__is_one_of(fill, row->fills);
    if (node && !belongs)
      hone__loader_error(loader, node, "'%s' is of no use to fill '%s'", row->key, fill);
    if (!node && belongs && row->required)
      hone__loader_error(loader, holder, "fill '%s' needs '%s' beside it", fill, row->key);
  }
}

static void check_fill_mapping(struct hone_loader *loader, const struct hone_node *node)
{
  if (node->kind == HONE_MAPPING) check_fill(loader, node, text_of(node, "kind"));
}

static void check_range(struct hone_loader *loader, const struct hone_node *range)
{
  double low, high;

  if (range->count == 2 && hone__node_number(range->items[0], &low) &&
      hone__node_number(range->items[1], &high) && low > high)
    hone__loader_error(loader, range, "this range is empty: %g is more than %g", low, high);
}

static void refuse(struct hone_loader *loader, const struct hone_node *arg, const char *const *keys,
                   const char *why)
{
  for (; *keys; keys++)
    if (hone__node_get(arg, *keys))
      hone__loader_error(loader, hone__node_get(arg, *keys), "'%s' %s", *keys, why);
}

static void check_scalar_arg(struct hone_loader *loader, const struct hone_node *arg)
{
  static const char *const of_tensors[] = {"fill", "range", "file", NULL};
  const char *name = text_of(arg, "name"), *role = text_of(arg, "role");

  if (!hone__node_get(arg, "value"))
    hone__loader_error(loader, arg, "argument '%s' needs a 'shape' (a tensor) or a 'value'", name);
  refuse(loader, arg, of_tensors, "is for tensors, but this argument has no 'shape'");
  if (role && strcmp(role, "in") != 0)
    hone__loader_error(loader, hone__node_get(arg, "role"),
                       "argument '%s' has no 'shape': a scalar can only be an input", name);
}

static void check_tensor_arg(struct hone_loader *loader, const struct hone_node *arg)
{
  static const char *const of_inputs[] = {"fill", "range", "value", "file", NULL};
  const struct hone_node *fill = hone__node_get(arg, "fill");
  const char *role = text_of(arg, "role");

  if (role && strcmp(role, "out") == 0)
    refuse(loader, arg, of_inputs, "is for inputs; with role 'inout' an output starts from it");
  else if (fill && fill->kind == HONE_MAPPING)
    refuse(loader, arg, of_inputs + 1, "belongs into the mapping under 'fill'");
  else if (fill)
    check_fill(loader, arg, fill->text);
  else
    check_fill(loader, arg,
               hone__node_get(arg, "value")  ? "constant"
               : hone__node_get(arg, "file") ? "file"
                                             : "auto");
}

static void check_arg(struct hone_loader *loader, const struct hone_node *arg)
{
  if (hone__node_get(arg, "shape"))
    check_tensor_arg(loader, arg);
  else
    check_scalar_arg(loader, arg);
}

static void check_arg_names(struct hone_loader *loader, const struct hone_node *args)
{
  const struct hone_node *names[MOST_ARGS] = {0};

  for (size_t i = 0; i < args->count; i++) {
    names[i] = hone__node_get(args->items[i], "name");
    if (names[i] && names[i]->kind != HONE_SCALAR) names[i] = NULL;
    for (size_t k = 0; names[i] && k < i; k++)
      if (names[k] && strcmp(names[i]->text, names[k]->text) == 0)
        hone__loader_error(loader, names[i], "argument '%s' stands twice", names[i]->text);
  }
}

static void check_npy(struct hone_loader *loader, const struct hone_node *file)
{
  size_t length = strlen(file->text);

  if (length < 4 || strcmp(file->text + length - 4, ".npy") != 0)
    hone__loader_error(loader, file, "'files' is a list of .npy files, one for each output");
}

static void check_reference(struct hone_loader *loader, const struct hone_node *node)
{
  if (node->kind == HONE_MAPPING && !hone__node_get(node, "file") &&
      !hone__node_get(node, "command") && !hone__node_get(node, "files"))
    hone__loader_error(loader, node, "'reference' needs 'file', 'command' or 'files'");
}

/* ---- Metrics and what is made of them ---- */

static void load_metric(struct hone_loader *loader, const struct hone_pair *pair)
{
  struct hone_spec *spec = loader->spec;
  const char *name = pair->key->text;
  const struct hone_rule rule = {name, .takes = HONE_TAKES_NUMBER | HONE_TAKES_FORMULA,
                                 .names = NAMES_OF_RESULT};
  struct hone_formula formula;

  if (!*name)
    hone__loader_error(loader, pair->key, "a metric without a name");
  else if (hone__is_one_of(name, result_names))
    hone__loader_error(loader, pair->key, "'%s' is measured: a metric needs another name", name);
  else if (hone__schema_formula(loader, &rule, pair->value, &formula)) {
    formula.name = name;
    spec->metrics[spec->metric_count++] = formula;
  }
}

static void load_metrics(struct hone_loader *loader, const struct hone_node *node)
{
  struct hone_spec *spec = loader->spec;

  spec->metrics = hone__arena_alloc(&spec->arena, (node->count + 1) * sizeof *spec->metrics);
  for (size_t i = 0; i < node->count; i++)
    load_metric(loader, &node->pairs[i]);
}

/* Looks at the file's own keys: a metric whose expression is wrong has been reported already. */
static void check_is_metric(struct hone_loader *loader, const struct hone_node *node, bool or_time)
{
  const struct hone_node *metrics = hone__node_get(loader->root, "metrics");
  size_t count = metrics && metrics->kind == HONE_MAPPING ? metrics->count : 0, used = 0;
  const char **names = hone__arena_alloc(&loader->diagnostics->arena, (count + 2) * sizeof *names);

  if (or_time) names[used++] = "time";
  for (size_t i = 0; i < count; i++)
    names[used++] = metrics->pairs[i].key->text;
  if (hone__is_one_of(node->text, names)) return;
  if (!or_time && strcmp(node->text, "time") == 0)
    hone__loader_error(loader, node, "time is minimised; only a metric can be maximised");
  else
    hone__loader_error(loader, node, "unknown metric '%s'%s", node->text,
                       hone__suggest_word(loader, node->text, names));
}

static void check_objective(struct hone_loader *loader, const struct hone_node *node)
{
  check_is_metric(loader, node, true);
}

static void check_maximise(struct hone_loader *loader, const struct hone_node *node)
{
  check_is_metric(loader, node, false);
}

/* ---- The baseline ---- */

static const char *param_name(const struct hone_node *key)
{
  return key->text + (key->text[0] == '$');
}

static const struct hone_param *find_param(const struct hone_group *group, const char *name)
{
  for (size_t i = 0; i < group->count; i++)
    if (strcmp(group->params[i].name, name) == 0) return &group->params[i];
  return NULL;
}

/* A value that only a problem or a device decides may be any. */
static bool may_be(const struct hone_param *param, const struct hone_node *node,
                   const struct hone_item *item)
{
  for (size_t i = 0; i < param->count; i++) {
    const struct hone_item *own = &param->items[i];
    if (own->formula || item->formula) return true;
    if (hone__value_equal(own->value, item->value) || hone__value_equal(own->value, node->value))
      return true;
  }
  return false;
}

static void report_value(struct hone_loader *loader, const struct hone_param *param,
                         const struct hone_node *node)
{
  struct hone_nearest nearest = {.word = node->text};
  struct hone_text text = {0};

  hone__text_addf(&text, "parameter '%s' has no value '%s'; it has ", param->name, node->text);
  for (size_t i = 0; i < param->count && i < MOST_VALUES_SHOWN; i++) {
    if (i) hone__text_add(&text, ", ");
    hone__value_print(param->items[i].value, &text);
  }
  if (param->count > MOST_VALUES_SHOWN)
    hone__text_addf(&text, " and %zu more", param->count - MOST_VALUES_SHOWN);
  for (size_t i = 0; i < param->count; i++)
    if (param->items[i].value.type == HONE_TEXT)
      hone__nearest_try(&nearest, param->items[i].value.text);
  if (nearest.best) hone__text_addf(&text, "; did you mean '%s'?", nearest.best);
  hone__loader_error(loader, node, "%s", text.data);
  hone__text_release(&text);
}

/* True if a group of this file allows the value, or if no group has the parameter's name. */
static bool check_baseline_pair(struct hone_loader *loader, const struct hone_pair *pair)
{
  const struct hone_spec *spec = loader->spec;
  const struct hone_param *param = NULL;
  struct hone_item *items;
  size_t count;

  if (!hone__spec_has_param(spec, param_name(pair->key))) {
    hone__loader_error(loader, pair->key, "unknown parameter '%s' in 'baseline'%s", pair->key->text,
                       hone__loader_suggest(loader, param_name(pair->key), HONE_NAMES_PARAMS));
    return false;
  }
  if (!hone__values_load(loader, pair->value, "this", &items, &count)) return false;
  if (pair->value->kind != HONE_SCALAR || count != 1) {
    hone__loader_error(loader, pair->value, "'%s' takes one value here, not %s", pair->key->text,
                       hone__node_kind_name(pair->value));
    return false;
  }
  for (size_t g = 0; g < spec->group_count; g++) {
    const struct hone_param *found = find_param(&spec->groups[g], param_name(pair->key));
    if (found) param = found;
    if (found && may_be(found, pair->value, items)) return true;
  }
  if (param) report_value(loader, param, pair->value);
  return !param;
}

/* The first parameter that the group leaves open and the baseline does not settle. */
static const char *missing_param(const struct hone_group *group, const struct hone_node *baseline)
{
  for (size_t i = 0; i < group->count; i++) {
    bool given = group->params[i].count < 2;
    for (size_t k = 0; !given && k < baseline->count; k++)
      given = strcmp(param_name(baseline->pairs[k].key), group->params[i].name) == 0;
    if (!given) return group->params[i].name;
  }
  return NULL;
}

static void check_complete(struct hone_loader *loader, const struct hone_node *baseline)
{
  const char *missing = NULL;

  for (size_t g = 0; g < loader->spec->group_count; g++) {
    missing = missing_param(&loader->spec->groups[g], baseline);
    if (!missing) return;
  }
  if (missing)
    hone__loader_error(loader, baseline, "'baseline' says nothing about parameter '%s'", missing);
}

static void check_baseline(struct hone_loader *loader, const struct hone_node *baseline)
{
  bool ok = true;

  if (!loader->spec->group_count) return; /* the parameters were wrong: that is enough */
  for (size_t i = 0; i < baseline->count; i++)
    ok = check_baseline_pair(loader, &baseline->pairs[i]) && ok;
  if (ok) check_complete(loader, baseline);
}

static void check_baseline_count(struct hone_loader *loader, const struct hone_node *list)
{
  size_t problems = loader->spec->problem_count;

  if (list->count != problems)
    hone__loader_error(loader, list, "%zu baseline%s for %zu problem%s; give one, or one for each",
                       list->count, list->count == 1 ? "" : "s", problems,
                       problems == 1 ? "" : "s");
}

/* ---- Seeds and limits ---- */

static bool has_text(const struct hone_spec *spec, const char *name)
{
  for (size_t i = 0; i < spec->text_name_count; i++)
    if (strcmp(spec->text_names[i], name) == 0) return true;
  return false;
}

/* A seed that this spec does not have is no error: it may come from another one. */
static void check_seed(struct hone_loader *loader, const struct hone_node *seed)
{
  for (size_t i = 0; i < seed->count; i++) {
    const struct hone_pair *pair = &seed->pairs[i];
    if (pair->value->kind != HONE_SCALAR)
      hone__loader_error(loader, pair->value, "'%s' takes one value here, not %s", pair->key->text,
                         hone__node_kind_name(pair->value));
    else if (loader->spec->group_count && !has_text(loader->spec, pair->key->text) &&
             !hone__spec_has_param(loader->spec, param_name(pair->key)))
      hone__loader_warning(loader, pair->key, "no parameter '%s': this seed is left out",
                           pair->key->text);
  }
}

/* Its names are those of what a build costs, which the backend knows. */
static void check_limit(struct hone_loader *loader, const struct hone_node *node)
{
  struct hone_formula formula = hone__formula_at(loader, node);
  struct hone_syntax_error error;

  if (!hone__expression_parse(node->text, &loader->spec->arena, &error))
    hone__report(loader->diagnostics, HONE_ERROR, loader->source,
                 hone__formula_place(&formula, error.offset), "%s", error.message);
}

/* ---- The tables ---- */

#define TIMEOUT .takes = HONE_TAKES_DURATION | HONE_TAKES_SECONDS
#define COMMAND .takes = HONE_TAKES_TEXT, .list = HONE_ONE_OR_LIST, .least = 1
#define SIZES(longest)                                                                             \
  .takes = HONE_TAKES_INTEGER | HONE_TAKES_FORMULA, .list = HONE_ONE_OR_LIST, .least = 1,          \
  .most = (longest), AT_LEAST(1), .names = NAMES_OF_CANDIDATE
#define INPUT_VALUE .takes = HONE_TAKES_NUMBER | HONE_TAKES_FORMULA, .names = NAMES_OF_INPUTS

static const struct hone_rule define = {.takes = HONE_TAKES_TEXT | HONE_TAKES_BOOLEAN |
                                                 HONE_TAKES_NUMBER};

static const struct hone_rule build[] = {
    {"flags", .takes = HONE_TAKES_TEXT, .list = HONE_LIST_ONLY},
    {"compiler", .takes = HONE_TAKES_TEXT, .form = 1},
    {"command", COMMAND, .form = 2},
    {"timeout", TIMEOUT},
    {"includes", .takes = HONE_TAKES_TEXT, .list = HONE_LIST_ONLY},
    {"defines", .takes = HONE_TAKES_MAPPING, .keys = &define},
    {"limits", .takes = HONE_TAKES_TEXT, .list = HONE_ONE_OR_LIST, .also = check_limit},
    {0},
};

static const struct hone_rule run[] = {
    {"command", COMMAND},
    {"prefix", COMMAND},
    {"suffix", COMMAND},
    {"mode", NAMED_BY(modes)},
    {"unit", NAMED_BY(units)},
    {"timeout", TIMEOUT},
    {0},
};

static const struct hone_rule fill_mapping[] = {
    {"kind", NAMED_BY(fills), .required = true},
    {"low", INPUT_VALUE},
    {"high", INPUT_VALUE},
    {"value", INPUT_VALUE},
    {"file", .takes = HONE_TAKES_TEXT},
    {0},
};

static const struct hone_rule arg[] = {
    {"name", .takes = HONE_TAKES_NAME, .required = true},
    {"type", NAMED_BY(types), .required = true},
    {"shape", SIZES(0)},
    {"fill", .takes = HONE_TAKES_WORD | HONE_TAKES_KEYS, .words = fills, .keys = fill_mapping,
     .also = check_fill_mapping},
    {"role", NAMED_BY(roles)},
    {"value", .takes = HONE_TAKES_BOOLEAN | HONE_TAKES_NUMBER | HONE_TAKES_FORMULA,
     .names = NAMES_OF_CANDIDATE},
    {"range", INPUT_VALUE, .list = HONE_LIST_ONLY, .least = 2, .most = 2, .together = check_range},
    {"file", .takes = HONE_TAKES_TEXT},
    {0},
};

/* CUDA's words, or OpenCL's. */
static const struct hone_rule launch[] = {
    {"grid", SIZES(3), .form = 1, .needs = "block"},
    {"block", SIZES(3), .form = 1, .needs = "grid"},
    {"global", SIZES(3), .form = 2},
    {"local", SIZES(3), .form = 2, .needs = "global"},
    {"shared", .takes = HONE_TAKES_INTEGER | HONE_TAKES_FORMULA, AT_LEAST(0),
     .names = NAMES_OF_CANDIDATE},
    {0},
};

static const struct hone_rule reference[] = {
    {"file", .takes = HONE_TAKES_TEXT, .form = 1},
    {"entry", .takes = HONE_TAKES_NAME, .form = 1, .needs = "file"},
    {"command", COMMAND, .form = 2},
    {"files", .takes = HONE_TAKES_TEXT, .list = HONE_LIST_ONLY, .least = 1, .form = 3,
     .also = check_npy},
    {0},
};

static const struct hone_rule check[] = {
    {"rtol", .takes = HONE_TAKES_NUMBER, AT_LEAST(0)},
    {"atol", .takes = HONE_TAKES_NUMBER, AT_LEAST(0)},
    {"max_mismatched_ratio", .takes = HONE_TAKES_NUMBER, FROM_TO(0, 1)},
    {"enabled", .takes = HONE_TAKES_BOOLEAN},
    {"command", COMMAND},
    {0},
};

static const struct hone_rule measure[] = {
    {"cache", NAMED_BY(caches)},
    {"timeout", .takes = HONE_TAKES_WORD | HONE_TAKES_DURATION | HONE_TAKES_SECONDS,
     .words = only_auto},
    {"repeat", .takes = HONE_TAKES_INTEGER, AT_LEAST(1)},
    {"warmup", .takes = HONE_TAKES_INTEGER, AT_LEAST(0)},
    {"clock", NAMED_BY(clocks)},
    {0},
};

static const struct hone_rule search[] = {
    {"strategy", NAMED_BY(strategies)},
    {"budget", .takes = HONE_TAKES_INTEGER | HONE_TAKES_DURATION, AT_LEAST(1)},
    {"seed", .takes = HONE_TAKES_INTEGER, AT_LEAST(0)},
    {"batch", .takes = HONE_TAKES_INTEGER, AT_LEAST(1)},
    {"order", .takes = HONE_TAKES_ANYTHING, .also = hone__orders_load},
    {"seeds", .takes = HONE_TAKES_MAPPING, .list = HONE_LIST_ONLY, .also = check_seed},
    {0},
};

#define WORDS .takes = HONE_TAKES_TEXT | HONE_TAKES_NUMBER | HONE_TAKES_BOOLEAN
static const struct hone_rule binding[] = {
    {"offset", .takes = HONE_TAKES_INTEGER, AT_LEAST(0)},
    {"size", .takes = HONE_TAKES_INTEGER, AT_LEAST(0)},
    {"type", .takes = HONE_TAKES_TEXT},
    {"read", .takes = HONE_TAKES_BOOLEAN},
    {"written", .takes = HONE_TAKES_BOOLEAN},
    {0},
};

static const struct hone_rule iree_entry[] = {
    {"param", .takes = HONE_TAKES_NAME, .required = true},
    {"value", .takes = HONE_TAKES_INTEGER, .required = true},
    {"name", .takes = HONE_TAKES_TEXT, .required = true},
    {"matcher", .takes = HONE_TAKES_TEXT, .required = true},
    {"compilation_info", .takes = HONE_TAKES_TEXT},
    {"decomposition_config", .takes = HONE_TAKES_TEXT},
    {0},
};

/* Written by Hone itself, from an .mlir file. */
static const struct hone_rule iree[] = {
    {"dispatch", .takes = HONE_TAKES_TEXT},
    {"digest", WORDS},
    {"identity", WORDS},
    {"target", .takes = HONE_TAKES_TEXT},
    {"backend", .takes = HONE_TAKES_TEXT},
    {"driver", .takes = HONE_TAKES_TEXT},
    {"operation", .takes = HONE_TAKES_TEXT},
    {"function", .takes = HONE_TAKES_TEXT},
    {"answer", .takes = HONE_TAKES_TEXT},
    {"why_unchecked", .takes = HONE_TAKES_TEXT},
    {"iree_dir", .takes = HONE_TAKES_TEXT},
    {"timing", NAMED_BY(timings)},
    {"matcher_name", .takes = HONE_TAKES_TEXT},
    {"matcher", .takes = HONE_TAKES_TEXT},
    {"flags", WORDS, .list = HONE_LIST_ONLY},
    {"bindings", .takes = HONE_TAKES_KEYS, .list = HONE_LIST_ONLY, .keys = binding},
    {"model", .takes = HONE_TAKES_TEXT},
    {"inputs", WORDS, .list = HONE_LIST_ONLY},
    {"inputs_digest", WORDS},
    {"outputs", WORDS, .list = HONE_LIST_ONLY},
    {"entries", .takes = HONE_TAKES_KEYS, .list = HONE_LIST_ONLY, .keys = iree_entry},
    {"choice", .takes = HONE_TAKES_ANYTHING},
    {"choice_decomposition", .takes = HONE_TAKES_ANYTHING},
    {0},
};

/* Metrics come before what refers to them. */
#define ELSEWHERE .takes = 0 /* read and checked there */
#define SPEC_KEYS(KEY)                                                                             \
  KEY("name", ELSEWHERE)                                                                           \
  KEY("file", ELSEWHERE)                                                                           \
  KEY("backend", NAMED_BY(backends))                                                               \
  KEY("problem", ELSEWHERE)                                                                        \
  KEY("alternatives", ELSEWHERE)                                                                   \
  KEY("params", ELSEWHERE)                                                                         \
  KEY("configs", ELSEWHERE)                                                                        \
  KEY("fixed_params", ELSEWHERE)                                                                   \
  KEY("derived", ELSEWHERE)                                                                        \
  KEY("constraints", ELSEWHERE)                                                                    \
  KEY("rules", ELSEWHERE)                                                                          \
  KEY("texts", ELSEWHERE)                                                                          \
  KEY("baseline", .takes = HONE_TAKES_MAPPING, .list = HONE_ONE_OR_LIST, .also = check_baseline,   \
      .together = check_baseline_count)                                                            \
  KEY("build", .takes = HONE_TAKES_KEYS, .keys = build)                                            \
  KEY("run", .takes = HONE_TAKES_KEYS, .keys = run)                                                \
  KEY("entry", .takes = HONE_TAKES_NAME)                                                           \
  KEY("args", .takes = HONE_TAKES_KEYS, .list = HONE_LIST_ONLY, .most = MOST_ARGS, .keys = arg,    \
      .also = check_arg, .together = check_arg_names)                                              \
  KEY("launch", .takes = HONE_TAKES_KEYS, .keys = launch)                                          \
  KEY("reference", .takes = HONE_TAKES_WORD | HONE_TAKES_KEYS, .words = only_baseline,             \
      .keys = reference, .also = check_reference)                                                  \
  KEY("check", .takes = HONE_TAKES_KEYS, .keys = check)                                            \
  KEY("measure", .takes = HONE_TAKES_KEYS, .keys = measure)                                        \
  KEY("search", .takes = HONE_TAKES_KEYS, .keys = search)                                          \
  KEY("iree", .takes = HONE_TAKES_KEYS, .keys = iree)                                              \
  KEY("metrics", .takes = HONE_TAKES_MAPPING, .also = load_metrics)                                \
  KEY("objective", .takes = HONE_TAKES_TEXT, .form = 1, .also = check_objective)                   \
  KEY("maximise", .takes = HONE_TAKES_TEXT, .form = 2, .also = check_maximise)                     \
  KEY("minimise", .takes = HONE_TAKES_TEXT, .form = 3, .also = check_objective)                    \
  KEY("metadata", .takes = HONE_TAKES_ANYTHING)

#define AS_RULE(name, ...) {.key = name, __VA_ARGS__},
#define AS_NAME(name, ...) name,

static const struct hone_rule spec_rules[] = {SPEC_KEYS(AS_RULE){0}};
const char *const hone__spec_keys[] = {SPEC_KEYS(AS_NAME) NULL};

void hone__settings_check(struct hone_loader *loader)
{
  if (loader->kbench) return; /* what looks like a setting there only holds anchors */
  hone__schema_check(loader, loader->root, spec_rules, NULL);
}
