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

enum { HONE__BUILDS_KEPT = 4 };

struct hone__builds {
  /* for candidates that differ only in their call */
  struct hone__built kept[HONE__BUILDS_KEPT];
  size_t kept_next;          /* the next one to be replaced, modulo their number */
  bool *unknown;             /* for each of the spec's `built`: a warning was given; NULL: none */
  struct hone__knobs *knobs; /* inputs and results of builds; NULL: none yet */
  struct hone__failing failing;
};

void hone__builds_release(struct hone__builds *builds);

#endif
