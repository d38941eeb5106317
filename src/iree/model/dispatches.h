/* dispatches.h - the parts of hone_iree_dispatches, for callers that have a model open. */
#ifndef HONE_IREE_MODEL_DISPATCHES_H
#define HONE_IREE_MODEL_DISPATCHES_H

#include "hone.h"
#include "hone_iree.h"
#include "iree/model/dispatch_space.h"
#include "iree/model/model_dump.h"

/* Calls that take longer are few: they would take most of a budget. */
#define HONE__MODEL_SLOW_NS 0.3e9

struct hone_iree_dispatch { /* texts of hone_iree.h */
  char *name, *executable, *operation, *layout, *sizes, *types;
  char *pipeline, *configuration, *compilation_info;
  uint64_t candidates;
  char *why_not; /* NULL: it can be tuned */
  double time_ns, share;
  double flops; /* of a call; NaN: not known */
  uint64_t calls;
  char *file;
  char *matcher; /* of its operation; NULL: it cannot be tuned */
};

struct hone_iree_dispatches {
  struct hone_iree_dispatch *dispatches;
  size_t count;
  char *backend, *target, *device, *function;
  double time_ns;
  bool is_alone;
  char *why_untimed, *module;
};
/* All that it holds, but not itself. */
void hone__dispatches_release(struct hone_iree_dispatches *dispatches);

/* The given options, or else the defaults, all of them by value. */
struct hone__iree_model_given {
  struct hone_iree_model_options options; /* its pointer is to the next */
  struct hone_iree_options iree;
};
hone_status hone__iree_model_take(struct hone__iree_model_given *given,
                                  const struct hone_iree_model_options *options);
/* If no option, no flag and not the model itself names a target: llvm-cpu, and true. */
bool hone__iree_model_default_target(struct hone__iree_model_given *given, const char *path);

/* Everything except times and calls of one executable. An untunable dispatch is not a failure.
 * `spaces`: the dispatch will be tuned, and its space is kept there; NULL: it is only counted. */
hone_status hone__model_dispatch_describe(const struct hone__model *model,
                                          const struct hone__model_executable *executable,
                                          struct hone__model_dispatch_spaces *spaces,
                                          struct hone_iree_dispatch *out_info);
void hone__model_dispatch_info_release(struct hone_iree_dispatch *info);

/* The device of the times: that of the options, else the target's; "": not known. */
const char *hone__dispatches_device(const struct hone__model *model,
                                    const struct hone_iree_model_options *options);
/* Whether the runtime reports dispatches within the model there: CPU, IREE >= 3.13. */
bool hone__dispatches_can_list(const struct hone__model *model, const char *device);
/* The name of the function that is called; "" after a failure. free(). */
hone_status hone__dispatches_function(const struct hone__model *model,
                                      const struct hone_iree_model_options *options,
                                      char **out_function);
/* Chooses the function and makes its inputs: "--function=f", "--input=..." and the options' words
 * for the runtime, for all tools alike. The model's flow is read. `out_function` (free) may be
 * NULL. */
hone_status hone__dispatches_call(const struct hone__model *model,
                                  const struct hone_iree_model_options *options,
                                  struct hone__words *out_words, char **out_function);

/* Fills times, calls and shares; `dispatches` has an entry for each executable of the dumped model,
 * in its order, and device and function. `call` are the words of hone__dispatches_call; NULL, or if
 * the runtime does not report them: each dispatch is timed alone. A missing device is reported in
 * `why_untimed`. */
hone_status hone__dispatches_time(const struct hone__model *model,
                                  const struct hone_iree_model_options *options,
                                  const struct hone__words *call,
                                  struct hone_iree_dispatches *dispatches);
/* The same by the runtime alone; `out_done`: it reports them. */
hone_status hone__dispatches_time_within(const struct hone__model *model,
                                         const struct hone_iree_model_options *options,
                                         const struct hone__words *call,
                                         struct hone_iree_dispatches *dispatches, bool *out_done);
/* dispatches_alone.c: each dispatch alone. */
hone_status hone__dispatches_time_alone(const struct hone__model *model,
                                        const struct hone_iree_model_options *options,
                                        struct hone_iree_dispatches *dispatches);

/* Why a tool of the runtime failed. */
void hone__dispatches_reason(const struct hone__child_result *result, struct hone__text *text);

/* CANCELLED if the caller stops it. */
hone_status hone__dispatches_step(const struct hone_iree_model_options *options, const char *step,
                                  size_t done, size_t all);

#endif
