/* Text is taken apart into characters; each is shown as it is or as an escape of its bytes. */
#include "visible.h"

#include "quote.h"
#include "terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

struct glyph {
  char text[20]; /* as it is shown: the character, or \xNN for each of its bytes */
  size_t bytes;  /* of the source */
  size_t length; /* of `text` */
  size_t columns;
};

static uint32_t code_point(const char *text, size_t length)
{
  static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = (unsigned char)text[0] & first_bits[length];

  for (size_t i = 1; i < length; i++)
    code = code << 6 | ((unsigned char)text[i] & 0x3f);
  return code;
}

/* Control characters, and those that hide text or change its direction. */
static bool is_disturbing(uint32_t code)
{
  static const struct {
    uint32_t from, to;
  } ranges[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x200b, 0x200f},
                {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe0fff}};

  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].from && code <= ranges[i].to) return true;
  return false;
}

static void escape(struct glyph *glyph, const char *text)
{
  for (size_t i = 0; i < glyph->bytes; i++)
    glyph->length +=
        (size_t)snprintf(glyph->text + glyph->length, sizeof glyph->text - glyph->length, "\\x%02x",
                         (unsigned)(unsigned char)text[i]);
  glyph->columns = glyph->length;
}

static struct glyph next_glyph(const char *text)
{
  size_t length = utf8_length(text);
  uint32_t code = length ? code_point(text, length) : 0;
  struct glyph glyph = {.bytes = length ? length : 1, .length = length, .columns = 1};
  int columns;

  if (strchr(" \t\n\r\v\f", *text)) {
    glyph.length = 1;
    glyph.text[0] = ' ';
  } else if (length == 0 || is_disturbing(code)) {
    glyph.length = 0;
    escape(&glyph, text);
  } else {
    memcpy(glyph.text, text, length);
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

/* What does not fit into a line of its own goes on below; returns what is left of the word. */
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

/* A note on the first line is the reason, which the backend has put there. */
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
