/* simt_files.h - files of installed libraries. */
#ifndef HONE_BACKEND_SIMT_SIMT_FILES_H
#define HONE_BACKEND_SIMT_SIMT_FILES_H

#include "base/words.h"

/* Adds the files that match one pattern of glob(3), the highest version first. */
void hone__simt_files(const char *pattern, struct hone__words *out_files);

#endif
