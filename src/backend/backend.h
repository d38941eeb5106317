/* backend.h - what one kind of kernel must be able to do.
 *
 * A backend is one const struct; backend.c has the table. Its driver methods run in the driver,
 * which loads no device library; its worker methods in a worker, where nothing they do can hurt the
 * driver. All that travels between them is messages (wire/record.h) and bytes:
 *
 *   build_job.h  -> builder -> build_reply.h; payload: the object's bytes
 *   run_job.h    -> runner  -> run_reply.h; payloads: the objects' bytes, then the times
 *
 * All candidates of a run job are loaded in one process.
 *   mode "screen": of each candidate (usually one) a cold call that is checked, a warm-up, then
 *     `samples` samples; the first sample above `cap_ns` ends it as `slow`; where even the fastest
 *     is above `cut_ns`, and long enough to be certain, no more are taken: it works, and others are
 *     better.
 *   mode "rows": cold and checked as above; then up to `rows` rows (or `budget_s`), each of which
 *     times every candidate once, in an order drawn from `seed`.
 *   A sample is the mean of `repeats` calls that are chosen so that it takes at least
 *   `min_sample_ns`; time is per call, in ns.
 *   `start_s` of `timeout_s` are for beginning; candidates get the rest.
 *   `call_timeout_s` bounds the first call: beyond it the class is `hang`.
 *   The outcome of the whole is that of the first candidate that does not work, else ok.
 *   Times are doubles, row after row, one a candidate (mode screen: the samples of the first
 *   candidate, then of the second ...). In mode rows every row has a column for every candidate:
 *   that of one that failed before the rows began (not loaded, wrote past an array) is NaN
 *   throughout, and its `samples` is 0. Where one candidate of several kills the process, the
 *   results say which, and the others have class `interrupted`.
 */
#ifndef HONE_BACKEND_BACKEND_H
#define HONE_BACKEND_BACKEND_H

#include "backend/task.h"
#include "wire/frame.h"
#include "wire/device_facts.h"
#include "wire/message.h"

struct hone__backend_driver {
  /* All that workers must know of a problem: a setup of the backend's own, which begins as
   * wire/setup_head.h says. INVALID_SPEC says what is missing. Where the reference is an object the
   * session builds it and says where it is in the payload. */
  hone_status (*describe)(const struct hone__task *task, struct hone__message *out_setup);
  /* What differs from one configuration to the next: what to build it from, scalar arguments. It
   * begins as wire/candidate_head.h says. */
  hone_status (*candidate)(const struct hone__task *task, const uint32_t *row,
                           struct hone__packed **out_candidate);
  /* True if the files in a build's "deps" are what they were. */
  bool (*deps_are_current)(const struct hone__pairs *deps);
  /* False if nothing can be built on this host: objects are only taken from the cache. NULL: it is
   * always tried. */
  bool (*builds_here)(const struct hone__task *task);
  /* "hone run" and reports: the command that builds this candidate, for a person to paste. */
  hone_status (*build_command)(const struct hone__packed *setup,
                               const struct hone__packed *candidate,
                               struct hone__text *out_command);
  /* The same for running it; NULL: it is not run by a command. Both leave the text empty where
   * there is nothing to do. */
  hone_status (*run_command)(const struct hone__packed *setup, const struct hone__packed *candidate,
                             struct hone__text *out_command);
  /* What the baseline is, where its parameters do not say it; NULL: they do. */
  void (*explain_baseline)(const struct hone__task *task, struct hone__text *out_text);
  /* How this candidate is called, in a line, and how that differs from what its source declares,
   * line by line; NULL, or texts that stay empty: not known. */
  void (*explain_call)(const struct hone__packed *setup, const struct hone__packed *candidate,
                       struct hone__text *out_call, struct hone__text *out_differences);
  /* True if measuring on this device leaves the CPUs to others; NULL: never. */
  bool (*is_beside_cpu)(const char *device);
  /* Every device that is here; release the list in every case. UNAVAILABLE: none, and how to get
   * some. NULL: it has no devices of its own, and why_no_devices says why. */
  hone_status (*devices)(struct hone__device_list *out_list);
};

struct hone__backend_worker {
  /* Takes the device (pins to the CPU set, opens the GPU). `facts`: a message of
   * hone__device_facts_type to add to (hone__packed_add). NULL: there is nothing to take. */
  hone_status (*open)(const char *device, struct hone__packed *facts, void **out_device);
  void (*build)(const struct hone__packed *setup, const struct hone__packed *job,
                struct hone__answer *answer);
  /* Makes inputs, gets the reference's answer. `facts` has what `open` added, and gets the rest,
   * among it the bounds of wire/time_limits.h, where they are known. */
  hone_status (*prepare)(void *device, const struct hone__packed *setup, const void *payload,
                         size_t payload_size, struct hone__packed *facts, void **out_bench);
  void (*run)(void *bench, const struct hone__packed *job, const void *payload, size_t payload_size,
              struct hone__answer *answer);
  void (*release)(void *bench);
  void (*close)(void *device);
};

struct hone__backend {
  const char *name;
  const char *const *suffixes; /* of `file`, NULL-terminated */
  /* How many samples are worth their time, unless somebody says otherwise. 0: as for the backend c,
   * 3, 9 and 3. */
  unsigned screen_samples, first_samples, reading_samples;
  /* A sample is a whole run of a program, which reports less time than it takes: only time-outs
   * bound it, no cap does. */
  bool sample_is_run;
  /* What a job may take besides its calls: a device's process may have to be started anew. */
  double start_s;
  const char *why_no_devices;
  /* Those devices are this machine's CPUs, or it has none: `device.*` in its specs is about the
   * machine. Else it is about the facts of the device that is used. */
  bool device_is_host;
  struct hone__backend_driver driver;
  struct hone__backend_worker worker;
};

/* By name; NULL if there is none. */
const struct hone__backend *hone__backend_find(const char *name);
/* Its kernels are functions that get arguments. */
bool hone__backend_calls_kernels(const struct hone__backend *backend);
/* The i-th, from 0; NULL: there are no more. */
const struct hone__backend *hone__backend_at(size_t i);
/* That of `backend:`, else of the suffix of `file`; INVALID_SPEC says what is known. */
hone_status hone__backend_of(const struct hone_spec *spec,
                             const struct hone__backend **out_backend);

extern const struct hone__backend hone__backend_c, hone__backend_cuda, hone__backend_iree,
    hone__backend_opencl, hone__backend_program, hone__backend_sim;

#endif
