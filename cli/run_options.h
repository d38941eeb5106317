/* run_options.h - the options that `hone run FILE` needs to see the configuration of another
 * command.
 */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "program_options.h"
#include "source.h"

struct run_options {
  const struct source *source;
  const struct word_list *files;
  const struct program_settings *program;
  bool no_check;
  double timeout_s;    /* 0: not given */
  size_t memory_bytes; /* 0: not given */
};
/* " other.yaml --param A:1 --march native --timeout 500ms"; the caller frees it. */
char *run_options_text(const struct run_options *options);

#endif
