/* An answer is a line of identity and checksum, then the text: a damaged file, or one of another
 * compiler, is a miss. */
#include "iree/toolset/toolset_kept.h"

#include "base/file.h"
#include "base/folder.h"
#include "store/cache.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 29 };
static const double question_timeout_s = 120;

/* ---- Files ---- */

char *hone__iree_kept_path(const char *key, const char *name)
{
  const char *folder = hone__cache_folder();
  struct hone__text path = {0};

  if (!*folder) return NULL;
  hone__text_addf(&path, "%s/iree/%s/%s", folder, key, name);
  return hone__text_take(&path);
}

static bool read_file(const char *path, struct hone__text *out_text)
{
  size_t size = 0;
  char *bytes = NULL;
  hone_status status = hone__file_read(path, FILE_LIMIT, &bytes, &size);
  bool is_read = !status;

  if (is_read) hone__text_addn(out_text, bytes, size);
  hone_status_free(status);
  free(bytes);
  return is_read;
}

bool hone__iree_kept_get(const char *key, const char *name, struct hone__text *out_text)
{
  char *path = hone__iree_kept_path(key, name);
  bool is_there = path && access(path, R_OK) == 0 && read_file(path, out_text);

  free(path);
  return is_there;
}

static hone_status write_file(const char *path, const char *bytes, size_t size)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  bool is_written = file && fwrite(bytes, 1, size, file) == size;

  if (file && fclose(file) != 0) is_written = false;
  if (!file && fd >= 0) close(fd);
  return is_written ? NULL : hone__path_error("write", path);
}

static hone_status write_aside(const char *path, const char *bytes, size_t size)
{
  static atomic_uint counter;
  struct hone__text aside = {0};
  hone_status status;

  hone__text_addf(&aside, "%s.aside-%ld-%u", path, (long)getpid(), atomic_fetch_add(&counter, 1));
  unlink(aside.data);
  status = write_file(aside.data, bytes, size);
  if (!status && rename(aside.data, path) != 0) status = hone__path_error("write", path);
  if (status) unlink(aside.data);
  hone__text_release(&aside);
  return status;
}

hone_status hone__iree_kept_put(const char *key, const char *name, const char *bytes, size_t size)
{
  char *path = hone__iree_kept_path(key, name);
  hone_status status;

  if (!path)
    return hone__error(HONE_UNAVAILABLE, "no folder for the cache: set HONE_CACHE or HOME");
  status = hone__path_make_folders(path);
  if (!status) status = write_aside(path, bytes, size);
  free(path);
  return status;
}

/* ---- Answers ---- */

static void name_question(const struct hone__iree_question *question,
                          char out_key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, question->what);
  for (const char *const *word = question->words; word && *word; word++)
    hone__digest_add_text(digester, *word);
  hone__digest_add_text(digester, question->text);
  hone__digest_end(digester, out_key);
}

/* Adds the identity of this processor. */
static void add_processor(struct hone__text *identity)
{
  static const char *const keys[] = {"model name", "flags", "Features", "CPU part"};
  struct hone__digester *digester = hone__digest_begin();
  char digest[HONE__DIGEST_SIZE], *line = NULL;
  FILE *file = fopen("/proc/cpuinfo", "re");
  size_t capacity = 0;

  while (file && getline(&line, &capacity, file) > 0 && *line != '\n')
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      if (hone__starts_with(line, keys[i])) hone__digest_add_text(digester, line);
  free(line);
  if (file) fclose(file);
  hone__digest_end(digester, digest);
  hone__text_addf(identity, " on %.8s", digest);
}

static char *identify(const struct hone__iree_toolset *toolset,
                      const struct hone__iree_question *question)
{
  struct hone__text identity = {0};

  hone__text_add(&identity, toolset->identity ? toolset->identity : "");
  if (question->depends_on_host) add_processor(&identity);
  return hone__text_take(&identity);
}

/* Takes the first line off; false: the text is damaged, or another compiler's. */
static bool open_answer(struct hone__text *kept, const char *identity)
{
  char digest[HONE__DIGEST_SIZE], *space, *text;
  char *end = kept->data ? strchr(kept->data, '\n') : NULL;

  if (!end) return false;
  *end = '\0';
  text = end + 1;
  space = strchr(kept->data, ' ');
  if (!space) return false;
  *space = '\0';
  hone__digest(text, kept->length - (size_t)(text - kept->data), digest);
  if (strcmp(digest, kept->data) != 0) return false;
  return !identity || strcmp(identity, space + 1) == 0;
}

