/* output.h - results, on their way to standard output through one large buffer.
 *
 * A write that fails is remembered, what follows is dropped, and output_close() tells: who prints
 * much may look at `error` and stop early. An output without a file keeps all its bytes in memory.
 *
 * Whatever is printed as text is harmless on a terminal: names and messages of others may hold
 * anything, and what would disturb is escaped (escape.h). JSON, CSV and the like are printed raw.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "message.h"

#include <string.h>

enum { OUTPUT_MEMORY = -1 };
enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_GOOD, STYLE_WARN, STYLE_BAD };

struct output {
  int file;
  int error; /* errno of the first write that failed, or 0 */
  bool color;
  bool is_text; /* what would disturb a terminal is escaped; not in memory, unless it is set */
  char *bytes;
  size_t used, size;
  size_t flushed; /* bytes that are out already */
};

void output_open(struct output *output, int file, bool color);
/* Writes what is left and releases the buffer; false, after a message, if a write has failed. */
bool output_close(struct output *output);

/* Writes what is there, so that talk on standard error comes after it. */
void output_flush(struct output *output);

/* Room for `size` bytes at the end: write them there, then add to `used`. */
char *output_room(struct output *output, size_t size);

static inline void output_bytes(struct output *output, const char *bytes, size_t length)
{
  memcpy(output_room(output, length), bytes, length);
  output->used += length;
}
/* As it is: for programs, or made by hone alone. */
static inline void output_raw(struct output *output, const char *text)
{
  output_bytes(output, text, strlen(text));
}
/* A file that a person wants to have or to see: as it is, but on a terminal it is text. */
void output_document(struct output *output, const char *text);
/* Text. Line breaks in it stay: what others wrote into one line goes through visible.h. */
void output_text(struct output *output, const char *text);
void output_format(struct output *output, const char *format, ...) CLI_PRINTF(2, 3);
void output_spaces(struct output *output, size_t count);
void output_value(struct output *output, struct hone_value value); /* as Python writes it */

/* Sets the colour until the next call; nothing where there is none. */
void output_style(struct output *output, enum style style);
void output_styled(struct output *output, enum style style, const char *text);

#endif
