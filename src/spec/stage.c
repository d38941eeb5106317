/* The stages of a pipeline, as a table that schema.c walks. A stage is a kernel with its launch,
 * a function in C that the host calls (`host`), or a loop (`repeat`) over further stages, whose
 * index is a name in their expressions. */
#include "spec/rules.h"

enum { MOST_DEPTH = 8 };

static const struct hone__rule scalar_value = {.takes = HONE__TAKES_BOOLEAN | HONE__TAKES_NUMBER |
                                                        HONE__TAKES_FORMULA,
                                               .names = HONE__NAMES_OF_CANDIDATE};

const struct hone__rule hone__spec_stage_rules[] = {
    {"entry", .takes = HONE__TAKES_ENTRY, .form = 1,
     HONE__RULE_DOC(NULL, "entry: rows", "The kernel of this stage, or the function of `host`.")},
    {"host", .takes = HONE__TAKES_TEXT, .form = 1, .needs = "entry",
     HONE__RULE_DOC("none: it is a kernel", "host: steps.c",
                    "GPUs: a source in C with a function that is called between kernels.")},
    {"args", .takes = HONE__TAKES_NAME, .list = HONE__LIST_ONLY, .most = HONE__MOST_ARGS, .form = 1,
     HONE__RULE_DOC("all of `args`", "args: [src, tmp]", "Its arguments, in its order.")},
    {"launch", .takes = HONE__TAKES_KEYS, .keys = hone__spec_launch_rules, .form = 1,
     HONE__RULE_DOC(NULL, "launch: {grid: N // BN, block: BN}", "As `launch`.")},
    {"values", .takes = HONE__TAKES_MAPPING, .keys = &scalar_value, .form = 1,
     HONE__RULE_DOC("those of `args`", "values: {step: 2 * BM}", "Other values of scalars.")},
    {"name", .takes = HONE__TAKES_TEXT, .form = 1,
     HONE__RULE_DOC("`entry`", "name: first pass", "Its name in reports.")},
    {"repeat", HONE__RULE_WHOLE(0), .form = 2, .needs = "stages",
     HONE__RULE_DOC(NULL, "repeat: N // BM", "A loop: how often its stages run.")},
    {"index", .takes = HONE__TAKES_NAME, .form = 2, .needs = "repeat",
     HONE__RULE_DOC(NULL, "index: i", "The name of the loop counter.")},
    {"swap", .takes = HONE__TAKES_NAME, .list = HONE__LIST_ONLY, .least = 2, .most = 2, .form = 2,
     .needs = "repeat",
     HONE__RULE_DOC(NULL, "swap: [a, b]", "Arguments that are swapped in every second turn.")},
    {"stages", .elsewhere = true, .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .form = 2,
     .keys = hone__spec_stage_rules, .is_closed = true, .needs = "repeat", /* see check_loop */
     HONE__RULE_DOC(NULL, "stages: [{entry: step}]", "The stages that are repeated.")},
    {"when", .takes = HONE__TAKES_BOOLEAN | HONE__TAKES_FORMULA, .names = HONE__NAMES_OF_CANDIDATE,
     HONE__RULE_DOC("true", "when: BM == 1", "Which configurations have this stage.")},
    {0},
};

/* ---- Arguments ---- */

static const struct hone__node *find_arg(const struct hone__loader *loader, const char *name)
{
  const struct hone__node *args = hone__node_get(loader->root, "args");

  for (size_t i = 0; args && args->kind == HONE__SEQUENCE && i < args->count; i++) {
    const struct hone__node *arg = args->items[i];
    const struct hone__node *own = arg->kind == HONE__MAPPING ? hone__node_get(arg, "name") : NULL;
    if (own && own->kind == HONE__SCALAR && strcmp(own->text, name) == 0) return arg;
  }
  return NULL;
}

/* Reports a name that no argument has; NULL then. */
static const struct hone__node *check_arg(struct hone__loader *loader,
                                          const struct hone__node *name)
{
  const struct hone__node *arg = find_arg(loader, name->text);

  if (!arg) hone__loader_error(loader, name, "no argument is named '%s'", name->text);
  return arg;
}

static bool is_passed(const struct hone__node *args, const char *name)
{
  for (size_t i = 0; args && i < args->count; i++)
    if (strcmp(args->items[i]->text, name) == 0) return true;
  return false;
}

static void check_values(struct hone__loader *loader, const struct hone__node *values,
                         const struct hone__node *args)
{
  for (size_t i = 0; i < values->count; i++) {
    const struct hone__node *key = values->pairs[i].key, *arg = check_arg(loader, key);
    if (!arg) continue;
    if (hone__node_get(arg, "shape") || !hone__node_get(arg, "value"))
      hone__loader_error(loader, key, "'%s' is not a scalar: 'values' are those of scalars",
                         key->text);
    else if (args && !is_passed(args, key->text))
      hone__loader_error(loader, key, "'%s' is not one of this stage's 'args'", key->text);
  }
}

/* An argument that has no form in the host's memory. */
static void check_host_arg(struct hone__loader *loader, const struct hone__node *place,
                           const struct hone__node *arg)
{
  static const char *const of_devices[] = {"local", "tensor_map", "sampler"};
  const struct hone__node *name = hone__node_get(arg, "name");

  for (size_t i = 0; i < sizeof of_devices / sizeof *of_devices; i++)
    if (hone__node_get(arg, of_devices[i]))
      hone__loader_error(loader, place,
                         "'%s' is '%s', which a function on the host cannot take: name the others "
                         "in 'args' of this stage",
                         name ? name->text : "an argument", of_devices[i]);
}

