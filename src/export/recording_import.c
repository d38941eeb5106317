/* Recordings of other tuners as runs of the store. A run has the form of a sweep: every
 * configuration once, without a baseline and without a verdict. */
#include "hone_export.h"

#include "backend/task.h"
#include "base/digest.h"
#include "base/options_size.h"
#include "base/quoted_text.h"
#include "replay/recording.h"
#include "replay/t1_space.h"
#include "store/stored.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

struct hone_imported {
  int64_t run;
  bool was_there;
  char *spec, *format, *name, *remark;
  uint64_t count, working;
};

void hone_import_options_fill(struct hone_import_options *options, size_t size)
{
  static const struct hone_import_options defaults;

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

/* ---- The run ---- */

/* Of the file and the options. */
static void make_key(const struct hone__recording *recording, const char *name, const char *problem,
                     char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "import");
  hone__digest_add_text(digester, name);
  hone__digest_add_text(digester, problem);
  hone__digest_add_text(digester, recording->device);
  hone__digest_add_text(digester, hone_space_count_text(recording->space));
  for (size_t i = 0; i < recording->count; i++)
    hone__digest_add(digester, &recording->at[i].time_ms, sizeof recording->at[i].time_ms);
  hone__digest_end(digester, key);
}

static char *describe_device(const struct hone__recording *recording)
{
  json_t *object = json_object(), *devices = json_array(), *device = json_object();
  char *text;

  if (recording->device) {
    json_object_set_new(device, "name", json_string(recording->device));
    json_object_set_new(device, "family", json_string(""));
    json_object_set_new(device, "driver", json_string(""));
    json_array_append(devices, device);
  }
  json_object_set_new(object, "devices", devices);
  text = json_dumps(object, JSON_COMPACT);
  json_decref(device);
  json_decref(object);
  return text;
}

static struct hone__text describe_origin(const struct hone__recording *recording)
{
  struct hone__words notes = {0};
  struct hone__text note = {0}, list = {0};

  hone__text_addf(&note, "imported from '%s' (%s): another tuner measured it", recording->path,
                  hone_recording_format_name(recording->format));
  hone__words_add(&notes, note.data);
  hone__quote_words(&list, &notes);
  hone__text_release(&note);
  hone__words_release(&notes);
  return list;
}

/* ---- Evaluations ---- */

static hone_status put_samples(struct hone_store *store, int64_t evaluation,
                               const struct hone__recorded *recorded)
{
  double *times_ns = hone__alloc((recorded->sample_count + 1) * sizeof *times_ns);
  struct hone__samples samples = {
      .phase = HONE_PHASE_SCREEN, .times_ns = times_ns, .count = recorded->sample_count};
  hone_status status;

  for (size_t i = 0; i < samples.count; i++)
    times_ns[i] = recorded->samples_ms[i] * 1e6;
  status = samples.count ? hone__store_samples_add(store, evaluation, &samples) : NULL;
  free(times_ns);
  return status;
}

static hone_status put_evaluation(struct hone_store *store, int64_t run,
                                  const struct hone__recording *recording, size_t index,
                                  const uint32_t *row)
{
  const struct hone__recorded *recorded = &recording->at[index];
  const struct hone__task task = {.space = recording->space}; /* all that names need */
  char *config = hone__task_config(&task, row);
  struct hone__evaluation evaluation = {.config = config,
                                        .device = recording->device,
                                        .outcome = recorded->outcome,
                                        .evidence = "as recorded",
                                        .compile_s = recorded->cost_s,
                                        .time_ns = recorded->time_ms * 1e6,
                                        .baseline_ns = NAN,
                                        .cold_ns = NAN,
                                        .cap_ns = NAN,
                                        .mesh_idx = (int64_t)index};
  hone_status status = hone__store_evaluation_put(store, run, &evaluation);

  if (!status) status = put_samples(store, evaluation.id, recorded);
  free(config);
  return status;
}

static hone_status put_evaluations(struct hone_store *store, int64_t run,
                                   const struct hone__recording *recording)
{
  uint32_t *row = hone__alloc(hone_space_width(recording->space) * sizeof *row);
  hone_status status = NULL;

  for (size_t i = 0; i < recording->count && !status; i++)
    if (hone_space_at(recording->space, i, row))
      status = put_evaluation(store, run, recording, i, row);
  free(row);
  return status;
}

