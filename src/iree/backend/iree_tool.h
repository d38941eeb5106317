/* iree_tool.h - IREE's runtime executables: one run of one of them, and what it said.
 */
#ifndef HONE_IREE_BACKEND_IREE_TOOL_H
#define HONE_IREE_BACKEND_IREE_TOOL_H

#include "proc/child.h"
#include "base/outcome.h"
#include "base/words.h"
#include "iree/backend/iree_setup.h"

struct hone__iree_attempt { /* { 0 } before; what became of a run */
  enum hone_outcome outcome;
  struct hone__text evidence;
  double seconds, cpu_seconds;
  struct hone__text output, errors;
};

/* Executes `words`, which end with NULL. `variable`: "NAME=value" for its environment, or NULL.
 * `timeout_s` 0: none. A status of 0 is OK, whatever it said. */
void hone__iree_tool_run(const char *const *words, const char *folder, const char *variable,
                         double timeout_s, struct hone__iree_attempt *out_attempt);
void hone__iree_attempt_release(struct hone__iree_attempt *attempt);
/* Sets the outcome, and the evidence in place of what there was. */
void hone__iree_attempt_fail(struct hone__iree_attempt *attempt, enum hone_outcome outcome,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds the words behind iree-benchmark-module: this many samples of the module's dispatch. */
void hone__iree_benchmark_words(const struct hone__iree_subject *subject, const char *module,
                                const char *device, size_t samples, struct hone__words *words);
/* Adds the words behind iree-run-module: its answer into a file. */
void hone__iree_answer_words(const struct hone__iree_subject *subject, const char *module,
                             const char *device, const char *file, struct hone__words *words);

/* "cuda", "hip", "local-sync" of a device's name */
bool hone__iree_device_is_gpu(const char *device);

/* ---- What a benchmark said (iree_timing.c) ---- */

/* The samples in its JSON, in ns; at most `most` are written. Else the attempt fails. */
size_t hone__iree_read_samples(struct hone__iree_attempt *attempt, bool is_cpu_time,
                               double *times_ns, size_t most);
/* Those of rocprofv3's table of kernels: the calls of `function`'s kernel, in `most` groups, of
 * which each is a mean. `notes` gets what is odd. */
size_t hone__iree_read_trace(struct hone__iree_attempt *attempt, const char *path,
                             const char *function, double *times_ns, size_t most,
                             struct hone__words *notes);

#endif
