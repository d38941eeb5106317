/* kbench searches `file` in the current folder, everything else in a spec is relative to the spec's
 * folder: both are tried.
 */
#include "backend/source_file.h"

#include "base/paths.h"
#include "backend/task.h"

#include <stdlib.h>
#include <unistd.h>

const char *hone__backend_source_file_suffix(const char *path)
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');

  if (dot && dot - base > 4 && strcmp(dot - 4, ".hip.cpp") == 0) return dot - 4;
  return dot && dot > base ? dot : "";
}

static bool has_suffix(const char *path, const char *const *suffixes)
{
  const char *suffix = hone__backend_source_file_suffix(path);

  for (; *suffixes; suffixes++)
    if (strcmp(suffix, *suffixes) == 0) return true;
  return false;
}

bool hone__backend_source_file_is_header(const char *path)
{
  static const char *const suffixes[] = {".h", ".hpp", ".hh", ".hxx", NULL};

  return has_suffix(path, suffixes);
}

bool hone__backend_source_file_is_cplusplus(const char *path)
{
  static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".C", ".hpp", ".hh", ".hxx", NULL};

  return has_suffix(path, suffixes);
}

bool hone__backend_source_file_is_executable(const char *path)
{
  return hone__path_is_file(path) && access(path, X_OK) == 0;
}

/* ---- Variables ---- */

/* The loader leaves an undefined variable unchanged, because counting configurations needs no
 * source. */
static hone_status check_variables(const struct hone_spec *spec, const struct hone__node *node)
{
  for (const char *p = node->text; *p; p++) {
    const char *name;
    size_t length;
    char variable[256];
    if (p[0] == '$' && p[1] == '$') {
      p++;
      continue;
    }
    if (!hone__text_variable_length(p, &name, &length) || length >= sizeof variable) continue;
    memcpy(variable, name, length);
    variable[length] = 0;
    if (!getenv(variable))
      return hone__backend_spec_error(
          spec, node,
          "the environment variable '%s' is not set: set it, or write the path without it",
          variable);
  }
  return NULL;
}

/* ---- Places ---- */

static char *join(const char *folder, const char *name)
{
  struct hone__text text = {0};

  while (name[0] == '.' && name[1] == '/')
    name += 2;
  hone__text_addf(&text, "%s%s%s", folder, strcmp(folder, "/") == 0 ? "" : "/", name);
  return hone__text_take(&text);
}

static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  struct hone__text text = {0};
  char *real;

  if (slash) hone__text_addn(&text, path, slash == path ? 1 : (size_t)(slash - path));
  real = hone__realpath(slash ? text.data : ".");
  if (!real) real = hone__strdup(slash ? text.data : ".");
  hone__text_release(&text);
  return real;
}

/* Resolves `..` and links in the folder's name; the file's own name stays. */
static char *normalise(char *path)
{
  char *folder = path ? folder_of(path) : NULL, *normal;

  if (!folder) return NULL;
  normal = join(folder, strrchr(path, '/') + 1);
  free(folder);
  free(path);
  return normal;
}

/* The first of the two that exists; NULL if neither does. */
static char *choose(char *beside_spec, char *here)
{
  bool first = hone__path_is_file(beside_spec), second = !first && hone__path_is_file(here);
  char *chosen = first ? beside_spec : second ? here : NULL;

  if (chosen != beside_spec) free(beside_spec);
  if (chosen != here) free(here);
  return chosen;
}

static hone_status missing(const struct hone_spec *spec, const struct hone__node *node,
                           const char *name, const char *folder, const char *here)
{
  if (name[0] == '/') return hone__backend_spec_error(spec, node, "no file '%s'", name);
  if (strcmp(folder, here) == 0)
    return hone__backend_spec_error(spec, node, "no file '%s' in '%s'", name, folder);
  return hone__backend_spec_error(spec, node, "no file '%s' in '%s' or '%s'", name, folder, here);
}

hone_status hone__backend_source_file_find(const struct hone_spec *spec, char **out_path)
{
  const struct hone__node *node = spec->root ? hone__node_get(spec->root, "file") : NULL;
  const char *slash = strrchr(spec->path, '/');
  const char *name = node && spec->file ? spec->file : slash ? slash + 1 : spec->path;
  hone_status status = node ? check_variables(spec, node) : NULL;
  char *folder, *here;

  *out_path = NULL;
  if (status) return status;
  folder = folder_of(spec->path);
  here = hone__realpath(".");
  if (!here) here = hone__strdup("/");
  if (name[0] == '/' && hone__path_is_file(name)) *out_path = hone__strdup(name);
  if (name[0] != '/') *out_path = choose(join(folder, name), join(here, name));
  *out_path = normalise(*out_path);
  if (!*out_path) status = missing(spec, node, name, folder, here);
  free(folder);
  free(here);
  return status;
}
