/* Values around the one that the source has: those that people try first. */
#include "sketch/sketch.h"

#include <stdlib.h>

static bool is_whole(const char *value, long *out_whole)
{
  char *end;

  if (!value || !*value) return false;
  *out_whole = strtol(value, &end, 0);
  return !end[strspn(end, "uUlL")] && end > value;
}

static bool is_power_of_two(long value)
{
  return value > 0 && !(value & (value - 1));
}

static void print_powers(long value, struct hone__text *out)
{
  long first = value > 4 ? value / 4 : 1;

  for (int i = 0; i < 5; i++)
    hone__text_addf(out, "%s%ld", i ? ", " : "", first << i);
}

static void print_whole(long value, struct hone__text *out)
{
  if (value == 0)
    hone__text_add(out, "0, 1");
  else if (is_power_of_two(value) && value < 1L << 40)
    print_powers(value, out);
  else if (value > 0 && value < 1L << 40)
    hone__text_addf(out, "%ld, %ld, %ld", (value + 1) / 2, value, 2 * value);
  else
    hone__text_addf(out, "%ld", value);
}

bool hone__sketch_is_fraction(const char *value)
{
  size_t length = strspn(value, "+-0123456789");

  return value[length] == '.' &&
         value[length + 1 + strspn(value + length + 1, "0123456789eEfFlL+-")] == '\0';
}

static void print_text(const char *value, struct hone__text *out)
{
  hone__text_addf(out, "\"%s\"", strpbrk(value, "\"\\") ? "TODO" : value);
}

void hone__sketch_print_value(const struct hone__sketch_knob *knob, struct hone__text *out)
{
  long whole;

  if (!knob->value)
    hone__text_add(out, "1");
  else if (is_whole(knob->value, &whole))
    hone__text_addf(out, "%ld", whole);
  else
    print_text(knob->value, out);
}

void hone__sketch_print_values(const struct hone__sketch_knob *knob, struct hone__text *out)
{
  long whole;

  hone__text_add(out, "[");
  if (knob->values)
    hone__text_add(out, knob->values);
  else if (knob->is_flag)
    hone__text_add(out, "0, 1");
  else if (is_whole(knob->value, &whole))
    print_whole(whole, out);
  else if (knob->is_type)
    hone__text_addf(out, "%s", knob->value ? knob->value : "float");
  else if (knob->value)
    print_text(knob->value, out);
  else
    hone__text_add(out, "1, 2, 4, 8");
  hone__text_add(out, "]");
}
