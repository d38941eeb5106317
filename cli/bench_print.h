/* bench_print.h - the results of `hone bench`, on standard output. */
#ifndef CLI_BENCH_PRINT_H
#define CLI_BENCH_PRINT_H

#include "command.h"

#include <hone_results.h>

enum bench_format { BENCH_TEXT, BENCH_MARKDOWN, BENCH_JSON, BENCH_CSV };
extern const char *const bench_formats[];

struct bench_view {
  const struct word_list *commands;
  int format; /* enum bench_format */
  bool color;
};

/* Returns the exit code. */
enum exit_code bench_print(const struct bench_view *view, struct hone_store *store, int64_t run);

#endif
