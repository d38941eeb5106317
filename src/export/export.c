/* Tuned values into a source file: entries fill snippets, snippets fill a region. The whole new
 * text is made in memory; the file is touched only if it differs. */
#include "base/accessor.h"
#include "base/file.h"
#include "base/options_size.h"
#include "base/replace.h"
#include "export/manifest.h"
#include "export/region.h"
#include "export/snippet.h"
#include "results/results.h"

#include <stdlib.h>

struct hone_export_result {
  bool is_stale;
  size_t entry_count;
  char *diff;
};

enum { MOST_TARGET_BYTES = 64 << 20, MOST_SNIPPET_BYTES = 1 << 20 };

/* ---- What suits the target's language ---- */

/* Tables in Mojo and Python are lists, whose elements a comma separates. Elsewhere the snippet says
 * all of it. */
static const struct language {
  const char *suffixes; /* each with a blank after it */
  const char *comment, *separator;
} languages[] = {
    {".mojo .py .pyi .\xf0\x9f\x94\xa5 ", "#", ","},
    {".c .h .cc .hh .cpp .hpp .cxx .hxx .cu .cuh .cl .hip .inc .inl .def .td .m .mm .metal .mlir "
     ".rs .go .js .ts .java .swift .zig .glsl .hlsl .comp .wgsl ",
     "//", ""},
    {".f90 .F90 .f95 .f03 .f08 .f .F ", "!", ""},
    {".lua .hs .sql .ada .vhd ", "--", ""},
    {".ll .lisp .el .scm .s .S .asm .ini ", ";", ""},
    {".tex .erl ", "%", ""},
    {".json .csv ", "", ""},
    {".yaml .yml .toml .sh .bash .cmake .mk .jl .r .R .rb .pl .txt .cfg .conf ", "#", ""},
};
static const struct language other_language = {"", "#", ","};

static const struct language *language_of(const char *path)
{
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  size_t length = dot ? strlen(dot) : 0;

  for (size_t i = 0; length && i < sizeof languages / sizeof *languages; i++)
    for (const char *at = languages[i].suffixes; (at = strstr(at, dot)) != NULL; at += length)
      if (at[length] == ' ') return &languages[i];
  return &other_language;
}

/* ---- Snippets ---- */

struct snippets { /* the plain one is the first, without a name */
  struct named_snippet {
    char *name, *text;
  } * items;
  size_t count;
};

static hone_status read_text(const char *path, size_t limit, bool is_target, char **out_text)
{
  size_t size = 0;
  hone_status status =
      (is_target ? hone__file_read_plain : hone__file_read)(path, limit, out_text, &size);

  if (status || !memchr(*out_text, 0, size)) return status;
  free(*out_text);
  *out_text = NULL;
  return hone__error(HONE_IO, "'%s' is not a text file: it holds NUL bytes", path);
}

static const char *find_snippet(const struct snippets *snippets, const char *name)
{
  for (size_t i = 0; i < snippets->count; i++)
    if (strcmp(snippets->items[i].name, name) == 0) return snippets->items[i].text;
  return NULL;
}

static hone_status add_snippet(struct snippets *snippets, const char *name, const char *path)
{
  struct named_snippet *item = &snippets->items[snippets->count];
  hone_status status = read_text(path, MOST_SNIPPET_BYTES, false, &item->text);

  if (status) return status;
  item->name = hone__strdup(name);
  snippets->count++;
  return NULL;
}

/* NAME=FILE */
static hone_status add_variant(struct snippets *snippets, const char *variant)
{
  const char *equals = strchr(variant, '=');
  hone_status status;
  char *name;

  if (!equals || equals == variant || !equals[1])
    return hone__error(HONE_INVALID_ARGUMENT, "invalid snippet variant '%s': expected NAME=FILE",
                       variant);
  name = hone__strdup(variant);
  name[equals - variant] = 0;
  if (find_snippet(snippets, name))
    status = hone__error(HONE_INVALID_ARGUMENT, "duplicate snippet variant '%s'", name);
  else
    status = add_snippet(snippets, name, equals + 1);
  free(name);
  return status;
}

static hone_status read_snippets(struct snippets *snippets,
                                 const struct hone_export_options *options)
{
  hone_status status;

  snippets->items = hone__alloc((options->variant_count + 1) * sizeof *snippets->items);
  status = add_snippet(snippets, "", options->snippet);
  for (size_t i = 0; i < options->variant_count && !status; i++)
    status = add_variant(snippets, options->variants[i]);
  return status;
}

static void release_snippets(struct snippets *snippets)
{
  for (size_t i = 0; i < snippets->count; i++) {
    free(snippets->items[i].name);
    free(snippets->items[i].text);
  }
  free(snippets->items);
}

/* ---- The lines of the region ---- */

struct style { /* of generated lines, nothing is NULL */
  unsigned indent;
  const char *comment, *separator;
  char *label;
};