/* `args` NULL: it gets all. */
static void check_host(struct hone__loader *loader, const struct hone__node *stage,
                       const struct hone__node *args)
{
  const struct hone__node *all = hone__node_get(loader->root, "args");
  const struct hone__node *launch = hone__node_get(stage, "launch");
  size_t count = args ? args->count : all && all->kind == HONE__SEQUENCE ? all->count : 0;

  if (launch)
    hone__loader_error(loader, launch,
                       "'launch' is for kernels: the host calls this stage's function once");
  for (size_t i = 0; i < count; i++) {
    const struct hone__node *arg = args ? find_arg(loader, args->items[i]->text) : all->items[i];
    if (arg && arg->kind == HONE__MAPPING)
      check_host_arg(loader, args ? args->items[i] : stage, arg);
  }
}

static void check_kernel(struct hone__loader *loader, const struct hone__node *stage)
{
  const struct hone__node *args = hone__node_get(stage, "args");
  const struct hone__node *values = hone__node_get(stage, "values");

  for (size_t i = 0; args && i < args->count; i++)
    check_arg(loader, args->items[i]);
  if (values) check_values(loader, values, args);
  if (hone__node_get(stage, "host")) check_host(loader, stage, args);
}

/* ---- Loops ---- */

static bool have_one_shape(const struct hone__node *one, const struct hone__node *other)
{
  const struct hone__node *a = hone__node_get(one, "shape"), *b = hone__node_get(other, "shape");

  if (!a || !b || a->kind != b->kind) return false;
  if (a->kind == HONE__SCALAR) return strcmp(a->text, b->text) == 0;
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i]->kind != HONE__SCALAR || b->items[i]->kind != HONE__SCALAR ||
        strcmp(a->items[i]->text, b->items[i]->text) != 0)
      return false;
  return true;
}

static bool have_one_type(const struct hone__node *one, const struct hone__node *other)
{
  const struct hone__node *a = hone__node_get(one, "type"), *b = hone__node_get(other, "type");

  return a && b && a->kind == HONE__SCALAR && b->kind == HONE__SCALAR &&
         strcmp(a->text, b->text) == 0;
}

static void check_swap(struct hone__loader *loader, const struct hone__node *swap)
{
  const struct hone__node *one = check_arg(loader, swap->items[0]);
  const struct hone__node *other = check_arg(loader, swap->items[1]);

  if (!one || !other) return;
  if (one == other)
    hone__loader_error(loader, swap, "'swap' takes two arguments, not '%s' twice",
                       swap->items[0]->text);
  else if (!have_one_shape(one, other) || !have_one_type(one, other))
    hone__loader_error(loader, swap,
                       "'swap' takes two tensors of one type and shape: '%s' and '%s' differ",
                       swap->items[0]->text, swap->items[1]->text);
}

static void check_index(struct hone__loader *loader, const struct hone__node *index)
{
  const struct hone_spec *spec = loader->spec;
  bool is_known = hone__spec_has_param(spec, index->text) || hone__spec_has_size(spec, index->text);

  for (size_t i = 0; i < spec->derived_count && !is_known; i++)
    is_known = strcmp(spec->derived[i].name, index->text) == 0;
  for (const struct hone__loader_local *n = loader->locals; n && !is_known; n = n->outer)
    is_known = strcmp(n->name, index->text) == 0;
  if (is_known)
    hone__loader_error(loader, index, "'%s' has a meaning already: give the index another name",
                       index->text);
}

/* The others of a loop's keys are checked by then. */
static const struct hone__rule inner_rules[] = {
    {"stages", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .least = 1,
     .most = HONE__MOST_STAGES, .keys = hone__spec_stage_rules, .also = hone__spec_stage_check},
    {0},
};

/* The index is a name in the stages of the loop, and nowhere else. */
static void check_loop(struct hone__loader *loader, const struct hone__node *loop)
{
  const struct hone__node *index = hone__node_get(loop, "index");
  const struct hone__node *swap = hone__node_get(loop, "swap");
  const struct hone__loader_local *outer = loader->locals;
  struct hone__loader_local own = {.name = index ? index->text : "", .outer = outer};
  size_t depth = 0;

  for (const struct hone__loader_local *n = outer; n; n = n->outer)
    depth++;
  if (depth >= MOST_DEPTH) {
    hone__loader_error(loader, loop, "more than %d loops in each other", MOST_DEPTH);
    return;
  }
  if (index) check_index(loader, index);
  if (swap) check_swap(loader, swap);
  loader->locals = &own;
  hone__schema_check(loader, loop, inner_rules, NULL);
  loader->locals = outer;
}

void hone__spec_stage_check(struct hone__loader *loader, const struct hone__node *stage)
{
  if (hone__node_get(stage, "repeat"))
    check_loop(loader, stage);
  else if (hone__node_get(stage, "entry"))
    check_kernel(loader, stage);
  else
    hone__loader_error(loader, stage, "a stage needs 'entry' (a kernel) or 'repeat' (a loop)");
}

/* ---- All of them ---- */

/* Elsewhere in the spec. */
static void refuse_single(struct hone__loader *loader)
{
  static const char *const of_one[] = {"entry", "launch"};

  for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++) {
    const struct hone__node *node = hone__node_get(loader->root, of_one[i]);
    if (node)
      hone__loader_error(loader, node,
                         "'%s' cannot be combined with 'stages', which have their own", of_one[i]);
  }
}

void hone__spec_stages_check(struct hone__loader *loader, const struct hone__node *stages)
{
  (void)stages;
  refuse_single(loader);
}
