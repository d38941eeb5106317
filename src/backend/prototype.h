/* prototype.h - the parameters of a function, as its source in C, CUDA or OpenCL declares them.
 *
 * This is no compiler: comments and preprocessor lines are skipped, and where macros, templates or
 * typedefs may stand behind the words, nothing is claimed. What it says is for advice only.
 */
#ifndef HONE_BACKEND_PROTOTYPE_H
#define HONE_BACKEND_PROTOTYPE_H

#include "base/element.h"
#include "base/memory.h"

struct hone__parameter {
  const char *text;           /* "const float *x" */
  const char *name;           /* "x"; "" without one */
  int line;                   /* of the source, from 1 */
  bool is_pointer;            /* also an array */
  bool has_element;           /* the type, or what it points to, is known */
  enum hone__element element; /* then this */
};

struct hone__prototype {
  struct hone__parameter *parameters; /* in the arena */
  size_t count;
  int line;
};

/* False where the function is not found, or what it takes is not certain. */
bool hone__prototype_find(const char *source, const char *function, struct hone__arena *arena,
                          struct hone__prototype *out_prototype);

#endif
