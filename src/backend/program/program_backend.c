/* The backend for programs: anything that measures itself and says how long it took. One run says
 * what many calls took, so that few runs are enough.
 *
 * Its methods are handed messages as JSON: here they become packed ones, or structs. */
#include "backend/program/program_backend.h"

#include "backend/cpu.h"
#include "backend/program/program_plan.h"
#include "build/build_deps_json.h"
#include "wire/packed_json.h"

static hone_status describe(const struct hone__task *task, struct hone__message *out_setup)
{
  struct hone__packed *setup;
  hone_status status = hone__program_describe(task, &setup);

  *out_setup = (struct hone__message){.head = hone__packed_json(setup)};
  return status;
}

static hone_status make_candidate(const struct hone__task *task, const uint32_t *row,
                                  json_t **out_candidate)
{
  struct hone__packed *candidate;
  hone_status status = hone__program_candidate(task, row, &candidate);

  *out_candidate = hone__packed_json(candidate);
  return status;
}

static bool deps_are_current(const json_t *deps)
{
  return hone__build_deps_json_are_current(deps, hone__program_digest);
}

static hone_status build_command(const json_t *setup_json, const json_t *candidate_json,
                                 struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__program_setup setup;
  struct hone__program_candidate candidate;
  hone_status status =
      hone__unpack(hone__json_packed(setup_json), &hone__program_setup_type, &arena, &setup);

  if (!status)
    status = hone__unpack(hone__json_packed(candidate_json), &hone__program_candidate_type, &arena,
                          &candidate);
  if (!status) hone__program_build_command(&setup, &candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status run_command(const json_t *setup, const json_t *candidate_json,
                               struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__program_candidate candidate;
  hone_status status = hone__unpack(hone__json_packed(candidate_json),
                                    &hone__program_candidate_type, &arena, &candidate);

  (void)setup;
  if (!status) hone__program_run_command(&candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status open_device(const char *device, json_t *facts, void **out_device)
{
  const char *gpu;
  struct hone__device_facts found;
  struct hone__arena arena = {0};
  hone_status status = hone__program_open(device, &gpu, out_device);

  if (status) return status;
  hone__cpu_facts(&arena, &found);
  hone__json_add(facts, &hone__device_facts_type, &found);
  hone__arena_release(&arena);
  if (gpu) json_object_set_new(facts, "gpu", json_string(gpu));
  return NULL;
}

static void build(const json_t *setup, const json_t *job, struct hone__answer *answer)
{
  if (!answer->head) answer->head = json_object();
  hone__program_build(hone__json_packed(setup), hone__json_packed(job), answer);
}

static hone_status prepare(void *device, const json_t *setup, const void *payload,
                           size_t payload_size, json_t *facts, void **out_bench)
{
  (void)payload;
  (void)payload_size;
  (void)facts;
  return hone__program_prepare(device, hone__json_packed(setup), out_bench);
}

static void run(void *bench, const json_t *job, const void *payload, size_t payload_size,
                struct hone__answer *answer)
{
  hone__program_bench_run(bench, hone__json_packed(job), payload, payload_size, answer);
}

const struct hone__backend hone__backend_program = {
    .name = "program",
    .suffixes = hone__language_suffixes,
    .screen_samples = 1,
    .first_samples = 3,
    .reading_samples = 1,
    .sample_is_run = true,
    .describe = describe,
    .candidate = make_candidate,
    .deps_are_current = deps_are_current,
    .build_command = build_command,
    .run_command = run_command,
    .is_beside_cpu = hone__program_is_beside_cpu,
    .why_no_devices = "no devices of its own: a program runs wherever it likes",
    .open = open_device,
    .build = build,
    .prepare = prepare,
    .run = run,
    .release = hone__program_bench_release,
    .close = hone__program_close,
};
