/* objective_set.h - what a session optimises: those of the spec, or time alone. Objectives that
 * take joules are given up where no device measures them.
 */
#ifndef HONE_SESSION_OBJECTIVE_SET_H
#define HONE_SESSION_OBJECTIVE_SET_H

#include "spec/spec.h"

struct hone__objectives {
  struct hone__objective all[HONE__MOST_OBJECTIVES];
  size_t count;                       /* 1 at least */
  const struct hone__formula *proven; /* what the verdict is about: a metric; NULL: time */
  bool maximise;                      /* more of it is better */
};

/* Those of the spec; time if it names none. */
void hone__objectives_settle(struct hone__objectives *objectives, const struct hone_spec *spec);
/* One search an objective, and one for all together. */
size_t hone__objectives_search_count(const struct hone__objectives *objectives);

#endif
