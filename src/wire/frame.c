/* A frame is a preface of fixed size, a head, a payload and a newline.
 *
 *   at  0  magic       8 bytes        at 24  payload_size   8
 *   at  8  version     2              at 32  head_size      4
 *   at 10  kind        2              at 36  zero           4
 *   at 12  epoch       4              at 40  body checksum  8: of head and payload
 *   at 16  job         8              at 48  own checksum   8: of the 48 bytes before
 *
 * All numbers are little-endian. The preface has its own checksum, so that a damaged length is
 * found before anything waits for that many bytes. The newline makes line-buffered launchers
 * forward a frame at once.
 */
#include "wire/frame.h"

#include "wire/packed_json.h"

#include "base/digest.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PREFACE = 56, MAGIC = 8, KEPT_CAPACITY = 1 << 20, READ_AT_ONCE = 1 << 16 };

static const char magic[MAGIC + 1] = "\x89HONEfrm";

struct preface {
  uint64_t version, kind, epoch, job, payload_size, head_size, zero, body_sum, own_sum;
};

static void put(unsigned char *bytes, size_t size, uint64_t value)
{
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *bytes, size_t size)
{
  uint64_t value = 0;

  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)bytes[i] << (8 * i);
  return value;
}

static uint64_t body_checksum(const void *head, size_t head_size, const void *payload,
                              size_t payload_size)
{
  return hone__checksum(hone__checksum(0, head, head_size), payload, payload_size);
}

/* ---- Out ---- */

static void make_preface(const struct hone__frame *frame, const char *head, size_t head_size,
                         unsigned char *out)
{
  memcpy(out, magic, MAGIC);
  put(out + 8, 2, HONE__FRAME_VERSION);
  HONE__ASSERT(frame->kind >= HONE__FRAME_HELLO && frame->kind <= HONE__FRAME_WANT);
  HONE__ASSERT(frame->payload || !frame->payload_size);
  put(out + 10, 2, (uint64_t)frame->kind);
  put(out + 12, 4, frame->epoch);
  put(out + 16, 8, frame->job);
  put(out + 24, 8, frame->payload_size);
  put(out + 32, 4, head_size);
  put(out + 36, 4, 0);
  put(out + 40, 8, body_checksum(head, head_size, frame->payload, frame->payload_size));
  put(out + 48, 8, hone__checksum(0, out, 48));
}

/* A head that is not an object is a bug of the sender: it must not become an empty order. */
static char *head_text(const struct hone__frame *frame)
{
  char *text;

  if (!frame->head) return hone__strdup("{}");
  text = json_dumps(hone__packed_json(frame->head), JSON_COMPACT);
  if (!text) HONE__BUG("the header of a frame is not a JSON object");
  return text;
}

void hone__frame_encode(const struct hone__frame *frame, struct hone__text *bytes)
{
  unsigned char preface[PREFACE];
  char *head = head_text(frame);
  size_t head_size = strlen(head);

  make_preface(frame, head, head_size, preface);
  hone__text_addn(bytes, (const char *)preface, PREFACE);
  hone__text_addn(bytes, head, head_size);
  hone__text_addn(bytes, frame->payload, frame->payload_size);
  hone__text_addn(bytes, "\n", 1);
  free(head);
}

