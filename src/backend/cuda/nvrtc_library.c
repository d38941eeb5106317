/* Where NVRTC and CUDA's headers are. */
#include "backend/cuda/nvrtc_library.h"

#include "backend/cuda/cuda_places.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void list_files(struct hone__words *files)
{
  static const char *const in_toolkit[] = {"lib64/libnvrtc.so*", "targets/*/lib/libnvrtc.so*",
                                           NULL};
  static const char *const in_wheels[] = {"cu13/lib/libnvrtc.so*", "cuda_nvrtc/lib/libnvrtc.so*",
                                          NULL};

  hone__cuda_places(in_toolkit, in_wheels, files);
}

/* NVRTC finds its second library by name when it compiles: an open one of that name is used. Opened
 * here, it need not be opened in every fork. */
static void open_builtins(const struct hone__rtc_library *nvrtc)
{
  const char *slash = strrchr(nvrtc->path, '/');
  struct hone__text name = {0};
  int major = 0, minor = 0;

  if (!slash || nvrtc->Version(&major, &minor) != 0) return;
  hone__text_addf(&name, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - nvrtc->path), nvrtc->path,
                  major, minor);
  dlopen(name.data, RTLD_NOW | RTLD_LOCAL);
  hone__text_release(&name);
}

static const char *const plain_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                          "libnvrtc.so", NULL};
static const struct hone__rtc_place place = {
    .title = "NVRTC",
    .variable = "HONE_NVRTC",
    .file = "libnvrtc.so",
    .advice =
        "pip install nvidia-cuda-nvrtc-cu12 (or nvidia-cuda-nvrtc for CUDA 13), install the "
        "CUDA toolkit, or set HONE_NVRTC to the file or its folder; 'build: {compiler: nvcc}' "
        "does not need it",
    .plain_names = plain_names,
    .names =
        {
#define HONE__NVRTC_NAME(result, name, arguments, nvrtc, hiprtc) .name = nvrtc,
            HONE__RTC_FUNCTIONS(HONE__NVRTC_NAME)
#undef HONE__NVRTC_NAME
        },
    .list = list_files,
    .complete = open_builtins,
};
static struct hone__rtc_state state = HONE__RTC_STATE;

hone_status hone__nvrtc_library(const struct hone__rtc_library **out_library)
{
  return hone__rtc_library(&place, &state, out_library);
}

const char *hone__nvrtc_library_file(void)
{
  return hone__rtc_library_file(&place, &state);
}

/* ---- Headers ---- */

static bool has_headers(const char *folder)
{
  struct hone__text path = {0};
  bool found;

  hone__text_addf(&path, "%s/cuda_fp16.h", folder);
  found = access(path.data, R_OK) == 0;
  hone__text_release(&path);
  return found;
}

/* In a toolkit they are next to lib64, in older wheels in another package. */
static char *headers_beside(const char *file)
{
  static const char *const ways[] = {"../include", "../../cuda_runtime/include", "../../../include",
                                     "../../include"};
  const char *slash = strrchr(file, '/');
  char *resolved = NULL;

  for (size_t i = 0; slash && i < sizeof ways / sizeof *ways && !resolved; i++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "%.*s/%s", (int)(slash - file), file, ways[i]);
    if (has_headers(path.data)) resolved = hone__realpath(path.data);
    hone__text_release(&path);
  }
  return resolved;
}

char *hone__cuda_headers(const char *nvrtc)
{
  static const char *const headers[] = {"include/cuda_fp16.h", "targets/*/include/cuda_fp16.h",
                                        NULL};
  static const char *const of_wheels[] = {"cu13/include/cuda_fp16.h",
                                          "cuda_runtime/include/cuda_fp16.h", NULL};
  char *real = nvrtc ? hone__realpath(nvrtc) : NULL, *folder;
  struct hone__words files = {0};

  folder = nvrtc ? headers_beside(nvrtc) : NULL;
  if (!folder && real) folder = headers_beside(real);
  if (!folder) hone__cuda_places(headers, of_wheels, &files);
  if (files.count) {
    folder = hone__strdup(files.data[0]);
    *strrchr(folder, '/') = 0;
  }
  hone__words_release(&files);
  free(real);
  return folder;
}
