/* The table of backends, and the choice of the backend of a spec. */
#include "backend/backend.h"

#include "backend/language.h"
#include "backend/source_file.h"

#include <stdlib.h>

static const struct hone__backend *const backends[] = {
    &hone__backend_c,    &hone__backend_cuda,    &hone__backend_hip, &hone__backend_opencl,
    &hone__backend_iree, &hone__backend_program, &hone__backend_sim};
/* Backends whose kernels are called with arguments. */
static const struct hone__backend *const kernels[] = {&hone__backend_c, &hone__backend_cuda,
                                                      &hone__backend_hip, &hone__backend_opencl};
/* Backends with exclusive file suffixes. */
static const struct hone__backend *const alone[] = {&hone__backend_iree, &hone__backend_sim};
enum { ALONE_COUNT = sizeof alone / sizeof *alone };
enum { KERNEL_COUNT = sizeof kernels / sizeof *kernels };
enum { BACKEND_COUNT = sizeof backends / sizeof *backends };

const struct hone__backend *hone__backend_find(const char *name)
{
  for (size_t i = 0; i < BACKEND_COUNT; i++)
    if (strcmp(backends[i]->name, name) == 0) return backends[i];
  return NULL;
}

double hone__backend_least_sample_ns(const struct hone__backend *backend)
{
  return backend->batch_ns > 0 ? backend->batch_ns : 50e3;
}

bool hone__backend_calls_kernels(const struct hone__backend *backend)
{
  for (size_t i = 0; i < KERNEL_COUNT; i++)
    if (kernels[i] == backend) return true;
  return false;
}

const struct hone__backend *hone__backend_at(size_t i)
{
  return i < BACKEND_COUNT ? backends[i] : NULL;
}

static bool has_suffix(const struct hone__backend *backend, const char *file)
{
  const char *own = hone__backend_source_file_suffix(file);

  for (const char *const *suffix = backend->suffixes; *suffix; suffix++)
    if (strcmp(own, *suffix) == 0) return true;
  return false;
}

static void list_known(struct hone__text *text)
{
  for (size_t i = 0; i < BACKEND_COUNT; i++) {
    hone__text_addf(text, "%s%s (", i ? ", " : "", backends[i]->name);
    for (const char *const *suffix = backends[i]->suffixes; *suffix; suffix++)
      hone__text_addf(text, "%s%s", suffix == backends[i]->suffixes ? "" : " ", *suffix);
    hone__text_add(text, ")");
  }
}

static const struct hone__node *text_node(const struct hone_spec *spec, const char *key)
{
  const struct hone__node *node = NULL;

  if (spec->root && spec->root->kind == HONE__MAPPING) node = hone__node_get(spec->root, key);
  return node && node->kind == HONE__SCALAR ? node : NULL;
}

/* ---- Which one a spec means ---- */

static bool has_key(const struct hone_spec *spec, const char *mapping, const char *key)
{
  const struct hone__node *root =
      spec->root && spec->root->kind == HONE__MAPPING ? spec->root : NULL;
  const struct hone__node *node = root ? hone__node_get(root, mapping) : NULL;

  if (!node || !key) return node != NULL;
  return node->kind == HONE__MAPPING && hone__node_get(node, key);
}

/* A function to be called: the calling program is ours. */
static bool has_function(const struct hone_spec *spec)
{
  return has_key(spec, "entry", NULL) || has_key(spec, "stages", NULL) ||
         has_key(spec, "args", NULL);
}

static bool is_executable(const struct hone_spec *spec)
{
  char *path = NULL;
  hone_status status = hone__backend_source_file_find(spec, &path);
  bool executable = !status && hone__backend_source_file_is_executable(path);

  hone_status_free(status);
  free(path);
  return executable;
}

/* A source without functions to call: its backend reports best what is wrong with its spec. */
static bool is_script(const struct hone_spec *spec)
{
  const struct hone__language *language =
      hone__language_of_suffix(hone__backend_source_file_suffix(spec->file));

  return language && language->kind == HONE__LANGUAGE_INTERPRETED;
}

/* Any file is a program if there is a way to run it. */
static bool is_program(const struct hone_spec *spec)
{
  return has_suffix(&hone__backend_program, spec->file) || has_key(spec, "build", "command") ||
         has_key(spec, "run", "command") || is_executable(spec);
}

static hone_status choose(const struct hone_spec *spec, const char *known,
                          const struct hone__backend **out_backend)
{
  const struct hone__node *file = text_node(spec, "file");

  if (!spec->file)
    return hone__backend_spec_error(
        spec, NULL, "no 'file': name the kernel's source; known suffixes: %s", known);
  for (size_t i = 0; i < ALONE_COUNT; i++)
    if (has_suffix(alone[i], spec->file)) *out_backend = alone[i];
  if (*out_backend) return NULL;
  if (has_function(spec)) {
    for (size_t i = 0; i < KERNEL_COUNT; i++)
      if (has_suffix(kernels[i], spec->file)) *out_backend = kernels[i];
    if (is_script(spec)) *out_backend = &hone__backend_program;
  } else if (is_program(spec)) {
    *out_backend = &hone__backend_program;
  }
  if (*out_backend) return NULL;
  return hone__backend_spec_error(
      spec, file,
      "no backend for '%s'%s; known suffixes: %s; give 'backend:' for another "
      "suffix, or 'run: {command: ...}' for another kind of program",
      spec->file, has_function(spec) ? " with an 'entry' or 'args'" : "", known);
}

hone_status hone__backend_of(const struct hone_spec *spec, const struct hone__backend **out_backend)
{
  const struct hone__node *node = text_node(spec, "backend");
  struct hone__text known = {0};
  hone_status status = NULL;

  *out_backend = node ? hone__backend_find(node->text) : NULL;
  list_known(&known);
  if (!node)
    status = choose(spec, known.data, out_backend);
  else if (!*out_backend)
    status = hone__backend_spec_error(spec, node, "unknown backend '%s'; known backends: %s",
                                      node->text, known.data);
  hone__text_release(&known);
  return status;
}
