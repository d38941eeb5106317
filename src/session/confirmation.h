/* confirmation.h - what the standings prove of a finalist, as the store keeps it. */
#ifndef HONE_SESSION_CONFIRMATION_H
#define HONE_SESSION_CONFIRMATION_H

#include "stats/standings.h"
#include "store/store.h"

/* Without times and metrics. */
struct hone__confirmation hone__session_confirmation(const struct hone__standings *standings,
                                                     size_t finalist);

#endif
