/* sketch.h - what a source tells about its tuning, before anybody has written a spec. */
#ifndef HONE_SKETCH_SKETCH_H
#define HONE_SKETCH_SKETCH_H

#include "source/c_tokens.h"
#include "source/prototype.h"
#include "source/source_functions.h"
#include "base/text.h"
#include "hone.h"

struct hone__clang_facts; /* build/clang_facts.h */
struct hone__words;       /* base/text.h */

enum hone__sketch_language {
  HONE__SKETCH_C,
  HONE__SKETCH_CPLUSPLUS,
  HONE__SKETCH_CUDA,
  HONE__SKETCH_OPENCL,
  HONE__SKETCH_PYTHON
};

enum hone__sketch_origin {
  HONE__SKETCH_MACRO,    /* `#ifndef TILE` and `#define TILE 16` */
  HONE__SKETCH_TEMPLATE, /* `template <int TILE = 16>` */
  HONE__SKETCH_CONSTANT, /* `constexpr int TILE = 16;`: it cannot be set from outside */
  HONE__SKETCH_OPTION,   /* `add_argument("--tile", default=16)` */
  HONE__SKETCH_KEYWORD,  /* `def blur(image, tile=16)` */
  HONE__SKETCH_GUESS     /* no source has it */
};

struct hone__sketch_knob {
  const char *name;
  const char *value;  /* as the source has it; NULL: none */
  const char *values; /* "1, 2": all that it may have; NULL: not known */
  const char *where;  /* how a comment calls it; NULL: by its origin */
  enum hone__sketch_origin origin;
  int line;
  bool is_type;  /* a type parameter of a template */
  bool is_flag;  /* a bool of a template: its value is 0 or 1 */
  bool is_fixed; /* of a template: an instantiation has its value, and it is not a knob */
};

enum {
  HONE__SKETCH_SIZES = 32,
  HONE__SKETCH_MEMBERS = 64,
  HONE__SKETCH_FOLDERS = 8,
  HONE__SKETCH_TYPES = 8
};

struct hone__sketch_struct { /* the members of a parameter that is a struct of numbers */
  struct hone__parameter list[HONE__SKETCH_MEMBERS];
  size_t count;
};

struct hone__sketch {
  struct hone__arena arena;
  enum hone__sketch_language language;
  const char *path; /* of the source; NULL: it is in no file */
  const char *file; /* without its folder */
  const char *source;
  const char *text; /* the source, with its macros replaced */
  const char *entry;
  const char *scope; /* of the entry: "vision::", or "" */
  struct hone__code_functions functions;
  bool has_prototype, is_template, is_scoped;
  bool is_inner;   /* the functions are static or inline, or beside a `main`: "::f" is called */
  bool is_refused; /* a compiler was asked, and did not take the source as it is */
  struct hone__clang_facts *clang;  /* NULL: not asked, not there, or without an answer */
  struct hone__clang_facts *marked; /* the same, with a number of its own for each size, as macro */
  const struct hone__parameter *lengths; /* of the entry, with these numbers; NULL: not asked */
  const char *call;    /* of Python: "blur(TODO, tile={tile})"; NULL: the program is run */
  const char *missing; /* "image": what TODO stands for there, or in the command of a program; "" */
  bool asked_clang, has_clang;
  size_t overloads; /* functions of the entry's name; 0: libclang was not asked */
  struct hone__prototype prototype;
  struct hone__sketch_struct *structs; /* one for each parameter */
  struct hone__parameter sizes[HONE__SKETCH_SIZES];
  size_t size_count;
  struct hone__sketch_knob *knobs;
  size_t knob_count, knob_capacity;
  const char *folders[HONE__SKETCH_FOLDERS]; /* of headers, seen from that of the source */
  size_t folder_count;
  bool has_headers;                      /* of its project */
  const char *types[HONE__SKETCH_TYPES]; /* macros that the build has to define: float */
  size_t type_count;
  const char *bodies[HONE__SKETCH_TYPES]; /* macros that make a header define its functions: 1 */
  size_t body_count;
};

struct hone__sketch_knob *hone__sketch_add(struct hone__sketch *sketch,
                                           enum hone__sketch_origin origin, const char *name,
                                           size_t length, int line);
const struct hone__sketch_knob *hone__sketch_find(const struct hone__sketch *sketch,
                                                  const char *name);

/* Adds the spec of a source with this name and text; `entry` may be NULL. A compiler is asked only
 * if the source is a file. */
hone_status hone__sketch_text(const char *name, bool is_file, const char *text, const char *entry,
                              struct hone__text *out);

/* "vision::conv<TILE, float>", or with the values of the source instead of names. */
void hone__sketch_print_entry(const struct hone__sketch *sketch, bool with_values,
                              struct hone__text *out);
