/* Attributes as IREE prints them, and whether two are the same. */
#include "iree/mlir/mlir.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* ---- Maps ---- */

static void print_term(struct hone__text *text, bool is_first, unsigned dim, int64_t factor)
{
  if (factor == INT64_MIN) { /* its magnitude has no digits */
    hone__text_addf(text, "%sd%u * %" PRId64, is_first ? "" : " + ", dim, factor);
    return;
  }
  if (is_first)
    hone__text_addf(text, factor == -1 ? "-d%u" : "d%u", dim);
  else
    hone__text_addf(text, factor < 0 ? " - d%u" : " + d%u", dim);
  if (is_first && factor != 1 && factor != -1)
    hone__text_addf(text, " * %" PRId64, factor);
  else if (!is_first && factor != 1 && factor != -1)
    hone__text_addf(text, " * %" PRId64, factor < 0 ? -factor : factor);
}

static void print_expr(const struct hone__affine_expr *expr, unsigned dims, struct hone__text *text)
{
  bool is_first = true;

  if (expr->text) {
    hone__text_add(text, expr->text);
    return;
  }
  for (unsigned i = 0; i < dims; i++)
    if (expr->factors[i]) {
      print_term(text, is_first, i, expr->factors[i]);
      is_first = false;
    }
  if (is_first)
    hone__text_addf(text, "%" PRId64, expr->constant);
  else if (expr->constant < 0 && expr->constant != INT64_MIN)
    hone__text_addf(text, " - %" PRId64, -expr->constant);
  else if (expr->constant)
    hone__text_addf(text, " + %" PRId64, expr->constant);
}

static void print_names(struct hone__text *text, char letter, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    hone__text_addf(text, "%s%c%u", i ? ", " : "", letter, i);
}

void hone__mlir_print_map(const struct hone__affine_map *map, struct hone__text *text)
{
  hone__text_add(text, "affine_map<(");
  print_names(text, 'd', map->dims);
  hone__text_add(text, ")");
  if (map->symbols) {
    hone__text_add(text, "[");
    print_names(text, 's', map->symbols);
    hone__text_add(text, "]");
  }
  hone__text_add(text, " -> (");
  for (unsigned i = 0; i < map->count; i++) {
    if (i) hone__text_add(text, ", ");
    print_expr(&map->results[i], map->dims, text);
  }
  hone__text_add(text, ")>");
}

/* ---- Names ---- */

static void print_string(const char *string, struct hone__text *text)
{
  hone__text_add(text, "\"");
  for (; *string; string++) {
    unsigned char c = (unsigned char)*string;
    if (c == '\\')
      hone__text_add(text, "\\\\");
    else if (isprint(c) && c != '"')
      hone__text_addn(text, string, 1);
    else
      hone__text_addf(text, "\\%02X", c);
  }
  hone__text_add(text, "\"");
}

static bool is_bare(const char *name, size_t length)
{
  if (!length || !(isalpha((unsigned char)*name) || *name == '_')) return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)name[i]) && !strchr("_$.", name[i])) return false;
  return true;
}

static void print_name(const char *name, struct hone__text *text)
{
  if (is_bare(name, strlen(name)))
    hone__text_add(text, name);
  else
    print_string(name, text);
}

static void print_symbol(const char *symbol, struct hone__text *text)
{
  for (;;) {
    const char *end = strstr(symbol, "::");
    char *part = end ? hone__strndup(symbol, (size_t)(end - symbol)) : hone__strdup(symbol);
    hone__text_add(text, "@");
    print_name(part ? part : "", text);
    free(part);
    if (!end) return;
    hone__text_add(text, "::");
    symbol = end + 2;
  }
}

/* ---- Attributes ---- */

static void print_entry(const struct hone__mlir_entry *entry, struct hone__text *text)
{
  if (entry->key) {
    print_name(entry->key, text);
    if (entry->value.kind == HONE__MLIR_UNIT) return;
    hone__text_add(text, " = ");
  }
  hone__mlir_print_attr(&entry->value, text);
}

static void print_entries(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  for (size_t i = 0; i < attr->count; i++) {
    bool is_blank = attr->kind == HONE__MLIR_DIALECT && !attr->entries[i].is_after_comma;
    if (i) hone__text_add(text, is_blank ? " " : ", ");
    print_entry(&attr->entries[i], text);
  }
}

static int by_key(const void *a, const void *b)
{
  const struct hone__mlir_entry *const *left = a, *const *right = b;

  return strcmp((*left)->key ? (*left)->key : "", (*right)->key ? (*right)->key : "");
}

