/* builds.h - what a session remembers of its builds. */
#ifndef HONE_SESSION_BUILDS_H
#define HONE_SESSION_BUILDS_H

#include "base/digest.h"
#include "wire/record.h"

#include <stdbool.h>

struct hone__knobs;

struct hone__built { /* an object that was built lately */
  char key[HONE__DIGEST_SIZE];
  char object[HONE__DIGEST_SIZE];
  void *bytes;
  size_t size;
  char *deps;
  struct hone__named *costs; /* NULL: none are known */
  size_t cost_count;
  struct hone__arena arena; /* of the costs */
};

struct hone__failing { /* builds so far, as long as all of them fail alike (failing.h) */
  char *kind;          /* of their message; NULL: none yet */
  unsigned count;
  bool is_over;
};

enum { HONE__BUILDS_KEPT = 4 };

struct hone__builds {
  /* for candidates that differ only in what they are called with */
  struct hone__built kept[HONE__BUILDS_KEPT];
  size_t kept_next;          /* the one that is replaced next, modulo their number */
  bool *unknown;             /* by the spec's `built`: it was warned of; NULL: of none */
  struct hone__knobs *knobs; /* what builds were given and what came of it; NULL: nothing yet */
  struct hone__failing failing;
};

void hone__builds_release(struct hone__builds *builds);

#endif
