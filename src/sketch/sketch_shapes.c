/* Shapes of tensors. Integers that the function takes are sizes: with one of them all tensors have
 * that size, with several the indices tell, or the shapes are left to the user. */
#include "sketch/sketch.h"

#include "source/c_tokens.h"
#include "base/c_type.h"

#include <stdio.h>
#include <stdlib.h>

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

const struct hone__parameter *hone__sketch_row_length(const struct hone__sketch *sketch,
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
const struct hone__parameter *hone__sketch_row_elements(const struct hone__sketch *sketch,
                                                        const struct hone__parameter *tensor)
{
  const struct hone__parameter *offsets = hone__sketch_offsets(sketch, tensor->name);

  return offsets ? own_length(sketch, offsets) : NULL;
}

static const struct hone__parameter *only_length(const struct hone__sketch *sketch,
                                                 const struct hone__parameter *tensor)
{
  const struct hone__parameter *length = own_length(sketch, tensor);

  return length ? length : hone__sketch_row_elements(sketch, tensor);
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

/* Of outputs alone the shape may depend on a knob. */
static bool is_for_blocks(const struct hone__sketch *sketch, const struct hone__parameter *tensor)
{
  const char *role = hone__sketch_role(sketch, tensor);

  return role && strcmp(role, "out") == 0 && hone__sketch_is_per_block(sketch, tensor->name);
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
  if (length && is_for_blocks(sketch, tensor)) {
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

bool hone__sketch_has_sizes(const struct hone__sketch *sketch, const struct hone__parameter *tensor)
{
  return tensor->member_count && !hone__element_info(tensor->members[0].element)->is_float &&
         is_one(sketch, tensor);
}

void hone__sketch_print_lengths(const struct hone__sketch *sketch,
                                const struct hone__parameter *tensor, struct hone__text *out)
{
  const struct hone__parameter *length = hone__sketch_row_length(sketch, tensor->name);

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

void hone__sketch_print_shape(const struct hone__sketch *sketch,
                              const struct hone__parameter *tensor, int lanes,
                              struct hone__text *out)
{
  hone__text_add(out, ", shape: [");
  hone__sketch_print_lengths(sketch, tensor, out);
  if (lanes > 1) hone__text_addf(out, ", %d", lanes);
  hone__text_add(out, "]");
}
