/* The backend for programs: anything that measures itself and says how long it took. One run says
 * what many calls took, so that few runs are enough.
 *
 * Its methods are handed messages as JSON: here they become packed ones, or structs. */
#include "backend/program/program_backend.h"

#include "backend/cpu.h"
#include "backend/program/program_plan.h"
#include "wire/named.h"
#include "build/build_deps.h"

static hone_status describe(const struct hone__task *task, struct hone__message *out_setup)
{
  struct hone__packed *setup;
  hone_status status = hone__program_describe(task, &setup);

  *out_setup = (struct hone__message){.head = setup};
  return status;
}

static hone_status make_candidate(const struct hone__task *task, const uint32_t *row,
                                  struct hone__packed **out_candidate)
{
  struct hone__packed *candidate;
  hone_status status = hone__program_candidate(task, row, &candidate);

  *out_candidate = candidate;
  return status;
}

static bool deps_are_current(const struct hone__pairs *deps)
{
  return hone__build_deps_are_current(deps->data, deps->count, hone__program_digest);
}

static hone_status build_command(const struct hone__packed *setup_json,
                                 const struct hone__packed *candidate_json,
                                 struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__program_setup setup;
  struct hone__program_candidate candidate;
  hone_status status = hone__unpack(setup_json, &hone__program_setup_type, &arena, &setup);

  if (!status)
    status = hone__unpack(candidate_json, &hone__program_candidate_type, &arena, &candidate);
  if (!status) hone__program_build_command(&setup, &candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status run_command(const struct hone__packed *setup,
                               const struct hone__packed *candidate_json,
                               struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__program_candidate candidate;
  hone_status status =
      hone__unpack(candidate_json, &hone__program_candidate_type, &arena, &candidate);

  (void)setup;
  if (!status) hone__program_run_command(&candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  const char *gpu;
  struct hone__device_facts found;
  struct hone__arena arena = {0};
  hone_status status = hone__program_open(device, &gpu, out_device);

  if (status) return status;
  hone__cpu_facts(&arena, &found);
  hone__packed_add(facts, &hone__device_facts_type, &found);
  hone__arena_release(&arena);
  if (gpu) {
    struct hone__named named = {"gpu", hone__string(gpu)};
    hone__packed_add(facts, &hone__named_type, &(struct hone__named_record){&named, 1});
  }
  return NULL;
}

static void build(const struct hone__packed *setup, const struct hone__packed *job,
                  struct hone__answer *answer)
{
  hone__program_build(setup, job, answer);
}

static hone_status prepare(void *device, const struct hone__packed *setup, const void *payload,
                           size_t payload_size, struct hone__packed *facts, void **out_bench)
{
  (void)payload;
  (void)payload_size;
  (void)facts;
  return hone__program_prepare(device, setup, out_bench);
}

static void run(void *bench, const struct hone__packed *job, const void *payload,
                size_t payload_size, struct hone__answer *answer)
{
  hone__program_bench_run(bench, job, payload, payload_size, answer);
}

const struct hone__backend hone__backend_program = {
    .name = "program",
    .suffixes = hone__language_suffixes,
    .screen_samples = 1,
    .first_samples = 3,
    .reading_samples = 1,
    .sample_is_run = true,
    .why_no_devices = "it has no devices: a program selects its device itself",
    .driver =
        {
            .describe = describe,
            .candidate = make_candidate,
            .deps_are_current = deps_are_current,
            .build_command = build_command,
            .run_command = run_command,
            .is_beside_cpu = hone__program_is_beside_cpu,
        },
    .worker =
        {
            .open = open_device,
            .build = build,
            .prepare = prepare,
            .run = run,
            .release = hone__program_bench_release,
            .close = hone__program_close,
        },
};
