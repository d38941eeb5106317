/* model_options.h - what the two stages of the compiler's options share: model_options.c, where
 * they compete first, and model_together.c, where they meet the tuning spec.
 */
#ifndef HONE_IREE_MODEL_MODEL_OPTIONS_H
#define HONE_IREE_MODEL_MODEL_OPTIONS_H

#include "iree/model/model_tune.h"

struct hone__model_place { /* what differs between the plain model and the base */
  const struct hone_iree_tune_options *options;
  const struct hone__model_state *state;
  char *folder;
  char key[HONE__DIGEST_SIZE];
};

struct hone__model_figures { /* of the whole model */
  int64_t run;
  enum hone_verdict verdict;
  double before_ns, after_ns, speedup, low, high;
  char *sentence;
};

/* The options of the tuning with the words of the winner. */
struct hone__model_base {
  struct hone__model_figures kept; /* of these words alone */
  struct hone__model_place other;  /* the plain model; if the options are a rival: the base */
  bool is_rival;
  bool is_unproved;  /* they are for tiles that are to be found */
  bool is_abandoned; /* none were; the tuning is at the plain model */
  struct hone_iree_tune_options tune;
  struct hone_iree_model_options model;
  struct hone_iree_options iree;
  struct hone__words flags;
};

struct hone__model_figures hone__model_figures_of(const struct hone_iree_tuned *tuned);
void hone__model_figures_release(struct hone__model_figures *figures);

/* The words of an option by its place in `tuned->options`; NULL ends them. */
const char *const *hone__model_option_words(size_t number);
void hone__model_option_flags(struct hone__text *yaml,
                              size_t number); /* as a member of a variant */
/* The place of the option that is used; the count: none is. */
size_t hone__model_option_used(const struct hone_iree_tuned *tuned);
/* Tunes the spec, whose parameter is "o": `tuned` gets the figures. The winner is 0 if none is
 * proved to be faster. */
hone_status hone__model_compete(struct hone__model_tuning *tuning, const char *name,
                                const struct hone__text *yaml, bool is_options, size_t *out_winner);
/* Goes from the plain model to the base, and back. */
void hone__model_change_places(struct hone__model_tuning *tuning);

#endif
