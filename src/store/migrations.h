/* migrations.h - the store's tables, version by version. */
#ifndef HONE_STORE_MIGRATIONS_H
#define HONE_STORE_MIGRATIONS_H

#include <stdint.h>

#include <sqlite3.h>

enum { HONE__STORE_APPLICATION = 0x484f4e45 }; /* "HONE", in the file's header */

/* The version that this program writes. */
int hone__migrations_latest(void);
/* Brings a file to it, from any earlier version; 0 is an empty file. A whole migration happens, or
 * nothing of it. Returns SQLite's code; after a failure the connection has its message and is to be
 * closed. */
int hone__migrations_apply(sqlite3 *database);

#endif
