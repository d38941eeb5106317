/* What all configurations of a problem share: where programs run, and how what they say is taken.
 */
#include "backend/program/program_backend.h"

#include "backend/program/program_plan.h"
#include "base/machine.h"
#include "base/time_unit.h"

#include <stdlib.h>

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

/* Its {names} are replaced where it runs; whether there are such names can be told here. */
static hone_status check_names(const struct hone__program_plan *plan, const json_t *words)
{
  struct hone__program_case one = {.plan = plan, .row = plan->task->baseline};
  json_t *ignored = json_array(), *none = json_object();
  hone_status status = hone__program_expand(&one, hone__task_setting(plan->task, "check.command"),
                                            words, none, ignored);

  json_decref(ignored);
  json_decref(none);
  return status;
}

static hone_status add_check(const struct hone__program_plan *plan, json_t *setup)
{
  const struct hone__task *task = plan->task;
  json_t *words = NULL, *check = json_object();
  hone_status status = hone__setting_words(task, hone__task_setting(task, "check.command"), &words);

  if (!status && words) status = check_names(plan, words);
  json_object_set_new(check, "enabled", json_boolean(task->check && words));
  if (words) json_object_set_new(check, "command", words);
  json_object_set_new(setup, "check", check);
  return status;
}

/* ---- The setup ---- */

static hone_status add_places(const struct hone__task *task, json_t *setup)
{
  char *directory = hone__realpath(".");
  bool ok;

  if (!directory)
    return hone__error(
        HONE_INVALID_ARGUMENT,
        "the current folder no longer exists or is not readable; change to another one");
  ok = json_object_set_new(setup, "folder", json_string(task->folder)) == 0 &&
       json_object_set_new(setup, "directory", json_string(directory)) == 0;
  free(directory);
  if (ok) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "the name of the folder '%s', or of the current folder, is not valid UTF-8",
                     task->folder);
}

static void add_key(json_t *setup)
{
  char *check = json_dumps(json_object_get(setup, "check"), JSON_COMPACT), key[HONE__DIGEST_SIZE];
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "program");
  hone__digest_add_text(digester, check);
  hone__digest_add_text(digester, json_string_value(json_object_get(setup, "directory")));
  hone__digest_end(digester, key);
  json_object_set_new(setup, "inputs_key", json_string(key));
  free(check);
}

static hone_status describe(const struct hone__program_plan *plan, json_t *setup)
{
  const struct hone__task *task = plan->task;
  size_t memory = task->memory_bytes ? task->memory_bytes : hone__memory_half(0);
  double timeout_s = plan->language->build_timeout_s;
  hone_status status = add_places(task, setup);

  if (!status) status = add_check(plan, setup);
  if (status) return status;
  if (plan->build || timeout_s <= 0) timeout_s = hone__language_find("other")->build_timeout_s;
  timeout_s = hone__setting_seconds(task, "build.timeout", timeout_s);
  json_object_set_new(setup, "backend", json_string("program"));
  json_object_set_new(setup, "spec_name", json_string(task->spec->name));
  json_object_set_new(setup, "seed", json_integer((json_int_t)task->seed));
  json_object_set_new(setup, "memory_bytes", json_integer((json_int_t)memory));
  json_object_set_new(setup, "args", json_array());
  json_object_set_new(setup, "reference", json_pack("{ss}", "kind", "none"));
  json_object_set_new(setup, "build", json_pack("{sf}", "timeout_s", timeout_s));
  json_object_set_new(setup, "unit_ns", json_real(unit_ns(task)));
  json_object_set_new(setup, "device_variable", json_string(device_variable(plan->options)));
  add_key(setup);
  return NULL;
}

hone_status hone__program_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  const struct hone__program_plan *plan;
  json_t *setup = json_object();
  hone_status status = hone__program_plan(task, &plan);

  *out_setup = (struct hone__message){0};
  if (!status) status = describe(plan, setup);
  if (status)
    json_decref(setup);
  else
    out_setup->head = setup;
  return status;
}