/* sketch_compiled.c: asks a compiler for the parameters of a function in C or C++ whose text leaves
 * types open: headers and macros may have them. */
void hone__sketch_ask_compiler(struct hone__sketch *sketch);
/* sketch_clang.c: asks libclang, if it is there: for functions that the text does not show ... */
void hone__sketch_add_functions(struct hone__sketch *sketch);
/* ... for the parameters of the entry, if the text leaves types open, also on GPUs ... */
void hone__sketch_ask_clang(struct hone__sketch *sketch);
/* ... and for constants that are computed, and macros of the project's headers. */
void hone__sketch_find_constants(struct hone__sketch *sketch);
/* Whether the text of the entry says that it writes a tensor or returns a number. */
bool hone__sketch_has_output(const struct hone__sketch *sketch);
/* Whether a compiler says that conditions of the preprocessor leave a function out. */
bool hone__sketch_is_left_out(struct hone__sketch *sketch, const char *name);
/* Whether the type of a parameter is not known. */
bool hone__sketch_is_open(const struct hone__sketch *sketch);

/* sketch_knobs.c: macros, parameters of the entry's template, constants of the file. */
void hone__sketch_find_knobs(struct hone__sketch *sketch);
/* What follows `#ifndef` or `#define` in a line; NULL: it is another line. */
const char *hone__sketch_after_directive(const char *line, const char *directive);
/* sketch_macros.c: replaces macros with arguments in the text, so that indices are seen. */
void hone__sketch_expand(struct hone__sketch *sketch);
/* sketch_use.c: the entry's namespace, and the values of its template where it is instantiated. */
void hone__sketch_find_use(struct hone__sketch *sketch);
/* Whether a tensor holds where rows begin: `offsets[i]` to `offsets[i + 1]`. */
bool hone__sketch_has_offsets(const struct hone__sketch *sketch, const char *name);
/* Whether a tensor has an element for each block: `sums[blockIdx.x]`. */
bool hone__sketch_is_per_block(const struct hone__sketch *sketch, const char *name);
/* "BLOCK * ITEMS": what a block works on, if the source says so by several knobs. */
bool hone__sketch_block_elements(const struct hone__sketch *sketch, struct hone__text *out);
/* sketch_outside.c: types and numbers that the source does not declare. */
void hone__sketch_find_outside(struct hone__sketch *sketch);
/* `STB_IMAGE_IMPLEMENTATION`: a header has its functions only where that is defined. */
void hone__sketch_find_bodies(struct hone__sketch *sketch);
/* -D for each of them. */
void hone__sketch_define_bodies(const struct hone__sketch *sketch, struct hone__words *flags);
/* sketch_includes.c: folders of headers that a compiler has to be told. */
void hone__sketch_find_folders(struct hone__sketch *sketch);
/* sketch_python.c: the options of a program in Python, and its constants. */
void hone__sketch_find_options(struct hone__sketch *sketch);
/* sketch_values.c: "[4, 8, 16]" for a value of 8. */
void hone__sketch_print_values(const struct hone__sketch_knob *knob, struct hone__text *out);
/* The one that the source has, as it is among those. */
void hone__sketch_print_value(const struct hone__sketch_knob *knob, struct hone__text *out);
/* "3.14f": part of the computation, and nothing to tune. */
bool hone__sketch_is_fraction(const char *value);
/* sketch_sizes.c: whole numbers among the parameters and in structs by value. */
void hone__sketch_find_sizes(struct hone__sketch *sketch);
bool hone__sketch_is_size(const struct hone__parameter *parameter);
/* sketch_image.c: an image, a texture or surface object, a sampler. */
bool hone__sketch_is_image(const struct hone__parameter *parameter);
void hone__sketch_print_image(const struct hone__sketch *sketch,
                              const struct hone__parameter *parameter, struct hone__text *out);
/* The size of this name, or of the macro that the spec makes of it; NULL: there is none. */
const struct hone__parameter *hone__sketch_size_named(const struct hone__sketch *sketch,
                                                      const char *name, size_t length);
/* -D for each size with a number of its own, by which the lengths of arrays tell their sizes. */
void hone__sketch_mark_sizes(const struct hone__sketch *sketch, struct hone__words *flags);
/* A length with that number: "NI + 1", or itself. */
void hone__sketch_print_number(const struct hone__sketch *sketch, long long number,
                               struct hone__text *out);
/* The number of rows of this length; NULL: it is not clear. */
const struct hone__parameter *hone__sketch_rows(const struct hone__sketch *sketch,
                                                const struct hone__parameter *columns);
