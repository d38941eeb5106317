/* The results of tuning a model: summary, and JSON. */
#include "iree/model/model_tune.h"

#include "base/accessor.h"
#include "base/file.h"
#include "base/json_string.h"
#include "base/paths.h"
#include "build/command.h"

#include <math.h>
#include <stdlib.h>

enum { SOURCE_LIMIT = 1 << 30 };

static void release_dispatch(struct hone_iree_tuned_dispatch *dispatch)
{
  free(dispatch->name);
  free(dispatch->executable);
  free(dispatch->operation);
  free(dispatch->configuration);
  free(dispatch->compilation_info);
  free(dispatch->why_not);
  free(dispatch->file);
}

static void release_option(struct hone_iree_tuned_option *option)
{
  free(option->name);
  free(option->words);
  free(option->why_not);
}

void hone__model_result_release(struct hone_iree_tuned *tuned)
{
  for (size_t i = 0; i < tuned->option_count; i++)
    release_option(&tuned->options[i]);
  free(tuned->options);
  for (size_t i = 0; i < tuned->count; i++)
    release_dispatch(&tuned->dispatches[i]);
  for (size_t i = 0; i < tuned->note_count; i++)
    free(tuned->notes[i]);
  free(tuned->dispatches);
  free(tuned->notes);
  free(tuned->sentence);
  free(tuned->spec);
  free(tuned->spec_path);
  free(tuned->spec_flag);
  free(tuned->compile_words);
  free(tuned->run_words);
  free(tuned->folder);
  free(tuned->source);
}

void hone_iree_tuned_free(struct hone_iree_tuned *tuned)
{
  if (tuned) hone__model_result_release(tuned);
  free(tuned);
}

/* ---- Accessors ---- */

const char *hone_iree_stage_name(enum hone_iree_stage stage)
{
#define NAME(id, name) name,
  static const char *const names[] = {HONE_IREE_STAGES(NAME)};
#undef NAME

  return (size_t)stage < sizeof names / sizeof *names ? names[stage] : "";
}

#define TUNED(type, property, field) HONE__GET(type, hone_iree_tuned, property, field)
TUNED(int64_t, run, run)
TUNED(double, before_ns, before_ns)
TUNED(double, after_ns, after_ns)
TUNED(double, speedup, speedup)
TUNED(const char *, source, source)
TUNED(double, low, low)
TUNED(double, high, high)
TUNED(enum hone_verdict, verdict, verdict)
TUNED(const char *, sentence, sentence)
TUNED(const char *, spec, spec)
TUNED(size_t, entry_count, entry_count)
TUNED(const char *, spec_path, spec_path)
TUNED(bool, is_verified, is_verified)
TUNED(const char *, spec_flag, spec_flag)
TUNED(const char *, compile_words, compile_words)
TUNED(const char *, run_words, run_words)
TUNED(const char *, folder, folder)
TUNED(enum hone_iree_stage, stage, stage)
TUNED(bool, is_interrupted, interrupted)
TUNED(double, wall_s, wall_s)
TUNED(size_t, note_count, note_count)
TUNED(size_t, dispatch_count, count)
HONE__GET_AT(const char *, hone_iree_tuned, note, notes, note_count, NULL)
HONE__LEND_AT(hone_iree_tuned_dispatch, hone_iree_tuned, dispatch, dispatches, count)

TUNED(double, spec_speedup, spec_speedup)
TUNED(double, spec_low, spec_low)
TUNED(double, spec_high, spec_high)
TUNED(size_t, option_count, option_count)
HONE__LEND_AT(hone_iree_tuned_option, hone_iree_tuned, option, options, option_count)

