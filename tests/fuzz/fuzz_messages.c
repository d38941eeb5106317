/* Any bytes as a message of every type: it is refused with a reason, or what it says comes back
 * when it is sent again. */
#include "message_types.h"
#include "wire/table.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the record says, as text. */
static void send(const struct hone__record_type *type, const void *record, struct hone__text *text)
{
  struct hone__packed *packed = hone__pack(type, record);

  hone__packed_print(packed, text);
  hone__packed_drop(packed);
}

static void check_again(const struct hone__record_type *type, const struct hone__text *sent)
{
  struct hone__packed *packed = hone__packed_parse(sent->data, sent->length);
  void *record = hone__alloc(type->size);
  struct hone__arena arena = {0};
  struct hone__text again = {0};

  if (!packed || hone__unpack(packed, type, &arena, record)) abort();
  send(type, record, &again);
  if (again.length != sent->length || memcmp(again.data, sent->data, sent->length) != 0) abort();
  hone__text_release(&again);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  free(record);
}

static void read_as(const struct hone__record_type *type, const struct hone__packed *packed)
{
  void *record = hone__alloc(type->size);
  struct hone__arena arena = {0};
  struct hone__text sent = {0};
  hone_status status = hone__unpack(packed, type, &arena, record);

  if (!status) {
    send(type, record, &sent);
    check_again(type, &sent);
  } else if (!*hone_status_message(status)) {
    abort();
  }
  hone_status_free(status);
  hone__text_release(&sent);
  hone__arena_release(&arena);
  free(record);
}

/* A table has rows of mixed cells, which have a decoder of their own. */
static void read_table(const struct hone__packed *packed)
{
  struct hone__arena arena = {0};
  struct hone__table table = {0};
  hone_status status = hone__table_unpack(packed, &arena, &table);

  if (!status) {
    struct hone__packed *again = hone__table_pack(&table);
    struct hone__table same = {0};
    if (hone__table_unpack(again, &arena, &same) || same.rows_count != table.rows_count) abort();
    hone__packed_drop(again);
  }
  hone_status_free(status);
  hone__arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__packed *packed = hone__packed_parse((const char *)data, size);

  if (packed) read_table(packed);
  for (size_t i = 0; packed && i < sizeof message_types / sizeof *message_types; i++)
    read_as(message_types[i], packed);
  hone__packed_drop(packed);
  return 0;
}
