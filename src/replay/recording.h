/* recording.h - a space whose configurations were measured once, as other tuners wrote it down.
 *
 * Formats: cache files of Kernel Tuner (also cut off at the end), T4, results of KTT; plain or in
 * gzip. A T1 file next to them says which parameters and values there are, and in which order. What
 * a configuration cost (compiling, checking, timing) is recorded with it, and so are failures: a
 * search can be replayed on it quickly, and the time that it would have taken is known. */
#ifndef HONE_REPLAY_RECORDING_H
#define HONE_REPLAY_RECORDING_H

#include "base/memory.h"
#include "base/status.h"
#include "base/outcome.h"
#include "hone_replay.h"

struct hone__recorded { /* one configuration */
  double time_ms;       /* NaN: it failed */
  double cost_s;        /* what it took to evaluate it */
  enum hone_outcome outcome;
  const double *samples_ms; /* single timings, if the file has them */
  uint32_t sample_count;
};

struct hone__recording {
  struct hone__arena arena;
  const char *path;
  const char *name; /* "convolution_kernel on NVIDIA A100": kernel and device; else the file's */
  const char *kernel, *device; /* what the file calls them; or NULL */
  enum hone_recording_format format;
  const char *remark; /* what of the file was left out ("cut off after 812 configurations ..."), or
                         NULL */
  struct hone_spec *spec; /* of parameters alone */
  struct hone_space
      *space; /* exactly the recorded configurations, parameters in the file's order */
  struct hone__recorded *at; /* by index in the space */
  size_t count, working;
};

/* `space_path`: a T1 file, or NULL. INVALID_SPEC: what of a file cannot be understood, and where;
 * IO: it cannot be read. */
hone_status hone__recording_load(const char *path, const char *space_path,
                                 struct hone__recording **out_recording);
/* The same of a file's bytes, which it frees; `path` is for names and messages. */
hone_status hone__recording_parse(const char *path, char *bytes, size_t size,
                                  const char *space_path, struct hone__recording **out_recording);
void hone__recording_free(struct hone__recording *recording);

#endif
