/* Python's meaning: booleans are numbers, comparisons between integers and floats are exact, and
 * floats print as the shortest text that reads back equal. */
#include "spec/value.h"
#include "base/hash.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_whole(enum hone_type type)
{
  return type == HONE_INT || type == HONE_BOOL;
}

static bool is_number(enum hone_type type)
{
  return is_whole(type) || type == HONE_FLOAT;
}

/* Exact, also where an integer has more digits than a double can hold. */
static int compare_int_real(int64_t integer, double real)
{
  double whole;

  if (isnan(real)) return 2;
  if (real >= 9223372036854775808.0) return -1;
  if (real < -9223372036854775808.0) return 1;
  whole = floor(real);
  if (integer != (int64_t)whole) return integer < (int64_t)whole ? -1 : 1;
  return real > whole ? -1 : 0;
}

static int compare_numbers(struct hone_value a, struct hone_value b)
{
  if (is_whole(a.type) && is_whole(b.type))
    return a.integer < b.integer ? -1 : a.integer > b.integer;
  if (is_whole(a.type)) return compare_int_real(a.integer, b.real);
  if (is_whole(b.type)) {
    int order = compare_int_real(b.integer, a.real);
    return order == 2 ? 2 : -order;
  }
  if (isnan(a.real) || isnan(b.real)) return 2;
  return a.real < b.real ? -1 : a.real > b.real;
}

int hone__value_compare(struct hone_value a, struct hone_value b)
{
  if (is_number(a.type) && is_number(b.type)) return compare_numbers(a, b);
  if (a.type == HONE_TEXT && b.type == HONE_TEXT) {
    int order = strcmp(a.text, b.text);
    return order < 0 ? -1 : order > 0;
  }
  return 2;
}

bool hone__value_equal(struct hone_value a, struct hone_value b)
{
  if (is_number(a.type) && is_number(b.type)) return compare_numbers(a, b) == 0;
  if (a.type != b.type) return false;
  if (a.type == HONE_TEXT) return a.text == b.text || strcmp(a.text, b.text) == 0;
  if (a.type == HONE_LIST) {
    if (a.list->count != b.list->count) return false;
    for (size_t i = 0; i < a.list->count; i++)
      if (!hone__value_equal(a.list->items[i], b.list->items[i])) return false;
  }
  return true;
}

bool hone__real_is_int(double real, int64_t *out_integer)
{
  if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0)) return false;
  *out_integer = (int64_t)real;
  return (double)*out_integer == real;
}

uint64_t hone__value_hash(struct hone_value value)
{
  int64_t integer;
  uint64_t hash;

  switch (value.type) {
  case HONE_NONE: return 1;
  case HONE_BOOL:
  case HONE_INT: return hone__mix((uint64_t)value.integer + 2);
  case HONE_FLOAT:
    if (hone__real_is_int(value.real, &integer)) return hone__mix((uint64_t)integer + 2);
    return hone__hash_bytes(3, &value.real, sizeof value.real);
  case HONE_TEXT: return hone__hash_bytes(4, value.text, strlen(value.text));
  case HONE_LIST:
    hash = 5;
    for (size_t i = 0; i < value.list->count; i++)
      hash = hone__hash_add(hash, hone__value_hash(value.list->items[i]));
    return hone__mix(hash);
  }
  HONE__BUG("a value without a type");
}

bool hone__value_truth(struct hone_value value)
{
  switch (value.type) {
  case HONE_NONE: return false;
  case HONE_BOOL:
  case HONE_INT: return value.integer != 0;
  case HONE_FLOAT: return value.real != 0;
  case HONE_TEXT: return *value.text != 0;
  case HONE_LIST: return value.list->count != 0;
  }
  HONE__BUG("a value without a type");
}

/* Python's repr: the shortest digits that read back equal; exponent form below 1e-4, from 1e16. */
void hone__float_print(double real, struct hone__text *text)
{
  char digits[40];
  int precision = 0, exponent;

  if (isnan(real)) {
    hone__text_add(text, "nan");
    return;
  }
  if (isinf(real)) {
    hone__text_add(text, real < 0 ? "-inf" : "inf");
    return;
  }
  do
    hone__print_real(digits, sizeof digits, 'e', precision, real);
  while (hone__strtod(digits, NULL) != real && ++precision < 17);
  exponent = atoi(strchr(digits, 'e') + 1);
  if (exponent >= -4 && exponent < 16) {
    int decimals = precision - exponent;
    hone__print_real(digits, sizeof digits, 'f', decimals > 0 ? decimals : 1, real);
  }
  hone__text_add(text, digits);
}

static void print_quoted(const char *string, struct hone__text *text)
{
  const char *quote = strchr(string, '\'') && !strchr(string, '"') ? "\"" : "'";

  hone__text_add(text, quote);
  for (; *string; string++) {
    if (*string == '\\' || *string == *quote) hone__text_add(text, "\\");
    if (*string == '\n')
      hone__text_add(text, "\\n");
    else
      hone__text_addn(text, string, 1);
  }
  hone__text_add(text, quote);
}

static void print(struct hone_value value, bool quoted, struct hone__text *text)
{
  switch (value.type) {
  case HONE_NONE: hone__text_add(text, "None"); break;
  case HONE_BOOL: hone__text_add(text, value.integer ? "True" : "False"); break;
  case HONE_INT: hone__text_addf(text, "%lld", (long long)value.integer); break;
  case HONE_FLOAT: hone__float_print(value.real, text); break;
  case HONE_TEXT:
    if (quoted)
      print_quoted(value.text, text);
    else
      hone__text_add(text, value.text);
    break;
  case HONE_LIST:
    hone__text_add(text, "[");
    for (size_t i = 0; i < value.list->count; i++) {
      if (i) hone__text_add(text, ", ");
      print(value.list->items[i], true, text);
    }
    hone__text_add(text, "]");
    break;
  }
}

void hone__value_print(struct hone_value value, struct hone__text *text)
{
  print(value, false, text);
}

void hone__value_repr(struct hone_value value, struct hone__text *text)
{
  print(value, true, text);
}
