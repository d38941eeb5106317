/* backend.h - the interface of a backend: one kind of kernel.
 *
 * A backend is one const struct; backend.c has the table. Its driver methods run in the driver,
 * which loads no device library; its worker methods run in a worker, where they cannot harm the
 * driver. They exchange only messages (wire/record.h) and bytes:
 *
 *   build_job.h  -> builder -> build_reply.h; payload: the object's bytes
 *   run_job.h    -> runner  -> run_reply.h; payloads: the objects' bytes, then the times
 *
 * All candidates of a run job are loaded in one process.
 *   mode "screen": for each candidate (usually one) a cold call that is checked, a warm-up, then
 *     `samples` samples; the first sample above `cap_ns` ends it as `slow`. If even the fastest one
 *     is above `cut_ns`, and long enough to be certain, no more are taken: it works, and others are
 *     better.
 *   mode "rows": cold and checked as above; then up to `rows` rows (or `budget_s`), each of which
 *     times every candidate once, in an order drawn from `seed`.
 * A sample is the mean of `repeats` calls, chosen so that it takes at least `min_sample_ns`; time
 * is per call, in ns.
 * `start_s` of `timeout_s` are for the start; candidates get the rest.
 * `call_timeout_s` limits the first call: beyond it the class is `hang`.
 * The overall outcome is that of the first candidate that does not work, else ok.
 * Times are doubles, row after row, one per candidate (mode screen: the samples of the first
 * candidate, then of the second ...). In mode rows every row has a column for every candidate; that
 * of a candidate that failed before the rows (not loaded, wrote past an array) is all NaN, and its
 * `samples` is 0. If one candidate of several kills the process, the results name it, and the
 * others have class `interrupted`.
 */
#ifndef HONE_BACKEND_BACKEND_H
#define HONE_BACKEND_BACKEND_H

#include "backend/host.h"
#include "backend/task.h"
#include "wire/frame.h"
#include "wire/device_facts.h"
#include "wire/message.h"

struct hone__backend_driver {
  /* Creates the setup: everything that workers need for a problem, in the backend's format. It
   * begins with the fields of wire/setup_head.h. INVALID_SPEC names what is missing. If the
   * reference is an object, the session builds it and sets its position in the payload. */
  hone_status (*describe)(const struct hone__task *task, struct hone__message *out_setup);
  /* Creates a candidate: what differs between configurations, such as its sources and scalar
   * arguments. It begins with the fields of wire/candidate_head.h. */
  hone_status (*candidate)(const struct hone__task *task, const uint32_t *row,
                           struct hone__packed **out_candidate);
  /* True if the files in a build's "deps" are unchanged. NULL: builds depend on no files. */
  bool (*deps_are_current)(const struct hone__pairs *deps);
  /* False if nothing can be built on this host: objects only come from the cache. NULL: building is
   * always tried. */
  bool (*builds_here)(const struct hone__task *task);
  /* Adds the user's files that a build of this candidate reads, with any values: they are sent to
   * another host that builds it. UNAVAILABLE: only this host can. NULL: a build reads none. */
  hone_status (*build_files)(const struct hone__packed *setup, const struct hone__packed *candidate,
                             struct hone__pairs *out_files);
  /* For `hone run` and reports: the command that builds this candidate, for the user to paste. */
  hone_status (*build_command)(const struct hone__packed *setup,
                               const struct hone__packed *candidate,
                               struct hone__text *out_command);
  /* The same for running it; NULL: no command runs it. Both leave the text empty if there is
   * nothing to do. */
  hone_status (*run_command)(const struct hone__packed *setup, const struct hone__packed *candidate,
                             struct hone__text *out_command);
  /* Describes the baseline, if its parameters do not; NULL: they do. */
  void (*explain_baseline)(const struct hone__task *task, struct hone__text *out_text);
  /* How this candidate is called, in a line; NULL, or an empty text: not known. */
  void (*explain_call)(const struct hone__packed *setup, const struct hone__packed *candidate,
                       struct hone__text *out_call);
  /* True if the seconds of all jobs are recorded ones, reported as `recorded_s`: the session's
   * clock is virtual. NULL: never. */
  bool (*is_recorded)(const struct hone__task *task);
  /* True if measuring on this device leaves the CPUs free; NULL: never. */
  bool (*is_beside_cpu)(const char *device);
  /* Lists every device of this machine; release the list in every case. UNAVAILABLE: none, with
   * advice. NULL: it has no devices, and why_no_devices has the reason. */
  hone_status (*devices)(struct hone__wire_device_list *out_list);
};

struct hone__backend_worker {
  /* Opens the device (pins to the CPU set, opens the GPU). `facts`: a message of
   * hone__wire_device_facts_type to add to (hone__packed_add). NULL: there is nothing to open. */
  hone_status (*open)(const char *device, struct hone__packed *facts, void **out_device);
  void (*build)(const struct hone__packed *setup, const struct hone__packed *job,
                struct hone__answer *answer);
  /* Makes inputs and gets the reference's answer. `facts` has the facts from `open`, and gets the
   * rest, including the bounds of wire/time_limits.h if they are known. */
  hone_status (*prepare)(void *device, const struct hone__packed *setup, const void *payload,
                         size_t payload_size, struct hone__packed *facts, void **out_bench);
  void (*run)(void *bench, const struct hone__packed *job, const void *payload, size_t payload_size,
              struct hone__answer *answer);
  void (*release)(void *bench);
  void (*close)(void *device);
  /* Ends what a builder kept from one build to the next. NULL: it keeps nothing. */
  void (*end_builder)(void);
};

struct hone__backend {
  const char *name;
  const char *const *suffixes; /* of `file`, NULL-terminated */
  /* Default numbers of samples. 0: as for the backend c, 3, 9 and 3. */
  unsigned screen_samples, first_samples, reading_samples;
  /* A sample is a whole run of a program, which reports less time than it takes: only time-outs
   * limit it, no cap does. */
  bool sample_is_run;
  /* The time a job may take besides its calls: a device's process may have to be restarted. */
  double start_s;
  /* A device that leaves the CPUs free is opened by a process of its own: to measure in a new
   * process only that one is replaced (`renew` of a run job), and its runner, with inputs and
   * reference, stays. */
  bool renews;
  /* The least duration of a sample: short kernels are called many times in one. 0: 50 us. */
  double batch_ns;
  const char *why_no_devices;
  /* The devices are this machine's CPUs, or there are none: `device.*` in its specs is about the
   * machine. Otherwise it is about the facts of the device in use. */
  bool device_is_host;
  /* In a program that calls kernels itself; NULL: its kernels are not functions. */
  const struct hone__backend_host *host;
  struct hone__backend_driver driver;
  struct hone__backend_worker worker;
};

/* By name; NULL if there is none. */
const struct hone__backend *hone__backend_find(const char *name);
/* Whether its kernels are functions with arguments. */
bool hone__backend_calls_kernels(const struct hone__backend *backend);
double hone__backend_least_sample_ns(const struct hone__backend *backend);
/* The i-th, from 0; NULL: there are no more. */
const struct hone__backend *hone__backend_at(size_t i);
/* The backend of `backend:`, else of the suffix of `file`; INVALID_SPEC lists the known ones. */
hone_status hone__backend_of(const struct hone_spec *spec,
                             const struct hone__backend **out_backend);

extern const struct hone__backend hone__backend_c, hone__backend_cuda, hone__backend_hip,
    hone__backend_iree, hone__backend_opencl, hone__backend_program, hone__backend_sim;

#endif
