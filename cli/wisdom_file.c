#include "wisdom_file.h"

#include "text_file.h"

#include <stdlib.h>
#include <unistd.h>

static enum exit_code print_outcome(const struct hone_wisdom_merge_options *options,
                                    const struct hone_wisdom_merged *merged)
{
  size_t count = hone_wisdom_merged_count(merged);
  const char *entries = count == 1 ? "entry" : "entries";

  if (!options->output)
    return text_file_print(NULL, hone_wisdom_merged_text(merged)) ? CLI_DONE : CLI_FAILED;
  if (!hone_wisdom_merged_is_stale(merged)) {
    message_note("'%s' is up to date: %zu %s", options->output, count, entries);
    return CLI_DONE;
  }
  if (!options->check) {
    message_note("wrote %zu %s into '%s'", count, entries, options->output);
    return CLI_DONE;
  }
  message_note("'%s' is out of date: run the same command without '--check' to update it",
               options->output);
  return CLI_FAILED;
}

enum exit_code wisdom_file_merge(const struct hone_wisdom_merge_options *options)
{
  struct hone_wisdom_merged *merged = NULL;
  hone_status status = hone_wisdom_merge(options, &merged);
  enum exit_code code;
  const char *note;

  if (status) return message_status(status);
  for (size_t i = 0; (note = hone_wisdom_merged_note(merged, i)); i++)
    message_note("%s", note);
  code = print_outcome(options, merged);
  hone_wisdom_merged_free(merged);
  return code;
}

enum exit_code wisdom_file_update(const char *path, const char *store,
                                  const struct hone_tuning *tuning, bool check)
{
  struct hone_wisdom_merge_options options;
  struct hone_store *opened = NULL;
  hone_status status = hone_store_open(store, &opened);
  size_t count = hone_tuning_count(tuning);
  int64_t *runs = check_memory(calloc(count + 1, sizeof *runs));
  enum exit_code code;

  for (size_t i = 0; i < count; i++)
    runs[i] = hone_tuning_run(tuning, i);
  hone_wisdom_merge_options_init(&options);
  options.files = &path;
  options.file_count = access(path, F_OK) == 0;
  options.store = opened;
  options.runs = runs;
  options.run_count = count;
  options.output = path;
  options.check = check;
  code = status ? message_status(status) : wisdom_file_merge(&options);
  hone_store_free(opened);
  free(runs);
  return code;
}
