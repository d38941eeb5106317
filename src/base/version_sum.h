/* version_sum.h - which sources this program was built from. */
#ifndef HONE_BASE_VERSION_SUM_H
#define HONE_BASE_VERSION_SUM_H

/* The checksum of all sources: it differs after any change, with git or without. */
const char *hone__version_sum(void);

#endif
