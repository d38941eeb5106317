/* store_check.h - may a store be written to, and is it sound? */
#ifndef HONE_STORE_STORE_CHECK_H
#define HONE_STORE_STORE_CHECK_H

#include "store/store_internal.h"

/* The file, if it is there, and its folder. */
hone_status hone__store_check_writable(const char *path);
/* Every page of a store up to 64 MiB, the list of runs of a larger one. */
hone_status hone__store_check_sound(struct hone_store *store);

#endif
