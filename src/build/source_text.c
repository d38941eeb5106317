/* One pass over the text, token by token: blanks and comments become one blank, or one newline if
 * the line ends in them. Comments and strings are recognised as a compiler does: a backslash at the
 * end of a line joins the next, also inside // comments.
 */
#include "build/source_text.h"

#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_SOURCE_BYTES = 256 << 20 };

struct scanner {
  const char *p, *end;
  struct hone__text *out;
};

static bool starts(const struct scanner *s, const char *word)
{
  size_t length = strlen(word);

  return (size_t)(s->end - s->p) >= length && memcmp(s->p, word, length) == 0;
}

/* The length of a line continuation at p, or 0. */
static size_t splice(const char *p, const char *end)
{
  if (end - p >= 2 && p[0] == '\\' && p[1] == '\n') return 2;
  if (end - p >= 3 && p[0] == '\\' && p[1] == '\r' && p[2] == '\n') return 3;
  return 0;
}

static void skip_line_comment(struct scanner *s)
{
  while (s->p < s->end && *s->p != '\n') {
    size_t joined = splice(s->p, s->end);
    s->p += joined ? joined : 1;
  }
}

static void skip_block_comment(struct scanner *s)
{
  for (s->p += 2; s->p < s->end && !starts(s, "*/"); s->p++)
    ;
  s->p = s->p < s->end ? s->p + 2 : s->end;
}

/* Blanks and comments, which separate tokens. */
static void scan_space(struct scanner *s)
{
  bool space = false, line = false;

  while (s->p < s->end) {
    size_t joined = splice(s->p, s->end);
    if (joined) {
      if (!space) hone__text_add(s->out, "\\"); /* it may be inside a word */
      s->p += joined;
    } else if (isspace((unsigned char)*s->p)) {
      line = line || *s->p == '\n';
      space = true;
      s->p++;
    } else if (starts(s, "//") || starts(s, "/*")) {
      space = true;
      if (s->p[1] == '/')
        skip_line_comment(s);
      else
        skip_block_comment(s);
    } else {
      break;
    }
  }
  if (s->out->length && space && s->p < s->end) hone__text_add(s->out, line ? "\n" : " ");
}

/* "..." or '...', up to its end or that of the line. */
static void scan_quoted(struct scanner *s)
{
  const char *start = s->p, quote = *s->p++;

  while (s->p < s->end && *s->p != quote && *s->p != '\n') {
    size_t joined = splice(s->p, s->end);
    if (joined)
      s->p += joined;
    else
      s->p += *s->p == '\\' && s->end - s->p > 1 ? 2 : 1;
  }
  if (s->p < s->end && *s->p == quote) s->p++;
  hone__text_addn(s->out, start, (size_t)(s->p - start));
}

/* R"x(...)x" from its quote on. */
static void scan_raw_string(struct scanner *s)
{
  const char *start = s->p, *open = memchr(s->p, '(', (size_t)(s->end - s->p));
  size_t length = open ? (size_t)(open - start) - 1 : 0;
  const char *p = open;

  if (!open || length > 16 || memchr(start + 1, '\n', length)) {
    scan_quoted(s);
    return;
  }
  while ((p = memchr(p, ')', (size_t)(s->end - p)))) {
    if ((size_t)(s->end - p) >= length + 2 && memcmp(p + 1, start + 1, length) == 0 &&
        p[length + 1] == '"')
      break;
    p++;
  }
  s->p = p ? p + length + 2 : s->end;
  hone__text_addn(s->out, start, (size_t)(s->p - start));
}

static bool is_raw_prefix(const char *word, size_t length)
{
  static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};

  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strlen(prefixes[i]) == length && memcmp(prefixes[i], word, length) == 0) return true;
  return false;
}

/* A name or number, with quotes inside (1'000), or the prefix of a raw string. */
static void scan_word(struct scanner *s)
{
  const char *start = s->p;
  bool number = isdigit((unsigned char)*start);

  while (s->p < s->end && (hone__is_word(*s->p) || (number && *s->p == '\'' && s->end - s->p > 1 &&
                                                    hone__is_word(s->p[1]))))
    s->p++;
  hone__text_addn(s->out, start, (size_t)(s->p - start));
  if (s->p < s->end && *s->p == '"' && is_raw_prefix(start, (size_t)(s->p - start)))
    scan_raw_string(s);
}

void hone__build_source_normalise(const char *text, size_t size, struct hone__text *out)
{
  struct scanner s = {.p = text, .end = text + size, .out = out};

  while (s.p < s.end) {
    scan_space(&s);
    if (s.p >= s.end) break;
    if (*s.p == '"' || *s.p == '\'')
      scan_quoted(&s);
    else if (hone__is_word(*s.p))
      scan_word(&s);
    else
      hone__text_addn(out, s.p++, 1);
  }
}

/* ---- Words ---- */

/* The position of `word` after the first `offset` characters, or NULL; a text without additions has
 * no characters. */
static const char *find(const struct hone__text *text, size_t offset, const char *word,
                        size_t length)
{
  if (!length || offset >= text->length) return NULL;
  return memmem(text->data + offset, text->length - offset, word, length);
}

static const char *find_next(const struct hone__text *text, const char *found, const char *word,
                             size_t length)
{
  return find(text, (size_t)(found - text->data) + 1, word, length);
}

static bool is_whole(const struct hone__text *text, const char *word, size_t length)
{
  return (word == text->data || !hone__is_word(word[-1])) &&
         (word + length == text->data + text->length || !hone__is_word(word[length]));
}

