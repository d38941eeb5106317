/* What all candidates of a problem share: arguments, how answers are checked and where right ones
 * come from. */
#include "backend/kernel/describer.h"

#include "base/machine.h"
#include "backend/command_template.h"
#include "backend/setting.h"
#include "spec/schema.h"

#include <math.h>

enum { DEFAULT_BUILD_TIMEOUT_S = 60 };

/* ---- Checking ---- */

static bool is_output(const json_t *arg)
{
  const char *role = json_string_value(json_object_get(arg, "role"));

  return role && strcmp(role, "in") != 0;
}

static size_t count_outputs(const json_t *args)
{
  size_t count = 0;

  for (size_t i = 0; i < json_array_size(args); i++)
    count += is_output(json_array_get(args, i));
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

static void add_tolerances(const struct hone__task *task, json_t *arg)
{
  enum hone__element element = HONE__ELEMENT_COUNT;
  double rtol = 0, atol = 0;

  hone__element_parse(json_string_value(json_object_get(arg, "type")), &element);
  for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
    if (tolerances[i].element != element) continue;
    rtol = tolerances[i].rtol;
    atol = tolerances[i].atol;
  }
  json_object_set_new(arg, "rtol", json_real(setting(task, "check.rtol", rtol)));
  json_object_set_new(arg, "atol", json_real(setting(task, "check.atol", atol)));
}

static double largest(const json_t *args, const char *key)
{
  double most = 0;

  for (size_t i = 0; i < json_array_size(args); i++)
    most = fmax(most, json_number_value(json_object_get(json_array_get(args, i), key)));
  return most;
}

/* Words of a command that finds arrays in {dir}. */
static hone_status words_of_folder(const struct hone__task *task, const struct hone__node *node,
                                   json_t **out_words)
{
  hone_status status = hone__setting_words(task, node, out_words);

  return status ? status : hone__command_check_names(task, node, *out_words, "dir");
}

static hone_status add_check(const struct hone__describer *d)
{
  const json_t *args = json_object_get(d->setup, "args");
  const struct hone__node *answers = hone__task_setting(d->task, "measure.check");
  const struct hone__node *command = hone__task_setting(d->task, "check.command");
  json_t *check = json_object(), *words;
  hone_status status = words_of_folder(d->task, command, &words);

  json_object_set_new(d->setup, "check", check);
  for (size_t i = 0; i < json_array_size(args); i++)
    if (is_output(json_array_get(args, i))) add_tolerances(d->task, json_array_get(args, i));
  json_object_set_new(check, "enabled", json_boolean(d->task->check));
  json_object_set_new(check, "rtol", json_real(largest(args, "rtol")));
  json_object_set_new(check, "atol", json_real(largest(args, "atol")));
  json_object_set_new(check, "ratio", json_real(setting(d->task, "check.max_mismatched_ratio", 0)));
  json_object_set_new(check, "answers", json_string(answers ? answers->text : "sampled"));
  if (words) json_object_set_new(check, "command", words);
  if (!status && d->task->check && !count_outputs(args))
    status =
        hone__spec_error(d->task->spec, hone__task_setting(d->task, "args"),
                         "no argument is an output, so no answer can be checked: give one argument "
                         "'role: out' or 'role: inout', or write 'check: {enabled: false}'");
  return status;
}

/* The i-th output among the arguments. */
static const json_t *output_at(const json_t *args, size_t index)
{
  for (size_t i = 0; i < json_array_size(args); i++)
    if (is_output(json_array_get(args, i)) && index-- == 0) return json_array_get(args, i);
  return NULL;
}

static hone_status add_answer(struct hone__describer *d, const struct hone__node *node,
                              const json_t *output, json_t *files)
{
  const json_t *shape = json_object_get(output, "shape");
  json_t *file = json_object();
  int64_t elements = 1;

  json_array_append_new(files, file);
  for (size_t i = 0; i < json_array_size(shape); i++)
    elements *= json_integer_value(json_array_get(shape, i));
  d->arg = json_string_value(json_object_get(output, "name"));
  d->shape = shape;
  hone__element_parse(json_string_value(json_object_get(output, "type")), &d->element);
  return hone__describer_array(d, node, file, elements);
}

