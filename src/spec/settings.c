/* The settings of a spec, as tables that schema.c walks, and the few checks that need more than one
 * key. Nothing but the metrics is kept here: later stages read the nodes. */
#include "spec/rules.h"

#include "hone_text.h"

enum { MOST_VALUES_SHOWN = 12 };

static const char *const backends[] = {"c",   "program", "opencl", "cuda",
                                       "hip", "iree",    "sim",    NULL};
static const char *const clocks[] = {"wall", "cpu", NULL};
static const char *const timings[] = {"iree", "rocprof", NULL};
static const char *const caches[] = {"hot", "cold", NULL};
static const char *const checkings[] = {"every", "sampled", "first", NULL};
static const char *const modes[] = {"process", "library", "serve", "plugin", NULL};
/* backend/sim/sim_fault.c has what they do, and the order of phases. */
static const char *const sim_phases[] = {"screen", "check", "race", "confirm", NULL};
static const char *const sim_faults[] = {"compile_error",
                                         "compile_timeout",
                                         "compile_crash",
                                         "compile_oom",
                                         "not_applied",
                                         "launch_failure",
                                         "device_fault",
                                         "oom_device",
                                         "oom_host",
                                         "crash",
                                         "exit",
                                         "hang",
                                         "killed",
                                         "wrong_result",
                                         "nondeterministic",
                                         "no_result",
                                         "bad_result",
                                         "slow",
                                         "runner_exit",
                                         NULL};
static const char *const efforts[] = {"quick", "normal", "thorough", NULL};
static const char *const run_times[] = {"reported", "wall", "cpu", NULL};
static const char *const units[] = {"ns", "us", "ms", "s", NULL};
static const char *const only_auto[] = {"auto", NULL};
static const char *const only_baseline[] = {"baseline", NULL};
static const char *const strategies[] = {
    "auto",         "exhaustive", "random",  "ordered",   "annealing", "genetic",
    "differential", "climb",      "pattern", "surrogate", NULL};
static const char *const result_names[] = {"time",   "time_ns",  "time_us", "time_ms",
                                           "time_s", "energy_j", "power_w", NULL};

/* ---- Checks beyond the tables ---- */

static void check_npy(struct hone__loader *loader, const struct hone__node *file)
{
  size_t length = strlen(file->text);

  if (length < 4 || strcmp(file->text + length - 4, ".npy") != 0)
    hone__loader_error(loader, file, "'files' is a list of .npy files, one per output");
}

static void check_reference(struct hone__loader *loader, const struct hone__node *node)
{
  if (node->kind == HONE__MAPPING && !hone__node_get(node, "file") &&
      !hone__node_get(node, "command") && !hone__node_get(node, "files"))
    hone__loader_error(loader, node, "'reference' needs 'file', 'command' or 'files'");
}

static void check_supply(struct hone__loader *loader, const struct hone__node *node)
{
  if (node->kind == HONE__MAPPING && !hone__node_get(node, "file") &&
      !hone__node_get(node, "command"))
    hone__loader_error(loader, node, "'supply' needs 'command' or 'file'");
}

/* ---- Metrics ---- */

static void load_metric(struct hone__loader *loader, const struct hone__pair *pair)
{
  struct hone_spec *spec = loader->spec;
  const char *name = pair->key->text;
  const struct hone__rule rule = {name, .takes = HONE__TAKES_NUMBER | HONE__TAKES_FORMULA,
                                  .names = NAMES_OF_RESULT};
  struct hone__formula formula;

  if (!*name)
    hone__loader_error(loader, pair->key, "a metric has no name");
  else if (hone__spec_is_one_of(name, result_names))
    hone__loader_error(loader, pair->key,
                       "'%s' is a measured quantity: give the metric another name", name);
  else if (hone__schema_formula(loader, &rule, pair->value, &formula)) {
    formula.name = name;
    spec->metrics[spec->metric_count++] = formula;
  }
}

