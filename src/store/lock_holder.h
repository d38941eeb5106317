/* lock_holder.h - the process that keeps others from writing to a store. */
#ifndef HONE_STORE_LOCK_HOLDER_H
#define HONE_STORE_LOCK_HOLDER_H

/* The number of another process that has one of SQLite's locks for writing; 0: not known, as for
 * processes of other hosts. */
long long hone__lock_holder(const char *path);

#endif
