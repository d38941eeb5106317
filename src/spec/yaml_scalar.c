/* The grammars below are PyYAML's regular expressions, written out by hand; they are linear and do
 * not depend on the locale. Where PyYAML's resolver says "integer" or "date" but its constructor
 * then fails (0x_, 2024-13-01), the scalar stays text. */
#include "spec/yaml_scalar.h"
#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static const char *skip_sign(const char *text)
{
  return text + (*text == '-' || *text == '+');
}

static const char *skip_digits(const char *text)
{
  return text + strspn(text, "0123456789");
}

static const char *skip_digits_(const char *text)
{
  return text + strspn(text, "0123456789_");
}

/* ---- Words --------------------------------------------------------------------------------- */

static bool equal_ignoring_case(const char *text, const char *word)
{
  for (; *word; text++, word++)
    if (lower(*text) != *word) return false;
  return !*text;
}

/* Is it word, Word or WORD? The word has two letters or more. */
static bool is_cased_word(const char *text, const char *word)
{
  bool all_upper = *text != lower(*text) && text[1] != lower(text[1]);

  if (!equal_ignoring_case(text, word)) return false;
  for (text++; *text; text++)
    if ((*text != lower(*text)) != all_upper) return false;
  return true;
}

static const struct {
  const char *word;
  bool truth;
} bool_words[] = {{"yes", true},    {"no", false}, {"true", true},
                  {"false", false}, {"on", true},  {"off", false}};
enum { BOOL_WORDS = sizeof bool_words / sizeof *bool_words };

static bool read_bool(const char *text, bool (*matches)(const char *, const char *),
                      struct hone_value *out_value)
{
  for (size_t i = 0; i < BOOL_WORDS; i++) {
    if (!matches(text, bool_words[i].word)) continue;
    *out_value = hone__bool(bool_words[i].truth);
    return true;
  }
  return false;
}

static bool read_null(const char *text, struct hone_value *out_value)
{
  if (*text && strcmp(text, "~") != 0 && !is_cased_word(text, "null")) return false;
  *out_value = (struct hone_value){.type = HONE_NONE};
  return true;
}

/* ---- Integers ------------------------------------------------------------------------------ */

/* Text of this length is never meant as a number, and the conversion takes quadratic time. */
enum { MOST_CHARACTERS = 128, LIMBS = 24, LIMB = 1000000000 };

struct big { /* little end first, in base LIMB */
  uint32_t limbs[LIMBS];
  size_t count;
};

static void big_multiply_add(struct big *big, uint32_t factor, uint32_t addend)
{
  uint64_t carry = addend;

  for (size_t i = 0; i < big->count; i++) {
    carry += (uint64_t)big->limbs[i] * factor;
    big->limbs[i] = (uint32_t)(carry % LIMB);
    carry /= LIMB;
  }
  if (!carry) return;
  if (big->count == LIMBS) HONE__BUG("an integer outgrew its limbs");
  big->limbs[big->count++] = (uint32_t)carry;
}

static bool big_to_int64(const struct big *big, bool negative, int64_t *out_integer)
{
  unsigned __int128 wide = 0;

  if (big->count > 3) return false;
  for (size_t i = big->count; i-- > 0;)
    wide = wide * LIMB + big->limbs[i];
  if (wide > (unsigned __int128)INT64_MAX + negative) return false;
  *out_integer = negative ? (int64_t)(-(uint64_t)wide) : (int64_t)wide;
  return true;
}

static char *big_to_text(const struct big *big, bool negative, struct hone__arena *arena)
{
  struct hone__text text = {0};
  char *copy;

  hone__text_addf(&text, "%s%u", negative ? "-" : "", big->limbs[big->count - 1]);
  for (size_t i = big->count - 1; i-- > 0;)
    hone__text_addf(&text, "%09u", big->limbs[i]);
  copy = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return copy;
}

/* (:[0-5]?[0-9])+ */
static const char *skip_sixties(const char *text)
{
  while (*text == ':' && is_digit(text[1]))
    text += text[1] <= '5' && is_digit(text[2]) ? 3 : 2;
  return text;
}

/* Finds the digits and their base; 60: sexagesimal, whose first group is decimal. */
static bool match_int(const char *text, const char **out_digits, uint32_t *out_base)
{
  const char *p = skip_sign(text), *end;

  *out_digits = p;
  if (p[0] == '0' && (p[1] == 'b' || p[1] == 'x')) {
    *out_base = p[1] == 'b' ? 2 : 16;
    *out_digits = p += 2;
    end = p + strspn(p, *out_base == 2 ? "01_" : "0123456789abcdefABCDEF_");
  } else if (*p == '0') {
    *out_base = 8;
    end = p + strspn(p, "01234567_");
  } else if (is_digit(*p)) {
    *out_base = 10;
    end = skip_digits_(p);
    if (*end == ':') *out_base = 60;
    end = skip_sixties(end);
  } else {
    return false;
  }
  return !*end && strspn(p, "_") < (size_t)(end - p);
}

static uint32_t digit_value(char c)
{
  return is_digit(c) ? (uint32_t)(c - '0') : (uint32_t)(lower(c) - 'a' + 10);
}