static void load_metrics(struct hone__loader *loader, const struct hone__node *node)
{
  struct hone_spec *spec = loader->spec;

  spec->metrics = hone__arena_alloc(&spec->arena, (node->count + 1) * sizeof *spec->metrics);
  for (size_t i = 0; i < node->count; i++)
    load_metric(loader, &node->pairs[i]);
}

/* ---- The baseline ---- */

static const char *param_name(const struct hone__node *key)
{
  return key->text + (key->text[0] == '$');
}

static const struct hone__param *find_param(const struct hone__spec_group *group, const char *name)
{
  for (size_t i = 0; i < group->count; i++)
    if (strcmp(group->params[i].name, name) == 0) return &group->params[i];
  return NULL;
}

/* A value that only a problem or a device decides may be any. */
static bool may_be(const struct hone__param *param, const struct hone__node *node,
                   const struct hone__item *item)
{
  for (size_t i = 0; i < param->count; i++) {
    const struct hone__item *own = &param->items[i];
    if (own->formula || item->formula) return true;
    if (hone__value_equal(own->value, item->value) || hone__value_equal(own->value, node->value))
      return true;
  }
  return false;
}

static void report_value(struct hone__loader *loader, const struct hone__param *param,
                         const struct hone__node *node)
{
  struct hone_nearest nearest = {.word = node->text};
  struct hone__text text = {0};

  hone__text_addf(&text, "parameter '%s' has no value '%s'; it has ", param->name, node->text);
  for (size_t i = 0; i < param->count && i < MOST_VALUES_SHOWN; i++) {
    if (i) hone__text_add(&text, ", ");
    hone__value_print(param->items[i].value, &text);
  }
  if (param->count > MOST_VALUES_SHOWN)
    hone__text_addf(&text, " and %zu more", param->count - MOST_VALUES_SHOWN);
  for (size_t i = 0; i < param->count; i++)
    if (param->items[i].value.type == HONE_TEXT)
      hone_nearest_try(&nearest, param->items[i].value.text);
  if (nearest.best) hone__text_addf(&text, "; did you mean '%s'?", nearest.best);
  hone__loader_error(loader, node, "%s", text.data);
  hone__text_release(&text);
}

/* True if a group of this file allows the value, or if no group has the parameter's name. */
static bool check_baseline_pair(struct hone__loader *loader, const struct hone__pair *pair)
{
  const struct hone_spec *spec = loader->spec;
  const struct hone__param *param = NULL;
  struct hone__item *items;
  size_t count;

  if (!hone__spec_has_param(spec, param_name(pair->key))) {
    hone__loader_error(loader, pair->key, "unknown parameter '%s' in 'baseline'%s", pair->key->text,
                       hone__loader_suggest(loader, param_name(pair->key), HONE__NAMES_PARAMS));
    return false;
  }
  if (!hone__values_load(loader, pair->value, "this", &items, &count)) return false;
  if (pair->value->kind != HONE__SCALAR || count != 1) {
    hone__loader_error(loader, pair->value, "'%s' takes one value here, not %s", pair->key->text,
                       hone__node_kind_name(pair->value));
    return false;
  }
  for (size_t g = 0; g < spec->group_count; g++) {
    const struct hone__param *found = find_param(&spec->groups[g], param_name(pair->key));
    if (found) param = found;
    if (found && may_be(found, pair->value, items)) return true;
  }
  if (param) report_value(loader, param, pair->value);
  return !param;
}

/* The first parameter that the group leaves open and the baseline does not settle. */
static const char *missing_param(const struct hone__spec_group *group,
                                 const struct hone__node *baseline)
{
  for (size_t i = 0; i < group->count; i++) {
    bool given = group->params[i].count < 2;
    for (size_t k = 0; !given && k < baseline->count; k++)
      given = strcmp(param_name(baseline->pairs[k].key), group->params[i].name) == 0;
    if (!given) return group->params[i].name;
  }
  return NULL;
}

static void check_complete(struct hone__loader *loader, const struct hone__node *baseline)
{
  const char *missing = NULL;

  for (size_t g = 0; g < loader->spec->group_count; g++) {
    missing = missing_param(&loader->spec->groups[g], baseline);
    if (!missing) return;
  }
  if (missing)
    hone__loader_error(loader, baseline, "'baseline' gives no value for parameter '%s'", missing);
}

