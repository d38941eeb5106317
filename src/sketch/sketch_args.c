/* The arguments of a kernel as a spec has them. Whole numbers are taken for sizes: with one of them
 * all tensors have that size, with several the indices tell, or the shapes are left to the user. */
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

/* ---- Shapes ---- */

/* The size at this token, also as `(n)` and after a cast: `(size_t)n`. */
static const struct hone__parameter *factor_at(const struct hone__sketch *sketch,
                                               const struct hone__code_tokens *tokens, size_t at)
{
  const struct hone__parameter *size = hone__sketch_size_at(sketch, tokens, at);
  bool has_brackets = at + 2 < tokens->count && hone__code_token_is(&tokens->list[at], "(") &&
                      hone__code_token_is(&tokens->list[at + 2], ")");

  if (!size && has_brackets) size = hone__sketch_size_at(sketch, tokens, at + 1);
  if (!size && has_brackets) size = hone__sketch_size_at(sketch, tokens, at + 3);
  return size;
}

/* In an index that begins after `open`: the size after a `*` that is in no brackets. */
static const struct hone__parameter *factor_of(const struct hone__sketch *sketch,
                                               const struct hone__code_tokens *tokens, size_t open)
{
  const struct hone__code_token *list = tokens->list;

  for (size_t k = open + 1; k + 1 < tokens->count && !strchr("];,)", *list[k].text); k++) {
    if (hone__code_token_is(&list[k], "(") || hone__code_token_is(&list[k], "[")) {
      k = hone__code_tokens_end(tokens, k);
    } else if (hone__code_token_is(&list[k], "*")) {
      const struct hone__parameter *size = factor_at(sketch, tokens, k + 1);
      if (size) return size;
    }
  }
  return NULL;
}

static bool is_knob(const struct hone__sketch *sketch, const struct hone__code_token *token)
{
  for (size_t i = 0; i < sketch->knob_count; i++)
    if (hone__code_token_is(token, sketch->knobs[i].name)) return true;
  return false;
}

/* The length of its rows: the size that an index is multiplied by, as in `a[i * n + k]` and
 * `a + i * n`. */
static const struct hone__parameter *row_length(const struct hone__sketch *sketch,
                                                const struct hone__code_tokens *tokens,
                                                const char *name)
{
  const struct hone__parameter *length = NULL;

  for (size_t i = 0; i + 2 < tokens->count && !length; i++)
    if (hone__code_token_is(&tokens->list[i], name) &&
        (hone__code_token_is(&tokens->list[i + 1], "[") ||
         hone__code_token_is(&tokens->list[i + 1], "+")))
      length = factor_of(sketch, tokens, i + 1);
  return length;
}

static const struct hone__parameter *find_row_length(const struct hone__sketch *sketch,
                                                     const char *name)
{
  struct hone__code_tokens tokens = {0};
  const struct hone__parameter *length;

  hone__code_tokens_read(sketch->text, &tokens);
  length = row_length(sketch, &tokens, name);
  hone__code_tokens_release(&tokens);
  return length;
}

/* `filter[j * K + i]`, where the template's K is known: a square of it. */
static const char *find_square(const struct hone__sketch *sketch, const char *name)
{
  struct hone__code_tokens tokens = {0};
  const char *found = NULL;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i + 4 < tokens.count && !found; i++) {
    if (!hone__code_token_is(&tokens.list[i], name) ||
        !hone__code_token_is(&tokens.list[i + 1], "[") ||
        !hone__code_token_is(&tokens.list[i + 3], "*"))
      continue;
    for (size_t k = 0; k < sketch->knob_count; k++)
      if (sketch->knobs[k].is_fixed &&
          hone__code_token_is(&tokens.list[i + 4], sketch->knobs[k].name))
        found = sketch->knobs[k].value;
  }
  hone__code_tokens_release(&tokens);
  return found;
}

/* "n", "n2", "len", "data_size": how many there are of something. */
static bool is_count_name(const char *name)
{
  static const char *const words[] = {"len", "size", "count", "num"};

  if (strchr("nml", *name) && name[1 + strspn(name + 1, "_0123456789")] == '\0') return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(name, words[i])) return true;
  return false;
}

