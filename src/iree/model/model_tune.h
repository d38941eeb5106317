/* model_tune.h - shared by the files of tuning a model.
 *
 * The folder of a model holds, besides the files of model_dump.h:
 *   hone.json             the list of dispatches with times, how the function is called
 *   trial.txt             which entries have no effect in the model
 *   tuned-EXECUTABLE.json the result of tuning one dispatch
 *   options.yaml          the spec of the contest of the compiler's options
 *   base-KEY/             the same files again, for the options that won
 *   model.yaml            the spec of the contest in the model
 *   together.yaml         options and tuning spec against neither
 *   tuning-spec.mlir      the final result
 * Names of files in the folder are written {work}/..., so that it can be copied.
 */
#ifndef HONE_IREE_MODEL_MODEL_TUNE_H
#define HONE_IREE_MODEL_MODEL_TUNE_H

#include "base/clock.h"
#include "base/digest.h"
#include "hone.h"
#include "iree/model/dispatch_space.h"
#include "iree/model/dispatches.h"
#include "iree/model/model_state.h"
#include "iree/model/tuned.h"
#include "iree/toolset/toolset.h"
#include "spec/spec.h"

struct hone__model_tuning {
  const char *path; /* of the model */
  const struct hone_iree_tune_options *options;
  struct hone__iree_toolset tools;
  char key[HONE__DIGEST_SIZE]; /* of model, target, flags and inputs */
  char *folder;
  char *devices;                         /* of every run; NULL: as in the options */
  const struct hone__model_state *state; /* NULL: not known yet */
  struct hone__model_base *base;         /* the options of model_options.c; NULL: none */
  struct hone__model_found **found;      /* by dispatch; NULL: not tuned */
  struct hone__arena arena;              /* of state and found ... */
  struct hone__packed **messages;        /* ... which lend their texts of these */
  size_t message_count, message_capacity;
  struct hone_iree_tuned *tuned;             /* by the same numbers */
  struct hone__model_dispatch_spaces spaces; /* of dispatches that were listed in this process */
  double began, compile_s;         /* of the model, where this process compiled it; 0: not known */
  const char *const *option_words; /* of options that are the result, but not the base; NULL */
  size_t unproved; /* 1 + the option that meets the result at the end: it looked faster, but was not
                      proved to be, or it is aside; 0: none */
  struct hone__model_figures *aside; /* of options that gain too little for a base; NULL */
};

/* ---- model_work.c: the folder ---- */

hone_status hone__model_work_open(struct hone__model_tuning *tuning);
/* The folder for what commands dump. */
hone_status hone__model_commands_open(struct hone__model_tuning *tuning);
char *hone__model_work_path(const struct hone__model_tuning *tuning, const char *format, ...)
    HONE__PRINTF(2, 3);
/* The record of a file, which lives as long as the tuning; NULL: it is missing or unreadable. */
void *hone__model_work_read(struct hone__model_tuning *tuning, const char *name,
                            const struct hone__record_type *type);
/* Keeps a record, and writes it into a file of this name; NULL: into none. The result is a copy
 * that lives as long as the tuning. */
hone_status hone__model_work_keep(struct hone__model_tuning *tuning, const char *name,
                                  const struct hone__record_type *type, const void *record,
                                  void **out_copy);
void hone__model_work_forget(struct hone__model_tuning *tuning); /* all records */
hone_status hone__model_work_write_text(const struct hone__model_tuning *tuning, const char *name,
                                        const char *text);

/* ---- model_threads.c ---- */

/* As given, else the number of CPUs; 0: on a GPU it does not matter. */
unsigned hone__model_threads(const struct hone_iree_model_options *options);
void hone__model_warn_if_busy(const struct hone__model_tuning *tuning);

/* ---- model_state.c: the list of dispatches ---- */

/* From hone.json if it was made by this compiler, else anew. */
hone_status hone__model_state_open(struct hone__model_tuning *tuning);
/* The file to compile: the model, or its modified copy; free(). */
char *hone__model_source(const struct hone__model_tuning *tuning);

/* ---- model_trial.c: all later steps once, before the searches ---- */

/* Dispatches whose entries have no effect in the model are not tuned. INVALID_SPEC: the model does
 * not run. */
hone_status hone__model_trial(struct hone__model_tuning *tuning);

/* ---- model_searches.c: all dispatches that matter ---- */

hone_status hone__model_search_all(struct hone__model_tuning *tuning);

/* ---- model_search.c: one dispatch ---- */

/* Tunes dispatch `number`, unless that was done: `found` then has the result. NULL after a stage
 * before the last. `budget_s` is what the run is known by; it gets a share of the time left. */
hone_status hone__model_search(struct hone__model_tuning *tuning, size_t number, double budget_s,
                               double share, const char *title);
/* The spec of a dispatch's dump, for tuning; its space is solved if it was listed here. */
hone_status hone__model_search_space(struct hone__model_tuning *tuning, size_t number,
                                     struct hone__model_dispatch_space *out_space);
struct hone_tune_options hone__model_search_options(const struct hone__model_tuning *tuning,
                                                    double budget_s);

/* ---- model_similar.c: what others of its kind have found ---- */

/* Configurations of a dispatch's solved space that are nearest to the best of dispatches that were
 * searched before; none, where hosts share the work. */