static void check_baseline(struct hone__loader *loader, const struct hone__node *baseline)
{
  bool ok = true;

  if (!loader->spec->group_count) return; /* the parameters were wrong: that is enough */
  for (size_t i = 0; i < baseline->count; i++)
    ok = check_baseline_pair(loader, &baseline->pairs[i]) && ok;
  if (ok) check_complete(loader, baseline);
}

static void check_baseline_count(struct hone__loader *loader, const struct hone__node *list)
{
  size_t problems = loader->spec->problem_count;

  if (list->count != problems)
    hone__loader_error(
        loader, list, "%zu baseline%s for %zu problem%s; give one baseline, or one per problem",
        list->count, list->count == 1 ? "" : "s", problems, problems == 1 ? "" : "s");
}

/* ---- Seeds and limits ---- */

static bool has_text(const struct hone_spec *spec, const char *name)
{
  for (size_t i = 0; i < spec->text_name_count; i++)
    if (strcmp(spec->text_names[i], name) == 0) return true;
  return false;
}

/* A seed that this spec does not have is not an error: it may come from another one. */
static void check_seed(struct hone__loader *loader, const struct hone__node *seed)
{
  for (size_t i = 0; i < seed->count; i++) {
    const struct hone__pair *pair = &seed->pairs[i];
    if (pair->value->kind != HONE__SCALAR)
      hone__loader_error(loader, pair->value, "'%s' takes one value here, not %s", pair->key->text,
                         hone__node_kind_name(pair->value));
    else if (loader->spec->group_count && !has_text(loader->spec, pair->key->text) &&
             !hone__spec_has_param(loader->spec, param_name(pair->key)))
      hone__loader_warning(loader, pair->key, "unknown parameter '%s': this seed is ignored",
                           pair->key->text);
  }
}

static void check_env(struct hone__loader *loader, const struct hone__node *env)
{
  for (size_t i = 0; i < env->count; i++) {
    const struct hone__node *name = env->pairs[i].key;
    if (!*name->text || strpbrk(name->text, "= \t"))
      hone__loader_error(loader, name, "'%s' is not the name of a variable of the environment",
                         name->text);
  }
}

/* A constraint on what a build costs, whose names need no `built.`: any may be one. */
static void load_limit(struct hone__loader *loader, const struct hone__node *node)
{
  struct hone_spec *spec = loader->spec;
  struct hone__formula formula = hone__formula_at(loader, node);

  formula.name = "build.limits";
  if (!hone__loader_parse(loader, &formula, HONE__NAMES_ANY)) return;
  spec->built = hone__loader_room(loader, spec->built, spec->built_count, sizeof formula);
  spec->built[spec->built_count++] = formula;
}

/* ---- The tables ---- */

#define TIMEOUT .takes = HONE__TAKES_DURATION | HONE__TAKES_SECONDS
#define COMMAND .takes = HONE__TAKES_TEXT, .list = HONE__ONE_OR_LIST, .least = 1

static const struct hone__rule define = {.takes = HONE__TAKES_TEXT | HONE__TAKES_BOOLEAN |
                                                  HONE__TAKES_NUMBER};

/* How something is compiled. */
#define COMPILING                                                                                  \
  {"flags", .takes = HONE__TAKES_TEXT, .list = HONE__LIST_ONLY},                                   \
      {"compiler", .takes = HONE__TAKES_TEXT}, {"command", COMMAND},                               \
      {"includes", .takes = HONE__TAKES_TEXT, .list = HONE__LIST_ONLY},                            \
      {"defines", .takes = HONE__TAKES_MAPPING, .keys = &define},                                  \
  {                                                                                                \
    "define_prefix", .takes = HONE__TAKES_NAME                                                     \
  }

static const struct hone__rule build[] = {
    COMPILING,
    {"timeout", TIMEOUT},
    {"limits", .takes = HONE__TAKES_TEXT, .list = HONE__ONE_OR_LIST, .also = load_limit},
    {0},
};

