/* The present state from NVML. Inside a PID namespace it may list processes under foreign ids:
 * whether this process is among them is found by counting before and after its context is created.
 */
#include "backend/cuda/cuda_gpu.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_PROCESSES = 256, TEMPERATURE_OF_GPU = 0 };

/* The reasons for lower clocks that disturb times; idleness and user settings do not. */
static const struct {
  unsigned long long bit;
  const char *words;
} reasons[] = {
    {0x4, "power cap"},
    {0x8, "hardware slowdown"},
    {0x20, "thermal slowdown"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "hardware power brake"},
};

/* ---- Processes ---- */

static bool list_processes(const struct hone__cuda_gpu *gpu, struct nvml_process *processes,
                           unsigned *out_count)
{
  const struct hone__nvml_library *nvml = gpu->nvml;
  nvml_result result = -1;

  *out_count = MOST_PROCESSES;
  if (nvml && nvml->DeviceGetComputeRunningProcesses_v3)
    result = nvml->DeviceGetComputeRunningProcesses_v3(gpu->nvml_device, out_count, processes);
  else if (nvml && nvml->DeviceGetComputeRunningProcesses_v2)
    result = nvml->DeviceGetComputeRunningProcesses_v2(gpu->nvml_device, out_count, processes);
  return result == 0 || result == NVML_INSUFFICIENT_SIZE;
}

static bool is_listed(const struct nvml_process *processes, unsigned count)
{
  for (unsigned i = 0; i < count && i < MOST_PROCESSES; i++)
    if (processes[i].pid == (unsigned)getpid()) return true;
  return false;
}

/* A part of a GPU has another prefix. */
static bool find_device(struct hone__cuda_gpu *gpu)
{
  static const char *const prefixes[] = {"GPU", "MIG"};
  char uuid[HONE__SIMT_UUID_TEXT_SIZE];

  if (!gpu->nvml || !gpu->nvml->DeviceGetHandleByUUID) return false;
  hone__simt_uuid(gpu->simt.api, gpu->simt.device, uuid);
  for (size_t i = 0; i < 2; i++) {
    memcpy(uuid, prefixes[i], 3);
    if (gpu->nvml->DeviceGetHandleByUUID(uuid, &gpu->nvml_device) != 0) continue;
    gpu->clocks = (struct hone__clocks){.nvml = gpu->nvml, .device = gpu->nvml_device};
    snprintf(gpu->clocks.uuid, sizeof gpu->clocks.uuid, "%s", uuid);
    return true;
  }
  return false;
}

void hone__cuda_state_open(struct hone__simt_gpu *simt)
{
  struct hone__cuda_gpu *gpu = (struct hone__cuda_gpu *)simt;
  struct nvml_process processes[MOST_PROCESSES];
  unsigned count;

  gpu->nvml = hone__nvml_library();
  if (!find_device(gpu)) gpu->nvml = NULL;
  hone__clocks_release_left();
  if (list_processes(gpu, processes, &count)) gpu->own_processes = count;
}

void hone__cuda_state_settle(struct hone__simt_gpu *simt)
{
  struct hone__cuda_gpu *gpu = (struct hone__cuda_gpu *)simt;
  struct nvml_process processes[MOST_PROCESSES];
  unsigned before = gpu->own_processes, count;

  gpu->own_processes = 0;
  if (list_processes(gpu, processes, &count))
    gpu->own_processes = is_listed(processes, count) || count > before;
}

static struct hone_value whole(int64_t value)
{
  return (struct hone_value){HONE_INT, {.integer = value}};
}

static void add_others(const struct hone__cuda_gpu *gpu, struct hone__wire_device_state *state)
{
  struct nvml_process processes[MOST_PROCESSES];
  unsigned count;

  if (!list_processes(gpu, processes, &count)) return;
  count -= count < gpu->own_processes ? count : gpu->own_processes;
  state->others = whole(count);
}

/* ---- The rest ---- */

static void add_clock(const struct hone__cuda_gpu *gpu, int clock, struct hone_value *out_mhz)
{
  unsigned mhz = 0;

  if (gpu->nvml->DeviceGetClockInfo &&
      gpu->nvml->DeviceGetClockInfo(gpu->nvml_device, clock, &mhz) == 0)
    *out_mhz = whole(mhz);
}

static void add_throttled(const struct hone__cuda_gpu *gpu, struct hone__arena *arena,
                          struct hone__wire_device_state *state)
{
  const struct hone__nvml_library *nvml = gpu->nvml;
  nvml_result (*ask)(nvml_device, unsigned long long *) =
      nvml->DeviceGetCurrentClocksEventReasons ? nvml->DeviceGetCurrentClocksEventReasons
                                               : nvml->DeviceGetCurrentClocksThrottleReasons;
  unsigned long long bits = 0;

  if (!ask || ask(gpu->nvml_device, &bits) != 0) return;
  state->throttled = hone__arena_alloc(arena, sizeof reasons / sizeof *reasons * sizeof(char *));
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (bits & reasons[i].bit) state->throttled[state->throttled_count++] = reasons[i].words;
}

void hone__cuda_state(struct hone__gpu *base, struct hone__arena *arena,
                      struct hone__wire_device_state *out_state)
{
  struct hone__cuda_gpu *gpu = (struct hone__cuda_gpu *)base;
  unsigned value = 0;

  if (!gpu->nvml) return;
  add_clock(gpu, NVML_CLOCK_SM, &out_state->clock_mhz_now);
  add_clock(gpu, NVML_CLOCK_MEMORY, &out_state->memory_clock_mhz_now);
  if (gpu->nvml->DeviceGetTemperature &&
      gpu->nvml->DeviceGetTemperature(gpu->nvml_device, TEMPERATURE_OF_GPU, &value) == 0)
    out_state->temperature_c = whole(value);
  if (gpu->nvml->DeviceGetPowerUsage &&
      gpu->nvml->DeviceGetPowerUsage(gpu->nvml_device, &value) == 0)
    out_state->power_w = (struct hone_value){HONE_FLOAT, {.real = value / 1000.0}};
  add_throttled(gpu, arena, out_state);
  add_others(gpu, out_state);
}

bool hone__cuda_energy(struct hone__gpu *base, double *out_joules)
{
  struct hone__cuda_gpu *gpu = (struct hone__cuda_gpu *)base;
  unsigned long long mj = 0;

  if (!gpu->nvml || !gpu->nvml->DeviceGetTotalEnergyConsumption ||
      gpu->nvml->DeviceGetTotalEnergyConsumption(gpu->nvml_device, &mj) != 0)
    return false;
  *out_joules = (double)mj / 1000;
  return true;
}

/* ---- What can be changed ---- */

bool hone__cuda_lock_clocks(struct hone__gpu *base, unsigned *out_mhz)
{
  struct hone__cuda_gpu *gpu = (struct hone__cuda_gpu *)base;
  char why[128];

  return hone__clocks_lock(&gpu->clocks, out_mhz, why, sizeof why) ||
         hone__gpu_refuse(&base->fault, "%s", why);
}

bool hone__cuda_limit_power(struct hone__gpu *base, double watts)
{
  struct hone__cuda_gpu *gpu = (struct hone__cuda_gpu *)base;
  char why[128];

  return hone__clocks_limit(&gpu->clocks, watts, why, sizeof why) ||
         hone__gpu_refuse(&base->fault, "a power limit of %g W cannot be set: %s", watts, why);
}
