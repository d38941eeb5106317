/* A builder keeps no state except its setup, and loading takes up to a second, so the process keeps
 * the last recording.
 */
#include "backend/sim/sim_recording.h"

#include "base/file.h"
#include "replay/recording_text.h"

#include <stdlib.h>

static struct {
  char digest[HONE__DIGEST_SIZE];
  struct hone__recording *recording;
} kept;

static hone_status add_file(struct hone__digester *digester, const char *path)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, HONE__LARGEST_RECORDING, &bytes, &size);

  if (!status) hone__digest_add(digester, bytes, size);
  hone__digest_add(digester, &size, sizeof size);
  free(bytes);
  return status;
}

hone_status hone__sim_digest(const char *path, const char *space,
                             char out_digest[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();
  hone_status status = add_file(digester, path);

  if (!status && space) status = add_file(digester, space);
  hone__digest_end(digester, out_digest);
  return status;
}

hone_status hone__sim_recording(const char *path, const char *space, const char *digest,
                                const struct hone__recording **out_recording)
{
  char found[HONE__DIGEST_SIZE];
  hone_status status = NULL;

  *out_recording = kept.recording;
  if (kept.recording && strcmp(kept.digest, digest) == 0) return NULL;
  hone__recording_free(kept.recording);
  *out_recording = kept.recording = NULL;
  status = hone__sim_digest(path, space, found);
  if (!status && strcmp(found, digest) != 0)
    status = hone__error(HONE_NOT_FOUND, "'%s' changed, or differs on this host", path);
  if (!status) status = hone__recording_load(path, space, &kept.recording);
  if (status) return status;
  memcpy(kept.digest, found, sizeof found);
  *out_recording = kept.recording;
  return NULL;
}

const struct hone__recorded *hone__sim_find(const struct hone__recording *recording,
                                            const char *config, struct hone__text *out_why)
{
  const struct hone_space *space = recording->space;
  uint32_t *row = hone__alloc((hone_space_width(space) + 1) * sizeof *row);
  hone_status status = hone_space_parse(space, config, row);
  uint64_t index = 0;
  bool found = !status && hone_space_index_of(space, row, &index);

  if (!found) hone__text_add(out_why, "it was not recorded");
  if (status) hone__text_addf(out_why, ": %s", hone_status_message(status));
  hone_status_free(status);
  free(row);
  return found ? &recording->at[index] : NULL;
}
