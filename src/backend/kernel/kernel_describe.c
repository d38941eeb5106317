/* What all candidates of a problem share: arguments, how answers are checked and where right ones
 * come from. */
#include "backend/kernel/describer.h"

#include "backend/kernel/kernel_entry.h"
#include "backend/kernel/kernel_function.h"
#include "base/machine.h"
#include "backend/command_template.h"
#include "backend/kernel/kernel_candidate.h"
#include "backend/setting.h"
#include "backend/source_file.h"
#include "base/utf8.h"
#include "spec/schema.h"

#include <math.h>

enum { DEFAULT_BUILD_TIMEOUT_S = 60, CHECK_S = 60 };

/* ---- Checking ---- */

static size_t count_outputs(const struct hone__kernel_setup *setup)
{
  size_t count = 0;

  for (size_t i = 0; i < setup->args_count; i++)
    count += hone__kernel_arg_is_output(&setup->args[i]);
  return count;
}

/* What rounding may change when sums are taken in another order. Integers are exact. */
static const struct {
  enum hone__element element;
  double rtol, atol;
} tolerances[] = {
    {HONE__ELEMENT_F64, 1e-9, 1e-12},       {HONE__ELEMENT_F32, 1e-4, 1e-5},
    {HONE__ELEMENT_F16, 1e-2, 1e-3},        {HONE__ELEMENT_BF16, 2e-2, 1e-2},
    {HONE__ELEMENT_F8E4M3, 0.125, 0.03125}, {HONE__ELEMENT_F8E5M2, 0.25, 0.0625},
};

static double setting(const struct hone__task *task, const char *path, double fallback)
{
  const struct hone__node *node = hone__task_setting(task, path);
  double number;

  return node && hone__node_number(node, &number) ? number : fallback;
}

/* Of the argument's own `check`. */
static double own_setting(const struct hone__node *own, const char *key, double fallback)
{
  const struct hone__node *node = own ? hone__node_get(own, key) : NULL;
  double number;

  return node && hone__node_number(node, &number) ? number : fallback;
}

static void add_tolerances(const struct hone__task *task, const struct hone__node *own,
                           struct hone__kernel_arg *arg)
{
  const struct hone__node *all = hone__task_setting(task, "check");
  enum hone__element element = HONE__ELEMENT_COUNT;
  double rtol = 0, atol = 0;

  hone__element_parse(arg->type, &element);
  for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
    if (tolerances[i].element != element) continue;
    rtol = tolerances[i].rtol;
    atol = tolerances[i].atol;
  }
  arg->rtol = own_setting(own, "rtol", setting(task, "check.rtol", rtol));
  arg->atol = own_setting(own, "atol", setting(task, "check.atol", atol));
  arg->ratio = own_setting(own, "max_mismatched_ratio", NAN);
  arg->reduce = all ? hone__describer_text(all, "reduce", NULL) : NULL;
  if (own) arg->reduce = hone__describer_text(own, "reduce", arg->reduce);
}

/* Elements of different outputs cannot be compared. */
static hone_status check_variable(const struct hone__describer *d, const struct hone__node *node,
                                  const struct hone__kernel_arg *arg)
{
  const struct hone__kernel_check *check = d->setup.check;

  if (!arg->is_variable || arg->reduce || check->command_count || check->entry || !check->enabled)
    return NULL;
  return hone__backend_spec_error(
      d->task->spec, hone__node_get(node, "shape"),
      "the shape of '%s' depends on parameters, so its elements cannot be compared one by one: "
      "give it 'check: {reduce: sum}', 'min', 'max', 'norm' or 'sorted', or a 'check.command' or "
      "'check.file'",
      arg->name);
}

static hone_status add_output_checks(struct hone__describer *d, struct hone__kernel_check *check)
{
  const struct hone__node *nodes = hone__task_setting(d->task, "args");
  hone_status status = NULL;

  for (size_t i = 0; i < d->setup.args_count && !status; i++) {
    struct hone__kernel_arg *arg = &d->setup.args[i];
    if (!hone__kernel_arg_is_output(arg)) continue;
    add_tolerances(d->task, hone__node_get(nodes->items[i], "check"), arg);
    check->rtol = fmax(check->rtol, arg->rtol);
    check->atol = fmax(check->atol, arg->atol);
    status = check_variable(d, nodes->items[i], arg);
  }
  return status;
}

/* Words of a setting, in the arena; NULL: there is none. */
static hone_status read_words(struct hone__describer *d, const struct hone__node *node,
                              const char ***out_words, size_t *out_count)
{
  struct hone__words words = {0};
  hone_status status = hone__setting_words(d->task, node, &words);

  *out_words = NULL;
  if (node) hone__kernel_keep_words(&words, &d->arena, out_words, out_count);
  hone__words_release(&words);
  return status;
}

