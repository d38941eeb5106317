#include "backend/kernel/signature.h"

#include "backend/kernel/kernel.h"
#include "backend/kernel/pipeline.h"
#include "backend/kernel/signature_clang.h"
#include "base/file.h"
#include "base/folder.h"
#include "build/build_folder.h"

#include <stdlib.h>

enum { MOST_BYTES = 1 << 24, MOST_LINES = 4 };

struct signature {
  const struct hone__kernel_setup *setup;
  const struct hone__kernel_arg **args; /* of the setup: those of the call */
  size_t count;
  const char *source, *file, *entry; /* `file`: the last part of the source's name */
  struct hone__prototype prototype;
  struct hone__arena arena;
  struct hone__text *out;
  bool has_registers;  /* a kernel of a GPU finds its arguments in memory */
  bool may_take_fewer; /* a reference in C, which need not use the last ones */
  bool is_alone;       /* the only function of the kernel */
  bool is_ordered;     /* a stage names its arguments, which may be those of other parameters */
  size_t lines;
  struct hone__signature_clang clang;
  bool was_compiled;
  char *debug;  /* the folder with debug information; NULL: that is not possible */
  size_t first; /* the number of the setup's argument that the first line is about */
};

/* Where the function is declared. */
static const char *file_of(const struct signature *s)
{
  const char *slash = s->prototype.file ? strrchr(s->prototype.file, '/') : NULL;

  if (!s->prototype.file) return s->file;
  return slash ? slash + 1 : s->prototype.file;
}

static const char *arg_name(const struct signature *s, size_t index)
{
  return s->args[index]->name;
}

/* Tensors and local memory; structs and maps go by value. */
static bool arg_is_pointer(const struct hone__kernel_arg *arg)
{
  return arg->shape || arg->is_local;
}

/* A line about an argument of the call; SIZE_MAX: about none. */
static void begin_line(struct signature *s, size_t index)
{
  if (s->out->length) hone__text_add(s->out, "\n");
  if (!s->lines++ && index < s->count) s->first = (size_t)(s->args[index] - s->setup->args);
}

/* ---- Their number ---- */

static size_t find_arg(const struct signature *s, const char *name)
{
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(arg_name(s, i), name) == 0) return i;
  return s->count;
}

static size_t find_parameter(const struct signature *s, const char *name)
{
  for (size_t i = 0; i < s->prototype.count; i++)
    if (strcmp(s->prototype.parameters[i].name, name) == 0) return i;
  return s->prototype.count;
}

/* The argument that the function does not have, if the names show it. */
static size_t odd_arg(const struct signature *s)
{
  size_t odd = s->prototype.count;

  for (size_t i = s->count; i-- > 0;)
    if (find_parameter(s, arg_name(s, i)) == s->prototype.count) odd = i;
  return odd;
}

/* The parameter that the spec does not have. */
static const struct hone__parameter *odd_parameter(const struct signature *s)
{
  const struct hone__parameter *odd = &s->prototype.parameters[s->count];

  for (size_t i = s->prototype.count; i-- > 0;)
    if (*s->prototype.parameters[i].name &&
        find_arg(s, s->prototype.parameters[i].name) == s->count)
      odd = &s->prototype.parameters[i];
  return odd;
}

/* The spec has it, and this configuration does not. */
static bool is_left_out(const struct signature *s, const struct hone__parameter *parameter)
{
  for (size_t i = 0; i < s->setup->args_count; i++)
    if (*parameter->name && strcmp(s->setup->args[i].name, parameter->name) == 0) return true;
  return false;
}

static void compare_counts(struct signature *s)
{
  size_t args = s->count, parameters = s->prototype.count;
  size_t odd = args > parameters ? odd_arg(s) : SIZE_MAX;

  begin_line(s, odd);
  hone__text_addf(s->out, "the spec has %zu argument%s, '%s' in %s:%d takes %zu", args,
                  args == 1 ? "" : "s", s->entry, file_of(s), s->prototype.line, parameters);
  if (args < parameters && is_left_out(s, odd_parameter(s)))
    hone__text_addf(s->out, "; 'when' leaves '%s' out, which the function takes nevertheless",
                    odd_parameter(s)->name);
  else if (args < parameters)
    hone__text_addf(s->out, "; the spec has no argument for '%s'", odd_parameter(s)->text);
  else
    hone__text_addf(s->out, "; argument %zu '%s' of the spec has no matching parameter", odd + 1,
                    arg_name(s, odd));
}

/* ---- Their order ---- */

