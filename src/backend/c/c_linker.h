/* c_linker.h - the linker's own command, instead of the compiler's command that starts it.
 *
 * A compiler that links starts one or two processes before the linker. Hone asks once for the
 * command that it would run (-###), and runs that directly afterwards: the result is the same, byte
 * by byte. */
#ifndef HONE_BACKEND_C_C_LINKER_H
#define HONE_BACKEND_C_C_LINKER_H

#include "base/text.h"
#include "base/words.h"

#include <stdbool.h>

/* Runs a command and gives what it prints; false if it fails. */
typedef bool hone__c_linker_ask(const void *data, const struct hone__words *command,
                                struct hone__text *out_text);

/* The command that `compiler`, which links `object` to `output`, would run. The answer for equal
 * words, except for these two, is kept in this process. False: it is not known. */
bool hone__c_linker_words(const struct hone__words *compiler, const char *object,
                          const char *output, hone__c_linker_ask *ask, const void *data,
                          struct hone__words *out_words);

#endif
