/* A loaded candidate. Each set of arguments has a kernel object of its own, so that a launch sets
 * none of them. */
#include "backend/opencl/opencl_gpu.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_NAMES = 1 << 16 };

/* ---- Loading ---- */

void hone__opencl_add_kernel_names(const struct hone__opencl_library *cl, cl_program program,
                                   struct hone__text *text)
{
  size_t size = 0;
  char *names;

  if (cl->GetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) != CL_SUCCESS ||
      size > MOST_NAMES)
    return;
  names = hone__alloc(size + 1);
  cl->GetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, names, NULL);
  for (const char *p = names; *p; p += strspn(p, ";")) { /* "a;b" */
    size_t length = strcspn(p, ";");
    hone__text_addf(text, "%s '%.*s'", p == names ? "" : ",", (int)length, p);
    p += length;
  }
  free(names);
}

static bool has_entry(struct hone__opencl_gpu *gpu, const struct hone__gpu_kernel *kernel)
{
  struct hone__text names = {0};
  int code;
  cl_kernel one = gpu->cl->CreateKernel(kernel->program, kernel->entry, &code);

  if (one) gpu->cl->ReleaseKernel(one);
  if (code != CL_INVALID_KERNEL_NAME)
    return hone__opencl_is_ok(gpu, code, HONE__OPENCL_LOADING, "cannot load the kernel");
  hone__opencl_add_kernel_names(gpu->cl, kernel->program, &names);
  hone__gpu_refuse(&gpu->gpu.fault, "no kernel '%s' in the program; it has%s", kernel->entry,
                   names.data ? names.data : " none");
  hone__text_release(&names);
  return false;
}

bool hone__opencl_load(struct hone__gpu *base, const void *object, size_t size, const char *entry,
                       const struct hone__gpu_launch *launch, struct hone__gpu_kernel **out_kernel)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  struct hone__gpu_kernel *kernel = hone__alloc(sizeof *kernel);
  const unsigned char *binary = object;
  int code, own_code;

  *out_kernel = NULL;
  kernel->launch = *launch;
  kernel->entry = hone__strdup(entry);
  kernel->program = gpu->cl->CreateProgramWithBinary(gpu->context, 1, &gpu->at.device, &size,
                                                     &binary, &own_code, &code);
  if (code == CL_SUCCESS)
    code = gpu->cl->BuildProgram(kernel->program, 1, &gpu->at.device, "", NULL, NULL);
  if (hone__opencl_is_ok(gpu, code, HONE__OPENCL_LOADING, "the driver rejects the binary") &&
      has_entry(gpu, kernel)) {
    *out_kernel = kernel;
    return true;
  }
  hone__opencl_unload(base, kernel);
  return false;
}

bool hone__opencl_load_beside(struct hone__gpu *base, struct hone__gpu_kernel *first,
                              const void *object, size_t size, const char *entry,
                              const struct hone__gpu_launch *launch,
                              struct hone__gpu_kernel **out_kernel)
{
  struct hone__gpu_kernel *kernel = hone__alloc(sizeof *kernel);

  (void)object, (void)size;
  *kernel = (struct hone__gpu_kernel){.program = first->program,
                                      .is_beside = true,
                                      .entry = hone__strdup(entry),
                                      .launch = *launch};
  *out_kernel = has_entry(hone__opencl_gpu(base), kernel) ? kernel : NULL;
  if (!*out_kernel) hone__opencl_unload(base, kernel);
  return *out_kernel != NULL;
}

static void release_set(const struct hone__opencl_gpu *gpu, struct hone__opencl_set *set)
{
  if (set->kernel) gpu->cl->ReleaseKernel(set->kernel);
  for (size_t i = 0; i < set->part_count; i++)
    gpu->cl->ReleaseMemObject(set->parts[i]);
  for (size_t i = 0; i < set->sampler_count; i++)
    gpu->cl->ReleaseSampler(set->samplers[i]);
  free(set->samplers);
  free(set->images);
  free(set->parts);
  *set = (struct hone__opencl_set){0};
}

void hone__opencl_unload(struct hone__gpu *base, struct hone__gpu_kernel *kernel)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  if (!kernel) return;
  for (size_t i = 0; i < kernel->set_count; i++)
    release_set(gpu, &kernel->sets[i]);
  if (kernel->program && !kernel->is_beside) gpu->cl->ReleaseProgram(kernel->program);
  free(kernel->sets);
  free(kernel->entry);
  free(kernel);
}

/* ---- Arguments ---- */

