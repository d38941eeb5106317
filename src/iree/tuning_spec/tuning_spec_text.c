/* tuning_spec_text.c - parts of a spec's text, for use in another file.
 *
 * A part may use aliases (#config, !t) defined at the top of its file, and names that the other
 * file uses for something else: aliases are replaced by their values, names by new ones. Strings
 * are unchanged; comments are dropped.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include <ctype.h>

enum { MAX_ALIAS_DEPTH = 16, MAX_COPY = 64 << 20 };

static bool is_name_char(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '-' || c == '.';
}

/* From a quote past the one that ends it. */
static size_t skip_string(const char *text, size_t at, size_t end)
{
  for (at++; at < end && text[at] != '"'; at++)
    if (text[at] == '\\') at++;
  return at < end ? at + 1 : end;
}

static size_t skip_comment(const char *text, size_t at, size_t end)
{
  while (at < end && text[at] != '\n')
    at++;
  return at;
}

static size_t name_end(const char *text, size_t at, size_t end)
{
  at++; /* the sign in front */
  if (at < end && text[at] == '"') return skip_string(text, at, end);
  while (at < end && is_name_char(text[at]) && !(text[at] == '-' && text[at + 1] == '>'))
    at++;
  return at;
}

/* ---- Aliases ---- */

/* The end of the value of an alias: a line's end outside of brackets. */
static size_t value_end(const char *text, size_t at, size_t end)
{
  int depth = 0;

  while (at < end) {
    char c = text[at];
    if (c == '"') {
      at = skip_string(text, at, end);
      continue;
    }
    if (c == '\n' && depth <= 0) return at;
    if (strchr("<{[(", c)) depth++;
    if (strchr(">}])", c) && !(c == '>' && at && text[at - 1] == '-')) depth--;
    at++;
  }
  return end;
}

/* `#name = value` at the beginning of a line between the operations of the file. */
static bool find_in_gap(const char *text, struct hone__mlir_span gap, const char *name,
                        size_t length, struct hone__mlir_span *out_value)
{
  size_t at = gap.begin;

  while (at < gap.end) {
    size_t begin, stop;
    while (at < gap.end && isspace((unsigned char)text[at]))
      at++;
    if (at == gap.end) return false;
    if (text[at] == '/') {
      at = skip_comment(text, at, gap.end);
      continue;
    }
    stop = text[at] == '#' || text[at] == '!' ? name_end(text, at, gap.end) : gap.end;
    begin = stop;
    while (begin < gap.end && (text[begin] == ' ' || text[begin] == '='))
      begin++;
    *out_value = (struct hone__mlir_span){begin, value_end(text, begin, gap.end)};
    if (stop - at == length && !memcmp(text + at, name, length)) return true;
    at = out_value->end;
  }
  return false;
}

static bool find_alias(const struct hone__mlir *mlir, const char *name, size_t length,
                       struct hone__mlir_span *out_value)
{
  struct hone__mlir_span gap = {0, 0};

  for (size_t i = 0; i <= mlir->root->child_count; i++) {
    bool is_last = i == mlir->root->child_count;
    gap.end = is_last ? mlir->size : mlir->root->children[i]->span.begin;
    if (find_in_gap(mlir->text, gap, name, length, out_value)) return true;
    if (!is_last) gap.begin = mlir->root->children[i]->span.end;
  }
  return false;
}

/* ---- Copies ---- */

struct copy {
  const struct hone__mlir *mlir;
  const struct hone__iree_spec_rename *renames;
  size_t rename_count;
  struct hone__text *out;
  unsigned depth;
};

static void copy_span(struct copy *copy, struct hone__mlir_span span);

static void copy_name(struct copy *copy, size_t at, size_t end)
{
  const char *name = copy->mlir->text + at;
  size_t length = end - at;
  struct hone__mlir_span value;

  for (size_t i = 0; i < copy->rename_count; i++)
    if (strlen(copy->renames[i].from) == length && !memcmp(copy->renames[i].from, name, length)) {
      hone__text_add(copy->out, copy->renames[i].to);
      return;
    }
  if ((*name == '#' || *name == '!') && !memchr(name, '.', length) &&
      copy->depth < MAX_ALIAS_DEPTH && find_alias(copy->mlir, name, length, &value)) {
    copy->depth++;
    copy_span(copy, value);
    copy->depth--;
    return;
  }
  hone__text_addn(copy->out, name, length);
}

static void copy_span(struct copy *copy, struct hone__mlir_span span)
{
  const char *text = copy->mlir->text;
  size_t at = span.begin;

  while (at < span.end && copy->out->length < MAX_COPY) {
    size_t end = at + 1;
    if (text[at] == '"')
      end = skip_string(text, at, span.end);
    else if (text[at] == '/' && text[at + 1] == '/')
      at = end = skip_comment(text, at, span.end);
    if (at < span.end && strchr("%@#!", text[at])) {
      end = name_end(text, at, span.end);
      copy_name(copy, at, end);
    } else {
      hone__text_addn(copy->out, text + at, end - at);
    }
    at = end;
  }
}

void hone__iree_spec_copy(const struct hone__mlir *mlir, struct hone__mlir_span span,
                          const struct hone__iree_spec_rename *renames, size_t rename_count,
                          struct hone__text *out)
{
  struct copy copy = {
      .mlir = mlir, .renames = renames, .rename_count = rename_count, .out = out, .depth = 0};

  copy_span(&copy, span);
}
