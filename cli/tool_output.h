/* tool_output.h - the output of another program, such as nvidia-smi. */
#ifndef CLI_TOOL_OUTPUT_H
#define CLI_TOOL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Runs `argv` (found in PATH) for a few seconds at most; its standard output is NUL-terminated and
 * the caller frees it. False, and NULL, if there is no such program or it fails. */
bool tool_output(const char *const *argv, char **out_text);
/* The same for a program that takes longer and prints more. */
bool tool_output_within(const char *const *argv, int most_seconds, size_t most_bytes,
                        char **out_text);

#endif
