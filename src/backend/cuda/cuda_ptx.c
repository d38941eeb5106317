/* A kernel is `.entry NAME ( PARAM , PARAM )`, and a parameter `.param .TYPE ... NAME` or
 * `.param .align 8 .b8 NAME[128]`. Words are read one by one; comments lie between them.
 */
#include "backend/cuda/cuda_ptx.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 1024, LONGEST_NAME = 4096 };

struct word {
  const char *text;
  size_t length; /* 0: the end */
};

struct reader {
  const char *at, *end;
};

/* ---- Words ---- */

static bool begins(const struct reader *r, const char *text)
{
  size_t length = strlen(text);

  return (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

static void skip_to(struct reader *r, const char *text)
{
  while (r->at < r->end && !begins(r, text))
    r->at++;
}

static void skip_blanks(struct reader *r)
{
  for (;;) {
    while (r->at < r->end && isspace((unsigned char)*r->at))
      r->at++;
    if (begins(r, "//")) {
      skip_to(r, "\n");
    } else if (begins(r, "/*")) {
      skip_to(r, "*/");
      if (r->at < r->end) r->at += 2;
    } else {
      return;
    }
  }
}

static bool is_inside(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* A name, a directive, a number, or one sign. */
static struct word next_word(struct reader *r)
{
  struct word word;

  skip_blanks(r);
  word.text = r->at;
  while (r->at < r->end && is_inside(*r->at))
    r->at++;
  if (r->at == word.text && r->at < r->end) r->at++;
  word.length = (size_t)(r->at - word.text);
  return word;
}

static bool is(struct word word, const char *text)
{
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static struct reader begin(const void *text, size_t size)
{
  return (struct reader){text, (const char *)text + size};
}

bool hone__ptx_is(const void *text, size_t size)
{
  struct reader r = begin(text, size);

  return is(next_word(&r), ".version");
}

/* ---- Kernels ---- */

/* The name of the next one; length 0: there is none. */
static struct word next_kernel(struct reader *r)
{
  struct word word;

  do
    word = next_word(r);
  while (word.length && !is(word, ".entry"));
  return word.length ? next_word(r) : word;
}

void hone__ptx_kernels(const void *text, size_t size, bool (*visit)(void *data, const char *name),
                       void *data)
{
  struct reader r = begin(text, size);
  struct word word;
  bool goes_on = true;

  while (goes_on && (word = next_kernel(&r)).length) {
    char *name = hone__strndup(word.text, word.length);
    if (word.length < LONGEST_NAME) goes_on = visit(data, name);
    free(name);
  }
}

/* ---- Parameters ---- */

/* ".u64" is 8; 0: no type. */
static uint32_t type_bytes(struct word word)
{
  const char *p = word.text + 2;
  char digits[4] = "";
  size_t length = word.length > 2 ? word.length - 2 : 0;

  if (length < 1 || length > 2 || word.text[0] != '.' || !strchr("usbf", word.text[1])) return 0;
  memcpy(digits, p, length);
  return isdigit((unsigned char)digits[0]) ? (uint32_t)atoi(digits) / 8 : 0;
}

static uint32_t number_of(struct word word)
{
  char digits[12] = "";

  if (word.length >= sizeof digits - 2) return 0;
  memcpy(digits, word.text, word.length);
  return (uint32_t)strtoul(digits, NULL, 0);
}

/* Reads to the comma or the parenthesis after it, which `*out_end` is. */
static struct hone__simt_param read_param(struct reader *r, struct word *out_end)
{
  struct hone__simt_param param = {0};
  uint32_t align = 0, count = 1;

  for (*out_end = next_word(r); out_end->length && !is(*out_end, ",") && !is(*out_end, ")");
       *out_end = next_word(r)) {
    if (is(*out_end, ".align"))
      align = number_of(next_word(r));
    else if (is(*out_end, "["))
      count = number_of(next_word(r));
    else if (!param.size)
      param.size = type_bytes(*out_end);
  }
  param.offset = align > param.size ? align : param.size; /* its alignment, until `place` */
  param.size *= count;
  return param;
}

static void place(struct hone__simt_param *params, size_t count)
{
  uint32_t end = 0;

  for (size_t i = 0; i < count; i++) {
    uint32_t align = params[i].offset ? params[i].offset : 1;
    params[i].offset = (end + align - 1) / align * align;
    end = params[i].offset + params[i].size;
  }
}

/* After the kernel's name. */
static bool read_params(struct reader *r, struct hone__simt_param *params, size_t *out_count)
{
  struct word word = next_word(r);

  *out_count = 0;
  if (!is(word, "(")) return true; /* it has none */
  while (*out_count < MOST_PARAMS) {
    struct hone__simt_param param = read_param(r, &word);
    if (!word.length) return false;
    if (param.size)
      params[(*out_count)++] = param;
    else if (*out_count || is(word, ","))
      return false;
    if (is(word, ")")) break;
  }
  place(params, *out_count);
  return is(word, ")");
}

bool hone__ptx_params(const void *text, size_t size, const char *name,
                      struct hone__simt_param **out_params, size_t *out_count)
{
  struct reader r = begin(text, size);
  struct word word;

  *out_params = NULL;
  *out_count = 0;
  do
    word = next_kernel(&r);
  while (word.length && !is(word, name));
  if (!word.length) return false;
  *out_params = hone__alloc(MOST_PARAMS * sizeof **out_params);
  if (read_params(&r, *out_params, out_count)) return true;
  free(*out_params);
  *out_params = NULL;
  *out_count = 0;
  return false;
}
