/* The backend for recordings: for tests, for trying strategies through the whole of a run, and for
 * showing one on a machine that lacks the device. */
#include "backend/sim/sim_backend.h"

#include "backend/sim/sim_bench.h"
#include "base/digest.h"
#include "build/user_files.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const suffixes[] = {".json", ".gz", NULL};

static hone_status build_files(const struct hone__packed *packed_setup,
                               const struct hone__packed *candidate, struct hone__pairs *out_files)
{
  struct hone__arena arena = {0};
  struct hone__sim_setup setup;
  hone_status status = hone__unpack(packed_setup, &hone__sim_setup_type, &arena, &setup);

  (void)candidate;
  if (!status) hone__user_files_add_one(out_files, setup.recording);
  if (!status && setup.space) hone__user_files_add_one(out_files, setup.space);
  hone__arena_release(&arena);
  return status;
}

/* There is no command to paste. */
static hone_status build_command(const struct hone__packed *setup,
                                 const struct hone__packed *candidate,
                                 struct hone__text *out_command)
{
  (void)setup;
  (void)candidate;
  (void)out_command;
  return NULL;
}

static void explain_baseline(const struct hone__task *task, struct hone__text *out_text)
{
  if (task->baseline_given && !hone__task_setting(task, "baseline"))
    hone__text_add(out_text, "the baseline is the first configuration that worked when it was "
                             "recorded");
}

static bool is_recorded(const struct hone__task *task)
{
  return !(hone__sim_pace(task) > 0); /* else it takes time, by the machine's clock */
}

/* ---- Messages ---- */

/* Results in stores are kept by the digest alone where no device differs. */
static void make_fingerprint(const struct hone__sim_bench *bench, char digest[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester;

  snprintf(digest, HONE__DIGEST_SIZE, "%s", bench->setup.digest);
  if (bench->device == bench->setup.devices_count) return;
  digester = hone__digest_begin();
  hone__digest_add_text(digester, bench->setup.digest);
  hone__digest_add_text(digester, bench->setup.devices[bench->device].model);
  hone__digest_end(digester, digest);
}

static void add_facts(const struct hone__sim_bench *bench, struct hone__packed *facts)
{
  const char *notes[] = {bench->pace > 0 ? "times come from a recording: nothing is measured"
                                         : "times come from a recording: nothing is measured, and "
                                           "seconds are recorded ones"};
  struct hone__text name = {0};

  char fingerprint[HONE__DIGEST_SIZE];

  if (bench->device < bench->setup.devices_count)
    hone__text_add(&name, bench->setup.devices[bench->device].model);
  else
    hone__text_addf(&name, "recording of %s", bench->setup.name);
  make_fingerprint(bench, fingerprint);
  hone__packed_add(
      facts, &hone__wire_device_facts_type,
      &(struct hone__wire_device_facts){
          .name = name.data, .fingerprint = fingerprint, .notes = notes, .notes_count = 1});
  hone__text_release(&name);
}

/* HONE_SIM_DEVICE makes a host of many have another device than the rest. */
static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  const char *other = getenv("HONE_SIM_DEVICE");

  (void)facts;
  *out_device = hone__strdup(other && *other ? other : device);
  return NULL;
}

static hone_status prepare(void *device, const struct hone__packed *setup, const void *payload,
                           size_t payload_size, struct hone__packed *facts, void **out_bench)
{
  struct hone__sim_bench *bench;
  hone_status status = hone__sim_prepare(setup, device, &bench);

  (void)payload;
  (void)payload_size;
  *out_bench = bench;
  if (!status) add_facts(bench, facts);
  return status;
}

/* Building and running take turns, although neither disturbs the other, so that the order of
 * answers to a search does not depend on speed. */
const struct hone__backend hone__backend_sim = {
    .name = "sim",
    .suffixes = suffixes,
    .why_no_devices = "it has no devices: times come from a recording",
    .device_is_host = true,
    .driver =
        {
            .describe = hone__sim_describe,
            .candidate = hone__sim_candidate,
            .build_files = build_files,
            .build_command = build_command,
            .explain_baseline = explain_baseline,
            .is_recorded = is_recorded,
        },
    .worker =
        {
            .build = hone__sim_build,
            .open = open_device,
            .prepare = prepare,
            .run = hone__sim_run,
            .release = hone__sim_release,
            .close = free,
        },
};
