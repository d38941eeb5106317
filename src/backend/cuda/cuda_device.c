/* What CUDA's driver and NVML say of a device, besides the numbers of simt/simt_device.c. */
#include "backend/cuda/cuda_device.h"

#include "backend/cuda/nvml_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXCLUSIVE_PROCESS = 3 };

int hone__cuda_capability(const struct hone__simt_library *api, simt_device device)
{
  return 10 * hone__simt_attribute(api, device, SIMT_CAPABILITY_MAJOR) +
         hone__simt_attribute(api, device, SIMT_CAPABILITY_MINOR);
}

void hone__cuda_print_uuid(const unsigned char bytes[SIMT_UUID_BYTES], char out_text[37])
{
  char *p = out_text;

  for (int i = 0; i < SIMT_UUID_BYTES; i++)
    p += sprintf(p, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

/* Hopper and later have architecture-specific instructions: suffix "a". */
const char *hone__cuda_arch(const struct hone__simt_library *api, simt_device device,
                            struct hone__arena *arena)
{
  int capability = hone__cuda_capability(api, device);

  return hone__arena_printf(arena, "sm_%d%s", capability, capability >= 90 ? "a" : "");
}

const char *hone__cuda_driver_version(const struct hone__simt_library *api,
                                      struct hone__arena *arena)
{
  const struct hone__nvml_library *nvml = hone__nvml_library();
  char text[96] = "";
  int version = 0;

  if (nvml && nvml->SystemGetDriverVersion && nvml->SystemGetDriverVersion(text, sizeof text) == 0)
    return hone__arena_strdup(arena, text);
  api->DriverGetVersion(&version);
  return hone__arena_printf(arena, "CUDA %d.%d", version / 1000, version % 1000 / 10);
}

bool hone__cuda_has_mps(void)
{
  const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
  struct hone__text path = {0};
  bool is_here;

  hone__text_addf(&path, "%s/control", folder && *folder ? folder : "/tmp/nvidia-mps");
  is_here = access(path.data, F_OK) == 0;
  hone__text_release(&path);
  return is_here;
}

void hone__cuda_add_notes(const struct hone__simt_library *api, simt_device device,
                          struct hone__arena *arena, struct hone__wire_device_facts *facts)
{
  if (hone__cuda_has_mps() || hone__simt_attribute(api, device, SIMT_MPS_ENABLED) > 0)
    hone__wire_device_facts_note(
        facts, arena,
        "MPS is in use: a fault in one process terminates all processes that "
        "share this GPU, and other processes disturb times");
  if (hone__simt_attribute(api, device, SIMT_COMPUTE_MODE) == EXCLUSIVE_PROCESS)
    hone__wire_device_facts_note(
        facts, arena, "this GPU is in exclusive mode: no other process can use it while Hone runs");
}

void hone__cuda_add_facts(const struct hone__simt_library *api, simt_device device,
                          struct hone__named_list *facts)
{
  hone__named_int(facts, "compute_capability", hone__cuda_capability(api, device));
}
