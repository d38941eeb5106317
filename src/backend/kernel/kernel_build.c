/* The run knows a candidate by its source: another text must not go by the same name. */
#include "backend/kernel/kernel_build.h"

#include "build/build_outcome.h"
#include "build/command.h"
#include "wire/message_text.h"

#include <stdlib.h>

bool hone__kernel_is_c(const json_t *candidate)
{
  return strcmp(hone__message_text(candidate, "backend"), hone__kernel_kind_c.backend) == 0;
}

/* ---- Sources ---- */

bool hone__kernel_source_read(const json_t *candidate, struct hone__answer *answer,
                              struct hone__source_text *out_source)
{
  const char *source = hone__message_text(candidate, "source");
  const char *known = hone__message_text(candidate, "source_digest");
  hone_status status = hone__source_text_read(source, out_source);

  if (status) {
    hone__build_fail(answer, HONE__OUTCOME_COMPILE_ERROR, hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  if (!*known || strcmp(known, out_source->digest) == 0) return true;
  hone__build_source_changed(answer, source);
  return false;
}

const char *hone__kernel_short_name(const char *source, const char *folder)
{
  size_t length = strlen(folder);

  return hone__starts_with(source, folder) && source[length] == '/' ? source + length + 1 : source;
}

/* ---- Commands ---- */

void hone__kernel_print_command(const json_t *setup, const json_t *words, bool needs_folder,
                                struct hone__text *out_command)
{
  const char *folder = hone__message_text(setup, "folder");
  struct hone__text line = {0};

  if (*folder && needs_folder) {
    hone__text_add(&line, "cd");
    hone__command_add(&line, folder);
    hone__text_add(&line, " &&");
  }
  hone__command_print(&line, words);
  if (line.length) hone__text_add(out_command, line.data);
  hone__text_release(&line);
}

void hone__kernel_add_command(const json_t *setup, const json_t *candidate,
                              hone_status (*print)(const json_t *setup, const json_t *candidate,
                                                   struct hone__text *out_command),
                              struct hone__answer *answer)
{
  struct hone__text command = {0};

  hone_status_free(print(setup, candidate, &command));
  json_object_set_new(answer->head, "command", hone__json_string(command.data, command.length));
  hone__text_release(&command);
}

/* ---- One build ---- */

static bool look_at_source(const struct hone__kernel_compiler *compiler,
                           struct hone__kernel_build *build)
{
  struct hone__digester *digester;

  if (!hone__kernel_source_read(build->candidate, build->answer, &build->text)) return false;
  digester = hone__digest_begin();
  compiler->identify(build, digester);
  hone__digest_end(digester, build->key);
  compiler->look(build);
  return true;
}

static const char *cache_key(const struct hone__kernel_build *build)
{
  return build->is_cached ? build->key : NULL;
}

static void do_build(const struct hone__kernel_compiler *compiler, const json_t *job,
                     struct hone__kernel_build *build)
{
  hone__kernel_add_command(build->setup, build->candidate, compiler->print, build->answer);
  if (look_at_source(compiler, build) &&
      !hone__build_cache_answer(cache_key(build), hone__dependency_digest, job, build->answer) &&
      hone__build_folder_enter(&build->workdir, compiler->object, build->answer))
    compiler->compile(build);
  hone__build_folder_leave(&build->workdir);
}

void hone__kernel_build(const struct hone__kernel_compiler *compiler, const json_t *setup,
                        const json_t *job, struct hone__answer *answer)
{
  struct hone__kernel_build build = {.setup = setup,
                                     .candidate = json_object_get(job, "candidate"),
                                     .timeout_s = hone__build_timeout_s(setup, job),
                                     .deps = json_array(),
                                     .answer = answer};

  if (!answer->head) answer->head = json_object();
  build.source = hone__message_text(build.candidate, "source");
  build.entry = hone__message_text(build.candidate, "entry");
  build.folder = hone__build_directory(hone__message_text(setup, "folder"), build.source);
  if (!*build.source || (compiler->needs_entry && !*build.entry))
    hone__build_fail(answer, HONE__OUTCOME_PROTOCOL,
                     compiler->needs_entry ? "a build without a source or an entry"
                                           : "a build without a source");
  else
    do_build(compiler, job, &build);
  json_decref(build.deps);
  free(build.folder);
  hone__source_text_release(&build.text);
}

void hone__kernel_build_end(const struct hone__kernel_build *build, const char *program,
                            const struct hone__child_result *result,
                            void (*inspect)(void *data, const struct hone__build_folder *folder,
                                            struct hone__answer *answer),
                            void *data)
{
  struct hone__build_end end = {
      .key = cache_key(build),
      .deps = build->deps,
      .deps_are_all = build->deps_are_all,
      .program = program,
      .result = result,
      .macros = {json_object_get(build->candidate, "defines"), build->source, build->folder},
      .inspect = inspect,
      .data = data};

  hone__build_cache_end(&end, &build->workdir, build->answer);
}
