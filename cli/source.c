#include "source.h"

#include "quote.h"
#include "hone_iree.h"

#include <stdio.h>
#include <unistd.h>

const char *const source_device_kinds[] = {"sm_70",  "sm_75",   "sm_80",   "sm_86",
                                           "sm_89",  "sm_90",   "sm_100",  "gfx90a",
                                           "gfx942", "gfx1030", "gfx1100", NULL};
/* Listing the present devices takes too long for a completion. */
const char *const source_device_names[] = {"all",     "c",        "cuda:0",     "cuda:all", "hip:0",
                                           "hip:all", "opencl:0", "opencl:all", NULL};

/* "m:n": of the shapes, from 0; "i/n": of the configurations, from 1. */
static bool read_partition(const char *text, struct hone_spec_options *options)
{
  unsigned index, count;
  int end = 0;

  if (!text) return true;
  if (sscanf(text, "%9u:%9u%n", &index, &count, &end) == 2 && !text[end] && index < count) {
    options->partition_index = index;
    options->partition_count = count;
    return true;
  }
  if (sscanf(text, "%9u/%9u%n", &index, &count, &end) == 2 && !text[end] && index >= 1 &&
      index <= count) {
    options->part_index = index - 1;
    options->part_count = count;
    return true;
  }
  message_error("'--partition' needs M:N with M below N, or I/N with I from 1 to N, not '%s'",
                text);
  return false;
}

static bool fill_options(const struct source *source, const struct word_list *files,
                         struct hone_spec_options *options)
{
  hone_spec_options_init(options);
  options->files = files->words;
  options->file_count = files->count;
  options->params = source->params.words;
  options->param_count = source->params.count;
  options->filters = source->filters.words;
  options->filter_count = source->filters.count;
  options->shapes = source->shapes.words;
  options->shape_count = source->shapes.count;
  return read_partition(source->partition, options);
}

static bool is_mlir(const char *path)
{
  const char *dot = strrchr(path, '.');

  return dot && strcmp(dot, ".mlir") == 0;
}

static bool check_iree(const struct source *source, const struct word_list *files)
{
  const char *given = iree_settings_given(&source->iree);

  for (size_t i = 0; i < files->count; i++)
    if (is_mlir(files->words[i])) return true;
  if (given) message_error("'--%s' needs an .mlir file", given);
  return !given;
}

/* A dispatch needs its own file, which the machine may refuse; for other files the spec decides. */
static bool is_callers(const struct source *source, const struct word_list *files)
{
  if (source->iree.starter && access(source->iree.starter, R_OK) != 0) return true;
  for (size_t i = 0; i < files->count; i++)
    if (is_mlir(files->words[i]) && access(files->words[i], R_OK) == 0) return false;
  return true;
}

/* A spec that cannot be loaded is the caller's error, also a missing file. */
static enum exit_code load_failed(const struct source *source, const struct word_list *files,
                                  hone_status status)
{
  bool is_file = hone_status_code(status) == HONE_IO && is_callers(source, files);
  enum exit_code code = message_status(status);

  return is_file ? CLI_USAGE : code;
}

enum exit_code source_load(const struct source *source, const struct word_list *files,
                           struct hone_spec **out_spec)
{
  struct hone_iree_options iree = {0};
  struct hone_spec_options options;
  struct iree_texts texts;
  hone_status status;

  if (!fill_options(source, files, &options) || !check_iree(source, files)) return CLI_USAGE;
  if (!iree_settings_fill(&source->iree, &iree, &texts)) return CLI_USAGE;
  iree.for_tuning = source->for_tuning;
  iree.store = source->store;
  options.iree = &iree;
  status = hone_spec_load(&options, out_spec);
  iree_texts_release(&texts);
  if (status) return load_failed(source, files, status);
  message_warnings(hone_spec_warnings(*out_spec));
  return CLI_DONE;
}

bool source_check_workers(const struct word_list *workers)
{
  for (size_t i = 0; i < workers->count; i++) {
    if (workers->words[i][strspn(workers->words[i], " ")]) continue;
    message_error("'--worker' needs a command such as 'ssh host', not '%s'", workers->words[i]);
    return false;
  }
  return true;
}

static void add_words(struct output *text, const char *option, const char *const *words,
                      size_t count)
{
  for (size_t i = 0; i < count; i++) {
    output_format(text, " %s", option);
    quote_shell_text(text, words[i]);
  }
}

void source_print(const struct source *source, const struct word_list *files, struct output *output)
{
  if (files->count) add_words(output, "", files->words + 1, files->count - 1);
  add_words(output, "--param ", source->params.words, source->params.count);
  add_words(output, "--shapes ", source->shapes.words, source->shapes.count);
  if (source->device) add_words(output, "--device ", (const char *const *)&source->device, 1);
  iree_settings_print(&source->iree, output);
}
