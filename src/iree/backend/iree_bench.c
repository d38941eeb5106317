/* The device, from the setup. IREE's executables open the device: here it is only named, and
 * searched once.
 */
#include "iree/backend/iree_bench.h"

#include "backend/cpu.h"
#include "iree/backend/iree_model.h"
#include "base/folder.h"
#include "base/paths.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const double listing_s = 60;

/* ---- Device ---- */

/* "cuda://0" from "iree:cuda://0"; NULL: it names none, or CPUs. */
static const char *name_of(const char *device)
{
  const char *colon = strchr(device, ':');

  return colon && !isdigit((unsigned char)colon[1]) && colon[1] ? colon + 1 : NULL;
}

bool hone__iree_is_beside_cpu(const char *device)
{
  const char *name = name_of(device);

  return name && hone__iree_device_is_gpu(name);
}

hone_status hone__iree_open(const char *device, void **out_device)
{
  const char *name = name_of(device);
  struct hone__iree_device *opened;
  hone_status status = name ? NULL : hone__backend_cpu_pin(device);

  *out_device = NULL;
  if (status) return status;
  opened = hone__alloc(sizeof *opened);
  if (name) opened->name = hone__strdup(name);
  *out_device = opened;
  return NULL;
}

void hone__iree_close(void *data)
{
  struct hone__iree_device *device = data;

  if (!device) return;
  free(device->name);
  free(device);
}

/* ---- Files ---- */

char *hone__iree_bench_path(const struct hone__iree_bench *bench, const char *format, ...)
{
  char *path;
  va_list args;

  va_start(args, format);
  path = hone__text_path(bench->folder, format, args);
  va_end(args);
  return path;
}

/* ---- Which GPU it is ---- */

/* The matching line of a listing: by its whole name, else by its number. */
static const char *find_listed(const char *listing, const char *name, size_t *out_length)
{
  const char *scheme = strstr(name, "://"), *at = listing;
  size_t prefix = scheme ? (size_t)(scheme - name) : strlen(name);
  unsigned long wanted = scheme ? strtoul(scheme + 3, NULL, 10) : 0, seen = 0;
  bool is_number = !scheme || isdigit((unsigned char)scheme[3]) || !scheme[3];

  for (; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
    *out_length = strcspn(at, "\n");
    if (strncmp(at, name, prefix) != 0 || strncmp(at + prefix, "://", 3) != 0) continue;
    if (!is_number && strlen(name) == *out_length && strncmp(at, name, *out_length) == 0) return at;
    if (is_number && seen++ == wanted) return at;
  }
  return NULL;
}

static hone_status look_for_gpu(struct hone__iree_bench *bench)
{
  struct hone__text flag = {0};
  struct hone__iree_attempt attempt;
  const char *words[] = {bench->tools.paths[HONE__IREE_RUN], NULL, NULL};
  const char *line;
  size_t length;
  hone_status status = NULL;

  hone__text_addf(&flag, "--list_devices=%.*s", (int)strcspn(bench->name, ":"), bench->name);
  words[1] = flag.data;
  hone__iree_tool_run(words, NULL, NULL, listing_s, &attempt);
  line = attempt.output.data ? find_listed(attempt.output.data, bench->name, &length) : NULL;
  if (attempt.outcome != HONE_OUTCOME_OK)
    status = hone__error(HONE_UNAVAILABLE, "device '%s' cannot be used: %s", bench->name,
                         attempt.evidence.data);
  else if (!line)
    status =
        hone__error(HONE_UNAVAILABLE, "no device '%s': iree-run-module %s lists %s", bench->name,
                    flag.data, attempt.output.length ? attempt.output.data : "none");
  else
    bench->gpu = hone__strndup(line, length);
  hone__iree_attempt_release(&attempt);
  hone__text_release(&flag);
  return status;
}

/* ---- Bench ---- */

/* Uninitialised inputs are the kernel's page of zeros, which is read from the cache: such times are
 * not realistic. */
