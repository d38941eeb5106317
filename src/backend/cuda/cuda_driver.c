/* CUDA's driver: simt/simt_driver.c with what only CUDA has. */
#include "backend/cuda/cuda_cubin.h"
#include "backend/cuda/cuda_gpu.h"
#include "backend/cuda/cuda_ptx.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Objects ---- */

static bool get_params(const void *cubin, size_t size, const char *name,
                       struct hone__simt_param **out_params, size_t *out_count)
{
  struct hone__cubin_kernel *known;
  bool are_known;

  if (hone__ptx_is(cubin, size)) return hone__ptx_params(cubin, size, name, out_params, out_count);
  known = hone__alloc(sizeof *known);
  are_known = hone__cubin_kernel(cubin, size, name, known);
  *out_count = known->param_count;
  *out_params = hone__alloc((known->param_count + 1) * sizeof **out_params);
  for (size_t i = 0; i < known->param_count; i++)
    (*out_params)[i] = (struct hone__simt_param){known->params[i].offset, known->params[i].size};
  free(known);
  return are_known;
}

static void explain_load(struct hone__simt_gpu *gpu, const void *cubin, size_t size)
{
  unsigned built = hone__cubin_capability(cubin, size);
  unsigned own = (unsigned)hone__cuda_capability(gpu->api, gpu->device);
  size_t length = strlen(gpu->base.fault.message);

  if (built && built != own)
    snprintf(gpu->base.fault.message + length, sizeof gpu->base.fault.message - length,
             "; it was built for sm_%u, this device is sm_%u", built, own);
}

/* ---- The driver ---- */

static const int attributes[] = {
#define HONE__CUDA_NUMBER(name, cuda, hip) [name] = cuda,
    HONE__SIMT_ATTRIBUTES(HONE__CUDA_NUMBER)
#undef HONE__CUDA_NUMBER
};

const struct hone__simt_kind hone__simt_kind_cuda = {
    .name = "cuda",
    .title = "CUDA",
    .vendor = "NVIDIA's driver",
    .no_gpu = "'nvidia-smi' should list one",
    .visible = "CUDA_VISIBLE_DEVICES",
    .is_hidden = "CUDA_VISIBLE_DEVICES hides them",
    .no_context = "call cuCtxSetCurrent, or cudaSetDevice and cudaFree(0)",
    .driver = &hone__gpu_cuda,
    .gpu_bytes = sizeof(struct hone__cuda_gpu),
    .attributes = attributes,
    .library = hone__cuda_library,
    .print_uuid = hone__cuda_print_uuid,
    .arch = hone__cuda_arch,
    .driver_version = hone__cuda_driver_version,
    .add_facts = hone__cuda_add_facts,
    .add_notes = hone__cuda_add_notes,
    .before_context = hone__cuda_state_open,
    .after_context = hone__cuda_state_settle,
    .own_module = hone__cuda_own_module,
    .params = get_params,
    .explain_load = explain_load,
    .tensor_map = hone__cuda_tensor_map,
    .copy_array = hone__cuda_copy_array,
};

static hone_status list_devices(struct hone__wire_device_list *devices)
{
  return hone__simt_list(&hone__simt_kind_cuda, devices);
}

static hone_status open_gpu(const char *device, struct hone__gpu **out_gpu)
{
  return hone__simt_open(&hone__simt_kind_cuda, device, out_gpu);
}

const struct hone__gpu_driver hone__gpu_cuda = {
    .name = "cuda",
    .sleeps = true,
    .list = list_devices,
    .open = open_gpu,
    .state = hone__cuda_state,
    .energy = hone__cuda_energy,
    .lock_clocks = hone__cuda_lock_clocks,
    .limit_power = hone__cuda_limit_power,
    .release_left = hone__clocks_release_left,
    HONE__SIMT_METHODS,
};
