/* The first byte of a value has its type, and often its size or the value itself. */
#include "backend/hip/msgpack.h"

#include <string.h>

enum {
  FIXMAP = 0x80,
  FIXARRAY = 0x90,
  FIXSTR = 0xa0,
  NIL = 0xc0,
  FALSE_BYTE = 0xc2,
  TRUE_BYTE = 0xc3,
  BIN8 = 0xc4,
  EXT8 = 0xc7,
  FLOAT32 = 0xca,
  UINT8 = 0xcc,
  INT8 = 0xd0,
  FIXEXT1 = 0xd4,
  STR8 = 0xd9,
  ARRAY16 = 0xdc,
  MAP16 = 0xde,
  NEGATIVE = 0xe0
};

static void invalidate(struct hone__msgpack *cursor)
{
  cursor->is_invalid = true;
  cursor->left = 0;
}

/* The bytes, which the cursor passes; NULL: there are fewer. */
static const unsigned char *take(struct hone__msgpack *cursor, size_t size)
{
  const unsigned char *bytes = cursor->at;

  if (size > cursor->left) {
    invalidate(cursor);
    return NULL;
  }
  cursor->at += size;
  cursor->left -= size;
  return bytes;
}

static uint64_t take_number(struct hone__msgpack *cursor, size_t size)
{
  const unsigned char *bytes = take(cursor, size);
  uint64_t number = 0;

  for (size_t i = 0; bytes && i < size; i++)
    number = number << 8 | bytes[i];
  return number;
}

/* The first byte of the next value; NIL: there is none. */
static unsigned take_type(struct hone__msgpack *cursor)
{
  const unsigned char *byte = take(cursor, 1);

  return byte ? *byte : NIL;
}

uint32_t hone__msgpack_map(struct hone__msgpack *cursor)
{
  unsigned type = take_type(cursor);

  if (type >= FIXMAP && type < FIXARRAY) return type - FIXMAP;
  if (type == MAP16 || type == MAP16 + 1)
    return (uint32_t)take_number(cursor, type == MAP16 ? 2 : 4);
  invalidate(cursor);
  return 0;
}

uint32_t hone__msgpack_array(struct hone__msgpack *cursor)
{
  unsigned type = take_type(cursor);

  if (type >= FIXARRAY && type < FIXSTR) return type - FIXARRAY;
  if (type == ARRAY16 || type == ARRAY16 + 1)
    return (uint32_t)take_number(cursor, type == ARRAY16 ? 2 : 4);
  invalidate(cursor);
  return 0;
}

struct hone__msgpack_text hone__msgpack_string(struct hone__msgpack *cursor)
{
  unsigned type = take_type(cursor);
  size_t length = 0;
  const unsigned char *bytes;

  if (type >= FIXSTR && type < NIL)
    length = type - FIXSTR;
  else if (type >= STR8 && type < STR8 + 3)
    length = (size_t)take_number(cursor, (size_t)1 << (type - STR8));
  else
    invalidate(cursor);
  bytes = take(cursor, length);
  return (struct hone__msgpack_text){bytes ? (const char *)bytes : "", bytes ? length : 0};
}

uint64_t hone__msgpack_number(struct hone__msgpack *cursor)
{
  unsigned type = take_type(cursor);

  if (type < FIXMAP) return type;
  if (type >= UINT8 && type < INT8) return take_number(cursor, (size_t)1 << (type - UINT8));
  invalidate(cursor);
  return 0;
}

/* ---- Skipping ---- */

/* The bytes of a value that contains no others, after the first. */
static uint64_t plain_size(struct hone__msgpack *cursor, unsigned type)
{
  if (type >= FIXSTR && type < NIL) return type - FIXSTR;
  if (type >= BIN8 && type < BIN8 + 3) return take_number(cursor, (size_t)1 << (type - BIN8));
  if (type >= EXT8 && type < EXT8 + 3) return take_number(cursor, (size_t)1 << (type - EXT8)) + 1;
  if (type == FLOAT32) return 4;
  if (type == FLOAT32 + 1) return 8;
  if (type >= UINT8 && type < INT8) return (uint64_t)1 << (type - UINT8);
  if (type >= INT8 && type < FIXEXT1) return (uint64_t)1 << (type - INT8);
  if (type >= FIXEXT1 && type < STR8) return ((uint64_t)1 << (type - FIXEXT1)) + 1;
  if (type >= STR8 && type < STR8 + 3) return take_number(cursor, (size_t)1 << (type - STR8));
  return 0;
}

/* Whether the value contains others: how many. */
static bool has_items(struct hone__msgpack *cursor, unsigned type, uint64_t *out_items)
{
  if (type >= FIXMAP && type < FIXARRAY)
    *out_items = 2 * (uint64_t)(type - FIXMAP);
  else if (type >= FIXARRAY && type < FIXSTR)
    *out_items = type - FIXARRAY;
  else if (type == ARRAY16 || type == ARRAY16 + 1)
    *out_items = take_number(cursor, type == ARRAY16 ? 2 : 4);
  else if (type == MAP16 || type == MAP16 + 1)
    *out_items = 2 * take_number(cursor, type == MAP16 ? 2 : 4);
  else
    return false;
  return true;
}

/* Values in values are counted, not entered: their depth costs nothing. */
void hone__msgpack_skip(struct hone__msgpack *cursor)
{
  uint64_t items;

  for (uint64_t open = 1; open && !cursor->is_invalid; open--) {
    unsigned type = take_type(cursor);
    uint64_t size;
    if (has_items(cursor, type, &items)) {
      if (items > cursor->left) invalidate(cursor); /* each has a byte at least */
      open += items;
      continue;
    }
    size = plain_size(cursor, type);
    if (size > cursor->left)
      invalidate(cursor);
    else
      take(cursor, (size_t)size);
  }
}

bool hone__msgpack_is(struct hone__msgpack_text text, const char *words)
{
  return text.length == strlen(words) && memcmp(text.data, words, text.length) == 0;
}
