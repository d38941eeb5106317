/* msgpack.h - reads MessagePack, the format of the metadata in code objects.
 *
 * The bytes are not trusted: a cursor never leaves them. A value that is not of the expected type,
 * or truncated, makes the cursor invalid, and everything read from then on is 0 or empty.
 */
#ifndef HONE_BACKEND_HIP_MSGPACK_H
#define HONE_BACKEND_HIP_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__msgpack { /* a cursor: {bytes, size} */
  const unsigned char *at;
  size_t left;
  bool is_invalid;
};

struct hone__msgpack_text { /* in the bytes, without a terminator */
  const char *data;
  size_t length;
};

/* How many pairs or items follow. */
uint32_t hone__msgpack_map(struct hone__msgpack *cursor);
uint32_t hone__msgpack_array(struct hone__msgpack *cursor);
struct hone__msgpack_text hone__msgpack_string(struct hone__msgpack *cursor);
/* A number that is not negative. */
uint64_t hone__msgpack_number(struct hone__msgpack *cursor);
/* Any value, with all that it contains. */
void hone__msgpack_skip(struct hone__msgpack *cursor);

bool hone__msgpack_is(struct hone__msgpack_text text, const char *words);

#endif
