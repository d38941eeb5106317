/* Runs a command of another program, and finds the dispatches that it left. Programs such as BOO's
 * and Fusilli's drivers keep their inputs with the command line next to it: that is run again, so
 * that the compiler dumps its dispatches.
 */
#include "iree/model/model_commands.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/paths.h"
#include "base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 8, MOST_FILES = 65536, COMMAND_LIMIT = 1 << 20 };
static const double command_s = 3600, compile_s = 4 * 3600.0;
static const char done_name[] = ".hone-dumped";

/* ---- Looking for files ---- */

typedef bool file_test(const char *name);

static bool is_dump(const char *name)
{
  return hone__ends_with(name, "_benchmark.mlir");
}

static bool is_source(const char *name)
{
  return hone__ends_with(name, ".mlir") && !is_dump(name);
}

static bool is_command(const char *name)
{
  return hone__starts_with(name, "compile_command") || hone__ends_with(name, ".txt");
}

static int any(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* In the order of names, whatever the file system's is. Links are not followed. */
static void find_files(const char *folder, file_test *test, unsigned depth,
                       struct hone__words *found)
{
  struct dirent **entries = NULL;
  int count = depth < DEEPEST ? scandir(folder, &entries, any, versionsort) : 0;

  for (int i = 0; i < count; i++) {
    struct hone__text path = {0};
    struct stat info;
    hone__text_addf(&path, "%s/%s", folder, entries[i]->d_name);
    if (found->count < MOST_FILES && lstat(path.data, &info) == 0) {
      if (S_ISDIR(info.st_mode)) find_files(path.data, test, depth + 1, found);
      if (S_ISREG(info.st_mode) && test(entries[i]->d_name)) hone__words_add(found, path.data);
    }
    hone__text_release(&path);
    free(entries[i]);
  }
  free(entries);
}

/* ---- Running the command ---- */

static char *fill_in(const char *word, const char *folder)
{
  struct hone__text text = {0};
  const char *at;

  while ((at = strstr(word, "{dir}")) != NULL) {
    hone__text_addn(&text, word, (size_t)(at - word));
    hone__text_add(&text, folder);
    word = at + strlen("{dir}");
  }
  hone__text_add(&text, word);
  return hone__text_take(&text);
}

static hone_status judge(const struct hone__child_result *child)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  if (hone__child_failed(child, &why))
    status = hone__error(HONE_INVALID_SPEC, "the command failed: %s", why.data);
  hone__text_release(&why);
  return status;
}

static hone_status run(const struct hone__words *command, const char *folder)
{
  struct hone__words words = {0};
  struct hone__text variable = {0};
  struct hone__child_result child = {0};
  const char *variables[] = {NULL, NULL};
  struct hone__child_options options = {.timeout_s = command_s, .variables = variables};
  hone_status status;

  for (size_t i = 0; i < command->count; i++) {
    char *word = fill_in(command->data[i], folder);
    hone__words_add(&words, word);
    free(word);
  }
  hone__text_addf(&variable, "HONE_DUMP_DIR=%s", folder);
  variables[0] = variable.data;
  options.argv = (const char *const *)words.data;
  hone__child_run(&options, &child);
  status = judge(&child);
  hone__child_result_release(&child);
  hone__text_release(&variable);
  hone__words_release(&words);
  return status;
}

/* ---- A compile command that was kept ---- */

/* Words that must not be repeated; the second also removes the next word. */
static bool is_dropped(const char *word, const char *source, bool *out_takes_next)
{
  const char *base = strrchr(source, '/'), *slash = strrchr(word, '/');

  *out_takes_next = strcmp(word, "-o") == 0;
  if (*out_takes_next || hone__starts_with(word, "-o=") || hone__starts_with(word, "--output="))
    return true;
  if (hone__starts_with(word, "--iree-scheduling-dump-statistics-")) return true;
  if (hone__starts_with(word, "--iree-hal-dump-executable-benchmarks-to=")) return true;
  return strcmp(slash ? slash + 1 : word, base ? base + 1 : source) == 0;
}

static void add_words(const struct hone__words *kept, const char *source, const char *folder,
                      struct hone__words *words)
{
  bool takes_next;

  hone__words_add(words, source);
  for (size_t i = 1; i < kept->count; i++) {
    if (!is_dropped(kept->data[i], source, &takes_next)) hone__words_add(words, kept->data[i]);
    i += takes_next;
  }
  hone__words_add(words, "--iree-codegen-add-tuner-attributes");
  hone__iree_word(words, "--iree-hal-dump-executable-benchmarks-to=%s/dumped", folder);
  hone__words_add(words, "-o");
  hone__words_add(words, "/dev/null");
}

