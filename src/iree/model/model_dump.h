/* model_dump.h - a model, as IREE's compiler takes it apart.
 *
 *   hone__model_open(&model, path, options, folder)   what is compiled, with which words
 *   hone__model_flow(&model)                          its functions, and what they dispatch
 *   hone__model_dump(&model)                          the module, and a file for each executable
 *   hone__model_compile(&model, spec's flags, file)   once more, with a tuning spec
 *   hone__model_release(&model)
 * All files lie in one folder of the caller's:
 *   flow.mlir, untuned.vmfb, dispatches/..._benchmark.mlir, configured/configured_....mlir, and for
 * a target that the compiler does not know by name model.mlir, which is compiled in place of the
 * model; of an .onnx file imported-KEY.mlir.
 */
#ifndef HONE_IREE_MODEL_MODEL_DUMP_H
#define HONE_IREE_MODEL_MODEL_DUMP_H

#include "hone_iree.h"
#include "iree/toolset/toolset.h"
#include "iree/mlir/mlir.h"

struct hone__model_executable {
  char *name;       /* "main_dispatch_0" */
  char *entry;      /* "main_dispatch_0_matmul_256x2048x512_f32" */
  char *configured; /* a file: with the configuration that the compiler chose */
  char *benchmark; /* a file; NULL: not dumped, because something of it is known only at run time */
};

enum { HONE__MODEL_LIMIT = 1 << 30 }; /* bytes of a file */

struct hone__model {
  const char *path;                        /* lent */
  const struct hone_iree_options *options; /* lent: target, flags, iree_dir */
  struct hone__iree_toolset tools;
  char *folder;
  char *source;             /* what is compiled */
  struct hone__words words; /* for iree-compile, besides source, output and specs */
  struct hone__mlir flow;
  char *target;                 /* from here on of the flow: "gfx942"; of a CPU its name; "" */
  const char *backend, *driver; /* "rocm", "hip"; "" if not known */
  char *module;                 /* from here on of the dump: untuned.vmfb */
  struct hone__model_executable *executables; /* each once, in the model's order */
  size_t count;
};

/* `folder` exists. INVALID_ARGUMENT: the target, or sizes of inputs; UNAVAILABLE: no IREE. Release
 * it also after a failure. */
hone_status hone__model_open(struct hone__model *model, const char *path,
                             const struct hone_iree_model_options *options, const char *folder);
void hone__model_release(struct hone__model *model);

/* INVALID_SPEC: it does not compile; the message has the compiler's first error. */
hone_status hone__model_compile(struct hone__model *model, const char *const *more_words,
                                const char *output);
hone_status hone__model_flow(struct hone__model *model);
hone_status hone__model_dump(struct hone__model *model);

/* How often one call of a function dispatches this entry of an executable, by the text of the flow:
 * what stands in loops counts once. `function` NULL: all public functions together. */
unsigned hone__model_calls(const struct hone__model *model, const char *function,
                           const struct hone__model_executable *executable);

/* A path in the folder; free(). */
char *hone__model_path(const struct hone__model *model, const char *name);

#endif
