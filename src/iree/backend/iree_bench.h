/* iree_bench.h - shared by the files of the runner's side: a device, a bench, the answers. */
#ifndef HONE_IREE_BACKEND_IREE_BENCH_H
#define HONE_IREE_BACKEND_IREE_BENCH_H

#include "iree/backend/iree_backend.h"
#include "iree/backend/iree_tool.h"
#include "base/digest.h"
#include "check/compare.h"
#include "iree/toolset/toolset.h"

struct hone__iree_device {
  char *name; /* "local-sync", "cuda://0"; NULL: that of the setup */
};

struct hone__iree_piece { /* of the answer */
  size_t offset, size;
  const struct hone__iree_element *element;
  bool is_written;
};

struct hone__iree_bench {
  struct hone__iree_device *device;
  struct hone__packed *message; /* the setup's, which lives as long as the bench */
  struct hone__arena arena;
  struct hone__iree_setup setup;
  struct hone__iree_toolset tools;
  const char *name; /* name of the device for IREE's executables */
  char *gpu;        /* its line in the list of devices; NULL: not a GPU */
  bool is_gpu, is_cpu_time, is_traced, is_checked;
  const char *variable;     /* for its executables' environment, or NULL */
  char *folder;             /* for modules and answers */
  struct hone__words notes; /* to be sent with the next answer */
  /* answers */
  double rtol, atol, ratio; /* negative: by type */
  struct hone__iree_piece *pieces;
  size_t piece_count, answer_size;
  char *reference;                    /* its module, a file; NULL: none */
  unsigned char *expected;            /* NULL: not computed yet */
  struct hone__iree_outputs *outputs; /* the same for a model */
};

/* A path in the bench's folder; free(). */
char *hone__iree_bench_path(const struct hone__iree_bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- iree_check.c ---- */

/* Reads the bindings of the setup. */
void hone__iree_check_open(struct hone__iree_bench *bench);
/* Runs a module for its answer and compares: the attempt fails if it is wrong or missing.
 * `timeout_s` limits each process. */
void hone__iree_check(struct hone__iree_bench *bench, const char *module, double timeout_s,
                      struct hone__iree_attempt *out_attempt);
void hone__iree_check_close(struct hone__iree_bench *bench);
/* The tolerance of this many elements, given the right ones. */
struct hone__tolerance hone__iree_tolerance(const struct hone__iree_bench *bench,
                                            enum hone__element element,
                                            const unsigned char *expected, size_t count);

/* ---- iree_sample.c ---- */

/* Runs a module once for up to `most` samples; returns their number, 0: the attempt has the reason.
 */
size_t hone__iree_sample(struct hone__iree_bench *bench, const char *module, size_t most,
                         double timeout_s, double *times_ns,
                         struct hone__iree_attempt *out_attempt);

#endif
