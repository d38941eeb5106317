/* toolchain.h - identifies the compiler of a command, and the machine it runs on. */
#ifndef HONE_BUILD_TOOLCHAIN_H
#define HONE_BUILD_TOOLCHAIN_H

#include "base/digest.h"

#include <stdbool.h>

/* The path as exec finds it from this folder, with all links resolved; NULL if not found. free().
 */
char *hone__toolchain_find(const char *word, const char *folder);

/* Lists of words end with NULL; NULL itself is an empty one. */

/* Adds path, size and time of every word that is a program, and the first one's output of
 * `--version` if requested: that starts a process, which only a worker should do. */
void hone__toolchain_identify(const char *const *words, const char *folder, bool ask,
                              struct hone__digester *digester);
/* Adds the variables by which compilers find headers and libraries. */
void hone__toolchain_identify_environment(struct hone__digester *digester);
/* Adds the variables that a command of the spec may read: those that makefiles use by convention,
 * and those that its words name ($NAME, ${NAME}). */
void hone__toolchain_identify_variables(const char *const *words, struct hone__digester *digester);
/* Adds model and features of this processor. */
void hone__toolchain_identify_processor(struct hone__digester *digester);

#endif
