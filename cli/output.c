#include "output.h"

#include "escape.h"
#include "hone_text.h"
#include "text_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 * 1024, MEMORY_BYTES = 1024 };

void output_open(struct output *output, int file, bool color)
{
  *output = (struct output){.file = file, .color = color, .is_text = file != OUTPUT_MEMORY};
  output->size = file == OUTPUT_MEMORY ? MEMORY_BYTES : BUFFER_BYTES;
  output->bytes = check_memory(malloc(output->size));
}

void output_flush(struct output *output)
{
  if (!output->error && !text_file_put(output->file, output->bytes, output->used))
    output->error = errno;
  output->flushed += output->used;
  output->used = 0;
}

bool output_close(struct output *output)
{
  const char *reason;
  int error;

  if (output->file != OUTPUT_MEMORY) output_flush(output);
  error = output->error;
  free(output->bytes);
  *output = (struct output){.file = output->file};
  if (!error) return true;
  reason = strerror(error);
  message_error("cannot write to standard output: %c%s", tolower((unsigned char)*reason),
                reason + 1);
  return false;
}

static void grow(struct output *output, size_t size)
{
  while (output->size - output->used < size)
    output->size *= 2;
  output->bytes = check_memory(realloc(output->bytes, output->size));
}

char *output_room(struct output *output, size_t size)
{
  if (output->size - output->used < size) {
    if (output->file != OUTPUT_MEMORY) output_flush(output);
    grow(output, size);
  }
  return output->bytes + output->used;
}

static void add_escaped(struct output *output, const char *text)
{
  while (*text) {
    size_t length = escape_plain_length(text);
    char escaped[ESCAPE_SIZE];
    uint32_t code;
    output_bytes(output, text, length);
    text += length;
    if (!*text) return;
    length = hone_text_character(text, &code);
    output_bytes(output, escaped, escape_write(escaped, text, length));
    text += length;
  }
}

void output_text(struct output *output, const char *text)
{
  if (output->is_text)
    add_escaped(output, text);
  else
    output_raw(output, text);
}

void output_document(struct output *output, const char *text)
{
  if (isatty(output->file))
    output_text(output, text);
  else
    output_raw(output, text);
}

/* Takes over `length` bytes that were written into the room, and a NUL after them. */
static void take(struct output *output, size_t length)
{
  char *written = output->bytes + output->used, *copy;

  if (!output->is_text || escape_plain_length(written) == length) {
    output->used += length;
    return;
  }
  copy = check_memory(strdup(written));
  add_escaped(output, copy);
  free(copy);
}

void output_format(struct output *output, const char *format, ...)
{
  enum { GUESS = 256 };
  va_list args, again;
  int length;

  va_start(args, format);
  va_copy(again, args);
  length = vsnprintf(output_room(output, GUESS), GUESS, format, args);
  if (length >= GUESS)
    vsnprintf(output_room(output, (size_t)length + 1), (size_t)length + 1, format, again);
  if (length > 0) take(output, (size_t)length);
  va_end(again);
  va_end(args);
}

void output_spaces(struct output *output, size_t count)
{
  memset(output_room(output, count), ' ', count);
  output->used += count;
}

void output_value(struct output *output, struct hone_value value)
{
  enum { GUESS = 64 };
  size_t length = hone_value_print(value, output_room(output, GUESS), GUESS);

  if (length >= GUESS) hone_value_print(value, output_room(output, length + 1), length + 1);
  take(output, length);
}

void output_style(struct output *output, enum style style)
{
  static const char *const codes[] = {
      [STYLE_PLAIN] = "\033[0m", [STYLE_BOLD] = "\033[1m",  [STYLE_DIM] = "\033[2m",
      [STYLE_GOOD] = "\033[32m", [STYLE_WARN] = "\033[33m", [STYLE_BAD] = "\033[1;31m"};

  if (output->color) output_raw(output, codes[style]);
}

void output_styled(struct output *output, enum style style, const char *text)
{
  output_style(output, style);
  output_text(output, text);
  output_style(output, STYLE_PLAIN);
}
