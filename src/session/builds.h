/* builds.h - the builds that a session keeps. */
#ifndef HONE_SESSION_BUILDS_H
#define HONE_SESSION_BUILDS_H

#include "base/digest.h"
#include "wire/record.h"

#include <stdbool.h>

struct hone__knobs;

struct hone__built { /* a recently built object */
  char key[HONE__DIGEST_SIZE];
  char object[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
  char *deps;
  struct hone__named *costs; /* NULL: none are known */
  size_t cost_count;
  struct hone__arena arena; /* owns the costs */
};

struct hone__failing { /* builds so far, as long as all of them fail alike (failing.h) */
  char *kind;          /* kind of their message; NULL: none yet */
  unsigned count;
  bool is_over;
};

struct hone__builds {
  struct hone__built *kept; /* the oldest is replaced if there are too many, or too large ones */
  size_t kept_count, kept_capacity, kept_oldest, kept_bytes;
  bool *unknown;             /* for each of the spec's `built`: a warning was given; NULL: none */
  struct hone__knobs *knobs; /* inputs and results of builds; NULL: none yet */
  struct hone__failing failing;
};

void hone__builds_release(struct hone__builds *builds);

/* A place for one of `size` bytes: new, or that of an older one. */
struct hone__built *hone__builds_place(struct hone__builds *builds, size_t most, size_t size);
/* NULL: it is not kept. */
const struct hone__built *hone__builds_find(const struct hone__builds *builds, const char *key);

#endif
