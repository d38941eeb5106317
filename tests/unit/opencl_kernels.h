/* opencl_kernels.h - candidates for tests of OpenCL, built by the backend itself. */
#ifndef HONE_TESTS_OPENCL_KERNELS_H
#define HONE_TESTS_OPENCL_KERNELS_H

#include "backend/opencl/opencl_backend.h"
#include "backend/opencl/opencl_compile.h"
#include "folder.h"
#include "built.h"

#include <unistd.h>

/* For a build with sanitizers: drivers give nothing back when they end. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libpocl\nleak:libLLVM\nleak:libOpenCL\nleak:libclang\nleak:libnvidia\n"
         "leak:libstdc++\n";
}

static const char *opencl_device; /* NULL: there is none */
static char opencl_advice[512];

/* Asked in a fork: this process stays free of threads until a test wants them. */
static inline int find_opencl(void **state)
{
  int ends[2];
  FILE *pipe_end;
  static char name[64];

  if (make_folder(state) != 0 || pipe(ends) != 0) return -1;
  setenv("TMPDIR", folder, 1);
  setenv("HONE_CACHE", path_of("cache"), 1);
  unsetenv("POCL_CACHE_DIR");
  if (fork() == 0) {
    struct hone__opencl_device device;
    hone_status status = hone__opencl_find("opencl", &device);
    dprintf(ends[1], "%s\n", status ? hone_status_message(status) : device.name);
    hone__opencl_leave();
    _exit(0);
  }
  close(ends[1]);
  pipe_end = fdopen(ends[0], "r");
  if (!fgets(opencl_advice, sizeof opencl_advice, pipe_end)) opencl_advice[0] = 0;
  fclose(pipe_end);
  opencl_advice[strcspn(opencl_advice, "\n")] = 0;
  if (strncmp(opencl_advice, "opencl:", 7) == 0)
    opencl_device = strcpy(name, opencl_advice);
  else
    print_message("# no OpenCL here: %s\n", opencl_advice);
  return 0;
}

static inline int leave_opencl(void **state)
{
  hone__opencl_compile_end();
  hone__opencl_leave();
  return remove_folder(state);
}

#define NEEDS_OPENCL()                                                                             \
  do {                                                                                             \
    if (!opencl_device) skip();                                                                    \
  } while (0)

/* A libOpenCL in the folder, for $HONE__OPENCL: the functions that `text` has are `given` (ended by
 * NULL), all others fail. False: no compiler is here. */
static inline bool opencl_make_stub(const char *text, const char *const *given)
{
  struct hone__text all = {0}, command = {0};
  bool made;

#define ADD(result, name, arguments)                                                               \
  {                                                                                                \
    const char *const *at = given;                                                                 \
    while (*at && strcmp(*at, #name) != 0)                                                         \
      at++;                                                                                        \
    if (!*at) hone__text_add(&all, "int cl" #name "(void) { return -1; }\n");                      \
  }
  hone__text_add(&all, text);
  HONE__OPENCL_SYMBOLS(ADD)
#undef ADD
  write_text("stub.c", all.data);
  hone__text_addf(&command, "cc -w -shared -fPIC -o %s %s", path_of("libOpenCL.so.1"),
                  path_of("stub.c"));
  made = system(command.data) == 0;
  hone__text_release(&all);
  hone__text_release(&command);
  return made;
}

/* `local` 0: the driver chooses. */
static inline json_t *opencl_candidate(const char *source, const char *entry, int global, int local)
{
  json_t *candidate =
      json_pack("{ss ss s[] s[] s[] si s[]}", "source", path_of(source), "entry", entry, "flags",
                "includes", "defines", "given_defines", 0, "values");
  json_t *launch = json_pack("{si s[iii] s[iii] si}", "dimensions", 1, "global", global, 1, 1,
                             "cluster", 1, 1, 1, "shared", 0);

  json_object_set_new(launch, "local", local ? json_pack("[iii]", local, 1, 1) : json_null());
  json_object_set_new(candidate, "launch", launch);
  json_object_set_new(candidate, "built_for", json_string("PoCL"));
  return candidate;
}

static inline void opencl_define(json_t *candidate, const char *name, const char *value)
{
  json_array_append_new(json_object_get(candidate, "defines"), json_pack("[ss]", name, value));
}

/* Lends the candidate. */
static inline struct built opencl_build(json_t *candidate, double timeout_s)
{
  json_t *setup = json_pack("{ss ss s{ss}}", "folder", folder, "device",
                            opencl_device ? opencl_device : "opencl", "target", "kind", "cpu");

  return build_with(&hone__backend_opencl, setup, candidate, timeout_s);
}

#endif
