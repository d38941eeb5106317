/* One source, or SPIR-V, becomes a binary, by a driver's compiler.
 *
 * PoCL compiles a kernel a second time when it is first launched, for its size of work-groups; what
 * POCL_BINARY_SPECIALIZE_WG names is compiled here, and travels with the binary. */
#include "backend/opencl/opencl_compile.h"

#include "backend/kernel/pipeline.h"
#include "backend/opencl/opencl_gpu.h"
#include "backend/opencl/opencl_source.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LOG_BYTES = 1 << 22 };

struct translation {
  const struct hone__opencl_compilation *job;
  const struct hone__opencl_device *at;
  const struct hone__opencl_library *cl;
  cl_program program;
  struct hone__arena arena;
  struct hone__named_list costs; /* of all kernels together; in the arena */
  char *log;
  size_t binary_bytes;
};

static int refuse(const char *what, int code)
{
  char error[HONE__OPENCL_ERROR_SIZE];

  printf("error: %s: %s\n", what, hone__opencl_error(code, error));
  return HONE__OPENCL_REFUSED;
}

/* ---- The steps: 0, or the exit status ---- */

static bool is_other(const struct translation *t, const char *what, const char *here,
                     const char *meant)
{
  if (!meant || !*meant || strcmp(here, meant) == 0) return false;
  printf("device '%s' has %s '%s' on this host but '%s' on the host that measures\n", t->at->name,
         what, here, meant);
  return true;
}

/* Another driver makes other code, which must not have the same key. */
static int check_target(struct translation *t)
{
  const struct hone__wire_device_facts *target = t->job->target;
  struct hone__arena arena = {0};
  struct hone__wire_device_facts facts;
  int status = 0;

  if (!target) return 0;
  hone__opencl_facts(t->at, &arena, &facts);
  if (is_other(t, "name", facts.name, target->name) ||
      is_other(t, "driver", facts.driver, target->driver))
    status = HONE__OPENCL_NO_DEVICE;
  hone__arena_release(&arena);
  return status;
}