/* Its name in capitals, so that no macro meets a parameter. */
void hone__sketch_print_size(const struct hone__parameter *parameter, struct hone__text *out);

/* ", shape: [...]"; and only what is in the brackets. */
void hone__sketch_print_shape(const struct hone__sketch *sketch,
                              const struct hone__parameter *tensor, int lanes,
                              struct hone__text *out);
void hone__sketch_print_lengths(const struct hone__sketch *sketch,
                                const struct hone__parameter *tensor, struct hone__text *out);

/* Integers in one struct are sizes, which no random number is. */
bool hone__sketch_has_sizes(const struct hone__sketch *sketch,
                            const struct hone__parameter *tensor);

/* The size that is the length of a row, or that rows have as elements; NULL: not known. */
const struct hone__parameter *hone__sketch_row_length(const struct hone__sketch *sketch,
                                                      const char *name);
const struct hone__parameter *hone__sketch_row_elements(const struct hone__sketch *sketch,
                                                        const struct hone__parameter *tensor);
/* sketch_access.c: the tokens of the entry's body; of all of the source, if it is not found. */
void hone__sketch_body(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                       size_t *out_begin, size_t *out_end);
/* The same of any function; false: it is not found. */
bool hone__sketch_body_of(const struct hone__code_tokens *tokens, const char *function,
                          size_t *out_begin, size_t *out_end);
/* "out", "inout", or NULL for what is only read. */
const char *hone__sketch_role(const struct hone__sketch *sketch,
                              const struct hone__parameter *tensor);
/* Whether the pointer moves, as in `row += y * width`: its indices then tell no length. */
bool hone__sketch_moves(const struct hone__sketch *sketch, const char *tensor);
/* Whether a tensor is used as `*sum` only. */
bool hone__sketch_is_single(const struct hone__sketch *sketch, const char *tensor);
/* The size at this token, `n` or `extent.width`; NULL: it is not one. */
const struct hone__parameter *hone__sketch_size_at(const struct hone__sketch *sketch,
                                                   const struct hone__code_tokens *tokens,
                                                   size_t at);
/* The same for what follows `i <`, which may have brackets: `(n - 1)`. */
const struct hone__parameter *hone__sketch_limit_at(const struct hone__sketch *sketch,
                                                    const struct hone__code_tokens *tokens,
                                                    size_t at);
/* The size that bounds the index of a tensor: `n` for `y[i]` and `i < n`; NULL: none does. `after`
 * is what follows the index: "]", or "*" in `y[i * k + j]`. */
const struct hone__parameter *hone__sketch_bound(const struct hone__sketch *sketch,
                                                 const char *tensor, const char *after);
/* The tensor that holds where the rows of this one begin, `first` for `value[k]` and
 * `k = first[row]`; NULL: none does. */
const struct hone__parameter *hone__sketch_offsets(const struct hone__sketch *sketch,
                                                   const char *tensor);
/* sketch_typedef.c: what stands between `typedef` and `;`, if the parameter's type has its name
 * from it; false: the source has none. */
bool hone__sketch_typedef(const struct hone__sketch *sketch,
                          const struct hone__parameter *parameter, struct hone__text *out);
/* Why no spec can have such an argument; NULL: nothing is known against it. */
const char *hone__sketch_refusal(const struct hone__sketch *sketch,
                                 const struct hone__parameter *parameter);
/* sketch_args.c, sketch_launch.c: the keys `problem`, `args` and `launch`. */
void hone__sketch_print_problem(const struct hone__sketch *sketch, struct hone__text *out);
void hone__sketch_print_args(const struct hone__sketch *sketch, struct hone__text *out);
void hone__sketch_print_launch(const struct hone__sketch *sketch, struct hone__text *out);
/* sketch_loops.c: the power of this size with which the time of the kernel grows: its nested loops,
 * and the threads. */
unsigned hone__sketch_passes(const struct hone__sketch *sketch, const char *size);
/* How deep the loops of a function are nested. */
unsigned hone__sketch_nesting(const struct hone__sketch *sketch, const char *function);
/* sketch_launch.c: adds a knob for each direction whose threads the source leaves open; false:
 * there is but one direction. */
bool hone__sketch_guess_blocks(struct hone__sketch *sketch);
/* What a block works on: "BLOCK", "(BLOCK * ITEMS)". */
void hone__sketch_print_block_elements(const struct hone__sketch *sketch, struct hone__text *out);
/* Whether each thread of a block writes one element of this local memory: `tile[get_local_id(0)]`.
 */
bool hone__sketch_is_per_thread(const struct hone__sketch *sketch, const char *name);
/* The name of the parameter that is the number of threads of a block. */
const char *hone__sketch_block(const struct hone__sketch *sketch);

#endif