/* True if both have the same names, in another order. */
static bool is_permuted(const struct signature *s)
{
  bool differs = false;

  for (size_t i = 0; i < s->prototype.count; i++) {
    size_t place = find_parameter(s, arg_name(s, i));
    if (place == s->prototype.count) return false;
    differs |= place != i;
  }
  return differs;
}

static void compare_order(struct signature *s)
{
  for (size_t i = 0; i < s->prototype.count && s->lines < MOST_LINES; i++) {
    size_t place = find_parameter(s, arg_name(s, i));
    const struct hone__parameter *there = &s->prototype.parameters[place];
    if (place == i) continue;
    begin_line(s, i);
    hone__text_addf(s->out, "argument %zu '%s' of the spec is parameter %zu of '%s', '%s' in %s:%d",
                    i + 1, arg_name(s, i), place + 1, s->entry, there->text, file_of(s),
                    there->line);
  }
}

/* ---- Their types ---- */

/* Floats that the language has no type for are kept in integers of their size, and bytes are
 * anything. `has_registers`: a value arrives elsewhere if its type is another one. */
static bool elements_fit(enum hone__element own, enum hone__element theirs, bool is_pointer,
                         bool has_registers)
{
  const struct hone__element_info *a = hone__element_info(own), *b = hone__element_info(theirs);

  if (is_pointer && b->size == 1) return true;
  if (a->size == 1 && b->size == 1) return true; /* floats of 8 bits are passed as bytes */
  if (a->size != b->size) return false;
  if (a->is_float && b->is_float)
    return own == theirs || (!is_pointer && a->size == 2); /* not every compiler has __bf16 */
  return a->is_float == b->is_float || ((is_pointer || !has_registers) && a->size < 4);
}

static bool element_fits(const struct signature *s, const char *type,
                         const struct hone__parameter *parameter)
{
  enum hone__element element;

  if (!parameter->has_element || !type || !hone__element_parse(type, &element)) return true;
  return elements_fit(element, parameter->element, parameter->is_pointer, s->has_registers);
}

/* Structs go by value; of their members only the size is compared. */
static bool struct_fits(const struct hone__kernel_arg *arg, const struct hone__parameter *parameter)
{
  if (parameter->is_pointer || parameter->has_element) return false;
  return !parameter->struct_bytes || !arg->is_struct || parameter->struct_bytes == arg->size;
}

static bool fits(const struct signature *s, const struct hone__kernel_arg *arg,
                 const struct hone__parameter *parameter)
{
  if (arg->image) return true; /* an object of the language, or a pointer in a reference */
  if (arg->is_scalar && parameter->is_pointer) return false;
  if (arg_is_pointer(arg) && !parameter->is_pointer)
    return !parameter->has_element && !parameter->struct_bytes;
  if (!arg->is_scalar && !arg_is_pointer(arg)) return struct_fits(arg, parameter);
  if (arg->is_scalar && parameter->struct_bytes > sizeof(uint64_t)) return false;
  return element_fits(s, arg->type, parameter);
}

/* "a tensor of f32", "a struct of 8 bytes" */
static void print_arg(const struct hone__kernel_arg *arg, struct hone__text *out)
{
  if (arg->is_struct)
    hone__text_addf(out, "a struct of %zu bytes", arg->size);
  else
    hone__text_addf(out, "%s%s", arg_is_pointer(arg) ? "a tensor of " : "",
                    arg->type ? arg->type : "a map");
}

/* "'const real *x' (f64)" */
static void print_parameter(const struct hone__parameter *parameter, struct hone__text *out)
{
  hone__text_addf(out, "'%s'", parameter->text);
  if (parameter->is_named && parameter->has_element)
    hone__text_addf(out, " (%s)", hone__element_name(parameter->element));
  else if (parameter->struct_bytes)
    hone__text_addf(out, " (%zu bytes)", parameter->struct_bytes);
}

/* Of a pipeline, other functions may write what this one reads. */
static bool is_never_written(const struct signature *s, const struct hone__kernel_arg *arg,
                             const struct hone__parameter *parameter)
{
  bool is_output = arg->role && (strcmp(arg->role, "out") == 0 || strcmp(arg->role, "inout") == 0);

  return s->is_alone && is_output && !arg->image && hone__parameter_is_constant(parameter);
}

