/* libz3 is searched for once, when it is first needed, by whichever thread comes first. It is
 * found only if all symbols are there. */
#include "space/z3_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
  pthread_once_t once;
  bool found;
  struct hone__z3_library symbols;
} library = {.once = PTHREAD_ONCE_INIT};

static bool resolve(void *handle)
{
#define HONE__Z3_RESOLVE(result, name, arguments)                                                  \
  *(void **)&library.symbols.name = dlsym(handle, "Z3_" #name);                                    \
  if (!library.symbols.name) return false;
  HONE__Z3_SYMBOLS(HONE__Z3_RESOLVE)
#undef HONE__Z3_RESOLVE
  return true;
}

/* The library stays loaded: Z3 cannot be unloaded safely. */
static void load(void)
{
  const char *chosen = getenv("HONE_Z3_LIBRARY");
  const char *const usual[] = {"libz3.so.4", "libz3.so"};
  const char *const *names = chosen ? &chosen : usual;

  for (int i = 0; i < (chosen ? 1 : 2) && !library.found; i++) {
    void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!handle) continue;
    library.found = resolve(handle);
    if (!library.found) dlclose(handle);
  }
}

const struct hone__z3_library *hone__z3_library(const char **out_advice)
{
  pthread_once(&library.once, load);
  *out_advice = library.found ? NULL
                              : "install libz3-4 (apt-get install libz3-4), or set "
                                "HONE_Z3_LIBRARY to the path of libz3.so";
  return library.found ? &library.symbols : NULL;
}
