/* backend.h - what one kind of kernel must be able to do.
 *
 * A backend is one const struct; backend.c has the table. Some methods run in the driver, which
 * loads no device library; the others in a worker, where nothing they do can hurt the driver. All
 * that travels between them is messages (wire/record.h) and bytes. Types of jobs and replies are in
 * wire/build_job.h, build_reply.h, run_job.h and run_reply.h.
 *
 * JOB {"op": "build", "timeout_s", "candidate": {...}, "cached_only", "anew"} -> builder
 *   RESULT head: "object" (digest), "compile_s", "warnings", "command", "cached" (bool),
 *   "deps": [["path", "digest"], ...]; payload: the object's bytes. Where it failed, "output" is
 *   what the compiler said, and "cached" that it said so earlier; "anew": that is not enough.
 *   "cached_only": what the cache does not know fails, and is not "cached". "costs": what the
 *   compiler told of registers and memory that the object takes, by name; not always.
 *
 * JOB {"op": "run", "timeout_s", "mode", "check", "late_check", "samples", "warmup", "cap_ns",
 *      "cut_ns", "min_sample_ns", "rows", "budget_s", "seed", "call_timeout_s", "start_s",
 *      "verbose", "phase", "number",
 *      "candidates": [{"candidate": {...}, "offset", "size"}, ...]} -> runner
 *   payload: the objects' bytes. All candidates are loaded in one process.
 *   mode "screen": of each candidate (usually one) a cold call that is checked ("check"), a
 *     warm-up, then `samples` samples; the first sample above `cap_ns` (0: no cap) ends it as
 *     `slow`; where even the fastest is above `cut_ns` (0: no cut), and long enough to be certain,
 *     no more are taken: it works, and others are better.
 *   mode "rows": cold and checked as above; then up to `rows` rows (or `budget_s`), each of which
 *     times every candidate once, in an order drawn from `seed`; "late_check": outputs are compared
 *     once more after the last row.
 *   "check": false, true (as "check.answers" of the setup says), or "first", "sampled" or "every":
 *     which answers of kernels are compared besides the first ones; see trial.h.
 *   A sample is the mean of "repeats" calls that are chosen so that it takes at least
 *   `min_sample_ns`; time is per call, in ns.
 *   "phase" is what the job is for (baseline, screen, check, race, confirm), "number" which job
 *   of the run it is: both matter to recordings alone.
 *   `start_s` of `timeout_s` are for beginning; candidates get the rest.
 *   `call_timeout_s` bounds the first call: beyond it the class is `hang`.
 *   RESULT head: "results": [{"class", "evidence", "cold_ns", "repeats", "samples" (count),
 * "checks":
 *          {"compared", "whole" (counts), "whole_ns", "sample_ns"} (of kernels)}, ...];
 *   of programs also "table": {"columns": [...], "rows": [[...], ...]}, "stdout", "stderr" (of the
 *   run that was checked, or that failed), "final" (true: whatever the class, it is not tried
 *   again); of devices also "facts": {"registers", "method", "energy_j", ...}. Beside it "rows",
 *   "cpu_ns", "forced_switches", "cpu", "notes": [...], "clock": {"state"} of a device. "class" is
 *   that of the first candidate that does not work, else ok.
 *   payload: doubles, row after row, one a candidate (mode screen: the samples of the first
 *   candidate, then of the second ...). In mode rows every row has a column for every candidate:
 *   that of one that failed before the rows began (not loaded, wrote past an array) is NaN
 *   throughout, and its "samples" is 0. Where one candidate of several kills the process, "results"
 *   says which, and the others have class `interrupted`.
 */
#ifndef HONE_BACKEND_BACKEND_H
#define HONE_BACKEND_BACKEND_H

