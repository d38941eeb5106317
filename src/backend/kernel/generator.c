#include "backend/kernel/generator.h"

#include "backend/command_template.h"
#include "backend/kernel/compiler_words.h"
#include "backend/setting.h"
#include "build/build_includes.h"
#include "build/build_outcome.h"
#include "base/file.h"
#include "base/paths.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 256 << 20 };

/* ---- In the driver ---- */

/* Names that the worker replaces. */
static hone_status expand(const struct hone__kernel_origin *origin, const uint32_t *row,
                          const struct hone__node *node, const char *arch, const char *const *words,
                          struct hone__words *out_command)
{
  const struct hone__placeholder places[] = {{"source", "{source}"},
                                             {"output", "{output}"},
                                             {"out", "{output}"},
                                             {"compiler", "{compiler}"},
                                             {"depfile", "{depfile}"},
                                             {arch ? "arch" : NULL, arch},
                                             {NULL, NULL}};
  static const char *const flags[] = {"{flags}", NULL}, *const includes[] = {"{includes}", NULL},
                           *const defines[] = {"{defines}", NULL},
                           *const compiler[] = {"{compiler}", NULL};
  static const struct hone__placeholder_list lists[] = {{"flags", flags},
                                                        {"includes", includes},
                                                        {"defines", defines},
                                                        {"compiler", compiler},
                                                        {NULL, NULL}};
  const struct hone__command_template template = {.task = origin->task,
                                                  .row = row,
                                                  .node = node,
                                                  .spelling = HONE__TRUE_IS_1,
                                                  .places = places,
                                                  .lists = lists};

  return hone__command_expand(&template, words, out_command);
}

/* The kernel's command is used for a reference only if it has a place for the source, and if the
 * reference has no compiler of its own. */
static bool is_for(const struct hone__kernel_origin *origin, const struct hone__node *node,
                   const char *const *words)
{
  const struct hone__task *task = origin->task;

  if (!origin->is_reference || node != hone__task_setting(task, "build.command")) return true;
  return hone__command_mentions(words, "source") &&
         !hone__task_setting(task, "reference.build.compiler");
}

hone_status hone__generator_command(const struct hone__kernel_origin *origin, const uint32_t *row,
                                    struct hone__arena *arena,
                                    struct hone__kernel_candidate *candidate)
{
  const struct hone__node *node = hone__kernel_setting(origin, "command");
  const struct hone__wire_device_facts *device = origin->task->device;
  struct hone__words words = {0}, command = {0};
  hone_status status = hone__setting_words(origin->task, node, &words);
  const char *const *given = (const char *const *)words.data;
  bool is_used = !status && given && is_for(origin, node, given);

  if (is_used) status = expand(origin, row, node, device ? device->arch : NULL, given, &command);
  if (is_used && !status && !hone__command_mentions((const char *const *)command.data, "output"))
    status = hone__backend_spec_error(origin->task->spec, node,
                                      "'build.command' needs {output}, the file to write");
  if (is_used && !status)
    hone__kernel_keep_words(&command, arena, &candidate->command, &candidate->command_count);
  hone__words_release(&words);
  hone__words_release(&command);
  return status;
}

/* ---- Words ---- */

static void add_all_flags(struct hone__words *words, const struct hone__kernel_candidate *candidate)
{
  hone__kernel_add_flags(words, candidate, false);
  hone__kernel_add_flags(words, candidate, true);
}

static const struct list_word {
  const char *word;
  void (*add)(struct hone__words *words, const struct hone__kernel_candidate *candidate);
} list_words[] = {
    {"{flags}", add_all_flags},
    {"{includes}", hone__kernel_add_includes},
    {"{defines}", hone__kernel_add_defines},
    {"{compiler}", hone__kernel_add_compiler},
};
enum { LIST_WORD_COUNT = sizeof list_words / sizeof *list_words };

static const struct list_word *find_list_word(const char *word)
{
  for (size_t i = 0; i < LIST_WORD_COUNT; i++)
    if (strcmp(list_words[i].word, word) == 0) return &list_words[i];
  return NULL;
}

