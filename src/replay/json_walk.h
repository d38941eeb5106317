/* json_walk.h - a large file of JSON, one element at a time.
 *
 * Of an object or a list of many thousand elements only one is held as a tree. A file that ends too
 * early is not an error here: what is whole is given, and then the walk says that the rest is cut
 * off.
 */
#ifndef HONE_REPLAY_JSON_WALK_H
#define HONE_REPLAY_JSON_WALK_H

#include "base/status.h"

#include <jansson.h>

struct hone__replay_json_text { /* lent */
  const char *path;             /* for messages */
  char *text;                   /* numbers that JSON does not have are overwritten in it */
  size_t size;
};

struct hone__replay_json_span { /* of an element */
  const char *key;              /* as it is written between its quotes; NULL in a list */
  size_t key_size;
  size_t begin, end; /* of its value */
};

enum hone__replay_json_step {
  HONE__JSON_ELEMENT,
  HONE__JSON_END, /* the object or list is closed, `at` is after it */
  HONE__JSON_CUT, /* the text ends: in the element of *out_span, if its `end` is not 0 */
  HONE__JSON_BAD  /* what stands at `at` does not belong there */
};

struct hone__replay_json_walk {
  const struct hone__replay_json_text *text;
  size_t at;
  bool in_object;
  bool after_element; /* a comma is due */
};

/* False: no `bracket` ('{' or '[') stands at `at`, but for spaces. */
bool hone__replay_json_enter(const struct hone__replay_json_text *text, size_t at, char bracket,
                             struct hone__replay_json_walk *out_walk);
enum hone__replay_json_step hone__replay_json_next(struct hone__replay_json_walk *walk,
                                                   struct hone__replay_json_span *out_span);

bool hone__replay_json_key_is(const struct hone__replay_json_span *span, const char *key);

/* The tree of an element, json_decref; INVALID_SPEC says where it is wrong, EXHAUSTED that
 * it is too large. NaN and Infinity, which Python writes, are read as texts. */
hone_status hone__replay_json_read(const struct hone__replay_json_text *text,
                                   const struct hone__replay_json_span *span, json_t **out_json);
/* Whether an element that the text's end cuts off was well written up to there; else an error. */
hone_status hone__replay_json_check_cut(const struct hone__replay_json_text *text,
                                        const struct hone__replay_json_span *span);

/* "path:line:column: ...", INVALID_SPEC */
hone_status hone__replay_json_error(const struct hone__replay_json_text *text, size_t at,
                                    const char *format, ...) HONE__PRINTF(3, 4);

#endif