static struct big read_digits(const char *digits, uint32_t base)
{
  struct big big = {.count = 0};
  uint32_t first_base = base == 60 ? 10 : base;

  for (; *digits && *digits != ':'; digits++)
    if (*digits != '_') big_multiply_add(&big, first_base, digit_value(*digits));
  while (*digits == ':') {
    uint32_t group = 0;
    for (digits++; is_digit(*digits); digits++)
      group = 10 * group + digit_value(*digits);
    big_multiply_add(&big, 60, group);
  }
  return big;
}

static bool read_int(const char *text, struct hone__arena *arena, struct hone_value *out_value)
{
  const char *digits;
  uint32_t base;
  int64_t integer;
  struct big big;

  if (!match_int(text, &digits, &base)) return false;
  if (strnlen(text, MOST_CHARACTERS + 1) > MOST_CHARACTERS) {
    *out_value = hone__string(text);
    return true;
  }
  big = read_digits(digits, base);
  if (big_to_int64(&big, *text == '-', &integer))
    *out_value = hone__int(integer);
  else
    *out_value = hone__string(big_to_text(&big, *text == '-', arena));
  return true;
}

/* ---- Floats -------------------------------------------------------------------------------- */

/* [eE][-+][0-9]+ or nothing; `lax`: the sign may be missing. */
static const char *skip_exponent(const char *text, bool lax)
{
  const char *p = text + 1;

  if (lower(*text) != 'e') return text;
  if (*p == '-' || *p == '+')
    p++;
  else if (!lax)
    return text;
  return is_digit(*p) ? skip_digits(p) : text;
}

static bool match_float(const char *text)
{
  const char *p = skip_sign(text), *sixties;

  if (*p == '.') return p == text && is_digit(p[1]) && !*skip_exponent(skip_digits_(p + 1), false);
  if (!is_digit(*p)) return false;
  p = skip_digits_(p);
  sixties = skip_sixties(p);
  if (*sixties != '.') return false;
  if (sixties != p) return sixties - text <= MOST_CHARACTERS && !*skip_digits_(sixties + 1);
  return !*skip_exponent(skip_digits_(p + 1), false);
}

/* What Python's float() takes, beyond the above, once the underscores are gone. */
static bool match_python_float(const char *text)
{
  const char *start = skip_sign(text), *p = skip_digits(start);
  size_t digits = (size_t)(p - start);

  if (*p == '.') {
    start = p + 1;
    p = skip_digits(start);
    digits += (size_t)(p - start);
  }
  if (digits) return !*skip_exponent(p, true);
  return equal_ignoring_case(start, "inf") || equal_ignoring_case(start, "infinity") ||
         equal_ignoring_case(start, "nan");
}

static double to_double(const char *text)
{
  return hone__strtod(text, NULL);
}

/* In Python's order of operations, from the last group on, which cuts `text`. */
static double sixties_to_double(char *text)
{
  double sum = 0, base = 1;
  size_t length = strlen(text);
  char *colon;

  while ((colon = memrchr(text, ':', length))) {
    length = (size_t)(colon - text);
    sum += to_double(colon + 1) * base;
    base *= 60;
    *colon = 0;
  }
  return sum + to_double(text) * base;
}

static char *without_underscores(const char *text)
{
  char *copy = hone__alloc(strlen(text) + 1), *p = copy;

  for (; *text; text++)
    if (*text != '_') *p++ = *text;
  return copy;
}

static struct hone_value convert_float(const char *text)
{
  char *clean = without_underscores(text);
  double real;

  if (strchr(clean, ':')) {
    real = sixties_to_double(clean + (skip_sign(clean) - clean));
    if (*text == '-') real = -real;
  } else {
    real = to_double(clean);
  }
  free(clean);
  return hone__real(real);
}

static bool read_float(const char *text, struct hone_value *out_value)
{
  const char *unsigned_text = skip_sign(text);

  if (*unsigned_text == '.' && is_cased_word(unsigned_text + 1, "inf"))
    *out_value = hone__real(*text == '-' ? -INFINITY : INFINITY);
  else if (strcmp(text, ".nan") == 0 || strcmp(text, ".NaN") == 0 || strcmp(text, ".NAN") == 0)
    *out_value = hone__real(NAN);
  else if (match_float(text))
    *out_value = convert_float(text);
  else
    return false;
  return true;
}

static bool construct_float(const char *text, struct hone_value *out_value)
{
  const char *digits;
  uint32_t base;
  char *clean;
  bool ok;

  if (read_float(text, out_value)) return true;
  clean = without_underscores(text);
  ok = match_python_float(clean) || (match_int(text, &digits, &base) && base == 60);
  if (ok) *out_value = convert_float(text);
  free(clean);
  return ok;
}

/* ---- Timestamps ---------------------------------------------------------------------------- */

struct stamp {
  int year, month, day, hour, minute, second, microsecond;
  int zone_hour, zone_minute;
  bool has_time, has_zone, west;
};

static bool read_field(const char **p, int least, int most, int *out_number)
{
  int count = 0;

  for (*out_number = 0; count < most && is_digit(**p); count++, ++*p)
    *out_number = 10 * *out_number + (**p - '0');
  return count >= least;
}

