/* The backend for dispatches of IREE. A process measures many calls by itself: few samples are
 * enough, and each costs more than its time.
 *
 * Its methods are handed messages as JSON: here they become packed ones, or structs. */
#include "iree/backend/iree_backend.h"

#include "backend/cpu.h"
#include "iree/backend/iree_bench.h"
#include "wire/message_text.h"
#include "wire/packed_json.h"

static const char *const suffixes[] = {".mlir", NULL};

/* ---- Driver ---- */

static hone_status describe(const struct hone__task *task, struct hone__message *out_setup)
{
  struct hone__packed *setup;
  hone_status status = hone__iree_describe(task, &setup);

  *out_setup = (struct hone__message){.head = hone__packed_json(setup)};
  return status;
}

static hone_status make_candidate(const struct hone__task *task, const uint32_t *row,
                                  json_t **out_candidate)
{
  struct hone__packed *candidate;
  hone_status status = hone__iree_candidate(task, row, &candidate);

  *out_candidate = hone__packed_json(candidate);
  return status;
}

/* The dispatch is known by its digest, not by its file. */
static bool deps_are_current(const json_t *deps)
{
  (void)deps;
  return true;
}

static hone_status build_command(const json_t *setup_json, const json_t *candidate_json,
                                 struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__iree_setup setup;
  struct hone__iree_candidate candidate;
  hone_status status =
      hone__unpack(hone__json_packed(setup_json), &hone__iree_setup_type, &arena, &setup);

  if (!status)
    status = hone__unpack(hone__json_packed(candidate_json), &hone__iree_candidate_type, &arena,
                          &candidate);
  if (!status) hone__iree_build_command(&setup, &candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status run_command(const json_t *setup_json, const json_t *candidate,
                               struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__iree_setup setup;
  hone_status status =
      hone__unpack(hone__json_packed(setup_json), &hone__iree_setup_type, &arena, &setup);

  (void)candidate;
  if (!status) hone__iree_run_command(&setup, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status list_devices(json_t *devices)
{
  struct hone__words names = {0};
  hone_status status = hone__iree_devices(&names);

  for (size_t i = 0; i < names.count; i++) {
    json_t *device = json_sprintf("iree:%s", names.data[i]);
    bool is_gpu = hone__iree_is_beside_cpu(json_string_value(device));
    json_array_append_new(devices, json_pack("{s:o, s:s, s:s}", "device", device, "name",
                                             names.data[i], "kind", is_gpu ? "gpu" : "cpu"));
  }
  hone__words_release(&names);
  return status;
}

/* ---- Worker ---- */

static hone_status open_device(const char *device, json_t *facts, void **out_device)
{
  struct hone__device_facts found;
  struct hone__arena arena = {0};
  hone_status status = hone__iree_open(device, out_device);

  if (status) return status;
  hone__cpu_facts(&arena, &found);
  hone__json_add(facts, &hone__device_facts_type, &found);
  hone__arena_release(&arena);
  return NULL;
}

static void build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  if (!answer->head) answer->head = json_object();
  hone__iree_build(hone__json_packed(setup), hone__json_packed(job), answer);
}

/* Times of another GPU are others. */
static void add_gpu(json_t *facts, const char *gpu)
{
  struct hone__digester *digester = hone__digest_begin();
  char fingerprint[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, hone__message_text(facts, "fingerprint"));
  hone__digest_add(digester, gpu, strlen(gpu));
  hone__digest_end(digester, fingerprint);
  json_object_set(facts, "host_cpu", json_object_get(facts, "name"));
  json_object_set_new(facts, "name", hone__json_string(gpu, strlen(gpu)));
  json_object_set_new(facts, "fingerprint", json_string(fingerprint));
}

static hone_status prepare(void *device, const json_t *setup, const void *payload,
                           size_t payload_size, json_t *facts, void **out_bench)
{
  struct hone__iree_bench *bench;
  json_t *notes = json_array();
  hone_status status =
      hone__iree_prepare(device, hone__json_packed(setup), payload, payload_size, &bench);

  *out_bench = bench;
  for (size_t i = 0; !status && i < bench->notes.count; i++)
    json_array_append_new(notes,
                          hone__json_string(bench->notes.data[i], strlen(bench->notes.data[i])));
  if (!status) {
    if (bench->gpu) add_gpu(facts, bench->gpu);
    json_object_set_new(facts, "clock", json_string(bench->is_cpu_time ? "cpu" : "wall"));
    json_object_set(facts, "notes", notes);
    hone__words_release(&bench->notes); /* from now on those of a job */
  }
  json_decref(notes);
  return status;
}

static void run(void *bench, const json_t *job, const void *payload, size_t payload_size,
                struct hone__answer *answer)
{
  hone__iree_bench_run(bench, hone__json_packed(job), payload, payload_size, answer);
}

const struct hone__backend hone__backend_iree = {
    .name = "iree",
    .suffixes = suffixes,
    .screen_samples = 3,
    .first_samples = 5,
    .reading_samples = 3,
    .sample_is_run = true,
    .describe = describe,
    .explain_baseline = hone__iree_explain_baseline,
    .candidate = make_candidate,
    .deps_are_current = deps_are_current,
    .builds_here = hone__iree_builds_here,
    .build_command = build_command,
    .run_command = run_command,
    .is_beside_cpu = hone__iree_is_beside_cpu,
    .devices = list_devices,
    .device_is_host = true,
    .open = open_device,
    .build = build,
    .prepare = prepare,
    .run = run,
    .release = hone__iree_bench_release,
    .close = hone__iree_close,
};
