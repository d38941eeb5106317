/* bench_print.h - the results of `hone bench`, on standard output and in files. */
#ifndef CLI_BENCH_PRINT_H
#define CLI_BENCH_PRINT_H

#include "command.h"

#include <hone_results.h>

enum bench_format { BENCH_TEXT, BENCH_MARKDOWN, BENCH_JSON, BENCH_CSV };
extern const char *const bench_formats[];

enum { BENCH_FORMATS = 4 };

struct bench_view {
  const struct word_list *commands;
  const struct word_list *names;    /* of the commands, as far as they are given */
  const char *files[BENCH_FORMATS]; /* for each format a file that is written too, or NULL */
  int format;                       /* enum bench_format, of standard output */
  bool color;
};

/* Returns the exit code. */
enum exit_code bench_print(const struct bench_view *view, struct hone_store *store, int64_t run);

#endif
