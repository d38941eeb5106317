#include "quote.h"

#include "escape.h"
#include "hone_results.h"
#include "hone_text.h"

#include <math.h>
#include <stdlib.h>

/* ---- JSON ---- */

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
  size_t length = hone_text_character(text, &code);

  if (escape)
    output_raw(output, escape);
  else if (code == UINT32_MAX)
    output_raw(output, "\\ufffd");
  else if (hone_text_disturbs(code))
    quote_json_code(output, code);
  else
    output_bytes(output, text, length);
  return length;
}

void quote_json_text(struct output *output, const char *text)
{
  if (!text) {
    output_text(output, "null");
    return;
  }
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

void quote_json_params(struct output *output, const struct hone_params *params)
{
  output_text(output, "{");
  for (size_t i = 0; i < hone_params_count(params); i++) {
    output_text(output, i ? ", " : "");
    quote_json_text(output, hone_params_name(params, i));
    output_text(output, ": ");
    quote_json_value(output, hone_params_value(params, i));
  }
  output_text(output, "}");
}

void quote_json_config(struct output *output, const char *config)
{
  struct hone_params *params = hone_params_parse(config);

  quote_json_params(output, params);
  hone_params_free(params);
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

void quote_shell_text(struct output *output, const char *text)
{
  size_t length = hone_shell_word(text, NULL, 0);

  hone_shell_word(text, output_room(output, length + 1), length + 1);
  output->used += length;
}
