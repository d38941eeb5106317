/* simt_object.h - the object that a builder makes and a runner loads: a cubin, which is an ELF
 * file, followed by the kernel's name in it:
 *
 *   cubin | name | length of the name (4 bytes, little endian) | "honecuda"
 *
 * Readers of the cubin ignore the bytes after it. Of several kernels the name is a list, a line
 * each: an entry, its name, the next entry ...
 */
#ifndef HONE_BACKEND_SIMT_SIMT_OBJECT_H
#define HONE_BACKEND_SIMT_SIMT_OBJECT_H

#include "base/text.h"

struct hone__simt_object {
  size_t code_size;
  char *name; /* free() */
};

void hone__simt_object_finish(struct hone__text *code, const char *name);
/* False: not such an object. */
bool hone__simt_object_read(const void *object, size_t size, struct hone__simt_object *out_object);
/* The name of this entry's kernel; without a list, the only one, or else the entry. free(). */
char *hone__simt_object_entry(const struct hone__simt_object *object, const char *entry);

#endif
