/* model_import.h - models in files that iree-compile does not read: .onnx, through
 * iree-import-onnx.
 *
 * The imported text is kept in the folder, named by the model's content, the fixed sizes and the
 * version of IREE: the same model is imported once.
 */
#ifndef HONE_IREE_MODEL_MODEL_IMPORT_H
#define HONE_IREE_MODEL_MODEL_IMPORT_H

#include "hone_iree.h"
#include "iree/toolset/toolset.h"

bool hone__model_is_onnx(const char *path);

/* The file to compile: the imported one, or `path` itself if it needs no import; free(). `folder`
 * exists. INVALID_ARGUMENT: sizes are missing. UNAVAILABLE: there is no iree-import-onnx.
 * INVALID_SPEC: it cannot be imported. */
hone_status hone__model_import(const struct hone__iree_toolset *tools, const char *path,
                               const struct hone_iree_model_options *options, const char *folder,
                               char **out_source);

#endif
