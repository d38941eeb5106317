/* The source is read as text (source_functions.h). If that does not determine the function, the
 * spec has to name it.
 */
#include "backend/kernel/kernel_entry.h"

#include "source/source_functions.h"
#include "backend/source_file.h"
#include "base/file.h"
#include "base/paths.h"
#include "build/build_includes.h"
#include "build/source_text.h"

#include <stdlib.h>

enum { MOST_BYTES = 1 << 24, MOST_NAMES = 8 };

static enum hone__code_language language_of(const struct hone__kernel_kind *kind, const char *path)
{
  bool is_cplusplus =
      kind->functions == HONE__FUNCTIONS_C && hone__backend_source_file_is_cplusplus(path);

  return is_cplusplus ? HONE__FUNCTIONS_CPLUSPLUS : kind->functions;
}

/* ---- Several, or none ---- */

static const char *name_of(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

static void list(const struct hone__code_functions *functions, struct hone__text *out)
{
  size_t count = functions->count < MOST_NAMES ? functions->count : MOST_NAMES;

  for (size_t i = 0; i < count; i++)
    hone__text_addf(out, "%s'%s' (line %d)", i ? ", " : "", functions->list[i].name,
                    functions->list[i].line);
  if (functions->count > count) hone__text_addf(out, " and %zu more", functions->count - count);
}

static void explain(const struct hone__code_functions *functions, const char *file,
                    struct hone__text *out)
{
  const struct hone__code_function *first = functions->list;

  if (!functions->count) {
    hone__text_addf(out,
                    "no 'entry': name the function to call, as in 'entry: sgemm'; no function in "
                    "'%s' is certainly the kernel",
                    file);
  } else if (functions->count > 1) {
    hone__text_addf(out, "no 'entry', and '%s' has %zu functions that may be the kernel: ", file,
                    functions->count);
    list(functions, out);
    hone__text_addf(out, "; name one of them, as in 'entry: %s'", first->name);
  } else if (first->is_template || first->is_scoped) {
    hone__text_addf(out, "no 'entry': '%s' (line %d of '%s') is %s, as in 'entry: %s'", first->name,
                    first->line, file,
                    first->is_template ? "a template: name it with its arguments"
                                       : "in a namespace: name it in full",
                    first->is_template ? "\"gemm<BM, float>\"" : "tiled::gemm");
  } else {
    hone__text_addf(out,
                    "no 'entry': name the function to call, as in 'entry: %s'; macros in '%s' may "
                    "hide others than '%s' (line %d)",
                    first->name, file, first->name, first->line);
  }
}

static bool is_certain(const struct hone__code_functions *functions)
{
  return functions->is_sure && functions->count == 1 && !functions->list[0].is_template &&
         !functions->list[0].is_scoped;
}

/* ---- The kernel's ---- */

/* A source with a NUL is text only up to there: nothing is reported then. */
static hone_status find(const char *path, const struct hone__kernel_kind *kind,
                        struct hone__arena *arena, struct hone__code_functions *out_functions)
{
  char *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, MOST_BYTES, &text, &size);

  *out_functions = (struct hone__code_functions){0};
  if (!status) hone__code_functions_find(text, language_of(kind, path), arena, out_functions);
  if (!status && strlen(text) != size) out_functions->is_sure = false;
  free(text);
  return status;
}

static hone_status place(const struct hone__task *task, const char *words)
{
  return hone__backend_spec_error(task->spec, hone__task_setting(task, "file"), "%s", words);
}

static hone_status infer(const struct hone__task *task, const struct hone__kernel_kind *kind)
{
  char *path = hone__kernel_source(task);
  struct hone__arena arena = {0};
  struct hone__code_functions functions;
  struct hone__text words = {0};
  hone_status status = find(path, kind, &arena, &functions);

  if (status)
    hone__text_add(&words, hone_status_message(status));
  else if (is_certain(&functions))
    *task->memory = (struct hone__task_memory){hone__strdup(functions.list[0].name), free};
  else
    explain(&functions, name_of(path), &words);
  hone_status_free(status);
  status = words.length ? place(task, words.data) : NULL;
  hone__text_release(&words);
  hone__arena_release(&arena);
  free(path);
  return status;
}

hone_status hone__kernel_entry(const struct hone__task *task, const struct hone__kernel_kind *kind,
                               const char **out_entry)
{
  const struct hone__node *given = hone__kernel_is_pipeline(task)
                                       ? hone__kernel_first_entry(task)
                                       : hone__task_setting(task, "entry");
  hone_status status = NULL;

  *out_entry = given && given->kind == HONE__SCALAR ? given->text : NULL;
  if (*out_entry) return NULL;
  if (hone__kernel_is_pipeline(task))
    return hone__backend_spec_error(task->spec, hone__task_setting(task, "stages"),
                                    "the pipeline has no kernel, but functions on the host");
  if (!task->spec->file)
    return hone__backend_spec_error(task->spec, NULL, "no 'file': name the kernel's source");
  if (!task->memory->data) status = infer(task, kind);
  *out_entry = task->memory->data;
  return status;
}

/* ---- A reference's ---- */

/* `"name"` at this place: whether a file of the list is meant. */
static bool is_found(const char *quoted, const struct hone__pairs *included)
{
  char *name = hone__strndup(quoted + 1, strcspn(quoted + 1, "\"\n"));
  bool found = false;

  for (size_t i = 0; i < included->count && !found; i++)
    found = hone__ends_with(included->data[i].name, name);
  free(name);
  return found;
}

static bool lacks_header(const char *text, const struct hone__pairs *included)
{
  for (const char *at = text; (at = strstr(at, "include")); at++) {
    const char *behind = at + strlen("include");
    behind += strspn(behind, " \t");
    if (*behind == '"' && !is_found(behind, included)) return true;
  }
  return false;
}

/* It has the word, or includes a file that is not there. */
static bool is_open(const char *path, const char *entry, const struct hone__pairs *included)
{
  struct hone__build_source_text source;
  hone_status status = hone__build_source_text_read(path, &source);
  bool open = status || hone__build_source_has_word(&source.text, entry, strlen(entry)) ||
              (source.text.length && lacks_header(source.text.data, included));

  hone_status_free(status);
  hone__build_source_text_release(&source);
  return open;
}

/* Unless none of the files has its name, and all of them are known. */
static bool may_have(const char *path, const char *const *includes, const char *entry)
{
  char *folder = hone__path_folder(path);
  const struct hone__include_paths paths = {.source = path, .includes = includes, .folder = folder};
  struct hone__pairs included = {0};
  bool has = !hone__build_includes(&paths, &included) || is_open(path, entry, &included);

  for (size_t i = 0; i < included.count && !has; i++)
    has = is_open(included.data[i].name, entry, &included);
  hone__pairs_release(&included);
  free(folder);
  return has;
}

char *hone__kernel_reference_entry(const char *path, const char *const *includes,
                                   const struct hone__kernel_kind *kind, const char *kernel_entry)
{
  struct hone__arena arena = {0};
  struct hone__code_functions functions = {0};
  char *entry = NULL;

  if (!may_have(path, includes, kernel_entry))
    hone_status_free(find(path, kind, &arena, &functions));
  entry = hone__strdup(is_certain(&functions) ? functions.list[0].name : kernel_entry);
  hone__arena_release(&arena);
  return entry;
}
