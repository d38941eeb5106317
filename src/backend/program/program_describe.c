/* The parts common to all configurations of a problem: where programs run, and how their output is
 * read.
 */
#include "backend/program/program_backend.h"

#include "backend/program/program_plan.h"
#include "backend/program/program_setup.h"
#include "base/machine.h"
#include "base/time_unit.h"
#include "base/utf8.h"

#include "wire/named.h"

#include <stdlib.h>

enum { MOST_LOOKED_AT = 1000 };
static const double START_TIMEOUT_S = 60;
static const double START_MARGIN_S = 10; /* to end a program before it is started again */

static double unit_ns(const struct hone__task *task)
{
  const struct hone__node *node = hone__task_setting(task, "run.unit");
  const char *unit = node ? node->text : "ms";

  return hone__time_unit_ns(unit, strlen(unit));
}

static const char *device_variable(const struct hone_program_options *options)
{
  const char *target = options->target_accelerator;
  bool amd = target && (hone__starts_with(target, "amdgpu") || hone__starts_with(target, "mi") ||
                        hone__starts_with(target, "gfx"));

  return amd ? "ROCR_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
}

/* ---- The check ---- */

/* Its {names} are replaced where it runs; here they are checked. */
static hone_status check_names(const struct hone__program_plan *plan, const char *path,
                               const char *const *words)
{
  static const struct hone__placeholder_list none = {NULL, NULL};
  struct hone__program_case one = {.plan = plan, .row = plan->task->baseline};
  struct hone__words ignored = {0};
  hone_status status =
      hone__program_expand(&one, hone__task_setting(plan->task, path), words, &none, &ignored);

  hone__words_release(&ignored);
  return status;
}

/* The words of `check.command` or `run.prepare`. */
static hone_status read_command(const struct hone__program_plan *plan, const char *path,
                                struct hone__words *words)
{
  const struct hone__task *task = plan->task;
  hone_status status = hone__setting_words(task, hone__task_setting(task, path), words);

  if (!status && words->data) status = check_names(plan, path, hone__words_list(words));
  return status;
}

/* ---- The setup ---- */

static hone_status find_directory(const struct hone__task *task, char **out_directory)
{
  char *directory = *out_directory = hone__realpath(".");

  if (!directory)
    return hone__error(
        HONE_INVALID_ARGUMENT,
        "the current folder no longer exists or is not readable; change to another one");
  if (hone__utf8_is_text(directory) && hone__utf8_is_text(task->folder)) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "the name of the folder '%s', or of the current folder, is not valid UTF-8",
                     task->folder);
}

/* Times of one device, or of another clock, are not those of another. */
static void add_device(const struct hone__task *task, struct hone__digester *digester)
{
  static const char *const paths[] = {"run.device",        "run.device.name", "run.device.arch",
                                      "run.device.driver", "run.time",        "run.prepare"};

  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    const struct hone__node *node = hone__task_setting(task, paths[i]);
    if (!node || node->kind != HONE__SCALAR) continue;
    hone__digest_add_text(digester, paths[i]);
    hone__digest_add_text(digester, node->text);
  }
}

static void make_key(const struct hone__task *task, const struct hone__program_check *check,
                     const char *directory, char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();
  struct hone__packed *packed = hone__pack(&hone__program_check_type, check);
  struct hone__text text = {0};

  hone__packed_print(packed, &text);
  hone__digest_add_text(digester, "program");
  hone__digest_add_text(digester, text.data);
  hone__digest_add_text(digester, directory);
  add_device(task, digester);
  hone__digest_end(digester, key);
  hone__text_release(&text);
  hone__packed_drop(packed);
}

static double build_timeout_s(const struct hone__program_plan *plan)
{
  double timeout_s = plan->language->build_timeout_s;

  if (plan->build.data || timeout_s <= 0) timeout_s = hone__language_find("other")->build_timeout_s;
  return hone__setting_seconds(plan->task, "build.timeout", timeout_s);
}

/* ---- A served program ---- */

struct served {
  struct hone__arena arena;
  struct hone__words command;
  struct hone__program_serve serve;
};

static const char *type_of(const struct hone_space *space, size_t group, size_t param)
{
  static const char *const names[] = {
      [HONE_BOOL] = "bool", [HONE_INT] = "int", [HONE_FLOAT] = "float", [HONE_TEXT] = "text"};
  uint32_t count = hone_space_value_count(space, group, param);
  enum hone_type type = count ? hone_space_value(space, group, param, 0).type : HONE_NONE;

  for (uint32_t i = 1; i < count && i < MOST_LOOKED_AT; i++)
    if (hone_space_value(space, group, param, i).type != type) return "mixed";
  return type < sizeof names / sizeof *names && names[type] ? names[type] : "mixed";
}

/* A parameter of several groups is listed once. */
static bool is_listed(const struct hone__program_serve *serve, const char *name)
{
  for (size_t i = 0; i < serve->params_count; i++)
    if (strcmp(serve->params[i].name, name) == 0) return true;
  return false;
}