/* Words of a command that finds arrays in {dir}. */
static hone_status read_folder_command(struct hone__describer *d, const struct hone__node *node,
                                       const char ***out_words, size_t *out_count)
{
  hone_status status = read_words(d, node, out_words, out_count);

  return status ? status : hone__command_check_names(d->task, node, *out_words, "dir");
}

/* A function in C that checks answers. */
static hone_status add_check_function(struct hone__describer *d, struct hone__kernel_check *check)
{
  const struct hone__node *node = hone__task_setting(d->task, "check");
  struct hone__kernel_file *object;

  if (!node || !hone__node_get(node, "file") || !d->task->check) return NULL;
  object = hone__arena_alloc(&d->arena, sizeof *object);
  check->object = object;
  return hone__kernel_function_build(d, hone__node_get(node, "file"),
                                     hone__describer_text(node, "entry", NULL), &check->entry,
                                     object);
}

static hone_status add_check(struct hone__describer *d)
{
  const struct hone__node *answers = hone__task_setting(d->task, "measure.check");
  struct hone__kernel_check *check = hone__arena_alloc(&d->arena, sizeof *check);
  hone_status status = read_folder_command(d, hone__task_setting(d->task, "check.command"),
                                           &check->command, &check->command_count);

  if (!status) status = add_check_function(d, check);
  check->enabled = d->task->check;
  check->limit_s = check->command || check->entry ? CHECK_S : NAN;
  check->ratio = setting(d->task, "check.max_mismatched_ratio", 0);
  check->answers = answers ? answers->text : "sampled";
  d->setup.check = check;
  if (!status) status = add_output_checks(d, check);
  if (!status && d->task->check && !count_outputs(&d->setup))
    status = hone__backend_spec_error(
        d->task->spec, hone__task_setting(d->task, "args"),
        "no argument is an output, so no answer can be checked: give one argument "
        "'role: out' or 'role: inout', or write 'check: {enabled: false}'");
  return status;
}

/* ---- The reference ---- */

static hone_status add_answer(struct hone__describer *d, const struct hone__node *node,
                              const struct hone__kernel_arg *output,
                              struct hone__kernel_file *out_file)
{
  int64_t elements = 1;

  for (size_t i = 0; i < output->shape_count; i++)
    elements *= output->shape[i];
  d->arg = output;
  hone__element_parse(output->type, &d->element);
  return hone__describer_array(d, node, elements, out_file);
}

static hone_status add_answers(struct hone__describer *d, const struct hone__node *nodes,
                               struct hone__kernel_reference *out)
{
  size_t outputs = count_outputs(&d->setup);
  hone_status status = NULL;

  out->kind = HONE__REFERENCE_FILES;
  if (nodes->count != outputs)
    return hone__backend_spec_error(
        d->task->spec, nodes, "%zu file%s for %zu output%s; give one per output", nodes->count,
        nodes->count == 1 ? "" : "s", outputs, outputs == 1 ? "" : "s");
  out->files = hone__arena_alloc(&d->arena, (outputs + 1) * sizeof *out->files);
  for (size_t i = 0; i < d->setup.args_count && !status; i++) {
    if (!hone__kernel_arg_is_output(&d->setup.args[i])) continue;
    status = add_answer(d, nodes->items[out->files_count], &d->setup.args[i],
                        &out->files[out->files_count]);
    out->files_count++;
  }
  return status;
}

/* A reference in C serves kernels of every kind. */
static const struct hone__kernel_kind *reference_kind(const struct hone__describer *d,
                                                      const char *file)
{
  const char *dot = strrchr(file, '.');

  for (const char *const *suffix = hone__backend_c.suffixes; dot && *suffix; suffix++)
    if (strcmp(dot, *suffix) == 0) return &hone__kernel_kind_c;
  return d->kind;
}

static hone_status check_reference_launch(const struct hone__describer *d,
                                          const struct hone__node *reference,
                                          const struct hone__kernel_kind *kind)
{
  const struct hone__node *launch = hone__node_get(reference, "launch");

  return launch ? hone__kernel_check_launch(d->task, kind, launch) : NULL;
}

static hone_status add_object(struct hone__describer *d, const struct hone__node *node,
                              struct hone__kernel_reference *out)
{
  const struct hone__task *task = d->task;
  const struct hone__node *file = node ? hone__node_get(node, "file") : NULL;
  const struct hone__kernel_kind *kind = file ? reference_kind(d, file->text) : d->kind;
  const char *given = node ? hone__describer_text(node, "entry", NULL) : NULL;
  struct hone__kernel_candidate candidate;
  hone_status status = NULL;

