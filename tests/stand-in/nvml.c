/* A library that stands in for NVIDIA's management library. It has one device, whose clocks and
 * power limit are lines of a file, so that they outlive processes as those of a device do.
 *
 *   NVML_STATE      the file: locked MHz (0: not locked), power limit in mW
 *   NVML_REFUSES    setting anything is not permitted
 */
#define _GNU_SOURCE
#include "misbehave.h"

#include <stdbool.h>

enum { NOT_PERMITTED = 4, LEAST_MW = 200000, MOST_MW = 700000, USUAL_MW = 600000 };

static void read_state(unsigned *locked, unsigned *limit)
{
  FILE *file = fopen(getenv("NVML_STATE"), "r");

  *locked = 0;
  *limit = USUAL_MW;
  if (file && fscanf(file, "%u %u", locked, limit) != 2) *locked = 0;
  if (file) fclose(file);
}

static int write_state(unsigned locked, unsigned limit)
{
  FILE *file = getenv("NVML_REFUSES") ? NULL : fopen(getenv("NVML_STATE"), "w");

  if (!file) return NOT_PERMITTED;
  fprintf(file, "%u %u\n", locked, limit);
  return fclose(file) == 0 ? 0 : NOT_PERMITTED;
}

int nvmlInit_v2(void)
{
  CALL("nvmlInit_v2");
  return 0;
}
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
  CALL("nvmlDeviceGetHandleByUUID");
  *device = (void *)5;
  return strncmp(uuid, "GPU-", 4) == 0 ? 0 : 6;
}
int nvmlDeviceGetMaxClockInfo(void *device, int clock, unsigned *mhz)
{
  CALL("nvmlDeviceGetMaxClockInfo");
  (void)device;
  *mhz = clock == 1 ? 1980 : 3201;
  return 0;
}
int nvmlDeviceSetGpuLockedClocks(void *device, unsigned least, unsigned most)
{
  unsigned locked, limit;

  CALL("nvmlDeviceSetGpuLockedClocks");
  (void)device;
  if (least != most) return 2;
  read_state(&locked, &limit);
  return write_state(most, limit);
}
int nvmlDeviceResetGpuLockedClocks(void *device)
{
  unsigned locked, limit;

  CALL("nvmlDeviceResetGpuLockedClocks");
  (void)device;
  read_state(&locked, &limit);
  return write_state(0, limit);
}
int nvmlDeviceGetPowerManagementLimit(void *device, unsigned *mw)
{
  unsigned locked;

  CALL("nvmlDeviceGetPowerManagementLimit");
  (void)device;
  read_state(&locked, mw);
  return 0;
}
int nvmlDeviceGetPowerManagementLimitConstraints(void *device, unsigned *least, unsigned *most)
{
  CALL("nvmlDeviceGetPowerManagementLimitConstraints");
  (void)device;
  *least = LEAST_MW;
  *most = MOST_MW;
  return 0;
}
int nvmlDeviceSetPowerManagementLimit(void *device, unsigned mw)
{
  unsigned locked, limit;

  CALL("nvmlDeviceSetPowerManagementLimit");
  (void)device;
  read_state(&locked, &limit);
  return write_state(locked, mw);
}
