/* In the driver: the files that a build of a program reads, or a run of one that is not built. */
#include "backend/program/program_backend.h"

#include "backend/language.h"
#include "backend/program/program_plan.h"
#include "build/user_files.h"

static void add_files(const struct hone__program_setup *setup,
                      const struct hone__program_candidate *candidate,
                      struct hone__pairs *out_files)
{
  const struct hone__language *language = hone__language_find(candidate->language);
  const struct hone__user_files files = {
      .source = candidate->source,
      .words = candidate->build ? candidate->build : candidate->run,
      .folder = candidate->template ? setup->folder : setup->directory,
      .is_command = candidate->template};
  struct hone__pairs imports = {0};

  hone__user_files_add(&files, out_files);
  if (language) hone__program_imports(language, candidate->source, NULL, &imports);
  for (size_t i = 0; i < imports.count; i++)
    hone__user_files_add_one(out_files, imports.data[i].name);
  hone__pairs_release(&imports);
}

hone_status hone__program_build_files(const struct hone__packed *setup,
                                      const struct hone__packed *candidate,
                                      struct hone__pairs *out_files)
{
  struct hone__arena arena = {0};
  struct hone__program_setup read_setup;
  struct hone__program_candidate read;
  hone_status status = hone__unpack(setup, &hone__program_setup_type, &arena, &read_setup);

  if (!status) status = hone__unpack(candidate, &hone__program_candidate_type, &arena, &read);
  if (!status && read_setup.serve)
    status = hone__error(HONE_UNAVAILABLE, "a program that stays is built on this host only");
  if (!status) add_files(&read_setup, &read, out_files);
  hone__arena_release(&arena);
  return status;
}
