/* Opens a file and looks up the functions of the table in it. */
#include "backend/simt/simt_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* "" is not looked up. */
static void *find(void *handle, const char *name)
{
  return *name ? dlsym(handle, name) : NULL;
}

/* The name of the first needed function that is missing, or NULL. */
static const char *resolve(void *handle, const struct simt_names *names,
                           struct hone__simt_library *library)
{
#define HONE__SIMT_RESOLVE(name, arguments, cuda, hip)                                             \
  if (*names->name) *(void **)&library->name = dlsym(handle, names->name);                         \
  if (!library->name) return names->name;
#define HONE__SIMT_TRY(name, arguments, cuda, hip)                                                 \
  *(void **)&library->name = find(handle, names->name);
  HONE__SIMT_NEWER_FUNCTIONS(HONE__SIMT_TRY)
  HONE__SIMT_FUNCTIONS(HONE__SIMT_RESOLVE)
#undef HONE__SIMT_TRY
#undef HONE__SIMT_RESOLVE
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

bool hone__simt_library_open(const char *name, const struct simt_names *names,
                             struct hone__simt_library *library, const char **out_why,
                             const char **out_missing)
{
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);

  *out_missing = *out_why = NULL;
  if (!handle)
    *out_why = why_not(name);
  else
    *out_missing = resolve(handle, names, library);
  return handle && !*out_missing;
}
