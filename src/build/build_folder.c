/* Files of a killed compiler are in its folder, and are removed with it. */
#include "build/build_folder.h"

#include "build/build_outcome.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/machine.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OBJECT_BYTES = 1 << 29, DEFAULT_TIMEOUT_S = 60 };
static const size_t least_memory_bytes = (size_t)2 << 30;

/* ---- The folder ---- */

char *hone__build_folder_path(const struct hone__build_folder *folder, const char *name)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s/%s", folder->folder, name);
  return hone__text_take(&text);
}

bool hone__build_folder_enter(struct hone__build_folder *folder, const char *object,
                              struct hone__answer *answer)
{
  hone_status status = hone__folder_make(NULL, &folder->folder);

  if (status) {
    hone__build_fail_with(answer, status);
    return false;
  }
  folder->object = hone__build_folder_path(folder, object);
  folder->deps = hone__build_folder_path(folder, "deps.d");
  return true;
}

void hone__build_folder_leave(struct hone__build_folder *folder)
{
  hone__folder_remove(folder->folder);
  free(folder->folder);
  free(folder->object);
  free(folder->deps);
  *folder = (struct hone__build_folder){0};
}

/* ---- The compiler ---- */

bool hone__build_folder_run(const struct hone__build_folder *folder, const char *const *words,
                            const char *directory, double timeout_s, double idle_s,
                            const char *without, struct hone__child_result *out_result,
                            struct hone__answer *answer)
{
  struct hone__text temporary = {0};
  const char *variables[] = {"LC_ALL=C", NULL, without, NULL};
  struct hone__child_options options = {.directory = directory,
                                        .timeout_s = timeout_s,
                                        .idle_s = idle_s,
                                        .grace_s = 0.5,
                                        .memory_bytes = hone__memory_half(least_memory_bytes),
                                        .file_bytes = MOST_OBJECT_BYTES,
                                        .variables = variables};

  if (!words || !words[0] || !*words[0]) {
    hone__build_fail(answer, HONE_OUTCOME_COMPILE_ERROR, "the build command is empty");
    return false;
  }
  options.argv = words;
  hone__text_addf(&temporary, "TMPDIR=%s", folder->folder);
  variables[1] = temporary.data;
  hone__child_run(&options, out_result);
  hone__text_release(&temporary);
  return true;
}

/* ---- The object ---- */

static void miss(const struct hone__build_folder *folder, const char *program,
                 const struct hone__child_result *result, hone_status status,
                 struct hone__answer *answer)
{
  if (status && access(folder->object, F_OK) == 0) {
    hone__build_fail(answer, HONE_OUTCOME_COMPILE_ERROR, hone_status_message(status));
  } else {
    hone__build_fail(answer, HONE_OUTCOME_COMPILE_ERROR, "");
    hone__text_addf(&answer->evidence, "'%s' exited with status 0%s but %s", program,
                    result->output.length ? "" : " and without output",
                    access(folder->object, F_OK) == 0 ? "its output file is empty"
                                                      : "wrote no output file");
  }
  hone_status_free(status);
}

bool hone__build_folder_take(const struct hone__build_folder *folder, const char *program,
                             const struct hone__child_result *result, struct hone__answer *answer)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(folder->object, MOST_OBJECT_BYTES, &bytes, &size);

  if (status || !size)
    miss(folder, program, result, status, answer);
  else
    hone__text_addn(&answer->payload, bytes, size);
  free(bytes);
  return answer->payload.length > 0;
}

/* ---- Settings of the job ---- */

double hone__build_timeout_s(double of_job, double of_setup)
{
  if (of_job > 0) return of_job;
  return of_setup > 0 ? of_setup : DEFAULT_TIMEOUT_S;
}

char *hone__build_directory(const char *wanted, const char *source)
{
  struct stat info;
  char *parent, *slash;

  if (*wanted && stat(wanted, &info) == 0 && S_ISDIR(info.st_mode)) return hone__strdup(wanted);
  parent = hone__strdup(source);
  slash = strrchr(parent, '/');
  if (slash) slash[slash == parent] = 0; /* "/" stays */
  return parent;
}
