/* The device, and what a setup says of it. IREE's own executables open the device: here it is only
 * named, and looked for once. */
#include "iree/backend/iree_bench.h"

#include "backend/cpu.h"
#include "iree/backend/iree_model.h"
#include "wire/message_text.h"
#include "base/folder.h"
#include "base/paths.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const double listing_s = 60;

/* ---- Device ---- */

/* "cuda://0" of "iree:cuda://0"; NULL: it names none, but CPUs at best. */
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

hone_status hone__iree_open(const char *device, json_t *facts, void **out_device)
{
  const char *name = name_of(device);
  struct hone__iree_device *opened;
  hone_status status = name ? NULL : hone__cpu_pin(device);

  *out_device = NULL;
  if (status) return status;
  opened = hone__alloc(sizeof *opened);
  if (name) opened->name = hone__strdup(name);
  hone__cpu_facts(facts);
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

/* The line of a listing that is meant: by its whole name, else by its number. */
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

static void add_gpu_facts(json_t *facts, const char *line, size_t length)
{
  struct hone__digester *digester = hone__digest_begin();
  char fingerprint[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, hone__message_text(facts, "fingerprint"));
  hone__digest_add(digester, line, length);
  hone__digest_end(digester, fingerprint);
  json_object_set(facts, "host_cpu", json_object_get(facts, "name"));
  json_object_set_new(facts, "name", hone__json_string(line, length));
  json_object_set_new(facts, "fingerprint", json_string(fingerprint));
}

static hone_status look_for_gpu(const struct hone__iree_bench *bench, json_t *facts)
{
  struct hone__text flag = {0};
  struct hone__iree_attempt attempt;
  json_t *words;
  const char *line;
  size_t length;
  hone_status status = NULL;

  hone__text_addf(&flag, "--list_devices=%.*s", (int)strcspn(bench->name, ":"), bench->name);
  words = json_pack("[s, s]", bench->tools.paths[HONE__IREE_RUN], flag.data);
  hone__iree_tool_run(words, NULL, NULL, listing_s, &attempt);
  line = attempt.output.data ? find_listed(attempt.output.data, bench->name, &length) : NULL;
  if (attempt.outcome != HONE__OUTCOME_OK)
    status = hone__error(HONE_UNAVAILABLE, "device '%s' cannot be used: %s", bench->name,
                         attempt.evidence.data);
  else if (!line)
    status =
        hone__error(HONE_UNAVAILABLE, "no device '%s': iree-run-module %s lists %s", bench->name,
                    flag.data, attempt.output.length ? attempt.output.data : "none");
  else
    add_gpu_facts(facts, line, length);
  hone__iree_attempt_release(&attempt);
  json_decref(words);
  hone__text_release(&flag);
  return status;
}

/* ---- Bench ---- */

static double number(const json_t *object, const char *key, double otherwise)
{
  const json_t *value = json_object_get(object, key);

  return json_is_number(value) ? json_number_value(value) : otherwise;
}

static void note(struct hone__iree_bench *bench, const char *text)
{
  json_array_append_new(bench->notes, json_string(text));
}

/* Inputs that nobody filled are the kernel's page of zeros, which is read from the cache: times of
 * that are none. */
static void perturb(struct hone__iree_bench *bench)
{
  if (bench->is_gpu) {
    note(bench,
         "the dispatch's inputs are not filled: it is timed with uninitialised device memory");
    return;
  }
  bench->variable = "MALLOC_PERTURB_=192";
  note(bench,
       "the dispatch does not fill its inputs: MALLOC_PERTURB_=192 sets all their bytes to 0x3f");
}

static void read_setup(struct hone__iree_bench *bench, const json_t *setup)
{
  const json_t *iree, *check;

  bench->setup = json_deep_copy(setup);
  iree = json_object_get(bench->setup, "iree");
  check = json_object_get(bench->setup, "check");
  bench->name = bench->device->name ? bench->device->name : hone__message_text(iree, "driver");
  bench->is_gpu = hone__iree_device_is_gpu(bench->name);
  bench->is_traced = strcmp(hone__message_text(bench->setup, "timing"), "rocprof") == 0;
  bench->is_cpu_time =
      !bench->is_traced && strcmp(hone__message_text(bench->setup, "clock"), "cpu") == 0;
  bench->is_checked = !json_is_false(json_object_get(check, "enabled"));
  bench->rtol = number(check, "rtol", -1);
  bench->atol = number(check, "atol", -1);
  bench->ratio = number(check, "ratio", 0);
  bench->notes = json_array();
  hone__iree_check_open(bench);
  if (*hone__message_text(iree, "why_unchecked"))
    json_array_append_new(bench->notes, json_sprintf("answers are not checked: %s",
                                                     hone__message_text(iree, "why_unchecked")));
  if (!bench->piece_count && !hone__iree_model_is(bench->setup)) perturb(bench);
  if (bench->is_cpu_time)
    note(bench, "times are CPU time of the dispatch's thread, not wall time: 'measure: {clock: "
                "wall}' changes that");
}

static hone_status take_reference(struct hone__iree_bench *bench, const void *payload,
                                  size_t payload_size)
{
  const json_t *reference = json_object_get(bench->setup, "reference");
  size_t offset = (size_t)json_integer_value(json_object_get(reference, "offset"));
  size_t size = (size_t)json_integer_value(json_object_get(reference, "size"));

  if (strcmp(hone__message_text(reference, "kind"), "object") != 0 || !size) {
    bench->is_checked = false;
    return NULL;
  }
  if (offset > payload_size || size > payload_size - offset)
    return hone__error(HONE_INVALID_ARGUMENT, "the reference is not in the payload");
  bench->reference = hone__iree_bench_path(bench, "reference.vmfb");
  return hone__path_write(bench->reference, (const char *)payload + offset, size);
}

static hone_status prepare(struct hone__iree_bench *bench, const void *payload, size_t payload_size,
                           json_t *facts)
{
  const char *dir = hone__message_text(bench->setup, "iree_dir");
  hone_status status = hone__folder_make(NULL, &bench->folder);

  if (status) return status;
  hone__iree_toolset_find(*dir ? dir : NULL, &bench->tools);
  status = hone__iree_need(&bench->tools, HONE__IREE_BENCHMARK);
  if (!status) status = hone__iree_need(&bench->tools, HONE__IREE_RUN);
  if (!status && bench->is_gpu) status = look_for_gpu(bench, facts);
  if (!status) status = take_reference(bench, payload, payload_size);
  return status;
}

hone_status hone__iree_prepare(void *device, const json_t *setup, const void *payload,
                               size_t payload_size, json_t *facts, void **out_bench)
{
  struct hone__iree_bench *bench = hone__alloc(sizeof *bench);
  hone_status status;

  *out_bench = NULL;
  bench->device = device;
  read_setup(bench, setup);
  status = prepare(bench, payload, payload_size, facts);
  if (status) {
    hone__iree_bench_release(bench);
    return status;
  }
  json_object_set_new(facts, "clock", json_string(bench->is_cpu_time ? "cpu" : "wall"));
  json_object_set(facts, "notes", bench->notes);
  json_decref(bench->notes);
  bench->notes = json_array(); /* from now on those of a job */
  *out_bench = bench;
  return NULL;
}

void hone__iree_bench_release(void *data)
{
  struct hone__iree_bench *bench = data;

  if (!bench) return;
  hone__iree_check_close(bench);
  hone__iree_toolset_release(&bench->tools);
  hone__folder_remove(bench->folder);
  free(bench->folder);
  json_decref(bench->notes);
  json_decref(bench->setup);
  free(bench);
}
