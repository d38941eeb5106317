/* cuda_places.h - where CUDA's toolkit and its pip wheels are on this machine.
 *
 * Nothing is executed: a Python environment is found by the folder of its python3.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_PLACES_H
#define HONE_BACKEND_CUDA_CUDA_PLACES_H

#include "base/words.h"

/* Adds the matching files, the most likely first. The patterns end with NULL: those of the first
 * list are relative to a toolkit ("lib64/libnvrtc.so*"), those of the second to the folder `nvidia`
 * of Python's packages ("cuda_nvrtc/lib/libnvrtc.so*"). */
void hone__cuda_places(const char *const *in_toolkit, const char *const *in_wheels,
                       struct hone__words *out_files);

#endif