static const struct hone__rule run_device[] = {
    {"name", .takes = HONE__TAKES_TEXT, .required = true},
    {"arch", .takes = HONE__TAKES_TEXT},
    {"driver", .takes = HONE__TAKES_TEXT},
    {0},
};

static const struct hone__rule run[] = {
    {"command", COMMAND},
    {"prefix", COMMAND},
    {"suffix", COMMAND},
    {"mode", NAMED_BY(modes)},
    {"unit", NAMED_BY(units)},
    {"time", NAMED_BY(run_times)},
    {"prepare", COMMAND},
    {"timeout", TIMEOUT},
    {"start_timeout", TIMEOUT},
    {"builders", .takes = HONE__TAKES_INTEGER, FROM_TO(0, 4096)},
    {"overlap", .takes = HONE__TAKES_BOOLEAN},
    {"device", .takes = HONE__TAKES_TEXT | HONE__TAKES_KEYS, .keys = run_device},
    {0},
};

/* CUDA's words, or OpenCL's. */
const struct hone__rule hone__spec_launch_rules[] = {
    {"grid", SIZES(3), .form = 1, .needs = "block"},
    {"block", SIZES(3), .form = 1, .needs = "grid"},
    {"cluster", SIZES(3), .form = 1, .needs = "grid"},
    {"global", SIZES(3), .form = 2},
    {"local", SIZES(3), .form = 2, .needs = "global"},
    {"shared", WHOLE(0)},
    {"cooperative", .takes = HONE__TAKES_BOOLEAN},
    {0},
};

static const struct hone__rule reference_build[] = {COMPILING, {0}};

static const struct hone__rule reference[] = {
    {"file", .takes = HONE__TAKES_TEXT, .form = 1},
    {"entry", .takes = HONE__TAKES_ENTRY, .form = 1, .needs = "file"},
    {"build", .takes = HONE__TAKES_KEYS, .keys = reference_build, .form = 1, .needs = "file"},
    {"command", COMMAND, .form = 2},
    {"files", .takes = HONE__TAKES_TEXT, .list = HONE__LIST_ONLY, .least = 1, .form = 3,
     .also = check_npy},
    {0},
};

static const struct hone__rule supply[] = {
    {"command", COMMAND, .form = 1},
    {"file", .takes = HONE__TAKES_TEXT, .form = 2},
    {"entry", .takes = HONE__TAKES_ENTRY, .form = 2, .needs = "file"},
    {"args", .takes = HONE__TAKES_NAME, .list = HONE__LIST_ONLY, .least = 1, .form = 2,
     .needs = "file"},
    {0},
};

static const struct hone__rule check[] = {
    HONE__TOLERANCE_RULES,
    {"enabled", .takes = HONE__TAKES_BOOLEAN},
    {"command", COMMAND, .form = 1},
    {"file", .takes = HONE__TAKES_TEXT, .form = 2},
    {"entry", .takes = HONE__TAKES_ENTRY, .form = 2, .needs = "file"},
    {0},
};

static const struct hone__rule measure[] = {
    {"cache", NAMED_BY(caches)},
    {"check", NAMED_BY(checkings)},
    {"timeout", .takes = HONE__TAKES_WORD | HONE__TAKES_DURATION | HONE__TAKES_SECONDS,
     .words = only_auto},
    {"repeat", .takes = HONE__TAKES_INTEGER, AT_LEAST(1)},
    {"warmup", .takes = HONE__TAKES_INTEGER, AT_LEAST(0)},
    {"clock", NAMED_BY(clocks)},
    {"energy", .takes = HONE__TAKES_BOOLEAN},
    {"lock_clocks", .takes = HONE__TAKES_BOOLEAN},
    {"power_limit", WHOLE(1)},
    {0},
};

