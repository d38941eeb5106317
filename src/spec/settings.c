/* The settings of a spec, as tables that schema.c walks, and the few checks that need more than one
 * key. Nothing but the metrics is kept here: later stages read the nodes. */
#include "spec/rules.h"

#include "hone_text.h"

enum { MOST_VALUES_SHOWN = 12 };

static const char *const backends[] = {"c",   "program", "opencl", "cuda",
                                       "hip", "iree",    "sim",    NULL};
static const char *const clocks[] = {"wall", "cpu", NULL};
static const char *const caches[] = {"hot", "cold", NULL};
static const char *const checkings[] = {"every", "sampled", "first", NULL};
static const char *const modes[] = {"process", "library", "serve", "plugin", NULL};
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
                                  .names = HONE__NAMES_OF_RESULT};
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
#define TEXT    .takes = HONE__TAKES_TEXT
#define TEXTS   .takes = HONE__TAKES_TEXT, .list = HONE__LIST_ONLY
#define SWITCH  .takes = HONE__TAKES_BOOLEAN

static const struct hone__rule define = {.takes = HONE__TAKES_TEXT | HONE__TAKES_BOOLEAN |
                                                  HONE__TAKES_NUMBER};

/* How something is compiled. */
#define COMPILING(default_flags, default_compiler, default_else)                                   \
  {"flags", TEXTS,                                                                                 \
   HONE__RULE_DOC(                                                                                 \
       default_flags, "flags: [-O3, '-mtune={TUNE}', -lm]",                                        \
       "Flags of the compiler and the linker; `{NAME}` is a parameter, derived value or size.")},  \
      {"compiler", TEXT,                                                                           \
       HONE__RULE_DOC(default_compiler, "compiler: clang", "The compiler to call.")},              \
      {"command", COMMAND,                                                                         \
       HONE__RULE_DOC(default_else, "command: './build.sh {output} --tile={BM}'",                  \
                      "A program that builds, instead of the compiler.")},                         \
      {"includes", TEXTS,                                                                          \
       HONE__RULE_DOC(default_else, "includes: [include, ../common]", "Folders with headers.")},   \
      {"defines", .takes = HONE__TAKES_MAPPING, .keys = &define,                                   \
       HONE__RULE_DOC(default_else, "defines: {NDEBUG: 1}",                                        \
                      "Macros that all configurations have.")},                                    \
  {                                                                                                \
    "define_prefix",                                                                               \
        .takes = HONE__TAKES_NAME,                                                                 \
        HONE__RULE_DOC(default_else, "define_prefix: TUNE_",                                       \
                       "What the names of the macros begin with: TUNE_BM is the macro of BM.")     \
  }

static const struct hone__rule build[] = {
    COMPILING("`-O3` for C and C++ if none has `-O`", "`cc` or `c++`; CUDA: NVRTC", NULL),
    {"timeout", TIMEOUT,
     HONE__RULE_DOC("60s; programs: 60s to 600s by language", "timeout: 5m",
                    "How long a build may take.")},
    {"limits", TEXT, .list = HONE__ONE_OR_LIST, .also = load_limit,
     HONE__RULE_DOC(NULL, "limits: [registers <= 128]",
                    "Constraints on what a build costs, without `built.` before the names.")},
    {0},
};

static const struct hone__rule run_device[] = {
    {"name", TEXT, .required = true,
     HONE__RULE_DOC(NULL, "name: NVIDIA H200", "The model of the device.")},
    {"arch", TEXT, HONE__RULE_DOC(NULL, "arch: sm_90", "Its architecture.")},
    {"driver", TEXT, HONE__RULE_DOC(NULL, "driver: '580'", "The version of its driver.")},
    {0},
};

