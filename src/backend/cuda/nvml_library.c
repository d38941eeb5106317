/* libnvidia-ml comes with the driver, but some containers lack it. */
#include "backend/cuda/nvml_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static struct {
  pthread_once_t once;
  bool found;
  struct hone__nvml_library symbols;
} library = {.once = PTHREAD_ONCE_INIT};

static void resolve(void *handle)
{
#define HONE__NVML_RESOLVE(result, name, arguments)                                                \
  *(void **)&library.symbols.name = dlsym(handle, "nvml" #name);
  HONE__NVML_SYMBOLS(HONE__NVML_RESOLVE)
#undef HONE__NVML_RESOLVE
}

static void load(void)
{
  const char *chosen = getenv("HONE_NVML");
  const char *name = chosen && *chosen ? chosen : "libnvidia-ml.so.1";
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);

  if (!handle) return;
  resolve(handle);
  library.found = library.symbols.Init_v2 && library.symbols.Init_v2() == 0;
}

const struct hone__nvml_library *hone__nvml_library(void)
{
  pthread_once(&library.once, load);
  return library.found ? &library.symbols : NULL;
}
