/* toolset_kept.h - queries to IREE's executables and their answers, kept in the cache.
 *
 * A file is $HONE_CACHE/iree/KEY/NAME. An answer has the identity of its compiler: another compiler
 * is queried again, and a host without one uses the answer as it is.
 */
#ifndef HONE_IREE_TOOLSET_TOOLSET_KEPT_H
#define HONE_IREE_TOOLSET_TOOLSET_KEPT_H

#include "iree/toolset/toolset.h"

/* ---- Files ---- */

/* NULL: there is no place for a cache. free(). */
char *hone__iree_kept_path(const char *key, const char *name);
/* False: it does not exist. */
bool hone__iree_kept_get(const char *key, const char *name, struct hone__text *out_text);
/* Written completely or not at all. A failure to keep something is not a failure of the work:
 * callers may free the status. */
hone_status hone__iree_kept_put(const char *key, const char *name, const char *bytes, size_t size);

/* ---- Questions to iree-compile ---- */

struct hone__iree_question {
  const char *what;         /* a word that identifies the query */
  const char *const *words; /* of the command, besides input and output; ended by NULL */
  const char *text;         /* the input; ended by NUL */
  bool depends_on_host;     /* the answer depends on this machine's processor */
  /* The answer from the folder in which the compiler ran; NULL: its output file. */
  hone_status (*collect)(const char *folder, struct hone__text *out_answer);
};
/* UNAVAILABLE: there is no compiler, and no answer is kept. INVALID_SPEC: it failed. */
hone_status hone__iree_query(const struct hone__iree_toolset *toolset,
                             const struct hone__iree_question *question,
                             struct hone__text *out_answer);

/* toolset_probe.c: version, identity and features of what was found. */
void hone__iree_probe(struct hone__iree_toolset *toolset);

#endif
