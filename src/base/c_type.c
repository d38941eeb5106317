/* The integers of C are counted by their words, in any order, as 64-bit Linux and OpenCL have them
 * (`long` has 64 bits); every other type is one word of a table. */
#include "base/c_type.h"

#include <ctype.h>
#include <string.h>

static const char *const qualifiers[] = {
    "const",     "volatile", "restrict",   "__restrict",        "__restrict__", "register",
    "__global",  "global",   "__constant", "constant",          "__local",      "local",
    "__private", "private",  "__shared__", "__grid_constant__", "_Atomic",      "typename"};

static const struct {
  const char *name;
  enum hone__element element;
} named[] = {
    {"float", HONE__ELEMENT_F32},
    {"double", HONE__ELEMENT_F64},
    {"half", HONE__ELEMENT_F16},
    {"__half", HONE__ELEMENT_F16},
    {"_Float16", HONE__ELEMENT_F16},
    {"__fp16", HONE__ELEMENT_F16},
    {"__bf16", HONE__ELEMENT_BF16},
    {"__nv_bfloat16", HONE__ELEMENT_BF16},
    {"nv_bfloat16", HONE__ELEMENT_BF16},
    {"__nv_fp8_e4m3", HONE__ELEMENT_F8E4M3},
    {"__nv_fp8_e5m2", HONE__ELEMENT_F8E5M2},
    {"bool", HONE__ELEMENT_BOOL},
    {"_Bool", HONE__ELEMENT_BOOL},
    {"int8_t", HONE__ELEMENT_I8},
    {"int16_t", HONE__ELEMENT_I16},
    {"int32_t", HONE__ELEMENT_I32},
    {"int64_t", HONE__ELEMENT_I64},
    {"uint8_t", HONE__ELEMENT_U8},
    {"uint16_t", HONE__ELEMENT_U16},
    {"uint32_t", HONE__ELEMENT_U32},
    {"uint64_t", HONE__ELEMENT_U64},
    {"size_t", HONE__ELEMENT_U64},
    {"ssize_t", HONE__ELEMENT_I64},
    {"ptrdiff_t", HONE__ELEMENT_I64},
    {"intptr_t", HONE__ELEMENT_I64},
    {"uintptr_t", HONE__ELEMENT_U64},
    {"uchar", HONE__ELEMENT_U8},
    {"ushort", HONE__ELEMENT_U16},
    {"uint", HONE__ELEMENT_U32},
    {"ulong", HONE__ELEMENT_U64},
};

struct words { /* how often each word of C's integers occurs */
  int is_unsigned, is_signed, is_char, is_short, is_int, is_long;
  bool is_named, is_other;
  enum hone__element element;
};

static bool is_word(const char *text, size_t length, const char *word)
{
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool count_integer_word(struct words *words, const char *text, size_t length)
{
  const struct {
    const char *word;
    int *count;
  } rows[] = {{"unsigned", &words->is_unsigned}, {"signed", &words->is_signed},
              {"char", &words->is_char},         {"short", &words->is_short},
              {"int", &words->is_int},           {"long", &words->is_long}};

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_word(text, length, rows[i].word)) {
      ++*rows[i].count;
      return true;
    }
  return false;
}

static void read_word(struct words *words, const char *text, size_t length)
{
  for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
    if (is_word(text, length, qualifiers[i])) return;
  if (count_integer_word(words, text, length)) return;
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (is_word(text, length, named[i].name)) {
      words->is_other |= words->is_named;
      words->is_named = true;
      words->element = named[i].element;
      return;
    }
  words->is_other = true;
}

static bool integer_of(const struct words *words, enum hone__element *out_element)
{
  static const enum hone__element elements[][2] = {{HONE__ELEMENT_I8, HONE__ELEMENT_U8},
                                                   {HONE__ELEMENT_I16, HONE__ELEMENT_U16},
                                                   {HONE__ELEMENT_I32, HONE__ELEMENT_U32},
                                                   {HONE__ELEMENT_I64, HONE__ELEMENT_U64}};
  int row = words->is_char ? 0 : words->is_short ? 1 : words->is_long ? 3 : 2;
  int sizes = (words->is_char > 0) + (words->is_short > 0) + (words->is_long > 0);

  if (sizes > 1 || words->is_long > 2 || (words->is_char && words->is_int)) return false;
  if (words->is_unsigned && words->is_signed) return false;
  if (!sizes && !words->is_int && !words->is_unsigned && !words->is_signed) return false;
  *out_element = elements[row][words->is_unsigned > 0];
  return true;
}

bool hone__element_of_c_type(const char *text, size_t length, enum hone__element *out_element)
{
  struct words words = {0};
  bool is_integer;

  for (size_t at = 0, end; at < length; at = end) {
    end = at + 1;
    if (isspace((unsigned char)text[at])) continue;
    if (!isalpha((unsigned char)text[at]) && text[at] != '_') return false;
    while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '_'))
      end++;
    read_word(&words, text + at, end - at);
  }
  is_integer = integer_of(&words, out_element);
  if (words.is_other || is_integer == words.is_named) return false;
  if (words.is_named) *out_element = words.element;
  return !words.is_named || !(words.is_unsigned || words.is_long || words.is_short);
}
