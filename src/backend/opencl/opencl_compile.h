/* opencl_compile.h - compiles one program with a driver, in another process.
 *
 * Drivers' compilers crash and hang; that ends the process, not the builder.
 */
#ifndef HONE_BACKEND_OPENCL_OPENCL_COMPILE_H
#define HONE_BACKEND_OPENCL_OPENCL_COMPILE_H

#include "backend/opencl/opencl_device.h"
#include "proc/child.h"

struct hone__opencl_compilation {
  const char *device;                           /* "opencl:pocl:0" */
  const struct hone__wire_device_facts *target; /* of the device that is meant; or NULL */
  const char *prologue, *text;                  /* what is compiled, one after the other */
  size_t text_size;                             /* of a text that may be SPIR-V */
  const char *options;
  const char *entry;          /* a line for each, if there are several */
  const char *specialised;    /* for PoCL, see opencl_source.h */
  const char *folder;         /* to work in; for temporary files too */
  const char *directory;      /* relative names of files begin there */
  const char *object, *costs; /* files to write: the binary; struct hone__named_record as text */
  double timeout_s;           /* without the time that it takes to open the device */
};

enum { HONE__OPENCL_REFUSED = 1, HONE__OPENCL_NO_DEVICE = 3, HONE__OPENCL_MOST_BYTES = 1 << 29 };
/* Exit status 0: both files exist, and the output has the warnings. HONE__OPENCL_REFUSED: the
 * output is the compiler's. HONE__OPENCL_NO_DEVICE: it has the reason why this host cannot build.
 */
void hone__opencl_compile(const struct hone__opencl_compilation *compilation,
                          struct hone__child_result *out_result);
/* Ends the persistent process, if there is one. */
void hone__opencl_compile_end(void);

/* ---- Its parts ---- */

/* opencl_compiler.c: in a persistent process. */
void hone__opencl_compile_persistent(const struct hone__opencl_compilation *compilation,
                                     struct hone__child_result *out_result);
/* In the compiling process: both return such an exit status, and print messages to standard output.
 */
int hone__opencl_open_compiler(const char *name, struct hone__opencl_device *out_device,
                               cl_context *out_context);
/* Memory limit; 0 (none) for GPUs, whose drivers reserve more address space than there is memory.
 */
size_t hone__opencl_compiler_bytes(bool is_cpu);
/* opencl_translate.c: the work itself. */
int hone__opencl_translate(const struct hone__opencl_compilation *compilation,
                           const struct hone__opencl_device *device, cl_context context);

#endif
