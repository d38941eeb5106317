/* The arguments of a kernel, and its problem, as a spec has them. */
#include "sketch/sketch.h"

#include "source/c_tokens.h"
#include "base/c_type.h"
#include "build/clang_facts.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Vectors ---- */

/* `double complex` has two elements; 1: it is not one. */
static int lanes_of_complex(const char *text, enum hone__element *out_element)
{
  bool is_double = hone__has_word(text, "double");

  if (!hone__has_word(text, "complex") && !hone__has_word(text, "_Complex")) return 1;
  *out_element = is_double ? HONE__ELEMENT_F64 : HONE__ELEMENT_F32;
  return is_double || hone__has_word(text, "float") ? 2 : 1;
}

/* `float4` is four elements, a complex number two, also by a name of the source's own; 1: it is
 * not one. */
static int lanes_of(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                    enum hone__element *out_element)
{
  static const char *const types[] = {"float", "double", "half", "int", "uint", "short", "char"};
  struct hone__text alias = {0};
  int complex = lanes_of_complex(parameter->text, out_element);

  if (complex == 1 && hone__sketch_typedef(sketch, parameter, &alias))
    complex = lanes_of_complex(alias.data, out_element);
  hone__text_release(&alias);
  if (complex > 1) return complex;

  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (int lanes = 2; lanes <= 16; lanes++) {
      char name[16];
      snprintf(name, sizeof name, "%s%d", types[i], lanes);
      if (hone__has_word(parameter->text, name) &&
          hone__element_of_c_type(types[i], strlen(types[i]), out_element))
        return lanes;
    }
  return 1;
}

/* ---- Tensors ---- */

/* Whole numbers are often indices, or where rows begin. */
static void print_content(const struct hone__sketch *sketch, const struct hone__parameter *tensor,
                          const struct hone__element_info *info, struct hone__text *out)
{
  if (info->is_float) {
    hone__text_add(out, ", fill: uniform");
  } else if (hone__sketch_has_sizes(sketch, tensor)) {
    hone__text_add(out, ", file: TODO");
  } else if (hone__sketch_has_offsets(sketch, tensor->name)) {
    hone__text_add(out, ", fill: arange");
  } else if (info->size < 4) {
    hone__text_add(out, info->size == 2 ? ", range: [0, 32767]" : ""); /* a byte has all values */
  } else {
    const struct hone__parameter *rows =
        sketch->size_count == 1 ? &sketch->sizes[0] : hone__sketch_row_elements(sketch, tensor);
    hone__text_add(out, ", range: [0, ");
    if (rows)
      hone__sketch_print_size(rows, out);
    else
      hone__text_add(out, sketch->size_count ? "TODO" : "N");
    hone__text_add(out, "]");
  }
}

static void print_local(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                        int lanes, struct hone__text *out)
{
  hone__text_add(out, ", local: ");
  if (!hone__sketch_is_per_thread(sketch, parameter->name))
    hone__text_add(out, "TODO");
  else if (lanes > 1)
    hone__text_addf(out, "%d * %s", lanes, hone__sketch_block(sketch));
  else
    hone__text_add(out, hone__sketch_block(sketch));
}

static void print_tensor(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                         enum hone__element element, int lanes, struct hone__text *out)
{
  const char *role = hone__sketch_role(sketch, parameter);

  if (hone__has_word(parameter->text, "__local") || hone__has_word(parameter->text, "local")) {
    print_local(sketch, parameter, lanes, out);
    return;
  }
  hone__sketch_print_shape(sketch, parameter, lanes, out);
  if (!role || strcmp(role, "inout") == 0)
    print_content(sketch, parameter, hone__element_info(element), out);
  if (role) hone__text_addf(out, ", role: %s", role);
  if (role && strcmp(role, "out") == 0 && hone__sketch_is_per_block(sketch, parameter->name))
    hone__text_add(out, ", check: {reduce: sum}");
}

/* ---- Structs ---- */

/* Whole numbers are sizes, as parameters are. */
static void print_struct(const struct hone__sketch_struct *members, struct hone__text *out)
{
  hone__text_add(out, ", struct: [");
  for (size_t i = 0; i < members->count; i++) {
    const struct hone__parameter *member = &members->list[i];
    hone__text_addf(out, "%s{name: %s, type: %s, value: ", i ? ", " : "", member->name,
                    hone__element_name(member->element));
    if (hone__sketch_is_size(member))
      hone__sketch_print_size(member, out);
    else
      hone__text_add(out, "1");
    hone__text_add(out, "}");
  }
  hone__text_add(out, "]");
}

/* ---- Arrays of structs ---- */

