/* wisdom_config.h - the configuration of a wisdom's entry as a text. */
#ifndef HONE_SESSION_WISDOM_CONFIG_H
#define HONE_SESSION_WISDOM_CONFIG_H

#include "hone_wisdom.h"

/* "BM=64,BN=32"; the caller frees it. NULL: it has no parameters. */
char *hone__session_wisdom_config(const struct hone_wisdom_entry *entry);

#endif
