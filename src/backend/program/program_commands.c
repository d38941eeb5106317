/* Commands for people: what a worker does, with the names that the files have in the folder where
 * somebody looks for them. */
#include "backend/program/program_backend.h"

#include "build/command.h"
#include "backend/command_template.h"
#include "wire/message_text.h"

#include <stdlib.h>

static bool is_library(const json_t *candidate)
{
  return strcmp(hone__message_text(candidate, "mode"), "library") == 0;
}

/* FOLDER/NAME with a suffix; without a folder in the current one. A command of the user's may run
 * elsewhere: then `root` is where relative names begin. */
static char *place(const char *root, const json_t *candidate, const char *name, const char *suffix)
{
  const char *folder = hone__message_text(candidate, "folder");
  struct hone__text text = {0};

  if (root && *root && *folder != '/') hone__text_addf(&text, "%s/", root);
  if (*folder) hone__text_addf(&text, "%s/", folder);
  hone__text_addf(&text, "%s%s", name, suffix);
  return hone__text_take(&text);
}

static json_t *places(const char *root, const json_t *candidate)
{
  const char *name = hone__message_text(candidate, "name"),
             *folder = hone__message_text(candidate, "folder");
  char *out = place(root, candidate, name, is_library(candidate) ? ".so" : "");
  char *wrapper = place(root, candidate, name, "_wrapper.mojo");
  char *csv = place(root, candidate, "output.csv", "");
  struct hone__text bin = {0};
  json_t *values;

  hone__text_addf(&bin, "%s%s", strchr(out, '/') ? "" : "./", out);
  values = json_pack("{ss ss ss ss ss ss}", "out", out, "wrapper", wrapper, "csv", csv, "bin",
                     bin.data, "dir", *folder ? folder : ".", "depfile", "program.d");
  hone__text_release(&bin);
  free(out);
  free(wrapper);
  free(csv);
  return values;
}

static void print(struct hone__text *line, const json_t *words, json_t *values)
{
  json_t *filled = hone__command_fill(words, values);

  hone__command_print(line, filled);
  json_decref(filled);
  json_decref(values);
}

/* A command of the spec runs in the spec's folder. */
hone_status hone__program_build_command(const json_t *setup, const json_t *candidate,
                                        struct hone__text *out_command)
{
  const char *folder = hone__message_text(setup, "folder"),
             *directory = hone__message_text(setup, "directory");
  bool elsewhere = json_is_true(json_object_get(candidate, "template")) && *folder &&
                   strcmp(folder, directory) != 0;
  struct hone__text line = {0};

  if (!json_object_get(candidate, "build")) return NULL;
  if (elsewhere) {
    hone__text_add(&line, "cd");
    hone__command_add(&line, folder);
    hone__text_add(&line, " &&");
  }
  print(&line, json_object_get(candidate, "build"),
        places(elsewhere ? directory : NULL, candidate));
  hone__text_add(out_command, line.data);
  hone__text_release(&line);
  return NULL;
}

/* ---- Running ---- */

static void add_assignment(struct hone__text *line, const char *prefix, const char *name,
                           const char *value)
{
  struct hone__text quoted = {0};

  hone__command_add(&quoted, value);
  hone__text_addf(line, "%s%s%s=%s", line->length ? " " : "", prefix, name, quoted.data);
  hone__text_release(&quoted);
}

/* Not a command of any shell, but all that counts. */
static void print_call(struct hone__text *line, const json_t *candidate)
{
  const json_t *arguments = json_object_get(candidate, "arguments");
  json_t *values = places(NULL, candidate);
  bool is_built = json_object_get(candidate, "build") != NULL;

  for (size_t i = 0; i < json_array_size(arguments); i++) {
    const json_t *pair = json_array_get(arguments, i);
    add_assignment(line, "KBENCH_ARG_", json_string_value(json_array_get(pair, 0)),
                   json_string_value(json_array_get(pair, 1)));
  }
  add_assignment(line, "", "KBENCH_OUTFILE", hone__message_text(values, "csv"));
  hone__text_add(line, " benchmark_entry() of");
  hone__command_add(line, is_built ? hone__message_text(values, "out")
                                   : hone__message_text(candidate, "source"));
  json_decref(values);
}

hone_status hone__program_run_command(const json_t *setup, const json_t *candidate,
                                      struct hone__text *out_command)
{
  struct hone__text line = {0};

  (void)setup;
  if (is_library(candidate))
    print_call(&line, candidate);
  else
    print(&line, json_object_get(candidate, "run"), places(NULL, candidate));
  hone__text_add(out_command, line.data ? line.data : "");
  hone__text_release(&line);
  return NULL;
}