static const char *file_name(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

static struct style choose_style(const struct hone_export_options *options)
{
  const struct language *language = language_of(options->target);
  struct style style = {.indent = options->indent,
                        .comment = options->comment ? options->comment : language->comment,
                        .separator = options->separator ? options->separator : language->separator};
  struct hone__text label = {0};

  if (options->source_label)
    hone__text_add(&label, options->source_label);
  else if (options->manifest)
    hone__text_add(&label, file_name(options->manifest));
  for (size_t i = 0; i < options->result_count && !options->source_label; i++)
    hone__text_addf(&label, "%s%s", label.length ? ", " : "",
                    file_name(options->results[i]->origin));
  style.label = hone__text_take(&label);
  for (char *at = style.label; *at; at++) /* a label is one line, whatever a file is called */
    if ((unsigned char)*at < ' ') *at = '?';
  return style;
}

static void add_comment(const struct style *style, struct hone__text *lines, const char *format,
                        ...) HONE__PRINTF(3, 4);
static void add_comment(const struct style *style, struct hone__text *lines, const char *format,
                        ...)
{
  va_list args;

  if (!*style->comment) return;
  hone__text_addf(lines, "%*s%s ", (int)style->indent, "", style->comment);
  va_start(args, format);
  hone__text_vaddf(lines, format, args);
  va_end(args);
  hone__text_add(lines, "\n");
}

static bool ends_with(const struct hone__text *text, const char *end)
{
  size_t length = strlen(end);

  return text->length >= length && memcmp(text->data + text->length - length, end, length) == 0;
}

static hone_status add_entry(const struct hone__entry *entry, size_t index,
                             const struct snippets *snippets, const struct style *style,
                             struct hone__text *lines)
{
  const char *snippet = find_snippet(snippets, entry->variant ? entry->variant : "");
  hone_status status;

  if (!snippet)
    return hone__error(HONE_INVALID_ARGUMENT, "params[%zu] references unknown template '%s'", index,
                       entry->variant);
  add_comment(style, lines, "Automatically generated from [%s]", style->label);
  add_comment(style, lines, "index: [%zu]", index);
  status = hone__snippet_render(snippet, entry, style->indent, lines);
  if (status) return hone__annotate(status, "params[%zu]", index);
  if (!ends_with(lines, style->separator)) hone__text_add(lines, style->separator);
  hone__text_add(lines, "\n");
  return NULL;
}

static hone_status make_lines(const struct hone_export_options *options,
                              const struct hone__manifest *manifest, struct hone__text *lines)
{
  struct style style = choose_style(options);
  struct snippets snippets = {0};
  hone_status status = read_snippets(&snippets, options);

  hone__text_add(lines, "");
  for (size_t i = 0; i < manifest->count && !status; i++)
    status = add_entry(&manifest->entries[i], i, &snippets, &style, lines);
  release_snippets(&snippets);
  free(style.label);
  return status;
}

/* ---- The whole ---- */

static const struct hone_export_options defaults = {
    .begin_marker = "hone:begin", .end_marker = "hone:end", .indent = 8};

void hone_export_options_fill(struct hone_export_options *options, size_t size)
{
  hone__options_fill(options, size, &defaults, sizeof defaults);
}

static hone_status gather(const struct hone_export_options *options,
                          struct hone__manifest *manifest)
{
  hone_status status = NULL;

  if (!options->snippet || !options->target)
    return hone__error(HONE_INVALID_ARGUMENT, "a snippet and a target are needed");
  if (!options->manifest && !options->result_count)
    return hone__error(HONE_INVALID_ARGUMENT, "nothing to export: give a manifest or a run");
  if (options->manifest) status = hone__manifest_read(options->manifest, manifest);
  for (size_t i = 0; i < options->result_count && !status; i++) {
    size_t row = options->rows ? options->rows[i] : SIZE_MAX;
    status = hone__manifest_add_row(manifest, options->results[i], row, options->metric);
  }
  return status;
}

static hone_status compose(const struct hone_export_options *options, const char *old_text,
                           const struct hone__manifest *manifest, struct hone__text *new_text)
{
  struct hone__region region;
  struct hone__text lines = {0};
  hone_status status = make_lines(options, manifest, &lines);

  if (!status) {
    status = hone__region_find(old_text, options->begin_marker, options->end_marker, &region);
    status = hone__annotate(status, "%s", options->target);
  }
  if (!status) hone__region_replace(old_text, &region, lines.data, new_text);
  hone__text_release(&lines);
  return status;
}

static hone_status finish(const struct hone_export_options *options, const char *old_text,
                          const struct hone__text *new_text, struct hone_export_result *result)
{
  struct hone__text diff = {0}, name = {0};

  result->is_stale = strcmp(old_text, new_text->data) != 0;
  hone__text_addf(&name, "%s (generated)", options->target);
  hone__region_diff(old_text, new_text->data, options->target, name.data, &diff);
  result->diff = hone__text_take(&diff);
  hone__text_release(&name);
  if (options->check || !result->is_stale) return NULL;
  return hone__file_replace(options->target, new_text->data, new_text->length);
}

static hone_status export_entries(const struct hone_export_options *options,
                                  struct hone_export_result *result)
{
  struct hone__manifest manifest = {0};
  struct hone__text new_text = {0};
  char *old_text = NULL;
  hone_status status = gather(options, &manifest);

  if (!status) status = read_text(options->target, MOST_TARGET_BYTES, true, &old_text);
  if (!status) status = compose(options, old_text, &manifest, &new_text);
  if (!status) {
    result->entry_count = manifest.count;
    status = finish(options, old_text, &new_text, result);
  }
  free(old_text);
  hone__text_release(&new_text);
  hone__manifest_release(&manifest);
  return status;
}

hone_status hone_export(const struct hone_export_options *options,
                        struct hone_export_result **out_result)
{
  struct hone_export_options own = defaults;
  struct hone_export_result *result;
  hone_status status = hone__options_take(&own, sizeof own, options, "hone_export_options");

  *out_result = NULL;
  if (status) return status;
  result = hone__alloc(sizeof *result);
  status = export_entries(&own, result);
  if (status)
    hone_export_result_free(result);
  else
    *out_result = result;
  return status;
}

void hone_export_result_free(struct hone_export_result *result)
{
  if (result) free(result->diff);
  free(result);
}

HONE__GET(bool, hone_export_result, is_stale, is_stale)
HONE__GET(size_t, hone_export_result, entry_count, entry_count)
HONE__GET(const char *, hone_export_result, diff, diff)
