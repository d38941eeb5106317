/* In the driver: the files that a build of a kernel reads. */
#include "backend/kernel/kernel_build.h"

#include "build/build_folder.h"
#include "build/user_files.h"

#include <stdlib.h>

static void add_files(const struct hone__kernel_setup *setup,
                      const struct hone__kernel_candidate *candidate, struct hone__pairs *out_files)
{
  struct hone__user_files files = {.source = candidate->source,
                                   .words =
                                       candidate->command ? candidate->command : candidate->flags,
                                   .includes = candidate->includes,
                                   .is_command = candidate->command != NULL};
  char *folder = hone__build_directory(setup->folder ? setup->folder : "", candidate->source);

  files.folder = folder;
  hone__user_files_add(&files, out_files);
  free(folder);
}

hone_status hone__kernel_build_files(const struct hone__packed *setup,
                                     const struct hone__packed *candidate,
                                     struct hone__pairs *out_files)
{
  struct hone__arena arena = {0};
  struct hone__kernel_setup read_setup;
  struct hone__kernel_candidate read;
  hone_status status = hone__unpack(setup, &hone__kernel_setup_type, &arena, &read_setup);

  if (!status) status = hone__unpack(candidate, &hone__kernel_candidate_type, &arena, &read);
  if (!status && read.source) add_files(&read_setup, &read, out_files);
  hone__arena_release(&arena);
  return status;
}
