/* opencl_source.h - what a compiler of OpenCL is given for a candidate (kernel.h). */
#ifndef HONE_BACKEND_OPENCL_OPENCL_SOURCE_H
#define HONE_BACKEND_OPENCL_OPENCL_SOURCE_H

#include "backend/kernel/kernel_candidate.h"

/* `options` are one line: they know no quotes. Definitions that need some stand in `prologue`,
 * which goes in front of the source and gives its name to messages. */
void hone__opencl_options(const struct hone__kernel_candidate *candidate,
                          struct hone__text *options, struct hone__text *prologue);

/* The name of the code that PoCL makes for a work-group of this size, such as
 * "8-8-1-goffs0-smallgrid"; "" if the size is not known. */
void hone__opencl_specialise(const struct hone__kernel_candidate *candidate,
                             struct hone__text *text);

#endif
