/* What C and C++ add to a candidate: their compiler. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/command_template.h"
#include "backend/setting.h"

static bool is_cplusplus(const char *path)
{
  static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".C"};
  const char *dot = strrchr(path, '.');

  for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(dot, suffixes[i]) == 0) return true;
  return false;
}

static void add_compiler(const struct hone__kernel_origin *origin, json_t *candidate)
{
  const struct hone__node *compiler = hone__kernel_setting(origin, "compiler");
  bool cplusplus = is_cplusplus(origin->path);

  json_object_set_new(candidate, "language", json_string(cplusplus ? "c++" : "c"));
  json_object_set_new(candidate, "compiler",
                      json_string(compiler    ? compiler->text
                                  : cplusplus ? "c++"
                                              : "cc"));
}

static bool has_level(const json_t *words)
{
  const json_t *word;
  size_t i;

  json_array_foreach((json_t *)words, i,
                     word) if (hone__starts_with(json_string_value(word), "-O")) return true;
  return false;
}

/* As for programs: nobody wants to tune what was not optimised. */
static void add_level(json_t *candidate)
{
  json_t *flags = json_object_get(candidate, "flags"), *compiler = json_array();

  hone__compiler_add(compiler, candidate);
  if (!has_level(flags) && !has_level(compiler))
    json_array_insert_new(flags, 0, json_string("-O3"));
  json_decref(compiler);
}

/* ---- A command of the spec ---- */

/* What is left to the worker. */
static hone_status expand(const struct hone__kernel_origin *origin, const uint32_t *row,
                          const struct hone__node *node, const json_t *words, json_t *command)
{
  static const struct hone__template_place places[] = {
      {"source", "{source}"},     {"output", "{output}"},   {"out", "{output}"},
      {"compiler", "{compiler}"}, {"depfile", "{depfile}"}, {NULL, NULL}};
  json_t *lists = json_pack("{s[s] s[s] s[s] s[s]}", "flags", "{flags}", "includes", "{includes}",
                            "defines", "{defines}", "compiler", "{compiler}");
  const struct hone__command_template template = {.task = origin->task,
                                                  .row = row,
                                                  .node = node,
                                                  .spelling = HONE__TRUE_IS_1,
                                                  .places = places,
                                                  .lists = lists};
  hone_status status = hone__command_expand(&template, words, command);

  json_decref(lists);
  return status;
}

/* Of a reference the kernel's command serves only if it says where the source goes, and if the
 * reference has no compiler of its own. */
static bool is_for(const struct hone__kernel_origin *origin, const struct hone__node *node,
                   const json_t *words)
{
  const struct hone__task *task = origin->task;

  if (!origin->is_reference || node != hone__task_setting(task, "build.command")) return true;
  return hone__command_mentions(words, "source") &&
         !hone__task_setting(task, "reference.build.compiler");
}

static hone_status add_command(const struct hone__kernel_origin *origin, const uint32_t *row,
                               json_t *candidate)
{
  const struct hone__node *node = hone__kernel_setting(origin, "command");
  json_t *words, *command = json_array();
  hone_status status = hone__setting_words(origin->task, node, &words);
  bool is_used = !status && words && is_for(origin, node, words);

  if (is_used) status = expand(origin, row, node, words, command);
  if (is_used && !status && !hone__command_mentions(command, "output"))
    status = hone__spec_error(origin->task->spec, node,
                              "'build.command' needs {output}, the file to write");
  if (is_used && !status) json_object_set(candidate, "command", command);
  json_decref(words);
  json_decref(command);
  return status;
}

/* ---- The candidate ---- */

/* Linking with libm costs 2 ms a candidate. What it would be needed for without one of these
 * headers is found in the worker, which has libm itself. */
static bool needs_math(const struct hone__source_text *source)
{
  static const char *const headers[] = {"math", "complex", "fenv"};

  if (source->is_open || !source->text.data) return true;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (strstr(source->text.data, headers[i])) return true;
  return false;
}

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__source_text *source, json_t *candidate)
{
  hone_status status;

  add_compiler(origin, candidate);
  if (!needs_math(source)) json_object_set_new(candidate, "math", json_false());
  status = add_command(origin, row, candidate);
  if (!status && !json_object_get(candidate, "command")) add_level(candidate);
  return status;
}

static void identify(const json_t *candidate, const struct hone__source_text *source,
                     const char *folder, struct hone__digester *digester)
{
  hone__compiler_identify(candidate, source, folder, false, digester);
}

const struct hone__kernel_kind hone__kernel_kind_c = {"c", complete, identify};

hone_status hone__c_candidate(const struct hone__task *task, const uint32_t *row,
                              json_t **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_c, out_candidate);
}

hone_status hone__c_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_c, out_setup);
}
