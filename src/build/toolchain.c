/* Identifies compilers by the files that their commands name, and by their version output: see
 * toolchain.h.
 */
#include "build/toolchain.h"

#include "base/paths.h"
#include "base/text.h"
#include "base/words.h"
#include "proc/child.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *hone__toolchain_find(const char *word, const char *folder)
{
  const char *path = getenv("PATH");
  struct hone__text text = {0};
  char *real = NULL;

  if (strchr(word, '/')) {
    if (word[0] != '/') hone__text_addf(&text, "%s/", folder);
    hone__text_add(&text, word);
    real = hone__path_is_program(text.data) ? hone__realpath(text.data) : NULL;
  }
  for (path = path ? path : "/usr/bin:/bin"; !strchr(word, '/') && !real;) {
    size_t length = strcspn(path, ":");
    text.length = 0;
    hone__text_addf(&text, "%.*s/%s", (int)length, path, word);
    if (hone__path_is_program(text.data)) real = hone__realpath(text.data);
    if (!path[length]) break;
    path += length + 1;
  }
  hone__text_release(&text);
  return real;
}

static void identify_file(const char *path, struct hone__digester *digester)
{
  struct stat info;

  hone__digest_add_text(digester, path);
  if (stat(path, &info) != 0) return;
  hone__digest_add(digester, &info.st_size, sizeof info.st_size);
  hone__digest_add(digester, &info.st_mtim, sizeof info.st_mtim);
}

/* The first line that `--version` prints. */
static char *ask_version(const char *const *words, const char *folder)
{
  struct hone__words command = {0};
  struct hone__child_options options = {.timeout_s = 10, .directory = folder};
  struct hone__child_result result = {0};
  struct hone__text line = {0};

  hone__words_add_all(&command, words);
  hone__words_add(&command, "--version");
  options.argv = hone__words_list(&command);
  hone__child_run(&options, &result);
  if (result.output.data)
    hone__text_addn(&line, result.output.data, strcspn(result.output.data, "\n"));
  hone__child_result_release(&result);
  hone__words_release(&command);
  return hone__text_take(&line);
}

/* Runs once in this process for each set of files; a worker has one thread. */
static void identify_version(const char *const *words, const char *folder, const char *files,
                             struct hone__digester *digester)
{
  static struct {
    char files[HONE__DIGEST_SIZE];
    char *line;
  } known[8];
  static size_t next;
  size_t i = 0;

  while (i < 8 && strcmp(known[i].files, files) != 0)
    i++;
  if (i == 8) {
    i = next++ % 8;
    free(known[i].line);
    known[i].line = ask_version(words, folder);
    memcpy(known[i].files, files, HONE__DIGEST_SIZE);
  }
  hone__digest_add_text(digester, known[i].line);
}

void hone__toolchain_identify(const char *const *words, const char *folder, bool ask,
                              struct hone__digester *digester)
{
  struct hone__digester *files = hone__digest_begin();
  char digest[HONE__DIGEST_SIZE];

  for (const char *const *word = words; word && *word; word++) {
    char *path = hone__toolchain_find(*word, folder);
    if (path) identify_file(path, files);
    free(path);
  }
  hone__digest_end(files, digest);
  hone__digest_add_text(digester, digest);
  if (ask) identify_version(words, folder, digest, digester);
}

void hone__toolchain_identify_environment(struct hone__digester *digester)
{
  static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                          "LIBRARY_PATH"};

  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    hone__digest_add_text(digester, getenv(variables[i]));
}

/* $NAME or ${NAME} at p. */
static void identify_named_variable(const char *p, struct hone__digester *digester)
{
  const char *name = p + 1 + (p[1] == '{');
  size_t length = hone__text_word_length(name);
  char variable[128] = "";

  if (!length || length >= sizeof variable) return;
  memcpy(variable, name, length);
  hone__digest_add_text(digester, variable);
  hone__digest_add_text(digester, getenv(variable));
}

void hone__toolchain_identify_variables(const char *const *words, struct hone__digester *digester)
{
  static const char *const conventional[] = {
      "CC",     "CXX",       "CPP",    "LD",        "AR",      "FC",       "NVCC",    "CFLAGS",
      "FFLAGS", "NVCCFLAGS", "LDLIBS", "MAKEFLAGS", "LDFLAGS", "CPPFLAGS", "CXXFLAGS"};

  for (size_t i = 0; i < sizeof conventional / sizeof *conventional; i++)
    hone__digest_add_text(digester, getenv(conventional[i]));
  for (; words && *words; words++)
    for (const char *p = *words; (p = strchr(p, '$')); p++)
      identify_named_variable(p, digester);
}

static char processor[HONE__DIGEST_SIZE];

/* Model and features of the first processor. */
static void read_processor(void)
{
  static const char *const keys[] = {"vendor_id", "cpu family",      "model",    "model name",
                                     "stepping",  "flags",           "Features", "CPU implementer",
                                     "CPU part",  "CPU architecture"};
  struct hone__digester *digester = hone__digest_begin();
  FILE *file = fopen("/proc/cpuinfo", "re");
  size_t capacity = 0;
  char *line = NULL;

  while (file && getline(&line, &capacity, file) > 0 && *line != '\n') {
    size_t length = strcspn(line, "\t:");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      if (strlen(keys[i]) == length && memcmp(keys[i], line, length) == 0)
        hone__digest_add_text(digester, line);
  }
  free(line);
  if (file) fclose(file);
  hone__digest_end(digester, processor);
}

void hone__toolchain_identify_processor(struct hone__digester *digester)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  pthread_once(&once, read_processor);
  hone__digest_add_text(digester, processor);
}