char *hone_iree_tuned_command(const struct hone_iree_tuned *tuned, const char *spec)
{
  struct hone__text text = {0}, flag = {0};

  hone__build_command_add(&text, "iree-compile");
  hone__build_command_add(&text, tuned->source);
  hone__text_addf(&text, " %s", tuned->compile_words);
  hone__text_addf(&flag, "%s%s", tuned->spec_flag, spec ? spec : tuned->spec_path);
  if (*tuned->spec && (!spec || *spec)) hone__build_command_add(&text, flag.data);
  hone__text_add(&text, " -o model.vmfb");
  hone__text_release(&flag);
  return hone__text_take(&text);
}

bool hone_iree_tuned_is_imported(const struct hone_iree_tuned *tuned)
{
  return *tuned->folder && hone__starts_with(tuned->source, tuned->folder);
}

hone_status hone_iree_tuned_copy_source(struct hone_iree_tuned *tuned, const char *path)
{
  char *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(tuned->source, SOURCE_LIMIT, &text, &size);

  if (!status) status = hone__path_make_folders(path);
  if (!status) status = hone__path_write(path, text, size);
  if (!status) {
    free(tuned->source);
    tuned->source = hone__strdup(path);
  }
  free(text);
  return status;
}

#define OPTION(type, property) HONE__GET(type, hone_iree_tuned_option, property, property)
OPTION(const char *, name)
OPTION(const char *, words)
OPTION(double, time_ns)
OPTION(double, speedup)
OPTION(double, low)
OPTION(double, high)
OPTION(enum hone_verdict, verdict)
OPTION(enum hone_outcome, outcome)
OPTION(const char *, why_not)
OPTION(bool, is_used)

#define DISPATCH(type, property) HONE__GET(type, hone_iree_tuned_dispatch, property, property)
DISPATCH(const char *, name)
DISPATCH(const char *, executable)
DISPATCH(const char *, operation)
DISPATCH(double, share)
DISPATCH(double, group_share)
DISPATCH(uint64_t, calls)
DISPATCH(bool, is_tuned)
DISPATCH(bool, is_used)
DISPATCH(const char *, why_not)
DISPATCH(double, before_ns)
DISPATCH(double, after_ns)
DISPATCH(double, speedup)
DISPATCH(double, low)
DISPATCH(double, high)
DISPATCH(enum hone_verdict, verdict)
DISPATCH(const char *, configuration)
DISPATCH(const char *, compilation_info)
DISPATCH(const char *, file)
DISPATCH(int64_t, run)

/* ---- JSON ---- */

static json_t *real(double number)
{
  return isfinite(number) ? json_real(number) : json_null();
}

static void set_text(json_t *object, const char *key, const char *text)
{
  json_object_set_new(object, key, hone__text_to_json(text ? text : "", strlen(text ? text : "")));
}

static void set_speedup(json_t *object, double speedup, double low, double high)
{
  json_object_set_new(object, "speedup", real(speedup));
  json_object_set_new(object, "low", real(low));
  json_object_set_new(object, "high", real(high));
}

static json_t *dispatch_json(const struct hone_iree_tuned_dispatch *dispatch)
{
  json_t *json = json_object();

  set_text(json, "name", dispatch->name);
  set_text(json, "executable", dispatch->executable);
  set_text(json, "operation", dispatch->operation);
  json_object_set_new(json, "share", real(dispatch->share));
  json_object_set_new(json, "group_share", real(dispatch->group_share));
  json_object_set_new(json, "calls", json_integer((json_int_t)dispatch->calls));
  json_object_set_new(json, "tuned", json_boolean(dispatch->is_tuned));
  json_object_set_new(json, "used", json_boolean(dispatch->is_used));
  json_object_set_new(json, "before_ns", real(dispatch->before_ns));
  json_object_set_new(json, "after_ns", real(dispatch->after_ns));
  set_speedup(json, dispatch->speedup, dispatch->low, dispatch->high);
  set_text(json, "verdict", hone_verdict_name(dispatch->verdict));
  set_text(json, "configuration", dispatch->configuration);
  set_text(json, "compilation_info", dispatch->compilation_info);
  set_text(json, "why_not", dispatch->why_not);
  set_text(json, "file", dispatch->file);
  if (dispatch->run) json_object_set_new(json, "run", json_integer(dispatch->run));
  return json;
}

