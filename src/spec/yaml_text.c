/* libyaml counts characters, and takes more than \n for the end of a line; places are in bytes and
 * in the lines that an editor shows. One cursor translates: events come in order, so it never has
 * far to go.
 *
 * The check before libyaml is for the messages (libyaml's name no byte), and for time: a file on
 * which libyaml itself would be quadratic is refused. */
#include "spec/yaml_text.h"
#include "base/text.h"

enum {
  MOST_MESSAGES = 20, /* of each severity */
  MOST_TAG_DIRECTIVES = 16,
};

void hone__yaml_text_init(struct hone__yaml_text *text, const char *data, size_t size,
                          const struct hone__source *source, struct hone__diagnostics *diagnostics)
{
  size_t begin = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  *text = (struct hone__yaml_text){.data = data,
                                   .size = size,
                                   .begin = begin,
                                   .source = source,
                                   .diagnostics = diagnostics,
                                   .cursor = {.byte = begin, .line = 1}};
}

/* ---- Reports ------------------------------------------------------------------------------- */

static HONE__PRINTF(4, 0) void report(struct hone__yaml_text *text, enum hone__severity severity,
                                      struct hone__place place, const char *format, va_list args)
{
  size_t *count = severity == HONE__ERROR ? &text->errors : &text->warnings;
  struct hone__text message = {0};

  if ((*count)++ < MOST_MESSAGES) {
    hone__text_vaddf(&message, format, args);
    hone__report(text->diagnostics, severity, text->source, place, "%s", message.data);
  }
  if (text->errors >= MOST_MESSAGES) text->stopped = true;
  hone__text_release(&message);
}

void hone__yaml_report(struct hone__yaml_text *text, enum hone__severity severity,
                       struct hone__place place, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  report(text, severity, place, format, args);
  va_end(args);
}

void hone__yaml_stop(struct hone__yaml_text *text, struct hone__place place, const char *format,
                     ...)
{
  va_list args;

  va_start(args, format);
  report(text, HONE__ERROR, place, format, args);
  va_end(args);
  text->stopped = true;
}

bool hone__yaml_charge(struct hone__yaml_text *text, size_t nodes, struct hone__place place)
{
  if (nodes <= HONE__YAML_MOST_NODES - text->used) {
    text->used += nodes;
    return true;
  }
  hone__yaml_stop(
      text, place,
      "the file is too large: more than %d million values, with aliases and merges expanded",
      HONE__YAML_MOST_NODES / 1000000);
  return false;
}

struct hone__yaml_excerpt hone__yaml_excerpt(const char *string)
{
  struct hone__yaml_excerpt excerpt = {{0}};
  const size_t most = sizeof excerpt.text - 1;
  size_t length = strnlen(string, most + 1);

  if (length > most)
    while (length > most - 3 || ((unsigned char)string[length] & 0xc0) == 0x80)
      length--;
  for (size_t i = 0; i < length; i++)
    excerpt.text[i] = (unsigned char)string[i] < ' ' || string[i] == 127 ? ' ' : string[i];
  if (string[length]) memcpy(excerpt.text + length, "...", 3);
  return excerpt;
}

/* ---- Places -------------------------------------------------------------------------------- */

static struct hone__place here(const struct hone__yaml_text *text)
{
  const struct hone__yaml_cursor *cursor = &text->cursor;

  return (struct hone__place){cursor->line, (uint32_t)(cursor->byte - cursor->line_start) + 1};
}

