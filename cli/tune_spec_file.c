/* The tuning spec of a dispatch: the result, merged with the starter, and checked again, because
 * IREE silently ignores entries that do not match.
 */
#include "tune_spec_file.h"

#include "hone_iree.h"
#include "hone_results.h"
#include "text_file.h"

#include <stdlib.h>
#include <string.h>

static const char default_path[] = "tuning-spec.mlir";

static const char *path_of(const struct tune_spec_file *file)
{
  return file->path ? file->path : default_path;
}

/* ---- Making ---- */

static hone_status is_improved(struct hone_store *store, int64_t run, bool *out_improved)
{
  struct hone_report *report = NULL;
  hone_status status = hone_report_load(store, run, &report);

  *out_improved = !status && hone_report_verdict(report) == HONE_VERDICT_IMPROVED;
  hone_report_free(report);
  return status;
}

/* "" if there is nothing to write; NULL after a message. */
static char *winner_text(const struct tune_spec_file *file, const struct hone_tuning *tuning)
{
  struct hone_store *store = NULL;
  char *text = NULL;
  bool is_wanted = false;
  int64_t run = hone_tuning_run(tuning, 0);
  hone_status status = hone_store_open(file->store, &store);

  if (!status) status = is_improved(store, run, &is_wanted);
  if (!status && is_wanted) status = hone_iree_export(store, &run, 1, &text);
  hone_store_free(store);
  if (status) {
    message_status(status);
  } else if (!is_wanted) {
    if (file->path)
      message_note("'%s' is not written: no faster configuration was confirmed", file->path);
    text = check_memory(strdup(""));
  }
  return text;
}

static bool merge_starter(const struct tune_spec_file *file)
{
  const char *files[] = {path_of(file)};
  struct hone_iree_merge_options options;
  struct hone_iree_merged *merged = NULL;
  hone_status status;
  bool is_done;

  if (!file->source->iree.starter) return true;
  hone_iree_merge_options_init(&options);
  options.files = files;
  options.count = 1;
  options.starter = file->source->iree.starter;
  options.iree_dir = file->source->iree.dir;
  status = hone_iree_merge(&options, &merged);
  is_done = !status;
  if (status)
    message_status(status);
  else
    is_done = text_file_write(files[0], hone_iree_merged_text(merged));
  hone_iree_merged_free(merged);
  return is_done;
}

/* ---- Proving ---- */

static enum exit_code print_outcome(const struct tune_spec_file *file,
                                    const struct hone_iree_verification *found)
{
  const char *target;

  if (hone_iree_verification_is_good(found)) {
    message_note("wrote '%s'; when compiled with it, the dispatch has the winner's configuration",
                 path_of(file));
    return CLI_DONE;
  }
  target = file->source->iree.target;
  message_error(
      "wrote '%s', but it does not apply to '%s': 'hone iree verify %s --on %s%s%s' shows why",
      path_of(file), file->dispatch, path_of(file), file->dispatch, target ? " " : "",
      target ? target : "");
  return CLI_FAILED;
}

static enum exit_code prove(const struct tune_spec_file *file)
{
  struct hone_iree_options options = {0};
  struct iree_texts texts = {0};
  struct hone_iree_verification *found = NULL;
  enum exit_code code = CLI_FAILED;
  hone_status status;

  if (!iree_settings_fill(&file->source->iree, &options, &texts)) return CLI_USAGE;
  status = hone_iree_verify(path_of(file), file->dispatch, &options, &found);
  if (hone_status_code(status) == HONE_UNAVAILABLE) {
    message_note("wrote '%s' without verifying it: there is no iree-compile here", path_of(file));
    hone_status_free(status);
    code = CLI_DONE;
  } else {
    code = status ? message_status(status) : print_outcome(file, found);
  }
  hone_iree_verification_free(found);
  iree_texts_release(&texts);
  return code;
}

enum exit_code tune_spec_file_write(const struct tune_spec_file *file,
                                    const struct hone_tuning *tuning)
{
  char *text = winner_text(file, tuning);
  enum exit_code code = CLI_FAILED;

  if (text && !*text)
    code = CLI_DONE;
  else if (text && text_file_write(path_of(file), text) && merge_starter(file))
    code = prove(file);
  free(text);
  return code;
}
