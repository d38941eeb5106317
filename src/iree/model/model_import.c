/* Sizes that are not fixed in an .onnx file are fixed in a copy of it before it is imported: IREE
 * can tune only operations of known sizes.
 */
#include "iree/model/model_import.h"

#include "base/allocators.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/paths.h"
#include "iree/model/dispatches.h"
#include "iree/model/model_inputs.h"
#include "iree/model/onnx_file.h"
#include "store/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const double import_s = 3600;

bool hone__model_is_onnx(const char *path)
{
  size_t length = strlen(path);

  return length > 5 && strcasecmp(path + length - 5, ".onnx") == 0;
}

struct import {
  const struct hone__iree_toolset *tools;
  const char *path;
  const struct hone_iree_model_options *options;
  char *bytes;
  size_t size;
  struct hone__onnx onnx;
  char *data_folder; /* of the model */
  char *result, *aside, *copy;
};

/* ---- Sizes ---- */

static hone_status fix_sizes(struct import *import)
{
  const struct hone_iree_model_options *options = import->options;
  hone_status status = NULL;

  for (size_t i = 0; !status && i < options->dim_count; i++)
    status = hone__onnx_fix(&import->onnx, options->dims[i]);
  for (size_t i = 0; !status && i < options->input_count; i++) {
    int64_t sizes[HONE__MODEL_MOST_DIMS];
    size_t rank = 0;
    if (hone__model_input_shape(options->inputs[i], sizes, &rank))
      hone__onnx_fix_input(&import->onnx, i, sizes, rank);
  }
  return status ? status : hone__onnx_check(&import->onnx);
}

/* ---- Name ---- */

/* Weights in other files may be large: their sizes and times stand for their content. */
static void add_weights(struct hone__digester *digester, const struct import *import)
{
  for (size_t i = 0; i < import->onnx.file_count; i++) {
    struct hone__text path = {0};
    struct stat info = {0};
    hone__text_addf(&path, "%s/%s", import->data_folder, import->onnx.files[i]);
    if (stat(path.data, &info) == 0) {
      hone__digest_add(digester, &info.st_size, sizeof info.st_size);
      hone__digest_add(digester, &info.st_mtim.tv_sec, sizeof info.st_mtim.tv_sec);
    }
    hone__digest_add_text(digester, import->onnx.files[i]);
    hone__text_release(&path);
  }
}

static void name_files(struct import *import, const char *folder)
{
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];
  struct hone__text path = {0};

  hone__digest_add(digester, import->bytes, import->size);
  hone__digest_add_text(digester, import->tools->version);
  for (size_t i = 0; i < import->onnx.input_count; i++)
    for (size_t k = 0; k < import->onnx.inputs[i].rank; k++)
      hone__digest_add(digester, &import->onnx.inputs[i].dims[k].size, sizeof(int64_t));
  add_weights(digester, import);
  hone__digest_end(digester, key);
  hone__text_addf(&path, "%s/imported-%s.mlir", folder, key);
  import->result = hone__text_take(&path);
  hone__text_addf(&path, "%s.aside-%ld", import->result, (long)getpid());
  import->aside = hone__text_take(&path);
  hone__text_addf(&path, "%s.onnx", import->aside);
  import->copy = hone__text_take(&path);
}

/* ---- Importing ---- */

/* The first line that says what is wrong: the last one of Python, or the checker's. */
static void find_reason(const struct hone__child_result *result, struct hone__text *text)
{
  hone__iree_reason(result, text);
  if (!text->length) hone__text_add(text, "it failed");
}

static hone_status judge(const struct import *import, const struct hone__child_result *result)
{
  struct hone__text reason = {0};
  hone_status status;
  bool lacks_onnx;

  if (result->end == HONE__CHILD_EXITED && result->code == 0) return NULL;
  find_reason(result, &reason);
  lacks_onnx = strstr(reason.data, "No module named") != NULL;
  status =
      hone__error(lacks_onnx ? HONE_UNAVAILABLE : HONE_INVALID_SPEC,
                  "%s: error: iree-import-onnx cannot import it: %s%s", import->path, reason.data,
                  lacks_onnx ? ": 'pip install iree-base-compiler[onnx]' installs it" : "");
  hone__text_release(&reason);
  return status;
}

