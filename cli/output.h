/* output.h - results, written to standard output through one large buffer.
 *
 * After a failed write the rest is dropped, and output_close() reports it; a caller that prints
 * much may check `error` and stop early. An output without a file keeps all its bytes in memory.
 *
 * Text is safe for a terminal: foreign names and messages may hold anything, and unsafe characters
 * are escaped (escape.h). JSON, CSV and similar formats are printed raw.
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
  bool is_text; /* unsafe characters are escaped; not in memory, unless it is set */
  char *bytes;
  size_t used, size;
  size_t flushed; /* bytes already written */
};

void output_open(struct output *output, int file, bool color);
/* Writes the rest and frees the buffer; false, after a message, if a write has failed. */
bool output_close(struct output *output);

/* Writes the buffer, so that later messages on standard error come after it. */
void output_flush(struct output *output);

/* Space for `size` bytes at the end: write them there, then add to `used`. */
char *output_room(struct output *output, size_t size);

static inline void output_bytes(struct output *output, const char *bytes, size_t length)
{
  memcpy(output_room(output, length), bytes, length);
  output->used += length;
}
/* Unchanged: for programs, or for text made by hone. */
static inline void output_raw(struct output *output, const char *text)
{
  output_bytes(output, text, strlen(text));
}
/* A file that the user wants to have or to see: unchanged, but escaped on a terminal. */
void output_document(struct output *output, const char *text);
/* Text. Line breaks stay: foreign text for one line goes through visible.h. */
void output_text(struct output *output, const char *text);
void output_format(struct output *output, const char *format, ...) CLI_PRINTF(2, 3);
void output_spaces(struct output *output, size_t count);
void output_value(struct output *output, struct hone_value value); /* in Python's notation */

/* Sets the colour until the next call; does nothing without colours. */
void output_style(struct output *output, enum style style);
void output_styled(struct output *output, enum style style, const char *text);

#endif
