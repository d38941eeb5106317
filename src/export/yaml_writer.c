#include "export/yaml_writer.h"

#include "base/utf8.h"
#include "spec/word_kind.h"
#include "spec/evaluate.h"
#include "spec/yaml_scalar.h"

#include <ctype.h>

static void add_quoted(struct hone__text *text, const char *value)
{
  hone__text_add(text, "\"");
  while (*value) {
    size_t length = hone__utf8_length(value);
    if (length == 0)
      hone__text_add(text, "\xef\xbf\xbd");
    else if (*value == '"' || *value == '\\')
      hone__text_addf(text, "\\%c", *value);
    else if ((unsigned char)*value < 0x20 || *value == 0x7f)
      hone__text_addf(text, "\\x%02x", (unsigned char)*value);
    else
      hone__text_addn(text, value, length);
    value += length ? length : 1;
  }
  hone__text_add(text, "\"");
}

/* Letters, digits and signs that mean nothing to YAML; a `$` or `/` at most begins it. */
static bool is_plain(const char *value)
{
  const char *at = value + (*value == '$' || *value == '/');

  if (!isalnum((unsigned char)*at) && *at != '_') return false;
  while (isalnum((unsigned char)*at) || (*at && strchr("_.-/+$", *at)))
    at++;
  return !*at;
}

static bool resolves_to_itself(const char *value)
{
  struct hone__arena arena = {0};
  struct hone_value read = hone__yaml_resolve(value, &arena);
  bool same = read.type == HONE_TEXT && strcmp(read.text, value) == 0;

  hone__arena_release(&arena);
  return same;
}

void hone__export_yaml_write_text(struct hone__text *text, const char *value)
{
  if (is_plain(value) && resolves_to_itself(value))
    hone__text_add(text, value);
  else
    add_quoted(text, value);
}

/* float16, DType.float16 */
static bool is_word(const char *value)
{
  if (!isalpha((unsigned char)*value) && *value != '_') return false;
  while (isalnum((unsigned char)*value) || *value == '_' || *value == '.')
    value++;
  return !*value;
}

/* 1024x512x256; 0x10 is a number */
static bool is_shape(const char *value)
{
  size_t digits;

  if (value[0] == '0' && value[1] == 'x') return false;
  for (;; value++) {
    digits = strspn(value, "0123456789");
    if (!digits) return false;
    value += digits;
    if (*value != 'x') return !*value;
  }
}

static bool evaluates_to_itself(const char *value)
{
  struct hone__arena arena = {0};
  struct hone_value read = hone__evaluate_word(&arena, value);
  bool same = read.type == HONE_TEXT && strcmp(read.text, value) == 0;

  hone__arena_release(&arena);
  return same;
}

void hone__export_yaml_write_value(struct hone__text *text, const char *value)
{
  if (hone__word_kind(value) != HONE__WORD_TEXT) {
    hone__text_add(text, value);
  } else if ((is_word(value) || is_shape(value)) && evaluates_to_itself(value)) {
    hone__export_yaml_write_text(text, value);
  } else {
    hone__text_add(text, "[[");
    add_quoted(text, value);
    hone__text_add(text, "]]");
  }
}
