/* Images, textures, surfaces and samplers: the type tells what they are, and the functions that
 * read them how many directions and numbers they have. */
#include "sketch/sketch.h"

#include "base/c_type.h"
#include "base/words.h"
#include "source/c_tokens.h"

#include <stdio.h>

static const struct {
  const char *type, *key;
  int rank; /* 0: the functions tell */
} kinds[] = {{"cudaTextureObject_t", "texture", 0},
             {"hipTextureObject_t", "texture", 0},
             {"cudaSurfaceObject_t", "surface", 0},
             {"hipSurfaceObject_t", "surface", 0},
             {"image1d_t", "image", 1},
             {"image2d_t", "image", 2},
             {"image3d_t", "image", 3},
             {"sampler_t", "sampler", 0}};

enum { KINDS = sizeof kinds / sizeof *kinds, NO_RANK = 2 };

static size_t kind_of(const struct hone__parameter *parameter)
{
  size_t kind = 0;

  while (kind < KINDS && !hone__has_word(parameter->text, kinds[kind].type))
    kind++;
  return kind;
}

bool hone__sketch_is_image(const struct hone__parameter *parameter)
{
  return kind_of(parameter) < KINDS;
}

/* ---- What the source does with it ---- */

struct access {
  int rank, channels;
  enum hone__element element;
  bool is_written, is_fetched;
};

static bool is(const struct hone__code_tokens *tokens, size_t at, const char *text)
{
  return at < tokens->count && hone__code_token_is(&tokens->list[at], text);
}

static bool begins(const struct hone__code_token *token, const char *text)
{
  return token->length >= strlen(text) && memcmp(token->text, text, strlen(text)) == 0;
}

/* "float4", "uchar", "unsigned char". */
static void take_type(const struct hone__code_tokens *tokens, size_t first, size_t last,
                      struct access *access)
{
  const struct hone__code_token *begin = &tokens->list[first], *end = &tokens->list[last - 1];
  size_t length = (size_t)(end->text + end->length - begin->text);
  char digit = begin->text[length - 1];

  if (length > 1 && (digit == '2' || digit == '4')) {
    access->channels = digit - '0';
    length--;
  }
  hone__element_of_c_type(begin->text, length, &access->element);
}

/* The call whose name is at this token. */
static void take_call(const struct hone__code_tokens *tokens, size_t at, size_t open,
                      struct access *access)
{
  const struct hone__code_token *name = &tokens->list[at];
  bool is_lookup = begins(name, "tex") || begins(name, "surf");
  size_t digits = is_lookup ? begins(name, "tex") ? 3 : 4 : 0;

  if (is_lookup && name->length > digits && strchr("123", name->text[digits]))
    access->rank = name->text[digits] - '0';
  if (is_lookup && is(tokens, at + 1, "<") && open > at + 3)
    take_type(tokens, at + 2, open - 1, access);
  access->is_fetched |= hone__code_token_is(name, "tex1Dfetch");
  access->is_written |= begins(name, "write_image") ||
                        (begins(name, "surf") && name->length == strlen("surf2Dwrite") &&
                         memcmp(name->text + strlen("surf2D"), "write", strlen("write")) == 0);
  if (hone__code_token_is(name, "read_imagei") || hone__code_token_is(name, "write_imagei"))
    access->element = HONE__ELEMENT_I32;
  if (hone__code_token_is(name, "read_imageui") || hone__code_token_is(name, "write_imageui"))
    access->element = HONE__ELEMENT_U32;
}

/* `f(`, `f<T>(`: where the arguments begin; the number of tokens: it is no call. */
static size_t arguments_at(const struct hone__code_tokens *tokens, size_t at)
{
  size_t next = at + 1;

  if (!hone__code_token_is_word(&tokens->list[at])) return tokens->count;
  if (is(tokens, next, "<"))
    while (next < tokens->count && next < at + 6 && !is(tokens, next, ">"))
      next++;
  next += is(tokens, next, ">");
  return is(tokens, next, "(") ? next : tokens->count;
}

static bool has_argument(const struct hone__code_tokens *tokens, size_t open, const char *name)
{
  size_t close = hone__code_tokens_end(tokens, open);

  for (size_t i = open + 1; i < close; i++) {
    if (is(tokens, i, name) && (i == open + 1 || is(tokens, i - 1, ",")) &&
        (is(tokens, i + 1, ",") || i + 1 == close))
      return true;
    if (is(tokens, i, "(")) i = hone__code_tokens_end(tokens, i); /* another call's */
  }
  return false;
}

static struct access find_access(const struct hone__sketch *sketch, const char *name)
{
  struct access access = {.channels = 1, .element = HONE__ELEMENT_F32};
  struct hone__code_tokens tokens = {0};

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i < tokens.count; i++) {
    size_t open = arguments_at(&tokens, i);
    if (open < tokens.count && has_argument(&tokens, open, name))
      take_call(&tokens, i, open, &access);
  }
  hone__code_tokens_release(&tokens);
  return access;
}

/* ---- Printing ---- */

void hone__sketch_print_image(const struct hone__sketch *sketch,
                              const struct hone__parameter *parameter, struct hone__text *out)
{
  size_t kind = kind_of(parameter);
  struct access access = find_access(sketch, parameter->name);
  int rank = kinds[kind].rank ? kinds[kind].rank : access.rank ? access.rank : NO_RANK;

  if (strcmp(kinds[kind].key, "sampler") == 0) {
    hone__text_add(out, ", sampler: {filter: point, address: clamp}");
    return;
  }
  if (hone__has_word(parameter->text, "write_only") ||
      hone__has_word(parameter->text, "__write_only"))
    access.is_written = true;
  hone__text_addf(out, ", type: %s, shape: [TODO", hone__element_name(access.element));
  for (int i = 1; i < rank; i++)
    hone__text_add(out, ", TODO");
  if (access.channels > 1)
    hone__text_addf(out, ", %d], %s: {channels: %d}", access.channels, kinds[kind].key,
                    access.channels);
  else
    hone__text_addf(out, "], %s: %s", kinds[kind].key,
                    access.is_fetched ? "{memory: linear}" : "true");
  if (access.is_written) hone__text_add(out, ", role: out");
}
