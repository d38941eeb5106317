/* gpu_bench.h - runs candidates on a device: see kernel_bench.h for the order of calls.
 *
 * The runner itself never loads a device library. Its helper (proc/helper.h) owns the context,
 * holds the tensors and runs one trial after the other. The helper ends when a kernel damages it,
 * or at its deadline, and the next trial gets a new one.
 */
#ifndef HONE_BACKEND_GPU_GPU_BENCH_H
#define HONE_BACKEND_GPU_GPU_BENCH_H

#include "backend/backend.h"
#include "backend/gpu/gpu_step.h"
#include "backend/gpu/gpu_tensors.h"
#include "backend/kernel/kernel_bench.h"
#include "proc/helper.h"
#include "wire/frame.h"

/* ---- For backends: methods of struct hone__backend; `run` is hone__bench_run ---- */

hone_status hone__gpu_open(const struct hone__gpu_driver *driver, const char *device,
                           struct hone__packed *facts, void **out_device);
hone_status hone__gpu_prepare(void *device, const struct hone__packed *setup, const void *payload,
                              size_t payload_size, struct hone__packed *facts, void **out_bench);
/* The same in two steps, for a backend that uses the facts in between. */
struct hone__gpu_prepared {
  struct hone__bench *bench;
  struct hone__wire_device_facts facts;
  struct hone__packed *answer; /* from the helper: facts may point into it */
  struct hone__arena arena;
};
hone_status hone__gpu_prepare_bench(void *device, const struct hone__packed *setup,
                                    const void *payload, size_t payload_size,
                                    struct hone__gpu_prepared *out_prepared);
/* The bench, or NULL if the status has an error; adds to the facts. */
void *hone__gpu_take_prepared(struct hone__gpu_prepared *prepared, hone_status status,
                              struct hone__packed *facts);
void hone__gpu_release(void *bench);
void hone__gpu_close(void *device);
#define HONE__GPU_BATCH_NS 2e6   /* target duration of a batch of launches */
enum { HONE__GPU_START_S = 20 }; /* `start_s`: a helper may have to reopen the device */

/* ---- Between the files of this folder ---- */

struct hone__gpu_device { /* in the runner: only its name is known */
  const struct hone__gpu_driver *driver;
  char *name;
};

enum { HONE__GPU_MOST_KNOWN = 8, HONE__GPU_MOST_AHEAD = 2 };

struct hone__gpu_bench { /* bench->own */
  struct hone__bench *bench;
  const struct hone__gpu_device *device;
  struct hone__helper *helper;                      /* NULL: none */
  struct hone__helper *ahead[HONE__GPU_MOST_AHEAD]; /* next ones, which open the device; or NULL */
  bool is_ready;                                    /* it has opened the device */
  bool is_known;                                    /* an earlier one has measured the device */
  bool is_suspect;                /* a candidate wrote out of bounds: copies are made again */
  bool is_profiled;               /* there is no helper: the profiler does not survive a fork */
  const unsigned char *inherited; /* memory for reports, shared with the helper */
  uint64_t inherited_number;
  size_t orders; /* orders to this helper */
  struct hone__gpu_steps steps;

  /* In the helper: */
  struct hone__gpu *gpu;
  struct hone__gpu_tensors tensors;
  bool is_cold;        /* caches are cold */
  bool is_cpu;         /* kind of the device */
  bool wants_energy;   /* measure.energy */
  size_t waiting;      /* other helpers of this runner on the device */
  bool has_limit;      /* a candidate had a limit of power */
  double floor_ns[2];  /* time of an empty kernel, by method; NaN: not known */
  double slowest_wall; /* greatest ratio of wall time to device time of a trial's batches */
  size_t single_set;   /* the set of a single launch: 0 or 1 */
  struct hone__gpu_memory *spare_answers; /* of an unloaded candidate; NULL: none */
  struct hone__gpu_memory *last_answers;  /* of the first one of the last trial, if it was new */
  struct hone__gpu_memory *known[HONE__GPU_MOST_KNOWN]; /* answers that the runner has accepted */
  size_t known_count;
};

