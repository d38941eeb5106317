/* What is built for a configuration: the kernel's source with its knobs as macros. A name that an
 * argument has is passed, not defined: a macro would get in the way of the function's own
 * parameter.
 * `$runtime` parameters are no part of the build. */
#include "backend/c/c_backend.h"

#include "backend/c/compiler.h"
#include "backend/command.h"
#include "base/element.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

char *hone__c_path(const struct hone_task *task, const char *path)
{
  struct hone_text text = {0};

  while (path[0] == '.' && path[1] == '/')
    path += 2;
  if (path[0] != '/')
    hone__text_addf(&text, "%s%s", task->folder, strcmp(task->folder, "/") == 0 ? "" : "/");
  hone__text_add(&text, path);
  return hone__text_take(&text);
}

hone_status hone__c_words(const struct hone_task *task, const struct hone_node *node,
                          json_t **out_words)
{
  hone_status status = NULL, placed;

  *out_words = NULL;
  if (!node) return NULL;
  *out_words = json_array();
  for (size_t i = 0; node->kind == HONE_SEQUENCE && i < node->count; i++)
    json_array_append_new(*out_words, json_string(node->items[i]->text));
  if (node->kind == HONE_SCALAR) status = hone__command_split(node->text, *out_words);
  if (!status) return NULL;
  placed = hone__spec_error(task->spec, node, "%s", hone_status_message(status));
  hone_status_free(status);
  return placed;
}

/* ---- Flags ---- */

/* As a macro or a word of a command: True is 1. */
static void add_value(struct hone_text *text, struct hone_value value)
{
  if (value.type == HONE_BOOL) value.type = HONE_INT;
  if (value.type != HONE_NONE) hone__value_print(value, text);
}

/* The name in braces at p, if it has a value; *out_length is that of "{NAME}". */
static bool find_name(const struct hone_task *task, const uint32_t *row, const char *p,
                      struct hone_value *out_value, size_t *out_length)
{
  size_t length = 0;
  char name[64];

  if (*p++ != '{') return false;
  while (isalnum((unsigned char)p[length]) || p[length] == '_' || p[length] == '.')
    length++;
  if (p[length] != '}' || length >= sizeof name) return false;
  memcpy(name, p, length);
  name[length] = 0;
  *out_length = length + 2;
  return hone__task_lookup(task, row, name, out_value);
}

/* A word that is nothing but {NAME} may become several, or none. */
static hone_status add_flag(const struct hone_task *task, const uint32_t *row,
                            const struct hone_node *node, json_t *flags)
{
  const char *p = node->text;
  struct hone_text text = {0};
  struct hone_value value;
  hone_status status = NULL;
  size_t length;

  if (find_name(task, row, p, &value, &length) && !p[length] && value.type == HONE_TEXT)
    return hone__command_split(value.text, flags);
  while (*p) {
    if (find_name(task, row, p, &value, &length)) {
      add_value(&text, value);
      p += length;
    } else {
      hone__text_addn(&text, p++, 1);
    }
  }
  if (text.length) json_array_append_new(flags, json_string(text.data));
  hone__text_release(&text);
  return status;
}

static hone_status add_flags(const struct hone_task *task, const uint32_t *row, json_t *candidate)
{
  const struct hone_node *node = hone__task_setting(task, "build.flags");
  json_t *flags = json_array();
  hone_status status = NULL;

  json_object_set_new(candidate, "flags", flags);
  for (size_t i = 0; node && i < node->count && !status; i++)
    status = add_flag(task, row, node->items[i], flags);
  return status;
}

static void add_includes(const struct hone_task *task, json_t *candidate)
{
  const struct hone_node *node = hone__task_setting(task, "build.includes");
  json_t *includes = json_array();

  for (size_t i = 0; node && i < node->count; i++) {
    char *path = hone__c_path(task, node->items[i]->text);
    json_array_append_new(includes, json_string(path));
    free(path);
  }
  json_object_set_new(candidate, "includes", includes);
}

/* ---- Defines ---- */

