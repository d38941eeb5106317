/* Commands for the user: the steps of a worker, with file names in the user's folder. */
#include "backend/program/program_backend.h"

#include "backend/command_template.h"
#include "build/command.h"

#include <stdlib.h>

/* FOLDER/NAME with a suffix; without a folder in the current one. A command of the user's may run
 * elsewhere: then `root` is where relative names begin. */
static void add_place(struct hone__pairs *values, const char *key, const char *root,
                      const struct hone__program_candidate *candidate, const char *name,
                      const char *suffix)
{
  const char *folder = candidate->folder;
  struct hone__text text = {0};

  if (root && *root && !(folder && *folder == '/')) hone__text_addf(&text, "%s/", root);
  if (folder) hone__text_addf(&text, "%s/", folder);
  hone__text_addf(&text, "%s%s", name, suffix);
  hone__pairs_add(values, key, text.data);
  hone__text_release(&text);
}

static void add_places(struct hone__pairs *values, const char *root,
                       const struct hone__program_candidate *candidate)
{
  const char *suffix = candidate->mode == HONE__PROGRAM_LIBRARY ? ".so" : "", *out;
  struct hone__text bin = {0};

  add_place(values, "out", root, candidate, candidate->name, suffix);
  add_place(values, "wrapper", root, candidate, candidate->name, "_wrapper.mojo");
  add_place(values, "csv", root, candidate, "output.csv", "");
  out = hone__pairs_find(values, "out");
  hone__text_addf(&bin, "%s%s", strchr(out, '/') ? "" : "./", out);
  hone__pairs_add(values, "bin", bin.data);
  hone__pairs_add(values, "dir", candidate->folder ? candidate->folder : ".");
  hone__pairs_add(values, "depfile", "program.d");
  hone__text_release(&bin);
}

static void print(struct hone__text *line, const char *const *words, const char *root,
                  const struct hone__program_candidate *candidate)
{
  struct hone__pairs values = {0};
  struct hone__words filled = {0};

  add_places(&values, root, candidate);
  hone__command_fill(words, &values, &filled);
  hone__build_command_print(line, hone__words_list(&filled));
  hone__words_release(&filled);
  hone__pairs_release(&values);
}

/* A command of the spec runs in the spec's folder. */
void hone__program_build_command(const struct hone__program_setup *setup,
                                 const struct hone__program_candidate *candidate,
                                 struct hone__text *out_command)
{
  bool elsewhere = candidate->template && strcmp(setup->folder, setup->directory) != 0;
  struct hone__text line = {0};

  if (!candidate->build) return;
  if (elsewhere) {
    hone__text_add(&line, "cd");
    hone__build_command_add(&line, setup->folder);
    hone__text_add(&line, " &&");
  }
  print(&line, (const char *const *)candidate->build, elsewhere ? setup->directory : NULL,
        candidate);
  if (line.data) hone__text_add(out_command, line.data);
  hone__text_release(&line);
}

/* ---- Running ---- */

static void add_assignment(struct hone__text *line, const char *prefix, const char *name,
                           const char *value)
{
  struct hone__text quoted = {0};

  hone__build_command_add(&quoted, value);
  hone__text_addf(line, "%s%s%s=%s", line->length ? " " : "", prefix, name, quoted.data);
  hone__text_release(&quoted);
}

/* Not a command of any shell, but all that counts. */
static void print_call(struct hone__text *line, const struct hone__program_candidate *candidate)
{
  struct hone__pairs values = {0};

  add_places(&values, NULL, candidate);
  for (size_t i = 0; i < candidate->arguments_count; i++)
    add_assignment(line, "KBENCH_ARG_", candidate->arguments[i].name,
                   candidate->arguments[i].value);
  add_assignment(line, "", "KBENCH_OUTFILE", hone__pairs_find(&values, "csv"));
  hone__text_add(line, " benchmark_entry() of");
  hone__build_command_add(line,
                          candidate->build ? hone__pairs_find(&values, "out") : candidate->source);
  hone__pairs_release(&values);
}

void hone__program_run_command(const struct hone__program_candidate *candidate,
                               struct hone__text *out_command)
{
  struct hone__text line = {0};

  if (candidate->mode == HONE__PROGRAM_LIBRARY)
    print_call(&line, candidate);
  else
    print(&line, (const char *const *)candidate->run, NULL, candidate);
  hone__text_add(out_command, line.data ? line.data : "");
  hone__text_release(&line);
}
