/* The scanner knows strings and brackets, no more: it finds where an element ends, and jansson
 * reads what is within. Spare commas are passed over, as a tuner that was restarted leaves them. */
#include "replay/json_walk.h"

#include "base/text.h"

#include <stdlib.h>

static size_t skip_spaces(const struct hone__replay_json_text *text, size_t at)
{
  while (at < text->size && strchr(" \t\r\n", text->text[at]) && text->text[at])
    at++;
  return at;
}

/* After the string whose quote stands at `at`; 0: the text ends first. */
static size_t skip_string(const struct hone__replay_json_text *text, size_t at)
{
  for (at++; at < text->size; at++) {
    if (text->text[at] == '"') return at + 1;
    if (text->text[at] == '\\') at++;
  }
  return 0;
}

static size_t skip_nest(const struct hone__replay_json_text *text, size_t at)
{
  size_t depth = 0;

  while (at < text->size) {
    char c = text->text[at];
    if (c == '"') {
      at = skip_string(text, at);
      if (!at) return 0;
      continue;
    }
    if (c == '{' || c == '[') depth++;
    at++;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return 0;
}

/* What no number and no word has. */
static bool is_mark(char c)
{
  return c && strchr(" \t\r\n,:{}[]\"", c);
}

/* After the value at `at`; 0: the text ends first. */
static size_t skip_value(const struct hone__replay_json_text *text, size_t at)
{
  char c = text->text[at];

  if (c == '"') return skip_string(text, at);
  if (c == '{' || c == '[') return skip_nest(text, at);
  while (at < text->size && !is_mark(text->text[at]))
    at++;
  return at < text->size ? at : 0;
}

bool hone__replay_json_enter(const struct hone__replay_json_text *text, size_t at, char bracket,
                             struct hone__replay_json_walk *out_walk)
{
  at = skip_spaces(text, at);
  *out_walk =
      (struct hone__replay_json_walk){.text = text, .at = at + 1, .in_object = bracket == '{'};
  return at < text->size && text->text[at] == bracket;
}

/* The key and its colon; `at` is then where the value begins. */
static enum hone__replay_json_step next_key(struct hone__replay_json_walk *walk,
                                            struct hone__replay_json_span *span)
{
  const struct hone__replay_json_text *text = walk->text;
  size_t begin = walk->at, end;

  if (text->text[begin] != '"') return HONE__JSON_BAD;
  end = skip_string(text, begin);
  if (!end) return HONE__JSON_CUT;
  span->key = text->text + begin + 1;
  span->key_size = end - begin - 2;
  walk->at = skip_spaces(text, end);
  if (walk->at == text->size) return HONE__JSON_CUT;
  if (text->text[walk->at] != ':') return HONE__JSON_BAD;
  walk->at = skip_spaces(text, walk->at + 1);
  return walk->at == text->size ? HONE__JSON_CUT : HONE__JSON_ELEMENT;
}

static bool skip_commas(struct hone__replay_json_walk *walk)
{
  const struct hone__replay_json_text *text = walk->text;
  bool any = false;

  for (;;) {
    walk->at = skip_spaces(text, walk->at);
    if (walk->at == text->size || text->text[walk->at] != ',') return any;
    any = true;
    walk->at++;
  }
}

enum hone__replay_json_step hone__replay_json_next(struct hone__replay_json_walk *walk,
                                                   struct hone__replay_json_span *out_span)
{
  const struct hone__replay_json_text *text = walk->text;
  bool comma = skip_commas(walk);
  enum hone__replay_json_step step = HONE__JSON_ELEMENT;

  *out_span = (struct hone__replay_json_span){0};
  if (walk->at >= text->size) return HONE__JSON_CUT;
  if (text->text[walk->at] == (walk->in_object ? '}' : ']')) {
    walk->at++;
    return HONE__JSON_END;
  }
  if (walk->after_element && !comma) return HONE__JSON_BAD;
  if (walk->in_object) step = next_key(walk, out_span);
  if (step != HONE__JSON_ELEMENT) return step;
  out_span->begin = walk->at;
  out_span->end = skip_value(text, walk->at);
  if (!out_span->end) {
    out_span->end = text->size;
    return HONE__JSON_CUT;
  }
  if (out_span->end == out_span->begin) return HONE__JSON_BAD;
  walk->at = out_span->end;
  walk->after_element = true;
  return HONE__JSON_ELEMENT;
}

bool hone__replay_json_key_is(const struct hone__replay_json_span *span, const char *key)
{
  return span->key && span->key_size == strlen(key) && memcmp(span->key, key, span->key_size) == 0;
}

/* ---- Reading ---- */

/* Writes `""` over what Python writes for numbers that JSON does not have; false: there are none.
 */
static bool blank_out(const struct hone__replay_json_text *text,
                      const struct hone__replay_json_span *span)
{
  static const char *const words[] = {"NaN", "-Infinity", "Infinity"};
  bool any = false;

  for (size_t at = span->begin; at < span->end; at++) {
    if (text->text[at] == '"') {
      at = skip_string(text, at);
      if (!at) break;
      at--;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      size_t length = strlen(words[i]);
      if (span->end - at < length || memcmp(text->text + at, words[i], length) != 0) continue;
      memset(text->text + at, ' ', length);
      memcpy(text->text + at, "\"\"", 2);
      at += length - 1;
      any = true;
      break;
    }
  }
  return any;
}

static json_t *load(const struct hone__replay_json_text *text,
                    const struct hone__replay_json_span *span, json_error_t *error)
{
  return json_loadb(text->text + span->begin, span->end - span->begin, JSON_DECODE_ANY, error);
}

/* Why valid JSON cannot be read; NULL: it is not valid. */
static const char *beyond_reading(const json_error_t *error)
{
  enum json_error_code code = json_error_code(error);

  if (code == json_error_null_character) return "a text with a NUL character is not supported";
  return code == json_error_numeric_overflow ? "this number is too large" : NULL;
}

static hone_status reading_error(const struct hone__replay_json_text *text,
                                 const struct hone__replay_json_span *span, json_error_t *error)
{
  const char *beyond = beyond_reading(error);
  char *near = strstr(error->text, " near ");
  size_t at = error->position > 0 ? (size_t)error->position : 0;

  if (near) *near = 0; /* raw bytes of the file */
  if (at > span->end - span->begin) at = span->end - span->begin;
  while (at && !is_mark(text->text[span->begin + at - 1])) /* where the word begins */
    at--;
  return hone__replay_json_error(text, span->begin + at, "%s%s",
                                 beyond ? "" : "invalid JSON: ", beyond ? beyond : error->text);
}

hone_status hone__replay_json_read(const struct hone__replay_json_text *text,
                                   const struct hone__replay_json_span *span, json_t **out_json)
{
  enum { LARGEST = 64 << 20 }; /* its tree is many times larger */
  json_error_t error;

  *out_json = NULL;
  if (span->end - span->begin > LARGEST)
    return hone__error(HONE_EXHAUSTED, "cannot read '%s': one of its values is larger than %d MiB",
                       text->path, LARGEST >> 20);
  *out_json = load(text, span, &error);
  if (!*out_json && blank_out(text, span)) *out_json = load(text, span, &error);
  return *out_json ? NULL : reading_error(text, span, &error);
}

/* Whether one word, number or escape reaches from there to the end: cut into, it looks wrong. */
static bool is_last_word(const struct hone__replay_json_text *text, size_t at)
{
  while (at < text->size && !is_mark(text->text[at]))
    at++;
  return at >= text->size;
}

hone_status hone__replay_json_check_cut(const struct hone__replay_json_text *text,
                                        const struct hone__replay_json_span *span)
{
  json_error_t error;
  json_t *json;

  if (span->end == 0) return NULL;
  json = load(text, span, &error);
  if (!json && blank_out(text, span)) json = load(text, span, &error);
  json_decref(json);
  if (json || json_error_code(&error) == json_error_premature_end_of_input) return NULL;
  if (is_last_word(text, span->begin + (size_t)error.position)) return NULL;
  return reading_error(text, span, &error);
}

hone_status hone__replay_json_error(const struct hone__replay_json_text *text, size_t at,
                                    const char *format, ...)
{
  struct hone__text message = {0};
  size_t line = 1, begin = 0;
  hone_status status;
  va_list args;

  if (at > text->size) at = text->size;
  for (size_t i = 0; i < at; i++) {
    if (text->text[i] != '\n') continue;
    line++;
    begin = i + 1;
  }
  va_start(args, format);
  hone__text_vaddf(&message, format, args);
  va_end(args);
  status = hone__error(HONE_INVALID_SPEC, "%s:%zu:%zu: %s", text->path, line, at - begin + 1,
                       message.data ? message.data : "");
  hone__text_release(&message);
  return status;
}