bool hone__build_source_has_word(const struct hone__text *text, const char *word, size_t length)
{
  for (const char *p = find(text, 0, word, length); p; p = find_next(text, p, word, length))
    if (is_whole(text, p, length)) return true;
  return false;
}

/* ---- Declarations ---- */

/* The last non-blank character before p, or the text's beginning. */
static const char *back(const char *text, const char *p)
{
  while (p > text && isspace((unsigned char)p[-1]))
    p--;
  return p > text ? p - 1 : p;
}

/* The beginning of the word that ends at p. */
static const char *word_start(const char *text, const char *p)
{
  while (p > text && hone__is_word(p[-1]))
    p--;
  return p;
}

static bool is_directive(const char *text, const char *p)
{
  while (p > text && p[-1] != '\n')
    p--;
  return *p == '#';
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
  for (; *words; words++)
    if (strlen(*words) == length && memcmp(*words, word, length) == 0) return true;
  return false;
}

/* `int N`, but not `return N`. */
static bool follows_type(const char *text, const char *name)
{
  static const char *const keywords[] = {"return", "case",   "else",    "do",        "goto",
                                         "sizeof", "typeof", "throw",   "new",       "delete",
                                         "and",    "or",     "not",     "co_return", "co_yield",
                                         "xor",    "bitand", "alignof", "_Alignof",  NULL};
  const char *end = back(text, name), *start = word_start(text, end);

  return name > text && hone__is_word(*end) && !isdigit((unsigned char)*start) &&
         !is_one_of(start, (size_t)(end - start) + 1, keywords);
}

/* Inside the braces of an enum, after the brace or a comma. */
static bool is_enumerator(const char *text, const char *name)
{
  static const char *const enums[] = {"enum", NULL};
  const char *p = back(text, name), *start;
  int depth = 0;

  if (name == text || (*p != '{' && *p != ',')) return false;
  for (; p > text && (*p != '{' || depth); p--)
    depth += (*p == ')' || *p == '}') - (*p == '(' || *p == '{');
  for (int words = 0; words < 3 && p > text; words++) { /* enum class colour { */
    p = back(text, p);
    start = word_start(text, p);
    if (!hone__is_word(*p)) return false;
    if (is_one_of(start, (size_t)(p - start) + 1, enums)) return true;
    p = start;
  }
  return false;
}

bool hone__build_source_declares(const struct hone__text *text, const char *name)
{
  size_t length = strlen(name);

  for (const char *p = find(text, 0, name, length); p; p = find_next(text, p, name, length))
    if (is_whole(text, p, length) && !is_directive(text->data, p) &&
        (follows_type(text->data, p) || is_enumerator(text->data, p)))
      return true;
  return false;
}

/* ---- Files ---- */

/* Examines every directive `# include`: only <x.h> is closed. */
static bool includes_more(const struct hone__text *text)
{
  static const char include[] = "include";
  const size_t length = strlen(include);

  for (const char *p = find(text, 0, include, length); p; p = find_next(text, p, include, length)) {
    const char *before = p, *after = p + length; /* the text ends with a 0 */
    while (before > text->data && before[-1] == ' ')
      before--;
    after += *after == ' ';
    if (before > text->data && before[-1] == '#' && *after != '<') return true;
  }
  return false;
}

static void look_at(const char *raw, size_t size, struct hone__build_source_text *out)
{
  *out = (struct hone__build_source_text){0};
  hone__build_source_normalise(raw, size, &out->text);
  out->is_open = includes_more(&out->text);
  out->has_pastes = find(&out->text, 0, "##", 2) != NULL;
  if (hone__build_source_has_word(&out->text, "__LINE__", strlen("__LINE__"))) {
    out->text.length = 0;
    hone__text_addn(&out->text, raw, size);
  }
  hone__digest(out->text.data, out->text.length, out->digest);
}

hone_status hone__build_source_text_read(const char *path,
                                         struct hone__build_source_text *out_source)
{
  char *raw = NULL;
  size_t size;
  hone_status status = hone__file_read(path, MOST_SOURCE_BYTES, &raw, &size);

  *out_source = (struct hone__build_source_text){0};
  if (!status) look_at(raw, size, out_source);
  free(raw);
  return status;
}

void hone__build_source_text_release(struct hone__build_source_text *source)
{
  hone__text_release(&source->text);
}

/* System headers are many and change only with packages. */
static bool digest_of_system_file(const char *path, char out_digest[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester;
  struct stat info;

  if (stat(path, &info) != 0) return false;
  digester = hone__digest_begin();
  hone__digest_add_text(digester, path);
  hone__digest_add(digester, &info.st_size, sizeof info.st_size);
  hone__digest_add(digester, &info.st_mtim, sizeof info.st_mtim);
  hone__digest_end(digester, out_digest);
  return true;
}

bool hone__dependency_digest(const char *path, char out_digest[HONE__DIGEST_SIZE])
{
  struct hone__build_source_text source;
  char *bytes = NULL;
  size_t size = 0;
  hone_status status;

  if (hone__starts_with(path, "/usr/")) return digest_of_system_file(path, out_digest);
  status = hone__file_read(path, MOST_SOURCE_BYTES, &bytes, &size);
  if (status) {
    hone_status_free(status);
    return false;
  }
  if (memchr(bytes, 0, size)) {
    hone__digest(bytes, size, out_digest);
  } else {
    look_at(bytes, size, &source);
    memcpy(out_digest, source.digest, sizeof source.digest);
    hone__build_source_text_release(&source);
  }
  free(bytes);
  return true;
}