static void compare_types(struct signature *s)
{
  for (size_t i = 0; i < s->prototype.count && s->lines < MOST_LINES; i++) {
    const struct hone__parameter *parameter = &s->prototype.parameters[i];
    bool is_of_type = fits(s, s->args[i], parameter);
    if (is_of_type && !is_never_written(s, s->args[i], parameter)) continue;
    begin_line(s, i);
    hone__text_addf(s->out, "argument %zu '%s' is ", i + 1, arg_name(s, i));
    if (is_of_type)
      hone__text_addf(s->out, "an output (role: %s)", s->args[i]->role);
    else
      print_arg(s->args[i], s->out);
    hone__text_add(s->out, " in the spec and ");
    print_parameter(parameter, s->out);
    hone__text_addf(s->out, " in %s:%d", file_of(s), parameter->line);
  }
}

/* ---- The whole ---- */

/* "gemm" of "ns::gemm<64, float>". */
static const char *plain_name(struct hone__arena *arena, const char *entry)
{
  size_t length = strcspn(entry, "<");
  const char *begin = entry;

  for (size_t i = 0; i < length; i++)
    if (entry[i] == ':') begin = entry + i + 1;
  return hone__arena_strndup(arena, begin, length - (size_t)(begin - entry));
}

/* A reference in C for a kernel of a GPU gets the tensors and the scalars alone. Symbols are
 * parameters of references in C only. */
static void take_args(struct signature *s, const struct hone__kernel_setup *setup,
                      const struct hone__kernel_candidate *candidate,
                      const struct hone__kernel_stage *stage)
{
  size_t count = stage->args ? stage->args_count : setup->args_count;

  s->count = 0;
  s->args = hone__arena_alloc(&s->arena, (count + 1) * sizeof *s->args);
  for (size_t i = 0; i < count; i++) {
    const struct hone__kernel_arg *arg = &setup->args[stage->args ? (size_t)stage->args[i] : i];
    if ((arg->symbol && !candidate->takes_symbols) || arg->is_return) continue;
    if (!candidate->backend || arg->shape || arg->is_scalar) s->args[s->count++] = arg;
  }
}

/* Closed in both cases. */
static bool open_signature(struct signature *s, const struct hone__kernel_setup *setup,
                           const struct hone__kernel_candidate *candidate,
                           struct hone__pipeline *out_pipeline)
{
  const char *slash;
  hone_status status;

  s->source = candidate->source;
  if (!s->source || !candidate->entry || !*s->source || !*candidate->entry || !setup->args)
    return false;
  slash = strrchr(s->source, '/');
  s->file = slash ? slash + 1 : s->source;
  status = hone__pipeline_read(candidate, setup->args_count, &s->arena, out_pipeline);
  hone_status_free(status);
  return !status;
}

/* The value that the function returns, if it counts. */
static const struct hone__kernel_arg *returned_arg(const struct signature *s)
{
  for (size_t i = 0; i < s->setup->args_count; i++)
    if (s->setup->args[i].is_return) return &s->setup->args[i];
  return NULL;
}

/* A type that the source does not declare may come from a header. */
static bool is_complete(const struct signature *s)
{
  if (returned_arg(s) && !s->prototype.returns) return false;
  for (size_t i = 0; i < s->prototype.count; i++)
    if (!s->prototype.parameters[i].has_element) return false;
  return true;
}

static bool ask_compiler(struct signature *s, const char *name,
                         const struct hone__kernel_candidate *candidate,
                         struct hone__prototype *out)
{
  const struct hone__kernel_kind *kind = &hone__kernel_kind_c;

  if (!candidate->language) return false;
  if (!s->was_compiled) s->debug = kind->debug_compile(s->setup, candidate);
  s->was_compiled = true;
  return s->debug && kind->debug_find(s->debug, candidate, s->entry, name, &s->arena, out);
}

/* What a `command` builds may have other macros. */
static bool ask_clang(struct signature *s, const char *name,
                      const struct hone__kernel_candidate *candidate, struct hone__prototype *out)
{
  char *directory;
  bool is_found;

  if (candidate->command) return false;
  directory = hone__build_directory(s->setup->folder ? s->setup->folder : "", candidate->source);
  is_found = hone__signature_clang_find(&s->clang, candidate, directory, name, out);
  free(directory);
  return is_found;
}

/* Where macros, conditions, headers or templates hide the parameters, the compiler knows them; of
 * kernels that it cannot tell about, clang may. */
static bool find_prototype(struct signature *s, const char *text,
                           const struct hone__kernel_candidate *candidate)
{
  const char *name = plain_name(&s->arena, s->entry);
  bool is_found = hone__prototype_find(text, name, &s->arena, &s->prototype);
  struct hone__prototype seen;

  if (is_found && is_complete(s)) return true;
  if (!ask_compiler(s, name, candidate, &seen) && !ask_clang(s, name, candidate, &seen))
    return is_found;
  s->prototype = seen;
  return true;
}

