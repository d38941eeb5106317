/* MLIR texts: reading them into a tree, and querying the tree. */
#include "iree/mlir/mlir_parser.h"

#include "base/diagnostics.h"
#include "base/file.h"

#include <stdlib.h>

hone_status hone__mlir_parse(struct hone__mlir *mlir, const char *path, const char *text,
                             size_t size)
{
  struct hone__mlir_parser parser, *p = &parser;
  size_t count;

  *mlir = (struct hone__mlir){.size = size};
  mlir->path = hone__arena_strdup(&mlir->arena, path);
  mlir->text = hone__arena_strndup(&mlir->arena, text, size);
  mlir->root = hone__arena_alloc(&mlir->arena, sizeof *mlir->root);
  mlir->root->name = "";
  mlir->root->span.end = mlir->root->head.end = size;
  mlir->root->line = 1;
  hone__mlir_begin(p, mlir, &mlir->arena);
  hone__mlir_body(p, mlir->root);
  if (p->token.kind == '}') hone__mlir_fail(p, p->token.begin, "unmatched '}'");
  mlir->root->children = hone__mlir_take(p, &p->ops, 0, &count);
  mlir->root->child_count = count;
  return hone__mlir_end(p);
}

hone_status hone__mlir_read(struct hone__mlir *mlir, const char *path)
{
  char *text = NULL;
  size_t size;
  hone_status status;

  *mlir = (struct hone__mlir){0};
  status = hone__file_read(path, HONE__MLIR_MOST_BYTES, &text, &size);
  if (status) return status;
  status = hone__mlir_parse(mlir, path, text, size);
  free(text);
  return status;
}

void hone__mlir_release(struct hone__mlir *mlir)
{
  hone__arena_release(&mlir->arena);
  *mlir = (struct hone__mlir){0};
}

hone_status hone__mlir_parse_attr(struct hone__arena *arena, const char *text,
                                  struct hone__mlir_attr *out_attr)
{
  struct hone__mlir mlir = {.path = "attribute", .text = text, .size = strlen(text)};
  struct hone__mlir_parser p;

  hone__mlir_begin(&p, &mlir, arena);
  hone__mlir_value(&p, true, out_attr);
  if (p.token.kind != HONE__MLIR_TOKEN_END)
    hone__mlir_fail(&p, p.token.begin, "expected one attribute");
  if (!p.status && !out_attr->span.end) hone__mlir_fail(&p, 0, "expected an attribute");
  return hone__mlir_end(&p);
}

/* ---- Failures ---- */

static struct hone__place place_of(const struct hone__mlir *mlir, size_t offset)
{
  struct hone__place place = {1, 1};

  for (size_t i = 0; i < offset && i < mlir->size; i++) {
    place.column++;
    if (mlir->text[i] != '\n') continue;
    place.line++;
    place.column = 1;
  }
  return place;
}

hone_status hone__mlir_error(const struct hone__mlir *mlir, size_t offset, const char *format, ...)
{
  struct hone__source source = {.path = mlir->path, .text = mlir->text, .size = mlir->size};
  struct hone__diagnostics diagnostics = {0};
  struct hone__text message = {0};
  hone_status status;
  char *text;
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&message, format, args);
  va_end(args);
  hone__source_index(&source, &diagnostics.arena);
  hone__report(&diagnostics, HONE__ERROR, &source, place_of(mlir, offset), "%s", message.data);
  text = hone__diagnostics_text(&diagnostics, HONE__ERROR);
  if (*text && text[strlen(text) - 1] == '\n') text[strlen(text) - 1] = 0;
  status = hone__because(hone__error(HONE_INVALID_SPEC, "%s", text), message.data);
  free(text);
  hone__text_release(&message);
  hone__diagnostics_release(&diagnostics);
  return status;
}

/* ---- Asking ---- */

bool hone__mlir_each(const struct hone__mlir_op *op, hone__mlir_visit *visit, void *data)
{
  for (size_t i = 0; i < op->child_count; i++) {
    if (!visit(data, op->children[i])) return false;
    if (!hone__mlir_each(op->children[i], visit, data)) return false;
  }
  return true;
}

struct hone__mlir_op *hone__mlir_find(const struct hone__mlir_op *op, const char *name)
{
  for (size_t i = 0; i < op->child_count; i++) {
    struct hone__mlir_op *child = op->children[i], *found = child;
    if (strcmp(child->name, name) != 0) found = hone__mlir_find(child, name);
    if (found) return found;
  }
  return NULL;
}

struct hone__mlir_op *hone__mlir_around(const struct hone__mlir_op *op, const char *name)
{
  struct hone__mlir_op *around = op->parent;

  while (around && strcmp(around->name, name) != 0)
    around = around->parent;
  return around;
}

static const struct hone__mlir_attr *find_entry(const struct hone__mlir_entry *entries,
                                                size_t count, const char *key)
{
  for (size_t i = 0; i < count; i++)
    if (entries[i].key && strcmp(entries[i].key, key) == 0) return &entries[i].value;
  return NULL;
}

const struct hone__mlir_attr *hone__mlir_attr(const struct hone__mlir_op *op, const char *key)
{
  return find_entry(op->attrs, op->attr_count, key);
}

const struct hone__mlir_attr *hone__mlir_entry(const struct hone__mlir_attr *attr, const char *key)
{
  const struct hone__mlir_attr *found;

  if (!attr || (attr->kind != HONE__MLIR_DICT && attr->kind != HONE__MLIR_DIALECT)) return NULL;
  found = find_entry(attr->entries, attr->count, key);
  for (size_t i = 0; !found && attr->kind == HONE__MLIR_DIALECT && i < attr->count; i++)
    if (!attr->entries[i].key && attr->entries[i].value.kind == HONE__MLIR_DICT)
      found = find_entry(attr->entries[i].value.entries, attr->entries[i].value.count, key);
  return found;
}

const struct hone__mlir_clause *hone__mlir_clause(const struct hone__mlir_op *op, const char *word)
{
  for (size_t i = 0; i < op->clause_count; i++)
    if (strcmp(op->clauses[i].word, word) == 0) return &op->clauses[i];
  return NULL;
}