/* The parameter behind it, as in `f(const char *text, size_t length)`; NULL: it is not a size. */
static const struct hone__parameter *next_size(const struct hone__sketch *sketch,
                                               const struct hone__parameter *tensor)
{
  size_t next = (size_t)(tensor - sketch->prototype.parameters) + 1;
  const struct hone__parameter *size = &sketch->prototype.parameters[next];

  return next < sketch->prototype.count && hone__sketch_is_size(size) && is_count_name(size->name)
             ? size
             : NULL;
}

/* The size of a tensor without rows: the only one, or what bounds its index, or what is behind it.
 */
static const struct hone__parameter *own_length(const struct hone__sketch *sketch,
                                                const struct hone__parameter *tensor)
{
  const struct hone__parameter *bound = sketch->size_count == 1 ? &sketch->sizes[0]
                                        : hone__sketch_moves(sketch, tensor->name)
                                            ? NULL
                                            : hone__sketch_bound(sketch, tensor->name, "]");

  return bound ? bound : next_size(sketch, tensor);
}

/* The number of rows, where another tensor holds where these begin: the first spec has one element
 * in each. */
static const struct hone__parameter *row_elements(const struct hone__sketch *sketch,
                                                  const struct hone__parameter *tensor)
{
  const struct hone__parameter *offsets = hone__sketch_offsets(sketch, tensor->name);

  return offsets ? own_length(sketch, offsets) : NULL;
}

static const struct hone__parameter *only_length(const struct hone__sketch *sketch,
                                                 const struct hone__parameter *tensor)
{
  const struct hone__parameter *length = own_length(sketch, tensor);

  return length ? length : row_elements(sketch, tensor);
}

/* `k * plane + i * n + j` after `open`: a product with what is neither a size nor a knob comes
 * before that with a size. */
static bool begins_with_plane(const struct hone__sketch *sketch,
                              const struct hone__code_tokens *tokens, size_t open)
{
  const struct hone__code_token *list = tokens->list;
  bool is_plane = false, has_plane = false;

  for (size_t k = open + 1; k + 1 < tokens->count && !strchr("];,)", *list[k].text); k++) {
    if (hone__code_token_is(&list[k], "(") || hone__code_token_is(&list[k], "[")) {
      k = hone__code_tokens_end(tokens, k);
    } else if (hone__code_token_is(&list[k], "+")) {
      has_plane |= is_plane;
      is_plane = false;
    } else if (hone__code_token_is(&list[k], "*")) {
      if (factor_at(sketch, tokens, k + 1)) return has_plane;
      is_plane = hone__code_token_is_word(&list[k + 1]) && !is_knob(sketch, &list[k + 1]);
    }
  }
  return false;
}

static bool has_planes(const struct hone__sketch *sketch, const char *name)
{
  struct hone__code_tokens tokens = {0};
  bool found = false;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i + 2 < tokens.count && !found; i++)
    found = hone__code_token_is(&tokens.list[i], name) &&
            hone__code_token_is(&tokens.list[i + 1], "[") &&
            begins_with_plane(sketch, &tokens, i + 1);
  hone__code_tokens_release(&tokens);
  return found;
}

/* Of `a[i * k + j]`: the other one of two sizes, or what bounds i. How many planes of them there
 * are is not known. */
static const struct hone__parameter *row_count(const struct hone__sketch *sketch,
                                               const struct hone__parameter *tensor,
                                               const struct hone__parameter *row)
{
  const struct hone__parameter *rows = hone__sketch_rows(sketch, row);

  if (has_planes(sketch, tensor->name)) return NULL;
  return rows ? rows : hone__sketch_bound(sketch, tensor->name, "*");
}

/* The first, or only, length of a tensor. */
static void print_first_length(const struct hone__sketch *sketch,
                               const struct hone__parameter *tensor,
                               const struct hone__parameter *row, struct hone__text *out)
{
  const struct hone__parameter *length =
      row && sketch->size_count > 1 ? row_count(sketch, tensor, row) : only_length(sketch, tensor);
  const char *square = find_square(sketch, tensor->name);

  if (square && !row) {
    hone__text_addf(out, "%s, %s", square, square);
    return;
  }
  if (length && hone__sketch_is_per_block(sketch, tensor->name)) {
    hone__text_add(out, "ceil(");
    hone__sketch_print_size(length, out);
    hone__text_add(out, " / ");
    hone__sketch_print_block_elements(sketch, out);
    hone__text_add(out, ")");
  } else if (length) {
    hone__sketch_print_size(length, out);
  } else {
    hone__text_add(out, sketch->size_count ? "TODO" : "N");
  }
  if (length && hone__sketch_has_offsets(sketch, tensor->name)) hone__text_add(out, " + 1");
}