/* The value that is returned is not an argument of the call. */
static void compare_return(struct signature *s)
{
  const struct hone__kernel_arg *arg = returned_arg(s);
  const struct hone__parameter *returns = s->prototype.returns;

  if (!arg || !returns ||
      (returns->has_element && !returns->is_pointer && element_fits(s, arg->type, returns)))
    return;
  if (s->out->length) hone__text_add(s->out, "\n");
  if (!s->lines++) s->first = (size_t)(arg - s->setup->args);
  hone__text_addf(s->out, "'%s' is %s in the spec, and '%s' in %s:%d returns ", arg->name,
                  arg->type, s->entry, file_of(s), s->prototype.line);
  print_parameter(returns, s->out);
}

static void compare(struct signature *s, const char *text,
                    const struct hone__kernel_candidate *candidate)
{
  if (!find_prototype(s, text, candidate)) return;
  if (s->may_take_fewer && s->prototype.count && s->prototype.count < s->count)
    s->count = s->prototype.count;
  if (s->count != s->prototype.count)
    compare_counts(s);
  else if (!s->is_ordered && is_permuted(s))
    compare_order(s);
  else
    compare_types(s);
  compare_return(s);
}

void hone__signature_compare(const struct hone__kernel_setup *setup,
                             const struct hone__kernel_candidate *candidate, struct hone__text *out,
                             size_t *out_arg)
{
  struct signature s = {
      .setup = setup, .out = out, .has_registers = candidate->language != NULL, .first = SIZE_MAX};
  struct hone__pipeline pipeline = {0};
  char *text = NULL;
  size_t size = 0;

  if (open_signature(&s, setup, candidate, &pipeline))
    hone_status_free(hone__file_read(s.source, MOST_BYTES, &text, &size));
  s.is_alone = pipeline.stage_count == 1 && !candidate->args;
  for (size_t i = 0; text && strlen(text) == size && i < pipeline.stage_count; i++) {
    if (pipeline.stages[i].host || hone__pipeline_first_with_entry(&pipeline, i) != i) continue;
    s.entry = pipeline.stages[i].entry;
    s.may_take_fewer = candidate->takes_symbols;
    s.is_ordered = candidate->stages_count && pipeline.stages[i].args;
    take_args(&s, setup, candidate, &pipeline.stages[i]);
    compare(&s, text, candidate);
  }
  *out_arg = s.first;
  free(text);
  hone__signature_clang_release(&s.clang);
  hone__folder_remove(s.debug);
  free(s.debug);
  hone__arena_release(&s.arena);
}

static void print_call(const struct signature *s)
{
  hone__text_addf(s->out, "%s(", s->entry);
  for (size_t i = 0; i < s->count; i++) {
    const struct hone__kernel_arg *arg = s->args[i];
    hone__text_addf(s->out, "%s%s%s%s", i ? ", " : "", arg->type ? arg->type : "struct",
                    arg_is_pointer(arg) ? " *" : " ", arg->name);
  }
  hone__text_add(s->out, ")");
}

void hone__signature_call(const struct hone__kernel_setup *setup,
                          const struct hone__kernel_candidate *candidate, struct hone__text *out)
{
  struct signature s = {.out = out};
  struct hone__pipeline pipeline = {0};

  open_signature(&s, setup, candidate, &pipeline);
  for (size_t i = 0; i < pipeline.stage_count; i++) {
    if (hone__pipeline_first_with_entry(&pipeline, i) != i) continue;
    if (i) hone__text_add(out, ", ");
    s.entry = pipeline.stages[i].entry;
    take_args(&s, setup, candidate, &pipeline.stages[i]);
    print_call(&s);
  }
  hone__arena_release(&s.arena);
}

void hone__signature_explain(const struct hone__packed *setup, const struct hone__packed *candidate,
                             struct hone__text *out_call)
{
  struct hone__arena arena = {0};
  struct hone__kernel_setup own_setup;
  struct hone__kernel_candidate own_candidate;
  hone_status status = hone__unpack(setup, &hone__kernel_setup_type, &arena, &own_setup);

  if (!status)
    status = hone__unpack(candidate, &hone__kernel_candidate_type, &arena, &own_candidate);
  if (!status) hone__signature_call(&own_setup, &own_candidate, out_call);
  hone_status_free(status);
  hone__arena_release(&arena);
}