static size_t character_length(const char *p)
{
  unsigned char c = (unsigned char)*p;

  return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static void step(struct hone__yaml_text *text)
{
  struct hone__yaml_cursor *cursor = &text->cursor;
  const char *p = text->data + cursor->byte;

  cursor->byte += character_length(p);
  cursor->index++;
  if (*p != '\n') return;
  cursor->line++;
  cursor->line_start = cursor->byte;
}

static void step_back(struct hone__yaml_text *text)
{
  struct hone__yaml_cursor *cursor = &text->cursor;

  do
    cursor->byte--;
  while (((unsigned char)text->data[cursor->byte] & 0xc0) == 0x80);
  cursor->index--;
  if (text->data[cursor->byte] != '\n') return;
  cursor->line--;
  cursor->line_start = cursor->byte;
  while (cursor->line_start && text->data[cursor->line_start - 1] != '\n')
    cursor->line_start--;
}

struct hone__place hone__yaml_seek(struct hone__yaml_text *text, size_t index)
{
  while (text->cursor.index < index && text->cursor.byte < text->size)
    step(text);
  while (text->cursor.index > index)
    step_back(text);
  return here(text);
}

struct hone__place hone__yaml_seek_content(struct hone__yaml_text *text, size_t index)
{
  struct hone__place place = hone__yaml_seek(text, index);
  const char *start = text->data + text->cursor.byte, *p = start;
  const char *end = text->data + text->size;

  while (p < end && (*p == '&' || *p == '!')) {
    while (p < end && !strchr(" \t\r\n", *p))
      p++;
    while (p < end && (*p == ' ' || *p == '\t'))
      p++;
  }
  if (p < end && !strchr("\r\n#", *p)) place.column += (uint32_t)(p - start);
  return place;
}

uint32_t hone__yaml_line(const struct hone__yaml_text *text, struct hone__place place)
{
  const struct hone__source *source = text->source;
  bool mapped = source->line_map && place.line >= 1 && place.line <= source->line_count;

  return mapped ? source->line_map[place.line - 1].line : place.line;
}

/* ---- The check ----------------------------------------------------------------------------- */

/* The length of the character at p, 0 if it is not UTF-8. */
static size_t decode(const unsigned char *p, size_t left, uint32_t *out_code)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
  uint32_t code = length > 1 ? *p & (0x7fu >> length) : *p;

  if (length > left) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (p[i] & 0x3fu);
  }
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  *out_code = code;
  return length && code >= least[length] ? length : 0;
}

static bool is_break(uint32_t code)
{
  return code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

static bool is_printable(uint32_t code)
{
  if (code < 0xa0) return code == '\t' || is_break(code) || (code >= 0x20 && code < 0x7f);
  return code != 0xfffe && code != 0xffff;
}

static bool is_utf16(const struct hone__yaml_text *text)
{
  return text->size >= 2 &&
         (memcmp(text->data, "\xff\xfe", 2) == 0 || memcmp(text->data, "\xfe\xff", 2) == 0);
}

static void refuse_character(struct hone__yaml_text *text, uint32_t code, size_t length)
{
  unsigned byte = (unsigned char)text->data[text->cursor.byte];
  struct hone__place place = here(text);

  if (is_utf16(text))
    hone__yaml_stop(text, place, "this is UTF-16 text; save it as UTF-8");
  else if (!byte)
    hone__yaml_stop(text, place, "this is not a text file: it holds a NUL byte");
  else if (!length)
    hone__yaml_stop(text, place, "this is not UTF-8 text: it holds the byte 0x%02x here", byte);
  else
    hone__yaml_stop(text, place, "the control character U+%04X is not allowed in YAML", code);
}

/* What costs libyaml time that is not linear. */
struct survey {
  bool in_line; /* not at the begin of one */
  size_t tag_directives;
  size_t gap, longest_gap, gaps; /* blanks and line breaks in a row; in bytes, but for `gaps` */
};

static void survey_character(struct survey *survey, struct hone__yaml_text *text, uint32_t code,
                             size_t length)
{
  const char *p = text->data + text->cursor.byte;
  size_t left = text->size - text->cursor.byte;

  if (!survey->in_line && left > 4 && memcmp(p, "%TAG", 4) == 0 &&
      ++survey->tag_directives > MOST_TAG_DIRECTIVES)
    hone__yaml_stop(text, here(text), "too many %%TAG lines");
  survey->in_line = !is_break(code);
  survey->gap = !survey->in_line || code == ' ' || code == '\t' ? survey->gap + length : 0;
  survey->gaps += survey->gap == length;
  if (survey->gap > survey->longest_gap) survey->longest_gap = survey->gap;
}

/* libyaml clears its buffers, which never shrink, at every gap between two words. */
static void check_gaps(struct hone__yaml_text *text, const struct survey *survey)
{
  const size_t most_bytes_cleared = (size_t)2 << 30;

  if (survey->longest_gap * survey->gaps > most_bytes_cleared)
    hone__yaml_stop(text, (struct hone__place){0},
                    "this file holds %zu consecutive blanks or line breaks, too many for its size",
                    survey->longest_gap);
}

void hone__yaml_text_check(struct hone__yaml_text *text)
{
  const struct hone__yaml_cursor start = text->cursor;
  struct survey survey = {0};

  while (!text->stopped && text->cursor.byte < text->size) {
    const char *p = text->data + text->cursor.byte;
    uint32_t code = 0;
    size_t length = decode((const unsigned char *)p, text->size - text->cursor.byte, &code);

    if (!length || !is_printable(code)) {
      refuse_character(text, code, length);
      return;
    }
    survey_character(&survey, text, code, length);
    step(text);
  }
  check_gaps(text, &survey);
  text->cursor = start;
}
