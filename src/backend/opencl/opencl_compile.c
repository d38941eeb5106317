/* Two ways to keep a compiler's start-up state. Most compilers are persistent (opencl_compiler.c).
 * PoCL reads its library of functions at the first build, which takes four times as long as a
 * kernel: this process does that, by building a small program, and each program is compiled in a
 * fork that inherits it. PoCL cannot be persistent: it reads its settings once per process, and the
 * size of work-groups differs between programs. Forks of a process that uses another driver do not
 * work.
 */
#include "backend/opencl/opencl_compile.h"

#include "base/folder.h"
#include "base/machine.h"
#include "base/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const size_t least_memory_bytes = (size_t)4 << 30;

/* ---- What both need ---- */

int hone__opencl_open_compiler(const char *name, struct hone__opencl_device *out_device,
                               cl_context *out_context)
{
  char error[HONE__OPENCL_ERROR_SIZE];
  hone_status status = hone__opencl_find(name, out_device);
  cl_context context;
  int code;

  *out_context = NULL;
  if (status) {
    printf("%s\n", hone_status_message(status));
    hone_status_free(status);
    return HONE__OPENCL_NO_DEVICE;
  }
  context = out_device->cl->CreateContext(NULL, 1, &out_device->device, NULL, NULL, &code);
  if (code == CL_SUCCESS) {
    *out_context = context;
    return 0;
  }
  printf("cannot open device '%s': %s\n", name, hone__opencl_error(code, error));
  return HONE__OPENCL_NO_DEVICE;
}

size_t hone__opencl_compiler_bytes(bool is_cpu)
{
  return is_cpu ? hone__memory_half(least_memory_bytes) : 0;
}

/* ---- What this process keeps for its forks ---- */

static struct {
  enum { COLD, WARM, HOPELESS } state;
  char name[sizeof((struct hone__opencl_device *)0)->name];
  struct hone__opencl_device at;
  cl_context context;
} kept;

static const char warm_source[] = "__kernel void warm(__global float *x, __local float *y)\n"
                                  "{\n"
                                  "  y[get_local_id(0)] = sqrt(x[get_global_id(0)]);\n"
                                  "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                  "  x[get_global_id(0)] = y[0];\n"
                                  "}\n";

static bool build_warm(void)
{
  const struct hone__opencl_library *cl = kept.at.cl;
  const char *text = warm_source;
  size_t size = 0;
  int code;
  cl_program program;

  kept.context = cl->CreateContext(NULL, 1, &kept.at.device, NULL, NULL, &code);
  if (code != CL_SUCCESS) return false;
  program = cl->CreateProgramWithSource(kept.context, 1, &text, NULL, &code);
  if (code == CL_SUCCESS) code = cl->BuildProgram(program, 1, &kept.at.device, "", NULL, NULL);
  if (code == CL_SUCCESS)
    code = cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  if (program) cl->ReleaseProgram(program);
  return code == CL_SUCCESS;
}

static void warm_up(const char *device)
{
  hone_status status;

  if (kept.state != COLD) return;
  status = hone__opencl_find(device, &kept.at);
  kept.state = !status && build_warm() ? WARM : HOPELESS;
  snprintf(kept.name, sizeof kept.name, "%s", device);
  hone_status_free(status);
}

static bool is_warm(const char *device)
{
  return kept.state == WARM && strcmp(kept.name, device) == 0;
}

/* ---- The fork ---- */

static void compile(void *data)
{
  const struct hone__opencl_compilation *job = data;
  struct hone__opencl_device at = kept.at;
  cl_context context = kept.context;
  int code = is_warm(job->device) ? 0 : hone__opencl_open_compiler(job->device, &at, &context);

  if (!code) code = hone__opencl_translate(job, &at, context);
  fflush(NULL);
  _exit(code);
}

static void compile_forked(const struct hone__opencl_compilation *job,
                           struct hone__child_result *out_result)
{
  const char *kind = job->target ? job->target->kind : NULL;
  bool is_cpu = kind && strcmp(kind, "cpu") == 0;
  struct hone__text temporary = {0};
  const char *variables[] = {"LC_ALL=C", NULL, NULL};
  struct hone__child_options options = {.function = compile,
                                        .data = (void *)(uintptr_t)job,
                                        .directory = job->directory,
                                        .timeout_s = job->timeout_s,
                                        .memory_bytes = hone__opencl_compiler_bytes(is_cpu),
                                        .file_bytes = HONE__OPENCL_MOST_BYTES,
                                        .variables = variables};

  warm_up(job->device);
  hone__text_addf(&temporary, "TMPDIR=%s", job->folder);
  variables[1] = temporary.data;
  hone__child_run(&options, out_result);
  hone__text_release(&temporary);
}

/* ---- Either way ---- */

static void compile_once(const struct hone__opencl_compilation *job,
                         struct hone__child_result *out_result)
{
  if (hone__starts_with(job->device, "opencl:pocl"))
    compile_forked(job, out_result);
  else
    hone__opencl_compile_persistent(job, out_result);
  /* Drivers' caches are not needed: the binary is. */
  if (hone__opencl_folder()) hone__folder_empty(hone__opencl_folder());
}

/* A compiler does not cause this: another process killed it. */
static bool was_killed(const struct hone__child_result *result)
{
  return result->end == HONE__CHILD_SIGNALLED &&
         (result->code == SIGKILL || result->code == SIGTERM || result->code == SIGINT);
}

void hone__opencl_compile(const struct hone__opencl_compilation *job,
                          struct hone__child_result *out_result)
{
  hone__opencl_make_folder();
  compile_once(job, out_result);
  if (!was_killed(out_result)) return;
  hone__child_result_release(out_result);
  compile_once(job, out_result);
}
