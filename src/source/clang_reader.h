/* clang_reader.h - what clang knows of a source in C, C++, CUDA or OpenCL, by libclang.
 *
 * libclang is looked up at run time: nothing of it is needed to build. It can crash on odd sources,
 * so it is called in a process of its own (build/clang_facts.h), with the facts in memory that both
 * processes have at the same address.
 */
#ifndef HONE_SOURCE_CLANG_READER_H
#define HONE_SOURCE_CLANG_READER_H

#include "source/prototype.h"

enum { HONE__CLANG_FUNCTIONS = 256, HONE__CLANG_CONSTANTS = 128, HONE__CLANG_TEXT_BYTES = 1 << 20 };

struct hone__clang_template_parameter {
  const char *name;  /* "" without one */
  const char *value; /* its default, a type or a whole number; NULL: none */
  bool is_type, is_flag;
};

struct hone__clang_function { /* one that the source defines itself */
  const char *name, *scope;   /* "vision::", or "" */
  int line;
  bool is_template;
  bool is_hidden;                  /* static, or in a namespace without a name */
  bool is_inline, is_c, is_global; /* is_c: extern "C"; is_global: __global__ */
  bool is_doubtful;                /* clang does not know a type of its parameters */
  struct hone__prototype prototype;
  struct hone__clang_template_parameter *parameters; /* of a template */
  size_t parameter_count;
};

struct hone__clang_constant {
  const char *name, *value;
  const char *file; /* a header of the project; NULL: the source */
  int line;
  bool is_macro; /* with a value that may be given from outside: behind #ifndef */
};

/* Everything it points to is in it. */
struct hone__clang_facts {
  bool is_complete;      /* the reader came to its end */
  bool is_available;     /* there is a libclang */
  bool is_flawless;      /* without errors outside the bodies of functions */
  const char *version;   /* of the library */
  const char *complaint; /* the first error; NULL: none */
  struct hone__clang_function functions[HONE__CLANG_FUNCTIONS];
  struct hone__clang_constant constants[HONE__CLANG_CONSTANTS];
  size_t function_count, constant_count;
  size_t used;
  _Alignas(16) char bytes[HONE__CLANG_TEXT_BYTES];
};

/* `arguments` are those of a compiler, with -x and the language. Allocates nothing that outlives
 * the process but in `facts`, which are zero before. */
void hone__clang_read(const char *path, const char *const *arguments, size_t count,
                      struct hone__clang_facts *facts);

#endif
