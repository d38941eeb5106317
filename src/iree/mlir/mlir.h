/* mlir.h - reads MLIR text into a tree: operations, their attributes and types.
 *
 * This is not an MLIR parser: custom syntax is read by its shape (words, clauses in parentheses,
 * dictionaries, `key = value`, types after a colon), which suffices for a tuner: dispatches,
 * targets, constraints, tuning specs. Aliases (#map, #config) are resolved. Every node has its
 * position in the text, so that a part can be removed or replaced; unknown syntax stays text. Any
 * input gives a tree or INVALID_SPEC with "file:line:column: ...".
 */
#ifndef HONE_IREE_MLIR_MLIR_H
#define HONE_IREE_MLIR_MLIR_H

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__mlir_span { /* in the text of the file: [begin, end) */
  size_t begin, end;
};

/* ---- Affine maps ---- */

struct hone__affine_expr { /* a sum of dims with factors, and a constant */
  int64_t *factors;        /* one a dim */
  int64_t constant;
  bool is_linear; /* false: it has symbols, mod, floordiv ...; `factors` then only shows which dims
                     it uses (not 0) */
  const char *text; /* as written, with d0, s0 for the names; NULL: print the factors */
};
struct hone__affine_map {
  unsigned dims, symbols, count; /* count: results */
  struct hone__affine_expr *results;
};

/* ---- Types ---- */

struct hone__mlir_type {
  const char *text; /* "tensor<256x?xf32>" as written; of an alias: what it stands for */
  bool is_shaped;   /* tensor, memref, vector of known rank, !...dispatch.tensor<x:tensor<...>> */
  int64_t *dims;    /* -1: dynamic */
  unsigned rank;
  const char *element; /* "f32"; of a type that is not shaped: its text */
};

/* ---- Attributes ---- */

enum hone__mlir_kind {
  HONE__MLIR_INTEGER, /* also of `2 : i64` */
  HONE__MLIR_REAL,
  HONE__MLIR_STRING,
  HONE__MLIR_BOOL, /* integer: 0 or 1 */
  HONE__MLIR_UNIT, /* a key without value in a dictionary */
  HONE__MLIR_LIST, /* [a, b]; also array<i64: 1, 2> and dense<[1, 2]>, dense<1> (one entry), these
                     with their text; dense<"0x..."> and very long ones have no entries */
  HONE__MLIR_DICT,
  HONE__MLIR_SYMBOL,  /* text: without the @; nested ones "a::b" */
  HONE__MLIR_TYPE,    /* text */
  HONE__MLIR_MAP,     /* affine_map<...> */
  HONE__MLIR_DIALECT, /* #text<entries>; the short form <entries> has text "" */
  HONE__MLIR_WORD     /* anything else: one word, as VectorDistribute or fp64|fp32 in a dialect's
                        entries,
                        "%x" in a list, or syntax that is not understood, as it is written */
};

struct hone__mlir_attr {
  enum hone__mlir_kind kind;
  int64_t integer;
  double real;      /* also of an integer */
  const char *text; /* of a number: NULL, or as it is written (reals, hexadecimal ones) */
  struct hone__mlir_entry
      *entries; /* of a list, dictionary, dialect attribute; NULL: no brackets */
  size_t count;
  const struct hone__affine_map *map;
  struct hone__mlir_type
      type; /* of a TYPE; else the one after it (2 : i64), text NULL if none is */
  struct hone__mlir_span span; /* where it is used; of an alias: the alias's name */
};

struct hone__mlir_entry {
  const char *key; /* NULL: a value by itself */
  struct hone__mlir_attr value;
  struct hone__mlir_span span; /* key and value, without commas */
  bool is_after_comma;         /* false: the first, or only a blank stands before it */
};

/* ---- Operations ---- */

/* ins(%a, %b : T, U), outs(...), dims(%c0, %c1); operands also of lists in it. What else stands in
 * it is an attribute of the operation with the word as key: target(<"rocm", ...>), ordinal(0);
 * several are a LIST. */
struct hone__mlir_clause {
  const char *word;
  const char **operands; /* "%a" */
  size_t operand_count;
  struct hone__mlir_type *types;
  size_t type_count;
  struct hone__mlir_span span;
};

