/* build_files.h - the files that builders on other hosts need, added to their jobs. They are read
 * once in a run, so that all candidates are built from the same texts.
 */
#ifndef HONE_SESSION_BUILD_FILES_H
#define HONE_SESSION_BUILD_FILES_H

#include "pool/pool.h"

struct hone__candidate;
struct hone__session;

/* Of the candidate that the job builds; a no-op where this host builds. */
void hone__session_add_files(const struct hone__candidate *candidate, struct hone__job *job);
void hone__session_drop_files(struct hone__session *session);

#endif