/* The last word in brackets: "n", "static 16", "restrict k"; false: it is neither a number nor a
 * size. */
static bool print_length(const struct hone__sketch *sketch, const char *text, size_t length,
                         struct hone__text *out)
{
  const struct hone__parameter *size;
  size_t begin = length;

  while (begin && hone__is_word(text[begin - 1]))
    begin--;
  if (begin == length) return false;
  if (strspn(text + begin, "0123456789") == length - begin) {
    hone__sketch_print_number(sketch, strtoll(text + begin, NULL, 10), out);
    return true;
  }
  size = hone__sketch_size_named(sketch, text + begin, length - begin);
  if (size) hone__sketch_print_size(size, out);
  return size != NULL;
}

/* With numbers that tell sizes, if a compiler was asked. */
static const char *declaration(const struct hone__sketch *sketch,
                               const struct hone__parameter *tensor)
{
  size_t number = (size_t)(tensor - sketch->prototype.parameters);

  return sketch->lengths ? sketch->lengths[number].text : tensor->text;
}

/* The lengths in `float a[n][k]`, if all of them are known; of `a[][k]` the first may be another
 * size. */
static bool print_brackets(const struct hone__sketch *sketch, const struct hone__parameter *tensor,
                           const char *text, struct hone__text *out)
{
  size_t before = out->length;
  const char *open = strchr(text, '[');

  if (!open) return false;
  while (*open == '[') {
    size_t length = strcspn(open + 1, "]");
    if (out->length > before) hone__text_add(out, ", ");
    if (length == 0 && out->length == before && open[2] == '[') {
      print_first_length(sketch, tensor, NULL, out);
    } else if (!open[1 + length] || !print_length(sketch, open + 1, length, out)) {
      out->data[out->length = before] = '\0';
      return false;
    }
    open += length + 2;
  }
  return true;
}

/* `typedef short block[64];`: each element of `block *blocks` has 64; false: the type is none of
 * these. */
static bool print_elements(const struct hone__sketch *sketch, const struct hone__parameter *tensor,
                           struct hone__text *out)
{
  struct hone__text alias = {0};
  bool has_lengths =
      hone__sketch_typedef(sketch, tensor, &alias) && strchr(alias.data, '[') != NULL;

  if (has_lengths) {
    if (strchr(tensor->text, '*')) {
      print_first_length(sketch, tensor, NULL, out);
      hone__text_add(out, ", ");
    }
    if (!print_brackets(sketch, tensor, alias.data, out)) hone__text_add(out, "TODO");
  }
  hone__text_release(&alias);
  return has_lengths;
}

/* `float (*rows)[64]` */
static bool print_pointer_to_array(const struct hone__sketch *sketch,
                                   const struct hone__parameter *tensor, struct hone__text *out)
{
  if (!strstr(tensor->text, "(*") || !strchr(tensor->text, '[')) return false;
  print_first_length(sketch, tensor, NULL, out);
  hone__text_add(out, ", ");
  if (!print_brackets(sketch, tensor, declaration(sketch, tensor), out))
    hone__text_add(out, "TODO");
  return true;
}

/* `*sum`, and a reference of C++. */
static bool is_one(const struct hone__sketch *sketch, const struct hone__parameter *tensor)
{
  return hone__sketch_is_single(sketch, tensor->name) || strchr(tensor->text, '&');
}

/* Whole numbers in one struct are sizes, which no random number is. */
static bool has_sizes(const struct hone__sketch *sketch, const struct hone__parameter *tensor)
{
  return tensor->member_count && !hone__element_info(tensor->members[0].element)->is_float &&
         is_one(sketch, tensor);
}

static void print_lengths(const struct hone__sketch *sketch, const struct hone__parameter *tensor,
                          struct hone__text *out)
{
  const struct hone__parameter *length = find_row_length(sketch, tensor->name);

  if (print_elements(sketch, tensor, out) || print_pointer_to_array(sketch, tensor, out) ||
      print_brackets(sketch, tensor, declaration(sketch, tensor), out))
    return;
  if (is_one(sketch, tensor)) {
    hone__text_add(out, "1");
    return;
  }
  print_first_length(sketch, tensor, length, out);
  if (length) hone__text_add(out, ", ");
  if (length) hone__sketch_print_size(length, out);
}

