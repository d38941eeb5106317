#include "proc/line_reader.h"

#include <string.h>

/* What was given is removed here, because lines are lent until the next call. */
static void drop_given(struct hone__line_reader *reader)
{
  struct hone__text *bytes = &reader->bytes;

  if (!reader->start) return;
  memmove(bytes->data, bytes->data + reader->start, bytes->length - reader->start);
  bytes->length -= reader->start;
  reader->start = 0;
}

void hone__line_reader_feed(struct hone__line_reader *reader, const char *bytes, size_t size)
{
  drop_given(reader);
  if (size) hone__text_addn(&reader->bytes, bytes, size);
}

static bool is_message(const struct hone__line_reader *reader, const char *line, size_t length)
{
  size_t i = 0;

  while (i < length && (line[i] == ' ' || line[i] == '\t'))
    i++;
  return !reader->in_text && i < length && line[i] == '{';
}

static enum hone__line_state give(struct hone__line_reader *reader, size_t length,
                                  enum hone__line_state state, size_t *out_length)
{
  reader->start += length;
  *out_length = length;
  return state;
}

enum hone__line_state hone__line_reader_next(struct hone__line_reader *reader,
                                             const char **out_line, size_t *out_length)
{
  size_t left = reader->bytes.length - reader->start;
  const char *line = left ? reader->bytes.data + reader->start : "";
  const char *end = memchr(line, '\n', left);
  size_t length = end ? (size_t)(end - line) : left;
  bool is_whole = end != NULL, starts_message = is_message(reader, line, length);

  *out_line = line;
  *out_length = 0;
  if (starts_message && length > HONE__LONGEST_MESSAGE)
    return give(reader, left, HONE__LINE_LONG, out_length);
  if (is_whole && starts_message) {
    give(reader, length + 1, HONE__LINE_MESSAGE, out_length);
    *out_length = length && line[length - 1] == '\r' ? length - 1 : length;
    return HONE__LINE_MESSAGE;
  }
  if (starts_message || (!is_whole && length < HONE__LONGEST_TEXT)) return HONE__LINE_MORE;
  reader->in_text = !is_whole;
  return give(reader, length + is_whole, HONE__LINE_TEXT, out_length);
}

bool hone__line_reader_rest(struct hone__line_reader *reader, const char **out_line,
                            size_t *out_length)
{
  size_t left = reader->bytes.length - reader->start;

  *out_line = left ? reader->bytes.data + reader->start : "";
  give(reader, left, HONE__LINE_TEXT, out_length);
  return left > 0;
}

void hone__line_reader_release(struct hone__line_reader *reader)
{
  hone__text_release(&reader->bytes);
  *reader = (struct hone__line_reader){0};
}
