/* What C and C++ add to a candidate: their compiler. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/setting.h"

static bool is_cplusplus(const char *path)
{
  static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".C"};
  const char *dot = strrchr(path, '.');

  for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(dot, suffixes[i]) == 0) return true;
  return false;
}

/* As a reference beside kernels of another language it has the compiler that C has anyway. */
static const struct hone_node *own_setting(const struct hone_task *task, const char *path)
{
  return strcmp(task->backend->name, "c") == 0 ? hone__task_setting(task, path) : NULL;
}

static void add_compiler(const struct hone_task *task, json_t *candidate, const char *source)
{
  const struct hone_node *compiler = own_setting(task, "build.compiler");
  bool cplusplus = is_cplusplus(source);

  json_object_set_new(candidate, "language", json_string(cplusplus ? "c++" : "c"));
  json_object_set_new(candidate, "compiler",
                      json_string(compiler    ? compiler->text
                                  : cplusplus ? "c++"
                                              : "cc"));
}

static hone_status add_command(const struct hone_task *task, json_t *candidate)
{
  const struct hone_node *node = own_setting(task, "build.command");
  bool has_output = false;
  json_t *words;
  hone_status status = hone__setting_words(task, node, &words);

  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    has_output = has_output || (word && strstr(word, "{output}"));
  }
  if (words) json_object_set_new(candidate, "command", words);
  if (!status && words && !has_output)
    status = hone__spec_error(task->spec, node,
                              "'build.command' needs {output}, the file that it shall write");
  return status;
}

/* Linking with libm costs 2 ms a candidate. What it would be needed for without one of these
 * headers is found in the worker, which has libm itself. */
static bool needs_math(const struct hone_source_text *source)
{
  static const char *const headers[] = {"math", "complex", "fenv"};

  if (source->is_open || !source->text.data) return true;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (strstr(source->text.data, headers[i])) return true;
  return false;
}

static hone_status complete(const struct hone_task *task, const uint32_t *row,
                            const struct hone_source_text *source, json_t *candidate)
{
  (void)row;
  add_compiler(task, candidate, json_string_value(json_object_get(candidate, "source")));
  if (!needs_math(source)) json_object_set_new(candidate, "math", json_false());
  return add_command(task, candidate);
}

static void identify(const json_t *candidate, const struct hone_source_text *source,
                     const char *folder, struct hone_digester *digester)
{
  hone__compiler_identify(candidate, source, folder, false, digester);
}

const struct hone_kernel_kind hone__kernel_kind_c = {"c", complete, identify};

hone_status hone__c_candidate(const struct hone_task *task, const uint32_t *row,
                              json_t **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_c, out_candidate);
}

hone_status hone__c_describe(const struct hone_task *task, struct hone_message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_c, out_setup);
}
