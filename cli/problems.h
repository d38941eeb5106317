/* problems.h - the chosen problems of a spec. */
#ifndef CLI_PROBLEMS_H
#define CLI_PROBLEMS_H

#include "output.h"

struct problems {
  const struct hone_spec *spec;
  size_t *chosen; /* numbers of the spec's problems */
  size_t count;
  const char *sizes; /* to use instead of the only problem's; NULL: none */
  char *name;        /* of the problem with these sizes */
};

/* `wanted` is "M=256,N=64", or NULL for all. All problems with these sizes are chosen; if there is
 * none, the sizes are put into the first problem. False after a message. */
bool problems_choose(struct problems *problems, const struct hone_spec *spec, const char *wanted);
void problems_release(struct problems *problems);

/* "M=256 N=512" of the i-th chosen one, "" without sizes. */
const char *problems_name(const struct problems *problems, size_t i);
/* Reports that one must be chosen, and lists them. */
void problems_complain(const struct problems *problems);

/* {"M": 256, "N": 512} */
void problems_print_json(const struct problems *problems, size_t i, struct output *output);

/* Sets the problems of a run; lent. */
void problems_fill(const struct problems *problems, struct hone_tune_options *options);

#endif
