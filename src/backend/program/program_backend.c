/* The backend for programs: anything that measures itself and reports its time. One run covers many
 * calls, so few runs are enough.
 */
#include "backend/program/program_backend.h"

#include "backend/cpu.h"
#include "backend/program/program_plan.h"
#include "backend/program/serve_build.h"
#include "wire/named.h"
#include "build/build_deps.h"

static bool deps_are_current(const struct hone__pairs *deps)
{
  return hone__build_deps_are_current(deps->data, deps->count, hone__program_digest);
}

static hone_status unpack(const struct hone__packed *packed_setup,
                          const struct hone__packed *packed_candidate, struct hone__arena *arena,
                          struct hone__program_setup *setup,
                          struct hone__program_candidate *candidate)
{
  hone_status status = hone__unpack(packed_setup, &hone__program_setup_type, arena, setup);

  if (status) return status;
  return hone__unpack(packed_candidate, &hone__program_candidate_type, arena, candidate);
}

static hone_status build_command(const struct hone__packed *packed_setup,
                                 const struct hone__packed *packed_candidate,
                                 struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__program_setup setup;
  struct hone__program_candidate candidate;
  hone_status status = unpack(packed_setup, packed_candidate, &arena, &setup, &candidate);

  if (!status) hone__program_build_command(&setup, &candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status run_command(const struct hone__packed *packed_setup,
                               const struct hone__packed *packed_candidate,
                               struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__program_setup setup;
  struct hone__program_candidate candidate;
  hone_status status = unpack(packed_setup, packed_candidate, &arena, &setup, &candidate);

  if (!status && setup.serve)
    hone__serve_run_command(&setup, &candidate, out_command);
  else if (!status)
    hone__program_run_command(&candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  const char *gpu;
  hone_status status = hone__program_open(device, &gpu, out_device);

  if (status) return status;
  hone__backend_cpu_add_facts(facts);
  if (gpu) {
    struct hone__named named = {"gpu", hone__string(gpu)};
    hone__packed_add(facts, &hone__named_type, &(struct hone__named_record){&named, 1});
  }
  return NULL;
}

static hone_status prepare(void *device, const struct hone__packed *setup, const void *payload,
                           size_t payload_size, struct hone__packed *facts, void **out_bench)
{
  (void)payload;
  (void)payload_size;
  (void)facts;
  return hone__program_prepare(device, setup, out_bench);
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
            .describe = hone__program_describe,
            .candidate = hone__program_candidate,
            .deps_are_current = deps_are_current,
            .build_files = hone__program_build_files,
            .build_command = build_command,
            .run_command = run_command,
            .is_beside_cpu = hone__program_is_beside_cpu,
        },
    .worker =
        {
            .open = open_device,
            .build = hone__program_build,
            .prepare = prepare,
            .run = hone__program_bench_run,
            .release = hone__program_bench_release,
            .close = hone__program_close,
            .end_builder = hone__serve_end_builder,
        },
};
