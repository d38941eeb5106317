/* diagnosis.h - the errors in the output of tools: compilers, linkers, Python, scripts.
 *
 * Texts are the raw output of a process. Nothing is added if nothing is found.
 */
#ifndef HONE_BUILD_DIAGNOSIS_H
#define HONE_BUILD_DIAGNOSIS_H

#include "base/text.h"

/* The most informative line: a compiler's first error, a linker's, the exception of a Python
 * traceback, else the last line. */
void hone__diagnosis_line(const char *output, struct hone__text *out_line);
/* The same for a Python traceback only; false if there is none. */
bool hone__diagnosis_exception(const char *output, struct hone__text *out_line);
/* That line with its context: where it was included from, the source's line, its notes; the whole
 * of a traceback. `*out_is_cut`: it is longer than that, or others follow. */
void hone__diagnosis_whole(const char *output, struct hone__text *out_text, bool *out_is_cut);
/* The same text for lines that differ only in numbers and in the folders of files. */
void hone__diagnosis_kind(const char *line, struct hone__text *out_kind);

#endif
