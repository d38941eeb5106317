/* nvml_library.h - the used part of NVIDIA's management library, loaded at run time.
 *
 * Clocks, temperature, power, energy and other processes of a device. All of it is optional: any
 * symbol may be NULL, and everything else works without the library.
 */
#ifndef HONE_BACKEND_CUDA_NVML_LIBRARY_H
#define HONE_BACKEND_CUDA_NVML_LIBRARY_H

typedef int nvml_result; /* 0: success */
typedef struct nvml_device_object *nvml_device;

enum nvml_clock { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };
enum { NVML_INSUFFICIENT_SIZE = 7 };

struct nvml_process { /* of _v2 and _v3 */
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};

/* result, name without "nvml", arguments */
#define HONE__NVML_SYMBOLS(X)                                                                      \
  X(nvml_result, Init_v2, (void))                                                                  \
  X(nvml_result, SystemGetDriverVersion, (char *, unsigned))                                       \
  X(nvml_result, DeviceGetHandleByUUID, (const char *, nvml_device *))                             \
  X(nvml_result, DeviceGetClockInfo, (nvml_device, int, unsigned *))                               \
  X(nvml_result, DeviceGetTemperature, (nvml_device, int, unsigned *))                             \
  X(nvml_result, DeviceGetPowerUsage, (nvml_device, unsigned *))                                   \
  X(nvml_result, DeviceGetTotalEnergyConsumption, (nvml_device, unsigned long long *))             \
  X(nvml_result, DeviceGetDefaultApplicationsClock, (nvml_device, int, unsigned *))                \
  X(nvml_result, DeviceGetMaxClockInfo, (nvml_device, int, unsigned *))                            \
  X(nvml_result, DeviceSetGpuLockedClocks, (nvml_device, unsigned, unsigned))                      \
  X(nvml_result, DeviceResetGpuLockedClocks, (nvml_device))                                        \
  X(nvml_result, DeviceGetPowerManagementLimit, (nvml_device, unsigned *))                         \
  X(nvml_result, DeviceSetPowerManagementLimit, (nvml_device, unsigned))                           \
  X(nvml_result, DeviceGetPowerManagementLimitConstraints, (nvml_device, unsigned *, unsigned *))  \
  X(nvml_result, DeviceGetCurrentClocksEventReasons, (nvml_device, unsigned long long *))          \
  X(nvml_result, DeviceGetCurrentClocksThrottleReasons, (nvml_device, unsigned long long *))       \
  X(nvml_result, DeviceGetComputeRunningProcesses_v3,                                              \
    (nvml_device, unsigned *, struct nvml_process *))                                              \
  X(nvml_result, DeviceGetComputeRunningProcesses_v2,                                              \
    (nvml_device, unsigned *, struct nvml_process *))

struct hone__nvml_library {
#define HONE__NVML_FIELD(result, name, arguments) result(*name) arguments;
  HONE__NVML_SYMBOLS(HONE__NVML_FIELD)
#undef HONE__NVML_FIELD
};

/* Opened and initialised once; NULL if that fails. HONE__NVML names another file. */
const struct hone__nvml_library *hone__nvml_library(void);

#endif