static void perturb(struct hone__iree_bench *bench)
{
  if (bench->is_gpu) {
    hone__words_add(
        &bench->notes,
        "the dispatch's inputs are not filled: it is timed with uninitialised device memory");
    return;
  }
  bench->variable = "MALLOC_PERTURB_=192";
  hone__words_add(
      &bench->notes,
      "the dispatch does not fill its inputs: MALLOC_PERTURB_=192 sets all their bytes to 0x3f");
}

static void take_setup(struct hone__iree_bench *bench)
{
  const struct hone__iree_setup *setup = &bench->setup;
  const char *why = setup->iree->why_unchecked;

  bench->name = bench->device->name ? bench->device->name : setup->iree->driver;
  bench->is_gpu = hone__iree_device_is_gpu(bench->name);
  bench->is_traced = strcmp(setup->timing, "rocprof") == 0;
  bench->is_cpu_time = !bench->is_traced && strcmp(setup->clock, "cpu") == 0;
  bench->is_checked = setup->check->enabled;
  bench->rtol = setup->check->rtol;
  bench->atol = setup->check->atol;
  bench->ratio = setup->check->ratio;
  hone__iree_check_open(bench);
  if (why && *why) hone__iree_word(&bench->notes, "answers are not checked: %s", why);
  if (!bench->piece_count && !setup->iree->is_model) perturb(bench);
  if (bench->is_cpu_time)
    hone__words_add(&bench->notes, "times are CPU time of the dispatch's thread, not wall time: "
                                   "'measure: {clock: wall}' changes that");
}

static hone_status take_reference(struct hone__iree_bench *bench, const void *payload,
                                  size_t payload_size)
{
  const struct hone__iree_reference *reference = bench->setup.reference;
  size_t offset = reference->offset, size = reference->size;

  if (strcmp(reference->kind, "object") != 0 || !size) {
    bench->is_checked = false;
    return NULL;
  }
  if (offset > payload_size || size > payload_size - offset)
    return hone__error(HONE_INVALID_ARGUMENT, "the reference is not in the payload");
  bench->reference = hone__iree_bench_path(bench, "reference.vmfb");
  return hone__path_write(bench->reference, (const char *)payload + offset, size);
}

static hone_status prepare(struct hone__iree_bench *bench, const void *payload, size_t payload_size)
{
  hone_status status = hone__folder_make(NULL, &bench->folder);

  if (status) return status;
  hone__iree_toolset_find(bench->setup.iree_dir, &bench->tools);
  status = hone__iree_need(&bench->tools, HONE__IREE_BENCHMARK);
  if (!status) status = hone__iree_need(&bench->tools, HONE__IREE_RUN);
  if (!status && bench->is_gpu) status = look_for_gpu(bench);
  if (!status) status = take_reference(bench, payload, payload_size);
  return status;
}

hone_status hone__iree_prepare(void *device, const struct hone__packed *setup, const void *payload,
                               size_t payload_size, struct hone__iree_bench **out_bench)
{
  struct hone__iree_bench *bench = hone__alloc(sizeof *bench);
  hone_status status;

  *out_bench = NULL;
  bench->device = device;
  bench->message = hone__packed_hold((struct hone__packed *)(uintptr_t)setup);
  status = hone__unpack(setup, &hone__iree_setup_type, &bench->arena, &bench->setup);
  if (!status) {
    take_setup(bench);
    status = prepare(bench, payload, payload_size);
  }
  if (status)
    hone__iree_bench_release(bench);
  else
    *out_bench = bench;
  return status;
}

void hone__iree_bench_release(void *data)
{
  struct hone__iree_bench *bench = data;

  if (!bench) return;
  hone__iree_check_close(bench);
  hone__iree_toolset_release(&bench->tools);
  hone__folder_remove(bench->folder);
  free(bench->folder);
  hone__words_release(&bench->notes);
  free(bench->gpu);
  hone__arena_release(&bench->arena);
  hone__packed_drop(bench->message);
  free(bench);
}
