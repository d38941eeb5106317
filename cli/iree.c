/* hone iree: work with IREE's compiler besides tuning one dispatch. */
#include "iree.h"

static const struct command *const subcommands[] = {&iree_configure_command,
                                                    &iree_dispatches_command,
                                                    &iree_merge_command,
                                                    &iree_tune_command,
                                                    &iree_tune_dispatch_command,
                                                    &iree_verify_command,
                                                    NULL};

const struct command iree_command = {
    .name = "iree",
    .summary = "tune IREE models and dispatches, and manage tuning specs",
    .usage = "COMMAND [options]",
    .about = "A model compiled by IREE consists of dispatches (kernels). A tuning spec sets\n"
             "the configurations of some of them. IREE's executables are searched in\n"
             "--iree-dir, HONE_IREE, PATH and the active virtual environment.\n",
    .examples = "  hone iree dispatches model.mlir llvm-cpu\n"
                "  hone iree tune model.mlir llvm-cpu -o tuning-spec.mlir\n"
                "  hone iree merge a.mlir b.mlir -o tuning-spec.mlir\n"
                "  hone iree verify tuning-spec.mlir --on model.mlir gfx942\n"
                "  hone iree help verify\n",
    .options = subcommand_options,
    .subcommands = subcommands,
    .run = command_run_subcommand,
};