  out->kind = HONE__REFERENCE_OBJECT;
  if (file && hone__kernel_is_pipeline(task) && kind != &hone__kernel_kind_c)
    status = hone__backend_spec_error(
        task->spec, file, "the reference of a pipeline is a function in C, a command or files");
  else if (file)
    status = check_reference_launch(d, node, kind);
  if (!status && file)
    status = hone__kernel_reference(task, file, given, d->setup.entry, kind, &d->arena, &candidate);
  else if (!status)
    status = hone__kernel_configuration(task, task->baseline, kind, &d->arena, &candidate);
  if (status) return status;
  if (kind != d->kind) candidate.backend = kind->backend;
  out->candidate = d->reference = hone__pack(&hone__kernel_candidate_type, &candidate);
  return NULL;
}

static hone_status add_reference(struct hone__describer *d)
{
  const struct hone__node *node = hone__task_setting(d->task, "reference"), *command, *files;
  struct hone__kernel_reference *out = hone__arena_alloc(&d->arena, sizeof *out);

  d->setup.reference = out;
  if (node && node->kind != HONE__MAPPING) node = NULL; /* `baseline` */
  command = node ? hone__node_get(node, "command") : NULL;
  files = node ? hone__node_get(node, "files") : NULL;
  out->kind = HONE__REFERENCE_NONE;
  if (!d->task->check) return NULL;
  if (files) return add_answers(d, files, out);
  if (!command) return add_object(d, node, out);
  out->kind = HONE__REFERENCE_COMMAND;
  return read_folder_command(d, command, &out->argv, &out->argv_count);
}

/* ---- The setup ---- */

/* What only some backends have; stages may have the first ones. */
enum { LAUNCH, CLUSTER, COOPERATIVE, HOST };
static const struct {
  const char *setting, *why_not, *backends[4];
} settings[] = {
    [LAUNCH] = {"launch", "it calls a function", {"cuda", "hip", "opencl"}},
    [CLUSTER] = {"launch.cluster", "it has no clusters of blocks", {"cuda"}},
    [COOPERATIVE] = {"launch.cooperative", "it has no cooperative launches", {"cuda"}},
    [HOST] = {"stages.host",
              "its stages are functions on the host already",
              {"cuda", "hip", "opencl"}},
    {"measure.energy", "it has no energy counter", {"cuda"}},
    {"measure.power_limit", "its power cannot be limited", {"cuda"}},
    {"env", "no process is started for a kernel of a device", {"c"}},
    {"build.compiler", "the device's driver compiles", {"c", "cuda", "hip"}},
};

/* The node of the setting with this number, if there is one. */
static hone_status check_setting(const struct hone__task *task,
                                 const struct hone__kernel_kind *kind, size_t number,
                                 const struct hone__node *node)
{
  if (!node || hone__spec_is_one_of(kind->backend, settings[number].backends)) return NULL;
  return hone__backend_spec_error(task->spec, node, "backend '%s' does not support '%s': %s",
                                  kind->backend, settings[number].setting,
                                  settings[number].why_not);
}

static hone_status check_settings(const struct hone__describer *d)
{
  hone_status status = NULL;

  for (size_t i = 0; i < sizeof settings / sizeof *settings && !status; i++)
    status = check_setting(d->task, d->kind, i, hone__task_setting(d->task, settings[i].setting));
  return status;
}

hone_status hone__kernel_check_launch(const struct hone__task *task,
                                      const struct hone__kernel_kind *kind,
                                      const struct hone__node *launch)
{
  hone_status status = check_setting(task, kind, LAUNCH, launch);

  if (!status) status = check_setting(task, kind, CLUSTER, hone__node_get(launch, "cluster"));
  if (status) return status;
  return check_setting(task, kind, COOPERATIVE, hone__node_get(launch, "cooperative"));
}

/* Its function has a plain name: nobody has its file compiled for templates. */
hone_status hone__kernel_check_host(const struct hone__task *task,
                                    const struct hone__kernel_kind *kind,
                                    const struct hone__node *host, const struct hone__node *entry)
{
  hone_status status = check_setting(task, kind, HOST, host);

  if (status || !strpbrk(entry->text, ":<")) return status;
  return hone__backend_spec_error(
      task->spec, entry,
      "'%s' is not a plain name: a function on the host is in C, or extern \"C\"", entry->text);
}

/* "::f", which C has, too: a function of the source, also a static one. */
static bool is_outermost(const char *entry)
{
  return hone__starts_with(entry, "::") && !strpbrk(entry + strlen("::"), ":<");
}