#include "backend/task.h"
#include "wire/frame.h"
#include "wire/message.h"

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

  /* -- driver -- */
  /* All that workers must know of a problem: "args", "check", "measure", "build", "memory_bytes",
   * "seed", and "reference": {"kind": "object", "candidate": {...}}, {"kind": "command", "argv"},
   * {"kind": "files", ...} or {"kind": "none"}. INVALID_SPEC says what is missing. Where the
   * reference is an object the session builds it and adds "offset", "size" and "key". */
  hone_status (*describe)(const struct hone__task *task, struct hone__message *out_setup);
  /* What differs from one configuration to the next: what to build it from, scalar arguments.
   * "key": digest of everything that changes the built object and its call, but for files that the
   * source includes (those are the build's "deps"). "build_key": of what changes the object alone;
   * absent: "key". "knobs": names of the parameters that the build gets; absent: not known. */
  hone_status (*candidate)(const struct hone__task *task, const uint32_t *row,
                           json_t **out_candidate);
  /* True if the files in a build's "deps" are what they were. */
  bool (*deps_are_current)(const json_t *deps);
  /* False if nothing can be built on this host: objects are only taken from the cache. NULL: it is
   * always tried. */
  bool (*builds_here)(const struct hone__task *task);
  /* "hone run" and reports: the command that builds this candidate, for a person to paste. */
  hone_status (*build_command)(const json_t *setup, const json_t *candidate,
                               struct hone__text *out_command);
  /* The same for running it; NULL: it is not run by a command. Both leave the text empty where
   * there is nothing to do. */
  hone_status (*run_command)(const json_t *setup, const json_t *candidate,
                             struct hone__text *out_command);
  /* What the baseline is, where its parameters do not say it; NULL: they do. */
  void (*explain_baseline)(const struct hone__task *task, struct hone__text *out_text);
  /* True if measuring on this device leaves the CPUs to others; NULL: never. */
  bool (*is_beside_cpu)(const char *device);
  /* Appends the facts of every device that is here, each an object with "device" ("cuda:0", as in
   * --devices), "name" and "kind"; see gpu_driver.h. UNAVAILABLE: none, and how to get some. NULL:
   * it has no devices of its own, and this is why. */
  hone_status (*devices)(json_t *devices);
  const char *why_no_devices;
  /* Those devices are this machine's CPUs, or it has none: `device.*` in its specs is about the
   * machine. Else it is about the facts of the device that is used. */
  bool device_is_host;

  /* -- worker -- */
  /* Takes the device (pins to the CPU set, opens the GPU). `facts`: an object to add to: "name",
   * "fingerprint" (digest of what makes times comparable), "notes" (texts for the report), anything
   * else worth storing. */
  hone_status (*open)(const char *device, json_t *facts, void **out_device);
  void (*build)(const json_t *setup, const json_t *job, struct hone__answer *answer);
  /* Makes inputs, gets the reference's answer. `facts` as above; for tune/plausible.h also
   * "written_bytes" (that every right answer has to write), "fill_ns" (what writing as many takes),
   * "peak_flops": bounds that no candidate can beat, where they are known. */
  hone_status (*prepare)(void *device, const json_t *setup, const void *payload,
                         size_t payload_size, json_t *facts, void **out_bench);
  void (*run)(void *bench, const json_t *job, const void *payload, size_t payload_size,
              struct hone__answer *answer);
  void (*release)(void *bench);
  void (*close)(void *device);
};

/* By name; NULL if there is none. */
const struct hone__backend *hone__backend_find(const char *name);
/* The i-th, from 0; NULL: there are no more. */
const struct hone__backend *hone__backend_at(size_t i);
/* That of `backend:`, else of the suffix of `file`; INVALID_SPEC says what is known. */
hone_status hone__backend_of(const struct hone_spec *spec,
                             const struct hone__backend **out_backend);

extern const struct hone__backend hone__backend_c, hone__backend_cuda, hone__backend_iree,
    hone__backend_opencl, hone__backend_program, hone__backend_sim;

#endif
