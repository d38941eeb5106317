/* simt_host_code.h - functions of the host in a source of CUDA or HIP, which run-time compilers
 * cannot compile.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_HOST_CODE_H
#define HONE_BACKEND_SIMT_SIMT_HOST_CODE_H

#include <stdbool.h>

/* Overwrites functions of the host with blanks: main, and those that launch kernels or call the
 * host's libraries. Kernels cannot call them. Comments, directives and lines stay. */
void hone__simt_host_code_drop(char *text);

/* The same for functions and declarations without __device__ and __global__ at which a compiler
 * found an error, by its log: "NAME(12): error", "NAME:12:3: error". False: there are none. */
bool hone__simt_host_code_drop_at(char *text, const char *log, const char *name);

#endif