#define HONE__GPU_SHORT_NS 200e3 /* by events; shorter kernels are timed in batches */

extern const struct hone__engine hone__engine_gpu;

/* True if there is a helper that has opened the device and shares this memory; otherwise `answer`
 * has the reason. Release it in both cases. */
bool hone__gpu_get_helper(struct hone__gpu_bench *own, const struct hone__trial_memory *memory,
                          struct hone__helper_answer *answer);
size_t hone__gpu_count_ahead(const struct hone__gpu_bench *own);
/* The current helper ends; the next one may have opened the device already. */
void hone__gpu_renew_helper(struct hone__gpu_bench *own);
/* The error in such an answer. */
hone_status hone__gpu_helper_error(const struct hone__helper_answer *answer);

/* The same as hone__helper_ask, in this process. */
void hone__gpu_ask_here(struct hone__gpu_bench *own, const struct hone__helper_request *order,
                        struct hone__helper_answer *answer);

/* gpu_helper.c */
void hone__gpu_serve(void *start);
/* Carries out one order in this process; false: no other can be. */
bool hone__gpu_obey(struct hone__gpu_bench *own, const struct hone__frame *frame,
                    struct hone__packed **out_answer);

/* gpu_clock.c: the time of launches */
struct hone__gpu_clock { /* of one candidate: { 0 } */
  double call_ns;        /* of a single launch, before the method is chosen */
  bool is_single;        /* each launch needs preparation */
  bool is_decided;
  enum hone__gpu_method method;
  /* For a sample by HONE__GPU_BATCH: rounds of this many launches, over these sets. */
  size_t rounds, launches, sets;
};
struct hone__gpu_candidate {         /* candidate->own, in the helper */
  struct hone__gpu_kernel **kernels; /* of each stage; NULL: not loaded */
  size_t kernel_count;
  struct hone__gpu_call **calls;    /* of each stage; NULL: it is a kernel */
  struct hone__gpu_work work;       /* of a call; NULL stands for a call of the host's */
  size_t bound;                     /* sets that it has arguments for */
  struct hone__gpu_memory *answers; /* first ones, for each content; NULL: not needed yet */
  struct hone__gpu_clock clock;
};

struct hone__gpu_bench *hone__gpu_bench_of(const struct hone__trial *trial);
/* Binds the kernels of all stages to sets `first` ... `sets` - 1; false: gpu->fault has the reason.
 */
bool hone__gpu_bind_stages(struct hone__trial *trial, size_t index, size_t first, size_t sets);
/* One call of the candidate with the arguments of `set`: between two events, or by the host's clock
 * where the spec has steps on the host. False: gpu->fault has the reason. */
bool hone__gpu_call_all(struct hone__trial *trial, size_t index, size_t set, bool flush,
                        double *out_ns);
/* Its i-th launch or call alone, by the host's clock. */
bool hone__gpu_call_one(struct hone__trial *trial, size_t index, size_t i, size_t set,
                        double *out_ns);
/* Sets the candidate's failure from the device's fault; always false. */
bool hone__gpu_fail(struct hone__trial *trial, size_t index);

bool hone__gpu_clock_arrange(struct hone__trial *trial, size_t index, uint64_t repeats,
                             enum hone__extent extent);
bool hone__gpu_clock_inspect(struct hone__trial *trial, size_t index, uint64_t repeats,
                             enum hone__extent extent, struct hone__look *look);
bool hone__gpu_clock_sample(struct hone__trial *trial, size_t index, uint64_t repeats,
                            double *out_ns);
/* False: the number is not a valid time, and the candidate fails. */
bool hone__gpu_clock_check(struct hone__trial *trial, size_t index, double *ns);
bool hone__gpu_clock_calibrate(struct hone__trial *trial, size_t index, double call_ns);
void hone__gpu_clock_remark(struct hone__trial *trial);

#endif