static void list_params(const struct hone_space *space, struct served *served)
{
  struct hone__program_serve *serve = &served->serve;
  size_t most = 1;

  for (size_t group = 0; group < hone_space_group_count(space); group++)
    most += hone_space_param_count(space, group);
  serve->params = hone__arena_alloc(&served->arena, most * sizeof *serve->params);
  for (size_t group = 0; group < hone_space_group_count(space); group++)
    for (size_t i = 0; i < hone_space_param_count(space, group); i++) {
      const char *name = hone_space_param_name(space, group, i);
      if (!is_listed(serve, name))
        serve->params[serve->params_count++] =
            (struct hone__serve_param){name, type_of(space, group, i)};
    }
}

static void list_sizes(const struct hone__problem *sizes, struct served *served)
{
  struct hone__named_list list = {.arena = &served->arena};

  for (size_t i = 0; i < sizes->count; i++)
    hone__named_set(&list, sizes->names[i], sizes->values[i]);
  served->serve.problem = list.items;
  served->serve.problem_count = list.count;
}

static hone_status describe_served(const struct hone__program_plan *plan, struct served *served)
{
  const struct hone__task *task = plan->task;
  struct hone__program_case one = {.plan = plan, .row = task->baseline};
  const struct hone__node *builders = hone__task_setting(task, "run.builders");
  hone_status status = hone__program_run_words(&one, &served->command);

  if (status) return status;
  served->serve = (struct hone__program_serve){
      .command = (const char **)served->command.data,
      .command_count = served->command.count,
      .has_builders = builders && builders->value.integer > 0,
      .start_timeout_s = hone__setting_seconds(task, "run.start_timeout", START_TIMEOUT_S),
      .build_timeout_s = build_timeout_s(plan)};
  list_params(task->space, served);
  list_sizes(&task->space->setup.sizes, served);
  return NULL;
}

static void release_served(struct served *served)
{
  hone__words_release(&served->command);
  hone__arena_release(&served->arena);
}

/* ---- How it is timed ---- */

static const char *time_of(const struct hone__task *task)
{
  const struct hone__node *node = hone__task_setting(task, "run.time");

  return node && strcmp(node->text, "reported") != 0 ? node->text : NULL;
}

static int64_t warmup_of(const struct hone__task *task)
{
  const struct hone__node *node = hone__task_setting(task, "measure.warmup");

  return node ? node->value.integer : 0;
}

/* Only a process has a time of its own. */
static hone_status check_time(const struct hone__program_plan *plan)
{
  static const char *const paths[] = {"run.time", "run.prepare"};
  const struct hone__node *node = NULL;
  size_t i = 0;

  for (; i < sizeof paths / sizeof *paths && !node; i++)
    node = hone__task_setting(plan->task, paths[i]);
  if (!node || (!plan->is_served && !plan->is_library)) return NULL;
  return hone__backend_spec_error(
      plan->task->spec, node, "'%s' is for programs that are started for each run: 'mode: process'",
      paths[i - 1]);
}

/* ---- All of it ---- */

static struct hone__packed *pack(const struct hone__program_plan *plan, const char *directory,
                                 const struct hone__words *command,
                                 const struct hone__words *prepare,
                                 const struct hone__program_serve *serve)
{
  const struct hone__task *task = plan->task;
  double start_s = serve ? serve->start_timeout_s + START_MARGIN_S : 0;
  const struct hone__program_reference reference = {.kind = "none"};
  const struct hone__program_build_limits build = {.timeout_s = build_timeout_s(plan) + start_s};
  const struct hone__program_check check = {.enabled = task->check && (serve || command->data),
                                            .by_program = task->check && serve,
                                            .command = (const char **)command->data,
                                            .command_count = command->count};
  char key[HONE__DIGEST_SIZE];
  const struct hone__program_setup setup = {
      .folder = task->folder,
      .directory = directory,
      .check = &check,
      .backend = "program",
      .spec_name = task->spec->name,
      .seed = (int64_t)task->seed,
      .memory_bytes = task->memory_bytes ? task->memory_bytes : hone__memory_half(0),
      .reference = &reference,
      .build = &build,
      .unit_ns = unit_ns(task),
      .time = time_of(task),
      .prepare = (const char **)prepare->data,
      .prepare_count = prepare->count,
      .warmup = warmup_of(task),
      .serve = serve,
      .start_s = start_s,
      .device_variable = device_variable(plan->options),
      .inputs_key = key};

  make_key(task, &check, directory, key);
  return hone__pack(&hone__program_setup_type, &setup);
}

hone_status hone__program_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  const struct hone__program_plan *plan;
  struct hone__words command = {0}, prepare = {0};
  struct served served = {0};
  char *directory = NULL;
  hone_status status = hone__program_plan(task, &plan);

  *out_setup = (struct hone__message){0};
  if (!status) status = find_directory(task, &directory);
  if (!status) status = check_time(plan);
  if (!status) status = read_command(plan, "check.command", &command);
  if (!status) status = read_command(plan, "run.prepare", &prepare);
  if (!status && plan->is_served) status = describe_served(plan, &served);
  if (!status)
    out_setup->head =
        pack(plan, directory, &command, &prepare, plan->is_served ? &served.serve : NULL);
  release_served(&served);
  hone__words_release(&prepare);
  hone__words_release(&command);
  free(directory);
  return status;
}
