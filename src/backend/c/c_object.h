/* c_object.h - a shared object as a file in memory. */
#ifndef HONE_BACKEND_C_C_OBJECT_H
#define HONE_BACKEND_C_C_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/* A descriptor, to be opened by its name in /proc/self/fd; -1 and errno. */
int hone__c_object_file(const void *object, size_t size);
/* Whether a word of the object, such as _Z5sgemmPKfS0_Pf, is the mangled form of this name. */
bool hone__c_object_has_mangled(const void *object, size_t size, const char *name);

#endif
