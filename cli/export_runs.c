/* Runs as files for other programs: a tuning spec of IREE, a recording, and the formats of the
 * library. */
#include "export_command.h"

#include "export_formats.h"
#include "hone_iree.h"
#include "hone_replay.h"
#include "suspicious.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- A tuning spec ---- */

static int64_t run_of(const char *word)
{
  return strcmp(word, "last") == 0 ? 0 : strtoll(word, NULL, 10);
}

/* *doubts: the first run that proves nothing, 0 for none. */
static bool check_proof(const struct export_settings *settings, struct hone_store *store,
                        int64_t run, int64_t *doubts, hone_status *status)
{
  struct hone_report *report = NULL;
  bool ok = export_check_run(settings, store, run, status);

  if (!ok || *status) return ok;
  *status = hone_report_load(store, run, &report);
  if (*status) return true;
  ok = export_check_report(settings, report);
  if (!*doubts && export_is_unproved(settings, report)) *doubts = hone_report_run(report);
  hone_report_free(report);
  return ok;
}

static enum exit_code write_spec(const struct export_settings *settings, int64_t doubts,
                                 const char *text)
{
  struct output spec;
  enum exit_code code;

  output_open(&spec, OUTPUT_MEMORY, false);
  if (doubts) output_format(&spec, "// NOT PROVED: run %" PRId64 "\n", doubts);
  output_bytes(&spec, text, strlen(text) + 1);
  code = export_write(settings, spec.bytes);
  output_close(&spec);
  return code;
}

enum exit_code export_spec(const struct export_settings *settings, const struct word_list *words)
{
  int64_t *runs = check_memory(calloc(words->count + 1, sizeof *runs));
  struct hone_store *store = NULL;
  char *text = NULL;
  hone_status status = hone_store_open(settings->store, &store);
  enum exit_code code;
  int64_t doubts = 0;
  bool ok = true;

  for (size_t i = 0; i < words->count; i++) {
    runs[i] = run_of(words->words[i]);
    ok = ok && check_proof(settings, store, runs[i], &doubts, &status);
  }
  if (!status && ok) status = hone_iree_export(store, runs, words->count, &text);
  hone_store_free(store);
  free(runs);
  if (status || !ok) return ok ? message_status(status) : CLI_FAILED;
  code = write_spec(settings, doubts, text);
  free(text);
  return code;
}

/* ---- A recording ---- */

/* Data that a replay will lack. */
static void print_recording_notes(const struct hone_t4 *t4)
{
  if (hone_t4_left_out_count(t4))
    message_note("skipped %" PRIu64 " of %" PRIu64
                 " configurations: they were not timed, or the host or device failed",
                 hone_t4_left_out_count(t4), hone_t4_config_count(t4) + hone_t4_left_out_count(t4));
  if (strtoull(hone_t4_space(t4), NULL, 10) > hone_t4_config_count(t4))
    message_note("the recording has %" PRIu64
                 " of the space's %s configurations: a replay is limited to these",
                 hone_t4_config_count(t4), hone_t4_space(t4));
}

enum exit_code export_recording(const struct export_settings *settings,
                                const struct word_list *words)
{
  struct hone_store *store = NULL;
  struct hone_t4 *t4 = NULL;
  hone_status status = hone_store_open(settings->store, &store);
  bool ok = export_check_run(settings, store, run_of(words->words[0]), &status);
  enum exit_code code;

  if (!status && ok) status = hone_t4_export(store, run_of(words->words[0]), &t4);
  hone_store_free(store);
  if (status || !ok) return ok ? message_status(status) : CLI_FAILED;
  code = export_write(settings, hone_t4_text(t4));
  if (code == CLI_DONE) print_recording_notes(t4);
  hone_t4_free(t4);
  return code;
}

/* ---- Formats of the library ---- */

static bool are_runs(const struct word_list *words)
{
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->words[i], "last") != 0 &&
        words->words[i][strspn(words->words[i], "0123456789")])
      return false;
  return true;
}

/* CSV of a file is kbench's. */
bool export_is_written(const struct export_settings *settings, const struct word_list *words)
{
  return export_format(settings)->is_written || (settings->format == FORMAT_CSV && are_runs(words));
}

/* The library refuses what is not proved; lists of all rows make no claim, but for this. */
static bool check_listed(const struct export_settings *settings, const struct word_list *words)
{
  struct hone_store *store = NULL;
  hone_status status = NULL;
  bool ok = true;

  if (export_format(settings)->has_all_rows && !settings->force)
    status = hone_store_open(settings->store, &store);
  for (size_t i = 0; store && ok && !status && i < words->count; i++)
    ok = suspicious_check_run(store, run_of(words->words[i]), true, &status);
  hone_store_free(store);
  if (status) message_status(status);
  return ok && !status;
}

enum exit_code export_written(const struct export_settings *settings, const struct word_list *words)
{
  const struct export_formats written = {
      .output = {settings->output, settings->check},
      .store = settings->store,
      .config = settings->config,
      .format = settings->format == FORMAT_CSV ? HONE_FORMAT_CSV : export_format(settings)->format,
      .force = settings->force};

  return check_listed(settings, words) ? export_formats_write(&written, words) : CLI_FAILED;
}
