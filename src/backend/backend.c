/* The table of backends, and which of them a spec means. */
#include "backend/backend.h"

static const struct hone_backend *const backends[] = {&hone__backend_c};
enum { BACKEND_COUNT = sizeof backends / sizeof *backends };

const struct hone_backend *hone__backend_find(const char *name)
{
  for (size_t i = 0; i < BACKEND_COUNT; i++)
    if (strcmp(backends[i]->name, name) == 0) return backends[i];
  return NULL;
}

static const struct hone_backend *find_by_suffix(const char *file)
{
  const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');

  for (size_t i = 0; dot && i < BACKEND_COUNT; i++)
    for (const char *const *suffix = backends[i]->suffixes; *suffix; suffix++)
      if (strcmp(dot, *suffix) == 0) return backends[i];
  return NULL;
}

static void list_known(struct hone_text *text)
{
  for (size_t i = 0; i < BACKEND_COUNT; i++) {
    hone__text_addf(text, "%s%s (", i ? ", " : "", backends[i]->name);
    for (const char *const *suffix = backends[i]->suffixes; *suffix; suffix++)
      hone__text_addf(text, "%s%s", suffix == backends[i]->suffixes ? "" : " ", *suffix);
    hone__text_add(text, ")");
  }
}

static const struct hone_node *text_node(const struct hone_spec *spec, const char *key)
{
  const struct hone_node *node = NULL;

  if (spec->root && spec->root->kind == HONE_MAPPING) node = hone__node_get(spec->root, key);
  return node && node->kind == HONE_SCALAR ? node : NULL;
}

hone_status hone__backend_of(const struct hone_spec *spec, const struct hone_backend **out_backend)
{
  const struct hone_node *node = text_node(spec, "backend");
  struct hone_text known = {0};
  hone_status status = NULL;

  *out_backend = NULL;
  list_known(&known);
  if (node) {
    *out_backend = hone__backend_find(node->text);
    if (!*out_backend)
      status = hone__spec_error(spec, node, "this version has no backend '%s'; it has %s",
                                node->text, known.data);
  } else if (!spec->file) {
    status = hone__spec_error(spec, NULL, "no 'file': name the kernel's source; known are %s",
                              known.data);
  } else {
    *out_backend = find_by_suffix(spec->file);
    if (!*out_backend)
      status = hone__spec_error(spec, text_node(spec, "file"),
                                "no backend for '%s'; known are %s: give 'backend:' where the "
                                "suffix does not tell",
                                spec->file, known.data);
  }
  hone__text_release(&known);
  return status;
}
