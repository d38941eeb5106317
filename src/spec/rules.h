/* rules.h - shorthand for tables of rules: between settings.c, argument.c and objective.c. */
#ifndef HONE_SPEC_RULES_H
#define HONE_SPEC_RULES_H

#include "spec/schema.h"

#define AT_LEAST(number)     .low = (number), .high = INFINITY
#define FROM_TO(first, last) .low = (first), .high = (last)
#define NAMED_BY(word_list)  .takes = HONE__TAKES_WORD, .words = (word_list)
#define WHOLE(least_number)                                                                        \
  .takes = HONE__TAKES_INTEGER | HONE__TAKES_FORMULA, AT_LEAST(least_number),                      \
  .names = NAMES_OF_CANDIDATE
#define SIZES(longest) WHOLE(1), .list = HONE__ONE_OR_LIST, .least = 1, .most = (longest)

enum {
  /* Inputs are made once for a problem and shared by all its candidates. */
  NAMES_OF_INPUTS = HONE__NAMES_PROBLEM | HONE__NAMES_DEVICE,
  NAMES_OF_CANDIDATE = NAMES_OF_INPUTS | HONE__NAMES_PARAMS | HONE__NAMES_DERIVED,
  NAMES_OF_RESULT = NAMES_OF_CANDIDATE | HONE__NAMES_RESULTS
};

/* argument.c: one of `args`, more checks of it, and of all of them together. */
enum { MOST_ARGS = 1000 };
extern const struct hone__rule hone__arg_rules[];
void hone__arg_check(struct hone__loader *loader, const struct hone__node *arg);
void hone__args_check(struct hone__loader *loader, const struct hone__node *args);

/* objective.c: METRIC or {maximise: METRIC}, which becomes one of the spec's objectives; a list of
 * them; and whether one of all can be proven. */
extern const struct hone__rule hone__objective_rules[];
void hone__objective_load(struct hone__loader *loader, const struct hone__node *node);
void hone__objective_load_maximise(struct hone__loader *loader, const struct hone__node *node);
void hone__objectives_check(struct hone__loader *loader, const struct hone__node *list);
void hone__objectives_check_proof(struct hone__loader *loader);

#endif
