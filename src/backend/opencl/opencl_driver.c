/* The driver for OpenCL: opening a device, and what its errors mean. */
#include "backend/opencl/opencl_gpu.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Faults ---- */

static enum hone_outcome outcome_of(int code, enum hone__opencl_phase phase)
{
  bool is_memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
  bool is_lost = code == CL_INVALID_COMMAND_QUEUE || code == CL_INVALID_CONTEXT;

  if (phase == HONE__OPENCL_ALLOCATING)
    return is_memory || code == CL_OUT_OF_RESOURCES || code == CL_INVALID_BUFFER_SIZE
               ? HONE_OUTCOME_OOM_DEVICE
           : is_lost ? HONE_OUTCOME_DEVICE_FAULT
                     : HONE_OUTCOME_LAUNCH_FAILURE;
  if (phase == HONE__OPENCL_RUNNING || is_lost) return HONE_OUTCOME_DEVICE_FAULT;
  if (is_memory) return HONE_OUTCOME_OOM_DEVICE; /* drivers allocate when memory is first used */
  return phase == HONE__OPENCL_MOVING ? HONE_OUTCOME_DEVICE_FAULT : HONE_OUTCOME_LAUNCH_FAILURE;
}

bool hone__opencl_is_ok(struct hone__opencl_gpu *gpu, int code, enum hone__opencl_phase phase,
                        const char *what)
{
  struct hone__gpu_fault *fault = &gpu->gpu.fault;
  char error[HONE__OPENCL_ERROR_SIZE];

  if (code == CL_SUCCESS) return true;
  fault->outcome = outcome_of(code, phase);
  fault->is_fatal = fault->outcome == HONE_OUTCOME_DEVICE_FAULT;
  snprintf(fault->message, sizeof fault->message, "%s (%s)", what, hone__opencl_error(code, error));
  return false;
}

/* ---- The device ---- */

static hone_status list(struct hone__wire_device_list *devices)
{
  hone_status status = hone__opencl_list(devices);

  hone__opencl_leave();
  return status;
}

static void close_gpu(struct hone__gpu *base)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  if (!gpu) return;
  hone__opencl_own_release(gpu);
  if (gpu->flusher) gpu->cl->ReleaseMemObject(gpu->flusher);
  if (gpu->queue) gpu->cl->ReleaseCommandQueue(gpu->queue);
  if (gpu->context) gpu->cl->ReleaseContext(gpu->context);
  free(gpu);
  hone__opencl_leave();
}

static void take_facts(struct hone__opencl_gpu *gpu)
{
  struct hone__arena arena = {0};
  struct hone__wire_device_facts facts;
  uint64_t bits = hone__opencl_number(&gpu->at, CL_DEVICE_MEM_BASE_ADDR_ALIGN);

  hone__opencl_facts(&gpu->at, &arena, &facts);
  snprintf(gpu->fingerprint, sizeof gpu->fingerprint, "%s", facts.fingerprint);
  gpu->gpu.cache_bytes = hone__opencl_cache_bytes(&gpu->at);
  gpu->gpu.alignment = bits >= 8 ? bits / 8 : 1;
  hone__arena_release(&arena);
}

static hone_status open_gpu(const char *device, struct hone__gpu **out_gpu)
{
  struct hone__opencl_gpu *gpu = hone__alloc(sizeof *gpu);
  hone_status status = NULL;
  char error[HONE__OPENCL_ERROR_SIZE];
  int code = CL_SUCCESS;

  *out_gpu = NULL;
  gpu->gpu.driver = &hone__gpu_opencl;
  if (hone__opencl_is_inherited())
    status = hone__error(HONE_UNAVAILABLE, "OpenCL was in use before this process was forked");
  if (!status) status = hone__opencl_find(device, &gpu->at);
  gpu->cl = gpu->at.cl;
  if (!status) {
    gpu->context = gpu->cl->CreateContext(NULL, 1, &gpu->at.device, NULL, NULL, &code);
    if (code == CL_SUCCESS)
      gpu->queue = gpu->cl->CreateCommandQueue(gpu->context, gpu->at.device,
                                               CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS)
      status = hone__error(HONE_UNAVAILABLE, "cannot open device '%s': %s", device,
                           hone__opencl_error(code, error));
  }
  if (status) {
    close_gpu(&gpu->gpu);
    return status;
  }
  take_facts(gpu);
  *out_gpu = &gpu->gpu;
  return NULL;
}

static void get_facts(struct hone__gpu *base, struct hone__arena *arena,
                      struct hone__wire_device_facts *out_facts)
{
  hone__opencl_facts(&hone__opencl_gpu(base)->at, arena, out_facts);
}

const struct hone__gpu_driver hone__gpu_opencl = {
    .name = "opencl",
    .most_sets = 8, /* each is a kernel object, of which PoCL keeps mappings */
    .list = list,
    .open = open_gpu,
    .close = close_gpu,
    .facts = get_facts,
    .floor = hone__opencl_floor,
    .allocate = hone__opencl_allocate,
    .release = hone__opencl_release,
    .write = hone__opencl_write,
    .read = hone__opencl_read,
    .copy = hone__opencl_copy,
    .spread = hone__opencl_spread,
    .fill = hone__opencl_fill,
    .differ = hone__opencl_differ,
    .load = hone__opencl_load,
    .load_beside = hone__opencl_load_beside,
    .unload = hone__opencl_unload,
    .bind = hone__opencl_bind,
    .launch = hone__opencl_launch,
    .flush = hone__opencl_flush,
    .perform = hone__opencl_perform,
    .batch = hone__opencl_batch,
    .kernel_facts = hone__opencl_kernel_facts,
};