static bool is_argument(const struct hone_task *task, const char *name)
{
  const struct hone_node *args = hone__task_setting(task, "args");

  for (size_t i = 0; args && i < args->count; i++) {
    const struct hone_node *own = hone__node_get(args->items[i], "name");
    if (own && strcmp(own->text, name) == 0) return true;
  }
  return false;
}

static bool is_defined(const json_t *defines, const char *name)
{
  for (size_t i = 0; i < json_array_size(defines); i++) {
    const char *own = json_string_value(json_array_get(json_array_get(defines, i), 0));
    if (own && strcmp(own, name) == 0) return true;
  }
  return false;
}

static bool is_macro_name(const char *name)
{
  const char *p = name;

  while (isalnum((unsigned char)*p) || *p == '_')
    p++;
  return p > name && !*p && !isdigit((unsigned char)*name);
}

static void define(json_t *defines, const char *name, struct hone_value value)
{
  struct hone_text text = {0};

  if (value.type == HONE_NONE || value.type == HONE_LIST || is_defined(defines, name)) return;
  add_value(&text, value);
  json_array_append_new(defines, json_pack("[ss]", name, text.data ? text.data : ""));
  hone__text_release(&text);
}

/* A shape's parameter may have the name of a knob: expressions see the last one. */
static bool stands_again(const struct hone_space *space, size_t group, size_t param)
{
  const char *name = hone_space_param_name(space, group, param);

  for (size_t i = param + 1; i < hone_space_param_count(space, group); i++)
    if (strcmp(hone_space_param_name(space, group, i), name) == 0) return true;
  return false;
}

static hone_status define_params(const struct hone_task *task, const uint32_t *row, json_t *defines)
{
  const struct hone_space *space = task->space;

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    const char *name = hone_space_param_name(space, row[0], i);
    if (hone_space_param_is_runtime(space, row[0], i) || is_argument(task, name) ||
        stands_again(space, row[0], i))
      continue;
    if (!is_macro_name(name))
      return hone__spec_error(task->spec, hone__task_setting(task, "params"),
                              "parameter '%s' cannot be defined for the source: its name is no "
                              "identifier of C",
                              name);
    define(defines, name, hone_space_value(space, row[0], i, row[1 + i]));
  }
  return NULL;
}

/* What is not a knob must leave the source as it is. */
static bool may_define(const struct hone_task *task, const struct hone_source_text *source,
                       const char *name)
{
  return is_macro_name(name) && !is_argument(task, name) &&
         !hone__source_declares(&source->text, name);
}

static void define_derived(const struct hone_task *task, const uint32_t *row,
                           const struct hone_source_text *source, json_t *defines)
{
  for (size_t i = 0; i < hone_space_derived_count(task->space); i++) {
    const char *name = hone_space_derived_name(task->space, i);
    struct hone_value value;
    if (may_define(task, source, name) && hone_space_derived(task->space, row, i, &value))
      define(defines, name, value);
  }
}

static void define_sizes(const struct hone_task *task, const struct hone_source_text *source,
                         json_t *defines)
{
  const struct hone_problem *sizes = &task->space->setup.sizes;

  for (size_t i = 0; i < sizes->count; i++)
    if (may_define(task, source, sizes->names[i]))
      define(defines, sizes->names[i], sizes->values[i]);
}

static void define_given(const struct hone_task *task, json_t *candidate, json_t *defines)
{
  const struct hone_node *node = hone__task_setting(task, "build.defines");
  size_t before = json_array_size(defines);

  for (size_t i = 0; node && i < node->count; i++) {
    const struct hone_node *value = node->pairs[i].value;
    bool boolean = value->value.type == HONE_BOOL;
    define(defines, node->pairs[i].key->text, boolean ? value->value : hone__string(value->text));
  }
  json_object_set_new(candidate, "given_defines",
                      json_integer((json_int_t)(json_array_size(defines) - before)));
}

static hone_status add_defines(const struct hone_task *task, const uint32_t *row,
                               const struct hone_source_text *source, bool knobs, json_t *candidate)
{
  json_t *defines = json_array();
  hone_status status = NULL;

  json_object_set_new(candidate, "defines", defines);
  if (knobs) status = define_params(task, row, defines);
  if (knobs && !status) define_derived(task, row, source, defines);
  define_sizes(task, source, defines);
  define_given(task, candidate, defines);
  return status;
}

