/* The files that a build read, from its compiler's list for make, and from its words. */
#include "build/build_deps.h"

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LIST_BYTES = 16 << 20, MOST_FOLDERS = 64, DEEPEST_FOLDER = 4 };

void hone__build_deps_add(struct hone__pairs *deps, const char *path,
                          hone__build_file_digest *digest)
{
  char text[HONE__DIGEST_SIZE];

  if (hone__utf8_is_text(path) && digest(path, text)) hone__pairs_add(deps, path, text);
}

/* ---- Folders ---- */

/* A file without a suffix that is neither a program nor a makefile is a log. */
bool hone__build_is_result(const char *name, const struct stat *info)
{
  static const char *const suffixes[] = {".csv",           ".pkl",  ".log",    ".yaml", ".yml",
                                         ".failures.json", ".html", ".db",     ".o",    ".d",
                                         "-wal",           "-shm",  "-journal"};

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (hone__ends_with(name, suffixes[i])) return true;
  return !strchr(name, '.') && !(info->st_mode & S_IXUSR) && !strstr(name, "akefile");
}

/* The digest of a folder whose path ends with '/'; false if it cannot be read. */
static bool folder_digest(const char *path, char out_digest[HONE__DIGEST_SIZE])
{
  uint64_t sum = 0; /* in any order */
  struct dirent *entry;
  struct stat info;
  DIR *dir = opendir(path);

  while (dir && (entry = readdir(dir))) {
    struct hone__text text = {0};
    if (fstatat(dirfd(dir), entry->d_name, &info, 0) != 0 || !S_ISREG(info.st_mode) ||
        hone__build_is_result(entry->d_name, &info))
      continue;
    hone__text_addf(&text, "%s %lld %lld %ld", entry->d_name, (long long)info.st_size,
                    (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    sum += hone__checksum(1, text.data, text.length);
    hone__text_release(&text);
  }
  hone__digest(&sum, sizeof sum, out_digest);
  if (dir) closedir(dir);
  return dir != NULL;
}

/* What tools write, which changes with each build. */
static bool is_of_results(const char *name)
{
  static const char *const beginnings[] = {".", "__", "build", "cmake-build", "CMakeFiles"};
  static const char *const names[] = {"out", "obj", "bin", "results", "logs", "node_modules"};

  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (hone__starts_with(name, beginnings[i])) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* `*path` ends with '/', and is as before in the end. */
static void add_folder(struct hone__pairs *deps, struct hone__text *path, size_t *left, int depth)
{
  size_t length = path->length;
  struct dirent *entry;
  struct stat info;
  DIR *dir;

  if (!*left) return;
  --*left;
  hone__build_deps_add(deps, path->data, folder_digest);
  dir = depth < DEEPEST_FOLDER ? opendir(path->data) : NULL;
  while (dir && *left && (entry = readdir(dir))) {
    if (is_of_results(entry->d_name) ||
        fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISDIR(info.st_mode))
      continue;
    hone__text_addf(path, "%s/", entry->d_name);
    add_folder(deps, path, left, depth + 1);
    path->length = length;
    path->data[length] = '\0';
  }
  if (dir) closedir(dir);
}

void hone__build_deps_add_siblings(struct hone__pairs *deps, const char *source)
{
  struct hone__text folder = {0};
  size_t left = MOST_FOLDERS;

  hone__text_addn(&folder, source, (size_t)(strrchr(source, '/') - source) + 1);
  add_folder(deps, &folder, &left, 0);
  hone__text_release(&folder);
}

/* ---- Words ---- */

static void add_path(struct hone__text *path, const char *folder, const char *name)
{
  if (name[0] != '/') hone__text_addf(path, "%s/", folder);
  hone__text_add(path, name);
}

void hone__build_deps_add_named(struct hone__pairs *deps, const char *const *words, size_t first,
                                const char *source, const char *folder,
                                hone__build_file_digest *digest)
{
  struct hone__text path = {0};
  struct stat info;

  for (size_t i = 0; words && words[i]; i++) {
    const char *word = words[i];
    if (i < first) continue;
    if (word[0] == '-') word += strcspn(word, "=") + (strchr(word, '=') != NULL); /* -x=file */
    if (!*word || word[0] == '{' || strcmp(word, source) == 0) continue;
    path.length = 0;
    add_path(&path, folder, word + (word[0] == '@'));
    if (stat(path.data, &info) == 0 && S_ISREG(info.st_mode))
      hone__build_deps_add(deps, path.data, digest);
  }
  hone__text_release(&path);
}

/* ---- The compiler's list ---- */

/* One name of a rule of make; blanks in it are written `\ `, dollars `$$`. */
static const char *read_name(const char *p, struct hone__text *name)
{
  for (; *p && !isspace((unsigned char)*p); p++) {
    if (p[0] == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\')) p++;
    if (p[0] == '$' && p[1] == '$') p++;
    hone__text_addn(name, p, 1);
  }
  return p;
}

static const char *skip_blanks(const char *p)
{
  while (isspace((unsigned char)*p) || (*p == '\\' && (p[1] == '\n' || p[1] == '\r')))
    p++;
  return p;
}

bool hone__build_deps_add_listed(struct hone__pairs *deps, const char *list, const char *source,
                                 const char *folder, hone__build_file_digest *digest)
{
  char *text = NULL;
  size_t size;
  const char *p;
  bool found;

  hone_status_free(hone__file_read(list, MOST_LIST_BYTES, &text, &size));
  p = text ? strstr(text, ": ") : NULL;
  found = p != NULL;
  for (p = p ? skip_blanks(p + 2) : ""; *p; p = skip_blanks(p)) {
    struct hone__text name = {0}, path = {0};
    p = read_name(p, &name);
    if (name.length && strcmp(name.data, source) != 0) {
      add_path(&path, folder, name.data);
      hone__build_deps_add(deps, path.data, digest);
    }
    hone__text_release(&name);
    hone__text_release(&path);
  }
  free(text);
  return found;
}

/* ---- Later ---- */

bool hone__build_deps_are_current(const struct hone__name_value *deps, size_t count,
                                  hone__build_file_digest *digest)
{
  char text[HONE__DIGEST_SIZE];

  for (size_t i = 0; i < count; i++) {
    const char *path = deps[i].name;
    bool is_folder = *path && path[strlen(path) - 1] == '/';
    if (!*path || !(is_folder ? folder_digest : digest)(path, text) ||
        strcmp(text, deps[i].value) != 0)
      return false;
  }
  return true;
}

void hone__build_deps_add_own(struct hone__pairs *own, const struct hone__name_value *deps,
                              size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!hone__starts_with(deps[i].name, "/usr/"))
      hone__pairs_add(own, deps[i].name, deps[i].value);
}
