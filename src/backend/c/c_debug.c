/* What a compiler knows of a candidate's functions. Its object is made once for a problem, without
 * optimisation, and read, never loaded. Some sources compile only with optimisation: those whose
 * intrinsics need constants that inlining gives.
 */
#include "backend/c/c_backend.h"

#include "backend/c/c_object.h"
#include "backend/c/compiler.h"
#include "source/debug_info.h"
#include "backend/kernel/pipeline.h"
#include "backend/source_file.h"
#include "base/file.h"
#include "base/folder.h"
#include "build/build_folder.h"

#include <stdlib.h>

enum { MOST_SECONDS = 20 };

static char *path_in(const char *folder, const char *name)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/%s", folder, name);
  return hone__text_take(&path);
}

/* The source itself, or one that includes it and has a typed pointer to each entry; NULL: it cannot
 * be written. free(). */
static char *source_in(const char *folder, const struct hone__kernel_candidate *candidate)
{
  struct hone__text entries = {0}, text = {0};
  struct hone__c_entry entry = {
      .source = candidate->source, .is_c = strcmp(candidate->language, "c") == 0, .is_typed = true};
  char *path = NULL;

  hone__pipeline_entries(candidate, &entries);
  entry.entries = entries.data;
  if (hone__c_entry_is_plain(entries.data) &&
      !hone__backend_source_file_is_header(candidate->source)) {
    path = hone__strdup(candidate->source);
  } else {
    hone__c_entry_source(&entry, &text);
    path = path_in(folder, hone__c_entry_file(entry.is_c));
    if (!hone__file_make(path, text.data, text.length)) {
      free(path);
      path = NULL;
    }
  }
  hone__text_release(&entries);
  hone__text_release(&text);
  return path;
}

static bool compile(const struct hone__kernel_candidate *candidate, const char *directory,
                    const char *source, const char *object, const char *level)
{
  const char *const more[] = {"-g", "-w", "-fno-lto", level};
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  bool is_good;

  hone__compiler_words(candidate, source, object, NULL, NULL, &words);
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    hone__words_add(&words, more[i]);
  hone__child_run(&(struct hone__child_options){.argv = (const char *const *)words.data,
                                                .directory = directory,
                                                .timeout_s = MOST_SECONDS},
                  &result);
  is_good = result.end == HONE__CHILD_EXITED && result.code == 0;
  hone__child_result_release(&result);
  hone__words_release(&words);
  return is_good;
}

static bool compile_in(const char *folder, const struct hone__kernel_setup *setup,
                       const struct hone__kernel_candidate *candidate)
{
  char *source = source_in(folder, candidate), *object = path_in(folder, "kernel.so");
  char *directory = hone__build_directory(setup->folder ? setup->folder : "", candidate->source);
  bool is_good = source && (compile(candidate, directory, source, object, "-O0") ||
                            compile(candidate, directory, source, object, "-O1"));

  free(directory);
  free(source);
  free(object);
  return is_good;
}

char *hone__c_debug_compile(const struct hone__kernel_setup *setup,
                            const struct hone__kernel_candidate *candidate)
{
  char *folder = NULL;

  if (candidate->command || !candidate->compiler) return NULL;
  hone_status_free(hone__folder_make(NULL, &folder));
  if (!folder || compile_in(folder, setup, candidate)) return folder;
  hone__folder_remove(folder);
  free(folder);
  return NULL;
}

bool hone__c_debug_find(const char *folder, const struct hone__kernel_candidate *candidate,
                        const char *entry, const char *name, struct hone__arena *arena,
                        struct hone__prototype *out_prototype)
{
  char *object = path_in(folder, "kernel.so");
  struct hone__text pointer = {0};
  bool is_found;

  if (!hone__c_entry_is_plain(entry)) hone__c_entry_symbol(entry, &pointer);
  is_found = hone__code_debug_info_find(object, candidate->source, entry, name, pointer.data, arena,
                                        out_prototype);
  hone__text_release(&pointer);
  free(object);
  return is_found;
}