/* `struct { float x, y; } *p` is a tensor of f32 with two columns: the element; false: they differ.
 */
static bool common_element(const struct hone__parameter *parameter, enum hone__element *out)
{
  for (size_t i = 0; i < parameter->member_count; i++) {
    *out = parameter->members[0].element;
    if (parameter->members[i].element != *out) return false;
  }
  return parameter->member_count &&
         parameter->target_bytes == parameter->member_count * hone__element_info(*out)->size;
}

/* "row: i32, v: f32" */
static void print_members(const struct hone__parameter *parameter, struct hone__text *out)
{
  for (size_t i = 0; i < parameter->member_count; i++)
    hone__text_addf(out, "%s%s: %s", i ? ", " : "", parameter->members[i].name,
                    hone__element_name(parameter->members[i].element));
}

/* Their bytes, which only the user knows how to fill. */
static void print_bytes(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                        struct hone__text *out)
{
  const char *role = hone__sketch_role(sketch, parameter);

  hone__text_add(out, ", type: u8, shape: [");
  hone__sketch_print_lengths(sketch, parameter, out);
  hone__text_addf(out, ", %zu]", parameter->target_bytes);
  if (!role || strcmp(role, "inout") == 0) hone__text_add(out, ", file: TODO");
  if (role) hone__text_addf(out, ", role: %s", role);
  hone__text_addf(out, "}   # %s: {", parameter->text);
  print_members(parameter, out);
  hone__text_add(out, "}; 'supply' can make them, too: 'hone help recipes'\n");
}

/* ---- Arguments ---- */

static void print_refused(const struct hone__sketch *sketch,
                          const struct hone__parameter *parameter, struct hone__text *out)
{
  hone__text_addf(
      out,
      ", type: TODO}   # %s: %s; write a function that calls '%s' and takes numbers and "
      "arrays of numbers, and name that with --entry\n",
      parameter->text, hone__sketch_refusal(sketch, parameter), sketch->entry);
}

struct typed {
  enum hone__element element;
  int lanes;
  bool is_known, is_struct, is_image;
};

static struct typed type_of(const struct hone__sketch *sketch,
                            const struct hone__parameter *parameter, size_t number)
{
  struct typed type = {.element = parameter->element,
                       .is_known = parameter->has_element,
                       .is_struct = sketch->structs[number].count,
                       .is_image = hone__sketch_is_image(parameter)};

  type.lanes = type.is_known ? 1 : lanes_of(sketch, parameter, &type.element);
  if (!type.is_known && parameter->is_pointer && common_element(parameter, &type.element))
    type.lanes = (int)parameter->member_count;
  type.is_known |= type.lanes > 1 && parameter->is_pointer;
  return type;
}

static void print_scalar(const struct hone__parameter *parameter, bool is_known,
                         struct hone__text *out)
{
  if (hone__sketch_is_size(parameter)) {
    hone__text_add(out, ", value: ");
    hone__sketch_print_size(parameter, out);
  } else {
    hone__text_add(out, parameter->is_enum ? ", value: 0"
                        : is_known         ? ", value: 1"
                                           : ", value: TODO");
  }
}

static void print_typed(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                        const struct typed *type, struct hone__text *out)
{
  hone__text_addf(out, ", type: %s", type->is_known ? hone__element_name(type->element) : "TODO");
  if (parameter->is_pointer)
    print_tensor(sketch, parameter, type->element, type->lanes, out);
  else
    print_scalar(parameter, type->is_known, out);
}

/* Behind the argument: how the source declares it, and what the user should know. */
static void print_remark(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                         bool is_known, struct hone__text *out)
{
  hone__text_addf(out, "}   # %s", parameter->text);
  if (!is_known && parameter->is_pointer && hone__has_word(parameter->text, "void"))
    hone__text_add(out, "; write the type of its elements: u8 for bytes");
  if (parameter->is_pointer && hone__sketch_has_offsets(sketch, parameter->name))
    hone__text_add(out, "; one element per row: 'file: rows.npy' has yours");
  if (parameter->is_pointer && hone__sketch_has_sizes(sketch, parameter)) {
    hone__text_add(out, ": {");
    print_members(parameter, out);
    hone__text_add(out, "}; instead of 'file', 'supply' can make it: 'hone help recipes'");
  }
  hone__text_add(out, "\n");
}

