/* model_commands.h - dispatches that another program's command dumps. */
#ifndef HONE_IREE_MODEL_MODEL_COMMANDS_H
#define HONE_IREE_MODEL_MODEL_COMMANDS_H

#include "base/words.h"
#include "iree/model/model_tune.h"

/* Runs the command in a folder of its own within `parent`, named by its words: $HONE_DUMP_DIR has
 * it, and {dir} in a word stands for it. What it leaves there is looked for, at any depth: dumps of
 * dispatches (..._benchmark.mlir); without any, .mlir files that have a file with the command of
 * iree-compile beside them, which is then run for its dumps. INVALID_SPEC: it fails, or there is
 * nothing. What was dumped before is found again without running it. */
hone_status hone__model_dumps(const struct hone__words *command, const char *parent,
                              const struct hone__iree_toolset *tools, char **out_folder,
                              struct hone__words *out_dumps);

#endif
