/* A folder for each model, target, flags and inputs: its files are reused. The compiler is not part
 * of its name, so that a host without one can continue with another host's files.
 */
#include "iree/model/model_tune.h"

#include "base/file.h"
#include "base/paths.h"
#include "hone_iree.h"
#include "store/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILE_LIMIT = 64 << 20 };
static const char placeholder[] = "{work}";

/* ---- Its name ---- */

static void add_list(struct hone__digester *digester, const char *const *list, size_t count)
{
  hone__digest_add(digester, &count, sizeof count);
  for (size_t i = 0; i < count; i++)
    hone__digest_add_text(digester, list[i]);
}

/* Inputs in files count by their content, wherever they lie. */
static void add_inputs(struct hone__digester *digester, const struct hone_iree_model_options *model)
{
  for (size_t i = 0; i < model->input_count; i++) {
    const char *file = strchr(model->inputs[i], '@');
    char *bytes = NULL;
    size_t size = 0;
    hone_status status = file ? hone__file_read(file + 1, HONE__MODEL_LIMIT, &bytes, &size) : NULL;
    hone__digest_add_text(digester, status || !file ? model->inputs[i] : "@");
    if (bytes) hone__digest_add(digester, bytes, size);
    hone_status_free(status);
    free(bytes);
  }
}

static hone_status make_key(struct hone__model_tuning *tuning)
{
  const struct hone_iree_model_options *model = tuning->options->model;
  struct hone__digester *digester;
  char *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(tuning->path, HONE__MODEL_LIMIT, &text, &size);

  if (status) return status;
  digester = hone__digest_begin();
  hone__digest_add(digester, text, size);
  hone__digest_add_text(digester, model->iree->target);
  add_list(digester, model->iree->flags, model->iree->flag_count);
  hone__digest_add_text(digester, model->function);
  add_inputs(digester, model);
  add_list(digester, model->run_flags, model->run_flag_count);
  add_list(digester, model->dims, model->dim_count);
  hone__digest_add(digester, &model->seed, sizeof model->seed);
  hone__digest_add_text(digester, model->device); /* times of another device are others */
  hone__digest_add(digester, &model->iree->threads, sizeof model->iree->threads);
  hone__digest_end(digester, tuning->key);
  free(text);
  return NULL;
}

static hone_status no_place(const char *what)
{
  return hone__error(
      HONE_INVALID_ARGUMENT,
      "no folder for the files made from '%s': set HONE_CACHE, or give a folder with --work", what);
}

static hone_status choose_folder(struct hone__model_tuning *tuning, struct hone__text *path)
{
  const char *given = tuning->options->model->folder, *cache = hone__cache_folder();

  if (given) {
    hone__text_add(path, given);
    return NULL;
  }
  if (!*cache) return no_place(tuning->path);
  hone__text_addf(path, "%s/iree/models/%s", cache, tuning->key);
  return NULL;
}

hone_status hone__model_work_open(struct hone__model_tuning *tuning)
{
  struct hone__text path = {0};
  hone_status status = make_key(tuning);

  if (!status) status = choose_folder(tuning, &path);
  hone__text_add(&path, "/");
  if (!status) status = hone__path_make_folders(path.data);
  if (!status) tuning->folder = hone__realpath(path.data);
  if (!status && !tuning->folder) status = hone__path_error("open", path.data);
  hone__text_release(&path);
  return status;
}

hone_status hone__model_commands_open(struct hone__model_tuning *tuning)
{
  const char *given = tuning->options->model->folder, *cache = hone__cache_folder();
  struct hone__text path = {0};
  hone_status status;

  hone__text_addf(&path, "%s/", given ? given : cache);
  if (!given) hone__text_add(&path, "iree/models/commands/");
  if (!given && !*cache)
    status = no_place("what commands dump");
  else
    status = hone__path_make_folders(path.data);
  if (!status) tuning->folder = hone__realpath(path.data);
  if (!status && !tuning->folder) status = hone__path_error("open", path.data);
  hone__text_release(&path);
  return status;
}

