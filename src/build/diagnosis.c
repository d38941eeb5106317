/* Lines are classified by how they begin and by the words in them. A table has the patterns of
 * informative lines, the most informative first. Lines that begin with a blank quote a source,
 * those of a traceback quote Python: neither is an error.
 */
#include "build/diagnosis.h"

#include "base/text.h"

#include <ctype.h>

enum { MOST_LINES = 60, LONGEST_LINE = 500 };

struct line {
  const char *text;
  size_t length;
  bool is_quoted; /* it begins with a blank, or is part of a traceback */
};

/* ---- Lines ---- */

static bool has(const struct line *line, const char *words)
{
  return memmem(line->text, line->length, words, strlen(words)) != NULL;
}

static bool begins(const struct line *line, const char *words)
{
  return line->length >= strlen(words) && memcmp(line->text, words, strlen(words)) == 0;
}

static bool is_blank(const struct line *line)
{
  for (size_t i = 0; i < line->length; i++)
    if (!isspace((unsigned char)line->text[i])) return false;
  return true;
}

static bool is_indented(const struct line *line)
{
  return line->length && isspace((unsigned char)line->text[0]);
}

/* The next line of a text; false at its end. `line` starts as { 0 }. */
static bool next_line(const char *output, struct line *line)
{
  const char *next = line->text ? line->text + line->length : output;

  if (line->text && *next == '\n') next++;
  if (!next || !*next) return false;
  line->text = next;
  line->length = strcspn(next, "\n");
  line->is_quoted = is_indented(line);
  return true;
}

/* ---- The most informative line ---- */

static const char traceback[] = "Traceback (most recent call last)";

/* A line that only reports an earlier failure. */
static bool is_summary(const struct line *line)
{
  static const char *const starts[] = {"collect2:", "make:", "make[", "ninja:", "gmake:"};
  static const char *const words[] = {"linker command failed", " generated.", "errors detected",
                                      "error detected"};

  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (begins(line, starts[i])) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (has(line, words[i])) return true;
  return false;
}

static bool is_error(const struct line *line)
{
  static const char *const words[] = {": error:",    ": fatal error:", ": error #", "): error",
                                      "ptxas error", "ptxas fatal",    ": Error:"};
  static const char *const starts[] = {"error:", "fatal error:", "error[", "ERROR:"};

  if (line->is_quoted || is_summary(line)) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (has(line, words[i])) return true;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (begins(line, starts[i])) return true;
  return false;
}

static bool is_link_error(const struct line *line)
{
  return has(line, "undefined reference") || has(line, "undefined symbol") ||
         has(line, "multiple definition of") || has(line, "cannot find -l");
}

/* "ValueError: ...", "torch.OutOfMemoryError: ..." */
static bool is_exception(const struct line *line)
{
  static const char *const ends[] = {"Error", "Exception", "Interrupt", "Exit", "Warning"};
  size_t length = 0;

  while (length < line->length && (isalnum((unsigned char)line->text[length]) ||
                                   line->text[length] == '_' || line->text[length] == '.'))
    length++;
  if (!length || (length < line->length && line->text[length] != ':')) return false;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (length >= strlen(ends[i]) &&
        memcmp(line->text + length - strlen(ends[i]), ends[i], strlen(ends[i])) == 0)
      return true;
  return false;
}

static bool is_complaint(const struct line *line)
{
  static const char *const words[] = {"error", "cannot ", "not found", "No such file", "denied"};

  if (line->is_quoted || is_summary(line)) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (has(line, words[i])) return true;
  return false;
}

static bool is_last(const struct line *line)
{
  return !is_blank(line);
}

/* The exception after the last traceback; NULL text: there is none. */
static struct line find_exception(const char *output)
{
  struct line line = {0}, found = {0};
  bool inside = false;

  while (next_line(output, &line)) {
    if (has(&line, traceback)) {
      inside = true;
    } else if (inside && !is_indented(&line) && !is_blank(&line)) {
      found = line;
      inside = false;
    }
  }
  return found;
}

static struct line find_line(const char *output, bool (*is_wanted)(const struct line *), bool last)
{
  struct line line = {0}, found = {0};
  bool inside = false;

  while (next_line(output, &line)) {
    inside = has(&line, traceback) || (inside && is_indented(&line));
    line.is_quoted = line.is_quoted || inside;
    if (!is_wanted(&line)) continue;
    found = line;
    if (!last) break;
  }
  return found;
}