static void print_shape(const struct hone__sketch *sketch, const struct hone__parameter *tensor,
                        int lanes, struct hone__text *out)
{
  hone__text_add(out, ", shape: [");
  print_lengths(sketch, tensor, out);
  if (lanes > 1) hone__text_addf(out, ", %d", lanes);
  hone__text_add(out, "]");
}

/* Whole numbers are often indices, or where rows begin. */
static void print_content(const struct hone__sketch *sketch, const struct hone__parameter *tensor,
                          const struct hone__element_info *info, struct hone__text *out)
{
  if (info->is_float) {
    hone__text_add(out, ", fill: uniform");
  } else if (has_sizes(sketch, tensor)) {
    hone__text_add(out, ", file: TODO");
  } else if (hone__sketch_has_offsets(sketch, tensor->name)) {
    hone__text_add(out, ", fill: arange");
  } else if (info->size < 4) {
    hone__text_add(out, info->size == 2 ? ", range: [0, 32767]" : ""); /* a byte has all values */
  } else {
    const struct hone__parameter *rows =
        sketch->size_count == 1 ? &sketch->sizes[0] : row_elements(sketch, tensor);
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
  print_shape(sketch, parameter, lanes, out);
  if (!role || strcmp(role, "inout") == 0)
    print_content(sketch, parameter, hone__element_info(element), out);
  if (role) hone__text_addf(out, ", role: %s", role);
  if (role && hone__sketch_is_per_block(sketch, parameter->name))
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
  print_lengths(sketch, parameter, out);
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

static void print_arg(const struct hone__sketch *sketch, const struct hone__parameter *parameter,
                      size_t number, struct hone__text *out)
{
  enum hone__element element = parameter->element;
  bool is_known = parameter->has_element;
  int lanes = is_known ? 1 : lanes_of(sketch, parameter, &element);
  bool is_struct = sketch->structs[number].count, is_image = hone__sketch_is_image(parameter);

  if (!is_known && parameter->is_pointer && common_element(parameter, &element))
    lanes = (int)parameter->member_count;
  is_known |= lanes > 1 && parameter->is_pointer;
  if (*parameter->name)
    hone__text_addf(out, "  - {name: %s", parameter->name);
  else
    hone__text_addf(out, "  - {name: arg%zu", number + 1);
  if (!is_struct && !is_known && hone__sketch_refusal(sketch, parameter)) {
    print_refused(sketch, parameter, out);
    return;
  }
  if (!is_known && parameter->is_pointer && parameter->members) {
    print_bytes(sketch, parameter, out);
    return;
  }
  if (is_struct)
    print_struct(&sketch->structs[number], out);
  else if (is_image)
    hone__sketch_print_image(sketch, parameter, out);
  else
    hone__text_addf(out, ", type: %s", is_known ? hone__element_name(element) : "TODO");
  if (is_struct || is_image) {
    /* that is all */
  } else if (parameter->is_pointer) {
    print_tensor(sketch, parameter, element, lanes, out);
  } else if (hone__sketch_is_size(parameter)) {
    hone__text_add(out, ", value: ");
    hone__sketch_print_size(parameter, out);
  } else {
    hone__text_add(out, parameter->is_enum ? ", value: 0"
                        : is_known         ? ", value: 1"
                                           : ", value: TODO");
  }
  hone__text_addf(out, "}   # %s", parameter->text);
  if (!is_known && parameter->is_pointer && hone__has_word(parameter->text, "void"))
    hone__text_add(out, "; what it points to is for you to say: u8 are bytes");
  if (parameter->is_pointer && hone__sketch_has_offsets(sketch, parameter->name))
    hone__text_add(out, "; one element per row: 'file: rows.npy' has yours");
  if (parameter->is_pointer && has_sizes(sketch, parameter)) {
    hone__text_add(out, ": {");
    print_members(parameter, out);
    hone__text_add(out, "}; instead of 'file', 'supply' can make it: 'hone help recipes'");
  }
  hone__text_add(out, "\n");
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
    if (find_row_length(sketch, sketch->prototype.parameters[i].name)) return true;
  return false;
}

/* The rows of a tensor are so long. */
static bool is_row_length(const struct hone__sketch *sketch, const char *name)
{
  bool is = false;

  for (size_t i = 0; i < sketch->prototype.count && !is; i++) {
    const struct hone__parameter *length =
        find_row_length(sketch, sketch->prototype.parameters[i].name);
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
