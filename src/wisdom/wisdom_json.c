/* A reader of JSON (RFC 8259) without libraries. It accepts nothing more than JSON: no comments, no
 * commas at the end, no duplicate names. Texts hold no NUL. Numbers without fraction and exponent
 * are integers of 64 bits. */
#include "wisdom/wisdom_parts.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 16, MOST_DIGITS = 400, MOST_NAMES = 4096, KEPT_TEXTS = 1024 };

struct reader {
  const struct hone__wisdom_source *source;
  struct hone__wisdom_arena *arena;
  struct hone_wisdom_error *error;
  size_t at;
  locale_t locale; /* numbers have a point, whatever the program's locale is */
  unsigned depth;
  const char
      *texts[KEPT_TEXTS]; /* read before: equal texts are one, which lookups find in the cache */
};

typedef enum hone_wisdom_code code_t;

#define FAIL(reader, ...)                                                                          \
  hone__wisdom_fail((reader)->source, (reader)->at, (reader)->error, HONE_WISDOM_INVALID,          \
                    __VA_ARGS__)

static const char advice[] = "write the file again with 'hone export' or 'hone merge'";

static int peek(const struct reader *reader)
{
  if (reader->at >= reader->source->size) return -1;
  return (unsigned char)reader->source->text[reader->at];
}

static void skip_blanks(struct reader *reader)
{
  int byte = peek(reader);

  while (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r') {
    reader->at++;
    byte = peek(reader);
  }
}

static code_t unexpected(struct reader *reader, const char *expected)
{
  if (peek(reader) < 0)
    return FAIL(reader, "the file ends here and is incomplete: expected %s; %s", expected, advice);
  return FAIL(reader, "invalid JSON: expected %s; %s", expected, advice);
}

static code_t expect(struct reader *reader, char byte, const char *expected)
{
  skip_blanks(reader);
  if (peek(reader) != byte) return unexpected(reader, expected);
  reader->at++;
  return HONE_WISDOM_OK;
}

/* ---- Texts ---- */

static int hex_digit(int byte)
{
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* Four digits; -1: there are none. */
static long read_hex(struct reader *reader)
{
  long number = 0;

  for (int i = 0; i < 4; i++) {
    int digit = hex_digit(peek(reader));
    if (digit < 0) return -1;
    number = number * 16 + digit;
    reader->at++;
  }
  return number;
}

/* Two escapes make one character beyond 16 bits. */
static long read_code_point(struct reader *reader)
{
  long high = read_hex(reader), low;

  if (high < 0xd800 || high > 0xdfff) return high;
  if (high > 0xdbff || peek(reader) != '\\') return -1;
  reader->at++;
  if (peek(reader) != 'u') return -1;
  reader->at++;
  low = read_hex(reader);
  return low < 0xdc00 || low > 0xdfff ? -1 : 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static char *put_utf8(char *out, long point)
{
  if (point < 0x80) {
    *out++ = (char)point;
  } else if (point < 0x800) {
    *out++ = (char)(0xc0 | point >> 6);
    *out++ = (char)(0x80 | (point & 63));
  } else if (point < 0x10000) {
    *out++ = (char)(0xe0 | point >> 12);
    *out++ = (char)(0x80 | (point >> 6 & 63));
    *out++ = (char)(0x80 | (point & 63));
  } else {
    *out++ = (char)(0xf0 | point >> 18);
    *out++ = (char)(0x80 | (point >> 12 & 63));
    *out++ = (char)(0x80 | (point >> 6 & 63));
    *out++ = (char)(0x80 | (point & 63));
  }
  return out;
}

static code_t read_escape(struct reader *reader, char **out)
{
  static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
  int letter = peek(reader);
  const char *found = letter > 0 ? strchr(letters, letter) : NULL;
  long point;

  if (found) {
    *(*out)++ = bytes[found - letters];
    reader->at++;
    return HONE_WISDOM_OK;
  }
  if (letter != 'u') return unexpected(reader, "an escape such as \\n");
  reader->at++;
  point = read_code_point(reader);
  if (point <= 0) return unexpected(reader, "a character in four hexadecimal digits, not NUL");
  *out = put_utf8(*out, point);
  return HONE_WISDOM_OK;
}

/* How many bytes a character of UTF-8 has here; 0: it is not one. */
static size_t utf8_length(const struct reader *reader)
{
  const unsigned char *at = (const unsigned char *)reader->source->text + reader->at;
  size_t left = reader->source->size - reader->at;
  size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;

  if (at[0] > 0xf4 || length > left) return 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xc0) != 0x80) return 0;
  if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f)) return 0;
  if ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f)) return 0;
  return length;
}

