/* Paths are recognised in texts of any kind: "-I/home/me/include", "/home/me/a.c:/home/me/b.c". */
#include "wire/carried_files.h"

#include "wire/packed_json.h"

#include <stdlib.h>
#include <string.h>

static const struct hone__field file_fields[] = {
    HONE__TEXT(struct hone__wire_file, path, HONE__NEEDED),
    HONE__SIZE(struct hone__wire_file, size, HONE__SENT),
    HONE__INT(struct hone__wire_file, time_ns, HONE__OPTIONAL, 0, 9e18),
    HONE__BOOL(struct hone__wire_file, is_program, HONE__OPTIONAL),
};
static const struct hone__record_type file_type =
    HONE__RECORD_TYPE("file of a job", struct hone__wire_file, file_fields);

static const struct hone__field fields[] = {
    HONE__RECORDS(struct hone__wire_files, files, HONE__OPTIONAL, &file_type),
    HONE__TEXTS(struct hone__wire_files, roots, HONE__OPTIONAL),
};
const struct hone__record_type hone__wire_files_type =
    HONE__RECORD_TYPE("files of a job", struct hone__wire_files, fields);

size_t hone__wire_files_size(const struct hone__wire_files *files)
{
  size_t size = 0;

  for (size_t i = 0; i < files->files_count; i++)
    size += files->files[i].size;
  return size;
}

/* ---- A text ---- */

static bool is_separator(char c)
{
  return !c || strchr(" \t\n=:,;\"'()", c) != NULL;
}

/* Whether a path can begin at text[at]: at the begin of a word, or of the value of an option. */
static bool may_begin(const char *text, size_t at)
{
  size_t word = at;

  while (word && !is_separator(text[word - 1]))
    word--;
  return word == at ||
         ((text[word] == '-' || text[word] == '@') && !memchr(text + word, '/', at - word));
}

/* Whether the path of this length is `path`, or leads to it. */
static bool leads_to(const char *text, size_t length, const char *path)
{
  return strncmp(text, path, length) == 0 && (path[length] == '/' || !path[length]);
}

static bool is_below_root(const struct hone__wire_files *files, const char *text, size_t length)
{
  for (size_t i = 0; i < files->roots_count; i++) {
    size_t root = strlen(files->roots[i]);
    if (root <= length && strncmp(text, files->roots[i], root) == 0 &&
        (root == length || text[root] == '/'))
      return true;
  }
  return false;
}

/* A file of the job, or a folder that has some. Other paths are this host's, such as that of a
 * compiler in the user's folder. */
static bool is_sent(const struct hone__wire_files *files, const char *text, size_t length)
{
  while (length > 1 && text[length - 1] == '/')
    length--;
  if (!is_below_root(files, text, length)) return false;
  for (size_t i = 0; i < files->roots_count; i++)
    if (leads_to(text, length, files->roots[i])) return true;
  for (size_t i = 0; i < files->files_count; i++)
    if (leads_to(text, length, files->files[i].path)) return true;
  return false;
}

/* The length of the path there, if it is to be moved; it may have blanks if it is all of the text.
 */
static size_t sent_path(const struct hone__wire_files *files, const char *text)
{
  size_t whole = strlen(text), length = 0;

  if (is_sent(files, text, whole)) return whole;
  while (!is_separator(text[length]))
    length++;
  return is_sent(files, text, length) ? length : 0;
}

static void move_text(const struct hone__wire_files *files, const char *text, const char *folder,
                      struct hone__text *out)
{
  for (size_t at = 0; text[at];) {
    size_t length = text[at] == '/' && may_begin(text, at) ? sent_path(files, text + at) : 0;
    if (length) hone__text_add(out, folder);
    if (!length) length = 1;
    hone__text_addn(out, text + at, length);
    at += length;
  }
}

void hone__wire_files_restore_text(struct hone__text *text, const char *folder)
{
  size_t length = strlen(folder);
  char *at = text->data;

  while (at && (at = strstr(at, folder))) {
    memmove(at, at + length, strlen(at + length) + 1);
    text->length -= length;
  }
}

/* ---- All texts of a message ---- */

struct change {
  const struct hone__wire_files *files; /* NULL: restore */
  const char *folder;
};

static void change_text(json_t *text, const struct change *change)
{
  struct hone__text out = {0};

  if (change->files) {
    move_text(change->files, json_string_value(text), change->folder, &out);
  } else {
    hone__text_add(&out, json_string_value(text));
    hone__wire_files_restore_text(&out, change->folder);
  }
  if (out.data) json_string_set(text, out.data);
  hone__text_release(&out);
}

static void change_all(json_t *json, const struct change *change)
{
  const char *key;
  size_t i;
  json_t *value;

  if (json_is_string(json)) change_text(json, change);
  json_array_foreach(json, i, value) change_all(value, change);
  json_object_foreach(json, key, value) change_all(value, change);
}

struct hone__packed *hone__wire_files_move(const struct hone__wire_files *files,
                                           const struct hone__packed *packed, const char *folder)
{
  struct hone__packed *moved = hone__packed_copy(packed);

  change_all(hone__packed_json(moved), &(struct change){files, folder});
  return moved;
}

void hone__wire_files_restore(struct hone__packed *packed, const char *folder)
{
  change_all(hone__packed_json(packed), &(struct change){NULL, folder});
}