/* ---- Scalar arguments ---- */

static hone_status bad_scalar(const struct hone_task *task, const uint32_t *row,
                              const struct hone_node *arg, const char *type,
                              struct hone_value value)
{
  const struct hone_node *node = hone__node_get(arg, "value");
  char *config = hone__task_config(task, row);
  struct hone_text text = {0};
  hone_status status;

  hone__value_repr(value, &text);
  status = hone__spec_error(task->spec, node, "argument '%s' is %s, which is no %s%s%s",
                            hone__node_get(arg, "name")->text, text.data, type,
                            hone__task_depends_on_row(task, node) ? ", for " : "",
                            hone__task_depends_on_row(task, node) ? config : "");
  hone__text_release(&text);
  free(config);
  return status;
}

static bool fits(enum hone_element element, int64_t integer)
{
  const struct hone_element_info *info = hone__element_info(element);
  int bits = (int)info->size * 8;

  if (info->kind == HONE_KIND_BOOL) return integer == 0 || integer == 1;
  if (info->kind == HONE_KIND_UNSIGNED) return integer >= 0 && (bits == 64 || !(integer >> bits));
  return bits == 64 ||
         (integer >= -(INT64_C(1) << (bits - 1)) && integer < INT64_C(1) << (bits - 1));
}

static json_t *number(enum hone_element element, struct hone_value value)
{
  int64_t integer = value.integer;

  if (value.type != HONE_BOOL && value.type != HONE_INT && value.type != HONE_FLOAT) return NULL;
  if (hone__element_info(element)->is_float) {
    double real = value.type == HONE_FLOAT ? value.real : (double)value.integer;
    return isfinite(real) ? json_real(real) : NULL;
  }
  if (value.type == HONE_FLOAT && !hone__real_is_int(value.real, &integer)) return NULL;
  return fits(element, integer) ? json_integer(integer) : NULL;
}

/* Whole numbers between 2^63 and 2^64 are beyond the values of expressions. */
static json_t *large_number(enum hone_element element, const struct hone_node *node)
{
  size_t digits = strspn(node->text, "0123456789");

  if (element != HONE_ELEMENT_U64 || node->value.type != HONE_TEXT || node->text[digits] ||
      digits < 19 || digits > 20 ||
      (digits == 20 && strcmp(node->text, "18446744073709551615") > 0))
    return NULL;
  return json_string(node->text);
}

static hone_status add_scalar(const struct hone_task *task, const uint32_t *row,
                              const struct hone_node *arg, json_t *values)
{
  const struct hone_node *node = hone__node_get(arg, "value");
  const char *type = hone__node_get(arg, "type")->text;
  enum hone_element element;
  struct hone_value value;
  hone_status status = NULL;
  json_t *json;

  if (!node || !hone__element_parse(type, &element))
    return hone__spec_error(task->spec, arg, "this argument has no value or no known type");
  json = large_number(element, node);
  if (!json) status = hone__task_evaluate(task, row, node, &value);
  if (!json && !status) json = number(element, value);
  if (!json && !status) status = bad_scalar(task, row, arg, type, value);
  json_array_append_new(values, json);
  return status;
}

static hone_status add_scalars(const struct hone_task *task, const uint32_t *row, json_t *candidate)
{
  const struct hone_node *args = hone__task_setting(task, "args");
  json_t *values = json_array();
  hone_status status = NULL;

  json_object_set_new(candidate, "values", values);
  for (size_t i = 0; args && i < args->count && !status; i++)
    if (!hone__node_get(args->items[i], "shape"))
      status = add_scalar(task, row, args->items[i], values);
  return status;
}

/* ---- The candidate ---- */

static bool is_cplusplus(const char *path)
{
  static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".C"};
  const char *dot = strrchr(path, '.');

  for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(dot, suffixes[i]) == 0) return true;
  return false;
}

