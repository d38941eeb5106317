/* The devices and the compiler of a run, as the store keeps them: {"devices": [{"device": "cuda:0",
 * "name": "NVIDIA H200", "family": "sm_90", "driver": "570.86"}], "compiler": "cc (...) 12.2.0"}.
 * CPUs are described by the run's environment. */
#include "session/run_devices.h"

#include "backend/source_file.h"
#include "proc/child.h"

#include <jansson.h>
#include <stdlib.h>

const char *hone__device_family(struct hone__arena *arena, const struct hone__device_facts *facts)
{
  const char *arch = facts->arch;

  if (!arch) return facts->name;
  if (hone__starts_with(arch, "sm_"))
    return hone__arena_strndup(arena, arch, 3 + strspn(arch + 3, "0123456789"));
  return hone__starts_with(arch, "gfx") ? arch : facts->name;
}

static void add_device(json_t *devices, struct hone__arena *arena, const struct hone__site *site)
{
  const struct hone__device_facts *facts = &site->facts;
  json_t *device;

  if (!facts->name || !facts->driver) return;
  device = json_object();
  json_object_set_new(device, "device", json_string(site->device));
  json_object_set_new(device, "name", json_string(facts->name));
  json_object_set_new(device, "family", json_string(hone__device_family(arena, facts)));
  json_object_set_new(device, "driver", json_string(facts->driver));
  json_array_append_new(devices, device);
}

/* ---- The compiler ---- */

/* The program that compiles here; NULL: the backend has its own, or another host compiles. */
static const char *compiler_of(const struct hone__session *session)
{
  const struct hone__task *task = &session->problem.task;
  const struct hone__node *node = hone__task_setting(task, "build.compiler");

  if (session->settings.options->worker_count) return NULL;
  if (node) return node->text;
  if (strcmp(task->backend->name, "c") != 0 || hone__task_setting(task, "build.command"))
    return NULL;
  return task->spec->file && hone__source_file_is_cplusplus(task->spec->file) ? "c++" : "cc";
}

/* The first line of what it says of its version. */
static void add_compiler(json_t *object, const char *compiler)
{
  const char *const argv[] = {compiler, "--version", NULL};
  struct hone__child_options options = {
      .argv = argv, .timeout_s = 5, .splits_output = true, .spares_others = true};
  struct hone__child_result result;

  hone__child_run(&options, &result);
  if (result.end == HONE__CHILD_EXITED && result.code == 0 && result.output.length) {
    size_t length = strcspn(result.output.data, "\n");
    json_object_set_new(object, "compiler", json_stringn(result.output.data, length));
  }
  hone__child_result_release(&result);
}

void hone__session_describe_devices(struct hone__session *session)
{
  json_t *object = json_object(), *devices = json_array();
  const char *compiler = compiler_of(session);
  char *text;

  for (size_t i = 0; i < session->workers.site_count; i++)
    add_device(devices, &session->arena, &session->workers.sites[i]);
  json_object_set_new(object, "devices", devices);
  if (compiler) add_compiler(object, compiler);
  text = json_dumps(object, JSON_COMPACT);
  session->entry.result.devices = text ? hone__arena_strdup(&session->arena, text) : NULL;
  free(text);
  json_decref(object);
}
