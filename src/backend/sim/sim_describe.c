/* The driver's messages: where the recording is, its digest, and the faults scripted for a
 * configuration. Builders read the recording itself.
 */
#include "backend/sim/sim_backend.h"

#include "backend/setting.h"
#include "backend/sim/sim_recording.h"
#include "backend/source_file.h"
#include "base/utf8.h"
#include "spec/schema.h"

#include <stdlib.h>

enum { MEMORY_BYTES = 1 << 30 };
static const double default_build_timeout_s = 60;

/* ---- The recording ---- */

struct place { /* what the task keeps */
  char *path, *space;
  char digest[HONE__DIGEST_SIZE];
};

static void free_place(void *data)
{
  struct place *place = data;

  free(place->path);
  free(place->space);
  free(place);
}

char *hone__sim_space_path(const struct hone_spec *spec)
{
  const struct hone__node *sim = spec->root ? hone__node_get(spec->root, "sim") : NULL;
  const struct hone__node *node =
      sim && sim->kind == HONE__MAPPING ? hone__node_get(sim, "space") : NULL;
  const char *slash = strrchr(spec->path, '/');
  struct hone__text path = {0};

  if (!node || node->kind != HONE__SCALAR) return NULL;
  if (slash && node->text[0] != '/')
    hone__text_addn(&path, spec->path, (size_t)(slash - spec->path) + 1);
  hone__text_add(&path, node->text);
  return hone__text_take(&path);
}

/* Workers may have another working folder. */
static char *make_absolute(char *path)
{
  char *absolute = path ? hone__realpath(path) : NULL;

  if (!absolute) return path;
  free(path);
  return absolute;
}

static hone_status find_place(const struct hone__task *task, const struct place **out_place)
{
  struct place *place = task->memory->data;
  hone_status status = NULL;

  if (!place) {
    place = hone__alloc(sizeof *place);
    status = hone__backend_source_file_find(task->spec, &place->path);
    place->space = make_absolute(hone__sim_space_path(task->spec));
    if (!status) status = hone__sim_digest(place->path, place->space, place->digest);
    if (status) {
      free_place(place);
      return status;
    }
    *task->memory = (struct hone__task_memory){.data = place, .release = free_place};
  }
  *out_place = place;
  return NULL;
}

/* ---- The setup ---- */

static const char *text_of(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE__SCALAR ? node->text : "";
}

static double number(const struct hone__task *task, const char *path)
{
  const struct hone__node *node = hone__task_setting(task, path);
  double value = 0;

  return node && hone__node_number(node, &value) ? value : 0;
}

double hone__sim_pace(const struct hone__task *task)
{
  return number(task, "sim.pace");
}

static void add_drift(const struct hone__task *task, struct hone__arena *arena,
                      struct hone__sim_setup *setup)
{
  const struct hone__node *steps = hone__task_setting(task, "sim.drift");
  size_t count = steps ? steps->count : 0;

  setup->drift = hone__arena_alloc(arena, (count + 1) * sizeof *setup->drift);
  setup->drift_count = count;
  for (size_t i = 0; i < count; i++) {
    struct hone__sim_step *step = &setup->drift[i];
    *step = (struct hone__sim_step){.factor = 1};
    hone__node_number(hone__node_get(steps->items[i], "from"), &step->from);
    hone__node_number(hone__node_get(steps->items[i], "factor"), &step->factor);
  }
}

static void add_devices(const struct hone__task *task, struct hone__arena *arena,
                        struct hone__sim_setup *setup)
{
  const struct hone__node *devices = hone__task_setting(task, "sim.devices");
  size_t count = devices ? devices->count : 0;

  setup->devices = hone__arena_alloc(arena, (count + 1) * sizeof *setup->devices);
  setup->devices_count = count;
  for (size_t i = 0; i < count; i++)
    setup->devices[i] = (struct hone__sim_device){.device = text_of(devices->items[i], "device"),
                                                  .model = text_of(devices->items[i], "model")};
}

static const char *name_of(const struct hone__task *task, const struct place *place)
{
  const struct hone__spec_group *groups = task->spec->groups;
  const struct hone__listing *listing = task->spec->group_count ? groups[0].listing : NULL;
  const char *slash = strrchr(place->path, '/');

  return listing && listing->name ? listing->name : slash ? slash + 1 : place->path;
}

/* Their conditions may have sizes in them, which the object does not depend on. */
static void add_faults(struct hone__digester *digester, const struct hone__task *task)
{
  static const char *const keys[] = {"when", "outcome", "from"};
  const struct hone__node *faults = hone__task_setting(task, "sim.faults");

  for (size_t i = 0; faults && i < faults->count; i++)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
      hone__digest_add_text(digester, text_of(faults->items[i], keys[k]));
  if (faults && faults->count) hone__digest_add_text(digester, task->problem);
}

/* Of what changes times and outcomes besides the configuration's own. */
static void make_key(const struct hone__task *task, const struct hone__sim_setup *setup,
                     char key[HONE__DIGEST_SIZE])
{
  const double numbers[] = {setup->noise, (double)setup->seed};
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, setup->digest);
  hone__digest_add(digester, numbers, sizeof numbers);
  if (setup->drift_count)
    hone__digest_add(digester, setup->drift, setup->drift_count * sizeof *setup->drift);
  else
    hone__digest_add_text(digester, "[]"); /* what results in stores were kept by */
  add_faults(digester, task);
  hone__digest_end(digester, key);
}