/* ---- Its files ---- */

char *hone__model_work_path(const struct hone__model_tuning *tuning, const char *format, ...)
{
  char *path;
  va_list args;

  va_start(args, format);
  path = hone__text_path(tuning->folder, format, args);
  va_end(args);
  return path;
}

static void replace_all(const char *text, const char *from, const char *to, struct hone__text *out)
{
  const char *at;

  while ((at = strstr(text, from)) != NULL) {
    hone__text_addn(out, text, (size_t)(at - text));
    hone__text_add(out, to);
    text = at + strlen(from);
  }
  hone__text_add(out, text);
}

/* The texts of the copy are the message's, which is kept. */
static void *keep(struct hone__model_tuning *tuning, struct hone__packed *packed,
                  const struct hone__record_type *type)
{
  void *record = hone__arena_alloc(&tuning->arena, type->size);
  hone_status status = hone__unpack(packed, type, &tuning->arena, record);

  HONE__GROW(tuning->messages, tuning->message_count, tuning->message_capacity);
  tuning->messages[tuning->message_count++] = packed;
  if (!status) return record;
  hone_status_free(status);
  return NULL;
}

void *hone__model_work_read(struct hone__model_tuning *tuning, const char *name,
                            const struct hone__record_type *type)
{
  char *path = hone__model_work_path(tuning, "%s", name), *text = NULL;
  struct hone__text whole = {0};
  struct hone__packed *packed = NULL;
  size_t size = 0;
  hone_status status =
      access(path, R_OK) == 0 ? hone__file_read(path, FILE_LIMIT, &text, &size) : NULL;

  if (!status && text) {
    replace_all(text, placeholder, tuning->folder, &whole);
    packed = hone__packed_parse(whole.data, whole.length);
  }
  hone_status_free(status);
  hone__text_release(&whole);
  free(text);
  free(path);
  return packed ? keep(tuning, packed, type) : NULL;
}

void hone__model_work_forget(struct hone__model_tuning *tuning)
{
  for (size_t i = 0; i < tuning->message_count; i++)
    hone__packed_drop(tuning->messages[i]);
  free(tuning->messages);
  tuning->messages = NULL;
  tuning->message_count = tuning->message_capacity = 0;
  hone__arena_release(&tuning->arena);
}

static hone_status write_aside(const char *aside, const char *path, const char *text)
{
  if (hone__file_make(aside, text, strlen(text)) && rename(aside, path) == 0) return NULL;
  return hone__path_error("write", path);
}

hone_status hone__model_work_write_text(const struct hone__model_tuning *tuning, const char *name,
                                        const char *text)
{
  char *path = hone__model_work_path(tuning, "%s", name),
       *aside = hone__model_work_path(tuning, "%s.aside-%ld", name, (long)getpid());
  hone_status status = write_aside(aside, path, text);

  if (status) unlink(aside);
  free(aside);
  free(path);
  return status;
}

static hone_status write_packed(const struct hone__model_tuning *tuning, const char *name,
                                const struct hone__packed *packed)
{
  struct hone__text printed = {0}, text = {0};
  hone_status status;

  hone__packed_print(packed, &printed);
  replace_all(printed.data, tuning->folder, placeholder, &text);
  hone__text_add(&text, "\n");
  status = hone__model_work_write_text(tuning, name, text.data);
  hone__text_release(&text);
  hone__text_release(&printed);
  return status;
}

hone_status hone__model_work_keep(struct hone__model_tuning *tuning, const char *name,
                                  const struct hone__record_type *type, const void *record,
                                  void **out_copy)
{
  struct hone__packed *packed = hone__pack(type, record);
  hone_status status = name ? write_packed(tuning, name, packed) : NULL;

  *out_copy = keep(tuning, packed, type);
  return status;
}
