/* opencl_compile.h - one program compiled by a driver, in another process.
 *
 * Drivers' compilers crash and hang; that process ends then, and the builder lives on.
 */
#ifndef HONE_BACKEND_OPENCL_OPENCL_COMPILE_H
#define HONE_BACKEND_OPENCL_OPENCL_COMPILE_H

#include "backend/opencl/opencl_device.h"
#include "proc/child.h"

struct hone__opencl_compilation {
  const char *device;                      /* "opencl:pocl:0" */
  const struct hone__device_facts *target; /* of the device that is meant; or NULL */
  const char *prologue, *text;             /* what is compiled, one after the other */
  const char *options, *entry;
  const char *specialised;    /* for PoCL, see opencl_source.h */
  const char *folder;         /* to work in; for temporary files too */
  const char *directory;      /* relative names of files begin there */
  const char *object, *costs; /* files to write: the binary; struct hone__named_record as text */
  double timeout_s;           /* without the time that it takes to open the device */
};

enum { HONE__OPENCL_REFUSED = 1, HONE__OPENCL_NO_DEVICE = 3, HONE__OPENCL_MOST_BYTES = 1 << 29 };
/* Exit status 0: both files are there, and warnings in the output. HONE__OPENCL_REFUSED: the output
 * is what the compiler says. HONE__OPENCL_NO_DEVICE: it is why this host cannot build. */
void hone__opencl_compile(const struct hone__opencl_compilation *compilation,
                          struct hone__child_result *out_result);
/* Ends the process that stays, if there is one. */
void hone__opencl_compile_end(void);

/* ---- Its parts ---- */

/* opencl_compiler.c: in a process that stays. */
void hone__opencl_compile_staying(const struct hone__opencl_compilation *compilation,
                                  struct hone__child_result *out_result);
/* In the process that compiles: both give such an exit status, and words go to standard output. */
int hone__opencl_open_compiler(const char *name, struct hone__opencl_device *out_device,
                               cl_context *out_context);
/* How much memory it may take: not known (0) for GPUs, whose drivers reserve more addresses than
 * there is memory. */
size_t hone__opencl_compiler_bytes(bool is_cpu);
/* opencl_translate.c: the work itself. */
int hone__opencl_translate(const struct hone__opencl_compilation *compilation,
                           const struct hone__opencl_device *device, cl_context context);

#endif