static json_t *option_json(const struct hone_iree_tuned_option *option)
{
  json_t *json = json_object();

  set_text(json, "name", option->name);
  set_text(json, "words", option->words);
  json_object_set_new(json, "used", json_boolean(option->is_used));
  json_object_set_new(json, "time_ns", real(option->time_ns));
  set_speedup(json, option->speedup, option->low, option->high);
  set_text(json, "verdict", hone_verdict_name(option->verdict));
  set_text(json, "outcome", hone_outcome_name(option->outcome));
  set_text(json, "why_not", option->why_not);
  return json;
}

static void set_options(json_t *json, const struct hone_iree_tuned *tuned)
{
  json_t *list = json_array(), *gain = json_object();

  for (size_t i = 0; i < tuned->option_count; i++)
    json_array_append_new(list, option_json(&tuned->options[i]));
  json_object_set_new(json, "options", list);
  set_speedup(gain, tuned->spec_speedup, tuned->spec_low, tuned->spec_high);
  json_object_set_new(json, "spec_over_options", gain);
}

/* A spec that does not make the model faster is not part of the best way. */
static void set_command(json_t *json, const struct hone_iree_tuned *tuned)
{
  const char *spec = tuned->verdict == HONE_VERDICT_IMPROVED ? NULL : "";
  char *command = *tuned->compile_words ? hone_iree_tuned_command(tuned, spec) : NULL;

  set_text(json, "command", command);
  free(command);
}

static json_t *notes_json(const struct hone_iree_tuned *tuned)
{
  json_t *notes = json_array();

  for (size_t i = 0; i < tuned->note_count; i++)
    json_array_append_new(notes, hone__text_to_json(tuned->notes[i], strlen(tuned->notes[i])));
  return notes;
}

static json_t *model_json(const struct hone_iree_tuned *tuned)
{
  json_t *json = json_object();

  json_object_set_new(json, "before_ns", real(tuned->before_ns));
  json_object_set_new(json, "after_ns", real(tuned->after_ns));
  set_speedup(json, tuned->speedup, tuned->low, tuned->high);
  set_text(json, "verdict", hone_verdict_name(tuned->verdict));
  set_text(json, "sentence", tuned->sentence);
  if (tuned->run) json_object_set_new(json, "run", json_integer(tuned->run));
  return json;
}

char *hone_iree_tuned_json(const struct hone_iree_tuned *tuned)
{
  json_t *json = json_object(), *list = json_array();
  char *text;

  for (size_t i = 0; i < tuned->count; i++)
    json_array_append_new(list, dispatch_json(&tuned->dispatches[i]));
  json_object_set_new(json, "model", model_json(tuned));
  json_object_set_new(json, "dispatches", list);
  set_options(json, tuned);
  set_command(json, tuned);
  set_text(json, "spec", tuned->spec);
  json_object_set_new(json, "entries", json_integer((json_int_t)tuned->entry_count));
  json_object_set_new(json, "verified", json_boolean(tuned->is_verified));
  set_text(json, "spec_path", tuned->spec_path);
  set_text(json, "spec_flag", tuned->spec_flag);
  set_text(json, "compile_words", tuned->compile_words);
  set_text(json, "run_words", tuned->run_words);
  set_text(json, "folder", tuned->folder);
  set_text(json, "stopped_after", hone_iree_stage_name(tuned->stage));
  json_object_set_new(json, "interrupted", json_boolean(tuned->interrupted));
  json_object_set_new(json, "wall_s", real(tuned->wall_s));
  json_object_set_new(json, "notes", notes_json(tuned));
  text = json_dumps(json, JSON_INDENT(2));
  json_decref(json);
  return text;
}
