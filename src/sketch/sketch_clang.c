/* What libclang knows of a source, where its text leaves something open: functions that macros
 * make, types behind names, parameters of templates, constants that have to be computed, and macros
 * of the project's headers.
 */
#include "sketch/sketch.h"

#include "base/file.h"
#include "base/paths.h"
#include "build/clang_facts.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- The facts ---- */

static void add_folders(const struct hone__sketch *sketch, const char *source,
                        struct hone__words *flags)
{
  char *folder = hone__path_folder(source);

  for (size_t i = 0; i < sketch->folder_count; i++) {
    struct hone__text word = {0};
    hone__text_addf(&word, "-I%s/%s", folder, sketch->folders[i]);
    hone__words_add(flags, word.data);
    hone__text_release(&word);
  }
  free(folder);
}

/* As the spec's compiler takes them; a standard that is too new for a compiler does no harm. */
static struct hone__clang_facts *ask(struct hone__sketch *sketch, const char *source, bool marks)
{
  static const enum hone__build_clang_language languages[] = {
      [HONE__SKETCH_C] = HONE__BUILD_CLANG_C,
      [HONE__SKETCH_CPLUSPLUS] = HONE__BUILD_CLANG_CPLUSPLUS,
      [HONE__SKETCH_CUDA] = HONE__BUILD_CLANG_CUDA,
      [HONE__SKETCH_OPENCL] = HONE__BUILD_CLANG_OPENCL};
  bool is_cplusplus = sketch->language == HONE__SKETCH_CPLUSPLUS;
  struct hone__clang_facts *facts;
  struct hone__words flags = {0};

  if (marks) hone__sketch_mark_sizes(sketch, &flags);
  if (is_cplusplus) hone__words_add(&flags, "-std=gnu++20");
  add_folders(sketch, source, &flags);
  hone__sketch_define_bodies(sketch, &flags);
  facts =
      hone__build_clang_ask(source, languages[sketch->language], NULL, &flags, &sketch->has_clang);
  hone__words_release(&flags);
  return facts;
}

static const struct hone__clang_facts *facts_of(struct hone__sketch *sketch)
{
  char *source = sketch->path && !sketch->asked_clang ? hone__realpath(sketch->path) : NULL;

  sketch->asked_clang = true;
  if (source) sketch->clang = ask(sketch, source, false);
  free(source);
  return sketch->clang;
}

static bool is_of_gpu(const struct hone__sketch *sketch)
{
  return sketch->language == HONE__SKETCH_CUDA || sketch->language == HONE__SKETCH_OPENCL;
}

/* ---- Functions ---- */

/* One that others can call: functions of C++ that are inline are made where they are called. */
static bool can_be_entry(const struct hone__sketch *sketch,
                         const struct hone__clang_function *function)
{
  if (function->is_hidden || strcmp(function->name, "main") == 0) return false;
  if (sketch->language == HONE__SKETCH_CUDA) return function->is_global;
  return sketch->language != HONE__SKETCH_C || !function->is_inline;
}

static void add_function(struct hone__sketch *sketch, const struct hone__clang_function *function)
{
  struct hone__code_functions *functions = &sketch->functions;
  struct hone__code_function *list =
      hone__arena_alloc(&sketch->arena, (functions->count + 1) * sizeof *list);

  if (functions->count) memcpy(list, functions->list, functions->count * sizeof *list);
  list[functions->count++] = (struct hone__code_function){.name = function->name,
                                                          .line = function->line,
                                                          .is_template = function->is_template,
                                                          .is_scoped = *function->scope != 0};
  functions->list = list;
}

void hone__sketch_add_functions(struct hone__sketch *sketch)
{
  const struct hone__clang_facts *facts;

  if (sketch->language == HONE__SKETCH_OPENCL) return; /* clang does not tell which are kernels */
  facts = facts_of(sketch);
  for (size_t i = 0; facts && i < facts->function_count; i++)
    if (can_be_entry(sketch, &facts->functions[i]) &&
        !hone__code_functions_has(&sketch->functions, facts->functions[i].name))
      add_function(sketch, &facts->functions[i]);
}

