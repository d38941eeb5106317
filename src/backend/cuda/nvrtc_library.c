/* The compiler comes with the toolkit, with a wheel, or from a distribution: all are accepted. A
 * file that is not a library, or lacks a symbol, is skipped.
 */
#include "backend/cuda/nvrtc_library.h"

#include "backend/cuda/cuda_places.h"
#include "base/text.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const plain_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                          "libnvrtc.so", NULL};
static const char *const in_toolkit[] = {"lib64/libnvrtc.so*", "targets/*/lib/libnvrtc.so*", NULL};
static const char *const in_wheels[] = {"cu13/lib/libnvrtc.so*", "cuda_nvrtc/lib/libnvrtc.so*",
                                        NULL};
static const char advice[] = "pip install nvidia-cuda-nvrtc-cu12 (or nvidia-cuda-nvrtc for CUDA "
                             "13), install the CUDA toolkit, or set HONE_NVRTC to the file or its "
                             "folder; 'build: {compiler: nvcc}' does not need it";

static struct {
  pthread_once_t once;
  bool found;
  struct hone__text tried;
  char *path;
  struct hone__nvrtc_library symbols;
} library = {.once = PTHREAD_ONCE_INIT};

/* ---- Files ---- */

static bool is_folder(const char *path)
{
  struct stat info;

  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const char *chosen(void)
{
  const char *path = getenv("HONE_NVRTC");

  return path && *path ? path : NULL;
}

static void add_chosen(struct hone__words *files)
{
  struct hone__text pattern = {0};

  if (is_folder(chosen())) {
    hone__text_addf(&pattern, "%s/libnvrtc.so*", chosen());
    hone__cuda_files(pattern.data, files);
  } else {
    hone__words_add(files, chosen());
  }
  hone__text_release(&pattern);
}

static void list_files(struct hone__words *files)
{
  if (chosen())
    add_chosen(files);
  else
    hone__cuda_places(in_toolkit, in_wheels, files);
}

char *hone__nvrtc_library_file(void)
{
  struct hone__words files = {0};
  char *first = NULL;

  list_files(&files);
  if (files.count) first = hone__strdup(files.data[0]);
  hone__words_release(&files);
  return first;
}

/* ---- Opening ---- */

static bool resolve(void *handle)
{
#define HONE__NVRTC_RESOLVE(result, name, arguments)                                               \
  *(void **)&library.symbols.name = dlsym(handle, "nvrtc" #name);                                  \
  if (!library.symbols.name) return false;
  HONE__NVRTC_SYMBOLS(HONE__NVRTC_RESOLVE)
#undef HONE__NVRTC_RESOLVE
  return true;
}

/* NVRTC finds its second library by name when it compiles: an open one of that name is used. Opened
 * here, it need not be opened in every fork. */
static void open_builtins(const char *path)
{
  const char *slash = strrchr(path, '/');
  struct hone__text name = {0};
  int major = 0, minor = 0;

  if (!slash || library.symbols.Version(&major, &minor) != 0) return;
  hone__text_addf(&name, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - path), path, major,
                  minor);
  dlopen(name.data, RTLD_NOW | RTLD_LOCAL);
  hone__text_release(&name);
}

static bool try_file(const char *name)
{
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  struct link_map *map = NULL;

  hone__text_addf(&library.tried, "%s%s", library.tried.length ? ", " : "", name);
  if (!handle) return false;
  if (!resolve(handle)) {
    hone__text_add(&library.tried, " (too old)");
    dlclose(handle);
    return false;
  }
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  library.path = hone__strdup(map && map->l_name ? map->l_name : name);
  library.symbols.path = library.path;
  open_builtins(library.path);
  return true;
}

static void load(void)
{
  struct hone__words files = {0};

  for (const char *const *name = plain_names; !chosen() && *name && !library.found; name++)
    library.found = try_file(*name);
  if (!library.found) list_files(&files);
  for (size_t i = 0; i < files.count && !library.found; i++)
    library.found = try_file(files.data[i]);
  hone__words_release(&files);
}

hone_status hone__nvrtc_library(const struct hone__nvrtc_library **out_library)
{
  pthread_once(&library.once, load);
  *out_library = library.found ? &library.symbols : NULL;
  if (library.found) return NULL;
  if (chosen() && !library.tried.length)
    return hone__error(HONE_UNAVAILABLE,
                       "NVRTC not found: HONE_NVRTC is '%s', which has no libnvrtc.so", chosen());
  return hone__error(HONE_UNAVAILABLE, "NVRTC not found (tried %s): %s", library.tried.data,
                     advice);
}

/* ---- Headers ---- */

static bool has_headers(const char *folder)
{
  struct hone__text path = {0};
  bool found;

  hone__text_addf(&path, "%s/cuda_fp16.h", folder);
  found = access(path.data, R_OK) == 0;
  hone__text_release(&path);
  return found;
}

/* In a toolkit they are next to lib64, in older wheels in another package. */
static char *headers_beside(const char *file)
{
  static const char *const ways[] = {"../include", "../../cuda_runtime/include", "../../../include",
                                     "../../include"};
  const char *slash = strrchr(file, '/');
  char *resolved = NULL;

  for (size_t i = 0; slash && i < sizeof ways / sizeof *ways && !resolved; i++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "%.*s/%s", (int)(slash - file), file, ways[i]);
    if (has_headers(path.data)) resolved = hone__realpath(path.data);
    hone__text_release(&path);
  }
  return resolved;
}

char *hone__cuda_headers(const char *nvrtc)
{
  static const char *const headers[] = {"include/cuda_fp16.h", "targets/*/include/cuda_fp16.h",
                                        NULL};
  static const char *const of_wheels[] = {"cu13/include/cuda_fp16.h",
                                          "cuda_runtime/include/cuda_fp16.h", NULL};
  char *real = nvrtc ? hone__realpath(nvrtc) : NULL, *folder;
  struct hone__words files = {0};

  folder = nvrtc ? headers_beside(nvrtc) : NULL;
  if (!folder && real) folder = headers_beside(real);
  if (!folder) hone__cuda_places(headers, of_wheels, &files);
  if (files.count) {
    folder = hone__strdup(files.data[0]);
    *strrchr(folder, '/') = 0;
  }
  hone__words_release(&files);
  free(real);
  return folder;
}