static hone_status add_answers(struct hone__describer *d, const struct hone__node *nodes,
                               json_t *out)
{
  const json_t *args = json_object_get(d->setup, "args");
  size_t outputs = count_outputs(args);
  json_t *files = json_array();
  hone_status status = NULL;

  json_object_set_new(out, "kind", json_string("files"));
  json_object_set_new(out, "files", files);
  if (nodes->count != outputs)
    return hone__spec_error(d->task->spec, nodes,
                            "%zu file%s for %zu output%s; give one per output", nodes->count,
                            nodes->count == 1 ? "" : "s", outputs, outputs == 1 ? "" : "s");
  for (size_t i = 0; i < outputs && !status; i++)
    status = add_answer(d, nodes->items[i], output_at(args, i), files);
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

static hone_status add_object(const struct hone__describer *d, const struct hone__node *node,
                              json_t *out)
{
  const struct hone__task *task = d->task;
  const char *entry = json_string_value(json_object_get(d->setup, "entry"));
  const struct hone__node *file = node ? hone__node_get(node, "file") : NULL;
  const struct hone__kernel_kind *kind = file ? reference_kind(d, file->text) : d->kind;
  json_t *candidate = NULL;
  hone_status status;

  if (file)
    status = hone__kernel_reference(task, file, hone__describer_text(node, "entry", entry), kind,
                                    &candidate);
  else
    status = hone__kernel_candidate(task, task->baseline, kind, &candidate);
  json_object_set_new(out, "kind", json_string("object"));
  if (kind != d->kind && candidate)
    json_object_set_new(candidate, "backend", json_string(kind->backend));
  if (!status) json_object_set_new(out, "candidate", candidate);
  return status;
}

static hone_status add_reference(struct hone__describer *d)
{
  const struct hone__node *node = hone__task_setting(d->task, "reference"), *command, *files;
  json_t *out = json_object(), *words = NULL;
  hone_status status;

  json_object_set_new(d->setup, "reference", out);
  if (node && node->kind != HONE__MAPPING) node = NULL; /* `baseline` */
  command = node ? hone__node_get(node, "command") : NULL;
  files = node ? hone__node_get(node, "files") : NULL;
  if (!d->task->check) {
    json_object_set_new(out, "kind", json_string("none"));
    return NULL;
  }
  if (files) return add_answers(d, files, out);
  if (!command) return add_object(d, node, out);
  status = words_of_folder(d->task, command, &words);
  json_object_set_new(out, "kind", json_string("command"));
  json_object_set_new(out, "argv", words);
  return status;
}

/* ---- The setup ---- */

/* What only some backends have. */
static const struct {
  const char *setting, *why_not, *backends[3];
} settings[] = {
    {"launch", "it calls a function", {"cuda", "opencl"}},
    {"launch.cluster", "it has no clusters of blocks", {"cuda"}},
    {"measure.energy", "it has no energy counter", {"cuda"}},
    {"build.command",
     "'build.flags' are options of its compiler; 'build.compiler' names another nvcc for 'cuda'",
     {"c"}},
    {"build.compiler", "the device's driver compiles", {"c", "cuda"}},
};

static hone_status check_settings(const struct hone__describer *d)
{
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    const struct hone__node *node = hone__task_setting(d->task, settings[i].setting);
    if (node && !hone__is_one_of(d->kind->backend, settings[i].backends))
      return hone__spec_error(d->task->spec, node, "backend '%s' does not support '%s': %s",
                              d->kind->backend, settings[i].setting, settings[i].why_not);
  }
  return NULL;
}

static hone_status check_entry(const struct hone__describer *d, const struct hone__node *entry)
{
  if (!entry || entry->kind != HONE__SCALAR)
    return hone__spec_error(d->task->spec, NULL,
                            "no 'entry': name the function to call, as in 'entry: sgemm'");
  if (strcmp(d->kind->backend, "cuda") == 0 || !strpbrk(entry->text, ":<")) return NULL;
  return hone__spec_error(
      d->task->spec, entry,
      "'%s' is not a plain name: only backend 'cuda' supports C++ templates and namespaces",
      entry->text);
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

/* The device that is built for. */
static void add_target(const struct hone__task *task, json_t *setup)
{
  if (!task->device) return;
  json_object_set_new(setup, "target", json_deep_copy(task->device));
  json_object_set(setup, "device", json_object_get(task->device, "device"));
}

static hone_status add_scalars(const struct hone__describer *d)
{
  const struct hone__task *task = d->task;
  const struct hone__node *entry = hone__task_setting(task, "entry");
  const struct hone__node *cache = hone__task_setting(task, "measure.cache");
  size_t memory = task->memory_bytes ? task->memory_bytes : hone__memory_half(0);
  json_t *setup = d->setup;
  hone_status status = check_entry(d, entry);

  if (!status) status = check_settings(d);
  if (status) return status;
  json_object_set_new(setup, "backend", json_string(d->kind->backend));
  json_object_set_new(setup, "spec_name", json_string(task->spec->name));
  json_object_set_new(setup, "seed", json_integer((json_int_t)task->seed));
  json_object_set_new(setup, "memory_bytes", json_integer((json_int_t)memory));
  json_object_set_new(setup, "entry", json_string(entry->text));
  json_object_set_new(setup, "cache", json_string(cache ? cache->text : ""));
  if (is_true(hone__task_setting(task, "measure.energy")) || wants_energy(d))
    json_object_set_new(setup, "energy", json_true());
  add_target(task, setup);
  json_object_set_new(
      setup, "build",
      json_pack("{sf}", "timeout_s",
                hone__setting_seconds(task, "build.timeout", DEFAULT_BUILD_TIMEOUT_S)));
  if (json_object_set_new(setup, "folder", json_string(task->folder)) == 0) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "the name of the folder '%s' is not valid UTF-8",
                     task->folder);
}

hone_status hone__kernel_describe(const struct hone__task *task,
                                  const struct hone__kernel_kind *kind,
                                  struct hone__message *out_setup)
{
  struct hone__text payload = {0};
  struct hone__describer d = {
      .task = task, .kind = kind, .setup = json_object(), .payload = &payload};
  hone_status status = add_scalars(&d);

  *out_setup = (struct hone__message){0};
  if (!status) status = hone__describer_args(&d);
  if (!status) status = add_check(&d);
  if (!status) status = add_reference(&d);
  if (status) {
    json_decref(d.setup);
    hone__text_release(&payload);
    return status;
  }
  *out_setup = (struct hone__message){.head = d.setup, .payload = payload};
  return NULL;
}
