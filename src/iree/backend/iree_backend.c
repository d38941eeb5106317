/* The backend for dispatches of IREE. A process measures many calls by itself: few samples suffice,
 * and each costs more than its time.
 */
#include "iree/backend/iree_backend.h"

#include "backend/cpu.h"
#include "build/user_files.h"
#include "wire/named.h"
#include "iree/backend/iree_bench.h"

static const char *const suffixes[] = {".mlir", NULL};

/* ---- Driver ---- */

static hone_status build_files(const struct hone__packed *packed_setup,
                               const struct hone__packed *candidate, struct hone__pairs *out_files)
{
  struct hone__arena arena = {0};
  struct hone__iree_setup setup;
  hone_status status = hone__unpack(packed_setup, &hone__iree_setup_type, &arena, &setup);

  (void)candidate;
  if (!status && setup.dispatch) hone__user_files_add_one(out_files, setup.dispatch);
  hone__arena_release(&arena);
  return status;
}

static hone_status build_command(const struct hone__packed *packed_setup,
                                 const struct hone__packed *packed_candidate,
                                 struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__iree_setup setup;
  struct hone__iree_candidate candidate;
  hone_status status = hone__unpack(packed_setup, &hone__iree_setup_type, &arena, &setup);

  if (!status)
    status = hone__unpack(packed_candidate, &hone__iree_candidate_type, &arena, &candidate);
  if (!status) hone__iree_build_command(&setup, &candidate, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status run_command(const struct hone__packed *packed_setup,
                               const struct hone__packed *candidate, struct hone__text *out_command)
{
  struct hone__arena arena = {0};
  struct hone__iree_setup setup;
  hone_status status = hone__unpack(packed_setup, &hone__iree_setup_type, &arena, &setup);

  (void)candidate;
  if (!status) hone__iree_run_command(&setup, out_command);
  hone__arena_release(&arena);
  return status;
}

static hone_status list_devices(struct hone__wire_device_list *out_list)
{
  struct hone__words names = {0};
  hone_status status = hone__iree_devices(&names);

  *out_list = (struct hone__wire_device_list){0};
  for (size_t i = 0; i < names.count; i++) {
    const char *device = hone__arena_printf(&out_list->arena, "iree:%s", names.data[i]);
    struct hone__wire_device_facts facts = {
        .device = device,
        .name = hone__arena_strdup(&out_list->arena, names.data[i]),
        .kind = hone__iree_is_beside_cpu(device) ? "gpu" : "cpu"};
    hone__wire_device_list_add(out_list, &facts);
  }
  hone__words_release(&names);
  return status;
}

/* ---- Worker ---- */

static hone_status open_device(const char *device, struct hone__packed *facts, void **out_device)
{
  hone_status status = hone__iree_open(device, out_device);

  if (status) return status;
  hone__backend_cpu_add_facts(facts);
  return NULL;
}

/* Times of another GPU differ. */
static void add_gpu(struct hone__packed *facts, const char *gpu)
{
  struct hone__arena arena = {0};
  struct hone__wire_device_facts host = {0};
  struct hone__named_list other = {.arena = &arena};
  struct hone__digester *digester = hone__digest_begin();
  char fingerprint[HONE__DIGEST_SIZE];

  hone_status_free(hone__unpack(facts, &hone__wire_device_facts_type, &arena, &host));
  hone__digest_add_text(digester, host.fingerprint ? host.fingerprint : "");
  hone__digest_add(digester, gpu, strlen(gpu));
  hone__digest_end(digester, fingerprint);
  if (host.name) hone__named_text(&other, "host_cpu", host.name);
  hone__packed_add(facts, &hone__wire_device_facts_type,
                   &(struct hone__wire_device_facts){.name = gpu,
                                                     .fingerprint = fingerprint,
                                                     .other = other.items,
                                                     .other_count = other.count});
  hone__arena_release(&arena);
}

static hone_status prepare(void *device, const struct hone__packed *setup, const void *payload,
                           size_t payload_size, struct hone__packed *facts, void **out_bench)
{
  struct hone__iree_bench *bench;
  struct hone__named clock = {"clock", hone__string("wall")};
  hone_status status = hone__iree_prepare(device, setup, payload, payload_size, &bench);

  *out_bench = bench;
  if (status) return status;
  if (bench->gpu) add_gpu(facts, bench->gpu);
  if (bench->is_cpu_time) clock.value = hone__string("cpu");
  hone__packed_add(facts, &hone__wire_device_facts_type,
                   &(struct hone__wire_device_facts){.notes = (const char **)bench->notes.data,
                                                     .notes_count = bench->notes.count,
                                                     .other = &clock,
                                                     .other_count = 1});
  hone__words_release(&bench->notes); /* later notes belong to a job */
  return NULL;
}

const struct hone__backend hone__backend_iree = {
    .name = "iree",
    .suffixes = suffixes,
    .screen_samples = 3,
    .first_samples = 3,
    .reading_samples = 3,
    .sample_is_run = true,
    .device_is_host = true,
    .driver =
        {
            .describe = hone__iree_describe,
            .explain_baseline = hone__iree_explain_baseline,
            .candidate = hone__iree_candidate,
            .builds_here = hone__iree_builds_here,
            .build_files = build_files,
            .build_command = build_command,
            .run_command = run_command,
            .is_beside_cpu = hone__iree_is_beside_cpu,
            .devices = list_devices,
        },
    .worker =
        {
            .open = open_device,
            .build = hone__iree_build,
            .prepare = prepare,
            .run = hone__iree_bench_run,
            .release = hone__iree_bench_release,
            .close = hone__iree_close,
        },
};
