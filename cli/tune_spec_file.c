/* The tuning spec of a dispatch: what was found, merged with what was there before, and proved once
 * more: IREE ignores in silence what does not match. */
#include "tune_spec_file.h"

#include "text_file.h"

#include <stdlib.h>
#include <string.h>

static const char default_path[] = "tuning-spec.mlir";

static const char *path_of(const struct tune_spec_file *file)
{
  return file->path ? file->path : default_path;
}

/* ---- Making ---- */

/* "" if there is no winner; NULL after a message. */
static char *winner_text(const struct tune_spec_file *file, const struct hone_tune_result *result)
{
  struct hone_store *store = NULL;
  char *text = NULL;
  hone_status status = hone_store_open(file->store, &store);

  if (!status) status = hone_iree_export(store, result->runs, 1, &text);
  hone_store_close(store);
  if (hone_status_code(status) == HONE_NOT_FOUND) {
    if (file->path)
      message_note("'%s' is not written: %s", file->path, hone_status_message(status));
    hone_status_free(status);
    return check_memory(strdup(""));
  }
  if (status) message_status(status);
  return text;
}

static bool merge_starter(const struct tune_spec_file *file)
{
  const char *files[] = {path_of(file)};
  const struct hone_iree_merge_options options = {.files = files,
                                                  .count = 1,
                                                  .starter = file->source->iree.starter,
                                                  .iree_dir = file->source->iree.dir};
  struct hone_iree_merged merged = {0};
  hone_status status = options.starter ? hone_iree_merge(&options, &merged) : NULL;
  bool is_done = !status;

  if (status)
    message_status(status);
  else if (merged.text)
    is_done = text_file_write(files[0], merged.text);
  hone_iree_merged_release(&merged);
  return is_done;
}

/* ---- Proving ---- */

static enum exit_code tell(const struct tune_spec_file *file,
                           const struct hone_iree_verification *found)
{
  if (found->is_good) {
    message_note("'%s' is written; compiled with it, the dispatch has the winner's configuration",
                 path_of(file));
    return CLI_DONE;
  }
  message_error(
      "'%s' is written, but does not apply to '%s': 'hone iree verify %s --on %s' says why",
      path_of(file), file->dispatch, path_of(file), file->dispatch);
  return CLI_FAILED;
}

static enum exit_code prove(const struct tune_spec_file *file)
{
  struct hone_iree_options options = {0};
  struct iree_texts texts = {0};
  struct hone_iree_verification found = {0};
  enum exit_code code = CLI_FAILED;
  hone_status status;

  if (!iree_settings_fill(&file->source->iree, &options, &texts)) return CLI_USAGE;
  status = hone_iree_verify(path_of(file), file->dispatch, &options, &found);
  if (hone_status_code(status) == HONE_UNAVAILABLE) {
    message_note("'%s' is written, but was not tried: there is no iree-compile here",
                 path_of(file));
    hone_status_free(status);
    code = CLI_DONE;
  } else {
    code = status ? message_status(status) : tell(file, &found);
  }
  hone_iree_verification_release(&found);
  iree_texts_release(&texts);
  return code;
}

enum exit_code tune_spec_file_write(const struct tune_spec_file *file,
                                    const struct hone_tune_result *result)
{
  char *text = winner_text(file, result);
  enum exit_code code = CLI_FAILED;

  if (text && !*text)
    code = CLI_DONE;
  else if (text && text_file_write(path_of(file), text) && merge_starter(file))
    code = prove(file);
  free(text);
  return code;
}
