/* libclang has as many names as those who pack it. */
#include "source/clang_internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static bool resolve(struct hone__code_clang *clang, void *library)
{
#define X(result, name, arguments)                                                                 \
  *(void **)&clang->name = dlsym(library, "clang_" #name);                                         \
  if (!clang->name) return false;
  HONE__CODE_CLANG_SYMBOLS(X)
#undef X
  return true;
}

static bool open_library(struct hone__code_clang *clang, const char *name)
{
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

  return library && resolve(clang, library);
}

/* As Debian, LLVM and others name them. */
static bool open_version(struct hone__code_clang *clang, int version)
{
  char names[4][64];

  snprintf(names[0], sizeof *names, "libclang-%d.so.1", version);
  snprintf(names[1], sizeof *names, "libclang.so.%d", version);
  snprintf(names[2], sizeof *names, "libclang-%d.so", version);
  snprintf(names[3], sizeof *names, "/usr/lib/llvm-%d/lib/libclang.so.1", version);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (open_library(clang, names[i])) return true;
  return false;
}

/* The newest first. */
bool hone__code_clang_open(struct hone__code_clang *clang)
{
  const char *chosen = getenv("HONE_LIBCLANG");

  if (chosen && *chosen) return open_library(clang, chosen);
  if (open_library(clang, "libclang.so") || open_library(clang, "libclang.so.1")) return true;
  for (int version = 30; version >= 9; version--)
    if (open_version(clang, version)) return true;
  return false;
}
