/* opencl_source.h - the input of an OpenCL compiler for a candidate (kernel.h). */
#ifndef HONE_BACKEND_OPENCL_OPENCL_SOURCE_H
#define HONE_BACKEND_OPENCL_OPENCL_SOURCE_H

#include "backend/kernel/kernel_candidate.h"

/* `options` are one line without quoting. Definitions that need quotes are in `prologue`, which
 * precedes the source and sets its name for messages. Folders whose names have blanks get links in
 * the folder `links`; NULL: they are quoted, for people. */
void hone__opencl_options(const struct hone__kernel_candidate *candidate, const char *links,
                          struct hone__text *options, struct hone__text *prologue);

/* The name of PoCL's code for a work-group of this size, such as "8-8-1-goffs0-smallgrid"; "" if
 * the size is not known. */
void hone__opencl_specialise(const struct hone__kernel_candidate *candidate,
                             struct hone__text *text);

#define HONE__OPENCL_SPIRV  ".spv"
#define HONE__OPENCL_BINARY ".clbin"
/* What a file is, by its content. */
bool hone__opencl_is_spirv(const char *bytes, size_t size);
bool hone__opencl_is_binary(const char *bytes, size_t size); /* of a driver */

#endif
