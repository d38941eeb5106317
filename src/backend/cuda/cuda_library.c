/* libcuda is part of NVIDIA's driver, not of the toolkit: it exists wherever there is a GPU. */
#include "backend/cuda/cuda_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_REASON = 400 };

static struct {
  pthread_once_t once;
  bool found;
  char reason[LONGEST_REASON];
  struct hone__cuda_library symbols;
} library = {.once = PTHREAD_ONCE_INIT};

/* The name of the first symbol that is missing, or NULL. */
static const char *resolve(void *handle)
{
#define HONE__CUDA_RESOLVE(result, name, arguments)                                                \
  *(void **)&library.symbols.name = dlsym(handle, "cu" #name);                                     \
  if (!library.symbols.name) return "cu" #name;
  HONE__CUDA_SYMBOLS(HONE__CUDA_RESOLVE)
#undef HONE__CUDA_RESOLVE
#define HONE__CUDA_TRY(result, name, arguments)                                                    \
  *(void **)&library.symbols.name = dlsym(handle, "cu" #name);
  HONE__CUDA_NEWER_SYMBOLS(HONE__CUDA_TRY)
#undef HONE__CUDA_TRY
  return NULL;
}

/* Without the file's name, which dlerror repeats. */
static const char *why_not(const char *name)
{
  static const char always[] = "cannot open shared object file: ";
  const char *error = dlerror();
  size_t length = strlen(name);

  if (!error) return "no reason given";
  if (strncmp(error, name, length) == 0 && error[length] == ':') error += length + 2;
  return strncmp(error, always, strlen(always)) == 0 ? error + strlen(always) : error;
}

static void load(void)
{
  const char *chosen = getenv("HONE_CUDA"), *missing;
  const char *name = chosen && *chosen ? chosen : "libcuda.so.1";
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);

  missing = handle ? resolve(handle) : NULL;
  library.found = handle && !missing;
  if (!handle)
    snprintf(
        library.reason, LONGEST_REASON,
        "'%s' cannot be opened (%s): install NVIDIA's driver, or set HONE_CUDA to another file",
        name, why_not(name));
  else if (missing)
    snprintf(library.reason, LONGEST_REASON,
             "'%s' has no %s: a newer NVIDIA driver is needed (CUDA 11 or later)", name, missing);
}

hone_status hone__cuda_library(const struct hone__cuda_library **out_library)
{
  pthread_once(&library.once, load);
  *out_library = library.found ? &library.symbols : NULL;
  return library.found ? NULL : hone__error(HONE_UNAVAILABLE, "%s", library.reason);
}
