/* Any bytes as the output of a served program, in pieces of any size: no byte is lost, every
 * message is an answer that can be read or has a reason why not. */
#include "backend/program/serve_message.h"
#include "proc/line_reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_answer(const struct hone__packed *packed)
{
  struct hone__arena arena = {0};
  struct hone__serve_welcome welcome;
  struct hone__serve_answer answer;
  hone_status status = hone__serve_read_welcome(packed, &arena, &welcome);

  if (!status && welcome.version != HONE__SERVE_VERSION) abort();
  hone_status_free(status);
  status = hone__serve_read_answer(packed, &arena, &answer);
  if (!status && answer.samples_ns_count && !answer.samples_ns) abort();
  if (status && !*hone_status_message(status)) abort();
  hone_status_free(status);
  hone__arena_release(&arena);
}

static void read_message(const char *line, size_t length)
{
  struct hone__packed *packed;
  struct hone__text why = {0};
  enum hone__serve_line kind = hone__serve_read(line, length, 1, &packed, &why);

  if ((kind == HONE__SERVE_INVALID) != (why.length > 0)) abort();
  if ((kind == HONE__SERVE_ANSWER) != (packed != NULL)) abort();
  if (packed) read_answer(packed);
  hone__packed_drop(packed);
  hone__text_release(&why);
}

static size_t read_lines(struct hone__line_reader *reader)
{
  enum hone__line_state state;
  const char *line;
  size_t length, given = 0;

  while ((state = hone__line_reader_next(reader, &line, &length)) != HONE__LINE_MORE) {
    if (state == HONE__LINE_MESSAGE) read_message(line, length);
    if (state == HONE__LINE_TEXT && !length) abort();
    given += length;
  }
  return given;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__line_reader reader = {0};
  size_t piece = size ? data[0] % 37 + 1 : 1, given = 0;
  const char *rest;
  size_t length;

  for (size_t at = 0; at < size; at += piece) {
    size_t part = size - at < piece ? size - at : piece;
    hone__line_reader_feed(&reader, (const char *)data + at, part);
    given += read_lines(&reader);
  }
  if (hone__line_reader_rest(&reader, &rest, &length)) given += length;
  if (given > size) abort();
  hone__line_reader_release(&reader);
  return 0;
}
