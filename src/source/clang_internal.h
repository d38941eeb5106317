/* clang_internal.h - the part of libclang's C interface that is used, looked up at run time; only
 * for clang_reader.c and clang_types.c.
 */
#ifndef HONE_SOURCE_CLANG_INTERNAL_H
#define HONE_SOURCE_CLANG_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* As clang-c/Index.h has them; they are passed by value, and have not changed since LLVM 3.5. */
typedef struct {
  const void *data;
  unsigned flags;
} clang_string;
typedef struct {
  int kind, xdata;
  const void *data[3];
} clang_cursor;
typedef struct {
  int kind;
  void *data[2];
} clang_type;
typedef struct {
  const void *pointers[2];
  unsigned number;
} clang_location;
typedef struct {
  const void *pointers[2];
  unsigned begin, end;
} clang_range;
typedef struct {
  unsigned numbers[4];
  void *pointer;
} clang_token;
typedef int clang_visitor(clang_cursor, clang_cursor parent, void *data);
typedef int clang_field_visitor(clang_cursor, void *data);

/* Kinds of cursors, types and answers. */
enum {
  UNEXPOSED_DECL = 1,
  STRUCT = 2,
  CLASS = 4,
  FUNCTION_DECL = 8,
  VAR_DECL = 9,
  PARM_DECL = 10,
  NAMESPACE = 22,
  LINKAGE_SPEC = 23,
  TEMPLATE_TYPE = 27,
  TEMPLATE_VALUE = 28,
  TEMPLATE_TEMPLATE = 29,
  FUNCTION_TEMPLATE = 30,
  CLASS_TEMPLATE = 31,
  PARTIAL_SPECIALIZATION = 32,
  BODY = 202,
  CUDA_GLOBAL = 414,
  MACRO_DEFINITION = 501,
  TYPE_BOOL = 3,
  TYPE_FLOAT = 21,
  TYPE_DOUBLE = 22,
  TYPE_HALF = 31,
  TYPE_FLOAT16 = 32,
  TYPE_BFLOAT16 = 39,
  TYPE_POINTER = 101,
  TYPE_REFERENCE = 103,
  TYPE_RIGHT_REFERENCE = 104,
  TYPE_RECORD = 105,
  TYPE_ENUM = 106,
  TYPE_OLD_FUNCTION = 110,
  TYPE_FUNCTION = 111,
  TYPE_CONSTANT_ARRAY = 112,
  TYPE_INCOMPLETE_ARRAY = 114,
  TYPE_VARIABLE_ARRAY = 115,
  TYPE_DEPENDENT_ARRAY = 116,
  EVALUATED_INTEGER = 1,
  LINKAGE_EXTERNAL = 4,
  SEVERITY_ERROR = 3,
  VISIT_ON = 1,
  VISIT_INTO = 2,
  WITH_MACROS = 1,
  KEEP_GOING = 0x200 /* after a missing header */
};

/* result, name without "clang_", arguments */
#define HONE__CODE_CLANG_SYMBOLS(X)                                                                \
  X(clang_location, getDiagnosticLocation, (void *))                                               \
  X(clang_location, getRangeStart, (clang_range))                                                  \
  X(clang_location, getRangeEnd, (clang_range))                                                    \
  X(clang_string, getClangVersion, (void))                                                         \
  X(void *, createIndex, (int, int))                                                               \
  X(int, parseTranslationUnit2,                                                                    \
    (void *, const char *, const char *const *, int, void *, unsigned, unsigned, void **))         \
  X(clang_cursor, getTranslationUnitCursor, (void *))                                              \
  X(unsigned, visitChildren, (clang_cursor, clang_visitor *, void *))                              \
  X(unsigned, getNumDiagnostics, (void *))                                                         \
  X(void *, getDiagnostic, (void *, unsigned))                                                     \
  X(int, getDiagnosticSeverity, (void *))                                                          \
  X(clang_string, formatDiagnostic, (void *, unsigned))                                            \
  X(const char *, getCString, (clang_string))                                                      \
  X(int, getCursorKind, (clang_cursor))                                                            \
  X(clang_string, getCursorSpelling, (clang_cursor))                                               \
  X(clang_location, getCursorLocation, (clang_cursor))                                             \
  X(clang_range, getCursorExtent, (clang_cursor))                                                  \
  X(clang_cursor, getCursorSemanticParent, (clang_cursor))                                         \
  X(unsigned, isCursorDefinition, (clang_cursor))                                                  \
  X(unsigned, isInvalidDeclaration, (clang_cursor))                                                \
  X(int, getCursorLinkage, (clang_cursor))                                                         \
  X(clang_string, Cursor_getMangling, (clang_cursor))                                              \
  X(unsigned, Cursor_isFunctionInlined, (clang_cursor))                                            \
  X(unsigned, Cursor_isVariadic, (clang_cursor))                                                   \
  X(unsigned, Cursor_isMacroFunctionLike, (clang_cursor))                                          \
  X(unsigned, Cursor_isMacroBuiltin, (clang_cursor))                                               \
  X(unsigned, Cursor_isBitField, (clang_cursor))                                                   \
  X(unsigned, isExpression, (int))                                                                 \
  X(void *, Cursor_Evaluate, (clang_cursor))                                                       \
  X(int, EvalResult_getKind, (void *))                                                             \
  X(long long, EvalResult_getAsLongLong, (void *))                                                 \
  X(void *, getFile, (void *, const char *))                                                       \
  X(int, File_isEqual, (void *, void *))                                                           \
  X(int, Location_isInSystemHeader, (clang_location))                                              \
  X(void, getExpansionLocation, (clang_location, void **, unsigned *, unsigned *, unsigned *))     \
  X(clang_string, getFileName, (void *))                                                           \
  X(const char *, getFileContents, (void *, void *, size_t *))                                     \
  X(void, tokenize, (void *, clang_range, clang_token **, unsigned *))                             \
  X(clang_string, getTokenSpelling, (void *, clang_token))                                         \
  X(clang_type, getCursorType, (clang_cursor))                                                     \
  X(clang_type, getCursorResultType, (clang_cursor))                                               \
  X(clang_type, getCanonicalType, (clang_type))                                                    \
  X(clang_type, getPointeeType, (clang_type))                                                      \
  X(clang_type, getArrayElementType, (clang_type))                                                 \
  X(clang_string, getTypeSpelling, (clang_type))                                                   \
  X(unsigned, isConstQualifiedType, (clang_type))                                                  \
  X(long long, Type_getSizeOf, (clang_type))                                                       \
  X(unsigned, Type_visitFields, (clang_type, clang_field_visitor *, void *))

struct hone__code_clang {
#define X(result, name, arguments) result(*name) arguments;
  HONE__CODE_CLANG_SYMBOLS(X)
#undef X
};

/* The library that HONE_LIBCLANG names, or the newest one; false: there is none. */
bool hone__code_clang_open(struct hone__code_clang *clang);

#endif