hone_status hone__kernel_check_entry(const struct hone__task *task,
                                     const struct hone__kernel_kind *kind,
                                     const struct hone__node *place, const char *entry)
{
  if (kind->functions == HONE__FUNCTIONS_CUDA || !strpbrk(entry, ":<")) return NULL;
  if (kind == &hone__kernel_kind_c && task->spec->file &&
      (is_outermost(entry) || hone__backend_source_file_is_cplusplus(task->spec->file)))
    return NULL;
  return hone__backend_spec_error(task->spec, place,
                                  "'%s' is not a plain name: templates and namespaces are for "
                                  "sources in C++ (also .hpp) and for backends 'cuda' and 'hip'",
                                  entry);
}

static hone_status find_entry(const struct hone__describer *d, const char **out_entry)
{
  hone_status status = hone__kernel_entry(d->task, d->kind, out_entry);

  if (status) return status;
  return hone__kernel_check_entry(d->task, d->kind, hone__task_setting(d->task, "entry"),
                                  *out_entry);
}

/* They are copied, poisoned and compared several times, and their pages are made: on a slow machine
 * so many bytes a second. */
static double arguments_s(const struct hone__kernel_setup *setup)
{
  static const double slow_bytes_s = 64 << 20;
  double bytes = 0;

  for (size_t i = 0; i < setup->args_count; i++) {
    const struct hone__kernel_arg *arg = &setup->args[i];
    enum hone__element element = HONE__ELEMENT_U8;
    double elements = arg->shape ? 1 : 0;
    for (size_t k = 0; arg->shape && k < arg->shape_count; k++)
      elements *= (double)arg->shape[k];
    if (arg->type) hone__element_parse(arg->type, &element);
    bytes += elements * (double)hone__element_size(element);
  }
  return bytes / slow_bytes_s;
}

static bool is_true(const struct hone__node *node)
{
  return node && node->kind == HONE__SCALAR && node->value.type == HONE_BOOL && node->value.integer;
}

/* An objective that takes joules: where there is no counter the others have to do. */
static bool wants_energy(const struct hone__describer *d)
{
  return strcmp(d->kind->backend, "cuda") == 0 && hone__spec_wants_energy(d->task->spec);
}

static hone_status add_build(struct hone__describer *d)
{
  struct hone__kernel_build_limits *build = hone__arena_alloc(&d->arena, sizeof *build);

  build->timeout_s = hone__setting_seconds(d->task, "build.timeout", DEFAULT_BUILD_TIMEOUT_S);
  d->setup.build = build;
  if (hone__utf8_is_text(d->task->folder)) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "the name of the folder '%s' is not valid UTF-8",
                     d->task->folder);
}

static hone_status add_scalars(struct hone__describer *d)
{
  const struct hone__task *task = d->task;
  const struct hone__node *cache = hone__task_setting(task, "measure.cache");
  const char *entry;
  hone_status status = find_entry(d, &entry);

  if (!status) status = check_settings(d);
  if (status) return status;
  d->setup = (struct hone__kernel_setup){
      .backend = d->kind->backend,
      .spec_name = task->spec->name,
      .seed = (int64_t)task->seed,
      .memory_bytes = task->memory_bytes ? task->memory_bytes : hone__memory_half(0),
      .folder = task->folder,
      .entry = entry,
      .cache = cache ? cache->text : "",
      .target = task->device,
      .device = task->device ? task->device->device : NULL,
      .ahead = task->processes_ahead,
      .energy = is_true(hone__task_setting(task, "measure.energy")) || wants_energy(d)};
  d->setup.lock_clocks =
      task->lock_clocks || is_true(hone__task_setting(task, "measure.lock_clocks"));
  d->setup.changes_device = d->setup.lock_clocks || hone__task_setting(task, "measure.power_limit");
  return add_build(d);
}

hone_status hone__kernel_describe(const struct hone__task *task,
                                  const struct hone__kernel_kind *kind,
                                  struct hone__message *out_setup)
{
  struct hone__text payload = {0};
  struct hone__describer d = {.task = task, .kind = kind, .payload = &payload};
  hone_status status = add_scalars(&d);

  *out_setup = (struct hone__message){0};
  if (!status) status = hone__describer_supply(&d);
  if (!status) status = hone__describer_args(&d);
  hone__describer_supply_release(&d);
  d.setup.arguments_s = arguments_s(&d.setup);
  if (!status) status = hone__describer_steps(&d);
  if (!status) status = add_check(&d);
  if (!status) status = add_reference(&d);
  if (!status) status = hone__kernel_check_call(&d);
  if (status)
    hone__text_release(&payload);
  else
    *out_setup = (struct hone__message){.head = hone__pack(&hone__kernel_setup_type, &d.setup),
                                        .payload = payload};
  hone__packed_drop(d.reference);
  hone__arena_release(&d.arena);
  return status;
}