static const struct hone__rule run[] = {
    {"command", COMMAND,
     HONE__RULE_DOC("the program with its arguments", "command: 'julia {source} {args} -o {csv}'",
                    "The program to run.")},
    {"prefix", COMMAND,
     HONE__RULE_DOC(NULL, "prefix: 'env OMP_NUM_THREADS={THREADS}'", "Words before the command.")},
    {"suffix", COMMAND, HONE__RULE_DOC(NULL, "suffix: --quiet", "Words after the command.")},
    {"mode", HONE__RULE_NAMED_BY(modes),
     HONE__RULE_DOC("`process`; Mojo: `library`", "mode: serve",
                    "How the program is run; `serve` is explained in hone-serve(7).")},
    {"unit", HONE__RULE_NAMED_BY(units),
     HONE__RULE_DOC("`ms`", "unit: us", "The unit of a bare number that the program prints.")},
    {"time", HONE__RULE_NAMED_BY(run_times),
     HONE__RULE_DOC("`reported`", "time: wall",
                    "Which time counts: the one that the program prints, or that of its process.")},
    {"prepare", COMMAND,
     HONE__RULE_DOC(NULL, "prepare: 'rm -f {dir}/out'",
                    "A command before each run, which is not timed.")},
    {"timeout", TIMEOUT,
     HONE__RULE_DOC("from the baseline", "timeout: 30s", "How long a run may take.")},
    {"start_timeout", TIMEOUT,
     HONE__RULE_DOC("60s", "start_timeout: 2m", "How long a served program may take to start.")},
    {"builders", .takes = HONE__TAKES_INTEGER, HONE__RULE_FROM_TO(0, 4096),
     HONE__RULE_DOC("0", "builders: 4",
                    "Instances of a served program that build while one measures.")},
    {"overlap", SWITCH,
     HONE__RULE_DOC(
         "false on CPUs", "overlap: true",
         "Whether a served program builds while it measures, because builds do not disturb it.")},
    {"device", .takes = HONE__TAKES_TEXT | HONE__TAKES_KEYS, .keys = run_device,
     HONE__RULE_DOC("this machine", "device: NVIDIA H200", "Where the program measures.")},
    {0},
};

/* CUDA's words, or OpenCL's. */
const struct hone__rule hone__spec_launch_rules[] = {
    {"grid", HONE__RULE_SIZES(3), .form = 1, .needs = "block",
     HONE__RULE_DOC(NULL, "grid: [N // BN, M // BM]", "The number of blocks.")},
    {"block", HONE__RULE_SIZES(3), .form = 1, .needs = "grid",
     HONE__RULE_DOC(NULL, "block: [BM, 8]", "The threads of a block.")},
    {"cluster", HONE__RULE_SIZES(3), .form = 1, .needs = "grid",
     HONE__RULE_DOC(NULL, "cluster: 2", "CUDA: the blocks of a cluster.")},
    {"global", HONE__RULE_SIZES(3), .form = 2,
     HONE__RULE_DOC(NULL, "global: ceil(N / BN) * BN", "OpenCL: the number of work-items.")},
    {"local", HONE__RULE_SIZES(3), .form = 2, .needs = "global",
     HONE__RULE_DOC("the driver chooses", "local: BN", "OpenCL: the work-items of a work-group.")},
    {"shared", HONE__RULE_WHOLE(0),
     HONE__RULE_DOC("0", "shared: BM * 4096", "CUDA: bytes of dynamic shared memory.")},
    {"cooperative", SWITCH,
     HONE__RULE_DOC("false", "cooperative: true",
                    "CUDA: whether the blocks can wait for each other.")},
    {0},
};

static const struct hone__rule reference_build[] = {
    COMPILING("`build.flags`", "`build.compiler`", "that of `build`"), {0}};

static const struct hone__rule reference[] = {
    {"file", TEXT, .form = 1, HONE__RULE_DOC(NULL, "file: plain.c", "A source in C or C++.")},
    {"entry", .takes = HONE__TAKES_ENTRY, .form = 1, .needs = "file",
     HONE__RULE_DOC("the only function, or the kernel's name", "entry: plain", "Its function.")},
    {"build", .takes = HONE__TAKES_KEYS, .keys = reference_build, .form = 1, .needs = "file",
     HONE__RULE_DOC("`build`", "build: {flags: [-O2]}",
                    "How it is compiled; each key replaces that of `build`.")},
    {"launch", .takes = HONE__TAKES_KEYS, .keys = hone__spec_launch_rules, .form = 1,
     .needs = "file",
     HONE__RULE_DOC("`launch`, for the baseline", "launch: {grid: N // 64, block: 64}",
                    "GPUs: the launch of a reference in the language of the kernel.")},
    {"command", COMMAND, .form = 2,
     HONE__RULE_DOC(NULL, "command: 'python3 reference.py {dir}'",
                    "A command that writes the answers.")},
    {"files", TEXTS, .least = 1, .form = 3, .also = check_npy,
     HONE__RULE_DOC(NULL, "files: ['c_{N}.npy']", "Files with the answers, one for each output.")},
    {0},
};