bool hone__sketch_is_left_out(struct hone__sketch *sketch, const char *name)
{
  const struct hone__clang_facts *facts = is_of_gpu(sketch) ? NULL : facts_of(sketch);

  if (!facts || !facts->is_complete || facts->complaint) return false;
  for (size_t i = 0; i < facts->function_count; i++)
    if (strcmp(facts->functions[i].name, name) == 0) return false;
  return facts->function_count < HONE__CLANG_FUNCTIONS;
}

/* ---- The entry ---- */

/* The last of this name; the others are overloads. */
static const struct hone__clang_function *find_entry(const struct hone__sketch *sketch,
                                                     const struct hone__clang_facts *facts,
                                                     size_t *out_count)
{
  const struct hone__clang_function *found = NULL;

  *out_count = 0;
  for (size_t i = 0; facts && i < facts->function_count; i++) {
    const struct hone__clang_function *own = &facts->functions[i];
    if (strcmp(own->name, sketch->entry) != 0 ||
        (sketch->language == HONE__SKETCH_CUDA && !own->is_global))
      continue;
    found = own;
    ++*out_count;
  }
  return found;
}

/* The text also has the sizes of arrays, and what a toolkit's types are called. */
static void take_prototype(struct hone__sketch *sketch, const struct hone__prototype *found)
{
  const struct hone__prototype text = sketch->prototype;
  struct hone__parameter *list =
      hone__arena_alloc(&sketch->arena, (found->count + 1) * sizeof *list);

  for (size_t i = 0; i < found->count; i++) {
    const struct hone__parameter *own = &found->parameters[i];
    bool has_text = sketch->has_prototype && text.count == found->count;
    list[i] = has_text && text.parameters[i].has_element ? text.parameters[i] : *own;
    if (has_text) list[i].text = text.parameters[i].text;
  }
  sketch->prototype = *found;
  sketch->prototype.parameters = list;
  sketch->has_prototype = true;
}

/* A macro would replace the name in the source, so the knob of N is N_. */
static void add_knob(struct hone__sketch *sketch, int line,
                     const struct hone__clang_template_parameter *parameter)
{
  const char *name =
      hone__arena_printf(&sketch->arena, parameter->is_type ? "%s" : "%s_", parameter->name);
  struct hone__sketch_knob *knob =
      hone__sketch_add(sketch, HONE__SKETCH_TEMPLATE, name, strlen(name), line);

  knob->is_type = parameter->is_type;
  knob->is_flag = parameter->is_flag;
  knob->value = parameter->value;
  if (knob->is_flag && !knob->value) knob->value = "0";
}

/* Of a type it has the name itself, of a value that name with "_". */
static struct hone__sketch_knob *template_knob(struct hone__sketch *sketch, const char *name)
{
  size_t length = strlen(name);

  for (size_t i = 0; i < sketch->knob_count; i++) {
    struct hone__sketch_knob *knob = &sketch->knobs[i];
    if (knob->origin == HONE__SKETCH_TEMPLATE && strncmp(knob->name, name, length) == 0 &&
        strcmp(knob->name + length, knob->is_type ? "" : "_") == 0)
      return knob;
  }
  return NULL;
}

/* The text knows the parameters of simple templates, and how they are instantiated, but no defaults
 * that have to be computed. Parameters that only select an overload (`std::enable_if_t<...> = 0`)
 * have no name, but a default. */
static void take_template(struct hone__sketch *sketch, const struct hone__clang_function *function)
{
  sketch->is_template = function->is_template;
  for (size_t i = 0; i < function->parameter_count; i++) {
    const struct hone__clang_template_parameter *parameter = &function->parameters[i];
    struct hone__sketch_knob *known = template_knob(sketch, parameter->name);
    if (*parameter->name && !known)
      add_knob(sketch, function->line, parameter);
    else if (*parameter->name && !known->value)
      known->value = parameter->value;
  }
}

static bool lacks_value(const struct hone__sketch *sketch)
{
  for (size_t i = 0; i < sketch->knob_count; i++)
    if (sketch->knobs[i].origin == HONE__SKETCH_TEMPLATE && !sketch->knobs[i].value) return true;
  return false;
}

