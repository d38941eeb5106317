/* iree_tool.h - IREE's runtime executables: one run, and its output. */
#ifndef HONE_IREE_BACKEND_IREE_TOOL_H
#define HONE_IREE_BACKEND_IREE_TOOL_H

#include "proc/child.h"
#include "base/outcome.h"
#include "base/words.h"
#include "iree/backend/iree_setup.h"

struct hone__iree_attempt { /* { 0 } before; the result of a run */
  enum hone_outcome outcome;
  struct hone__text evidence;
  double seconds, cpu_seconds;
  struct hone__text output, errors;
};

/* Executes `words`, which end with NULL. `variable`: "NAME=value" for its environment, or NULL.
 * `timeout_s` 0: none. Exit status 0 is OK, whatever the output. */
void hone__iree_tool_run(const char *const *words, const char *folder, const char *variable,
                         double timeout_s, struct hone__iree_attempt *out_attempt);
void hone__iree_attempt_release(struct hone__iree_attempt *attempt);
/* Sets the outcome, and replaces the evidence. */
void hone__iree_attempt_fail(struct hone__iree_attempt *attempt, enum hone_outcome outcome,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds the words after iree-benchmark-module: this many samples of the module's dispatch. */
void hone__iree_benchmark_words(const struct hone__iree_subject *subject, const char *module,
                                const char *device, size_t samples, struct hone__words *words);
/* Adds the words after iree-run-module: writes its answer into a file. */
void hone__iree_answer_words(const struct hone__iree_subject *subject, const char *module,
                             const char *device, const char *file, struct hone__words *words);

/* "cuda", "hip", "local-sync" of a device's name */
bool hone__iree_device_is_gpu(const char *device);

/* ---- The output of a benchmark (iree_timing.c) ---- */

/* The samples in its JSON, in ns; at most `most` are stored. Otherwise the attempt fails. */
size_t hone__iree_read_samples(struct hone__iree_attempt *attempt, bool is_cpu_time,
                               double *times_ns, size_t most);
/* Samples from rocprofv3's table of kernels: the calls of `function`'s kernel, in `most` groups,
 * each of which gives a mean. `notes` gets irregularities. */
size_t hone__iree_read_trace(struct hone__iree_attempt *attempt, const char *path,
                             const char *function, double *times_ns, size_t most,
                             struct hone__words *notes);

/* The flag for so many workers, if the device has any; 0: none. */
void hone__iree_thread_words(int64_t threads, const char *device, struct hone__words *words);

#endif
