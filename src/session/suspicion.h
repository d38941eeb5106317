/* suspicion.h - implausibly fast candidates (plausible.h): they are measured a second time with
 * every answer compared, and marked with the reason.
 */
#ifndef HONE_SESSION_SUSPICION_H
#define HONE_SESSION_SUSPICION_H

#include "session/session.h"

enum { HONE__ALL_SITES = -1 };

/* Why these times of a candidate are not plausible, on this device or on any of them; NULL: they
 * are. Lent until the candidate is freed. */
const char *hone__candidate_doubt(struct hone__candidate *candidate, int site, double time_ns,
                                  double baseline_ns);

/* True if a first measurement must be repeated: the candidate then has its `doubt`. */
bool hone__candidate_is_doubted(struct hone__candidate *candidate, size_t site,
                                const struct hone__reply *reply);

/* The mark of a working evaluation, after it has its times; NULL: none. */
const char *hone__candidate_suspicion(struct hone__candidate *candidate, size_t site);

/* Reports the first one; the others are only logged. */
void hone__candidate_report_suspicion(struct hone__candidate *candidate);

#endif