static struct hone__packed *pack(const struct hone__task *task, const struct place *place)
{
  const struct hone__sim_reference reference = {.kind = "none"};
  const struct hone__sim_check check = {.enabled = task->check};
  const struct hone__sim_build_limits build = {
      .timeout_s = hone__setting_seconds(task, "build.timeout", default_build_timeout_s)};
  struct hone__arena arena = {0};
  char key[HONE__DIGEST_SIZE];
  struct hone__sim_setup setup = {.backend = "sim",
                                  .recording = place->path,
                                  .space = place->space,
                                  .digest = place->digest,
                                  .noise = number(task, "sim.noise"),
                                  .pace = hone__sim_pace(task),
                                  .seed = (int64_t)task->seed,
                                  .memory_bytes =
                                      task->memory_bytes ? task->memory_bytes : MEMORY_BYTES,
                                  .reference = &reference,
                                  .check = &check,
                                  .build = &build,
                                  .name = name_of(task, place),
                                  .inputs_key = key};
  struct hone__packed *packed;

  add_drift(task, &arena, &setup);
  add_devices(task, &arena, &setup);
  make_key(task, &setup, key);
  packed = hone__pack(&hone__sim_setup_type, &setup);
  hone__arena_release(&arena);
  return packed;
}

hone_status hone__sim_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  const struct place *place;
  hone_status status = find_place(task, &place);

  *out_setup = (struct hone__message){0};
  if (status) return status;
  if (!hone__utf8_is_text(place->path) || (place->space && !hone__utf8_is_text(place->space)))
    return hone__error(HONE_INVALID_ARGUMENT, "the name of the recording '%s' is not valid UTF-8",
                       place->path);
  out_setup->head = pack(task, place);
  return NULL;
}

/* ---- Candidates ---- */

/* The first fault whose condition holds; NULL where none does. */
static hone_status find_fault(const struct hone__task *task, const uint32_t *row,
                              const struct hone__node **out_fault)
{
  const struct hone__node *faults = hone__task_setting(task, "sim.faults");
  hone_status status = NULL;

  *out_fault = NULL;
  for (size_t i = 0; faults && i < faults->count && !status && !*out_fault; i++) {
    struct hone_value value;
    status = hone__task_evaluate(task, row, hone__node_get(faults->items[i], "when"), &value);
    if (!status && hone__value_truth(value)) *out_fault = faults->items[i];
  }
  return status;
}

/* For each device that differs from the recorded one. */
static hone_status find_factors(const struct hone__task *task, const uint32_t *row,
                                struct hone__sim_candidate *candidate)
{
  const struct hone__node *devices = hone__task_setting(task, "sim.devices");
  size_t count = devices ? devices->count : 0;
  hone_status status = NULL;

  candidate->factors = hone__alloc((count + 1) * sizeof *candidate->factors);
  candidate->factors_count = count;
  for (size_t i = 0; i < count && !status; i++) {
    const struct hone__node *factor = hone__node_get(devices->items[i], "factor");
    struct hone_value value = hone__int(1);
    if (factor) status = hone__task_evaluate(task, row, factor, &value);
    candidate->factors[i] = value.type == HONE_FLOAT ? value.real : (double)value.integer;
    if (!status && !(candidate->factors[i] > 0))
      status = hone__error(HONE_INVALID_ARGUMENT, "the factor of device '%s' is not above 0",
                           text_of(devices->items[i], "device"));
  }
  return status;
}

static void make_candidate_key(const struct hone__sim_candidate *candidate,
                               char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "sim");
  hone__digest_add_text(digester, candidate->config);
  hone__digest_add_text(digester, candidate->digest);
  hone__digest_add_text(digester, candidate->fault);
  hone__digest_add_text(digester, candidate->fault_from);
  if (candidate->factors_count)
    hone__digest_add(digester, candidate->factors,
                     candidate->factors_count * sizeof *candidate->factors);
  hone__digest_end(digester, key);
}

hone_status hone__sim_candidate(const struct hone__task *task, const uint32_t *row,
                                struct hone__packed **out_candidate)
{
  struct hone__sim_candidate candidate = {0};
  const struct place *place;
  const struct hone__node *fault = NULL;
  char *config, key[HONE__DIGEST_SIZE];
  hone_status status = find_place(task, &place);

  *out_candidate = NULL;
  if (!status) status = find_fault(task, row, &fault);
  if (!status) status = find_factors(task, row, &candidate);
  if (status) {
    free(candidate.factors);
    return status;
  }
  config = hone__task_config(task, row);
  candidate.config = config;
  candidate.digest = place->digest;
  candidate.fault = fault ? text_of(fault, "outcome") : NULL;
  candidate.fault_from = fault ? text_of(fault, "from") : NULL;
  candidate.key = key;
  make_candidate_key(&candidate, key);
  *out_candidate = hone__pack(&hone__sim_candidate_type, &candidate);
  free(config);
  free(candidate.factors);
  return NULL;
}
