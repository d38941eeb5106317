/* model_state.h - the state that the stages of tuning a model pass to each other and keep in files.
 */
#ifndef HONE_IREE_MODEL_MODEL_STATE_H
#define HONE_IREE_MODEL_MODEL_STATE_H

#include "wire/record.h"

struct hone__model_dispatch {
  const char *name, *executable, *operation;
  const char *why_not; /* it cannot be tuned; "": it can */
  const char *file;    /* its dump; "": none */
  const char *matcher; /* of its operation in a spec; or NULL */
  double share;        /* of the model's time; NaN: not known, as the next */
  double time_ns;
  double flops; /* of a call; NaN: not known */
  int64_t calls;
};

struct hone__model_state { /* hone.json: the list of dispatches, how the function is called */
  const char *digest;      /* of the source's text */
  const char *identity;    /* of the compiler */
  const char *key;         /* of model, target, flags and inputs */
  const char *source;      /* what is compiled; "": the model itself */
  const char **words;      /* for iree-compile */
  const char *backend, *driver, *device, *target;
  const char *function;
  const char **call; /* words of its inputs */
  const char *inputs_digest;
  const char **outputs; /* types */
  double time_ns;       /* of the model; NaN: not known */
  const char *why_untimed;
  struct hone__model_dispatch *dispatches; /* the longest first */
  size_t words_count, call_count, outputs_count, dispatches_count;
};

struct hone__model_candidate {
  const char *config;
  double speedup, time_ns;
  const char *compilation_info;
  const char *decomposition_config; /* or NULL */
};

struct hone__model_found { /* tuned-EXECUTABLE.json: the result of tuning one dispatch */
  const char *key;         /* of everything that determines it */
  const char *verdict, *sentence;
  double before_ns, after_ns, speedup, low, high; /* NaN: not known */
  const char *matcher, *matcher_name, *operation, *backend;
  struct hone__model_candidate *candidates; /* the best first */
  size_t candidates_count;
  int64_t run;
  const struct hone__model_candidate *used; /* that the contest chose; not in the file */
  bool is_profiled; /* speedups of its first candidates are those in the model; not in the file */
};

extern const struct hone__record_type hone__model_state_type, hone__model_found_type;

#endif
