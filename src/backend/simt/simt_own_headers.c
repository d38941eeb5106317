/* Compilers print the path that they found a header by, relative or not, or its name in the source
 * if they were given its text: both lead to the same header. */
#include "backend/simt/simt_own_headers.h"

#include "backend/simt/simt_host_code.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_BYTES = 4 << 20 };

struct search {
  struct hone__simt_own_headers *headers;
  const struct hone__words *options;
};

static void scan(struct search *search, const char *path);

/* ---- Finding them ---- */

static bool is_known(const struct hone__simt_own_headers *headers, const char *name,
                     const char *path)
{
  for (size_t i = 0; i < headers->count; i++)
    if (strcmp(headers->list[i].name, name) == 0 && strcmp(headers->list[i].path, path) == 0)
      return true;
  return false;
}

/* True: it is there, whether it is added or not. */
static bool add_from(struct search *search, const char *folder, const char *name)
{
  struct hone__simt_own_headers *headers = search->headers;
  struct hone__text joined = {0};
  char *path;

  hone__text_addf(&joined, "%s/%s", folder, name);
  path = hone__path_is_file(joined.data) ? hone__realpath(joined.data) : NULL;
  hone__text_release(&joined);
  if (!path) return false;
  if (headers->count == HONE__SIMT_MOST_OWN_HEADERS || is_known(headers, name, path)) {
    free(path);
    return true;
  }
  headers->list[headers->count++] =
      (struct hone__simt_own_header){.name = hone__strdup(name), .path = path};
  scan(search, path);
  return true;
}

/* A toolkit's headers are in order. */
static bool is_of_toolkit(const char *folder)
{
  struct hone__text path = {0};
  bool is_there;

  hone__text_addf(&path, "%s/cuda_runtime.h", folder);
  is_there = access(path.data, R_OK) == 0;
  hone__text_release(&path);
  return is_there || hone__starts_with(folder, "/usr/") || hone__starts_with(folder, "/opt/rocm");
}

static void add(struct search *search, const char *includer, const char *name)
{
  char *folder = hone__path_folder(includer);
  bool is_there = add_from(search, folder, name);

  free(folder);
  hone__words_add(&search->headers->names, name);
  for (size_t i = 0; i < search->options->count && !is_there; i++) {
    const char *option = search->options->data[i];
    if (hone__starts_with(option, "-I") && !is_of_toolkit(option + 2))
      is_there = add_from(search, option + 2, name);
  }
}

static void read_line(void *data, const char *includer, const char *line)
{
  size_t length;
  char *name;

  line += strspn(line, " \t");
  if (*line != '#') return;
  line += 1 + strspn(line + 1, " \t");
  if (!hone__starts_with(line, "include")) return;
  line += strlen("include");
  line += strspn(line, " \t");
  if (*line != '"' && *line != '<') return;
  length = strcspn(line + 1, "\">\n");
  name = hone__strndup(line + 1, length);
  if (length) add(data, includer, name);
  free(name);
}

static void scan(struct search *search, const char *path)
{
  hone__file_each_line(path, MOST_BYTES, read_line, search);
}

void hone__simt_own_headers_find(struct hone__simt_own_headers *headers, const char *source,
                                 const struct hone__words *options)
{
  scan(&(struct search){.headers = headers, .options = options}, source);
}

bool hone__simt_own_headers_name(const struct hone__simt_own_headers *headers, const char *name)
{
  for (size_t i = 0; i < headers->names.count; i++)
    if (strcmp(headers->names.data[i], name) == 0) return true;
  return false;
}

/* ---- Errors ---- */

/* "NAME" of "NAME(12): error", "NAME:12:3: error"; the length, or 0. */
static size_t name_length(const char *line)
{
  size_t end = strcspn(line, "\n");

  for (size_t i = 1; i + 1 < end; i++)
    if ((line[i] == '(' || line[i] == ':') && isdigit((unsigned char)line[i + 1])) return i;
  return 0;
}

static bool is_name_of(const struct hone__simt_own_header *header, const char *name,
                       const char *directory)
{
  struct hone__text joined = {0};
  char *path;
  bool is_own;

  if (strcmp(name, header->name) == 0) return true;
  if (*name != '/') hone__text_addf(&joined, "%s/", directory);
  hone__text_add(&joined, name);
  path = hone__realpath(joined.data);
  is_own = path && strcmp(path, header->path) == 0;
  hone__text_release(&joined);
  free(path);
  return is_own;
}

static bool drop_at(struct hone__simt_own_header *header, const char *log, const char *name)
{
  bool is_new = !header->text;
  size_t size;

  if (is_new) hone_status_free(hone__file_read(header->path, MOST_BYTES, &header->text, &size));
  if (!header->text) return false;
  if (hone__simt_host_code_drop_at(header->text, log, name)) return true;
  if (is_new) {
    free(header->text);
    header->text = NULL;
  }
  return false;
}

/* A file is looked at once, by the first of its lines in the log. */
static bool was_before(const char *log, const char *line, const char *name)
{
  size_t length = strlen(name);

  for (const char *at = log; at < line; at += strcspn(at, "\n"), at += *at == '\n')
    if (name_length(at) == length && strncmp(at, name, length) == 0) return true;
  return false;
}

bool hone__simt_own_headers_drop_at(struct hone__simt_own_headers *headers, const char *log,
                                    const char *directory)
{
  bool has_dropped = false;

  for (const char *at = log; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    char *name = hone__strndup(at, name_length(at));
    bool is_new = *name && !was_before(log, at, name);
    for (size_t i = 0; is_new && i < headers->count; i++)
      if (is_name_of(&headers->list[i], name, directory))
        has_dropped |= drop_at(&headers->list[i], log, name);
    free(name);
  }
  return has_dropped;
}

void hone__simt_own_headers_release(struct hone__simt_own_headers *headers)
{
  for (size_t i = 0; i < headers->count; i++) {
    free(headers->list[i].name);
    free(headers->list[i].path);
    free(headers->list[i].text);
  }
  hone__words_release(&headers->names);
  *headers = (struct hone__simt_own_headers){0};
}