void hone__model_similar_seeds(struct hone__model_tuning *tuning, size_t number,
                               const struct hone_space *space, struct hone__words *seeds);
/* Whether one of its kind got faster. */
bool hone__model_is_similar(struct hone__model_tuning *tuning, size_t number);

/* ---- model_profile.c: dispatches within the model ---- */

/* Puts the candidates of each dispatch in the order of their times within the model, and gives them
 * the speedups that they have there. Does nothing where dispatches cannot be timed in the model, or
 * the time is short. */
hone_status hone__model_profile(struct hone__model_tuning *tuning);
/* Whether it will be made, so that dispatches need no proofs of their own. */
bool hone__model_has_profile(const struct hone__model_tuning *tuning);

/* ---- model_contest.c: the model ---- */

/* Builds and measures combinations; `tuned` gets times, verdict and which dispatches are used. */
hone_status hone__model_contest(struct hone__model_tuning *tuning);

/* The beginning of a spec of the model, as far as it depends on the state. */
void hone__model_print_head(const struct hone__model_tuning *tuning, struct hone__text *yaml);
/* The rest of an entry after its parameter and value. */
void hone__model_print_entry(const struct hone__model_found *found,
                             const struct hone__model_candidate *candidate,
                             struct hone__text *yaml);
/* Writes the text into a file of the folder, and loads it. */
hone_status hone__model_load_spec(struct hone__model_tuning *tuning, const char *name,
                                  const struct hone__text *yaml, struct hone_spec **out_spec);

/* ---- model_options.c: the compiler's own options ---- */

/* Lets the options of iree-compile compete. The winner's words are in `tuned->options`; what comes
 * later is compiled with them. */
hone_status hone__model_options(struct hone__model_tuning *tuning);
void hone__model_base_free(struct hone__model_base *base); /* or NULL */
void hone__model_figures_free(struct hone__model_figures *figures);

/* ---- model_together.c: options and spec ---- */

/* Both against the plain compile, if both are used; else those options that were not proved. */
hone_status hone__model_together(struct hone__model_tuning *tuning);

/* ---- model_groups.c: equal operations ---- */

/* Sums the shares of equal operations; only the first of them can be tuned then. */
void hone__model_group(struct hone__model_tuning *tuning);
/* What became of it is the result of the others. */
void hone__model_share_entries(struct hone__model_tuning *tuning);

/* ---- model_budget.c: the time of all ---- */

enum hone__model_part {
  HONE__MODEL_OPTIONS,
  HONE__MODEL_SEARCHES,
  HONE__MODEL_CONTEST,
  HONE__MODEL_TOGETHER
};
double hone__model_budget(const struct hone__model_tuning *tuning); /* seconds; 0: none */
double hone__model_time_left(const struct hone__model_tuning *tuning);
bool hone__model_has_time(const struct hone__model_tuning *tuning, enum hone__model_part part);
/* There is time for so many compiles and calls of the model, and for something to do with them. */
bool hone__model_has_compiles(const struct hone__model_tuning *tuning, double count, double calls);
/* What so many take of the time that is left. */
double hone__model_cost(const struct hone__model_tuning *tuning, double count, double calls);
/* There is time for all steps after the options. */
bool hone__model_has_rest(const struct hone__model_tuning *tuning);
/* Limits a run by its share of what is left for this part. */
void hone__model_limit(const struct hone__model_tuning *tuning, enum hone__model_part part,
                       double share, struct hone_tune_options *run);

/* ---- model_spec.c ---- */

/* The tuning spec of the used entries, with the starter, and the proof that it works. */
hone_status hone__model_spec(struct hone__model_tuning *tuning);
/* Its text alone, checked by iree-opt; empty if nothing is used. */
hone_status hone__model_spec_text(struct hone__model_tuning *tuning, struct hone__text *text);

/* ---- model_tune.c ---- */

/* The given options, or else the defaults, all of them by value. */
struct hone__iree_tune_given {
  struct hone_iree_tune_options options; /* its pointers are to those below */
  struct hone__iree_model_given model;
  struct hone_tune_options tune;
};
hone_status hone__iree_tune_take(struct hone__iree_tune_given *given,
                                 const struct hone_iree_tune_options *options);

void hone__model_note(struct hone__model_tuning *tuning, const char *format, ...)
    HONE__PRINTF(2, 3);
void hone__model_choose_device(struct hone__model_tuning *tuning);
void hone__model_result_open(struct hone_iree_tuned *tuned);
/* Everything except the tools. */
void hone__model_close(struct hone__model_tuning *tuning);
/* Takes the dispatches of the state, and chooses those that matter. */
void hone__model_take_list(struct hone__model_tuning *tuning);
/* A bold line of progress. */
void hone__model_title(const struct hone__model_tuning *tuning, const char *title);
/* A warning that is shown at once. */
void hone__model_warn(const struct hone__model_tuning *tuning, const char *text);
/* For every run: forwards events, except the run's own title. */
bool hone__model_event(void *tuning, const struct hone_event *event);
/* The flag of iree-compile for a spec on this backend. */
const char *hone__model_spec_flag(const char *backend);
void hone__model_set(char **text, const char *value);

#endif