/* On GPUs types of a toolkit are not known to clang, and the text has their names. */
static bool is_usable(const struct hone__sketch *sketch,
                      const struct hone__clang_function *function)
{
  if (!function->is_doubtful) return true;
  return is_of_gpu(sketch) && sketch->has_prototype &&
         sketch->prototype.count == function->prototype.count;
}

static const char *scope_of(const struct hone__sketch *sketch,
                            const struct hone__clang_function *function)
{
  bool is_hidden =
      sketch->is_inner || (sketch->language == HONE__SKETCH_CPLUSPLUS && !function->is_c);

  return !*function->scope && is_hidden && !function->is_template ? "::" : function->scope;
}

/* ---- Lengths of arrays ---- */

static bool has_numbers(const struct hone__prototype *prototype)
{
  for (size_t i = 0; i < prototype->count; i++) {
    const char *open = strchr(prototype->parameters[i].text, '[');
    if (open && isdigit((unsigned char)open[1])) return true;
  }
  return false;
}

/* `double a[NI][NK]` has numbers once macros are replaced: with a number of its own for each size
 * they tell which is which. The source may not take them. */
static void ask_lengths(struct hone__sketch *sketch)
{
  const struct hone__clang_function *function;
  char *source;
  size_t overloads;

  if (!sketch->size_count || !has_numbers(&sketch->prototype)) return;
  source = hone__realpath(sketch->path);
  hone__build_clang_free(sketch->marked);
  sketch->marked = source ? ask(sketch, source, true) : NULL;
  function = find_entry(sketch, sketch->marked, &overloads);
  if (function && !function->is_doubtful && function->prototype.count == sketch->prototype.count)
    sketch->lengths = function->prototype.parameters;
  free(source);
}

void hone__sketch_ask_clang(struct hone__sketch *sketch)
{
  const struct hone__clang_function *function;

  if (!hone__sketch_is_open(sketch) && !(sketch->is_template && lacks_value(sketch))) return;
  function = find_entry(sketch, facts_of(sketch), &sketch->overloads);
  if (!function || !is_usable(sketch, function)) return;
  take_prototype(sketch, &function->prototype);
  if (!is_of_gpu(sketch)) {
    sketch->scope = scope_of(sketch, function);
    take_template(sketch, function);
  }
  hone__sketch_find_sizes(sketch);
  ask_lengths(sketch);
}

/* ---- Constants ---- */

static void add_constant(struct hone__sketch *sketch, const struct hone__clang_constant *constant)
{
  const char *slash = constant->file ? strrchr(constant->file, '/') : NULL;
  struct hone__sketch_knob *knob =
      hone__sketch_add(sketch, constant->is_macro ? HONE__SKETCH_MACRO : HONE__SKETCH_CONSTANT,
                       constant->name, strlen(constant->name), constant->line);

  knob->value = constant->value;
  if (constant->file)
    knob->where =
        hone__arena_printf(&sketch->arena, "the macro of %s", slash ? slash + 1 : constant->file);
}

/* A header's macros count if the source has their names. */
static void add_constants(struct hone__sketch *sketch, const struct hone__clang_facts *facts)
{
  for (size_t i = 0; facts && i < facts->constant_count; i++) {
    const struct hone__clang_constant *constant = &facts->constants[i];
    if (hone__sketch_find(sketch, constant->name) || !*constant->value ||
        (constant->file && !hone__has_word(sketch->source, constant->name)))
      continue;
    add_constant(sketch, constant);
  }
}

/* `#include "tiles.h"`: its own headers, of which the text says nothing. */
static bool has_own_headers(const char *text)
{
  for (const char *at = text; (at = strstr(at, "include")); at++)
    if (at[strlen("include") + strspn(at + strlen("include"), " \t")] == '"') return true;
  return false;
}

void hone__sketch_find_constants(struct hone__sketch *sketch)
{
  bool is_computed = strstr(sketch->source, "constexpr") != NULL;

  if (is_of_gpu(sketch) || (!is_computed && !has_own_headers(sketch->source))) return;
  add_constants(sketch, facts_of(sketch));
}