static const struct hone__rule search[] = {
    {"strategy", NAMED_BY(strategies)},
    {"budget", .takes = HONE__TAKES_INTEGER | HONE__TAKES_DURATION, AT_LEAST(1)},
    {"seed", .takes = HONE__TAKES_INTEGER, AT_LEAST(0)},
    {"batch", .takes = HONE__TAKES_INTEGER, AT_LEAST(1)},
    {"order", .takes = HONE__TAKES_ANYTHING, .also = hone__orders_load},
    {"seeds", .takes = HONE__TAKES_MAPPING, .list = HONE__LIST_ONLY, .also = check_seed},
    {"effort", NAMED_BY(efforts)},
    {"warm_start", .takes = HONE__TAKES_BOOLEAN},
    {0},
};

#define WORDS .takes = HONE__TAKES_TEXT | HONE__TAKES_NUMBER | HONE__TAKES_BOOLEAN
static const struct hone__rule binding[] = {
    {"offset", .takes = HONE__TAKES_INTEGER, AT_LEAST(0)},
    {"size", .takes = HONE__TAKES_INTEGER, AT_LEAST(0)},
    {"type", .takes = HONE__TAKES_TEXT},
    {"read", .takes = HONE__TAKES_BOOLEAN},
    {"written", .takes = HONE__TAKES_BOOLEAN},
    {0},
};

static const struct hone__rule iree_entry[] = {
    {"param", .takes = HONE__TAKES_NAME, .required = true},
    {"value", .takes = HONE__TAKES_INTEGER, .required = true},
    {"name", .takes = HONE__TAKES_TEXT, .required = true},
    {"matcher", .takes = HONE__TAKES_TEXT, .required = true},
    {"compilation_info", .takes = HONE__TAKES_TEXT},
    {"decomposition_config", .takes = HONE__TAKES_TEXT},
    {0},
};

static const struct hone__rule iree_variant[] = {
    {"param", .takes = HONE__TAKES_NAME, .required = true},
    {"value", .takes = HONE__TAKES_INTEGER, .required = true},
    {"flags", WORDS, .list = HONE__LIST_ONLY},
    {0},
};

static const struct hone__rule sim_fault[] = {
    {"when", .takes = HONE__TAKES_FORMULA | HONE__TAKES_BOOLEAN, .names = NAMES_OF_CANDIDATE,
     .required = true},
    {"outcome", NAMED_BY(sim_faults), .required = true},
    {"from", NAMED_BY(sim_phases)},
    {0},
};

static const struct hone__rule sim_drift[] = {
    {"from", .takes = HONE__TAKES_INTEGER, FROM_TO(0, 1000000000), .required = true},
    {"factor", .takes = HONE__TAKES_NUMBER, FROM_TO(0.001, 1000), .required = true},
    {0},
};

static const struct hone__rule sim_device[] = {
    {"device", .takes = HONE__TAKES_TEXT, .required = true},
    {"model", .takes = HONE__TAKES_TEXT, .required = true},
    {"factor", .takes = HONE__TAKES_FORMULA | HONE__TAKES_NUMBER, .names = NAMES_OF_CANDIDATE},
    {0},
};

static const struct hone__rule sim[] = {
    {"space", .takes = HONE__TAKES_TEXT},
    {"faults", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = sim_fault},
    {"noise", .takes = HONE__TAKES_NUMBER, FROM_TO(0, 10)},
    {"drift", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = sim_drift},
    {"devices", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = sim_device},
    {"pace", .takes = HONE__TAKES_NUMBER, FROM_TO(0, 1000)},
    {0},
};

