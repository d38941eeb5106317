/* A recording as a spec: its parameters, and the configurations that it has and no others. */
#include "backend/sim/sim_backend.h"

#include "base/text.h"
#include "backend/source_file.h"
#include "replay/recording.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Is it one? ---- */

static size_t read_head(const char *path, char *head, size_t room)
{
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not stop us */
  ssize_t got = file >= 0 ? read(file, head, room - 1) : 0;

  if (file >= 0) close(file);
  got = got > 0 ? got : 0;
  head[got] = 0;
  return (size_t)got;
}

/* A spec may also be JSON: words that only recordings have distinguish them. */
bool hone__sim_is_recording(const char *path)
{
  static const char *const signs[] = {"\"tune_params_keys\"", "\"tune_params\"",
                                      "\"configuration\"", "\"ComputationResults\"",
                                      "\"Configuration\""};
  char head[65536];

  if (hone__ends_with(path, ".json.gz")) return true;
  if (!hone__ends_with(path, ".json") || !read_head(path, head, sizeof head)) return false;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strstr(head, signs[i])) return true;
  return false;
}

/* ---- As a spec ---- */

/* In a file's name `$` begins a variable. */
static void add_quoted(struct hone__text *yaml, const char *text, size_t length, bool is_path)
{
  hone__text_add(yaml, "'");
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\'' || (is_path && text[i] == '$')) hone__text_addn(yaml, &text[i], 1);
    hone__text_addn(yaml, &text[i], 1);
  }
  hone__text_add(yaml, "'");
}

void hone__sim_spec(const char *path, struct hone__text *out_yaml)
{
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;

  hone__text_add(out_yaml, "name: ");
  add_quoted(out_yaml, file, strcspn(file + 1, ".") + 1, false);
  hone__text_add(out_yaml, "\nbackend: sim\nfile: ");
  add_quoted(out_yaml, file, strlen(file), true);
  hone__text_add(out_yaml, "\n");
}

/* ---- Parameters ---- */

static struct hone_value keep_value(struct hone__arena *arena, struct hone_value value)
{
  if (value.type == HONE_TEXT) value.text = hone__arena_strdup(arena, value.text);
  return value;
}

static void copy_column(struct hone_spec *spec, const struct hone_space *space, size_t column,
                        struct hone__listing *listing, struct hone__param *param)
{
  struct hone__arena *arena = &spec->arena;
  uint32_t count = hone_space_value_count(space, 0, column);
  struct hone_value *values = hone__arena_alloc(arena, (count + 1) * sizeof *values);

  *param = (struct hone__param){
      .name = hone__arena_strdup(arena, hone_space_param_name(space, 0, column)),
      .source = spec->source,
      .items = hone__arena_alloc(arena, (count + 1) * sizeof *param->items),
      .count = count};
  for (uint32_t i = 0; i < count; i++)
    param->items[i].value = values[i] = keep_value(arena, hone_space_value(space, 0, column, i));
  listing->names[column] = param->name;
  listing->values[column] = values;
  listing->value_counts[column] = count;
}

static void copy_rows(struct hone__arena *arena, const struct hone__recording *recording,
                      struct hone__listing *listing)
{
  size_t width = listing->width;
  uint32_t *rows = hone__arena_alloc(arena, (recording->count * width + 1) * sizeof *rows);
  uint32_t *row = hone__alloc((hone_space_width(recording->space) + 1) * sizeof *row);
  bool found = false;

  for (size_t i = 0; i < recording->count; i++) {
    hone_space_at(recording->space, i, row);
    memcpy(rows + i * width, row + 1, width * sizeof *row);
    if (!found && hone__outcome_works(recording->at[i].outcome)) {
      listing->first = i;
      found = true;
    }
  }
  free(row);
  listing->rows = rows;
  listing->count = recording->count;
}

static void copy_group(struct hone_spec *spec, const struct hone__recording *recording,
                       struct hone__spec_group *group)
{
  struct hone__arena *arena = &spec->arena;
  struct hone__listing *listing = hone__arena_alloc(arena, sizeof *listing);
  size_t width = hone_space_param_count(recording->space, 0);

  *listing = (struct hone__listing){.what = "recorded", .width = width};
  listing->name = hone__arena_strdup(arena, recording->name);
  listing->names = hone__arena_alloc(arena, (width + 1) * sizeof *listing->names);
  listing->values = hone__arena_alloc(arena, (width + 1) * sizeof *listing->values);
  listing->value_counts = hone__arena_alloc(arena, (width + 1) * sizeof *listing->value_counts);
  *group = (struct hone__spec_group){.count = width, .listing = listing};
  group->params = hone__arena_alloc(arena, (width + 1) * sizeof *group->params);
  for (size_t i = 0; i < width; i++)
    copy_column(spec, recording->space, i, listing, &group->params[i]);
  copy_rows(arena, recording, listing);
}

/* Warns about a truncated file. */
static void add_remark(struct hone_spec *spec, const struct hone__recording *recording)
{
  if (recording->remark)
    hone__report(&spec->diagnostics, HONE__WARNING, spec->source, (struct hone__place){0, 0}, "%s",
                 recording->remark);
}

hone_status hone__sim_lend(struct hone_spec *spec, struct hone__spec_group *out_group)
{
  const struct hone__backend *backend = NULL;
  struct hone__recording *recording = NULL;
  char *path = NULL, *space = NULL;
  hone_status status = NULL;

  hone_status_free(hone__backend_of(spec, &backend)); /* tuning reports what is wrong */
  if (backend != &hone__backend_sim) return NULL;
  status = hone__backend_source_file_find(spec, &path);
  if (!status) space = hone__sim_space_path(spec);
  if (!status) status = hone__recording_load(path, space, &recording);
  if (!status) {
    copy_group(spec, recording, out_group);
    add_remark(spec, recording);
  }
  hone__recording_free(recording);
  free(space);
  free(path);
  return status;
}
