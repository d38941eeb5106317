/* cuda_nvrtc.h - one compilation by NVRTC, in a fork of this process. */
#ifndef HONE_BACKEND_CUDA_CUDA_NVRTC_H
#define HONE_BACKEND_CUDA_CUDA_NVRTC_H

#include "backend/cuda/nvrtc_library.h"
#include "base/words.h"
#include "proc/child.h"

struct hone__nvrtc_job {
  const struct hone__nvrtc_library *nvrtc;
  const struct hone__words *options;
  const char *source, *shown_as; /* a file, and its name in messages */
  const char *entry;
  const char *object, *name; /* output files: the cubin, the kernel's name in it */
  const char *folder;        /* for other files of the compiler */
  const char *directory;     /* where it runs */
  double timeout_s;
};

/* Exit status 0: both files exist; HONE__NVRTC_IS_BROKEN: parts of the compiler are missing. The
 * output is its log. */
enum { HONE__NVRTC_IS_BROKEN = 3 };
void hone__nvrtc_run(const struct hone__nvrtc_job *job, struct hone__child_result *out_result);

#endif