static bool skip_char(const char **p, char c)
{
  if (**p != c) return false;
  ++*p;
  return true;
}

static int read_fraction(const char **p)
{
  int microseconds = 0, count = 0;

  for (; is_digit(**p); ++*p)
    if (count < 6) microseconds = 10 * microseconds + (**p - '0'), count++;
  for (; count < 6; count++)
    microseconds *= 10;
  return microseconds;
}

static bool match_zone(const char *p, struct stamp *stamp)
{
  p += strspn(p, " \t");
  stamp->has_zone = true;
  if (skip_char(&p, 'Z')) return !*p;
  stamp->west = *p == '-';
  if (!skip_char(&p, '-') && !skip_char(&p, '+')) return false;
  if (!read_field(&p, 1, 2, &stamp->zone_hour)) return false;
  if (skip_char(&p, ':') && !read_field(&p, 2, 2, &stamp->zone_minute)) return false;
  return !*p;
}

static bool match_stamp(const char *text, struct stamp *stamp)
{
  const char *p = text;

  if (!read_field(&p, 4, 4, &stamp->year) || !skip_char(&p, '-') ||
      !read_field(&p, 1, 2, &stamp->month) || !skip_char(&p, '-') ||
      !read_field(&p, 1, 2, &stamp->day))
    return false;
  if (!*p) return p - text == 10;
  stamp->has_time = true;
  if (lower(*p) == 't')
    p++;
  else if (is_blank(*p))
    p += strspn(p, " \t");
  else
    return false;
  if (!read_field(&p, 1, 2, &stamp->hour) || !skip_char(&p, ':') ||
      !read_field(&p, 2, 2, &stamp->minute) || !skip_char(&p, ':') ||
      !read_field(&p, 2, 2, &stamp->second))
    return false;
  if (skip_char(&p, '.')) stamp->microsecond = read_fraction(&p);
  return !*p || match_zone(p, stamp);
}

static bool is_in_calendar(const struct stamp *stamp)
{
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year = stamp->year, month = stamp->month;
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

  if (year < 1 || month < 1 || month > 12) return false;
  if (stamp->day < 1 || stamp->day > days[month - 1] + (month == 2 && leap)) return false;
  if (stamp->hour > 23 || stamp->minute > 59 || stamp->second > 59) return false;
  return stamp->zone_hour * 60 + stamp->zone_minute < 24 * 60;
}

static char *print_stamp(const struct stamp *stamp, struct hone__arena *arena)
{
  int zone = stamp->zone_hour * 60 + stamp->zone_minute;
  struct hone__text text = {0};
  char *copy;

  hone__text_addf(&text, "%04d-%02d-%02d", stamp->year, stamp->month, stamp->day);
  if (stamp->has_time)
    hone__text_addf(&text, " %02d:%02d:%02d", stamp->hour, stamp->minute, stamp->second);
  if (stamp->microsecond) hone__text_addf(&text, ".%06d", stamp->microsecond);
  if (stamp->has_zone)
    hone__text_addf(&text, "%c%02d:%02d", stamp->west && zone ? '-' : '+', zone / 60, zone % 60);
  copy = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return copy;
}

static bool read_stamp(const char *text, struct hone__arena *arena, struct hone_value *out_value)
{
  struct stamp stamp = {0};

  if (!match_stamp(text, &stamp)) return false;
  *out_value = hone__string(is_in_calendar(&stamp) ? print_stamp(&stamp, arena) : text);
  return true;
}

/* ---- Scalars ------------------------------------------------------------------------------- */

struct hone_value hone__yaml_resolve(const char *text, struct hone__arena *arena)
{
  struct hone_value value = hone__string(text);

  if (is_digit(*text) || *text == '-' || *text == '+' || *text == '.') {
    if (read_float(text, &value) || read_int(text, arena, &value)) return value;
    if (read_stamp(text, arena, &value)) return value;
  } else if (read_null(text, &value) || read_bool(text, is_cased_word, &value)) {
    return value;
  }
  return hone__string(text);
}

static const char *const scalar_types[] = {"str", "int", "float", "bool", "null"};
enum { SCALAR_TYPES = sizeof scalar_types / sizeof *scalar_types };

bool hone__yaml_is_scalar_type(const char *type)
{
  for (size_t i = 0; i < SCALAR_TYPES; i++)
    if (strcmp(type, scalar_types[i]) == 0) return true;
  return false;
}

bool hone__yaml_construct(const char *type, const char *text, struct hone__arena *arena,
                          struct hone_value *out_value)
{
  *out_value = hone__string(text);
  if (strcmp(type, "str") == 0) return true;
  if (strcmp(type, "int") == 0) return read_int(text, arena, out_value);
  if (strcmp(type, "float") == 0) return construct_float(text, out_value);
  if (strcmp(type, "bool") == 0) return read_bool(text, equal_ignoring_case, out_value);
  if (strcmp(type, "null") != 0) return false;
  *out_value = (struct hone_value){.type = HONE_NONE};
  return true;
}