/* `opset`: the version to convert its operations to, or NULL. */
static hone_status run_once(const struct import *import, const char *model, const char *opset)
{
  struct hone__child_result result = {0};
  struct hone__words words = {0};
  hone_status status;

  hone__words_add(&words, model);
  if (opset) hone__iree_word(&words, "--opset-version=%s", opset);
  if (import->onnx.file_count) hone__iree_word(&words, "--data-dir=%s", import->data_folder);
  hone__words_add(&words, "-o");
  hone__words_add(&words, import->aside);
  hone__iree_child(import->tools, HONE__IREE_IMPORT_ONNX, hone__words_list(&words), NULL, import_s,
                   &result);
  status = judge(import, &result);
  if (!status && rename(import->aside, import->result) != 0)
    status = hone__path_error("write", import->result);
  unlink(import->aside);
  hone__child_result_release(&result);
  hone__words_release(&words);
  return status;
}

/* IREE implements the later forms of operations; a few cannot be converted to them. Nothing is
 * converted to an earlier version. */
static hone_status run(const struct import *import, const char *model)
{
  hone_status status = run_once(import, model, "17");

  if (hone_status_code(status) != HONE_INVALID_SPEC) return status;
  hone_status_free(status);
  return run_once(import, model, NULL);
}

static hone_status make(const struct import *import)
{
  struct hone__text changed = {0};
  hone_status status = hone__iree_need(import->tools, HONE__IREE_IMPORT_ONNX);

  if (status || !hone__onnx_is_changed(&import->onnx))
    return status ? status : run(import, import->path);
  hone__onnx_write(import->bytes, import->size, &import->onnx, &changed);
  status = hone__path_write(import->copy, changed.data, changed.length);
  if (!status) status = run(import, import->copy);
  unlink(import->copy);
  hone__text_release(&changed);
  return status;
}

static hone_status import_onnx(struct import *import, const char *folder)
{
  hone_status status =
      hone__file_read(import->path, HONE__MODEL_LIMIT, &import->bytes, &import->size);

  if (!status) {
    status = hone__onnx_read(import->bytes, import->size, &import->onnx);
    if (!status) status = fix_sizes(import);
    status = hone__annotate(status, "'%s'", import->path);
  }
  if (status) return status;
  import->data_folder = hone__path_folder(import->path);
  name_files(import, folder);
  return access(import->result, R_OK) == 0 ? NULL : make(import);
}

hone_status hone__model_import(const struct hone__iree_toolset *tools, const char *path,
                               const struct hone_iree_model_options *options, const char *folder,
                               char **out_source)
{
  struct import import = {.tools = tools, .path = path, .options = options};
  hone_status status = NULL;

  *out_source = NULL;
  if (hone__model_is_onnx(path)) status = import_onnx(&import, folder);
  if (!status) *out_source = hone__strdup(import.result ? import.result : path);
  hone__onnx_release(&import.onnx);
  free(import.copy);
  free(import.aside);
  free(import.result);
  free(import.data_folder);
  free(import.bytes);
  return status;
}

/* ---- For callers without a work folder ---- */

hone_status hone_iree_import_model(const char *model, const struct hone_iree_model_options *options,
                                   char **out_path)
{
  struct hone__iree_model_given given;
  struct hone__iree_toolset tools = {0};
  struct hone__text folder = {0};
  hone_status status;

  hone__allocators_install();
  *out_path = NULL;
  status = hone__iree_model_take(&given, options);
  if (status) return status;
  if (!given.options.folder && !*hone__cache_folder())
    return hone__error(HONE_INVALID_ARGUMENT, "no folder for the import of '%s': set HONE_CACHE",
                       model);
  if (given.options.folder)
    hone__text_addf(&folder, "%s/", given.options.folder);
  else
    hone__text_addf(&folder, "%s/iree/imported/", hone__cache_folder());
  hone__iree_toolset_find(given.iree.iree_dir, &tools);
  if (hone__model_is_onnx(model)) status = hone__path_make_folders(folder.data);
  folder.data[--folder.length] = '\0';
  if (!status) status = hone__model_import(&tools, model, &given.options, folder.data, out_path);
  hone__iree_toolset_release(&tools);
  hone__text_release(&folder);
  return status;
}
