#include "sweep_files.h"

#include "hone_results.h"
#include "output.h"
#include "text_file.h"

#include <stdlib.h>

enum { LONGEST_NAME = 224 }; /* kbench's bound: suffixes follow */

/* ---- Names ---- */

static char *finish(struct output *text)
{
  char *copy = check_memory(strndup(text->bytes, text->used));

  output_close(text);
  return copy;
}

static size_t length_without_suffix(const char *name)
{
  static const char *const suffixes[] = {".csv", ".txt", ".pkl"};
  const char *slash = strrchr(name, '/');
  size_t length = strlen(name), least = slash ? (size_t)(slash + 1 - name) : 0;

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    size_t suffix = strlen(suffixes[i]);
    if (length > least + suffix && strcmp(name + length - suffix, suffixes[i]) == 0)
      return length - suffix;
  }
  return length;
}

char *sweep_files_base(const char *folder, const char *output)
{
  struct output text;

  output_open(&text, OUTPUT_MEMORY, false);
  if (*output != '/' && *folder) {
    output_text(&text, folder);
    if (folder[strlen(folder) - 1] != '/') output_text(&text, "/");
  }
  output_bytes(&text, output, length_without_suffix(output));
  return finish(&text);
}

/* A long name is cut, and ends with a checksum of the whole (FNV-1a). */
static void bound_name(struct output *text)
{
  const char *slash = memrchr(text->bytes, '/', text->used);
  size_t begin = slash ? (size_t)(slash + 1 - text->bytes) : 0;
  uint32_t sum = 2166136261u;

  if (text->used - begin < LONGEST_NAME) return;
  for (size_t i = begin; i < text->used; i++)
    sum = (sum ^ (unsigned char)text->bytes[i]) * 16777619u;
  text->used = begin + LONGEST_NAME - 8;
  output_format(text, "%08x", sum);
}

char *sweep_files_base_of_run(const char *stem, const struct hone_results *results)
{
  struct output text;

  output_open(&text, OUTPUT_MEMORY, false);
  output_text(&text, stem);
  if (*hone_results_problem(results)) output_text(&text, "_");
  for (const char *c = hone_results_problem(results); *c; c++)
    if (*c != '$') output_bytes(&text, *c == '=' ? "-" : strchr(" /", *c) ? "_" : c, 1);
  bound_name(&text);
  return finish(&text);
}

/* ---- Contents ---- */

static char *path_of(const char *base, const char *suffix)
{
  struct output text;

  output_open(&text, OUTPUT_MEMORY, false);
  output_text(&text, base);
  output_text(&text, suffix);
  return finish(&text);
}

static hone_status print_csv(const struct hone_results *results, char **out_text)
{
  return hone_results_row_count(results) ? hone_results_print(results, HONE_RESULTS_CSV, out_text)
                                         : NULL;
}

static hone_status print_text(const struct hone_results *results, char **out_text)
{
  return hone_results_print(results, HONE_RESULTS_TEXT, out_text);
}

static hone_status print_failures(const struct hone_results *results, char **out_text)
{
  return hone_results_print(results, HONE_RESULTS_FAILURES, out_text);
}

/* Programs may report no time: then none is the best. */
static hone_status print_best(const struct hone_results *results, char **out_text)
{
  hone_status status = NULL;

  if (hone_results_row_count(results))
    status = hone_results_best_yaml(&results, 1, NULL, NULL, out_text);
  if (hone_status_code(status) != HONE_NOT_FOUND) return status;
  message_note("no best configuration: %s", hone_status_message(status));
  hone_status_free(status);
  return NULL;
}

/* A printer that leaves the text NULL has no content. */
static const struct {
  const char *suffix;
  hone_status (*print)(const struct hone_results *results, char **out_text);
  bool takes_report;
} kinds[] = {
    {".csv", print_csv, false},
    {".txt", print_text, true},
    {".failures.json", print_failures, false},
    {".yaml", print_best, false},
};

static char *joined(char *text, const char *report)
{
  struct output both;

  output_open(&both, OUTPUT_MEMORY, false);
  output_text(&both, text);
  output_text(&both, report);
  free(text);
  return finish(&both);
}

static bool write_kind(const char *base, size_t kind, const struct hone_results *results,
                       const char *report, struct output *written)
{
  char *path, *text = NULL;
  hone_status status = kinds[kind].print(results, &text);
  bool good;

  if (status) {
    message_status(status);
    return false;
  }
  path = path_of(base, kinds[kind].suffix);
  if (text && report && kinds[kind].takes_report) text = joined(text, report);
  good = text ? text_file_write(path, text) : text_file_remove(path);
  if (good && text) output_format(written, "%s%s", written->used ? ", " : "", kinds[kind].suffix);
  free(path);
  free(text);
  return good;
}

bool sweep_files_write(const char *base, const struct hone_results *results, const char *report)
{
  struct output written;
  bool good = true;
  char *suffixes;

  output_open(&written, OUTPUT_MEMORY, false);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && good; i++)
    good = write_kind(base, i, results, report, &written);
  suffixes = finish(&written);
  if (good) message_note("wrote results to [%s] (%s)", base, suffixes);
  free(suffixes);
  return good;
}
