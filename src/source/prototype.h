/* prototype.h - the parameters of a function, as declared in its C, CUDA or OpenCL source.
 *
 * This is not a compiler: comments and preprocessor lines are skipped, nothing is reported if
 * macros may be involved, and a type that is not a number of C, or a name that the source gives to
 * one (`typedef float real;`), is unknown. What a compiler knows: debug_info.h.
 */
#ifndef HONE_SOURCE_PROTOTYPE_H
#define HONE_SOURCE_PROTOTYPE_H

#include "base/element.h"
#include "base/memory.h"

struct hone__parameter {
  const char *text;           /* "const float *x" */
  const char *name;           /* "x"; "" without one */
  int line;                   /* of the source, from 1 */
  bool is_pointer;            /* also an array, and a reference of C++ */
  bool has_element;           /* the type, or its pointed-to type, is known: */
  enum hone__element element; /* this one */
  bool is_named;              /* `text` has another name for it: `real` */
  bool is_enum;
  size_t struct_bytes;                   /* of a struct by value, if known; else 0 */
  size_t target_bytes;                   /* of one that a pointer leads to; else 0 */
  const struct hone__parameter *members; /* of one that holds numbers alone; NULL: not known */
  size_t member_count;
};

struct hone__prototype {
  struct hone__parameter *parameters; /* in the arena */
  size_t count;
  int line;
  const char *file;                      /* that declares it; NULL: the source */
  const struct hone__parameter *returns; /* its type; NULL: not known */
};

/* A pointer to constants: "const float *x", "float const *x". */
bool hone__parameter_is_constant(const struct hone__parameter *parameter);

/* Whether their calls are the same. */
bool hone__prototype_is_same(const struct hone__prototype *a, const struct hone__prototype *b);

/* False if the function is not found, or its parameters are not certain. */
bool hone__prototype_find(const char *source, const char *function, struct hone__arena *arena,
                          struct hone__prototype *out_prototype);

#endif
