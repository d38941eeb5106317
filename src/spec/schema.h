/* schema.h - what the keys of a mapping may hold, as tables.
 *
 * A table of rules describes a mapping, one rule a key; hone__schema_check compares a mapping with
 * it and reports every difference with its place. What a table cannot say (one key depends on the
 * value of another) is left to a rule's `also` and `together`.
 */
#ifndef HONE_SPEC_SCHEMA_H
#define HONE_SPEC_SCHEMA_H

#include "spec/loader.h"

#include <math.h>

/* What a value may be: bits, the alternatives. */
enum {
  HONE__TAKES_WORD = 1 << 0, /* one of rule.words */
  HONE__TAKES_TEXT = 1 << 1, /* not empty */
  HONE__TAKES_NAME = 1 << 2, /* an identifier of C */
  HONE__TAKES_BOOLEAN = 1 << 3,
  HONE__TAKES_INTEGER = 1 << 4,  /* from low to high */
  HONE__TAKES_NUMBER = 1 << 5,   /* from low to high */
  HONE__TAKES_DURATION = 1 << 6, /* 500ms, 60s, 5m */
  HONE__TAKES_SECONDS = 1 << 7,  /* a bare number of them */
  HONE__TAKES_FORMULA = 1 << 8,  /* over rule.names; its value is for a later stage to see */
  HONE__TAKES_KEYS = 1 << 9,     /* a mapping that rule.keys describes */
  HONE__TAKES_MAPPING = 1 << 10, /* a mapping with any keys; rule.keys is one rule for all values */
  HONE__TAKES_ANYTHING = 1 << 11,
  HONE__TAKES_ENTRY = 1 << 12 /* a function: its name, or a template of C++ with its arguments */
};

enum hone__rule_list { HONE__NO_LIST, HONE__LIST_ONLY, HONE__ONE_OR_LIST };

struct hone__rule {
  const char *key; /* NULL ends a table */
  unsigned takes;
  enum hone__rule_list list;
  size_t least, most; /* elements of the list; most 0: any number */
  double low, high;   /* equal: no bounds */
  unsigned names;     /* HONE__NAMES_* of a formula */
  bool required;
  const char *needs; /* another key of the same mapping */
  int form;          /* keys of different forms exclude each other; 0 goes with all */
  const char *const *words;
  /* the word that a wrong one means in another language, or NULL; optional */
  const char *(*translate)(const char *word);
  const struct hone__rule *keys;
  bool elsewhere; /* read and checked by other files; what it takes is told here, too */
  bool is_closed; /* its keys are told in another place, or Hone alone writes them */
  /* For readers: docs/spec.md and the last section of hone-spec(5) are made of these and of the
   * above by tools/spec_keys.c. */
  const char *section;  /* of a key of the whole file: where a new table begins */
  const char *fallback; /* the default, in Markdown; NULL: none */
  const char *example;  /* "key: value", in YAML without double quotes */
  const char *about;    /* a sentence */
  /* more checks: of the value (in a list: of each element) if it was right so far ... */
  void (*also)(struct hone__loader *loader, const struct hone__node *node);
  /* ... and of a list of the right length, whose elements may be wrong */
  void (*together)(struct hone__loader *loader, const struct hone__node *list);
};

/* `owner` is the key that holds the mapping, for messages; NULL is the whole file, whose unknown
 * keys are the caller's. Rules are followed in the order of the table. False if anything was
 * reported. */
bool hone__schema_check(struct hone__loader *loader, const struct hone__node *mapping,
                        const struct hone__rule *rules, const char *owner);

/* An expression that the rule allows; where it needs no names, its value is checked as well. */
bool hone__schema_formula(struct hone__loader *loader, const struct hone__rule *rule,
                          const struct hone__node *node, struct hone__formula *out_formula);

/* A setting's number. YAML 1.1 takes 1e-2 for text: it is a number here. */
bool hone__node_number(const struct hone__node *node, double *out_number);
/* "500ms", "1h30m": units are us ms s m h. */
bool hone__duration_parse(const char *text, double *out_seconds);

/* "; did you mean 'x'?" if one of the words is near, else "". */
const char *hone__suggest_word(struct hone__loader *loader, const char *word,
                               const char *const *words);
bool hone__spec_is_one_of(const char *word, const char *const *words);

#endif
