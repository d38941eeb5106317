/* libamdhip64 is opened on the first use. Three functions of the table have another form in HIP. */
#include "backend/hip/hip_gpu.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_REASON = 400 };

static const struct simt_names names = {
#define HONE__HIP_NAME(name, arguments, cuda, hip) .name = hip,
    HONE__SIMT_FUNCTIONS(HONE__HIP_NAME) HONE__SIMT_NEWER_FUNCTIONS(HONE__HIP_NAME)
#undef HONE__HIP_NAME
};
static const char *const files[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                    "libamdhip64.so", "/opt/rocm/lib/libamdhip64.so"};
enum { FILE_COUNT = sizeof files / sizeof *files };

static struct {
  pthread_once_t once;
  bool found;
  char reason[LONGEST_REASON];
  struct hone__simt_library symbols;
  const char *(*error_name)(simt_result);
  const char *(*error_string)(simt_result);
} library = {.once = PTHREAD_ONCE_INIT};

static simt_result get_error_name(simt_result result, const char **out_name)
{
  *out_name = library.error_name ? library.error_name(result) : NULL;
  return 0;
}

static simt_result get_error_string(simt_result result, const char **out_words)
{
  *out_words = library.error_string ? library.error_string(result) : NULL;
  return 0;
}

/* On AMD's devices, dynamic shared memory needs no permission. */
static simt_result set_attribute(simt_function function, int attribute, int value)
{
  (void)function;
  (void)attribute;
  (void)value;
  return 0;
}

static bool try_file(const char *name)
{
  const char *why, *missing;
  void *handle;

  library.symbols = (struct hone__simt_library){.kind = &hone__simt_kind_hip,
                                                .GetErrorName = get_error_name,
                                                .GetErrorString = get_error_string,
                                                .FuncSetAttribute = set_attribute};
  if (hone__simt_library_open(name, &names, &library.symbols, &why, &missing)) {
    handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    *(void **)&library.error_name = dlsym(handle, "hipGetErrorName");
    *(void **)&library.error_string = dlsym(handle, "hipGetErrorString");
    return true;
  }
  if (why)
    snprintf(library.reason, LONGEST_REASON,
             "'%s' cannot be opened (%s): install ROCm's HIP runtime (Debian: libamdhip64-5), or "
             "set HONE_HIP to another file",
             name, why);
  else
    snprintf(library.reason, LONGEST_REASON,
             "'%s' has no %s: a newer HIP runtime is needed (ROCm 5 or later)", name, missing);
  return false;
}

static void load(void)
{
  const char *chosen = getenv("HONE_HIP");

  if (chosen && *chosen) {
    library.found = try_file(chosen);
    return;
  }
  for (size_t i = 0; i < FILE_COUNT && !library.found; i++)
    library.found = try_file(files[i]);
}

hone_status hone__hip_library(const struct hone__simt_library **out_library)
{
  pthread_once(&library.once, load);
  *out_library = library.found ? &library.symbols : NULL;
  return library.found ? NULL : hone__error(HONE_UNAVAILABLE, "%s", library.reason);
}