static void take_log(struct translation *t)
{
  size_t size = 0;

  if (t->cl->GetProgramBuildInfo(t->program, t->at->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
          CL_SUCCESS ||
      size > MOST_LOG_BYTES)
    size = 0;
  t->log = hone__alloc(size + 1);
  if (size)
    t->cl->GetProgramBuildInfo(t->program, t->at->device, CL_PROGRAM_BUILD_LOG, size, t->log, NULL);
}

static int build(struct translation *t)
{
  struct hone__text options = {0};
  int code;

  hone__text_addf(&options, "%s%s", t->job->options, t->at->is_nvidia ? " -cl-nv-verbose" : "");
  code = t->cl->BuildProgram(t->program, 1, &t->at->device, options.data, NULL, NULL);
  hone__text_release(&options);
  take_log(t);
  if (code == CL_SUCCESS) return 0;
  printf("%s\n", t->log);
  return refuse("clBuildProgram", code);
}

static void add_costs(struct translation *t, const char *entry, cl_kernel kernel);

static int find_entry(struct translation *t, const char *entry)
{
  struct hone__text names = {0};
  int code;
  cl_kernel kernel = t->cl->CreateKernel(t->program, entry, &code);

  if (code == CL_SUCCESS) {
    add_costs(t, entry, kernel);
    t->cl->ReleaseKernel(kernel);
    return 0;
  }
  if (code != CL_INVALID_KERNEL_NAME) return refuse("clCreateKernel", code);
  hone__opencl_add_kernel_names(t->cl, t->program, &names);
  printf("error: no kernel '%s' in the program; it has%s\n", entry,
         names.data ? names.data : " none");
  hone__text_release(&names);
  return HONE__OPENCL_REFUSED;
}

static int find_entries(struct translation *t)
{
  struct hone__text entry = {0};
  const char *at = t->job->entry;
  int status = 0;

  while (!status && hone__pipeline_next_entry(&at, &entry))
    status = find_entry(t, entry.data);
  hone__text_release(&entry);
  return status;
}

static int write_file(const char *path, const void *bytes, size_t size)
{
  if (hone__file_make(path, bytes, size)) return 0;
  printf("cannot write '%s': possibly no space left on device\n", path);
  return HONE__OPENCL_NO_DEVICE;
}

/* Of the one device that the program is for. */
static int write_binary(struct translation *t)
{
  char *bytes;
  int code, status;

  if (t->at->is_pocl && *t->job->specialised)
    setenv("POCL_BINARY_SPECIALIZE_WG", t->job->specialised, 1);
  code = t->cl->GetProgramInfo(t->program, CL_PROGRAM_BINARY_SIZES, sizeof t->binary_bytes,
                               &t->binary_bytes, NULL);
  if (code != CL_SUCCESS || !t->binary_bytes || t->binary_bytes > HONE__OPENCL_MOST_BYTES)
    return refuse("no program binary", code);
  bytes = hone__alloc(t->binary_bytes);
  code = t->cl->GetProgramInfo(t->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
  status = code == CL_SUCCESS ? write_file(t->job->object, bytes, t->binary_bytes)
                              : refuse("no program binary", code);
  free(bytes);
  return status;
}

/* ---- What it takes ---- */

/* "ptxas info    : Used 32 registers, 16 bytes spill stores, ..." after the kernel's name. */
static void add_number_before(struct hone__named_list *costs, const char *name, const char *log,
                              const char *words)
{
  const char *at = strstr(log, words);
  const char *line = at;
  int64_t number;

  if (!at) return;
  while (line > log && line[-1] == ' ')
    line--;
  while (line > log && line[-1] >= '0' && line[-1] <= '9')
    line--;
  number = strtoll(line, NULL, 10);
  number += (int64_t)hone__named_number(costs->items, costs->count, name);
  hone__named_int(costs, name, number);
}

static void add_verbose(struct hone__named_list *costs, const char *log, const char *entry)
{
  const char *own = strstr(log, entry);

  if (!own) return;
  add_number_before(costs, "registers", own, " registers");
  add_number_before(costs, "spills", own, " bytes spill stores");
  add_number_before(costs, "spills", own, " bytes spill loads");
}

static void add_costs(struct translation *t, const char *entry, cl_kernel kernel)
{
  struct hone__named_list own = {.arena = &t->arena};

  hone__opencl_add_kernel_facts(t->at, kernel, &own);
  if (t->at->is_nvidia) add_verbose(&own, t->log, entry);
  hone__pipeline_join_costs(&t->costs, &own);
}

static int write_costs(struct translation *t)
{
  struct hone__packed *packed;
  struct hone__text text = {0};
  int status;

  hone__named_int(&t->costs, "binary_bytes", (int64_t)t->binary_bytes);
  packed =
      hone__pack(&hone__named_type, &(struct hone__named_record){t->costs.items, t->costs.count});
  hone__packed_print(packed, &text);
  status = write_file(t->job->costs, text.data, text.length);
  hone__packed_drop(packed);
  hone__text_release(&text);
  return status;
}

static int tell_warnings(struct translation *t)
{
  if (!t->at->is_nvidia || strstr(t->log, "warning")) printf("%s", t->log);
  return 0;
}

/* ---- The program ---- */

static int create_from_spirv(struct translation *t, cl_context context)
{
  char version[256] = "";
  int code;
  cl_program program;

  t->cl->GetDeviceInfo(t->at->device, CL_DEVICE_IL_VERSION, sizeof version - 1, version, NULL);
  if (!t->cl->CreateProgramWithIL || !strstr(version, "SPIR-V")) {
    printf("error: device '%s' takes no SPIR-V: its driver names no version of it "
           "(CL_DEVICE_IL_VERSION)\n",
           t->at->name);
    return HONE__OPENCL_REFUSED;
  }
  program = t->cl->CreateProgramWithIL(context, t->job->text, t->job->text_size, &code);
  if (code != CL_SUCCESS) return refuse("clCreateProgramWithIL", code);
  t->program = program;
  return 0;
}

static int create_from_binary(struct translation *t, cl_context context)
{
  const unsigned char *bytes = (const unsigned char *)t->job->text;
  int own, code;
  cl_program program = t->cl->CreateProgramWithBinary(context, 1, &t->at->device,
                                                      &t->job->text_size, &bytes, &own, &code);

  if (code != CL_SUCCESS) return refuse("clCreateProgramWithBinary", code);
  t->program = program;
  return 0;
}

static int create(struct translation *t, cl_context context)
{
  const char *texts[] = {t->job->prologue, t->job->text};
  int code;
  cl_program program;

  if (hone__opencl_is_spirv(t->job->text, t->job->text_size)) return create_from_spirv(t, context);
  if (hone__opencl_is_binary(t->job->text, t->job->text_size))
    return create_from_binary(t, context);
  program = t->cl->CreateProgramWithSource(context, 2, texts, NULL, &code);
  if (code != CL_SUCCESS) return refuse("clCreateProgramWithSource", code);
  t->program = program;
  return 0;
}

/* ---- All of it ---- */

int hone__opencl_translate(const struct hone__opencl_compilation *job,
                           const struct hone__opencl_device *device, cl_context context)
{
  static int (*const steps[])(struct translation *) = {check_target, build,       find_entries,
                                                       write_binary, write_costs, tell_warnings};
  struct translation t = {.job = job, .at = device, .cl = device->cl};
  int status = create(&t, context);

  t.costs.arena = &t.arena;
  for (size_t i = 0; !status && i < sizeof steps / sizeof *steps; i++)
    status = steps[i](&t);
  if (t.program) t.cl->ReleaseProgram(t.program);
  hone__arena_release(&t.arena);
  free(t.log);
  return status;
}