static void print_arg(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                      size_t number, struct hone__text *out)
{
  struct typed type = type_of(sketch, parameter, number);

  if (*parameter->name)
    hone__text_addf(out, "  - {name: %s", parameter->name);
  else
    hone__text_addf(out, "  - {name: arg%zu", number + 1);
  if (!type.is_struct && !type.is_known && hone__sketch_refusal(sketch, parameter)) {
    print_refused(sketch, parameter, out);
    return;
  }
  if (!type.is_known && parameter->is_pointer && parameter->members) {
    print_bytes(sketch, parameter, out);
    return;
  }
  if (type.is_struct)
    print_struct(&sketch->structs[number], out);
  else if (type.is_image)
    hone__sketch_print_image(sketch, parameter, out);
  else
    print_typed(sketch, parameter, &type, out);
  print_remark(sketch, parameter, type.is_known, out);
}

/* ---- What it returns ---- */

static bool is_type_word(const struct hone__code_token *token)
{
  return hone__code_token_is_word(token) && !hone__code_token_is(token, "static") &&
         !hone__code_token_is(token, "inline") && !hone__code_token_is(token, "extern");
}

/* `T`, a parameter of the template. */
static bool is_type_of_template(const struct hone__sketch *sketch,
                                const struct hone__code_token *token,
                                enum hone__element *out_element)
{
  for (size_t i = 0; sketch->is_template && i < sketch->knob_count; i++) {
    const struct hone__sketch_knob *knob = &sketch->knobs[i];
    if (!knob->is_type || !hone__code_token_is(token, knob->name)) continue;
    *out_element = HONE__ELEMENT_F32;
    if (knob->value) hone__element_of_c_type(knob->value, strlen(knob->value), out_element);
    return true;
  }
  return false;
}

/* The words in front of the entry's name. */
static bool find_returned(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                          enum hone__element *out_element)
{
  const struct hone__code_token *list = tokens->list;

  for (size_t i = 1; i + 1 < tokens->count; i++) {
    size_t first = i;
    if (!hone__code_token_is(&list[i], sketch->entry) || !hone__code_token_is(&list[i + 1], "("))
      continue;
    while (first > 0 && is_type_word(&list[first - 1]))
      first--;
    if (first + 1 == i && is_type_of_template(sketch, &list[first], out_element)) return true;
    if (first < i &&
        hone__element_of_c_type(list[first].text,
                                (size_t)(list[i - 1].text + list[i - 1].length - list[first].text),
                                out_element))
      return true;
  }
  return false;
}

/* By the source's text or a compiler; false: nothing, or neither of them knows it. */
static bool is_number_returned(const struct hone__sketch *sketch, enum hone__element *out_element)
{
  const struct hone__parameter *returns = sketch->prototype.returns;
  struct hone__code_tokens tokens = {0};
  bool is_found;

  if (sketch->language > HONE__SKETCH_CPLUSPLUS) return false;
  hone__code_tokens_read(sketch->text, &tokens);
  is_found = find_returned(sketch, &tokens, out_element);
  hone__code_tokens_release(&tokens);
  if (!is_found && returns && returns->has_element && !returns->is_pointer) {
    *out_element = returns->element;
    is_found = true;
  }
  return is_found;
}

bool hone__sketch_has_output(const struct hone__sketch *sketch)
{
  enum hone__element element;

  for (size_t i = 0; i < sketch->prototype.count; i++)
    if (sketch->prototype.parameters[i].is_pointer &&
        hone__sketch_role(sketch, &sketch->prototype.parameters[i]))
      return true;
  return is_number_returned(sketch, &element);
}

static void print_returned(const struct hone__sketch *sketch, struct hone__text *out)
{
  const struct hone__parameter *returns = sketch->prototype.returns;
  enum hone__element element;

  if (is_number_returned(sketch, &element))
    hone__text_addf(out, "  - {name: result, type: %s, return: true}   # what it returns\n",
                    hone__element_name(element));
  else if (returns && !returns->has_element && strcmp(returns->text, "void") != 0)
    hone__text_addf(out,
                    "  # It returns '%s', which cannot be compared: write it through a pointer, or "
                    "return one number.\n",
                    returns->text);
}

/* "kernel.c:1:10: fatal error: 'x.h' file not found"; NULL: none. */
static const char *complaint_of(const struct hone__sketch *sketch)
{
  const char *complaint = sketch->clang ? sketch->clang->complaint : NULL;
  const char *slash = complaint ? strstr(complaint, sketch->file) : NULL;

  return slash ? slash : complaint;
}

static void print_doubts(const struct hone__sketch *sketch, struct hone__text *out)
{
  bool is_open = hone__sketch_is_open(sketch);

  if (sketch->is_refused && sketch->has_prototype && is_open)
    hone__text_add(out, "  # The file does not compile as it is: types are those of its text.\n");
  if (is_open && sketch->asked_clang && !sketch->has_clang)
    hone__text_add(out, "  # libclang (Debian's libclang1) was not found: it may know the types "
                        "that this leaves open.\n");
  if (sketch->overloads > 1)
    hone__text_addf(out,
                    "  # '%s' has %zu overloads. A function is called by its name: give the one of "
                    "line %d another name, and name that as 'entry'.\n",
                    sketch->entry, sketch->overloads, sketch->prototype.line);
}