/* Written by Hone itself, from an .mlir file. */
static const struct hone__rule iree[] = {
    {"dispatch", .takes = HONE__TAKES_TEXT},
    {"digest", WORDS},
    {"identity", WORDS},
    {"target", .takes = HONE__TAKES_TEXT},
    {"backend", .takes = HONE__TAKES_TEXT},
    {"driver", .takes = HONE__TAKES_TEXT},
    {"threads", .takes = HONE__TAKES_INTEGER, FROM_TO(1, 4096)},
    {"operation", .takes = HONE__TAKES_TEXT},
    {"function", .takes = HONE__TAKES_TEXT},
    {"answer", .takes = HONE__TAKES_TEXT},
    {"why_unchecked", .takes = HONE__TAKES_TEXT},
    {"iree_dir", .takes = HONE__TAKES_TEXT},
    {"timing", NAMED_BY(timings)},
    {"matcher_name", .takes = HONE__TAKES_TEXT},
    {"matcher", .takes = HONE__TAKES_TEXT},
    {"flags", WORDS, .list = HONE__LIST_ONLY},
    {"bindings", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = binding},
    {"model", .takes = HONE__TAKES_TEXT},
    {"inputs", WORDS, .list = HONE__LIST_ONLY},
    {"inputs_digest", WORDS},
    {"outputs", WORDS, .list = HONE__LIST_ONLY},
    {"entries", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = iree_entry},
    {"variants", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = iree_variant},
    {"choice", .takes = HONE__TAKES_ANYTHING},
    {"choice_decomposition", .takes = HONE__TAKES_ANYTHING},
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
  KEY("baseline", .takes = HONE__TAKES_MAPPING, .list = HONE__ONE_OR_LIST, .also = check_baseline, \
      .together = check_baseline_count)                                                            \
  KEY("build", .takes = HONE__TAKES_KEYS, .keys = build)                                           \
  KEY("run", .takes = HONE__TAKES_KEYS, .keys = run)                                               \
  KEY("entry", .takes = HONE__TAKES_ENTRY)                                                         \
  KEY("args", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .most = MOST_ARGS,               \
      .keys = hone__arg_rules, .also = hone__spec_arg_check, .together = hone__args_check)         \
  KEY("env", .takes = HONE__TAKES_MAPPING, .keys = &define, .also = check_env)                     \
  KEY("supply", .takes = HONE__TAKES_KEYS, .keys = supply, .also = check_supply)                   \
  KEY("launch", .takes = HONE__TAKES_KEYS, .keys = hone__spec_launch_rules)                        \
  KEY("stages", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .least = 1,                    \
      .most = MOST_STAGES, .keys = hone__spec_stage_rules, .also = hone__spec_stage_check,         \
      .together = hone__spec_stages_check)                                                         \
  KEY("reference", .takes = HONE__TAKES_WORD | HONE__TAKES_KEYS, .words = only_baseline,           \
      .keys = reference, .also = check_reference)                                                  \
  KEY("check", .takes = HONE__TAKES_KEYS, .keys = check)                                           \
  KEY("measure", .takes = HONE__TAKES_KEYS, .keys = measure)                                       \
  KEY("search", .takes = HONE__TAKES_KEYS, .keys = search)                                         \
  KEY("sim", .takes = HONE__TAKES_KEYS, .keys = sim)                                               \
  KEY("iree", .takes = HONE__TAKES_KEYS, .keys = iree)                                             \
  KEY("metrics", .takes = HONE__TAKES_MAPPING, .also = load_metrics)                               \
  KEY("objective", .takes = HONE__TAKES_TEXT | HONE__TAKES_KEYS, .list = HONE__ONE_OR_LIST,        \
      .least = 1, .most = HONE__MOST_OBJECTIVES, .keys = hone__objective_rules, .form = 1,         \
      .also = hone__objective_load, .together = hone__spec_objectives_check)                       \
  KEY("maximise", .takes = HONE__TAKES_TEXT, .form = 2, .also = hone__objective_load_maximise)     \
  KEY("minimise", .takes = HONE__TAKES_TEXT, .form = 3, .also = hone__objective_load)              \
  KEY("metadata", .takes = HONE__TAKES_ANYTHING)

#define AS_RULE(name, ...) {.key = name, __VA_ARGS__},
#define AS_NAME(name, ...) name,

const struct hone__rule hone__spec_rules[] = {SPEC_KEYS(AS_RULE){0}};
const char *const hone__spec_keys[] = {SPEC_KEYS(AS_NAME) NULL};

void hone__settings_check(struct hone__loader *loader)
{
  if (loader->kbench) return; /* what looks like a setting there only holds anchors */
  if (hone__schema_check(loader, loader->root, hone__spec_rules, NULL))
    hone__spec_objectives_add_proof(loader);
}
