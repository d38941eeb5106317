/* cuda_kernels.h - candidates for tests of CUDA, built by the backend itself. */
#ifndef HONE_TESTS_CUDA_KERNELS_H
#define HONE_TESTS_CUDA_KERNELS_H

#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/nvrtc_library.h"
#include "folder.h"
#include "built.h"

#include <unistd.h>

static bool has_nvrtc;

static inline int find_nvrtc(void **state)
{
  const struct hone__rtc_library *nvrtc;
  hone_status status;

  if (make_folder(state) != 0) return -1;
  setenv("TMPDIR", folder, 1);
  setenv("HONE_CACHE", path_of("cache"), 1);
  status = hone__nvrtc_library(&nvrtc);
  has_nvrtc = !status;
  if (status) print_message("# %s\n", hone_status_message(status));
  hone_status_free(status);
  return 0;
}

#define NEEDS_NVRTC()                                                                              \
  do {                                                                                             \
    if (!has_nvrtc) skip();                                                                        \
  } while (0)

/* Kept besides: a test that skips itself does not come to releasing it. */
static inline json_t *cuda_candidate(const char *source, const char *entry, const char *arch)
{
  static json_t *kept;
  json_t *candidate = json_pack("{ss ss ss ss s[] s[] s[] si s[] s{si s[iii] s[iii] s[iii] si}}",
                                "source", path_of(source), "entry", entry, "arch", arch, "compiler",
                                HONE__CUDA_NVRTC, "flags", "includes", "defines", "given_defines",
                                0, "values", "launch", "dimensions", 1, "global", 1024, 1, 1,
                                "local", 128, 1, 1, "cluster", 1, 1, 1, "shared", 0);

  if (!kept) kept = json_array();
  json_array_append(kept, candidate);
  return candidate;
}

static inline void cuda_define(json_t *candidate, const char *name, const char *value)
{
  json_array_append_new(json_object_get(candidate, "defines"), json_pack("[ss]", name, value));
}

static inline void cuda_flag(json_t *candidate, const char *flag)
{
  json_array_append_new(json_object_get(candidate, "flags"), json_string(flag));
}

/* Lends the candidate. */
static inline struct built cuda_build(json_t *candidate, double timeout_s)
{
  json_t *setup = json_pack("{ss s{ss si si si si si si si}}", "folder", folder, "target", "arch",
                            "sm_90a", "compute_capability", 90, "warp_size", 32,
                            "max_threads_per_sm", 2048, "max_blocks_per_sm", 32, "registers_per_sm",
                            65536, "shared_per_sm_bytes", 233472, "shared_reserved_bytes", 1024);

  return build_with(&hone__backend_cuda, setup, candidate, timeout_s);
}

static inline long long cost_of(const struct built *built, const char *name)
{
  const json_t *cost = json_object_get(built->costs, name);

  return cost ? (long long)json_integer_value(cost) : -1;
}

#endif
