/* The devices and the compiler of a run, as the store keeps them: {"devices": [{"device": "cuda:0",
 * "name": "NVIDIA H200", "family": "sm_90", "driver": "570.86"}], "compiler": "cc (...) 12.2.0"}.
 * CPUs are described by the run's environment. */
#include "session/run_devices.h"

#include "backend/source_file.h"
#include "session/device_kinds.h"
#include "proc/child.h"
#include "spec/json_writer.h"

#include <string.h>

const char *hone__session_device_family(struct hone__arena *arena,
                                        const struct hone__wire_device_facts *facts)
{
  const char *arch = facts->arch;

  if (!arch) return facts->name;
  if (hone__starts_with(arch, "sm_"))
    return hone__arena_strndup(arena, arch, 3 + strspn(arch + 3, "0123456789"));
  return hone__starts_with(arch, "gfx") ? arch : facts->name;
}

static const char *fact_given(const struct hone__session *session, const char *path)
{
  const struct hone__node *node = hone__task_setting(&session->problem.task, path);

  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

void hone__session_name_device(const struct hone__session *session,
                               struct hone__wire_device_facts *facts)
{
  const char *name = fact_given(session, "run.device"), *driver;

  if (!name) name = fact_given(session, "run.device.name");
  if (!name) return;
  driver = fact_given(session, "run.device.driver");
  facts->name = name;
  facts->arch = fact_given(session, "run.device.arch");
  facts->driver = driver ? driver : "";
}

static void add_device(struct hone__json_writer *writer, struct hone__arena *arena,
                       const struct hone__site *site)
{
  const struct hone__wire_device_facts *facts = &site->facts;

  if (site->is_apart || !facts->name || !facts->driver) return;
  hone__json_open(writer, NULL, '{');
  hone__json_text(writer, "device", site->device);
  hone__json_text(writer, "name", facts->name);
  hone__json_text(writer, "family", hone__session_device_family(arena, facts));
  if (*facts->driver) hone__json_text(writer, "driver", facts->driver);
  hone__json_close(writer, '}');
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
  return task->spec->file && hone__backend_source_file_is_cplusplus(task->spec->file) ? "c++"
                                                                                      : "cc";
}

/* The first line of what it says of its version. */
static void add_compiler(struct hone__json_writer *writer, const char *compiler)
{
  const char *const argv[] = {compiler, "--version", NULL};
  struct hone__child_options options = {
      .argv = argv, .timeout_s = 5, .splits_output = true, .spares_others = true};
  struct hone__child_result result;

  hone__child_run(&options, &result);
  if (result.end == HONE__CHILD_EXITED && result.code == 0 && result.output.length) {
    result.output.data[strcspn(result.output.data, "\n")] = '\0';
    hone__json_text(writer, "compiler", result.output.data);
  }
  hone__child_result_release(&result);
}

void hone__session_describe_devices(struct hone__session *session)
{
  struct hone__json_writer writer = {0};
  const char *compiler = compiler_of(session);

  hone__json_open(&writer, NULL, '{');
  hone__json_open(&writer, "devices", '[');
  for (size_t i = 0; i < session->workers.site_count; i++)
    add_device(&writer, &session->arena, &session->workers.sites[i]);
  hone__json_close(&writer, ']');
  if (compiler) add_compiler(&writer, compiler);
  hone__json_close(&writer, '}');
  session->entry.result.devices =
      hone__session_describe_kinds(session, hone__arena_strdup(&session->arena, writer.text.data));
  hone__text_release(&writer.text);
}
