/* z3_library.h - the part of Z3's C interface that is used, looked up at run time.
 *
 * No header of Z3 is needed to build: its objects are opaque pointers, and the prototypes below are
 * those of libz3.so.4.
 */
#ifndef HONE_SPACE_Z3_LIBRARY_H
#define HONE_SPACE_Z3_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct z3_config_object *z3_config;
typedef struct z3_context_object *z3_context;
typedef struct z3_symbol_object *z3_symbol;
typedef struct z3_sort_object *z3_sort;
typedef struct z3_ast_object *z3_ast;
typedef struct z3_model_object *z3_model;
typedef struct z3_solver_object *z3_solver;
typedef void z3_error_handler(z3_context, int);

enum { Z3_FALSE = -1, Z3_UNDEF = 0, Z3_TRUE = 1 };

/* result, name without "Z3_", arguments */
#define HONE__Z3_SYMBOLS(X)                                                                        \
  X(z3_config, mk_config, (void))                                                                  \
  X(void, del_config, (z3_config))                                                                 \
  X(z3_context, mk_context, (z3_config))                                                           \
  X(void, del_context, (z3_context))                                                               \
  X(void, set_error_handler, (z3_context, z3_error_handler *))                                     \
  X(int, get_error_code, (z3_context))                                                             \
  X(const char *, get_error_msg, (z3_context, int))                                                \
  X(uint64_t, get_estimated_alloc_size, (void))                                                    \
  X(z3_sort, mk_bv_sort, (z3_context, unsigned))                                                   \
  X(z3_symbol, mk_int_symbol, (z3_context, int))                                                   \
  X(z3_ast, mk_const, (z3_context, z3_symbol, z3_sort))                                            \
  X(z3_ast, mk_int64, (z3_context, int64_t, z3_sort))                                              \
  X(z3_ast, mk_true, (z3_context))                                                                 \
  X(z3_ast, mk_false, (z3_context))                                                                \
  X(z3_ast, mk_not, (z3_context, z3_ast))                                                          \
  X(z3_ast, mk_and, (z3_context, unsigned, const z3_ast *))                                        \
  X(z3_ast, mk_or, (z3_context, unsigned, const z3_ast *))                                         \
  X(z3_ast, mk_ite, (z3_context, z3_ast, z3_ast, z3_ast))                                          \
  X(z3_ast, mk_eq, (z3_context, z3_ast, z3_ast))                                                   \
  X(z3_ast, mk_bvslt, (z3_context, z3_ast, z3_ast))                                                \
  X(z3_ast, mk_bvsle, (z3_context, z3_ast, z3_ast))                                                \
  X(z3_ast, mk_bvadd, (z3_context, z3_ast, z3_ast))                                                \
  X(z3_ast, mk_bvsub, (z3_context, z3_ast, z3_ast))                                                \
  X(z3_ast, mk_bvmul, (z3_context, z3_ast, z3_ast))                                                \
  X(z3_ast, mk_bvudiv, (z3_context, z3_ast, z3_ast))                                               \
  X(z3_ast, mk_bvurem, (z3_context, z3_ast, z3_ast))                                               \
  X(z3_ast, mk_bvsdiv, (z3_context, z3_ast, z3_ast))                                               \
  X(z3_ast, mk_bvsmod, (z3_context, z3_ast, z3_ast))                                               \
  X(z3_ast, mk_sign_ext, (z3_context, unsigned, z3_ast))                                           \
  X(z3_ast, mk_extract, (z3_context, unsigned, unsigned, z3_ast))                                  \
  X(unsigned, get_ast_id, (z3_context, z3_ast))                                                    \
  X(z3_symbol, mk_string_symbol, (z3_context, const char *))                                       \
  X(z3_solver, mk_solver_for_logic, (z3_context, z3_symbol))                                       \
  X(void, solver_inc_ref, (z3_context, z3_solver))                                                 \
  X(void, solver_dec_ref, (z3_context, z3_solver))                                                 \
  X(void, solver_assert, (z3_context, z3_solver, z3_ast))                                          \
  X(int, solver_check, (z3_context, z3_solver))                                                    \
  X(z3_model, solver_get_model, (z3_context, z3_solver))                                           \
  X(const char *, solver_get_reason_unknown, (z3_context, z3_solver))                              \
  X(void, model_inc_ref, (z3_context, z3_model))                                                   \
  X(void, model_dec_ref, (z3_context, z3_model))                                                   \
  X(bool, model_eval, (z3_context, z3_model, z3_ast, bool, z3_ast *))                              \
  X(bool, get_numeral_uint64, (z3_context, z3_ast, uint64_t *))

struct hone__z3_library {
#define HONE__Z3_FIELD(result, name, arguments) result(*name) arguments;
  HONE__Z3_SYMBOLS(HONE__Z3_FIELD)
#undef HONE__Z3_FIELD
};

/* NULL if libz3 was not found; then `*out_advice` says how to get it. */
const struct hone__z3_library *hone__z3_library(const char **out_advice);

#endif