static const struct hone__rule supply[] = {
    {"command", COMMAND, .form = 1,
     HONE__RULE_DOC(NULL, "command: 'python3 graph.py {dir} --nodes={N}'",
                    "A command that writes .npy files.")},
    {"file", TEXT, .form = 2,
     HONE__RULE_DOC(NULL, "file: graph.c", "A source in C with a function.")},
    {"entry", .takes = HONE__TAKES_ENTRY, .form = 2, .needs = "file",
     HONE__RULE_DOC("the only function of the file", "entry: make", "Its function.")},
    {"args", .takes = HONE__TAKES_NAME, .list = HONE__LIST_ONLY, .least = 1, .form = 2,
     .needs = "file",
     HONE__RULE_DOC("all of role `in` and `inout`", "args: [row, col]",
                    "The arguments that it fills.")},
    {0},
};

static const struct hone__rule check[] = {
    HONE__TOLERANCE_RULES("f64 1e-9, f32 1e-4, f16 1e-2, bf16 2e-2",
                          "f64 1e-12, f32 1e-5, f16 1e-3, bf16 1e-2", "0", NULL),
    {"enabled", SWITCH,
     HONE__RULE_DOC("true", "enabled: false", "Whether answers are compared at all.")},
    {"command", COMMAND, .form = 1,
     HONE__RULE_DOC(NULL, "command: 'python3 check.py {dir}'", "A command that decides.")},
    {"file", TEXT, .form = 2,
     HONE__RULE_DOC(NULL, "file: check.c", "A source in C with a function that decides.")},
    {"entry", .takes = HONE__TAKES_ENTRY, .form = 2, .needs = "file",
     HONE__RULE_DOC("the only function of the file", "entry: is_right", "Its function.")},
    {0},
};

static const struct hone__rule measure[] = {
    {"cache", HONE__RULE_NAMED_BY(caches),
     HONE__RULE_DOC("`hot`; on GPUs `cold`", "cache: cold",
                    "Whether the data is in the caches when a call begins.")},
    {"check", HONE__RULE_NAMED_BY(checkings),
     HONE__RULE_DOC("`sampled`", "check: every", "Which answers are compared.")},
    {"timeout", .takes = HONE__TAKES_WORD | HONE__TAKES_DURATION | HONE__TAKES_SECONDS,
     .words = only_auto,
     HONE__RULE_DOC("`auto`: from the baseline", "timeout: 10s", "How long a candidate may take.")},
    {"repeat", .takes = HONE__TAKES_INTEGER, HONE__RULE_AT_LEAST(1),
     HONE__RULE_DOC("so that a sample is long enough", "repeat: 100", "The calls of a sample.")},
    {"warmup", .takes = HONE__TAKES_INTEGER, HONE__RULE_AT_LEAST(0),
     HONE__RULE_DOC("until times settle; programs: 0", "warmup: 3",
                    "Calls or runs before the first sample.")},
    {"clock", HONE__RULE_NAMED_BY(clocks),
     HONE__RULE_DOC("`wall`", "clock: cpu", "The clock, where the backend can choose.")},
    {"energy", SWITCH,
     HONE__RULE_DOC("false", "energy: true", "CUDA: measures the joules of a call.")},
    {"lock_clocks", SWITCH,
     HONE__RULE_DOC("false", "lock_clocks: true", "CUDA: as `--lock-clocks`.")},
    {"power_limit", HONE__RULE_WHOLE(1),
     HONE__RULE_DOC("the usual one", "power_limit: 400",
                    "CUDA: the power limit in watts; may be a parameter.")},
    {0},
};

