/* device_kinds.h - devices of different kinds in one command.
 *
 * Times of different kinds are not comparable, and neither are speedups: what is best for one kind
 * may be slow on another. A run is therefore of one kind. A session that finds several keeps the
 * kind of its first device that works, and sets the others apart: the caller makes a run for each
 * of them.
 *
 * Devices are of one kind if their fingerprints are equal: model, driver, clocks, memory.
 */
#ifndef HONE_SESSION_DEVICE_KINDS_H
#define HONE_SESSION_DEVICE_KINDS_H

#include "session/session.h"

/* When the baseline was timed on all devices: keeps one kind. `at_once`: the others do not have to
 * wait for this run. */
void hone__session_keep_one_kind(struct hone__session *session, bool at_once);
/* When a device is ready later than that: sets it apart if it is of another kind. */
void hone__session_check_kind(struct hone__session *session, size_t site);

/* Of a run that is absent (workers.h): whether a device of its kind has come since. Then the run is
 * no longer absent, and the device is its leader. Others that have come are set apart. */
bool hone__session_find_own_kind(struct hone__session *session);

struct hone__kind_list {
  struct hone__kind *all; /* in the arena */
  size_t count;
};
/* The kinds of this session's devices, its own first; while the workers are there. */
void hone__session_kinds(const struct hone__session *session, struct hone__arena *arena,
                         struct hone__kind_list *out_kinds);
/* The same of a finished run; those set apart have no facts, and the first no devices. */
hone_status hone__session_stored_kinds(struct hone_store *store, int64_t run,
                                       struct hone__arena *arena,
                                       struct hone__kind_list *out_kinds);
/* Adds them to the `devices` of a run in JSON; returns that, or a text in the arena. */
const char *hone__session_describe_kinds(struct hone__session *session, const char *devices);

/* Whether a device with this number takes part; NULL: all do. */
bool hone__kind_has(const struct hone__kind *kind, size_t number);

#endif
