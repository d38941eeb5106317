/* IREE comes as Python packages with the executables inside of them, and with scripts of the same
 * names in bin/ that start Python to start those: a tenth of a second for each compilation. Where
 * such a script is found, the executable behind it is looked for in the packages beside it; a
 * script whose packages lie elsewhere is taken as it is.
 */
#include "iree/toolset/toolset_place.h"

#include "base/paths.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

const char *const hone__iree_tool_names[HONE__IREE_TOOLS] = {
    [HONE__IREE_COMPILE] = "iree-compile",
    [HONE__IREE_OPT] = "iree-opt",
    [HONE__IREE_BENCHMARK] = "iree-benchmark-module",
    [HONE__IREE_RUN] = "iree-run-module",
    [HONE__IREE_IMPORT_ONNX] = "iree-import-onnx",
};

/* Relative to a folder given by the user. "*" is a version of Python. */
static const char *const places[] = {
    "",
    "bin",
    "iree/compiler/_mlir_libs",
    "iree/_runtime_libs",
    "compiler/_mlir_libs",
    "_runtime_libs",
    "lib/python3*/site-packages/iree/compiler/_mlir_libs",
    "lib/python3*/site-packages/iree/_runtime_libs",
    "lib64/python3*/site-packages/iree/compiler/_mlir_libs",
    "lib64/python3*/site-packages/iree/_runtime_libs",
};
/* Beside the folder of a script. */
static const char *const packages[] = {
    "../lib/python3*/site-packages/iree/compiler/_mlir_libs",
    "../lib/python3*/site-packages/iree/_runtime_libs",
    "../lib64/python3*/site-packages/iree/compiler/_mlir_libs",
    "../lib64/python3*/site-packages/iree/_runtime_libs",
    "../lib/python3*/dist-packages/iree/compiler/_mlir_libs",
    "../lib/python3*/dist-packages/iree/_runtime_libs",
};

enum { PLACES = sizeof places / sizeof *places, PACKAGES = sizeof packages / sizeof *packages };

/* ---- One file ---- */

/* It begins with "#!...python". */
static bool is_python(const char *path)
{
  char head[256] = "";
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t got = fd < 0 ? 0 : read(fd, head, sizeof head - 1);

  if (fd >= 0) close(fd);
  head[got > 0 ? got : 0] = '\0';
  head[strcspn(head, "\n")] = '\0';
  return hone__starts_with(head, "#!") && strstr(head, "python");
}

/* The first program of this name that is no Python, in the places below the folder; all links
 * followed. */
static char *look_below(const char *folder, const char *const *below, size_t count,
                        const char *name)
{
  char *found = NULL;

  for (size_t i = 0; !found && i < count; i++) {
    struct hone__text pattern = {0};
    glob_t matches = {0};
    hone__text_addf(&pattern, "%s/%s/%s", folder, below[i], name);
    if (glob(pattern.data, 0, NULL, &matches) == 0) {
      for (size_t j = 0; !found && j < matches.gl_pathc; j++)
        if (hone__path_is_program(matches.gl_pathv[j]) && !is_python(matches.gl_pathv[j]))
          found = hone__realpath(matches.gl_pathv[j]);
    }
    globfree(&matches);
    hone__text_release(&pattern);
  }
  return found;
}

/* The program itself, or the program that it starts. */
static char *resolve_program(const char *path, const char *name)
{
  char *real = hone__path_is_program(path) ? hone__realpath(path) : NULL, *behind, *slash;

  if (!real || !is_python(real)) return real;
  slash = strrchr(real, '/');
  *slash = '\0';
  behind = look_below(real, packages, PACKAGES, name);
  *slash = '/';
  if (!behind) return real;
  free(real);
  return behind;
}

/* ---- Lists of folders ---- */

/* Some tools are Python themselves: their scripts stand in the folder or in bin/. */
static char *look_for(const char *folder, const char *name)
{
  static const char *const scripts[] = {"", "bin/"};
  char *found = look_below(folder, places, PLACES, name);

  for (size_t i = 0; !found && i < sizeof scripts / sizeof *scripts; i++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "%s/%s%s", folder, scripts[i], name);
    found = resolve_program(path.data, name);
    hone__text_release(&path);
  }
  return found;
}

static char *look_in_path_folder(const char *folder, const char *name)
{
  struct hone__text path = {0};
  char *found;

  hone__text_addf(&path, "%s/%s", *folder ? folder : ".", name);
  found = resolve_program(path.data, name);
  hone__text_release(&path);
  return found;
}

typedef char *look_function(const char *folder, const char *name);

static char *look_in_list(const char *folders, look_function *look, const char *name)
{
  char *list = hone__strdup(folders), *rest = list, *folder, *found = NULL;

  while (!found && (folder = strsep(&rest, ":")))
    if (*folder) found = look(folder, name);
  free(list);
  return found;
}

bool hone__iree_look_in(const char *folders, char *paths[HONE__IREE_TOOLS])
{
  bool any = false;

  for (int tool = 0; tool < HONE__IREE_TOOLS; tool++) {
    char *found = look_in_list(folders, look_for, hone__iree_tool_names[tool]);
    any |= found != NULL;
    if (!paths[tool])
      paths[tool] = found;
    else
      free(found);
  }
  return any;
}

void hone__iree_look_in_path(char *paths[HONE__IREE_TOOLS])
{
  const char *path = getenv("PATH");

  for (int tool = 0; tool < HONE__IREE_TOOLS; tool++)
    if (!paths[tool])
      paths[tool] = look_in_list(path ? path : "/usr/bin:/bin", look_in_path_folder,
                                 hone__iree_tool_names[tool]);
}
