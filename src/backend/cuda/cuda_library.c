/* libcuda is opened on the first use. */
#include "backend/cuda/cuda_gpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_REASON = 400 };

static const struct simt_names names = {
#define HONE__CUDA_NAME(name, arguments, cuda, hip) .name = cuda,
    HONE__SIMT_FUNCTIONS(HONE__CUDA_NAME) HONE__SIMT_NEWER_FUNCTIONS(HONE__CUDA_NAME)
#undef HONE__CUDA_NAME
};

static struct {
  pthread_once_t once;
  bool found;
  char reason[LONGEST_REASON];
  struct hone__simt_library symbols;
} library = {.once = PTHREAD_ONCE_INIT};

static void load(void)
{
  const char *chosen = getenv("HONE_CUDA"), *why, *missing;
  const char *name = chosen && *chosen ? chosen : "libcuda.so.1";

  library.symbols.kind = &hone__simt_kind_cuda;
  library.found = hone__simt_library_open(name, &names, &library.symbols, &why, &missing);
  if (why)
    snprintf(
        library.reason, LONGEST_REASON,
        "'%s' cannot be opened (%s): install NVIDIA's driver, or set HONE_CUDA to another file",
        name, why);
  else if (missing)
    snprintf(library.reason, LONGEST_REASON,
             "'%s' has no %s: a newer NVIDIA driver is needed (CUDA 11 or later)", name, missing);
}

hone_status hone__cuda_library(const struct hone__simt_library **out_library)
{
  pthread_once(&library.once, load);
  *out_library = library.found ? &library.symbols : NULL;
  return library.found ? NULL : hone__error(HONE_UNAVAILABLE, "%s", library.reason);
}
