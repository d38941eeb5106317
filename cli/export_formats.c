#include "export_formats.h"

#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- Output ---- */

/* Whether the file has exactly this text. */
static bool has_text(const char *path, const char *text)
{
  size_t size = strlen(text), got;
  char *old = check_memory(malloc(size + 2));
  FILE *file = fopen(path, "re");

  got = file ? fread(old, 1, size + 1, file) : 0;
  if (file) fclose(file);
  old[got] = '\0';
  got = file && got == size && memcmp(old, text, size) == 0;
  free(old);
  return got;
}

static enum exit_code check_text(const char *path, const char *text)
{
  if (has_text(path, text)) {
    message_note("'%s' is up to date", path);
    return CLI_DONE;
  }
  message_note("'%s' is out of date: run the same command without '--check' to update it", path);
  return CLI_FAILED;
}

static bool is_folder(const char *path)
{
  struct stat info;

  return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

enum exit_code export_output_write(const struct export_output *output, const char *name,
                                   const char *text)
{
  char *path = output->path ? check_memory(strdup(output->path)) : NULL;
  enum exit_code code;

  if (name && is_folder(path)) {
    size_t size = strlen(path) + strlen(name) + 2;
    char *joined = check_memory(malloc(size));
    snprintf(joined, size, "%s/%s", path, name);
    free(path);
    path = joined;
  } else if (name) {
    message_note("programs look for the name '%s'", name);
  }
  if (output->check)
    code = check_text(path, text);
  else
    code = text_file_print(path, text) ? CLI_DONE : CLI_FAILED;
  free(path);
  return code;
}

/* ---- Runs ---- */

static enum exit_code print(const struct export_formats *formats,
                            const struct hone_formatted *formatted)
{
  const char *note;

  for (size_t i = 0; (note = hone_formatted_note(formatted, i)); i++)
    message_warning("%s", note);
  return export_output_write(&formats->output, hone_formatted_name(formatted),
                             hone_formatted_text(formatted));
}

enum exit_code export_formats_write(const struct export_formats *formats,
                                    const struct word_list *words)
{
  int64_t *runs = check_memory(calloc(words->count + 1, sizeof *runs));
  struct hone_formatted *formatted = NULL;
  struct hone_format_options options;
  struct hone_store *store = NULL;
  hone_status status = hone_store_open(formats->store, &store);
  enum exit_code code;

  for (size_t i = 0; i < words->count; i++) /* "last" is 0: the newest */
    runs[i] = strtoll(words->words[i], NULL, 10);
  hone_format_options_init(&options);
  options.format = formats->format;
  options.runs = runs;
  options.run_count = words->count;
  options.config = formats->config;
  options.force = formats->force;
  if (!status) status = hone_format_runs(store, &options, &formatted);
  code = status ? message_status(status) : print(formats, formatted);
  hone_formatted_free(formatted);
  hone_store_free(store);
  free(runs);
  return code;
}
