/* model_tune.h - what the files of tuning a model share.
 *
 * The folder of a model holds, besides what model_dump.h says:
 *   hone.json             the list of dispatches with times, how the function is called
 *   tuned-EXECUTABLE.json what tuning one dispatch has found
 *   model.yaml            the spec of the contest in the model
 *   tuning-spec.mlir      what came of it
 * Names of files in the folder are written {work}/..., so that it can be copied.
 */
#ifndef HONE_IREE_MODEL_MODEL_TUNE_H
#define HONE_IREE_MODEL_MODEL_TUNE_H

#include "base/clock.h"
#include "base/digest.h"
#include "hone.h"
#include "iree/toolset/toolset.h"
#include "spec/spec.h"

struct hone__model_tuning {
  const char *path; /* of the model */
  const struct hone_iree_tune_options *options;
  struct hone__iree_toolset tools;
  char key[HONE__DIGEST_SIZE]; /* of model, target, flags and inputs */
  char *folder;
  char *devices;                 /* of every run; NULL: as the options say */
  json_t *state;                 /* hone.json */
  json_t **found;                /* by dispatch: what is in its file; NULL: not tuned */
  struct hone_iree_tuned *tuned; /* by the same numbers */
  double began;
};

/* ---- model_work.c: the folder ---- */

hone_status hone__model_work_open(struct hone__model_tuning *tuning);
/* The folder for what commands dump. */
hone_status hone__model_commands_open(struct hone__model_tuning *tuning);
char *hone__model_work_path(const struct hone__model_tuning *tuning, const char *format, ...)
    HONE__PRINTF(2, 3);
/* NULL: it does not exist, or not readable. */
json_t *hone__model_work_read(const struct hone__model_tuning *tuning, const char *name);
hone_status hone__model_work_write(const struct hone__model_tuning *tuning, const char *name,
                                   const json_t *json);
hone_status hone__model_work_write_text(const struct hone__model_tuning *tuning, const char *name,
                                        const char *text);

/* ---- model_state.c: the list of dispatches ---- */

/* From hone.json if it was made by this compiler, else anew. */
hone_status hone__model_state_open(struct hone__model_tuning *tuning);
/* What is compiled: the model, or what was made of it; free(). */
char *hone__model_source(const struct hone__model_tuning *tuning);

/* ---- model_search.c: one dispatch ---- */

/* Tunes dispatch `number`, unless it was: `found` then has
 *   {"key", "run", "verdict", "before_ns", "after_ns", "speedup", "low", "high", "matcher",
 *    "matcher_name", "candidates": [{"config", "compilation_info", "decomposition_config",
 *    "speedup"}]}, the best first. NULL after a stage before the last. */
hone_status hone__model_search(struct hone__model_tuning *tuning, size_t number, double budget_s,
                               const char *title);
/* The spec of a dispatch's dump, for tuning. */
hone_status hone__model_search_spec(const struct hone__model_tuning *tuning, size_t number,
                                    struct hone_spec **out_spec);
struct hone_tune_options hone__model_search_options(const struct hone__model_tuning *tuning,
                                                    double budget_s);

/* ---- model_contest.c: the model ---- */

/* Builds and measures combinations; `tuned` gets times, verdict and which dispatches are used. */
hone_status hone__model_contest(struct hone__model_tuning *tuning);

/* ---- model_spec.c ---- */

/* The tuning spec of what is used, with the starter, and the proof that it works. */
hone_status hone__model_spec(struct hone__model_tuning *tuning);
/* Its text alone, checked by iree-opt; empty if nothing is used. */
hone_status hone__model_spec_text(struct hone__model_tuning *tuning, struct hone__text *text);

/* ---- model_tune.c ---- */

void hone__model_note(struct hone__model_tuning *tuning, const char *format, ...)
    HONE__PRINTF(2, 3);
void hone__model_choose_device(struct hone__model_tuning *tuning);
void hone__model_result_open(struct hone_iree_tuned *tuned);
/* All but the tools. */
void hone__model_close(struct hone__model_tuning *tuning);
/* Takes the dispatches of the state, and chooses those that matter. */
void hone__model_take_list(struct hone__model_tuning *tuning);
hone_status hone__model_search_all(struct hone__model_tuning *tuning);
/* A bold line of progress. */
void hone__model_title(const struct hone__model_tuning *tuning, const char *title);
/* For every run: passes events on, but for the title that the run has by itself. */
void hone__model_event(void *tuning, const struct hone_event *event);
/* Which flag of iree-compile takes a spec on this backend. */
const char *hone__model_spec_flag(const char *backend);
/* JSON's text, number (NaN) or "". */
const char *hone__model_text(const json_t *object, const char *key);
double hone__model_number(const json_t *object, const char *key);
/* A number, or null. */
json_t *hone__model_real(double number);
void hone__model_set(char **text, const char *value);

#endif