static hone_status write_parts(int file, struct iovec *parts, int count)
{
  while (count) {
    ssize_t written = writev(file, parts, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return hone__error(HONE_IO, "cannot write a frame: the peer closed the connection");
    for (; count && (size_t)written >= parts->iov_len; parts++, count--)
      written -= (ssize_t)parts->iov_len;
    if (!count) break;
    parts->iov_base = (char *)parts->iov_base + written;
    parts->iov_len -= (size_t)written;
  }
  return NULL;
}

hone_status hone__frame_write(int file, const struct hone__frame *frame)
{
  unsigned char preface[PREFACE];
  char end[] = "\n", *head = head_text(frame);
  size_t head_size = strlen(head);
  hone_status status;

  if (head_size > HONE__FRAME_LONGEST_HEAD || frame->payload_size > HONE__FRAME_LONGEST_PAYLOAD) {
    status = hone__error(HONE_EXHAUSTED, "a frame of %zu and %zu bytes is too large", head_size,
                         frame->payload_size);
  } else {
    struct iovec parts[] = {{preface, PREFACE},
                            {head, head_size},
                            {(void *)(uintptr_t)frame->payload, frame->payload_size},
                            {end, 1}};
    make_preface(frame, head, head_size, preface);
    status = write_parts(file, parts, 4);
  }
  free(head);
  return status;
}

/* ---- In ---- */

/* Drops the frames that were taken, where this costs little. */
static void make_room(struct hone__frame_reader *reader)
{
  struct hone__text *text = &reader->bytes;
  size_t left = text->length - reader->used;

  if (!left && text->capacity > KEPT_CAPACITY) hone__text_release(text);
  if (reader->used && left <= reader->used) {
    if (left) memmove(text->data, text->data + reader->used, left);
    text->length = left;
    reader->used = 0;
  }
}

void hone__frame_feed(struct hone__frame_reader *reader, const void *bytes, size_t size)
{
  make_room(reader);
  hone__text_addn(&reader->bytes, bytes, size);
}

ssize_t hone__frame_feed_from(int file, struct hone__frame_reader *reader)
{
  struct hone__text *text = &reader->bytes;
  ssize_t got;

  make_room(reader);
  hone__text_reserve(text, READ_AT_ONCE);
  got = read(file, text->data + text->length, READ_AT_ONCE);
  if (got > 0) text->length += (size_t)got;
  text->data[text->length] = 0;
  return got;
}

static void skip_noise(struct hone__frame_reader *reader, size_t size)
{
  hone__text_addn(&reader->noise, reader->bytes.data + reader->used, size);
  reader->used += size;
}

/* Moves to where a frame may start. False: there is none, and none will follow. */
static bool find_magic(struct hone__frame_reader *reader)
{
  const char *here, *found;
  size_t left = reader->bytes.length - reader->used;

  if (!left) return true;
  here = reader->bytes.data + reader->used;
  if (reader->started) return memcmp(here, magic, left < MAGIC ? left : MAGIC) == 0;
  found = memmem(here, left, magic, MAGIC);
  if (found)
    skip_noise(reader, (size_t)(found - here));
  else if (left >= MAGIC) /* the last bytes may be the start of a magic */
    skip_noise(reader, left - (MAGIC - 1));
  return reader->noise.length <= HONE__FRAME_LONGEST_NOISE;
}

static bool read_preface(const unsigned char *bytes, struct preface *out)
{
  *out = (struct preface){
      .version = get(bytes + 8, 2),
      .kind = get(bytes + 10, 2),
      .epoch = get(bytes + 12, 4),
      .job = get(bytes + 16, 8),
      .payload_size = get(bytes + 24, 8),
      .head_size = get(bytes + 32, 4),
      .zero = get(bytes + 36, 4),
      .body_sum = get(bytes + 40, 8),
      .own_sum = get(bytes + 48, 8),
  };
  return out->own_sum == hone__checksum(0, bytes, 48);
}

static bool preface_makes_sense(const struct preface *preface)
{
  return preface->version == HONE__FRAME_VERSION && preface->kind >= HONE__FRAME_HELLO &&
         preface->kind <= HONE__FRAME_WANT && preface->zero == 0 &&
         preface->head_size <= HONE__FRAME_LONGEST_HEAD &&
         preface->payload_size <= HONE__FRAME_LONGEST_PAYLOAD;
}

static enum hone__frame_state take_frame(struct hone__frame_reader *reader,
                                         const struct preface *preface, struct hone__frame *out)
{
  const char *head = reader->bytes.data + reader->used + PREFACE;
  const char *payload = head + preface->head_size;
  size_t head_size = (size_t)preface->head_size, payload_size = (size_t)preface->payload_size;

  if (payload[payload_size] != '\n' ||
      body_checksum(head, head_size, payload, payload_size) != preface->body_sum)
    return HONE__FRAME_GARBLED;
  reader->head = hone__packed_parse(head, head_size);
  if (!reader->head) return HONE__FRAME_GARBLED;
  *out = (struct hone__frame){.kind = (enum hone__frame_kind)preface->kind,
                              .epoch = (uint32_t)preface->epoch,
                              .job = preface->job,
                              .head = reader->head,
                              .payload = payload,
                              .payload_size = payload_size,
                              .bytes = reader->bytes.data + reader->used,
                              .size = PREFACE + head_size + payload_size + 1};
  reader->used += out->size;
  reader->started = true;
  return HONE__FRAME_HERE;
}

enum hone__frame_state hone__frame_next(struct hone__frame_reader *reader,
                                        struct hone__frame *out_frame)
{
  struct preface preface;

  hone__packed_drop(reader->head);
  reader->head = NULL;
  for (;;) {
    size_t left;
    if (!find_magic(reader)) return HONE__FRAME_GARBLED;
    left = reader->bytes.length - reader->used;
    if (left < PREFACE) return HONE__FRAME_MORE;
    if (read_preface((const unsigned char *)reader->bytes.data + reader->used, &preface)) break;
    if (reader->started) return HONE__FRAME_GARBLED;
    skip_noise(reader, 1); /* noise that happens to contain the magic */
  }
  if (!preface_makes_sense(&preface)) return HONE__FRAME_GARBLED;
  if (reader->bytes.length - reader->used <
      PREFACE + preface.head_size + (size_t)preface.payload_size + 1)
    return HONE__FRAME_MORE;
  return take_frame(reader, &preface, out_frame);
}

bool hone__frame_unfinished(struct hone__frame_reader *reader, struct hone__frame *out_frame)
{
  size_t left = reader->bytes.length - reader->used;
  const char *here = left ? reader->bytes.data + reader->used : "";
  struct preface preface;

  if (left < PREFACE || !read_preface((const unsigned char *)here, &preface)) return false;
  if (!preface_makes_sense(&preface) || left - PREFACE < preface.head_size) return false;
  hone__packed_drop(reader->head);
  reader->head = hone__packed_parse(here + PREFACE, (size_t)preface.head_size);
  *out_frame = (struct hone__frame){.kind = (enum hone__frame_kind)preface.kind,
                                    .epoch = (uint32_t)preface.epoch,
                                    .job = preface.job,
                                    .head = reader->head,
                                    .payload = here + PREFACE + preface.head_size,
                                    .payload_size = left - PREFACE - (size_t)preface.head_size};
  return reader->head != NULL;
}

void hone__frame_reader_release(struct hone__frame_reader *reader)
{
  hone__packed_drop(reader->head);
  hone__text_release(&reader->bytes);
  hone__text_release(&reader->noise);
  *reader = (struct hone__frame_reader){0};
}

hone_status hone__frame_read(int file, struct hone__frame_reader *reader,
                             struct hone__frame *out_frame)
{
  for (;;) {
    enum hone__frame_state state = hone__frame_next(reader, out_frame);
    ssize_t got;
    if (state == HONE__FRAME_HERE) return NULL;
    if (state == HONE__FRAME_GARBLED) return hone__error(HONE_IO, "received an invalid frame");
    do
      got = hone__frame_feed_from(file, reader);
    while (got < 0 && errno == EINTR);
    if (got < 0) return hone__error(HONE_IO, "cannot read a frame: %s", strerror(errno));
    if (got == 0) return hone__error(HONE_NOT_FOUND, "the stream of frames ended");
  }
}
