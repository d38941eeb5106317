#include "session/kept_options.h"

#include "backend/source_file.h"
#include "session/spec_settings.h"

#include <math.h>
#include <stdlib.h>

static const struct hone__field aim_fields[] = {
    HONE__TEXT(struct hone__aim, metric, HONE__NEEDED),
    HONE__BOOL(struct hone__aim, maximise, HONE__SENT),
};
static const struct hone__record_type aim_type =
    HONE__RECORD_TYPE("aim", struct hone__aim, aim_fields);

static const struct hone__field objective_fields[] = {
    HONE__TEXT(struct hone__kept_objective, name, HONE__NEEDED),
    HONE__BOOL(struct hone__kept_objective, maximise, HONE__SENT),
};
static const struct hone__record_type objective_type =
    HONE__RECORD_TYPE("objective", struct hone__kept_objective, objective_fields);

static const struct hone__field options_fields[] = {
    HONE__REAL(struct hone__kept_options, margin, HONE__SENT, -INFINITY, INFINITY),
    HONE__TEXT(struct hone__kept_options, devices, HONE__OPTIONAL),
    HONE__INT(struct hone__kept_options, finalists, HONE__SENT, 0, 0x1p31),
    HONE__INT(struct hone__kept_options, screen_samples, HONE__SENT, 0, 0x1p31),
    HONE__SIZE(struct hone__kept_options, evaluations, HONE__SENT),
    HONE__BOOL(struct hone__kept_options, cap, HONE__SENT),
    HONE__BOOL(struct hone__kept_options, keep_slower, HONE__SENT),
    HONE__TEXT(struct hone__kept_options, file, HONE__OPTIONAL),
    HONE__RECORDS(struct hone__kept_options, objectives, HONE__SENT, &objective_type),
    HONE__RECORD(struct hone__kept_options, aim, HONE__OPTIONAL, &aim_type),
    HONE__TEXT(struct hone__kept_options, settings, HONE__OPTIONAL),
};
static const struct hone__record_type options_type =
    HONE__RECORD_TYPE("options", struct hone__kept_options, options_fields);

char *hone__kept_options_file(const char *options)
{
  struct hone__packed *packed = options ? hone__packed_parse(options, strlen(options)) : NULL;
  struct hone__arena arena = {0};
  struct hone__kept_options kept = {0};
  char *file = NULL;

  if (packed) hone_status_free(hone__unpack(packed, &options_type, &arena, &kept));
  if (kept.file) file = hone__strdup(kept.file);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  return file;
}

const char *hone__kept_options_text(struct hone__arena *arena,
                                    const struct hone__kept_options *options)
{
  return hone__record_text(arena, &options_type, options);
}

const char *hone__kept_options_print(struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;
  const struct hone__objectives *objectives = &session->objectives;
  struct hone__kept_objective list[HONE__MOST_OBJECTIVES];
  struct hone__aim aim = {.maximise = objectives->maximise};
  struct hone__kept_options kept = {.margin = session->settings.margin,
                                    .devices = options->devices,
                                    .finalists = session->settings.finalists,
                                    .screen_samples = session->settings.screen_samples,
                                    .evaluations = (size_t)session->settings.evaluations,
                                    .cap = !options->no_cap,
                                    .keep_slower = options->keep_slower,
                                    .objectives = list,
                                    .objectives_count = objectives->count};
  char *file = NULL, *settings = hone__session_spec_settings(&session->problem.task);
  const char *text;

  hone_status_free(hone__backend_source_file_find(session->problem.task.spec, &file));
  for (size_t i = 0; i < objectives->count; i++)
    list[i] = (struct hone__kept_objective){objectives->all[i].name, objectives->all[i].maximise};
  if (objectives->proven) {
    aim.metric = objectives->proven->name;
    kept.aim = &aim;
  }
  kept.file = file;
  kept.settings = settings;
  text = hone__kept_options_text(&session->arena, &kept);
  free(settings);
  free(file);
  return text;
}
