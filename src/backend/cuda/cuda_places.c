/* Folders are tried in the order of precedence that a user expects: the environment, PATH, the
 * usual places.
 */
#include "backend/cuda/cuda_places.h"

#include "backend/simt/simt_files.h"

#include "build/toolchain.h"
#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Folders ---- */

static void add_variable(struct hone__words *folders, const char *name)
{
  const char *value = getenv(name);

  if (value && value[0] == '/') hone__words_add(folders, value);
}

/* The home of "/opt/cuda/bin/nvcc" is "/opt/cuda". */
static void add_home_of(struct hone__words *folders, const char *program)
{
  char *path = hone__strdup(program), *slash = strrchr(path, '/');

  if (slash) *slash = 0;
  slash = strrchr(path, '/');
  if (slash && slash > path) {
    *slash = 0;
    hone__words_add(folders, path);
  }
  free(path);
}

/* Not resolved: a virtual environment's python3 is a link to another one. */
static char *find_in_path(const char *program)
{
  const char *p = getenv("PATH");
  struct hone__text path = {0};

  while (p && *p) {
    size_t length = strcspn(p, ":");
    path.length = 0;
    hone__text_addf(&path, "%.*s/%s", (int)length, p, program);
    if (*p == '/' && access(path.data, X_OK) == 0) return hone__text_take(&path);
    p += length + (p[length] == ':');
  }
  hone__text_release(&path);
  return NULL;
}

static void add_homes(struct hone__words *folders, const char *program)
{
  char *path = find_in_path(program);
  char *resolved = path ? hone__realpath(path) : NULL;

  if (path) add_home_of(folders, path);
  if (resolved) add_home_of(folders, resolved);
  free(path);
  free(resolved);
}

static void add_toolkits(struct hone__words *folders)
{
  add_variable(folders, "CUDA_HOME");
  add_variable(folders, "CUDA_PATH");
  hone__words_add(folders, "/usr/local/cuda");
  add_homes(folders, "nvcc");
  hone__simt_files("/usr/local/cuda-*", folders);
  hone__words_add(folders, "/opt/cuda");
}

static void add_pythons(struct hone__words *folders)
{
  const char *home = getenv("HOME");
  struct hone__text local = {0};

  add_variable(folders, "VIRTUAL_ENV");
  add_variable(folders, "CONDA_PREFIX");
  add_homes(folders, "python3");
  if (home && *home == '/') {
    hone__text_addf(&local, "%s/.local", home);
    hone__words_add(folders, local.data);
  }
  hone__words_add(folders, "/usr/local");
  hone__words_add(folders, "/usr");
  hone__text_release(&local);
}

/* ---- Files ---- */

static void add_files(const struct hone__words *folders, const char *between,
                      const char *const *patterns, struct hone__words *out_files)
{
  struct hone__text pattern = {0};

  for (size_t i = 0; i < folders->count; i++)
    for (const char *const *p = patterns; *p; p++) {
      pattern.length = 0;
      hone__text_addf(&pattern, "%s%s/%s", folders->data[i], between, *p);
      hone__simt_files(pattern.data, out_files);
    }
  hone__text_release(&pattern);
}

void hone__cuda_places(const char *const *in_toolkit, const char *const *in_wheels,
                       struct hone__words *out_files)
{
  struct hone__words toolkits = {0}, pythons = {0};

  add_toolkits(&toolkits);
  add_pythons(&pythons);
  add_files(&toolkits, "", in_toolkit, out_files);
  add_files(&pythons, "/lib/python3*/site-packages/nvidia", in_wheels, out_files);
  add_files(&pythons, "/lib/python3*/dist-packages/nvidia", in_wheels, out_files);
  hone__words_release(&toolkits);
  hone__words_release(&pythons);
}