static code_t read_characters(struct reader *reader, char *out)
{
  code_t code = HONE_WISDOM_OK;
  size_t length;

  while (!code && peek(reader) != '"') {
    if (peek(reader) < ' ') return unexpected(reader, "the end of a text, '\"'");
    if (peek(reader) == '\\') {
      reader->at++;
      code = read_escape(reader, &out);
      continue;
    }
    length = utf8_length(reader);
    if (!length) return unexpected(reader, "a character in UTF-8");
    memcpy(out, reader->source->text + reader->at, length);
    out += length;
    reader->at += length;
  }
  if (!code) reader->at++;
  return code;
}

/* Where the text ends, at most: no character becomes longer when it is read. */
static size_t text_bound(const struct reader *reader)
{
  size_t end = reader->at;

  while (end < reader->source->size && reader->source->text[end] != '"')
    end += reader->source->text[end] == '\\' ? 2 : 1;
  return end - reader->at + 4;
}

static const char *share_text(struct reader *reader, const char *text)
{
  const char **kept;
  size_t hash = 0;

  for (const char *at = text; *at; at++)
    hash = hash * 31 + (unsigned char)*at;
  kept = &reader->texts[hash % KEPT_TEXTS];
  if (*kept && strcmp(*kept, text) == 0) return *kept;
  return *kept = text;
}

static code_t read_text(struct reader *reader, const char **out_text)
{
  code_t code = expect(reader, '"', "a text in '\"'");
  char *text;

  if (code) return code;
  text = hone__wisdom_alloc(reader->arena, text_bound(reader) + 1, 1);
  if (!text) return hone__wisdom_no_memory(reader->source, reader->error);
  *out_text = text;
  code = read_characters(reader, text);
  if (!code) *out_text = share_text(reader, text);
  return code;
}

/* ---- Numbers ---- */

static size_t skip_digits(struct reader *reader)
{
  size_t from = reader->at;

  while (peek(reader) >= '0' && peek(reader) <= '9')
    reader->at++;
  return reader->at - from;
}

/* Its syntax alone. */
static code_t skip_number(struct reader *reader, bool *out_is_real)
{
  bool zero;

  *out_is_real = false;
  if (peek(reader) == '-') reader->at++;
  zero = peek(reader) == '0';
  switch (skip_digits(reader)) {
  case 0: return unexpected(reader, "a value");
  case 1: break;
  default:
    if (zero) return unexpected(reader, "a number without leading zeros");
  }
  if (peek(reader) == '.') {
    *out_is_real = true;
    reader->at++;
    if (!skip_digits(reader)) return unexpected(reader, "digits");
  }
  if (peek(reader) != 'e' && peek(reader) != 'E') return HONE_WISDOM_OK;
  *out_is_real = true;
  reader->at++;
  if (peek(reader) == '+' || peek(reader) == '-') reader->at++;
  return skip_digits(reader) ? HONE_WISDOM_OK : unexpected(reader, "digits");
}

/* False: it has more than 63 bits. */
static bool read_integer(const char *text, int64_t *out_integer)
{
  uint64_t number = 0, limit = *text == '-' ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
  bool negative = *text == '-';

  for (text += negative; *text; text++) {
    uint64_t digit = (uint64_t)(*text - '0');
    if (number > (limit - digit) / 10) return false;
    number = number * 10 + digit;
  }
  *out_integer = negative ? (int64_t)(0 - number) : (int64_t)number;
  return true;
}

static code_t read_number(struct reader *reader, struct hone__wisdom_node *node)
{
  char digits[MOST_DIGITS + 1];
  size_t from = reader->at, length;
  bool is_real;
  code_t code = skip_number(reader, &is_real);

  if (code) return code;
  length = reader->at - from;
  if (length > MOST_DIGITS) return FAIL(reader, "the number is too long; %s", advice);
  memcpy(digits, reader->source->text + from, length);
  digits[length] = 0;
  node->real = strtod_l(digits, NULL, reader->locale);
  node->kind =
      !is_real && read_integer(digits, &node->integer) ? HONE__NODE_INTEGER : HONE__NODE_REAL;
  if (!isfinite(node->real)) return FAIL(reader, "the number is too large; %s", advice);
  return HONE_WISDOM_OK;
}

