/* Any bytes as a recording, plain or in gzip, and as a T1 file: an error says something, a
 * recording holds together, and the YAML of a T1 file is loaded or refused. */
#include "replay/recording.h"
#include "base/text.h"
#include "replay/t1_space.h"
#include "space/space.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *copy(const uint8_t *data, size_t size)
{
  char *bytes = hone__alloc(size + 1);

  if (size) memcpy(bytes, data, size);
  return bytes;
}

static void drop(hone_status status)
{
  if (status && !*hone_status_message(status)) abort();
  hone_status_free(status);
}

static void check_row(const struct hone__recording *recording, uint64_t index, uint32_t *row)
{
  const struct hone__recorded *at = &recording->at[index];
  uint64_t found;

  if (!hone_space_at(recording->space, index, row)) abort();
  if (!hone_space_index_of(recording->space, row, &found) || found != index) abort();
  if (!hone_space_contains(recording->space, row)) abort();
  if (hone__outcome_works(at->outcome) != (at->time_ms > 0)) abort();
  if (!(at->cost_s >= 0)) abort();
  for (uint32_t i = 0; i < at->sample_count; i++)
    if (isnan(at->samples_ms[i])) abort();
}

static void check(const struct hone__recording *recording)
{
  uint32_t *row = hone__alloc(hone_space_width(recording->space) * sizeof *row);
  size_t working = 0;

  if (recording->count == 0 || hone_space_count(recording->space) != recording->count) abort();
  for (size_t i = 0; i < recording->count; i++) {
    check_row(recording, i, row);
    working += hone__outcome_works(recording->at[i].outcome);
  }
  if (working != recording->working) abort();
  free(row);
}

static void try_t1(const uint8_t *data, size_t size)
{
  const char *const files[] = {"fuzz.yaml"};
  struct hone_spec_options options;
  struct hone_spec *spec = NULL;
  char *text = copy(data, size), *yaml;
  hone_status status = hone__t1_space_parse("fuzz.json", text, size, &yaml);

  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  if (!status) status = hone__spec_load(&options, (const char *const *)&yaml, &spec);
  drop(status);
  hone_spec_free(spec);
  free(yaml);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__recording *recording;

  drop(hone__recording_parse("fuzz.json", copy(data, size), size, NULL, &recording));
  if (recording) check(recording);
  hone__recording_free(recording);
  try_t1(data, size);
  return 0;
}