/* The source as a program: a name alone would be looked for in PATH. */
static void add_source_as_program(const char *source, struct hone__words *out_words)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s%s", strchr(source, '/') ? "" : "./", source);
  hone__words_add(out_words, path.data);
  hone__text_release(&path);
}

void hone__generator_words(const struct hone__kernel_candidate *candidate, const char *source,
                           const char *output, const char *deps, struct hone__words *out_words)
{
  struct hone__pairs values = {0};

  hone__pairs_add(&values, "source", source);
  hone__pairs_add(&values, "output", output);
  hone__pairs_add(&values, "compiler", candidate->compiler ? candidate->compiler : "");
  hone__pairs_add(&values, "depfile", deps ? deps : "kernel.d");
  for (size_t i = 0; i < candidate->command_count; i++) {
    const struct list_word *list = find_list_word(candidate->command[i]);
    const char *const one[] = {candidate->command[i], NULL};
    if (list)
      list->add(out_words, candidate);
    else if (!i && strcmp(one[0], "{source}") == 0)
      add_source_as_program(source, out_words);
    else
      hone__command_fill(one, &values, out_words);
  }
  hone__pairs_release(&values);
}

bool hone__generator_print(const struct hone__kernel_order *order, const char *object,
                           struct hone__text *out_command)
{
  const struct hone__kernel_candidate *candidate = &order->candidate;
  struct hone__words words = {0};

  if (!candidate->command) return false;
  hone__generator_words(candidate, candidate->source, object, NULL, &words);
  hone__kernel_print_command(&order->setup, (const char *const *)words.data, true, out_command);
  hone__words_release(&words);
  return true;
}

/* ---- Files that it reads ---- */

/* Those that the command names, those that the source includes, and those next to it. deps_are_all:
 * as far as the source's lines show. */
void hone__generator_look(struct hone__kernel_build *build)
{
  const struct hone__kernel_candidate *candidate = build->candidate;
  const char *source = hone__kernel_short_name(candidate->source, build->folder);
  struct hone__include_paths paths = {
      .source = candidate->source, .includes = candidate->includes, .folder = build->folder};
  struct hone__words words = {0};
  const char *const *list;

  hone__generator_words(candidate, source, "{output}", "{depfile}", &words);
  list = hone__words_list(&words);
  paths.flags = list; /* -I may stand in any of them */
  build->deps_are_all = hone__build_includes(&paths, &build->deps);
  hone__build_deps_add_named(&build->deps, list, 0, source, build->folder, hone__dependency_digest);
  hone__build_deps_add_siblings(&build->deps, candidate->source);
  build->is_cached = build->deps_are_all || hone__command_mentions(candidate->command, "depfile");
  hone__words_release(&words);
}

static void add_listed(struct hone__kernel_build *build, const char *source)
{
  if (hone__build_deps_add_listed(&build->deps, build->workdir.deps, source, build->folder,
                                  hone__dependency_digest))
    build->deps_are_all = true;
}

/* ---- What a file is ---- */

bool hone__generator_is_text(const char *bytes, size_t size)
{
  return !memchr(bytes, 0, size);
}

bool hone__generator_is_elf(const char *bytes, size_t size, unsigned *out_machine,
                            unsigned *out_type)
{
  Elf64_Ehdr head;

  if (size < sizeof head || memcmp(bytes, ELFMAG, SELFMAG) != 0) return false;
  memcpy(&head, bytes, sizeof head);
  *out_machine = head.e_machine;
  *out_type = head.e_type;
  return true;
}

/* The suffix for the compiler; NULL: it is the object. */
static const char *suffix_of(const struct hone__kernel_build *build, const char *path)
{
  char *bytes = NULL;
  size_t size = 0;
  const char *suffix = NULL;

  hone_status_free(hone__file_read(path, MOST_BYTES, &bytes, &size));
  if (bytes && size) suffix = build->compiler->recognise(build->candidate, bytes, size);
  free(bytes);
  return suffix;
}

/* ---- Code ---- */

static void take(struct hone__kernel_build *build, const char *program,
                 struct hone__child_result *result)
{
  build->is_given = true;
  if (build->compiler->take)
    build->compiler->take(build, program, result);
  else
    hone__kernel_build_end(build, program, result, NULL, NULL);
}

