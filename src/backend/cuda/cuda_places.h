/* cuda_places.h - where CUDA's toolkit and pip's wheels of it lie on this machine.
 *
 * Nothing is executed to find out: a Python environment is known by the folder of its python3.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_PLACES_H
#define HONE_BACKEND_CUDA_CUDA_PLACES_H

#include "base/words.h"

/* Adds the files that fit, the most likely first. The patterns end with NULL: those of the first
 * list begin in a toolkit ("lib64/libnvrtc.so*"), those of the second in the folder `nvidia` of
 * Python's packages ("cuda_nvrtc/lib/libnvrtc.so*"). */
void hone__cuda_places(const char *const *in_toolkit, const char *const *in_wheels,
                       struct hone__words *out_files);
/* The files that one pattern of glob(3) fits, the highest version first. */
void hone__cuda_files(const char *pattern, struct hone__words *out_files);

#endif
