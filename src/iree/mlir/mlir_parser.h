/* mlir_parser.h - shared by the files of the MLIR reader: tokens, piles, aliases, the parser.
 *
 * Functions do not return a failure: the first one is kept in the parser, and from then on every
 * token is the end of the text, so that all loops end.
 */
#ifndef HONE_IREE_MLIR_MLIR_PARSER_H
#define HONE_IREE_MLIR_MLIR_PARSER_H

#include "iree/mlir/mlir.h"

enum {
  HONE__MLIR_MOST_DEPTH = 200,     /* regions and attributes within each other */
  HONE__MLIR_MOST_ALIAS = 1 << 16, /* nodes of an alias, those of the aliases in it included */
  HONE__MLIR_MOST_BYTES = 1 << 30, /* of a file */
  HONE__MLIR_LONGEST_CONSTANT = 4 << 10, /* bytes of dense<...> whose entries are kept */
};

/* ---- Tokens; the kind of punctuation is its character ---- */

enum {
  HONE__MLIR_TOKEN_END = 256,
  HONE__MLIR_TOKEN_WORD,   /* also of several: fp64|fp32 */
  HONE__MLIR_TOKEN_STRING, /* with its quotes */
  HONE__MLIR_TOKEN_NUMBER,
  HONE__MLIR_TOKEN_VALUE,  /* %x, %x#1 */
  HONE__MLIR_TOKEN_SYMBOL, /* @x, @"x", @x::@y */
  HONE__MLIR_TOKEN_HASH,   /* #x */
  HONE__MLIR_TOKEN_BANG,   /* !x */
  HONE__MLIR_TOKEN_BLOCK,  /* ^x */
  HONE__MLIR_TOKEN_ARROW,
  HONE__MLIR_TOKEN_COMPARISON, /* >= <= == */
  HONE__MLIR_TOKEN_BAD
};
struct hone__mlir_token {
  int kind;
  size_t begin, end;
  unsigned line;
  bool is_first; /* in its line */
};

/* ---- Stacks of what is being collected; what is complete moves to the arena ---- */

struct hone__mlir_pile {
  char *data;
  size_t count, capacity, item;
};

struct hone__mlir_alias {
  const char *name;            /* with its # or ! */
  struct hone__mlir_attr attr; /* of a type: TYPE */
  size_t weight;
  unsigned height;
};

struct hone__mlir_parser {
  const struct hone__mlir *mlir; /* the text, for messages */
  struct hone__arena *arena;
  struct hone__mlir_token token, next;
  int previous; /* kind of the token before it */
  size_t previous_end;
  hone_status status;
  unsigned depth, deepest;
  size_t weight; /* nodes so far, as if aliases were copies */
  bool collects_operands;
  struct hone__mlir_pile entries, names, types, clauses, ops;
  struct hone__mlir_alias **aliases; /* a hash table */
  size_t alias_count, alias_capacity;
};

void hone__mlir_begin(struct hone__mlir_parser *p, const struct hone__mlir *mlir,
                      struct hone__arena *arena);
hone_status hone__mlir_end(struct hone__mlir_parser *p); /* releases it */

void hone__mlir_advance(struct hone__mlir_parser *p);
struct hone__mlir_token hone__mlir_peek(const struct hone__mlir_parser *p,
                                        const struct hone__mlir_token *token);
void hone__mlir_go_to(struct hone__mlir_parser *p, const struct hone__mlir_token *token);
bool hone__mlir_is_word(const struct hone__mlir_parser *p, const struct hone__mlir_token *token,
                        const char *word);
/* The next token is this punctuation and touches the current one. */
bool hone__mlir_touches(const struct hone__mlir_parser *p, int kind);
int hone__mlir_closer(int opener); /* 0: it is not one */
bool hone__mlir_is_closer(int kind);
/* From an opening bracket past the one that closes it. */
void hone__mlir_skip_group(struct hone__mlir_parser *p);