static const struct hone__rule search[] = {
    {"strategy", HONE__RULE_NAMED_BY(strategies),
     HONE__RULE_DOC("`auto`", "strategy: random", "How configurations are chosen.")},
    {"budget", .takes = HONE__TAKES_INTEGER | HONE__TAKES_DURATION, HONE__RULE_AT_LEAST(1),
     HONE__RULE_DOC("by the effort", "budget: 5m", "A time, or a number of configurations.")},
    {"seed", .takes = HONE__TAKES_INTEGER, HONE__RULE_AT_LEAST(0),
     HONE__RULE_DOC("42", "seed: 7", "The start of the random numbers.")},
    {"batch", .takes = HONE__TAKES_INTEGER, HONE__RULE_AT_LEAST(1),
     HONE__RULE_DOC("by the strategy", "batch: 16", "Configurations that are chosen at once.")},
    {"order", .takes = HONE__TAKES_ANYTHING, .also = hone__orders_load,
     HONE__RULE_DOC(NULL, "order: [-BM, BN]", "Expressions that the strategy `ordered` sorts by.")},
    {"seeds", .takes = HONE__TAKES_MAPPING, .list = HONE__LIST_ONLY, .also = check_seed,
     HONE__RULE_DOC(NULL, "seeds: [{TILE: 8}]", "Configurations that are tried first.")},
    {"effort", HONE__RULE_NAMED_BY(efforts),
     HONE__RULE_DOC("`normal`", "effort: quick", "How much is measured before the verdict.")},
    {"warm_start", SWITCH,
     HONE__RULE_DOC("true", "warm_start: false",
                    "Whether to begin with what was best in earlier runs.")},
    {0},
};

/* Values of what other files read and check. */
static const struct hone__rule size_value = {.takes = HONE__TAKES_INTEGER | HONE__TAKES_FORMULA,
                                             .list = HONE__ONE_OR_LIST,
                                             .names = HONE__NAMES_PROBLEM};
static const struct hone__rule param_value = {.takes = HONE__TAKES_TEXT | HONE__TAKES_BOOLEAN |
                                                       HONE__TAKES_NUMBER | HONE__TAKES_FORMULA,
                                              .list = HONE__ONE_OR_LIST,
                                              .names = HONE__NAMES_OF_INPUTS};
static const struct hone__rule config_value = {.takes = HONE__TAKES_TEXT | HONE__TAKES_BOOLEAN |
                                                        HONE__TAKES_NUMBER};
static const struct hone__rule derived_value = {.takes = HONE__TAKES_NUMBER | HONE__TAKES_FORMULA,
                                                .names = HONE__NAMES_OF_CANDIDATE};
static const struct hone__rule text_value = {TEXT};

/* Metrics come before what refers to them. */
#define MAPPING_TO(value) .takes = HONE__TAKES_MAPPING, .keys = &(value)
#define CONDITIONS                                                                                 \
  .elsewhere = true, .takes = HONE__TAKES_FORMULA, .list = HONE__ONE_OR_LIST,                      \
  .names = HONE__NAMES_OF_CANDIDATE | HONE__NAMES_BUILT
