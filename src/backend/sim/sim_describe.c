/* What the driver tells workers: where the recording is, which one it is, and what is scripted for
 * a configuration. The recording itself is read by builders. */
#include "backend/sim/sim_backend.h"

#include "backend/setting.h"
#include "backend/sim/sim_recording.h"
#include "backend/source_file.h"
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
    status = hone__source_file_find(task->spec, &place->path);
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

/* [[number, factor], ...]: from this job on times are multiplied by the factor. */
static json_t *drift_json(const struct hone__task *task)
{
  const struct hone__node *steps = hone__task_setting(task, "sim.drift");
  json_t *list = json_array();

  for (size_t i = 0; steps && i < steps->count; i++) {
    double from = 0, factor = 1;
    hone__node_number(hone__node_get(steps->items[i], "from"), &from);
    hone__node_number(hone__node_get(steps->items[i], "factor"), &factor);
    json_array_append_new(list, json_pack("[f, f]", from, factor));
  }
  return list;
}

static const char *name_of(const struct hone__task *task, const struct place *place)
{
  const struct hone__group *groups = task->spec->groups;
  const struct hone__listing *listing = task->spec->group_count ? groups[0].listing : NULL;
  const char *slash = strrchr(place->path, '/');

  return listing && listing->name ? listing->name : slash ? slash + 1 : place->path;
}

static void add_faults(struct hone__digester *digester, const struct hone__task *task)
{
  static const char *const keys[] = {"when", "outcome", "from"};
  const struct hone__node *faults = hone__task_setting(task, "sim.faults");

  for (size_t i = 0; faults && i < faults->count; i++)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
      hone__digest_add_text(digester, text_of(faults->items[i], keys[k]));
}

/* Of what changes times and outcomes besides the configuration's own. */
static void add_key(const struct hone__task *task, json_t *setup, const struct place *place)
{
  static const char *const keys[] = {"noise", "seed"};
  char *drift = json_dumps(json_object_get(setup, "drift"), JSON_COMPACT);
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, place->digest);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    double value = json_number_value(json_object_get(setup, keys[i]));
    hone__digest_add(digester, &value, sizeof value);
  }
  hone__digest_add_text(digester, drift);
  add_faults(digester, task);
  free(drift);
  hone__digest_end(digester, key);
  json_object_set_new(setup, "inputs_key", json_string(key));
}

hone_status hone__sim_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  const struct place *place;
  hone_status status = find_place(task, &place);
  size_t memory = task->memory_bytes ? task->memory_bytes : MEMORY_BYTES;
  json_t *setup;

  *out_setup = (struct hone__message){0};
  if (status) return status;
  setup =
      json_pack("{s:s, s:s, s:s?, s:s, s:f, s:f, s:I, s:I, s:[], s:{s:s}, s:{s:b}, s:{s:f}}",
                "backend", "sim", "recording", place->path, "space", place->space, "digest",
                place->digest, "noise", number(task, "sim.noise"), "pace", number(task, "sim.pace"),
                "seed", (json_int_t)task->seed, "memory_bytes", (json_int_t)memory, "args",
                "reference", "kind", "none", "check", "enabled", task->check, "build", "timeout_s",
                hone__setting_seconds(task, "build.timeout", default_build_timeout_s));
  if (!setup)
    return hone__error(HONE_INVALID_ARGUMENT, "the name of the recording '%s' is not valid UTF-8",
                       place->path);
  json_object_set_new(setup, "name", json_string(name_of(task, place)));
  json_object_set_new(setup, "drift", drift_json(task));
  add_key(task, setup, place);
  out_setup->head = setup;
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

static void add_candidate_key(json_t *candidate)
{
  static const char *const keys[] = {"config", "digest", "fault", "fault_from"};
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, "sim");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    hone__digest_add_text(digester, json_string_value(json_object_get(candidate, keys[i])));
  hone__digest_end(digester, key);
  json_object_set_new(candidate, "key", json_string(key));
}

hone_status hone__sim_candidate(const struct hone__task *task, const uint32_t *row,
                                json_t **out_candidate)
{
  const struct place *place;
  const struct hone__node *fault = NULL;
  char *config;
  hone_status status = find_place(task, &place);

  *out_candidate = NULL;
  if (!status) status = find_fault(task, row, &fault);
  if (status) return status;
  config = hone__task_config(task, row);
  *out_candidate = json_pack("{s:o, s:s}", "config", hone__json_string(config, strlen(config)),
                             "digest", place->digest);
  if (fault) {
    json_object_set_new(*out_candidate, "fault", json_string(text_of(fault, "outcome")));
    json_object_set_new(*out_candidate, "fault_from", json_string(text_of(fault, "from")));
  }
  add_candidate_key(*out_candidate);
  free(config);
  return NULL;
}
