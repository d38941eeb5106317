/* The device, and what a setup says. Programs measure themselves: all that is done for them is to
 * choose their CPUs, or to tell them which GPU is theirs. */
#include "backend/program/program_bench.h"

#include "backend/cpu.h"
#include "base/folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

static const double default_unit_ns = 1e6;

/* ---- Device ---- */

/* "1" of "program:gpu1"; NULL: it is none. */
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

hone_status hone__program_open(const char *device, json_t *facts, void **out_device)
{
  const char *gpu = gpu_of(device);
  struct hone__program_device *opened;
  hone_status status = NULL;

  *out_device = NULL;
  if (gpu && !is_gpu_name(gpu))
    return hone__error(HONE_UNAVAILABLE, "invalid device '%s': write a GPU as program:gpu0",
                       device);
  if (!gpu) status = hone__cpu_pin(device);
  if (status) return status;
  opened = hone__alloc(sizeof *opened);
  if (gpu) opened->gpu = hone__strdup(gpu);
  hone__cpu_facts(facts);
  if (gpu) json_object_set_new(facts, "gpu", json_string(gpu));
  *out_device = opened;
  return NULL;
}

void hone__program_close(void *data)
{
  struct hone__program_device *device = data;

  if (!device) return;
  hone__helper_end(device->host);
  free(device->gpu);
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
  const char *variable = json_string_value(json_object_get(bench->setup, "device_variable"));

  if (!bench->device->gpu) return;
  hone__text_addf(&bench->texts, "%s=%s", variable ? variable : "CUDA_VISIBLE_DEVICES",
                  bench->device->gpu);
  bench->variable = bench->texts.data;
}

static const json_t *check_of(const json_t *setup)
{
  const json_t *check = json_object_get(setup, "check");
  const json_t *command = json_object_get(check, "command");
  bool is_wanted = !json_is_false(json_object_get(check, "enabled"));

  return is_wanted && json_array_size(command) ? command : NULL;
}

hone_status hone__program_prepare(void *device, const json_t *setup, const void *payload,
                                  size_t payload_size, json_t *facts, void **out_bench)
{
  struct hone__program_bench *bench = hone__alloc(sizeof *bench);
  double unit_ns = json_number_value(json_object_get(setup, "unit_ns"));

  (void)payload;
  (void)payload_size;
  (void)facts;
  bench->device = device;
  bench->setup = json_deep_copy(setup);
  bench->directory = existing_folder(json_string_value(json_object_get(bench->setup, "directory")));
  bench->check = check_of(bench->setup);
  bench->unit_ns = unit_ns > 0 ? unit_ns : default_unit_ns;
  bench->written = json_object();
  bench->shared = json_object();
  name_device(bench);
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
  json_decref(bench->written);
  json_decref(bench->shared);
  json_decref(bench->setup);
  free(bench);
}
