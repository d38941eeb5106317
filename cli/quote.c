#include "quote.h"

#include "escape.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* ---- JSON ---- */

/* Overlong forms, surrogates and what lies beyond U+10FFFF are no characters. */
size_t utf8_length(const char *text)
{
  static const struct {
    unsigned char first, last, second_from, second_to;
    size_t length;
  } forms[] = {
      {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
  };
  const unsigned char *bytes = (const unsigned char *)text;

  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (bytes[0] < forms[i].first || bytes[0] > forms[i].last) continue;
    if (forms[i].length == 1) return 1;
    if (bytes[1] < forms[i].second_from || bytes[1] > forms[i].second_to) return 0;
    for (size_t k = 2; k < forms[i].length; k++)
      if ((bytes[k] & 0xc0) != 0x80) return 0;
    return forms[i].length;
  }
  return 0;
}

static const char *json_escape(char c)
{
  static const struct {
    char c;
    const char *text;
  } escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\t', "\\t"}, {'\r', "\\r"}};

  for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
    if (escapes[i].c == c) return escapes[i].text;
  return NULL;
}

/* How many of the first characters stand for themselves. */
static size_t plain_length(const char *text)
{
  size_t length = 0;

  while (text[length] >= 0x20 && text[length] < 0x7f && text[length] != '"' && text[length] != '\\')
    length++;
  return length;
}

/* As \u001b, beyond U+FFFF as two. */
static void quote_json_code(struct output *output, uint32_t code)
{
  if (code <= 0xffff)
    output_format(output, "\\u%04x", (unsigned)code);
  else
    output_format(output, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)),
                  (unsigned)(0xdc00 + (code & 0x3ff)));
}

/* Returns its bytes. What would disturb a terminal has an escape in JSON, which means the same. */
static size_t quote_json_character(struct output *output, const char *text)
{
  const char *escape = json_escape(*text);
  uint32_t code;
  size_t length = escape_character(text, &code);

  if (escape)
    output_raw(output, escape);
  else if (code == UINT32_MAX)
    output_raw(output, "\\ufffd");
  else if (escape_is_needed(code))
    quote_json_code(output, code);
  else
    output_bytes(output, text, length);
  return length;
}

void quote_json_text(struct output *output, const char *text)
{
  output_text(output, "\"");
  while (*text) {
    size_t length = plain_length(text);
    if (length) {
      output_bytes(output, text, length);
      text += length;
      continue;
    }
    text += quote_json_character(output, text);
  }
  output_text(output, "\"");
}

/* The value as Python writes it; the caller frees it. */
static char *printed(struct hone_value value)
{
  size_t length = hone_value_print(value, NULL, 0);
  char *text = check_memory(malloc(length + 1));

  hone_value_print(value, text, length + 1);
  return text;
}

static void quote_printed(struct output *output, struct hone_value value,
                          void (*quote)(struct output *output, const char *text))
{
  char *text = printed(value);

  quote(output, text);
  free(text);
}

void quote_json_value(struct output *output, struct hone_value value)
{
  switch (value.type) {
  case HONE_NONE: output_text(output, "null"); return;
  case HONE_BOOL: output_text(output, value.integer ? "true" : "false"); return;
  case HONE_INT: output_value(output, value); return;
  case HONE_TEXT: quote_json_text(output, value.text); return;
  case HONE_FLOAT:
    if (isfinite(value.real)) {
      output_value(output, value);
      return;
    }
    break;
  case HONE_LIST: break;
  }
  quote_printed(output, value, quote_json_text);
}

void quote_json_number(struct output *output, double number)
{
  quote_json_value(output, (struct hone_value){.type = isfinite(number) ? HONE_FLOAT : HONE_NONE,
                                               .real = number});
}

void quote_json_params(struct output *output, const struct hone_result_param *params, size_t count)
{
  output_text(output, "{");
  for (size_t i = 0; i < count; i++) {
    output_text(output, i ? ", " : "");
    quote_json_text(output, params[i].name);
    output_text(output, ": ");
    quote_json_value(output, hone_result_param_value(&params[i]));
  }
  output_text(output, "}");
}

void quote_json_config(struct output *output, const char *config)
{
  struct hone_result_param *params;
  size_t count = hone_config_params(config, &params);

  quote_json_params(output, params, count);
  free(params);
}

/* ---- CSV ---- */

void quote_csv_text(struct output *output, const char *text)
{
  if (*text && !strpbrk(text, ",\"\r\n")) {
    output_raw(output, text);
    return;
  }
  output_text(output, "\"");
  for (; *text; text++) {
    if (*text == '"') output_text(output, "\"");
    output_bytes(output, text, 1);
  }
  output_text(output, "\"");
}

void quote_csv_value(struct output *output, struct hone_value value)
{
  if (value.type == HONE_TEXT)
    quote_csv_text(output, value.text);
  else if (value.type == HONE_LIST)
    quote_printed(output, value, quote_csv_text);
  else
    output_value(output, value);
}

/* ---- Plain ---- */

static bool is_plain(const char *text)
{
  if (!*text || *text == '"') return false;
  for (; *text; text++)
    if ((unsigned char)*text <= ' ') return false;
  return true;
}

void quote_plain_text(struct output *output, const char *text)
{
  if (is_plain(text) && !text[escape_plain_length(text)])
    output_raw(output, text);
  else
    quote_json_text(output, text);
}

void quote_plain_value(struct output *output, struct hone_value value)
{
  if (value.type == HONE_TEXT)
    quote_plain_text(output, value.text);
  else
    output_value(output, value);
}

/* ---- Shell ---- */

static bool is_shell_plain(const char *text)
{
  if (!*text) return false;
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && !strchr("%+,-./:=@_", *text)) return false;
  return true;
}

/* $'a\033b': the same word, without what would disturb a terminal or break the line. */
static void quote_shell_escaped(struct output *output, const char *text)
{
  uint32_t code;
  size_t length;

  output_raw(output, "$'");
  for (; *text; text += length) {
    length = escape_character(text, &code);
    if (!escape_is_needed(code) && !strchr("\n\t'\\", *text)) {
      output_bytes(output, text, length);
      continue;
    }
    for (size_t i = 0; i < length; i++)
      output_format(output, "\\%03o", (unsigned)(unsigned char)text[i]);
  }
  output_raw(output, "'");
}

void quote_shell_text(struct output *output, const char *text)
{
  if (is_shell_plain(text)) {
    output_raw(output, text);
    return;
  }
  if (text[escape_plain_length(text)] || strpbrk(text, "\n\t")) {
    quote_shell_escaped(output, text);
    return;
  }
  output_text(output, "'");
  for (; *text; text++) {
    if (*text == '\'')
      output_text(output, "'\\''");
    else
      output_bytes(output, text, 1);
  }
  output_text(output, "'");
}
