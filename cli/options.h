/* options.h - the options of a command, as one table.
 *
 * The same rows drive parsing, the help text and the completion scripts. A table is an array of
 * rows that ends with a row of zeros; it fills in a struct whose fields are given by offset.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
  OPTION_END,
  OPTION_HEADING, /* `help` is a title of the help text; ignored in parsing */
  OPTION_FLAG,    /* bool */
  OPTION_TEXT,    /* const char *; the last one counts */
  OPTION_MAYBE,   /* const char *: its value follows a '=', or is missing: "" */
  OPTION_JOINED,  /* char *: those that are given, joined by commas */
  OPTION_LIST,    /* struct word_list: may be repeated */
  OPTION_NUMBER,  /* uint64_t */
  OPTION_INTEGER, /* int64_t: may be negative */
  OPTION_SIZE,    /* size_t, written 4096, 64K, 512M, 2G */
  OPTION_TIME,    /* double, in seconds, written 500ms, 60s, 5m, 1h30m; a bare number is seconds */
  OPTION_BUDGET,  /* struct budget: a time, or a bare number, which counts */
  OPTION_PERCENT, /* double, a share: 1 or 1% is 0.01 */
  OPTION_CHOICE,  /* int: which of `words` */
  OPTION_MOVED /* an option of another program that has a replacement here, described in `help` */
};

struct option {
  enum option_kind kind;
  const char *name;     /* without the dashes */
  char letter;          /* 0: none */
  const char *word;     /* the same with one dash: "cc" is -cc; NULL: none */
  const char *alias;    /* a second name, known from other programs; NULL: none */
  const char *argument; /* the name of its value in the help; NULL for flags */
  const char *help;
  size_t target;   /* offset of the field */
  size_t only_one; /* offset of a `const struct option *` shared by rows that exclude each other; 0:
                      none */
  const char *const
      *words;        /* of a choice, NULL-terminated; for others suggestions for completion */
  bool takes_file;   /* its value is a file name, for completion */
  bool clears;       /* a flag that sets its field to false: the opposite of another row */
  bool takes_dashes; /* its value may begin with "--" */
};

/* Rows in one line: OPTION(NUMBER, "at", "I", "the I-th", .target = ..., .letter = ...). */
#define HEADING(text)                                                                              \
  {                                                                                                \
    .kind = OPTION_HEADING, .help = text                                                           \
  }
#define OPTION(kind_, name_, argument_, help_, ...)                                                \
  {                                                                                                \
    .kind = OPTION_##kind_, .name = name_, .argument = argument_, .help = help_, __VA_ARGS__       \
  }

struct budget {
  double seconds; /* 0: not given */
  uint64_t count; /* likewise */
};

struct word_list {
  const char **words;
  size_t count;
};
void word_list_add(struct word_list *list, const char *word);
void word_list_release(struct word_list *list);

/* Reads `argv` into `target`, and other words into `out_words`. False after a message; the caller
 * then refers to the help. */
bool options_parse(const struct option *options, char **argv, void *target,
                   struct word_list *out_words);
/* True if the option with this name is in `argv`, which may have errors. */
bool options_mention(const struct option *options, char **argv, const char *name);
/* Frees the lists and joined texts. */
void options_release(const struct option *options, void *target);

/* Whether the next word is its value, if it has none of its own: --store FILE. */
bool option_needs_value(const struct option *option);

/* In the format of OPTION_TIME. */
bool option_read_time(const char *text, double *out_seconds);

/* "-q, --quiet" or "    --at I"; like snprintf. */
size_t option_synopsis(const struct option *option, char *buffer, size_t size);

#endif
