/* sweep_files.h - the output files of a sweep, with kbench's names: BASE.csv, BASE.txt,
 * BASE.failures.json, and BASE.yaml with the best configuration.
 */
#ifndef CLI_SWEEP_FILES_H
#define CLI_SWEEP_FILES_H

#include <hone.h>
#include "hone_results.h"

/* `folder`/`output` without .csv, .txt or .pkl; an absolute `output` is used as it is. The caller
 * frees it. */
char *sweep_files_base(const char *folder, const char *output);
/* The base of one run of several, FOLDER/STEM_M-1_N-3: `stem` includes the folder. */
char *sweep_files_base_of_run(const char *stem, const struct hone_results *results);

/* Writes them, and reports which. A file without content is removed if an earlier sweep left it.
 * `report` is appended to the text file, unless it is NULL. False after a message. */
bool sweep_files_write(const char *base, const struct hone_results *results, const char *report);

#endif
