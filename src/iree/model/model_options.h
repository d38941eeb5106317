/* model_options.h - what the two stages of the compiler's options share: model_options.c, where
 * they compete first, and model_together.c, where they meet the tuning spec.
 */
#ifndef HONE_IREE_MODEL_MODEL_OPTIONS_H
#define HONE_IREE_MODEL_MODEL_OPTIONS_H

#include "iree/model/model_choice.h"
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
struct hone__model_gain hone__model_gain_of_figures(const struct hone__model_figures *figures);

/* The words of an option by its place in `tuned->options`; NULL ends them. */
const char *const *hone__model_option_words(size_t number);
void hone__model_option_flags(struct hone__text *yaml,
                              size_t number); /* as a member of a variant */
/* The place of the option that is used; the count: none is. */
size_t hone__model_option_used(const struct hone_iree_tuned *tuned);
enum { HONE__MODEL_BOUT_VALUES = 3 };
struct hone__model_bout {     /* a contest of the whole model; the parameter of its spec is "o" */
  const char *name;           /* of the file */
  enum hone__model_part part; /* of the options: `tuned` gets a row for each */
  double share;               /* of the time of this part; below 1, the run is another one */
  struct hone__text yaml;
  size_t winner; /* found: a value; 0: none is proved to be faster */
  struct hone__model_gain gains[HONE__MODEL_BOUT_VALUES]; /* by value */
  double times_ns[HONE__MODEL_BOUT_VALUES];
};
/* Tunes the spec: `tuned` gets the figures. */
hone_status hone__model_compete(struct hone__model_tuning *tuning, struct hone__model_bout *bout);
struct hone__model_bout hone__model_bout_open(double share); /* of options and spec */

/* ---- model_together.c ---- */

#define HONE__MODEL_NO_BASE SIZE_MAX
/* Value 1 has the options; the rest of the result belongs to it, or, against a rival, to value 2:
 * the entries, and the options of the base that they were found on, if there is one. The tuning is
 * at the plain model. Returns the number of entries. */
size_t hone__model_print_together(const struct hone__model_tuning *tuning, size_t option,
                                  size_t base, bool is_rival, struct hone__text *yaml);
void hone__model_restore(struct hone_iree_tuned *tuned, const struct hone__model_figures *kept);
void hone__model_drop_entries(struct hone__model_tuning *tuning, const char *why);
void hone__model_drop_option(struct hone_iree_tuned *tuned, size_t number, const char *why);
extern const char hone__model_tiled[], hone__model_spec_is_faster[]; /* reasons */

/* ---- model_rival.c ---- */

/* Options that looked faster, or that are aside, against the result, which may have a base. */
hone_status hone__model_meet_rival(struct hone__model_tuning *tuning,
                                   struct hone__model_bout *bout);
/* Options that look much faster, but are not proved to be: at once, with more pairs. It may leave
 * others, or none, for the end. */
hone_status hone__model_prove_options(struct hone__model_tuning *tuning);
/* Goes from the plain model to the base, and back. */
void hone__model_change_places(struct hone__model_tuning *tuning);

#endif
