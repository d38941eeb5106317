/* digest.h - a 128-bit name for content, as 32 hexadecimal digits.
 *
 * For keys and content-addressed files: accidents do not collide; it is not a defence against
 * malice.
 */
#ifndef HONE_BASE_DIGEST_H
#define HONE_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { HONE__DIGEST_SIZE = 33 }; /* with the NUL */

struct hone__digester; /* opaque */
struct hone__digester *hone__digest_begin(void);
void hone__digest_add(struct hone__digester *digester, const void *data, size_t size);
/* With its length, so that "ab","c" differs from "a","bc"; NULL differs from "". */
void hone__digest_add_text(struct hone__digester *digester, const char *text);
/* Writes the digits and frees the digester. */
void hone__digest_end(struct hone__digester *digester, char out_digest[HONE__DIGEST_SIZE]);

void hone__digest(const void *data, size_t size, char out_digest[HONE__DIGEST_SIZE]);
/* For frames. */
uint64_t hone__checksum(uint64_t seed, const void *data, size_t size);

#endif
