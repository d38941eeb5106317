/* c_object.h - a shared object as a file in memory. */
#ifndef HONE_BACKEND_C_C_OBJECT_H
#define HONE_BACKEND_C_C_OBJECT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* A descriptor, to be opened by its path; -1 and errno. */
int hone__c_object_file(const void *object, size_t size);
/* By which this process and its children open it. Not /proc/self: a child has to create its own
 * entry there, which takes as long as loading the object. */
void hone__c_object_path(int file, char *out_path, size_t size);
/* Whether a word of the object, such as _Z5sgemmPKfS0_Pf, is the mangled form of this name. */
bool hone__c_object_has_mangled(const void *object, size_t size, const char *name);

/* "conv<TILE, float>" and "ns::conv" have names that only a compiler knows, and "::conv" may be
 * static: c_entry.c makes it write a pointer to each of them, under a name of its own. */
bool hone__c_entry_is_plain(const char *entry);
/* Adds the name of that pointer. */
void hone__c_entry_symbol(const char *entry, struct hone__text *out_name);
struct hone__c_entry {
  const char *source;  /* its path */
  const char *entries; /* separated by line ends */
  bool is_c;           /* not C++ */
  bool is_typed;       /* the pointers have the types of the entries */
  bool hides_main;     /* its `main`, and what that alone uses, are left out */
};

/* Adds a source that includes another one and has pointers to its entries. */
void hone__c_entry_source(const struct hone__c_entry *entry, struct hone__text *out_source);
/* What a compiler expects that source to be called. */
const char *hone__c_entry_file(bool is_c);
/* The address of an entry in a loaded library; NULL: it has none. */
void *hone__c_entry_find(void *library, const char *entry);

#endif
