/* prototype.h - the parameters of a function, as declared in its C, CUDA or OpenCL source.
 *
 * This is not a compiler: comments and preprocessor lines are skipped, nothing is reported if
 * macros may be involved, and a type that is not a number of C, or a name that the source gives to
 * one
 * (`typedef float real;`), is unknown.
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
  bool has_element;           /* the type, or its pointed-to type, is known: */
  enum hone__element element; /* this one */
};

struct hone__prototype {
  struct hone__parameter *parameters; /* in the arena */
  size_t count;
  int line;
};

/* False if the function is not found, or its parameters are not certain. */
bool hone__prototype_find(const char *source, const char *function, struct hone__arena *arena,
                          struct hone__prototype *out_prototype);

#endif