static void add_compiler(const struct hone_task *task, json_t *candidate, const char *source)
{
  const struct hone_node *compiler = hone__task_setting(task, "build.compiler");
  bool cplusplus = is_cplusplus(source);

  json_object_set_new(candidate, "language", json_string(cplusplus ? "c++" : "c"));
  json_object_set_new(candidate, "compiler",
                      json_string(compiler    ? compiler->text
                                  : cplusplus ? "c++"
                                              : "cc"));
}

static hone_status add_command(const struct hone_task *task, json_t *candidate)
{
  const struct hone_node *node = hone__task_setting(task, "build.command");
  bool has_output = false;
  json_t *words;
  hone_status status = hone__c_words(task, node, &words);

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

/* The name of all that changes the object and its call. */
static void add_key(const struct hone_task *task, const struct hone_source_text *source,
                    json_t *candidate)
{
  struct hone_digester *digester = hone__digest_begin();
  char key[HONE_DIGEST_SIZE], *values;

  hone__compiler_identify(candidate, source, task->folder, false, digester);
  hone__digest_add_text(digester, json_string_value(json_object_get(candidate, "entry")));
  values = json_dumps(json_object_get(candidate, "values"), JSON_COMPACT);
  hone__digest_add_text(digester, values);
  hone__digest_end(digester, key);
  free(values);
  json_object_set_new(candidate, "source_digest", json_string(source->digest));
  json_object_set_new(candidate, "key", json_string(key));
}

static hone_status read_source(const struct hone_task *task, const char *path,
                               const struct hone_node *place, struct hone_source_text *out_source)
{
  hone_status status = hone__source_text_read(path, out_source), placed;

  if (!status) return NULL;
  placed = hone__spec_error(task->spec, place, "%s", hone_status_message(status));
  hone_status_free(status);
  return placed;
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

/* `place` is the node that names the source. */
static hone_status make(const struct hone_task *task, const uint32_t *row, const char *path,
                        const struct hone_node *place, const char *entry, bool knobs,
                        json_t **out_candidate)
{
  struct hone_source_text source;
  json_t *candidate = json_object();
  hone_status status = read_source(task, path, place, &source);

  *out_candidate = NULL;
  json_object_set_new(candidate, "source", json_string(path));
  json_object_set_new(candidate, "entry", json_string(entry));
  add_compiler(task, candidate, path);
  add_includes(task, candidate);
  if (!status) status = add_flags(task, row, candidate);
  if (!status) status = add_defines(task, row, &source, knobs, candidate);
  if (!status) status = add_command(task, candidate);
  if (!status) status = add_scalars(task, row, candidate);
  if (!status && !needs_math(&source)) json_object_set_new(candidate, "math", json_false());
  if (!status) add_key(task, &source, candidate);
  hone__source_text_release(&source);
  if (status)
    json_decref(candidate);
  else
    *out_candidate = candidate;
  return status;
}

/* Relative to the spec, but for a spec that stands in the source itself. */
static char *source_path(const struct hone_task *task)
{
  const char *slash = strrchr(task->spec->path, '/');

  if (hone__task_setting(task, "file")) return hone__c_path(task, task->spec->file);
  return hone__c_path(task, slash ? slash + 1 : task->spec->path);
}

hone_status hone__c_candidate(const struct hone_task *task, const uint32_t *row,
                              json_t **out_candidate)
{
  const struct hone_node *entry = hone__task_setting(task, "entry");
  hone_status status;
  char *path;

  *out_candidate = NULL;
  if (!entry)
    return hone__spec_error(task->spec, NULL,
                            "no 'entry': name the function to call, as in 'entry: sgemm'");
  if (!task->spec->file)
    return hone__spec_error(task->spec, NULL, "no 'file': name the kernel's source");
  path = source_path(task);
  status =
      make(task, row, path, hone__task_setting(task, "file"), entry->text, true, out_candidate);
  free(path);
  return status;
}

hone_status hone__c_reference(const struct hone_task *task, const struct hone_node *file,
                              const char *entry, json_t **out_candidate)
{
  char *path = hone__c_path(task, file->text);
  hone_status status = make(task, task->baseline, path, file, entry, false, out_candidate);

  free(path);
  return status;
}
