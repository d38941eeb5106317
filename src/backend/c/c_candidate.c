/* The fields that C and C++ add to a candidate: their compiler. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/command_template.h"
#include "backend/setting.h"
#include "backend/source_file.h"

static void add_compiler(const struct hone__kernel_origin *origin,
                         struct hone__kernel_candidate *candidate)
{
  const struct hone__node *compiler = hone__kernel_setting(origin, "compiler");
  bool cplusplus = hone__backend_source_file_is_cplusplus(origin->path);

  candidate->language = cplusplus ? "c++" : "c";
  candidate->compiler = compiler ? compiler->text : cplusplus ? "c++" : "cc";
}

static bool has_level(const char *const *words, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (hone__starts_with(words[i], "-O")) return true;
  return false;
}

static void prepend_flag(struct hone__arena *arena, struct hone__kernel_candidate *candidate,
                         const char *flag)
{
  size_t count = candidate->flags_count;
  const char **flags = hone__arena_alloc(arena, (count + 2) * sizeof *flags);

  flags[0] = flag;
  if (count) memcpy(flags + 1, candidate->flags, count * sizeof *flags);
  flags[count + 1] = NULL;
  candidate->flags = flags;
  candidate->flags_count = count + 1;
}

/* As for programs: unoptimised code is not worth tuning. */
static void add_level(struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  struct hone__words compiler = {0};

  hone__compiler_add(&compiler, candidate);
  if (!has_level(candidate->flags, candidate->flags_count) &&
      !has_level((const char *const *)compiler.data, compiler.count))
    prepend_flag(arena, candidate, "-O3");
  hone__words_release(&compiler);
}

/* ---- A command of the spec ---- */

/* Names that the worker replaces. */
static hone_status expand(const struct hone__kernel_origin *origin, const uint32_t *row,
                          const struct hone__node *node, const char *const *words,
                          struct hone__words *out_command)
{
  static const struct hone__template_place places[] = {
      {"source", "{source}"},     {"output", "{output}"},   {"out", "{output}"},
      {"compiler", "{compiler}"}, {"depfile", "{depfile}"}, {NULL, NULL}};
  static const char *const flags[] = {"{flags}", NULL}, *const includes[] = {"{includes}", NULL},
                           *const defines[] = {"{defines}", NULL},
                           *const compiler[] = {"{compiler}", NULL};
  static const struct hone__template_list lists[] = {{"flags", flags},
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

static hone_status add_command(const struct hone__kernel_origin *origin, const uint32_t *row,
                               struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  const struct hone__node *node = hone__kernel_setting(origin, "command");
  struct hone__words words = {0}, command = {0};
  hone_status status = hone__setting_words(origin->task, node, &words);
  const char *const *given = (const char *const *)words.data;
  bool is_used = !status && given && is_for(origin, node, given);

  if (is_used) status = expand(origin, row, node, given, &command);
  if (is_used && !status && !hone__command_mentions((const char *const *)command.data, "output"))
    status = hone__backend_spec_error(origin->task->spec, node,
                                      "'build.command' needs {output}, the file to write");
  if (is_used && !status)
    hone__kernel_keep_words(&command, arena, &candidate->command, &candidate->command_count);
  hone__words_release(&words);
  hone__words_release(&command);
  return status;
}

/* ---- The candidate ---- */

/* Linking with libm costs 2 ms per candidate. Without these headers its symbols are found in the
 * worker, which has libm itself. */
static bool needs_math(const struct hone__build_source_text *source)
{
  static const char *const headers[] = {"math", "complex", "fenv"};

  if (source->is_open || !source->text.data) return true;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (strstr(source->text.data, headers[i])) return true;
  return false;
}

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__build_source_text *source, struct hone__arena *arena,
                            struct hone__kernel_candidate *candidate)
{
  hone_status status;

  add_compiler(origin, candidate);
  if (!needs_math(source)) candidate->math = (struct hone_value){HONE_BOOL, {.integer = false}};
  status = add_command(origin, row, arena, candidate);
  if (!status && !candidate->command) add_level(arena, candidate);
  return status;
}

static void identify(const struct hone__kernel_candidate *candidate,
                     const struct hone__build_source_text *source, const char *folder,
                     struct hone__digester *digester)
{
  hone__compiler_identify(candidate, source, folder, false, digester);
}

const struct hone__kernel_kind hone__kernel_kind_c = {"c", complete, identify, HONE__FUNCTIONS_C,
                                                      NULL};

hone_status hone__c_candidate(const struct hone__task *task, const uint32_t *row,
                              struct hone__packed **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_c, out_candidate);
}

hone_status hone__c_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_c, out_setup);
}
