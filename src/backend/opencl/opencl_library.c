/* libOpenCL is loaded on demand; it counts as found only if all symbols exist. /etc/OpenCL/vendors,
 * or $OCL_ICD_VENDORS, lists the drivers it loads. It is never unloaded: drivers have threads.
 */
#include "backend/opencl/opencl_library.h"

#include "base/folder.h"
#include "base/machine.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
  bool found;
  struct hone__opencl_library symbols;
  char *folder; /* for what drivers keep; NULL: none was needed */
  pid_t owner;  /* the process that made it */
  pid_t user;   /* the process that called a driver first; 0: none */
  bool is_host; /* the process is a program that uses OpenCL itself */
} library;

/* ---- The folder of drivers ---- */

/* PoCL, NVIDIA's, Intel's, Mesa's. */
static const char *const cache_variables[] = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "NEO_CACHE_DIR",
                                              "MESA_SHADER_CACHE_DIR"};
enum { CACHE_VARIABLES = sizeof cache_variables / sizeof *cache_variables };

void hone__opencl_use_host(void)
{
  library.is_host = true;
}

void hone__opencl_make_folder(void)
{
  if (library.is_host) return;
  if (library.folder && library.owner == getpid()) {
    mkdir(library.folder, 0700); /* it was left before: drivers still have its name */
    return;
  }
  if (library.folder || getenv(cache_variables[0])) return;
  hone_status_free(hone__folder_make(NULL, &library.folder));
  library.owner = getpid();
  for (size_t i = 0; library.folder && i < CACHE_VARIABLES; i++)
    setenv(cache_variables[i], library.folder, 0);
}

void hone__opencl_leave(void)
{
  if (library.folder && library.owner == getpid()) hone__folder_remove(library.folder);
}

const char *hone__opencl_folder(void)
{
  return library.folder;
}

/* ---- Forks ---- */

void hone__opencl_note_use(void)
{
  if (!library.user) library.user = getpid();
}

bool hone__opencl_is_inherited(void)
{
  return library.user && library.user != getpid();
}

/* ---- The library ---- */

static bool resolve(void *handle, const char **out_missing)
{
#define HONE__OPENCL_RESOLVE(result, name, arguments)                                              \
  *(void **)&library.symbols.name = dlsym(handle, "cl" #name);                                     \
  *out_missing = "cl" #name;                                                                       \
  if (!library.symbols.name) return false;
  HONE__OPENCL_SYMBOLS(HONE__OPENCL_RESOLVE)
#undef HONE__OPENCL_RESOLVE
#define HONE__OPENCL_TRY(result, name, arguments)                                                  \
  *(void **)&library.symbols.name = dlsym(handle, "cl" #name);
  HONE__OPENCL_NEWER_SYMBOLS(HONE__OPENCL_TRY)
#undef HONE__OPENCL_TRY
  return true;
}

static char *library_path(void)
{
  const char *chosen = getenv("HONE_OPENCL");
  struct hone__text path = {0};
  struct stat info;

  if (!chosen || !*chosen) return hone__strdup("libOpenCL.so.1");
  hone__text_add(&path, chosen);
  if (stat(chosen, &info) == 0 && S_ISDIR(info.st_mode)) hone__text_add(&path, "/libOpenCL.so.1");
  return hone__text_take(&path);
}

/* If /sys is not mounted, as in a chroot, PoCL finds no memory and aborts: passes it the size. */
static void describe_machine(void)
{
  struct hone__text text = {0};

  if (access("/sys/devices/system", F_OK) == 0) return;
  hone__text_addf(&text, "numa:1(memory=%zu) core:%zu pu:1", hone__memory_bytes(),
                  hone__cpus_online());
  setenv("HWLOC_SYNTHETIC", text.data, 0);
  hone__text_release(&text);
}

static hone_status load(void)
{
  char *path = library_path();
  hone_status status = NULL;
  const char *missing;
  void *handle;

  describe_machine();
  handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    status = hone__error(HONE_UNAVAILABLE,
                         "no OpenCL: %s; install a driver with its loader (apt-get install "
                         "ocl-icd-libopencl1, and pocl-opencl-icd for CPUs), or set HONE_OPENCL to "
                         "the path of libOpenCL.so.1",
                         dlerror());
  else if (!resolve(handle, &missing))
    status = hone__error(HONE_UNAVAILABLE, "'%s' has no %s: OpenCL 1.2 or later is needed", path,
                         missing);
  library.found = !status;
  if (status && handle) dlclose(handle);
  free(path);
  return status;
}

hone_status hone__opencl_enter(const struct hone__opencl_library **out_library)
{
  hone_status status;

  hone__opencl_make_folder();
  status = library.found ? NULL : load();
  *out_library = status ? NULL : &library.symbols;
  return status;
}