static hone_status put_run(struct hone_store *store, const struct hone__recording *recording,
                           const struct hone_import_options *options, const char *key,
                           struct hone_imported *imported)
{
  struct hone__store_run_record record = {.key = key,
                                          .name = imported->name,
                                          .spec = recording->path,
                                          .problem = options->problem ? options->problem : "",
                                          .command = "",
                                          .options = "{}",
                                          .environment = "{}",
                                          .fingerprint = "",
                                          .space = hone_space_count_text(recording->space),
                                          .strategy = HONE__STRATEGY_OF_IMPORTS,
                                          .imported = recording->path};
  char *devices = describe_device(recording);
  struct hone__text notes = describe_origin(recording);
  struct hone__store_run_result result = {.state = HONE_RUN_FINISHED,
                                          .notes = notes.data,
                                          .speedup = NAN,
                                          .low = NAN,
                                          .high = NAN,
                                          .confidence = NAN,
                                          .drift = NAN,
                                          .devices = devices};
  bool resumed;
  hone_status status = hone__store_run_begin(store, &record, &resumed);

  imported->run = record.id;
  if (!status) status = put_evaluations(store, record.id, recording);
  if (!status) status = hone__store_run_finish(store, record.id, &result);
  if (!status) status = hone__store_sync(store);
  free(devices);
  hone__text_release(&notes);
  return status;
}

/* ---- The whole ---- */

static hone_status import_recording(const struct hone_import_options *options,
                                    const struct hone__recording *recording,
                                    struct hone_imported *imported)
{
  struct hone_store *store = NULL;
  char key[HONE__DIGEST_SIZE];
  hone_status status = hone__store_open(options->store, false, &store);

  if (status) return status;
  imported->name = hone__strdup(options->name       ? options->name
                                : recording->kernel ? recording->kernel
                                                    : recording->name);
  imported->format = hone__strdup(hone_recording_format_name(recording->format));
  imported->remark = hone__strdup(recording->remark ? recording->remark : "");
  imported->count = recording->count;
  imported->working = recording->working;
  make_key(recording, imported->name, options->problem, key);
  status = hone__store_run_finished(store, key, &imported->run);
  imported->was_there = imported->run != 0;
  if (!status && !imported->was_there) status = put_run(store, recording, options, key, imported);
  hone__store_close(store);
  return status;
}

/* `status`: why it is not a recording; it is given back unless the file is T1. */
static hone_status import_t1(const struct hone_import_options *options, hone_status status,
                             struct hone_imported *imported)
{
  hone_status other;

  if (hone_status_code(status) != HONE_INVALID_SPEC) return status;
  other = hone__t1_space_text(options->file, &imported->spec);
  if (other) {
    bool is_t1 = hone_status_code(other) != HONE_NOT_FOUND;
    hone_status_free(is_t1 ? status : other);
    return is_t1 ? other : status;
  }
  hone_status_free(status);
  imported->format = hone__strdup("T1");
  imported->name = hone__strdup("");
  imported->remark = hone__strdup("");
  return NULL;
}

static hone_status import(const struct hone_import_options *options,
                          struct hone_imported **out_imported)
{
  struct hone_imported *imported = hone__alloc(sizeof *imported);
  struct hone__recording *recording = NULL;
  hone_status status = hone__recording_load(options->file, options->space_file, &recording);

  if (!status)
    status = import_recording(options, recording, imported);
  else if (!options->space_file)
    status = import_t1(options, status, imported);
  hone__recording_free(recording);
  if (status)
    hone_imported_free(imported);
  else
    *out_imported = imported;
  return status;
}

hone_status hone_import(const struct hone_import_options *options,
                        struct hone_imported **out_imported)
{
  struct hone_import_options own;
  hone_status status;

  *out_imported = NULL;
  hone_import_options_init(&own);
  status = hone__options_take(&own, sizeof own, options, "hone_import_options");
  return status ? status : import(&own, out_imported);
}

int64_t hone_imported_run(const struct hone_imported *imported)
{
  return imported->run;
}

bool hone_imported_was_there(const struct hone_imported *imported)
{
  return imported->was_there;
}

const char *hone_imported_spec(const struct hone_imported *imported)
{
  return imported->spec;
}

const char *hone_imported_format(const struct hone_imported *imported)
{
  return imported->format;
}

const char *hone_imported_name(const struct hone_imported *imported)
{
  return imported->name;
}

const char *hone_imported_remark(const struct hone_imported *imported)
{
  return imported->remark;
}

uint64_t hone_imported_count(const struct hone_imported *imported)
{
  return imported->count;
}

uint64_t hone_imported_working(const struct hone_imported *imported)
{
  return imported->working;
}

void hone_imported_free(struct hone_imported *imported)
{
  if (!imported) return;
  free(imported->spec);
  free(imported->format);
  free(imported->name);
  free(imported->remark);
  free(imported);
}