/* ---- Words: true, false, null ---- */

static code_t read_word(struct reader *reader, struct hone__wisdom_node *node)
{
  static const struct {
    const char *word;
    enum hone__wisdom_kind kind;
    int64_t integer;
  } words[] = {
      {"true", HONE__NODE_BOOL, 1}, {"false", HONE__NODE_BOOL, 0}, {"null", HONE__NODE_NULL, 0}};
  size_t left = reader->source->size - reader->at;

  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word);
    if (left < length || memcmp(reader->source->text + reader->at, words[i].word, length) != 0)
      continue;
    reader->at += length;
    node->kind = words[i].kind;
    node->integer = words[i].integer;
    return HONE_WISDOM_OK;
  }
  return unexpected(reader, "a value");
}

/* ---- Lists and objects ---- */

static code_t read_node(struct reader *reader, struct hone__wisdom_node **out_node);

static code_t read_member(struct reader *reader, struct hone__wisdom_node *parent,
                          struct hone__wisdom_node **out_node)
{
  const char *name = NULL;
  code_t code = HONE_WISDOM_OK;

  if (parent->kind == HONE__NODE_OBJECT) {
    if (parent->count == MOST_NAMES)
      return FAIL(reader, "more than %d names; %s", MOST_NAMES, advice);
    code = read_text(reader, &name);
    for (const struct hone__wisdom_node *n = parent->first; n && !code; n = n->next)
      if (strcmp(n->name, name) == 0)
        code = FAIL(reader, "the name '%.100s' occurs twice; %s", name, advice);
    if (!code) code = expect(reader, ':', "':'");
  }
  if (!code) code = read_node(reader, out_node);
  if (!code) (*out_node)->name = name;
  return code;
}

/* After the opening bracket, which `node` tells. */
static code_t read_members(struct reader *reader, struct hone__wisdom_node *node)
{
  char close = node->kind == HONE__NODE_OBJECT ? '}' : ']';
  struct hone__wisdom_node **end = &node->first;
  code_t code = HONE_WISDOM_OK;

  skip_blanks(reader);
  while (!code && (node->count || peek(reader) != close)) {
    code = read_member(reader, node, end);
    if (code) return code;
    end = &(*end)->next;
    node->count++;
    skip_blanks(reader);
    if (peek(reader) != ',') break;
    reader->at++;
  }
  return expect(reader, close, close == '}' ? "',' or '}'" : "',' or ']'");
}

static code_t read_group(struct reader *reader, struct hone__wisdom_node *node, bool is_object)
{
  code_t code;

  node->kind = is_object ? HONE__NODE_OBJECT : HONE__NODE_LIST;
  if (reader->depth == MOST_DEPTH)
    return FAIL(reader, "the file is not a wisdom file: it has more than %d levels", MOST_DEPTH);
  reader->at++;
  reader->depth++;
  code = read_members(reader, node);
  reader->depth--;
  return code;
}

static code_t read_node(struct reader *reader, struct hone__wisdom_node **out_node)
{
  struct hone__wisdom_node *node = hone__wisdom_alloc(reader->arena, 1, sizeof *node);
  int byte;

  if (!node) return hone__wisdom_no_memory(reader->source, reader->error);
  *out_node = node;
  skip_blanks(reader);
  node->offset = reader->at;
  byte = peek(reader);
  if (byte == '{' || byte == '[') return read_group(reader, node, byte == '{');
  if (byte == '-' || (byte >= '0' && byte <= '9')) return read_number(reader, node);
  if (byte != '"') return read_word(reader, node);
  node->kind = HONE__NODE_TEXT;
  return read_text(reader, &node->text);
}

code_t hone__wisdom_parse(const struct hone__wisdom_source *source,
                          struct hone__wisdom_arena *arena, struct hone__wisdom_node **out_node,
                          struct hone_wisdom_error *error)
{
  struct reader reader = {.source = source, .arena = arena, .error = error};
  code_t code;

  reader.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!reader.locale) return hone__wisdom_no_memory(source, error);
  skip_blanks(&reader);
  code = peek(&reader) == '{' ? read_node(&reader, out_node)
                              : FAIL(&reader, "not a wisdom file: %s", advice);
  freelocale(reader.locale);
  if (code) return code;
  skip_blanks(&reader);
  if (peek(&reader) >= 0) return FAIL(&reader, "more text after the end of the wisdom; %s", advice);
  return HONE_WISDOM_OK;
}
