#include "run_options.h"

#include <stdlib.h>
#include <string.h>

char *run_options_text(const struct run_options *options)
{
  struct output text;
  char *line;

  output_open(&text, OUTPUT_MEMORY, false);
  source_print(options->source, options->files, &text);
  program_settings_print(options->program, &text);
  if (options->no_check) output_text(&text, " --no-check");
  if (options->timeout_s > 0) output_format(&text, " --timeout %.0fms", 1e3 * options->timeout_s);
  if (options->memory_bytes) output_format(&text, " --memory-limit %zu", options->memory_bytes);
  line = check_memory(strndup(text.bytes, text.used));
  output_close(&text);
  return line;
}