static void print_dict(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  const struct hone__mlir_entry **sorted = hone__alloc((attr->count + 1) * sizeof *sorted);

  for (size_t i = 0; i < attr->count; i++)
    sorted[i] = &attr->entries[i];
  qsort(sorted, attr->count, sizeof *sorted, by_key);
  hone__text_add(text, "{");
  for (size_t i = 0; i < attr->count; i++) {
    if (i) hone__text_add(text, ", ");
    print_entry(sorted[i], text);
  }
  hone__text_add(text, "}");
  free(sorted);
}

static void print_list(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  if (attr->text) {
    hone__text_add(text, attr->text);
    return;
  }
  hone__text_add(text, "[");
  print_entries(attr, text);
  hone__text_add(text, "]");
}

static void print_dialect(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  if (attr->text[0]) hone__text_addf(text, "#%s", attr->text);
  if (!attr->entries) return;
  hone__text_add(text, "<");
  print_entries(attr, text);
  hone__text_add(text, ">");
}

static void print_number(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  if (attr->text)
    hone__text_add(text, attr->text);
  else if (attr->kind == HONE__MLIR_INTEGER)
    hone__text_addf(text, "%" PRId64, attr->integer);
  else
    hone__text_addf(text, "%.17e", attr->real);
}

void hone__mlir_print_attr(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  switch (attr->kind) {
  case HONE__MLIR_INTEGER:
  case HONE__MLIR_REAL: print_number(attr, text); break;
  case HONE__MLIR_STRING: print_string(attr->text, text); break;
  case HONE__MLIR_BOOL: hone__text_add(text, attr->integer ? "true" : "false"); break;
  case HONE__MLIR_UNIT: hone__text_add(text, "unit"); break;
  case HONE__MLIR_LIST: print_list(attr, text); break;
  case HONE__MLIR_DICT: print_dict(attr, text); break;
  case HONE__MLIR_SYMBOL: print_symbol(attr->text, text); break;
  case HONE__MLIR_MAP: hone__mlir_print_map(attr->map, text); break;
  case HONE__MLIR_DIALECT: print_dialect(attr, text); break;
  case HONE__MLIR_TYPE:
  case HONE__MLIR_WORD: hone__text_add(text, attr->text); break;
  }
  if (attr->kind != HONE__MLIR_TYPE && attr->type.text)
    hone__text_addf(text, " : %s", attr->type.text);
}

/* ---- Sameness ---- */

static bool same_text(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

static const struct hone__mlir_entry *next_without_key(const struct hone__mlir_attr *attr,
                                                       size_t *at)
{
  while (*at < attr->count && attr->entries[*at].key)
    ++*at;
  return *at < attr->count ? &attr->entries[(*at)++] : NULL;
}

/* Most often it is at the same place. */
static const struct hone__mlir_attr *own_entry(const struct hone__mlir_attr *attr, const char *key,
                                               size_t place)
{
  if (same_text(attr->entries[place].key, key)) return &attr->entries[place].value;
  for (size_t i = 0; i < attr->count; i++)
    if (same_text(attr->entries[i].key, key)) return &attr->entries[i].value;
  return NULL;
}

/* Those with keys in any order, those without in theirs. */
static bool same_entries(const struct hone__mlir_attr *a, const struct hone__mlir_attr *b)
{
  size_t at = 0;

  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++) {
    const struct hone__mlir_entry *entry = &a->entries[i], *bare;
    const struct hone__mlir_attr *other;
    if (entry->key) {
      other = own_entry(b, entry->key, i);
    } else {
      bare = next_without_key(b, &at);
      other = bare ? &bare->value : NULL;
    }
    if (!other || !hone__mlir_same_attr(&entry->value, other)) return false;
  }
  return true;
}

static bool same_type(const struct hone__mlir_attr *a, const struct hone__mlir_attr *b)
{
  return !a->type.text || !b->type.text || strcmp(a->type.text, b->type.text) == 0;
}

bool hone__mlir_same_attr(const struct hone__mlir_attr *a, const struct hone__mlir_attr *b)
{
  if (a->kind != b->kind || !same_type(a, b)) return false;
  switch (a->kind) {
  case HONE__MLIR_INTEGER: return a->integer == b->integer;
  case HONE__MLIR_REAL: return a->real == b->real || same_text(a->text, b->text);
  case HONE__MLIR_BOOL: return a->integer == b->integer;
  case HONE__MLIR_UNIT: return true;
  case HONE__MLIR_MAP: return hone__mlir_same_map(a->map, b->map);
  case HONE__MLIR_LIST:
    if (!a->entries || !b->entries) return same_text(a->text, b->text);
    return same_entries(a, b);
  case HONE__MLIR_DICT: return same_entries(a, b);
  case HONE__MLIR_DIALECT:
    if (a->text[0] && b->text[0] && strcmp(a->text, b->text) != 0) return false;
    return same_entries(a, b);
  default: return same_text(a->text, b->text);
  }
}
