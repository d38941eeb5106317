/* objective_set.h - the objectives of a session: those of the spec, or time alone. Objectives that
 * need energy are dropped if no device measures it.
 */
#ifndef HONE_SESSION_OBJECTIVE_SET_H
#define HONE_SESSION_OBJECTIVE_SET_H

#include "spec/spec.h"

struct hone__objectives {
  struct hone__objective all[HONE__MOST_OBJECTIVES];
  size_t count;                       /* at least 1 */
  const struct hone__formula *proven; /* the metric of the verdict; NULL: time */
  bool maximise;                      /* higher is better */
};

/* Those of the spec; time if it names none. */
void hone__objectives_settle(struct hone__objectives *objectives, const struct hone_spec *spec);
/* One search per objective, and one for all together. */
size_t hone__objectives_search_count(const struct hone__objectives *objectives);

#endif
