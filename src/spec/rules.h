/* rules.h - shorthand for tables of rules: between settings.c, backend_settings.c, argument.c,
 * stage.c, objective.c and alternatives.c. */
#ifndef HONE_SPEC_RULES_H
#define HONE_SPEC_RULES_H

#include "spec/schema.h"

#define HONE__RULE_AT_LEAST(number)     .low = (number), .high = INFINITY
#define HONE__RULE_FROM_TO(first, last) .low = (first), .high = (last)
#define HONE__RULE_NAMED_BY(word_list)  .takes = HONE__TAKES_WORD, .words = (word_list)
#define HONE__RULE_WHOLE(least_number)                                                             \
  .takes = HONE__TAKES_INTEGER | HONE__TAKES_FORMULA, HONE__RULE_AT_LEAST(least_number),           \
  .names = HONE__NAMES_OF_CANDIDATE
#define HONE__RULE_SIZES(longest)                                                                  \
  HONE__RULE_WHOLE(1), .list = HONE__ONE_OR_LIST, .least = 1, .most = (longest)

/* The default (NULL: none), an example and a sentence, for readers. */
#define HONE__RULE_DOC(default_text, example_text, sentence)                                       \
  .fallback = (default_text), .example = (example_text), .about = (sentence)

/* What `check` has for all outputs, and for one of them. */
extern const char *const hone__spec_reductions[];
#define HONE__TOLERANCE_RULES(rtol, atol, ratio, reduction)                                        \
  {"rtol", .takes = HONE__TAKES_NUMBER, HONE__RULE_AT_LEAST(0),                                    \
   HONE__RULE_DOC(rtol, "rtol: 1e-2", "The largest relative error of an element.")},               \
      {"atol", .takes = HONE__TAKES_NUMBER, HONE__RULE_AT_LEAST(0),                                \
       HONE__RULE_DOC(atol, "atol: 1e-3", "The absolute error that is allowed in addition.")},     \
      {"max_mismatched_ratio", .takes = HONE__TAKES_NUMBER, HONE__RULE_FROM_TO(0, 1),              \
       HONE__RULE_DOC(ratio, "max_mismatched_ratio: 0.001",                                        \
                      "The share of elements that may be wrong.")},                                \
  {                                                                                                \
    "reduce", HONE__RULE_NAMED_BY(hone__spec_reductions),                                          \
        HONE__RULE_DOC(reduction, "reduce: sum",                                                   \
                       "The reduction that is compared instead of each element.")                  \
  }

enum {
  /* Inputs are made once for a problem and shared by all its candidates. */
  HONE__NAMES_OF_INPUTS = HONE__NAMES_PROBLEM | HONE__NAMES_DEVICE,
  HONE__NAMES_OF_CANDIDATE = HONE__NAMES_OF_INPUTS | HONE__NAMES_PARAMS | HONE__NAMES_DERIVED,
  HONE__NAMES_OF_RESULT = HONE__NAMES_OF_CANDIDATE | HONE__NAMES_RESULTS
};

/* settings.c: all keys of a spec. */
extern const struct hone__rule hone__spec_rules[];

/* backend_settings.c: the keys of `sim` and of `iree`. */
extern const struct hone__rule hone__spec_sim_rules[], hone__spec_iree_rules[];

/* alternatives.c: the keys of one of `alternatives`. */
extern const struct hone__rule hone__alternative_rules[];

/* argument.c: one of `args`, more checks of it, and of all of them together. */
enum { HONE__MOST_ARGS = 1000 };
extern const struct hone__rule hone__arg_rules[];
void hone__spec_arg_check(struct hone__loader *loader, const struct hone__node *arg);
void hone__args_check(struct hone__loader *loader, const struct hone__node *args);

/* stage.c: one of `stages`, more checks of it, and of all of them together. */
enum { HONE__MOST_STAGES = 64 };
extern const struct hone__rule hone__spec_stage_rules[];
void hone__spec_stage_check(struct hone__loader *loader, const struct hone__node *stage);
void hone__spec_stages_check(struct hone__loader *loader, const struct hone__node *stages);
/* settings.c: the keys of a launch. */
extern const struct hone__rule hone__spec_launch_rules[];

/* objective.c: METRIC or {maximise: METRIC}, which becomes one of the spec's objectives; a list of
 * them; and whether one of all can be proven. */
extern const struct hone__rule hone__objective_rules[];
void hone__objective_load(struct hone__loader *loader, const struct hone__node *node);
void hone__objective_load_maximise(struct hone__loader *loader, const struct hone__node *node);
void hone__spec_objectives_check(struct hone__loader *loader, const struct hone__node *list);
void hone__spec_objectives_add_proof(struct hone__loader *loader);

#endif
