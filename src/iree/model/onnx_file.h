/* onnx_file.h - the inputs of an ONNX model, and the same model with fixed sizes.
 *
 * Only the few messages of ONNX's protobuf that describe inputs are read; all others are copied.
 *   hone__onnx_read(bytes, size, &onnx)
 *   hone__onnx_fix(&onnx, "batch=1")       for every size that the user gives
 *   hone__onnx_write(bytes, size, &onnx, &text)
 *   hone__onnx_release(&onnx)
 */
#ifndef HONE_IREE_MODEL_ONNX_FILE_H
#define HONE_IREE_MODEL_ONNX_FILE_H

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct hone__onnx_dim {
  const char *name; /* of a dynamic one: "batch"; "x.0" of input x if it has no name of its own */
  int64_t size;     /* -1: dynamic and not fixed */
  bool is_dynamic;  /* in the file */
};
struct hone__onnx_input {
  const char *name;
  struct hone__onnx_dim *dims;
  size_t rank;
};
struct hone__onnx { /* { 0 } */
  struct hone__arena arena;
  struct hone__onnx_input *inputs; /* without those that have an initial value */
  size_t input_count;
  const char **files; /* with weights, relative to the model's folder */
  size_t file_count;
  bool has_slash; /* in the model's name: it cannot be the name of a file */
};

/* INVALID_SPEC: it is not an ONNX model. Release it also then. */
hone_status hone__onnx_read(const char *bytes, size_t size, struct hone__onnx *out_onnx);
void hone__onnx_release(struct hone__onnx *onnx);

/* "NAME=SIZE", also with "x.0" for the name. INVALID_ARGUMENT lists the dynamic dims. */
hone_status hone__onnx_fix(struct hone__onnx *onnx, const char *dim);
/* The same for one input as a whole. Dims that are fixed keep their sizes. */
void hone__onnx_fix_input(struct hone__onnx *onnx, size_t input, const int64_t *sizes, size_t rank);
/* INVALID_ARGUMENT names the options that are missing. */
hone_status hone__onnx_check(const struct hone__onnx *onnx);
/* A dynamic dim was fixed, or the name is not one for files. */
bool hone__onnx_is_changed(const struct hone__onnx *onnx);

/* The model with the sizes. Open sizes of other values are left out: they follow from the inputs'.
 */
void hone__onnx_write(const char *bytes, size_t size, const struct hone__onnx *onnx,
                      struct hone__text *out_bytes);

#endif