static struct line find_informative(const char *output)
{
  static const struct {
    bool (*is_wanted)(const struct line *);
    bool last;
  } signs[] = {{is_error, false},    {is_link_error, false}, {NULL, false},
               {is_exception, true}, {is_complaint, false},  {is_last, true}};
  struct line found = {0};

  for (size_t i = 0; i < sizeof signs / sizeof *signs && !found.text; i++)
    found = signs[i].is_wanted ? find_line(output, signs[i].is_wanted, signs[i].last)
                               : find_exception(output);
  return found;
}

static void add_line(const struct line *line, struct hone__text *out)
{
  size_t skip = 0;

  while (skip < line->length && isspace((unsigned char)line->text[skip]))
    skip++;
  hone__text_addn(out, line->text + skip,
                  line->length - skip > LONGEST_LINE ? LONGEST_LINE : line->length - skip);
}

void hone__diagnosis_line(const char *output, struct hone__text *out_line)
{
  struct line line = output ? find_informative(output) : (struct line){0};

  if (line.text) add_line(&line, out_line);
}

bool hone__diagnosis_exception(const char *output, struct hone__text *out_line)
{
  struct line line = output ? find_exception(output) : (struct line){0};

  if (line.text) add_line(&line, out_line);
  return line.text != NULL;
}

/* ---- With what belongs to it ---- */

/* Lines before an error that show how the compiler got there. */
static bool is_context(const struct line *line)
{
  return begins(line, "In file included from") || has(line, ": In ") || has(line, ": required ") ||
         (is_indented(line) && has(line, " from ") && has(line, ":"));
}

static bool begins_another(const struct line *line)
{
  return is_error(line) || is_summary(line) || (!is_indented(line) && is_context(line)) ||
         begins(line, "warning:") || (!line->is_quoted && has(line, ": warning:"));
}

/* For an error: from its context up to the next one. */
static const char *find_begin(const char *output, const char *error)
{
  struct line line = {0};
  const char *begin = NULL;

  while (next_line(output, &line) && line.text < error) {
    if (!is_context(&line))
      begin = NULL;
    else if (!begin)
      begin = line.text;
  }
  return begin ? begin : error;
}

static const char *find_end(const struct line *error)
{
  struct line line = *error;

  while (next_line(NULL, &line))
    if (begins_another(&line)) return line.text;
  return line.text + line.length;
}

/* For a traceback: from the first one on, because exceptions are raised while others are handled.
 */
static bool find_traceback(const char *output, const char **out_begin, const char **out_end)
{
  struct line line = {0};

  while (next_line(output, &line))
    if (has(&line, traceback)) {
      *out_begin = line.text;
      *out_end = output + strlen(output);
      return true;
    }
  return false;
}

static void add_lines(const char *begin, const char *end, struct hone__text *out, bool *out_is_cut)
{
  size_t lines = 0;
  const char *p = begin;

  while (p < end && lines < MOST_LINES) {
    p += strcspn(p, "\n");
    p += *p == '\n';
    lines++;
  }
  *out_is_cut = *out_is_cut || p < end;
  while (p > begin && isspace((unsigned char)p[-1]))
    p--;
  hone__text_addn(out, begin, (size_t)(p - begin));
}

void hone__diagnosis_whole(const char *output, struct hone__text *out_text, bool *out_is_cut)
{
  struct line error;
  const char *begin, *end;

  *out_is_cut = false;
  if (!output || !*output) return;
  begin = output;
  end = output + strlen(output);
  error = find_line(output, is_error, false);
  if (error.text) {
    begin = find_begin(output, error.text);
    end = find_end(&error);
    *out_is_cut = begin > output || end[strspn(end, " \t\r\n")];
  } else {
    find_traceback(output, &begin, &end);
  }
  add_lines(begin, end, out_text, out_is_cut);
}

/* ---- Messages of one kind ---- */

void hone__diagnosis_kind(const char *line, struct hone__text *out_kind)
{
  const char *p = line;
  size_t word = out_kind->length; /* start of the path being read */

  while (*p) {
    if (*p == '/') {
      out_kind->length = word;
      p++;
    } else if (isdigit((unsigned char)*p) && (p == line || !isalpha((unsigned char)p[-1]))) {
      hone__text_add(out_kind, "#");
      p += strspn(p, "0123456789.abcdefxABCDEFX");
    } else {
      hone__text_addn(out_kind, p, 1);
      if (!hone__is_word(*p) && !strchr(".-+~", *p)) word = out_kind->length;
      p++;
    }
  }
}
