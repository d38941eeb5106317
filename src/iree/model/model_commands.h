/* model_commands.h - dispatches that another program's command dumps. */
#ifndef HONE_IREE_MODEL_MODEL_COMMANDS_H
#define HONE_IREE_MODEL_MODEL_COMMANDS_H

#include "base/words.h"
#include "iree/model/model_tune.h"

/* Runs the command in a separate folder within `parent`, named by its words: $HONE_DUMP_DIR has its
 * path, and {dir} in a word is replaced by it. Searches the folder at any depth for dumps of
 * dispatches (..._benchmark.mlir); if there are none, for .mlir files next to a file with the
 * command of iree-compile, which is then run for its dumps. INVALID_SPEC: it fails, or there is
 * nothing. Earlier dumps are reused without running it. */
hone_status hone__model_dumps(const struct hone__words *command, const char *parent,
                              const struct hone__iree_toolset *tools, char **out_folder,
                              struct hone__words *out_dumps);

#endif
