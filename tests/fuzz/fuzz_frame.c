/* Any bytes as a stream of frames, fed in pieces whose sizes come from the first byte: however the
 * stream is cut the same frames must come. Then as the head and payload of a frame with checksums
 * that are right. A frame that was read must come back when it is written. */
#include "wire/frame.h"

#include "base/digest.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_frame(const struct hone__frame *frame)
{
  struct hone__frame_reader reader = {0};
  struct hone__text bytes = {0};
  struct hone__frame again;

  hone__frame_encode(frame, &bytes);
  hone__frame_feed(&reader, bytes.data, bytes.length);
  if (hone__frame_next(&reader, &again) != HONE__FRAME_HERE) abort();
  if (again.kind != frame->kind || again.epoch != frame->epoch || again.job != frame->job) abort();
  if (!hone__packed_equal(again.head, frame->head) || again.payload_size != frame->payload_size)
    abort();
  if (again.payload_size && memcmp(again.payload, frame->payload, frame->payload_size)) abort();
  hone__text_release(&bytes);
  hone__frame_reader_release(&reader);
}

/* What it ends with, and how many frames came before. */
static unsigned read_stream(const uint8_t *data, size_t size, size_t step)
{
  struct hone__frame_reader reader = {0};
  enum hone__frame_state state = HONE__FRAME_MORE;
  struct hone__frame frame;
  unsigned count = 0;

  for (size_t at = 0; at < size && state != HONE__FRAME_GARBLED; at += step) {
    hone__frame_feed(&reader, data + at, step < size - at ? step : size - at);
    while ((state = hone__frame_next(&reader, &frame)) == HONE__FRAME_HERE) {
      check_frame(&frame);
      count++;
    }
  }
  if (reader.noise.length > HONE__FRAME_LONGEST_NOISE + size) abort();
  hone__frame_reader_release(&reader);
  return 2 * count + (state == HONE__FRAME_GARBLED);
}

/* The first byte is the kind, the second how much of the rest is the head. */
static void read_signed(const uint8_t *data, size_t size)
{
  struct hone__text bytes = {0};
  uint64_t sum;
  uint32_t head_size = (uint32_t)((size - 2) * data[1] / 255);
  uint64_t payload_size = size - 2 - head_size;

  hone__frame_encode(&(struct hone__frame){.kind = HONE__FRAME_BYE}, &bytes);
  bytes.length = 56;
  bytes.data[10] = (char)data[0];
  memcpy(bytes.data + 24, &payload_size, 8);
  memcpy(bytes.data + 32, &head_size, 4);
  sum = hone__checksum(hone__checksum(0, data + 2, head_size), data + 2 + head_size, payload_size);
  memcpy(bytes.data + 40, &sum, 8);
  sum = hone__checksum(0, bytes.data, 48);
  memcpy(bytes.data + 48, &sum, 8);
  hone__text_addn(&bytes, (const char *)data + 2, size - 2);
  hone__text_add(&bytes, "\n");
  read_stream((const uint8_t *)bytes.data, bytes.length, bytes.length);
  hone__text_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!size) return 0;
  if (size > 2) read_signed(data, size);
  if (read_stream(data + 1, size - 1, 1 + *data % 61) != read_stream(data + 1, size - 1, size))
    abort();
  return 0;
}