void hone__sketch_print_args(const struct hone__sketch *sketch, struct hone__text *out)
{
  hone__text_addf(out,
                  "\n# The arguments of '%s', in its order. Roles: in (the default), out, inout, "
                  "scratch.\nargs:\n",
                  sketch->entry);
  print_doubts(sketch, out);
  for (size_t i = 0; i < sketch->prototype.count; i++)
    print_arg(sketch, &sketch->prototype.parameters[i], i, out);
  print_returned(sketch, out);
  if (!sketch->has_prototype)
    hone__text_addf(out,
                    "  - {name: TODO, type: TODO, value: TODO}   # the parameters of '%s' are "
                    "not clear: a macro may hide them%s\n",
                    sketch->entry,
                    sketch->language <= HONE__SKETCH_CPLUSPLUS
                        ? ", and the file does not compile as it is"
                        : "");
  if ((!sketch->has_prototype || (sketch->is_refused && hone__sketch_is_open(sketch))) &&
      complaint_of(sketch))
    hone__text_addf(out, "  # clang: %s\n", complaint_of(sketch));
}

/* ---- The problem ---- */

static bool has_matrix(const struct hone__sketch *sketch)
{
  for (size_t i = 0; i < sketch->prototype.count; i++)
    if (hone__sketch_row_length(sketch, sketch->prototype.parameters[i].name)) return true;
  return false;
}

/* The rows of a tensor are so long. */
static bool is_row_length(const struct hone__sketch *sketch, const char *name)
{
  bool is = false;

  for (size_t i = 0; i < sketch->prototype.count && !is; i++) {
    const struct hone__parameter *length =
        hone__sketch_row_length(sketch, sketch->prototype.parameters[i].name);
    is = length && strcmp(length->name, name) == 0;
  }
  return is;
}

/* Names of numbers that no loop over all elements has. The stride of an image is none of them. */
static bool is_small(const struct hone__sketch *sketch, const char *name)
{
  static const char *const words[] = {"radius", "halo", "border", "pad", "padding", "stride"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(name, words[i]) == 0) return !is_row_length(sketch, name);
  return false;
}

/* The most lengths that a tensor is declared with. */
static size_t declared_rank(const struct hone__sketch *sketch)
{
  size_t rank = 0;

  for (size_t i = 0; i < sketch->prototype.count; i++) {
    size_t own = 0;
    for (const char *at = sketch->prototype.parameters[i].text; (at = strchr(at, '[')); at++)
      own++;
    if (own > rank) rank = own;
  }
  return rank;
}

/* A call should take milliseconds, whatever the kernel does with the size. */
static int first_size(const struct hone__sketch *sketch, const char *name)
{
  unsigned passes = hone__sketch_passes(sketch, name);
  size_t rank = declared_rank(sketch);

  if (is_small(sketch, name)) return 2;
  if (rank > 2) return 64;
  if (sketch->size_count > 1) return 256;
  if (rank > 1 || has_matrix(sketch)) return passes > 2 || !passes ? 256 : 1024;
  return passes > 2 ? 256 : passes > 1 ? 2048 : 65536;
}

/* A tensor or a launch has the size N, which no parameter is. */
static bool needs_size(const struct hone__sketch *sketch)
{
  struct hone__text rest = {0};
  bool needs;

  hone__sketch_print_args(sketch, &rest);
  if (sketch->language == HONE__SKETCH_CUDA || sketch->language == HONE__SKETCH_OPENCL)
    hone__sketch_print_launch(sketch, &rest);
  needs = hone__has_word(rest.data, "N");
  hone__text_release(&rest);
  return needs;
}

void hone__sketch_print_problem(const struct hone__sketch *sketch, struct hone__text *out)
{
  if (!sketch->size_count && !needs_size(sketch)) return;
  hone__text_add(out,
                 "\n# The sizes to tune for. Several values, as in [1024, 4096], are tuned one "
                 "by one.\nproblem:\n");
  for (size_t i = 0; i < sketch->size_count; i++) {
    hone__text_add(out, "  ");
    hone__sketch_print_size(&sketch->sizes[i], out);
    hone__text_addf(out, ": %d\n", first_size(sketch, sketch->sizes[i].name));
  }
  if (!sketch->size_count) hone__text_add(out, "  N: TODO             # the number of elements\n");
}
