/* A driver's compiler in a fork. PoCL reads its library of functions when it first builds anything,
 * which takes four times as long as a kernel: this process does that, by building something small,
 * and its forks inherit it. Forks of a process that uses another driver are of no use, so that each
 * of those begins anew.
 *
 * PoCL compiles a kernel a second time when it is first launched, for its size of work-groups; what
 * POCL_BINARY_SPECIALIZE_WG names is compiled here, and travels with the binary. */
#include "backend/opencl/opencl_compile.h"

#include "backend/message_text.h"
#include "backend/opencl/opencl_gpu.h"
#include "base/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_LOG_BYTES = 1 << 22, MOST_BINARY_BYTES = 1 << 29 };
static const size_t least_memory_bytes = (size_t)4 << 30;

/* ---- What this process keeps for its forks ---- */

static struct {
  enum { COLD, WARM, HOPELESS } state;
  char name[sizeof((struct hone_opencl_device *)0)->name];
  struct hone_opencl_device at;
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
  const struct hone_opencl_library *cl = kept.at.cl;
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

  if (kept.state != COLD || !hone__starts_with(device, "opencl:pocl")) return;
  status = hone__opencl_find(device, &kept.at);
  kept.state = !status && build_warm() ? WARM : HOPELESS;
  snprintf(kept.name, sizeof kept.name, "%s", device);
  hone_status_free(status);
}

static bool is_warm(const char *device)
{
  return kept.state == WARM && strcmp(kept.name, device) == 0;
}

/* ---- In the fork ---- */

_Noreturn static void leave(int code)
{
  fflush(NULL);
  _exit(code);
}

_Noreturn static void refuse(const char *what, int code)
{
  char error[HONE_OPENCL_ERROR_SIZE];

  printf("error: %s: %s\n", what, hone__opencl_error(code, error));
  leave(HONE_OPENCL_REFUSED);
}

/* Another driver makes other code, which must not go by the same name. */
static void check_target(const struct hone_opencl_compilation *job,
                         const struct hone_opencl_device *at)
{
  static const char *const same[] = {"name", "driver"};
  json_t *facts = hone__opencl_facts(at);

  for (size_t i = 0; job->target && i < sizeof same / sizeof *same; i++) {
    const char *here = hone__message_text(facts, same[i]);
    const char *meant = hone__message_text(job->target, same[i]);
    if (*meant && strcmp(here, meant) != 0) {
      printf("device '%s' has %s '%s' on this host, and '%s' where it is measured\n", at->name,
             same[i], here, meant);
      leave(HONE_OPENCL_NO_DEVICE);
    }
  }
  json_decref(facts);
}

static cl_context open_device(const struct hone_opencl_compilation *job,
                              struct hone_opencl_device *at)
{
  hone_status status;
  cl_context context;
  int code;

  *at = kept.at;
  status = is_warm(job->device) ? NULL : hone__opencl_find(job->device, at);
  if (status) {
    printf("%s\n", hone_status_message(status));
    leave(HONE_OPENCL_NO_DEVICE);
  }
  check_target(job, at);
  if (is_warm(job->device)) return kept.context;
  context = at->cl->CreateContext(NULL, 1, &at->device, NULL, NULL, &code);
  if (code == CL_SUCCESS) return context;
  printf("cannot open device '%s' (%d)\n", job->device, code);
  leave(HONE_OPENCL_NO_DEVICE);
}