#define SPEC_KEYS(KEY)                                                                             \
  KEY("name", .section = "The space", .elsewhere = true, TEXT,                                     \
      HONE__RULE_DOC("the name of the file", "name: sgemm", "The name of the kernel."))            \
  KEY("file", .elsewhere = true, TEXT,                                                             \
      HONE__RULE_DOC("none; of annotations: the source itself", "file: sgemm.c",                   \
                     "The kernel's source; `$VAR` is taken from the environment."))                \
  KEY("backend", HONE__RULE_NAMED_BY(backends),                                                    \
      HONE__RULE_DOC("by the suffix of `file`", "backend: program",                                \
                     "How the kernel is built and run."))                                          \
  KEY("problem", .elsewhere = true, MAPPING_TO(size_value), .list = HONE__ONE_OR_LIST,             \
      HONE__RULE_DOC("one problem without sizes", "problem: {M: [256, 1024], N: 512}",             \
                     "Sizes; each combination is tuned by itself."))                               \
  KEY("params", .elsewhere = true, MAPPING_TO(param_value), .list = HONE__ONE_OR_LIST,             \
      HONE__RULE_DOC("required, unless `configs` or `alternatives`",                               \
                     "params: {TILE: [8, 16], $threads: 'range(1, 5)'}",                           \
                     "Parameters and their values; a list has groups of them."))                   \
  KEY("configs", .elsewhere = true, MAPPING_TO(config_value), .list = HONE__LIST_ONLY,             \
      HONE__RULE_DOC(NULL, "configs: [{BM: 64, BN: 128}]", "Whole configurations."))               \
  KEY("fixed_params", .elsewhere = true, MAPPING_TO(param_value), .list = HONE__ONE_OR_LIST,       \
      HONE__RULE_DOC(NULL, "fixed_params: {TILE: 4}", "More groups, after those of `params`."))    \
  KEY("alternatives", .elsewhere = true, .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY,       \
      .keys = hone__alternative_rules,                                                             \
      HONE__RULE_DOC(NULL, "alternatives: [{name: a, params: {X: [1]}}]",                          \
                     "Groups with constraints of their own, instead of `params`."))                \
  KEY("derived", .elsewhere = true, MAPPING_TO(derived_value),                                     \
      HONE__RULE_DOC(NULL, "derived: {AREA: BM * BN}", "Values that follow from others."))         \
  KEY("constraints", CONDITIONS,                                                                   \
      HONE__RULE_DOC(NULL, "constraints: [N % TILE == 0, built.registers <= 128]",                 \
                     "What must be true of a configuration."))                                     \
  KEY("rules", CONDITIONS,                                                                         \
      HONE__RULE_DOC(NULL, "rules: [N % TILE == 0]",                                               \
                     "The same as `constraints`, in kbench's words."))                             \
  KEY("texts", .elsewhere = true, MAPPING_TO(text_value),                                          \
      HONE__RULE_DOC(NULL, "texts: {config: 'tile = ${BM}'}", "Texts with expressions in them."))  \
  KEY("baseline", .takes = HONE__TAKES_MAPPING, .list = HONE__ONE_OR_LIST, .also = check_baseline, \
      .together = check_baseline_count,                                                            \
      HONE__RULE_DOC("the first configuration, with a warning", "baseline: {TILE: 8}",             \
                     "What results are compared with; a list has one for each problem."))          \
  KEY("metadata", .takes = HONE__TAKES_ANYTHING,                                                   \
      HONE__RULE_DOC(NULL, "metadata: {author: me}", "Ignored."))                                  \
  KEY("build", .section = "build", .takes = HONE__TAKES_KEYS, .keys = build,                       \
      HONE__RULE_DOC(NULL, "build: {flags: [-O3, -march=native]}",                                 \
                     "How a configuration is compiled."))                                          \
  KEY("run", .section = "run", .takes = HONE__TAKES_KEYS, .keys = run,                             \
      HONE__RULE_DOC(NULL, "run: {unit: us}", "How a program is run; not for kernels."))           \
  KEY("entry", .section = "entry and env", .takes = HONE__TAKES_ENTRY,                             \
      HONE__RULE_DOC(                                                                              \
          "the only function that qualifies", "entry: gemm<BM, float>",                            \
          "The function to call; `::gemm` is one of C++ without arguments of a template."))        \
  KEY("env", MAPPING_TO(define), .also = check_env,                                                \
      HONE__RULE_DOC(NULL, "env: {OMP_NUM_THREADS: '{THREADS}'}",                                  \
                     "Backend c: variables of the environment that the kernel is called with."))   \
  KEY("args", .section = "args", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY,               \
      .most = HONE__MOST_ARGS, .keys = hone__arg_rules, .also = hone__spec_arg_check,              \
      .together = hone__args_check,                                                                \
      HONE__RULE_DOC(NULL, "args: [{name: x, type: f32, shape: N, role: out}]",                    \
                     "The arguments of the function, in order."))                                  \
  KEY("supply", .section = "supply", .takes = HONE__TAKES_KEYS, .keys = supply,                    \
      .also = check_supply,                                                                        \
      HONE__RULE_DOC(NULL, "supply: {command: 'python3 graph.py {dir}'}",                          \
                     "A command or a function that makes inputs, once for each problem."))         \
  KEY("launch", .section = "launch", .takes = HONE__TAKES_KEYS, .keys = hone__spec_launch_rules,   \
      HONE__RULE_DOC("required for GPUs", "launch: {grid: N // BN, block: BN}",                    \
                     "How many threads run the kernel."))                                          \
  KEY("stages", .section = "stages", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY,           \
      .least = 1, .most = HONE__MOST_STAGES, .keys = hone__spec_stage_rules,                       \
      .also = hone__spec_stage_check, .together = hone__spec_stages_check,                         \
      HONE__RULE_DOC(                                                                              \
          NULL, "stages: [{entry: rows, args: [src, tmp]}, {entry: columns, args: [tmp, dst]}]",   \
          "A pipeline of kernels, instead of `entry` and `launch`."))                              \
  KEY("reference", .section = "reference", .takes = HONE__TAKES_WORD | HONE__TAKES_KEYS,           \
      .words = only_baseline, .keys = reference, .also = check_reference,                          \
      HONE__RULE_DOC("`baseline`", "reference: {file: plain.c, entry: plain}",                     \
                     "Where right answers come from."))                                            \
  KEY("check", .section = "check", .takes = HONE__TAKES_KEYS, .keys = check,                       \
      HONE__RULE_DOC("by the type of the output", "check: {rtol: 1e-2}",                           \
                     "The conditions for right answers."))                                         \
  KEY("measure", .section = "measure", .takes = HONE__TAKES_KEYS, .keys = measure,                 \
      HONE__RULE_DOC(NULL, "measure: {cache: cold}", "How samples are taken."))                    \
  KEY("search", .section = "search", .takes = HONE__TAKES_KEYS, .keys = search,                    \
      HONE__RULE_DOC(NULL, "search: {strategy: random, budget: 5m}",                               \
                     "How configurations are chosen."))                                            \
  KEY("metrics", .section = "Objectives", .takes = HONE__TAKES_MAPPING, .also = load_metrics,      \
      HONE__RULE_DOC(NULL, "metrics: {GFLOP/s: 2 * M * N * K / time_ns}",                          \
                     "Expressions over what was measured."))                                       \
  KEY("objective", .takes = HONE__TAKES_TEXT | HONE__TAKES_KEYS, .list = HONE__ONE_OR_LIST,        \
      .least = 1, .most = HONE__MOST_OBJECTIVES, .keys = hone__objective_rules, .form = 1,         \
      .also = hone__objective_load, .together = hone__spec_objectives_check,                       \
      HONE__RULE_DOC("`time`", "objective: [time, {minimise: error}]",                             \
                     "What is tuned for: `time`, `energy` or a metric."))                          \
  KEY("maximise", TEXT, .form = 2, .also = hone__objective_load_maximise,                          \
      HONE__RULE_DOC(NULL, "maximise: GFLOP/s",                                                    \
                     "A metric that is to be large, instead of `objective`."))                     \
  KEY("minimise", TEXT, .form = 3, .also = hone__objective_load,                                   \
      HONE__RULE_DOC(NULL, "minimise: error",                                                      \
                     "A metric that is to be small, instead of `objective`."))                     \
  KEY("sim", .section = "sim and iree", .takes = HONE__TAKES_KEYS, .keys = hone__spec_sim_rules,   \
      HONE__RULE_DOC(NULL, "sim: {noise: 0.02}",                                                   \
                     "Settings of a recording that is used instead of a kernel."))                 \
  KEY("iree", .takes = HONE__TAKES_KEYS, .keys = hone__spec_iree_rules, .is_closed = true,         \
      HONE__RULE_DOC(NULL, "iree: {function: main}", "Written by Hone for .mlir files."))

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
