/* Options are passed in one string that is split at blanks, and no standard defines how to quote a
 * blank.
 */
#include "backend/opencl/opencl_source.h"

#include "base/paths.h"
#include "base/quote.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

enum { LARGE_GRID = 65535 };

/* ---- Options ---- */

static void add_word(struct hone__text *options, const char *prefix, const char *word)
{
  hone__text_addf(options, "%s%s%s", options->length ? " " : "", prefix, word);
}

static void add_define(struct hone__text *options, struct hone__text *prologue,
                       const struct hone__name_value *pair)
{
  const char *name = pair->name, *value = pair->value;

  if (strpbrk(value, " \t\"'\\\n")) {
    hone__text_addf(prologue, "#define %s %s\n", name, value);
    return;
  }
  add_word(options, "-D", name);
  hone__text_addf(options, "=%s", value);
}

static void add_name(struct hone__text *prologue, const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

  hone__text_add(prologue, "#line 1");
  if (!strpbrk(name, "\"\\\n")) hone__text_addf(prologue, " \"%s\"", name);
  hone__text_add(prologue, "\n");
}

/* A blank in a name would make invalid options: `links` is a folder for a link without. If none can
 * be made, the compiler reports the missing file. */
static void add_folder(struct hone__text *options, const char *folder, const char *links, size_t i)
{
  struct hone__text link = {0};

  if (!strpbrk(folder, " \t\n")) {
    add_word(options, "-I", folder);
  } else if (!links) {
    add_word(options, "-I", "");
    hone__quote_shell(options, folder);
  } else {
    hone__text_addf(&link, "%s/include-%zu", links, i);
    if (!strpbrk(links, " \t\n") && symlink(folder, link.data) == 0)
      add_word(options, "-I", link.data);
  }
  hone__text_release(&link);
}

/* Those of the spec, and the kernel's own. */
static void add_folders(const struct hone__kernel_candidate *candidate, const char *links,
                        struct hone__text *options)
{
  char *own = hone__path_folder(candidate->source);

  for (size_t i = 0; i < candidate->includes_count; i++)
    add_folder(options, candidate->includes[i], links, i);
  add_folder(options, own, links, candidate->includes_count);
  free(own);
}

/* In the byte order of either kind of machine. */
bool hone__opencl_is_spirv(const char *bytes, size_t size)
{
  return size > 4 &&
         (memcmp(bytes, "\x03\x02\x23\x07", 4) == 0 || memcmp(bytes, "\x07\x23\x02\x03", 4) == 0);
}

/* The first word after comments is PTX's `.version`. */
static bool is_ptx(const char *text, size_t size)
{
  const char *end = text + size;

  while (text < end && (isspace((unsigned char)*text) || *text == '/')) {
    const char *line = *text == '/' ? memchr(text, '\n', (size_t)(end - text)) : text;
    if (!line) return false;
    text = line + 1;
  }
  return (size_t)(end - text) > 8 && memcmp(text, ".version", 8) == 0;
}

bool hone__opencl_is_binary(const char *bytes, size_t size)
{
  return !hone__opencl_is_spirv(bytes, size) && (memchr(bytes, 0, size) || is_ptx(bytes, size));
}

static bool is_compiled(const char *source)
{
  return hone__ends_with(source, HONE__OPENCL_SPIRV) ||
         hone__ends_with(source, HONE__OPENCL_BINARY);
}

void hone__opencl_options(const struct hone__kernel_candidate *candidate, const char *links,
                          struct hone__text *options, struct hone__text *prologue)
{
  hone__text_add(options, ""); /* an empty one is a text, too */
  for (size_t i = 0; i < candidate->flags_count; i++)
    add_word(options, "", candidate->flags[i]);
  if (is_compiled(candidate->source)) return; /* its preprocessor has run */
  for (size_t i = 0; i < candidate->defines_count; i++)
    add_define(options, prologue, &candidate->defines[i]);
  add_folders(candidate, links, options);
  add_name(prologue, candidate->source);
}

/* ---- Work-groups ---- */

static void specialise(const struct hone__kernel_launch *launch, struct hone__text *text)
{
  int64_t widest = 0;

  if (!launch || launch->local_count != 3 || launch->global_count != 3) return;
  for (size_t i = 0; i < 3; i++) {
    hone__text_addf(text, "%s%lld", i ? "-" : "", (long long)launch->local[i]);
    widest = launch->global[i] > widest ? launch->global[i] : widest;
  }
  hone__text_add(text, widest < LARGE_GRID ? "-goffs0-smallgrid" : "-goffs0");
}

/* Whether a list that commas separate has it. */
static bool has_word(const char *list, const char *word)
{
  size_t length = strlen(word);

  for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
    if (strncmp(at, word, length) == 0 && (!at[length] || at[length] == ',')) return true;
  return false;
}

/* Each size once. PoCL makes every kernel for every size of the list. */
void hone__opencl_specialise(const struct hone__kernel_candidate *candidate,
                             struct hone__text *text)
{
  struct hone__text one = {0};

  if (!candidate->stages_count) specialise(candidate->launch, text);
  for (size_t i = 0; i < candidate->stages_count; i++) {
    one.length = 0;
    specialise(candidate->stages[i].launch, &one);
    if (one.length && !has_word(text->data, one.data))
      hone__text_addf(text, "%s%s", text->length ? "," : "", one.data);
  }
  hone__text_release(&one);
}
