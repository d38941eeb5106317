/* A preprocessor says before each part which file and line it is of: `# 12 "k.c" 2`. */
#include "backend/kernel/preprocessed.h"

#include "backend/kernel/compiler_words.h"
#include "base/file.h"
#include "proc/child.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 26, MOST_LINES = 1 << 22, MOST_SECONDS = 20 };

/* ---- Order ---- */

struct ordering {
  const char *source;
  struct hone__text own, others;
  size_t lines; /* that `own` has */
  size_t line;  /* of the next line of output, in its file */
  bool is_own;  /* that file is the source */
};

/* `# 12 "k.c" 2` or `#line 12 "k.c"`; false: it is another line. */
static bool read_marker(struct ordering *o, const char *line, size_t length)
{
  const char *end = line + length, *at = line + 1;
  size_t name = strlen(o->source);

  if (*line != '#') return false;
  if (end - at > 5 && memcmp(at, "line ", 5) == 0) at += 5;
  while (at < end && *at == ' ')
    at++;
  if (at == end || !isdigit((unsigned char)*at)) return false;
  o->line = strtoul(at, NULL, 10);
  at = memchr(at, '"', (size_t)(end - at));
  o->is_own = at && (size_t)(end - at) > name + 1 && memcmp(at + 1, o->source, name) == 0 &&
              at[1 + name] == '"' && o->line <= MOST_LINES; /* #line may say any number */
  return true;
}

/* Behind the lines before it; what comes again for a line stands on it too. */
static void add_own(struct ordering *o, const char *line, size_t length)
{
  for (; o->lines + 1 < o->line; o->lines++)
    hone__text_add(&o->own, "\n");
  hone__text_addn(&o->own, line, length);
  hone__text_add(&o->own, " ");
}

char *hone__preprocessed_order(const char *output, const char *source)
{
  struct ordering o = {.source = source, .line = 1};

  for (size_t length; *output; output += length + (output[length] == '\n')) {
    length = strcspn(output, "\n");
    if (read_marker(&o, output, length)) continue;
    if (o.is_own) {
      add_own(&o, output, length);
    } else {
      hone__text_addn(&o.others, output, length);
      hone__text_add(&o.others, "\n");
    }
    o.line++;
  }
  hone__text_addf(&o.own, "\n%s", o.others.data ? o.others.data : "");
  hone__text_release(&o.others);
  return hone__text_take(&o.own);
}

/* ---- The compiler ---- */

static void add_words(const struct hone__kernel_candidate *candidate, const char *output,
                      struct hone__words *words)
{
  hone__kernel_add_compiler(words, candidate);
  hone__kernel_add_flags(words, candidate, false);
  hone__kernel_add_includes(words, candidate);
  hone__kernel_add_defines(words, candidate);
  hone__words_add(words, "-E");
  hone__words_add(words, "-o");
  hone__words_add(words, output);
  hone__words_add(words, candidate->source);
}

static bool run_compiler(const struct hone__kernel_candidate *candidate, const char *output)
{
  struct hone__words words = {0};
  struct hone__child_result result = {0};
  bool is_good;

  add_words(candidate, output, &words);
  hone__child_run(&(struct hone__child_options){.argv = (const char *const *)words.data,
                                                .timeout_s = MOST_SECONDS},
                  &result);
  is_good = result.end == HONE__CHILD_EXITED && result.code == 0;
  hone__child_result_release(&result);
  hone__words_release(&words);
  return is_good;
}

char *hone__preprocessed_read(const struct hone__kernel_candidate *candidate)
{
  const char *folder = getenv("TMPDIR");
  char *output = NULL, *ordered = NULL;
  struct hone__text path = {0};
  size_t size;
  int file;

  if (!candidate->language || candidate->command || !candidate->source) return NULL;
  hone__text_addf(&path, "%s/hone-source-XXXXXX", folder && *folder == '/' ? folder : "/tmp");
  file = mkstemp(path.data);
  if (file >= 0) close(file);
  if (file >= 0 && run_compiler(candidate, path.data))
    hone_status_free(hone__file_read(path.data, MOST_BYTES, &output, &size));
  if (output && strlen(output) == size)
    ordered = hone__preprocessed_order(output, candidate->source);
  if (file >= 0) unlink(path.data);
  hone__text_release(&path);
  free(output);
  return ordered;
}