bool hone__generator_is_done(struct hone__kernel_build *build)
{
  struct hone__child_result result = {.end = HONE__CHILD_EXITED};
  char *bytes = NULL;
  size_t size = 0;

  if (!build->compiler->takes_code || suffix_of(build, build->source)) return false;
  hone_status_free(hone__file_read(build->source, MOST_BYTES, &bytes, &size));
  if (bytes && !size)
    hone__build_fail(build->answer, HONE_OUTCOME_COMPILE_ERROR, "its source is an empty file");
  else if (bytes && hone__file_make(build->workdir.object, bytes, size))
    take(build, build->source, &result);
  else
    hone__build_fail(build->answer, HONE_OUTCOME_DISK_FULL, "cannot write to the build folder");
  free(bytes);
  return true;
}

/* ---- A source ---- */

/* Files that the kernel's source finds beside it. */
static void add_own_folder(struct hone__kernel_build *build, const char *source)
{
  struct hone__kernel_candidate *candidate = &build->order.candidate;
  const char **includes =
      hone__arena_alloc(&build->order.arena, (candidate->includes_count + 2) * sizeof *includes);
  char *folder = hone__path_folder(source);

  if (candidate->includes_count)
    memcpy(includes, candidate->includes, candidate->includes_count * sizeof *includes);
  includes[candidate->includes_count++] = hone__arena_strdup(&build->order.arena, folder);
  candidate->includes = includes;
  free(folder);
}

/* Only the macros of `build.defines`: the command has the values of all others. */
static void leave_out_macros(struct hone__kernel_candidate *candidate)
{
  candidate->defines += candidate->defines_count - candidate->given_defines;
  candidate->defines_count = candidate->given_defines;
}

/* From now on the candidate's source is what was written. */
static bool adopt(struct hone__kernel_build *build, char *path)
{
  struct hone__kernel_candidate *candidate = &build->order.candidate;
  bool is_cached = build->is_cached, deps_are_all = build->deps_are_all;

  add_own_folder(build, candidate->source);
  leave_out_macros(candidate);
  candidate->command = NULL;
  candidate->command_count = 0;
  candidate->source_digest = NULL;
  build->source = candidate->source = hone__arena_strdup(&build->order.arena, path);
  hone__build_source_text_release(&build->text);
  if (!hone__kernel_source_read(candidate, build->answer, &build->text)) return false;
  build->compiler->look(build);
  build->is_cached = build->is_cached && is_cached;
  build->deps_are_all = build->deps_are_all && deps_are_all;
  build->has_generated = true;
  return true;
}

static void compile_source(struct hone__kernel_build *build, const char *suffix)
{
  struct hone__text name = {0};
  char *path;

  hone__text_addf(&name, "generated%s", suffix);
  path = hone__build_folder_path(&build->workdir, name.data);
  if (rename(build->workdir.object, path) != 0)
    hone__build_fail(build->answer, HONE_OUTCOME_DISK_FULL, "cannot write to the build folder");
  else if (adopt(build, path))
    build->compiler->compile(build);
  free(path);
  hone__text_release(&name);
}

/* ---- The command ---- */

static bool is_fine(const struct hone__child_result *result)
{
  return result->end == HONE__CHILD_EXITED && result->code == 0;
}

void hone__generator_compile(struct hone__kernel_build *build)
{
  const char *source = hone__kernel_short_name(build->candidate->source, build->folder);
  const struct hone__build_folder *workdir = &build->workdir;
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  const char *suffix;

  hone__generator_words(build->candidate, source, workdir->object, workdir->deps, &words);
  if (hone__build_folder_run(workdir, (const char *const *)words.data, build->folder,
                             build->order.timeout_s, 0, NULL, &result, build->answer)) {
    add_listed(build, source);
    suffix = is_fine(&result) ? suffix_of(build, workdir->object) : NULL;
    if (suffix)
      compile_source(build, suffix);
    else
      take(build, words.data[0], &result);
  }
  hone__child_result_release(&result);
  hone__words_release(&words);
}