struct hone__mlir_op {
  const char *name;   /* "linalg.generic", "module", "func.func"; generic form is without quotes */
  const char *symbol; /* the first @name after it, without @; or NULL */
  const char **results; /* "%5"; "%17:3" is "%17" */
  size_t result_count;
  const char **operands; /* all %names that stand outside of clauses, in order */
  size_t operand_count;
  /* Of all dictionaries ({..}, <{..}>, <..>, attributes {..}, attrs = {..}), of `key = value`,
   * `key<..>`, `key [..]` between words and of clauses; without key: every @symbol, string, number,
   * list, #attr, word (ge, private) by itself, in order. What is after `@symbol =` has the key
   * "value". The dictionary of transform.param.constant is one value without key. */
  struct hone__mlir_entry *attrs;
  size_t attr_count;
  struct hone__mlir_clause *clauses;
  size_t clause_count;
  struct hone__mlir_type *types; /* after all `:` and `->` outside of clauses: results come last */
  size_t type_count;
  struct hone__mlir_op **children; /* operations of all regions and blocks, in order */
  size_t child_count;
  const char *
      *block_args; /* "%arg0" of ^bb0(...) of its first block, or of a function's (%arg0: T) */
  struct hone__mlir_type *block_types;
  size_t block_arg_count;
  struct hone__mlir_op *parent; /* NULL: the file */
  struct hone__mlir_span span;  /* all of it, regions included */
  struct hone__mlir_span head;  /* up to the first region, or all */
  unsigned line;
};

struct hone__mlir {
  struct hone__arena arena;
  const char *path;
  const char *text; /* a copy, ended by NUL */
  size_t size;
  struct hone__mlir_op *root; /* of no name; its children are those of the file */
};

/* `path` is for messages. Release it also after a failure. */
hone_status hone__mlir_parse(struct hone__mlir *mlir, const char *path, const char *text,
                             size_t size);
hone_status hone__mlir_read(struct hone__mlir *mlir, const char *path); /* a file; "-": stdin */
void hone__mlir_release(struct hone__mlir *mlir);

/* INVALID_SPEC at this place: "file:line:column: error: ..." with the line. */
hone_status hone__mlir_error(const struct hone__mlir *mlir, size_t offset, const char *format, ...)
    HONE__PRINTF(3, 4);

/* ---- Asking ---- */

/* Calls `visit` for every operation below (not for itself), outer ones first; false from it ends.
 */
typedef bool hone__mlir_visit(void *data, struct hone__mlir_op *op);
bool hone__mlir_each(const struct hone__mlir_op *op, hone__mlir_visit *visit, void *data);
/* The first below of this name; NULL. */
struct hone__mlir_op *hone__mlir_find(const struct hone__mlir_op *op, const char *name);
/* The nearest around it of this name; NULL. */
struct hone__mlir_op *hone__mlir_around(const struct hone__mlir_op *op, const char *name);

const struct hone__mlir_attr *hone__mlir_attr(const struct hone__mlir_op *op, const char *key);
/* Of a dictionary or dialect attribute, in this also of the dictionaries that it consists of:
 * <{..}>,
 * <.., {..}>; NULL-safe: a NULL attribute has no entries. */
const struct hone__mlir_attr *hone__mlir_entry(const struct hone__mlir_attr *attr, const char *key);
const struct hone__mlir_clause *hone__mlir_clause(const struct hone__mlir_op *op, const char *word);

/* One attribute by itself, such as "#iree_gpu.lowering_config<{...}>"; lives in the arena. A map is
 * read with or without affine_map<..> around it. */
hone_status hone__mlir_parse_attr(struct hone__arena *arena, const char *text,
                                  struct hone__mlir_attr *out_attr);
hone_status hone__mlir_parse_map(struct hone__arena *arena, const char *text,
                                 struct hone__affine_map *out_map);

/* As IREE prints it: keys of dictionaries sorted, one space after commas. */
void hone__mlir_print_attr(const struct hone__mlir_attr *attr, struct hone__text *text);
void hone__mlir_print_map(const struct hone__affine_map *map, struct hone__text *text);
/* Keys in any order; the short form <..> is the same as #any<..>. */
bool hone__mlir_same_attr(const struct hone__mlir_attr *a, const struct hone__mlir_attr *b);
bool hone__mlir_same_map(const struct hone__affine_map *a, const struct hone__affine_map *b);

/* ---- Editing: spans of the text that are replaced, in any order, none within another ---- */

struct hone__mlir_edit {
  struct hone__mlir_span span;
  const char *text; /* "" cuts it out */
};
/* Cutting an entry of a dictionary or list takes a comma with it. */
struct hone__mlir_span hone__mlir_entry_span(const struct hone__mlir *mlir,
                                             const struct hone__mlir_entry *entry);
void hone__mlir_edit(const struct hone__mlir *mlir, const struct hone__mlir_edit *edits,
                     size_t count, struct hone__text *out_text);

#endif
