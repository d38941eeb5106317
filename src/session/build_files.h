/* build_files.h - the user's files that workers on other hosts need, added to their jobs. They are
 * read once in a run, so that all candidates are built from the same texts.
 */
#ifndef HONE_SESSION_BUILD_FILES_H
#define HONE_SESSION_BUILD_FILES_H

#include "pool/pool.h"

struct hone__candidate;
struct hone__session;

/* A build on another host; a no-op where this host builds. */
void hone__session_carry_build(const struct hone__candidate *candidate, struct hone__job *job);
/* A run on another host of a program that is not built, such as a script; else a no-op. */
void hone__session_carry_run(const struct hone__candidate *candidate, struct hone__job *job);
void hone__session_drop_files(struct hone__session *session);

#endif
