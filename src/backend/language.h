/* language.h - the languages of programs, and how each is built and started.
 *
 * A format is a list of words, separated by blanks, in which % is the value: "-D %" makes two
 * words. NULL: there is no such option.
 */
#ifndef HONE_BACKEND_LANGUAGE_H
#define HONE_BACKEND_LANGUAGE_H

#include "backend/definition.h"
#include "base/pairs.h"
#include "base/words.h"

enum hone__language_kind {
  HONE__LANGUAGE_COMPILED,
  HONE__LANGUAGE_INTERPRETED, /* started as `program file` */
  HONE__LANGUAGE_EXECUTABLE,  /* started as it is */
  HONE__LANGUAGE_LIBRARY,     /* loaded as it is */
  HONE__LANGUAGE_OTHER        /* defined by the spec's commands */
};

struct hone__language {
  const char *name;
  const char *suffixes[8];
  enum hone__language_kind kind;
  const char *variable; /* environment variable that names another program, or NULL */
  const char *program;  /* the compiler or interpreter */
  enum hone__spelling spelling;
  bool is_c;                    /* its text and its macros are those of C */
  bool has_identifiers;         /* only identifiers can be defined */
  const char *define, *include; /* formats */
  const char *first;            /* words directly after the program */
  const char *first_of_library;
  const char *last; /* words at the end */
  const char *optimisation, *default_optimisation;
  const char *debug_levels[3]; /* none, line-tables, full; or one format for all of them */
  const char *march, *no_warnings, *accelerator;
  /* Words for a worker only; % is the folder of this build: the compiler lists the files it read in
   * deps.d, and leaves other files there, under fixed names. */
  const char *worker_words;
  double build_timeout_s;
};

/* By the suffix (".mojo"), or by the name; NULL if there is none. */
const struct hone__language *hone__language_of_suffix(const char *suffix);
const struct hone__language *hone__language_find(const char *name);

/* All suffixes, for the table of backends; ends with NULL. */
extern const char *const hone__language_suffixes[];

/* Adds the words of a format; a NULL format adds nothing. */
void hone__language_add(struct hone__words *words, const char *format, const char *value);
/* Adds "NAME=VALUE" for each pair. */
void hone__language_add_definitions(const struct hone__language *language,
                                    struct hone__words *words,
                                    const struct hone__pairs *definitions);

#endif
