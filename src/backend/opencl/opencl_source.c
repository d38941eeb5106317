/* Options go by one string that is split at blanks, and no standard says how to write a blank in
 * it. */
#include "backend/opencl/opencl_source.h"

#include "base/paths.h"
#include "wire/message_text.h"

#include <stdlib.h>

enum { LARGE_GRID = 65535 };

/* ---- Options ---- */

static void add_word(struct hone__text *options, const char *prefix, const char *word)
{
  hone__text_addf(options, "%s%s%s", options->length ? " " : "", prefix, word);
}

static void add_list(struct hone__text *options, const char *prefix, const json_t *list)
{
  for (size_t i = 0; i < json_array_size(list); i++)
    add_word(options, prefix, hone__message_word(list, i));
}

static void add_define(struct hone__text *options, struct hone__text *prologue, const json_t *pair)
{
  const char *name = hone__message_word(pair, 0), *value = hone__message_word(pair, 1);

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

/* The kernel's own folder, for what it includes. With a blank in its name it would be an invalid
 * option: a kernel that includes nothing is built without it, of another the compiler says what it
 * does not find. */
static void add_folder(struct hone__text *options, const char *source)
{
  char *folder = hone__path_folder(source);

  if (!strpbrk(folder, " \t\n")) add_word(options, "-I", folder);
  free(folder);
}

void hone__opencl_options(const json_t *candidate, struct hone__text *options,
                          struct hone__text *prologue)
{
  const json_t *defines = json_object_get(candidate, "defines");
  const char *source = hone__message_text(candidate, "source");

  hone__text_add(options, ""); /* none is a text, too */
  add_list(options, "", json_object_get(candidate, "flags"));
  for (size_t i = 0; i < json_array_size(defines); i++)
    add_define(options, prologue, json_array_get(defines, i));
  add_list(options, "-I", json_object_get(candidate, "includes"));
  add_folder(options, source);
  add_name(prologue, source);
}

/* ---- Work-groups ---- */

void hone__opencl_specialise(const json_t *candidate, struct hone__text *text)
{
  const json_t *launch = json_object_get(candidate, "launch");
  const json_t *global = json_object_get(launch, "global"),
               *local = json_object_get(launch, "local");
  json_int_t widest = 0;

  if (json_array_size(local) != 3) return;
  for (size_t i = 0; i < 3; i++) {
    json_int_t width = json_integer_value(json_array_get(global, i));
    hone__text_addf(text, "%s%lld", i ? "-" : "",
                    (long long)json_integer_value(json_array_get(local, i)));
    widest = width > widest ? width : widest;
  }
  hone__text_add(text, widest < LARGE_GRID ? "-goffs0-smallgrid" : "-goffs0");
}
