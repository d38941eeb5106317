/* cuda_clocks.h - what this process changes of a GPU for all of its users: locked clocks, and a
 * limit of its power.
 *
 * A small file in the cache names the GPU, and what was changed. The process that made the changes
 * holds a lock on the file as long as it runs. A file without this lock was left by a process that
 * was killed: the next process that finds it reverts the changes. */
#ifndef HONE_BACKEND_CUDA_CUDA_CLOCKS_H
#define HONE_BACKEND_CUDA_CUDA_CLOCKS_H

#include "backend/cuda/nvml_library.h"

#include <stdbool.h>
#include <stddef.h>

struct hone__clocks { /* { 0 } */
  const struct hone__nvml_library *nvml;
  nvml_device device;
  char uuid[64];
  int file;          /* its state; 0: nothing was changed */
  unsigned usual_mw; /* limit of power before this process set another; 0: it did not */
  unsigned limit_mw; /* the present one */
  bool has_locked;
};

/* Locks the clocks of the multiprocessors to the default frequency, or to the highest. False: `why`
 * has the reason. */
bool hone__clocks_lock(struct hone__clocks *clocks, unsigned *out_mhz, char *why, size_t size);
/* Watts; 0: as it was before. False as above. */
bool hone__clocks_limit(struct hone__clocks *clocks, double watts, char *why, size_t size);

/* Reverts the changes of processes that were killed. */
void hone__clocks_release_left(void);

#endif
