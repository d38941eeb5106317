/* c_link.h - whether a candidate is compiled and linked in two steps, and with which libraries.
 *
 * A linker reads the symbols of the C library, which takes a fifth of a short build. Most kernels
 * call nothing but memset and need no library, as their objects show. */
#ifndef HONE_BACKEND_C_C_LINK_H
#define HONE_BACKEND_C_C_LINK_H

#include "backend/kernel/kernel_candidate.h"

/* The compiler is known, and all flags mean the same if it compiles and links in two steps. */
bool hone__c_link_is_apart(const struct hone__kernel_candidate *candidate);
/* No symbol of a relocatable object is undefined, except those that a process has at hand. False
 * also if it cannot be read. */
bool hone__c_link_is_alone(char *object, size_t size);

#endif
