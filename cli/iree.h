/* iree.h - the subcommands of `hone iree`: one file each, and a row in the table of iree.c. */
#ifndef CLI_IREE_H
#define CLI_IREE_H

#include "command.h"

extern const struct command iree_dispatches_command;
extern const struct command iree_merge_command, iree_verify_command, iree_configure_command;
extern const struct command iree_tune_command, iree_tune_dispatch_command;

#endif
