/* The device, and the setup. Programs measure themselves: Hone only chooses their CPUs, or passes
 * the number of their GPU.
 */
#include "backend/program/program_bench.h"
#include "backend/program/serve_run.h"

#include "backend/cpu.h"
#include "base/folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

static const double default_unit_ns = 1e6;

/* ---- Device ---- */

/* "1" of "program:gpu1"; NULL: it is not one. */
static const char *gpu_of(const char *device)
{
  const char *colon = strchr(device, ':');

  return colon && hone__starts_with(colon, ":gpu") ? colon + strlen(":gpu") : NULL;
}

bool hone__program_is_beside_cpu(const char *device)
{
  return gpu_of(device) != NULL;
}

/* A number, or a name as the drivers have them: GPU-8a56..., MIG-... */
static bool is_gpu_name(const char *name)
{
  const char *at = name;

  while (isalnum((unsigned char)*at) || *at == '-')
    at++;
  return at > name && !*at;
}

hone_status hone__program_open(const char *device, const char **out_gpu, void **out_device)
{
  const char *gpu = *out_gpu = gpu_of(device);
  struct hone__program_device *opened;
  hone_status status = NULL;

  *out_device = NULL;
  if (gpu && !is_gpu_name(gpu))
    return hone__error(HONE_UNAVAILABLE, "invalid device '%s': write a GPU as program:gpu0",
                       device);
  if (!gpu) status = hone__backend_cpu_pin(device);
  if (status) return status;
  opened = hone__alloc(sizeof *opened);
  opened->name = hone__strdup(device);
  if (gpu) opened->gpu = hone__strdup(gpu);
  *out_device = opened;
  return NULL;
}

void hone__program_close(void *data)
{
  struct hone__program_device *device = data;

  if (!device) return;
  hone__helper_end(device->host);
  hone__serve_end(&device->serve);
  free(device->gpu);
  free(device->name);
  free(device);
}

/* ---- Bench ---- */

static const char *existing_folder(const char *path)
{
  struct stat info;

  return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? path : NULL;
}

static void name_device(struct hone__program_bench *bench)
{
  if (!bench->device->gpu) return;
  hone__text_addf(&bench->texts, "%s=%s", bench->setup.device_variable, bench->device->gpu);
  bench->variable = bench->texts.data;
}

static void take_setup(struct hone__program_bench *bench)
{
  const struct hone__program_setup *setup = &bench->setup;

  bench->directory = existing_folder(setup->directory);
  if (setup->check->enabled && setup->check->command_count)
    bench->check = (const char *const *)setup->check->command;
  bench->unit_ns = setup->unit_ns > 0 ? setup->unit_ns : default_unit_ns;
  name_device(bench);
}

hone_status hone__program_prepare(void *device, const struct hone__packed *setup, void **out_bench)
{
  struct hone__program_bench *bench = hone__alloc(sizeof *bench);
  hone_status status;

  *out_bench = NULL;
  bench->device = device;
  bench->message = hone__packed_hold((struct hone__packed *)(uintptr_t)setup);
  status = hone__unpack(setup, &hone__program_setup_type, &bench->arena, &bench->setup);
  if (status) {
    hone__program_bench_release(bench);
    return status;
  }
  take_setup(bench);
  if (bench->setup.serve) status = hone__serve_prepare(bench);
  if (status) {
    hone__program_bench_release(bench);
    return status;
  }
  *out_bench = bench;
  return NULL;
}

void hone__program_bench_release(void *data)
{
  struct hone__program_bench *bench = data;

  if (!bench) return;
  hone__folder_remove(bench->root);
  free(bench->root);
  hone__text_release(&bench->texts);
  hone__pairs_release(&bench->written);
  hone__pairs_release(&bench->shared);
  hone__pairs_release(&bench->named);
  hone__arena_release(&bench->arena);
  hone__packed_drop(bench->message);
  free(bench);
}
