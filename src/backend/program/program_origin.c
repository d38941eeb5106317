/* What goes into a build: the command, the source and what it reads, the compiler, the machine. */
#include "backend/program/program_origin.h"

#include "backend/c/compiler.h"
#include "backend/program/program_plan.h"
#include "backend/toolchain.h"
#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_LIST_BYTES = 16 << 20 };

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

/* ---- What it depends on ---- */

/* The folders behind -I: the next word, or the rest of this one. */
static json_t *includes_of(const json_t *words)
{
  json_t *includes = json_array();

  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    if (!word || !hone__starts_with(word, "-I")) continue;
    if (!word[2])
      word = json_string_value(json_array_get(words, i + 1));
    else
      word += 2;
    if (word && word[0] == '/') json_array_append_new(includes, json_string(word));
  }
  return includes;
}

static void add_dep(json_t *deps, const char *path)
{
  char digest[HONE_DIGEST_SIZE];

  if (hone__program_digest(path, digest))
    json_array_append_new(deps, json_pack("[ss]", path, digest));
}

static char *join(const char *folder, const char *name)
{
  struct hone_text text = {0};

  hone__text_addf(&text, "%s/%s", folder, name);
  return hone__text_take(&text);
}

/* Files that words name are read too: scripts, libraries, lists of options. */
static void add_named_files(const struct hone_program_origin *origin, json_t *deps)
{
  for (size_t i = 1; i < json_array_size(origin->words); i++) {
    const char *word = json_string_value(json_array_get(origin->words, i));
    char *path;
    if (!word || word[0] == '-' || word[0] == '{' || strcmp(word, origin->source) == 0) continue;
    word += word[0] == '@';
    path = word[0] == '/' ? hone__strdup(word) : join(origin->directory, word);
    add_dep(deps, path);
    free(path);
  }
}

/* What the compiler said that it read. */
static void add_listed(const struct hone_program_origin *origin, const char *listed, json_t *deps)
{
  char *text = NULL;
  size_t size;
  json_t *paths;

  hone_status_free(hone__file_read(listed, MOST_LIST_BYTES, &text, &size));
  paths = hone__compiler_deps(text ? text : "", origin->source, origin->directory);
  for (size_t i = 0; i < json_array_size(paths); i++)
    add_dep(deps, json_string_value(json_array_get(paths, i)));
  json_decref(paths);
  free(text);
}

json_t *hone__program_origin_deps(const struct hone_program_origin *origin, const char *listed)
{
  json_t *includes = includes_of(origin->words);
  json_t *deps = hone__program_imports(origin->language, origin->source, includes);

  add_named_files(origin, deps);
  if (listed) add_listed(origin, listed, deps);
  json_decref(includes);
  return deps;
}

/* ---- Its key ---- */

static bool is_result(const char *name)
{
  static const char *const suffixes[] = {".csv", ".pkl", ".log", ".yaml", ".yml", ".failures.json"};

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    size_t length = strlen(name), own = strlen(suffixes[i]);
    if (length > own && strcmp(name + length - own, suffixes[i]) == 0) return true;
  }
  return false;
}

/* What a stranger's command reads is not known, but most likely it lies beside the source. */
static uint64_t siblings_of(const char *source)
{
  char *folder = hone__strdup(source);
  uint64_t sum = 0; /* in any order */
  struct dirent *entry;
  struct stat info;
  DIR *dir;

  *strrchr(folder, '/') = 0;
  dir = opendir(*folder ? folder : "/");
  while (dir && (entry = readdir(dir))) {
    struct hone_text text = {0};
    if (is_result(entry->d_name) || fstatat(dirfd(dir), entry->d_name, &info, 0) != 0 ||
        !S_ISREG(info.st_mode))
      continue;
    hone__text_addf(&text, "%s %lld %lld %ld", entry->d_name, (long long)info.st_size,
                    (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    sum += hone__checksum(1, text.data, text.length);
    hone__text_release(&text);
  }
  if (dir) closedir(dir);
  free(folder);
  return sum;
}

static void identify_environment(struct hone_digester *digester)
{
  static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                          "LIBRARY_PATH", "MODULAR_MOJO_MAX_IMPORT_PATH"};

  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    hone__digest_add_text(digester, getenv(variables[i]));
  hone__toolchain_identify_processor(digester); /* -march=native, and Mojo, which builds for it */
}

static void identify_compiler(const struct hone_program_origin *origin,
                              struct hone_digester *digester)
{
  json_t *words = json_array();

  json_array_append(words, json_array_get(origin->words, 0));
  hone__toolchain_identify(words, origin->directory, !origin->is_template, digester);
  json_decref(words);
}

void hone__program_origin_key(const struct hone_program_origin *origin,
                              char out_key[HONE_DIGEST_SIZE])
{
  struct hone_digester *digester = hone__digest_begin();
  char *words = json_dumps(origin->words, JSON_COMPACT);
  uint64_t siblings = origin->is_template ? siblings_of(origin->source) : 0;

  hone__digest_add_text(digester, "program 1");
  hone__digest_add_text(digester, words);
  hone__digest_add_text(digester, origin->source);
  hone__digest_add_text(digester, text_of(origin->candidate, "source_digest"));
  hone__digest_add_text(digester, text_of(origin->candidate, "wrapper"));
  hone__digest_add_text(digester, origin->directory);
  hone__digest_add(digester, &siblings, sizeof siblings);
  identify_compiler(origin, digester);
  identify_environment(digester);
  hone__digest_end(digester, out_key);
  free(words);
}