static hone_status compile(const char *command_file, const char *source, const char *folder,
                           const struct hone__iree_toolset *tools)
{
  struct hone__words kept = {0};
  char *text = NULL;
  size_t size = 0;
  struct hone__words words = {0};
  hone_status status = hone__file_read(command_file, COMMAND_LIMIT, &text, &size);

  for (size_t i = 0; !status && i < size; i++)
    if (text[i] == '\n' || text[i] == '\r') text[i] = ' ';
  if (!status) status = hone__words_split(&kept, text);
  if (!status && (!kept.count || !strstr(kept.data[0], "iree-compile")))
    status = hone__error(HONE_INVALID_SPEC, "'%s' is not an iree-compile command", command_file);
  if (!status) status = hone__iree_need(tools, HONE__IREE_COMPILE);
  if (!status) {
    add_words(&kept, source, folder, &words);
    status = hone__iree_run(tools, HONE__IREE_COMPILE, hone__words_list(&words), folder, compile_s,
                            NULL);
  }
  hone__words_release(&words);
  hone__words_release(&kept);
  free(text);
  return status;
}

/* The one in the same folder. */
static const char *find_beside(const struct hone__words *files, const char *source)
{
  size_t length = (size_t)(strrchr(source, '/') - source) + 1;

  for (size_t i = 0; i < files->count; i++)
    if (strncmp(files->data[i], source, length) == 0 && !strchr(files->data[i] + length, '/'))
      return files->data[i];
  return NULL;
}

static hone_status compile_all(const char *folder, const struct hone__iree_toolset *tools)
{
  struct hone__words sources = {0}, commands = {0};
  hone_status status = NULL;

  find_files(folder, is_source, 0, &sources);
  find_files(folder, is_command, 0, &commands);
  for (size_t i = 0; i < sources.count && !status; i++) {
    const char *command = find_beside(&commands, sources.data[i]);
    if (command) status = compile(command, sources.data[i], folder, tools);
  }
  hone__words_release(&sources);
  hone__words_release(&commands);
  return status;
}

/* ---- Both ---- */

static hone_status make_folder(const struct hone__words *command, const char *parent,
                               char **out_folder)
{
  struct hone__digester *digester = hone__digest_begin();
  char digest[HONE__DIGEST_SIZE];
  struct hone__text path = {0};
  hone_status status;

  for (size_t i = 0; i < command->count; i++)
    hone__digest_add_text(digester, command->data[i]);
  hone__digest_end(digester, digest);
  hone__text_addf(&path, "%s/%s/", parent, digest);
  status = hone__path_make_folders(path.data);
  path.data[--path.length] = '\0';
  *out_folder = hone__text_take(&path);
  return status;
}

static hone_status mark(const char *path)
{
  FILE *file = fopen(path, "we");

  return file && fclose(file) == 0 ? NULL : hone__path_error("write", path);
}

static hone_status make_dumps(const struct hone__words *command, const char *folder,
                              const struct hone__iree_toolset *tools, struct hone__words *out_dumps)
{
  hone_status status = run(command, folder);

  if (!status) find_files(folder, is_dump, 0, out_dumps);
  if (status || out_dumps->count) return status;
  status = compile_all(folder, tools);
  if (!status) find_files(folder, is_dump, 0, out_dumps);
  if (!status && !out_dumps->count)
    status = hone__error(
        HONE_INVALID_SPEC,
        "the command dumped no dispatch in $HONE_DUMP_DIR: there is no ..._benchmark.mlir file and "
        "no .mlir file with an iree-compile command next to it (compile_command*, *.txt)");
  return status;
}

hone_status hone__model_dumps(const struct hone__words *command, const char *parent,
                              const struct hone__iree_toolset *tools, char **out_folder,
                              struct hone__words *out_dumps)
{
  struct hone__text done = {0};
  hone_status status = make_folder(command, parent, out_folder);

  hone__text_addf(&done, "%s/%s", *out_folder, done_name);
  if (!status && access(done.data, F_OK) == 0) find_files(*out_folder, is_dump, 0, out_dumps);
  if (!status && !out_dumps->count) {
    hone__folder_empty(*out_folder);
    status = make_dumps(command, *out_folder, tools, out_dumps);
    if (!status) status = mark(done.data);
  }
  hone__text_release(&done);
  return status;
}
