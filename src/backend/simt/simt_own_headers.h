/* simt_own_headers.h - headers of the project that a source includes, and that hold code of the
 * host: a run-time compiler gets them without it, by the names that they are included by.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_OWN_HEADERS_H
#define HONE_BACKEND_SIMT_SIMT_OWN_HEADERS_H

#include "base/words.h"

#include <stdbool.h>

enum { HONE__SIMT_MOST_OWN_HEADERS = 48 };

struct hone__simt_own_header {
  char *name; /* in the source's line */
  char *path;
  char *text; /* without what was dropped; NULL: nothing was */
};

struct hone__simt_own_headers { /* { 0 } is empty */
  struct hone__simt_own_header list[HONE__SIMT_MOST_OWN_HEADERS];
  size_t count;
  struct hone__words names; /* of all that the source and these headers include */
};

/* Those that the source and its headers include, from their folders and from -I of the options,
 * without those of a toolkit. */
void hone__simt_own_headers_find(struct hone__simt_own_headers *headers, const char *source,
                                 const struct hone__words *options);
/* Whether one of them includes a header of this name. */
bool hone__simt_own_headers_name(const struct hone__simt_own_headers *headers, const char *name);
/* As hone__simt_host_code_drop_at, for errors in them. `directory`: where the compiler runs. */
bool hone__simt_own_headers_drop_at(struct hone__simt_own_headers *headers, const char *log,
                                    const char *directory);
void hone__simt_own_headers_release(struct hone__simt_own_headers *headers);

#endif
