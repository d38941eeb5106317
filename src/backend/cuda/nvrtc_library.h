/* nvrtc_library.h - NVIDIA's run-time compiler, looked up at run time.
 *
 * It needs neither a GPU nor its driver. Where it is looked for:
 *   HONE_NVRTC (a file, or the folder that it lies in; then nowhere else)
 *   names that the loader knows: libnvrtc.so.13, .12, .11.2, libnvrtc.so
 *   $CUDA_HOME/lib64, /usr/local/cuda*, and the site-packages of the python3 in PATH, where pip
 * puts the wheels nvidia-cuda-nvrtc-cu12 and nvidia-cuda-nvrtc.
 */
#ifndef HONE_BACKEND_CUDA_NVRTC_LIBRARY_H
#define HONE_BACKEND_CUDA_NVRTC_LIBRARY_H

#include "base/status.h"

#include <stddef.h>

typedef int nvrtc_result; /* 0: success */
typedef struct nvrtc_program_object *nvrtc_program;

/* result, name without "nvrtc", arguments */
#define HONE__NVRTC_SYMBOLS(X)                                                                     \
  X(nvrtc_result, Version, (int *, int *))                                                         \
  X(const char *, GetErrorString, (nvrtc_result))                                                  \
  X(nvrtc_result, CreateProgram,                                                                   \
    (nvrtc_program *, const char *, const char *, int, const char *const *, const char *const *))  \
  X(nvrtc_result, CompileProgram, (nvrtc_program, int, const char *const *))                       \
  X(nvrtc_result, GetProgramLogSize, (nvrtc_program, size_t *))                                    \
  X(nvrtc_result, GetProgramLog, (nvrtc_program, char *))                                          \
  X(nvrtc_result, GetCUBINSize, (nvrtc_program, size_t *))                                         \
  X(nvrtc_result, GetCUBIN, (nvrtc_program, char *))                                               \
  X(nvrtc_result, AddNameExpression, (nvrtc_program, const char *))                                \
  X(nvrtc_result, GetLoweredName, (nvrtc_program, const char *, const char **))

struct hone__nvrtc_library {
#define HONE__NVRTC_FIELD(result, name, arguments) result(*name) arguments;
  HONE__NVRTC_SYMBOLS(HONE__NVRTC_FIELD)
#undef HONE__NVRTC_FIELD
  const char *path; /* its path, from the loader */
};

/* Opened once, and never closed. UNAVAILABLE lists the searched places and gives advice. */
hone_status hone__nvrtc_library(const struct hone__nvrtc_library **out_library);

/* The file that would be opened, without opening it, for identification: NULL if only the loader
 * knows. free(). */
char *hone__nvrtc_library_file(void);

/* The folder with cuda_fp16.h and mma.h that fits this library best: next to it, in CUDA_HOME, in
 * /usr/local/cuda, in pip wheels. `library` may be NULL. NULL: not found. free(). */
char *hone__cuda_headers(const char *library);

#endif
