/* Text is split into characters; each is printed unchanged or as an escape of its bytes. */
#include "visible.h"

#include "escape.h"
#include "hone_text.h"
#include "terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

struct glyph {
  char text[ESCAPE_SIZE]; /* as it is shown: the character, or \xNN for each of its bytes */
  size_t bytes;           /* of the source */
  size_t length;          /* of `text` */
  size_t columns;
};

static struct glyph next_glyph(const char *text)
{
  uint32_t code;
  struct glyph glyph = {.bytes = hone_text_character(text, &code), .columns = 1};
  int columns;

  if (strchr(" \t\n\r\v\f", *text)) {
    glyph.length = 1;
    glyph.text[0] = ' ';
  } else if (hone_text_disturbs(code)) {
    glyph.length = escape_write(glyph.text, text, glyph.bytes);
    glyph.columns = glyph.length;
  } else {
    glyph.length = glyph.bytes;
    memcpy(glyph.text, text, glyph.bytes);
    columns = wcwidth((wchar_t)code);
    if (columns >= 0) glyph.columns = (size_t)columns;
  }
  return glyph;
}

void visible_text(struct output *output, const char *text)
{
  while (*text) {
    struct glyph glyph = next_glyph(text);
    output_bytes(output, glyph.text, glyph.length);
    text += glyph.bytes;
  }
}

static void visible_part(struct output *output, const char *text, size_t length)
{
  char *part = check_memory(strndup(text, length));

  visible_text(output, part);
  free(part);
}

void visible_lines(struct output *output, const char *text, size_t indent)
{
  while (*text) {
    size_t length = strcspn(text, "\n");
    if (length) output_spaces(output, indent);
    visible_part(output, text, length);
    output_text(output, "\n");
    text += length + (text[length] != 0);
  }
}

bool visible_print(char *text)
{
  struct output output;

  output_open(&output, STDOUT_FILENO, false);
  visible_lines(&output, text, 0);
  free(text);
  return output_close(&output);
}

static size_t width_of(const char *text, size_t bytes)
{
  size_t width = 0;

  for (const char *end = text + bytes; *text && text < end;) {
    struct glyph glyph = next_glyph(text);
    width += glyph.columns;
    text += glyph.bytes;
  }
  return width;
}

size_t visible_width(const char *text)
{
  return width_of(text, strlen(text));
}

/* A configuration is one long word: bytes of it that end with a comma and fit into `room`. */
static size_t bytes_to_comma(const char *word, size_t bytes, size_t room)
{
  size_t best = 0;

  for (size_t i = 0; i + 1 < bytes; i++)
    if (word[i] == ',' && width_of(word, i + 1) <= room) best = i + 1;
  return best;
}

/* The rest of a word that does not fit into a line continues below; returns the rest. */
static const char *break_word(struct output *output, const char *word, size_t *bytes, size_t indent,
                              size_t width)
{
  size_t room = width > indent ? width - indent : 0, part;

  while (width_of(word, *bytes) > room && (part = bytes_to_comma(word, *bytes, room)) > 0) {
    visible_part(output, word, part);
    output_text(output, "\n");
    output_spaces(output, indent);
    word += part;
    *bytes -= part;
  }
  return word;
}

void visible_wrapped(struct output *output, const char *text, size_t indent, size_t width)
{
  size_t used = indent;

  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    size_t bytes = strcspn(text, " "), columns = width_of(text, bytes);
    if (used > indent && used + 1 + columns > width) {
      output_text(output, "\n");
      output_spaces(output, indent);
      used = indent;
    } else if (used > indent) {
      output_text(output, " ");
      used++;
    }
    if (used == indent) {
      text = break_word(output, text, &bytes, indent, width);
      columns = width_of(text, bytes);
    }
    visible_part(output, text, bytes);
    used += columns;
    text += bytes;
  }
}

void visible_cut(struct output *output, const char *text, size_t room)
{
  const char *ellipsis = terminal_ellipsis();
  size_t dots = strcmp(ellipsis, "...") == 0 ? 3 : 1, used = 0;

  if (visible_width(text) <= room) {
    visible_text(output, text);
    return;
  }
  while (*text) {
    struct glyph glyph = next_glyph(text);
    if (used + glyph.columns + dots > room) break;
    output_bytes(output, glyph.text, glyph.length);
    used += glyph.columns;
    text += glyph.bytes;
  }
  if (used + dots <= room) output_text(output, ellipsis);
}

void visible_few_lines(struct output *output, const char *text, size_t indent, size_t width)
{
  enum { FEW = 3 };
  struct output cut;

  output_open(&cut, OUTPUT_MEMORY, false);
  visible_cut(&cut, text, FEW * (width > indent ? width - indent : 1));
  output_bytes(&cut, "", 1);
  visible_wrapped(output, cut.bytes, indent, width);
  output_close(&cut);
}

/* A note in the first line is the reason, put there by the backend. */
char *visible_evidence(const char *text)
{
  const char *best = text + strspn(text, " \t\r\n"), *error = strstr(best, "error");
  const char *note = strstr(best, ": note: ");

  if (note && note < best + strcspn(best, "\n")) error = NULL;
  while (error && error > best && error[-1] != '\n')
    error--;
  if (error) best = error + strspn(error, " \t");
  return check_memory(strndup(best, strcspn(best, "\r\n")));
}
