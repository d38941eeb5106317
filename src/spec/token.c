/* One look at the first character tells which kind of token it is; each kind scans itself. */
#include "spec/token.h"
#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void *hone__scan_fail(struct hone__scanner *scanner, uint32_t offset, const char *format, ...)
{
  struct hone__text message = {0};
  va_list args;

  if (scanner->failed) return NULL;
  scanner->failed = true;
  va_start(args, format);
  hone__text_vaddf(&message, format, args);
  va_end(args);
  scanner->error->offset = offset;
  scanner->error->message = hone__arena_strdup(scanner->arena, message.data);
  hone__text_release(&message);
  return NULL;
}

static bool is_word_start(char c)
{
  return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_word(char c)
{
  return is_word_start(c) || isdigit((unsigned char)c);
}

static void scan_word(struct hone__scanner *scanner, struct hone__token *token)
{
  const char *p = scanner->text + token->begin;

  if (*p == '$') p++;
  while (is_word(*p))
    p++;
  token->kind = HONE__TOKEN_WORD;
  token->end = (uint32_t)(p - scanner->text);
}

/* Copies digits without their underscores; false where an underscore stands wrongly. */
static bool copy_digits(const char *from, size_t length, char *to)
{
  size_t used = 0;

  for (size_t i = 0; i < length; i++) {
    if (from[i] == '_') {
      if (i == 0 || i + 1 == length || !isxdigit((unsigned char)from[i + 1]) || from[i - 1] == '_')
        return false;
      continue;
    }
    to[used++] = from[i];
  }
  to[used] = 0;
  return true;
}

static size_t span_number(const char *p, bool *out_real)
{
  size_t n = 0;

  *out_real = false;
  if (p[0] == '0' && p[1] && strchr("xXoObB", p[1])) {
    for (n = 2; isxdigit((unsigned char)p[n]) || p[n] == '_'; n++) {}
    return n;
  }
  while (isdigit((unsigned char)p[n]) || p[n] == '_')
    n++;
  if (p[n] == '.') {
    *out_real = true;
    for (n++; isdigit((unsigned char)p[n]) || p[n] == '_'; n++) {}
  }
  if ((p[n] == 'e' || p[n] == 'E') &&
      (isdigit((unsigned char)p[n + 1]) ||
       ((p[n + 1] == '+' || p[n + 1] == '-') && isdigit((unsigned char)p[n + 2])))) {
    *out_real = true;
    for (n += 2; isdigit((unsigned char)p[n]) || p[n] == '_'; n++) {}
  }
  return n;
}

const char hone__does_not_fit[] = "integer overflow: the number does not fit into 64 bits";

static void scan_integer(struct hone__scanner *scanner, struct hone__token *token,
                         const char *digits)
{
  int base = 10;
  char *end;
  long long integer;

  if (digits[0] == '0' && digits[1]) {
    int letter = tolower((unsigned char)digits[1]);
    if (letter == 'x' || letter == 'o' || letter == 'b') {
      base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
      digits += 2;
    } else if (strspn(digits, "0") != strlen(digits)) {
      hone__scan_fail(scanner, token->begin,
                      "an integer cannot begin with 0 (write 0o17 for octal)");
      return;
    }
  }
  errno = 0;
  integer = strtoll(digits, &end, base);
  if (*end || end == digits) {
    hone__scan_fail(scanner, token->begin, "not a number");
  } else if (errno && base == 10 && strcmp(digits, "9223372036854775808") == 0) {
    integer = INT64_MIN; /* fits after a minus sign only */
  } else if (errno) {
    hone__scan_fail(scanner, token->begin, hone__does_not_fit);
  }
  token->value = hone__int(integer);
}

static void scan_number(struct hone__scanner *scanner, struct hone__token *token)
{
  const char *p = scanner->text + token->begin;
  bool real;
  size_t length = span_number(p, &real);
  char digits[128];

  token->kind = HONE__TOKEN_NUMBER;
  token->end = token->begin + (uint32_t)length;
  if (is_word(p[length])) {
    hone__scan_fail(scanner, token->begin, "not a number");
  } else if (length >= sizeof digits || !copy_digits(p, length, digits)) {
    hone__scan_fail(scanner, token->begin, "not a number");
  } else if (real) {
    token->value = hone__real(hone__strtod(digits, NULL));
  } else {
    scan_integer(scanner, token, digits);
  }
}

static char unescape(const char **p)
{
  char c = *(*p)++, digits[3] = {0};

  switch (c) {
  case 'n': return '\n';
  case 't': return '\t';
  case 'r': return '\r';
  case '0': return '\0';
  case 'x':
    if (!isxdigit((unsigned char)(*p)[0]) || !isxdigit((unsigned char)(*p)[1])) return '\0';
    digits[0] = *(*p)++;
    digits[1] = *(*p)++;
    return (char)strtol(digits, NULL, 16);
  case '\\':
  case '\'':
  case '"': return c;
  default: return '\0';
  }
}

static void scan_string(struct hone__scanner *scanner, struct hone__token *token)
{
  const char *p = scanner->text + token->begin;
  char quote = *p++, *to = hone__arena_alloc(scanner->arena, strlen(p) + 1);

  token->kind = HONE__TOKEN_STRING;
  token->value = hone__string(to);
  while (*p && *p != quote && *p != '\n') {
    if (*p == '\\') {
      const char *at = p++;
      *to = unescape(&p);
      if (!*to) {
        hone__scan_fail(scanner, (uint32_t)(at - scanner->text), "unknown escape in a string");
        return;
      }
      to++;
    } else {
      *to++ = *p++;
    }
  }
  if (*p != quote) {
    hone__scan_fail(scanner, token->begin, "unterminated string: the closing quote is missing");
    return;
  }
  token->end = (uint32_t)(p + 1 - scanner->text);
}

static void scan_sign(struct hone__scanner *scanner, struct hone__token *token)
{
  static const char *const signs[] = {"**", "//", "==", "!=", "<=", ">=", "<<", ">>"};
  static const struct {
    const char *wrong, *right;
  } mistakes[] = {{"&&", "and"}, {"||", "or"}, {"<>", "!="}, {"=>", ">="},
                  {"=<", "<="},  {"=", "=="},  {"!", "not"}, {"?", "x if condition else y"}};
  const char *p = scanner->text + token->begin;
  uint32_t length = 1;

  token->kind = HONE__TOKEN_SIGN;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strncmp(p, signs[i], 2) == 0) length = 2;
  token->end = token->begin + length;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    if (length == 2 || !hone__starts_with(p, mistakes[i].wrong)) continue;
    hone__scan_fail(scanner, token->begin, "'%s' is not an operator here; did you mean '%s'?",
                    mistakes[i].wrong, mistakes[i].right);
    return;
  }
  if (length == 2 || strchr("+-*/%()[],<>&|^~.", *p)) return;
  hone__scan_fail(scanner, token->begin, "unexpected character '%c'",
                  isprint((unsigned char)*p) ? *p : '?');
}

struct hone__token hone__scan(struct hone__scanner *scanner, uint32_t from)
{
  struct hone__token token = {0};
  const char *p = scanner->text + from;

  for (; *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r' || *p == '#'; p++)
    if (*p == '#') p += strcspn(p, "\n") - 1; /* a comment */
  token.begin = token.end = (uint32_t)(p - scanner->text);
  if (!*p) {
    token.kind = HONE__TOKEN_END;
  } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
    scan_number(scanner, &token);
  } else if (*p == '"' || *p == '\'') {
    scan_string(scanner, &token);
  } else if (is_word_start(*p) || (*p == '$' && is_word_start(p[1]))) {
    scan_word(scanner, &token);
  } else {
    scan_sign(scanner, &token);
  }
  if (scanner->failed) token.kind = HONE__TOKEN_BAD;
  return token;
}