static char *log_of(const struct hone_opencl_device *at, cl_program program)
{
  size_t size = 0;
  char *log;

  if (at->cl->GetProgramBuildInfo(program, at->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
          CL_SUCCESS ||
      size > MOST_LOG_BYTES)
    size = 0;
  log = hone__alloc(size + 1);
  if (size) at->cl->GetProgramBuildInfo(program, at->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  return log;
}

static cl_program build(const struct hone_opencl_compilation *job,
                        const struct hone_opencl_device *at, cl_context context)
{
  const char *texts[] = {job->prologue, job->text};
  struct hone_text options = {0};
  int code;
  cl_program program = at->cl->CreateProgramWithSource(context, 2, texts, NULL, &code);

  if (code != CL_SUCCESS) refuse("clCreateProgramWithSource", code);
  hone__text_addf(&options, "%s%s", job->options, at->is_nvidia ? " -cl-nv-verbose" : "");
  code = at->cl->BuildProgram(program, 1, &at->device, options.data, NULL, NULL);
  hone__text_release(&options);
  if (code == CL_SUCCESS) return program;
  printf("%s\n", log_of(at, program));
  refuse("clBuildProgram", code);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wbe");

  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    printf("cannot write '%s': no space left on device, perhaps\n", path);
    leave(HONE_OPENCL_NO_DEVICE);
  }
}

/* Of the one device that the program is for. */
static size_t write_binary(const struct hone_opencl_compilation *job,
                           const struct hone_opencl_device *at, cl_program program)
{
  size_t size = 0;
  char *bytes;
  int code;

  if (at->is_pocl && *job->specialised) setenv("POCL_BINARY_SPECIALIZE_WG", job->specialised, 1);
  code = at->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  if (code != CL_SUCCESS || !size || size > MOST_BINARY_BYTES) refuse("no program binary", code);
  bytes = hone__alloc(size);
  code = at->cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
  if (code != CL_SUCCESS) refuse("no program binary", code);
  write_file(job->object, bytes, size);
  free(bytes);
  return size;
}

static cl_kernel find_entry(const struct hone_opencl_compilation *job,
                            const struct hone_opencl_device *at, cl_program program)
{
  struct hone_text names = {0};
  int code;
  cl_kernel kernel = at->cl->CreateKernel(program, job->entry, &code);

  if (code == CL_SUCCESS) return kernel;
  if (code != CL_INVALID_KERNEL_NAME) refuse("clCreateKernel", code);
  hone__opencl_add_kernel_names(at->cl, program, &names);
  printf("error: no kernel '%s' in the program; it has%s\n", job->entry,
         names.data ? names.data : " none");
  leave(HONE_OPENCL_REFUSED);
}

/* ---- What it takes ---- */

/* "ptxas info    : Used 32 registers, 16 bytes spill stores, ..." behind the kernel's name. */
static void add_number_before(json_t *costs, const char *name, const char *log, const char *words)
{
  const char *at = strstr(log, words);
  const char *line = at;
  json_int_t number;

  if (!at) return;
  while (line > log && line[-1] == ' ')
    line--;
  while (line > log && line[-1] >= '0' && line[-1] <= '9')
    line--;
  number = strtoll(line, NULL, 10);
  number += json_integer_value(json_object_get(costs, name));
  json_object_set_new(costs, name, json_integer(number));
}

static void add_verbose(json_t *costs, const char *log, const char *entry)
{
  const char *own = strstr(log, entry);

  if (!own) return;
  add_number_before(costs, "registers", own, " registers");
  add_number_before(costs, "spills", own, " bytes spill stores");
  add_number_before(costs, "spills", own, " bytes spill loads");
}

static void write_costs(const struct hone_opencl_compilation *job,
                        const struct hone_opencl_device *at, cl_kernel kernel, const char *log,
                        size_t binary_bytes)
{
  json_t *costs = json_object();
  char *text;

  hone__opencl_add_kernel_facts(at, kernel, costs);
  if (at->is_nvidia) add_verbose(costs, log, job->entry);
  json_object_set_new(costs, "binary_bytes", json_integer((json_int_t)binary_bytes));
  text = json_dumps(costs, JSON_COMPACT);
  if (text) write_file(job->costs, text, strlen(text));
  free(text);
  json_decref(costs);
}

static void compile(void *data)
{
  const struct hone_opencl_compilation *job = data;
  struct hone_opencl_device at = {0};
  cl_context context = open_device(job, &at);
  cl_program program = build(job, &at, context);
  cl_kernel kernel = find_entry(job, &at, program);
  char *log = log_of(&at, program);
  size_t size = write_binary(job, &at, program);

  write_costs(job, &at, kernel, log, size);
  if (!at.is_nvidia || strstr(log, "warning")) printf("%s", log);
  leave(0);
}

/* ---- The fork ---- */

/* Drivers of GPUs reserve more addresses than there is memory. */
static size_t memory_bytes(const json_t *target)
{
  size_t half = (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);

  if (strcmp(hone__message_text(target, "kind"), "cpu") != 0) return 0;
  return half > least_memory_bytes ? half : least_memory_bytes;
}

void hone__opencl_compile(const struct hone_opencl_compilation *job,
                          struct hone_child_result *out_result)
{
  struct hone_text temporary = {0};
  const char *variables[] = {"LC_ALL=C", NULL, NULL};
  struct hone_child_options options = {.function = compile,
                                       .data = (void *)(uintptr_t)job,
                                       .directory = job->directory,
                                       .timeout_s = job->timeout_s,
                                       .memory_bytes = memory_bytes(job->target),
                                       .file_bytes = MOST_BINARY_BYTES,
                                       .variables = variables};

  warm_up(job->device);
  hone__text_addf(&temporary, "TMPDIR=%s", job->folder);
  variables[1] = temporary.data;
  hone__child_run(&options, out_result);
  /* What drivers keep for later is not needed: the binary is. */
  if (hone__opencl_folder()) hone__folder_empty(hone__opencl_folder());
  hone__text_release(&temporary);
}
