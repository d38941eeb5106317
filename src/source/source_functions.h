/* source_functions.h - the functions of a source that can be a kernel's entry.
 *
 * This is not a compiler (prototype.h): comments and preprocessor lines are skipped. Nothing is
 * reported if a macro may stand for a function or its name.
 */
#ifndef HONE_SOURCE_SOURCE_FUNCTIONS_H
#define HONE_SOURCE_SOURCE_FUNCTIONS_H

#include "base/memory.h"

#include <stdbool.h>

enum hone__code_language {
  HONE__FUNCTIONS_C,         /* all except static ones and main */
  HONE__FUNCTIONS_C_LOCAL,   /* those that are static or inline */
  HONE__FUNCTIONS_CPLUSPLUS, /* those of extern "C" */
  HONE__FUNCTIONS_CUDA,      /* __global__ */
  HONE__FUNCTIONS_OPENCL     /* __kernel */
};

struct hone__code_function {
  const char *name; /* in the arena */
  int line;         /* of the source, from 1 */
  bool is_template; /* its name alone is not an entry, nor is that of one in a namespace */
  bool is_scoped;   /* it is in a namespace */
};

struct hone__code_functions { /* in the order of the source; each name once */
  struct hone__code_function *list;
  size_t count;
  bool is_sure; /* false: there may be others */
};

void hone__code_functions_find(const char *source, enum hone__code_language language,
                               struct hone__arena *arena,
                               struct hone__code_functions *out_functions);
/* Whether the source has a `main`, and nothing else of that name. */
bool hone__code_functions_has_main(const char *source);
bool hone__code_functions_has(const struct hone__code_functions *functions, const char *name);

#endif