static bool answer_kept(const char *key, const char *identity, struct hone__text *out_answer)
{
  struct hone__text kept = {0};
  bool is_good;

  is_good = hone__iree_kept_get(key, "answer", &kept);
  if (is_good) {
    size_t line = strcspn(kept.data ? kept.data : "", "\n") + 1;
    is_good = open_answer(&kept, identity);
    if (is_good) hone__text_addn(out_answer, kept.data + line, kept.length - line);
  }
  hone__text_release(&kept);
  return is_good;
}

static void keep_answer(const char *key, const char *identity, const struct hone__text *answer)
{
  char digest[HONE__DIGEST_SIZE];
  struct hone__text kept = {0};

  hone__digest(answer->data ? answer->data : "", answer->length, digest);
  hone__text_addf(&kept, "%s %s\n", digest, identity);
  hone__text_addn(&kept, answer->data ? answer->data : "", answer->length);
  hone_status_free(hone__iree_kept_put(key, "answer", kept.data, kept.length));
  hone__text_release(&kept);
}

/* ---- Asking ---- */

static const char answer_file[] = "output.mlir";

static char *path_in(const char *folder, const char *name)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/%s", folder, name);
  return hone__text_take(&path);
}

static hone_status collect_output(const char *folder, struct hone__text *out_answer)
{
  char *path = path_in(folder, answer_file), *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, FILE_LIMIT, &bytes, &size);

  if (!status) hone__text_addn(out_answer, bytes, size);
  free(bytes);
  free(path);
  return status;
}

static hone_status need_output(const char *folder)
{
  char *path = path_in(folder, answer_file);
  struct stat info;
  bool is_there = stat(path, &info) == 0 && info.st_size > 0;

  free(path);
  return is_there ? NULL
                  : hone__error(HONE_INVALID_SPEC, "iree-compile succeeded but wrote no output");
}

static hone_status compile(const struct hone__iree_toolset *toolset,
                           const struct hone__iree_question *question, const char *folder)
{
  char *input = path_in(folder, "input.mlir");
  struct hone__words words = {0};
  hone_status status = write_file(input, question->text, strlen(question->text));

  hone__words_add(&words, "input.mlir");
  hone__words_add_all(&words, question->words);
  hone__words_add(&words, "-o");
  hone__words_add(&words, answer_file);
  if (!status)
    status = hone__iree_run(toolset, HONE__IREE_COMPILE, hone__words_list(&words), folder,
                            question_timeout_s, NULL);
  if (!status) status = need_output(folder);
  hone__words_release(&words);
  free(input);
  return status;
}

static hone_status ask(const struct hone__iree_toolset *toolset,
                       const struct hone__iree_question *question, struct hone__text *out_answer)
{
  char *folder = NULL;
  struct hone__child_guard guard;
  hone_status status;

  hone__child_guard_begin(&guard); /* the folder is to be removed whatever comes */
  status = hone__folder_make(NULL, &folder);
  if (!status) status = compile(toolset, question, folder);
  if (!status)
    status = (question->collect ? question->collect : collect_output)(folder, out_answer);
  hone__folder_remove(folder);
  free(folder);
  hone__child_guard_end(&guard);
  return status;
}

hone_status hone__iree_query(const struct hone__iree_toolset *toolset,
                             const struct hone__iree_question *question,
                             struct hone__text *out_answer)
{
  char key[HONE__DIGEST_SIZE], *identity = identify(toolset, question);
  bool has_compiler = toolset->paths[HONE__IREE_COMPILE] != NULL;
  struct hone__text answer = {0};
  hone_status status = NULL;

  name_question(question, key);
  if (!answer_kept(key, has_compiler ? identity : NULL, &answer)) {
    status = hone__iree_need(toolset, HONE__IREE_COMPILE);
    if (!status) status = ask(toolset, question, &answer);
    if (!status) keep_answer(key, identity, &answer);
  }
  if (!status) hone__text_addn(out_answer, answer.data ? answer.data : "", answer.length);
  hone__text_release(&answer);
  free(identity);
  return status;
}
