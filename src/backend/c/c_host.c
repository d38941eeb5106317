/* A kernel in C in the program that calls it: its object is a file in memory, as in a runner. */
#include "backend/c/c_object.h"
#include "backend/host.h"
#include "backend/kernel/kernel_candidate.h"
#include "base/text.h"

#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Objects of sources that include no math.h are not linked with libm: see needs_math. */
static void open_math(void)
{
  dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
}

/* The loader takes equal names for the same file, even if the first is closed: the number of the
 * object is in the name, bit by bit, as "/." and "/", which lead nowhere else. */
static void name_file(int file, struct hone__text *name)
{
  static atomic_uint_least64_t last;

  hone__text_add(name, "/proc/self/fd");
  for (uint64_t bits = atomic_fetch_add(&last, 1) + 1; bits; bits >>= 1)
    hone__text_add(name, bits & 1 ? "/." : "/");
  hone__text_addf(name, "/%d", file);
}

/* Code that was built with -ffast-math makes the thread that loads it flush to zero: the program's
 * own arithmetic must not change. */
static void *open_object(int file)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct hone__text name = {0};
  fenv_t floats;
  void *library;

  pthread_once(&once, open_math);
  name_file(file, &name);
  fegetenv(&floats);
  library = dlopen(name.data, RTLD_NOW | RTLD_LOCAL);
  fesetenv(&floats);
  hone__text_release(&name);
  return library;
}

static hone_status find_entry(const char *entry, const void *object, size_t size,
                              struct hone__loaded *loaded)
{
  void *symbol = hone__c_entry_find(loaded->module, entry);

  if (!symbol)
    return hone__error(HONE_UNAVAILABLE, "the kernel cannot be loaded: no function '%s'%s", entry,
                       hone__c_object_has_mangled(object, size, entry)
                           ? " with C linkage: declare it extern \"C\""
                           : "; if it is static, write two colons before its name");
  memcpy(&loaded->call, &symbol, sizeof symbol); /* ISO C has no cast for it */
  return NULL;
}

static void unload(uintptr_t context, struct hone__loaded *loaded)
{
  (void)context;
  if (loaded->module) dlclose(loaded->module);
}

static hone_status load_entry(const char *entry, const void *object, size_t size,
                              struct hone__loaded *out_loaded)
{
  int file = hone__c_object_file(object, size);
  hone_status status = NULL;

  if (file < 0)
    return hone__error(HONE_EXHAUSTED, "cannot keep an object of %zu bytes in memory", size);
  out_loaded->module = open_object(file);
  close(file);
  if (!out_loaded->module)
    return hone__error(HONE_UNAVAILABLE, "the kernel cannot be loaded: %s", dlerror());
  status = find_entry(entry, object, size, out_loaded);
  if (status) unload(0, out_loaded);
  return status;
}

static hone_status load(const struct hone__host *host, uintptr_t context,
                        const struct hone__packed *candidate, const void *object, size_t size,
                        struct hone__loaded *out_loaded)
{
  struct hone__kernel_candidate read;
  struct hone__arena arena = {0};
  hone_status status = hone__unpack(candidate, &hone__kernel_candidate_type, &arena, &read);

  (void)host;
  (void)context;
  *out_loaded = (struct hone__loaded){0};
  if (!status && read.stages_count)
    status =
        hone__error(HONE_UNAVAILABLE, "a pipeline ('stages') is not a single function to call");
  if (!status) status = load_entry(read.entry, object, size, out_loaded);
  hone__arena_release(&arena);
  return status;
}

const struct hone__backend_host hone__host_c = {.load = load, .unload = unload};
