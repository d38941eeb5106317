#include "spec/json_writer.h"

#include "base/number.h"
#include "base/utf8.h"
#include "spec/value.h"
#include "spec/word_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_character(struct hone__text *text, const char *character, size_t length)
{
  static const char escapes[] = "\"\"\\\\\nn\tt\rr";

  for (const char *escape = escapes; *escape; escape += 2) {
    if (*character != *escape) continue;
    hone__text_addf(text, "\\%c", escape[1]);
    return;
  }
  if (length == 0)
    hone__text_add(text, "\xef\xbf\xbd");
  else if ((unsigned char)*character < 0x20 || *character == 0x7f)
    hone__text_addf(text, "\\u%04x", (unsigned char)*character);
  else
    hone__text_addn(text, character, length);
}

static void add_string(struct hone__text *text, const char *string)
{
  hone__text_add(text, "\"");
  while (*string) {
    size_t length = hone__utf8_length(string);
    add_character(text, string, length);
    string += length ? length : 1;
  }
  hone__text_add(text, "\"");
}

static bool is_flat(const struct hone__json_writer *writer)
{
  return writer->flat && writer->depth > writer->flat;
}

static void begin_line(struct hone__json_writer *writer)
{
  if (is_flat(writer)) return;
  hone__text_addf(&writer->text, "\n%*s", (int)(2 * writer->depth), "");
}

static void begin_item(struct hone__json_writer *writer, const char *key)
{
  if (writer->has_item) hone__text_add(&writer->text, is_flat(writer) ? ", " : ",");
  if (writer->depth) begin_line(writer);
  writer->has_item = true;
  if (!key) return;
  add_string(&writer->text, key);
  hone__text_add(&writer->text, ": ");
}

void hone__json_open(struct hone__json_writer *writer, const char *key, char bracket)
{
  begin_item(writer, key);
  hone__text_addn(&writer->text, &bracket, 1);
  writer->depth++;
  writer->has_item = false;
}

void hone__json_close(struct hone__json_writer *writer, char bracket)
{
  bool on_own_line = writer->has_item && !is_flat(writer);

  writer->depth--;
  if (on_own_line) begin_line(writer);
  hone__text_addn(&writer->text, &bracket, 1);
  writer->has_item = true;
}

void hone__json_text(struct hone__json_writer *writer, const char *key, const char *value)
{
  begin_item(writer, key);
  add_string(&writer->text, value);
}

void hone__json_integer(struct hone__json_writer *writer, const char *key, uint64_t value)
{
  begin_item(writer, key);
  hone__text_addf(&writer->text, "%llu", (unsigned long long)value);
}

void hone__json_real(struct hone__json_writer *writer, const char *key, double value)
{
  begin_item(writer, key);
  if (isfinite(value))
    hone__float_print(value, &writer->text);
  else
    hone__text_add(&writer->text, "null");
}

void hone__json_raw(struct hone__json_writer *writer, const char *key, const char *json)
{
  begin_item(writer, key);
  hone__text_add(&writer->text, json);
}

void hone__json_bool(struct hone__json_writer *writer, const char *key, bool value)
{
  hone__json_raw(writer, key, value ? "true" : "false");
}

void hone__json_null(struct hone__json_writer *writer, const char *key)
{
  hone__json_raw(writer, key, "null");
}

void hone__json_text_or_null(struct hone__json_writer *writer, const char *key, const char *value)
{
  if (value && *value)
    hone__json_text(writer, key, value);
  else
    hone__json_null(writer, key);
}

static void write_printed(struct hone__json_writer *writer, const char *key,
                          struct hone_value value)
{
  struct hone__text text = {0};

  hone__value_print(value, &text);
  hone__json_text(writer, key, text.data ? text.data : "");
  hone__text_release(&text);
}

void hone__json_value(struct hone__json_writer *writer, const char *key, struct hone_value value)
{
  char digits[32];

  snprintf(digits, sizeof digits, "%lld", (long long)value.integer);
  switch (value.type) {
  case HONE_NONE: hone__json_null(writer, key); return;
  case HONE_BOOL: hone__json_bool(writer, key, value.integer); return;
  case HONE_INT: hone__json_raw(writer, key, digits); return;
  case HONE_FLOAT:
    if (isfinite(value.real)) {
      hone__json_real(writer, key, value.real);
      return;
    }
    break;
  default: break;
  }
  write_printed(writer, key, value);
}

/* Without zeros at the end of a fraction. */
static void add_digits(struct hone__text *text, double value, int digits)
{
  char number[64];
  int exponent;
  size_t length;

  hone__print_real(number, sizeof number, 'e', digits - 1, value);
  exponent = atoi(strchr(number, 'e') + 1);
  if (exponent < -5 || exponent >= digits - 1) {
    hone__text_add(text, number);
    return;
  }
  hone__print_real(number, sizeof number, 'f', digits - 1 - exponent, value);
  for (length = strlen(number); number[length - 1] == '0'; length--)
    continue;
  hone__text_addn(text, number, number[length - 1] == '.' ? length - 1 : length);
}

void hone__json_digits(struct hone__json_writer *writer, const char *key, double value, int digits)
{
  begin_item(writer, key);
  if (isfinite(value))
    add_digits(&writer->text, value, digits);
  else
    hone__text_add(&writer->text, "null");
}

void hone__json_word(struct hone__json_writer *writer, const char *key, const char *word)
{
  struct hone_value value = hone__word_value(word);

  begin_item(writer, key);
  switch (value.type) {
  case HONE_NONE: hone__text_add(&writer->text, "null"); return;
  case HONE_BOOL: hone__text_add(&writer->text, value.integer ? "true" : "false"); return;
  case HONE_TEXT: add_string(&writer->text, word); return;
  default: hone__text_add(&writer->text, word); return;
  }
}

void hone__json_cell(struct hone__json_writer *writer, const char *key, const char *text,
                     double number)
{
  bool is_text = *text && isnan(number);

  if (is_text)
    hone__json_text(writer, key, text);
  else if (hone__word_kind(text) == HONE__WORD_INT)
    hone__json_word(writer, key, text);
  else
    hone__json_real(writer, key, number);
}

void hone__json_params(struct hone__json_writer *writer, const char *key,
                       const struct hone__spec_param *params, size_t count)
{
  hone__json_open(writer, key, '{');
  for (size_t i = 0; i < count; i++) {
    struct hone__text name = {0};
    hone__text_addf(&name, "%s%s", params[i].is_runtime ? "$" : "", params[i].name);
    hone__json_word(writer, name.data, params[i].value);
    hone__text_release(&name);
  }
  hone__json_close(writer, '}');
}
