/* merge_stores.h - several stores as one, and what the parts of a space found together. */
#ifndef CLI_MERGE_STORES_H
#define CLI_MERGE_STORES_H

#include "command.h"

/* Copies the runs of all files into the store `output`, and prints the best of parts. */
enum exit_code merge_stores(const struct word_list *files, const char *output);

#endif