void hone__mlir_fail(struct hone__mlir_parser *p, size_t offset, const char *format, ...)
    HONE__PRINTF(3, 4);
void hone__mlir_expect(struct hone__mlir_parser *p, int kind, size_t opener);
bool hone__mlir_enter(struct hone__mlir_parser *p); /* false: too deep; the parser has failed */
void hone__mlir_leave(struct hone__mlir_parser *p);

void *hone__mlir_push(struct hone__mlir_pile *pile); /* zeroed; valid until the next push */
/* What lies above the mark, in the arena; never NULL. */
void *hone__mlir_take(struct hone__mlir_parser *p, struct hone__mlir_pile *pile, size_t mark,
                      size_t *out_count);

/* ---- Texts of tokens, in the arena ---- */

const char *hone__mlir_text(struct hone__mlir_parser *p, size_t begin, size_t end);
const char *hone__mlir_token_text(struct hone__mlir_parser *p); /* unquoted, without @ */

/* ---- Parts ---- */

bool hone__mlir_is_type_word(const struct hone__mlir_parser *p,
                             const struct hone__mlir_token *token);
bool hone__mlir_starts_type(const struct hone__mlir_parser *p,
                            const struct hone__mlir_token *token);
void hone__mlir_type(struct hone__mlir_parser *p, struct hone__mlir_type *out_type);

/* `takes_type`: a `: type` after it belongs to it. */
void hone__mlir_value(struct hone__mlir_parser *p, bool takes_type,
                      struct hone__mlir_attr *out_attr);
bool hone__mlir_starts_value(const struct hone__mlir_parser *p,
                             const struct hone__mlir_token *token);
/* From the current token, a bracket, to the closer: pushes entries. A `form` of LIST has no keys,
 * of DICT has units. */
void hone__mlir_entries(struct hone__mlir_parser *p, enum hone__mlir_kind form, int closer);

void hone__mlir_alias_define(struct hone__mlir_parser *p);
const struct hone__mlir_alias *hone__mlir_alias_find(const struct hone__mlir_parser *p,
                                                     const char *name, size_t length);

/* NULL, or what is wrong with text[begin, end), which stands between affine_map's < and >. */
const char *hone__affine_map_read(struct hone__arena *arena, const char *text, size_t begin,
                                  size_t end, struct hone__affine_map *out_map);

/* Statements up to the closing brace, or the end of the file. */
void hone__mlir_body(struct hone__mlir_parser *p, struct hone__mlir_op *parent);
void hone__mlir_region(struct hone__mlir_parser *p, struct hone__mlir_op *op);
/* Everything after an operation's name. */
void hone__mlir_head(struct hone__mlir_parser *p, struct hone__mlir_op *op);
/* Onto the piles: an attribute that was read from `begin` on, the next one, the next type, operand.
 */
void hone__mlir_add_attr(struct hone__mlir_parser *p, const char *key,
                         const struct hone__mlir_attr *value, size_t begin);
void hone__mlir_read_attr(struct hone__mlir_parser *p, const char *key, size_t begin);
void hone__mlir_push_type(struct hone__mlir_parser *p);
void hone__mlir_push_operand(struct hone__mlir_parser *p);
/* A list in brackets of operands, types and attributes, which are pushed; regions become the op's.
 */
void hone__mlir_group(struct hone__mlir_parser *p, struct hone__mlir_op *op);
/* The token begins a statement of its own rather than going on with the one before. */
bool hone__mlir_starts_statement(const struct hone__mlir_parser *p, bool is_after_type);
/* What an opening brace is, after a head. */
enum hone__mlir_brace {
  HONE__MLIR_REGION,
  HONE__MLIR_OPERANDS,
  HONE__MLIR_ATTRIBUTES,
  HONE__MLIR_OTHER
};
enum hone__mlir_brace hone__mlir_brace(const struct hone__mlir_parser *p);

#endif