/* The whole memory, or a part of it that belongs to the set. */
static bool part_of(struct hone__opencl_gpu *gpu, struct hone__opencl_set *set,
                    const struct hone__gpu_arg *arg, cl_memory *out_part)
{
  struct cl_region region = {arg->offset, arg->size ? arg->size : 1};
  int code;

  *out_part = arg->memory->memory;
  if (!arg->offset && arg->size == arg->memory->bytes) return true;
  *out_part = gpu->cl->CreateSubBuffer(arg->memory->memory, CL_MEM_READ_WRITE,
                                       CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  if (!hone__opencl_is_ok(gpu, code, HONE__OPENCL_ALLOCATING,
                          "cannot create a buffer for an argument"))
    return false;
  set->parts[set->part_count++] = *out_part;
  return true;
}

/* All have the size of a pointer. */
union handle {
  cl_memory memory;
  cl_sampler sampler;
};

static bool is_handle(const struct hone__gpu_arg *arg)
{
  return arg->kind == HONE__GPU_BUFFER || arg->kind == HONE__GPU_IMAGE ||
         arg->kind == HONE__GPU_SAMPLER;
}

static bool make_handle(struct hone__opencl_gpu *gpu, struct hone__opencl_set *set,
                        const struct hone__gpu_arg *arg, union handle *out)
{
  if (arg->kind == HONE__GPU_IMAGE) return hone__opencl_image(gpu, set, arg, &out->memory);
  if (arg->kind == HONE__GPU_SAMPLER)
    return hone__opencl_sampler(gpu, set, arg->image, &out->sampler);
  return part_of(gpu, set, arg, &out->memory);
}

static bool set_arg(struct hone__opencl_gpu *gpu, struct hone__opencl_set *set, uint32_t index,
                    const struct hone__gpu_arg *arg)
{
  size_t size = is_handle(arg) ? sizeof(union handle) : arg->size;
  const void *value = arg->kind == HONE__GPU_LOCAL ? NULL : arg->bytes;
  union handle handle;
  char what[64];

  if (arg->kind == HONE__GPU_TENSOR_MAP)
    return hone__gpu_refuse(&gpu->gpu.fault, "argument %u: only CUDA supports tensor maps",
                            index + 1);
  if (is_handle(arg)) {
    if (!make_handle(gpu, set, arg, &handle)) return false;
    value = &handle;
  }
  snprintf(what, sizeof what, "cannot pass argument %u, of %zu bytes", index + 1, size);
  return hone__opencl_is_ok(gpu, gpu->cl->SetKernelArg(set->kernel, index, size, value),
                            HONE__OPENCL_LAUNCHING, what);
}

static bool takes(struct hone__opencl_gpu *gpu, cl_kernel kernel, size_t count)
{
  uint32_t wanted = 0;
  int code = gpu->cl->GetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof wanted, &wanted, NULL);

  if (code != CL_SUCCESS || wanted == count) return true;
  return hone__gpu_refuse(&gpu->gpu.fault, "the kernel takes %u arguments, but %zu are given",
                          wanted, count);
}

static struct hone__opencl_set *set_of(struct hone__opencl_gpu *gpu,
                                       struct hone__gpu_kernel *kernel, size_t index)
{
  size_t old = kernel->set_count;

  if (index >= old) {
    kernel->sets = hone__realloc(kernel->sets, (index + 1) * sizeof *kernel->sets);
    memset(kernel->sets + old, 0, (index + 1 - old) * sizeof *kernel->sets);
    kernel->set_count = index + 1;
  }
  release_set(gpu, &kernel->sets[index]);
  return &kernel->sets[index];
}

bool hone__opencl_bind(struct hone__gpu *base, struct hone__gpu_kernel *kernel, size_t index,
                       const struct hone__gpu_arg *args, size_t count)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  struct hone__opencl_set *set;
  bool ok;
  int code;

  if (index >= HONE__GPU_MOST_SETS)
    return hone__gpu_refuse(&gpu->gpu.fault, "too many sets of arguments");
  set = set_of(gpu, kernel, index);
  set->parts = hone__alloc((count + 1) * sizeof *set->parts);
  set->images = hone__alloc((count + 1) * sizeof *set->images);
  set->samplers = hone__alloc((count + 1) * sizeof *set->samplers);
  set->kernel = gpu->cl->CreateKernel(kernel->program, kernel->entry, &code);
  ok = hone__opencl_is_ok(gpu, code, HONE__OPENCL_LOADING, "cannot load the kernel") &&
       takes(gpu, set->kernel, count);
  for (size_t i = 0; i < count && ok; i++)
    ok = set_arg(gpu, set, (uint32_t)i, &args[i]);
  if (!ok) release_set(gpu, set);
  return ok;
}

/* ---- What is known of it ---- */

void hone__opencl_add_kernel_facts(const struct hone__opencl_device *device, cl_kernel kernel,
                                   struct hone__named_list *facts)
{
  static const struct {
    const char *name;
    uint32_t what;
  } numbers[] = {
      {"private_bytes", CL_KERNEL_PRIVATE_MEM_SIZE},
      {"local_bytes", CL_KERNEL_LOCAL_MEM_SIZE},
      {"preferred_multiple", CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE},
      {"max_work_group", CL_KERNEL_WORK_GROUP_SIZE},
  };
  size_t sizes[3] = {0};

  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    uint64_t number = 0;
    if (device->cl->GetKernelWorkGroupInfo(kernel, device->device, numbers[i].what, sizeof number,
                                           &number, NULL) == CL_SUCCESS)
      hone__named_int(facts, numbers[i].name, (int64_t)number);
  }
  if (device->cl->GetKernelWorkGroupInfo(kernel, device->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                         sizeof sizes, sizes, NULL) == CL_SUCCESS &&
      sizes[0])
    hone__named_int(facts, "compiled_work_group", (int64_t)(sizes[0] * sizes[1] * sizes[2]));
}

void hone__opencl_kernel_facts(struct hone__gpu *base, struct hone__gpu_kernel *kernel,
                               struct hone__named_list *facts)
{
  const struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  int code;
  cl_kernel one = gpu->cl->CreateKernel(kernel->program, kernel->entry, &code);

  if (code != CL_SUCCESS) return;
  hone__opencl_add_kernel_facts(&gpu->at, one, facts);
  gpu->cl->ReleaseKernel(one);
}
