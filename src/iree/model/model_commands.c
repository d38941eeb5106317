/* Dumps of other programs: each command leaves dispatches in a folder, all of them are tuned, and
 * the spec of one command is the starter of the next. There is no model to measure: dispatches that
 * are faster alone are used.
 */
#include "iree/model/model_commands.h"

#include "base/allocators.h"
#include "base/file.h"
#include "base/paths.h"
#include "hone_iree.h"
#include "iree/tuning_spec/tuning_spec.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { COMMANDS_LIMIT = 16 << 20, MOST_COMMANDS = 100000 };
static const char spec_name[] = "tuning-spec.mlir";

/* ---- The list of commands ---- */

struct commands {
  struct hone__words *lines; /* the words of each */
  size_t count, capacity;
};

static void release_commands(struct commands *commands)
{
  for (size_t i = 0; i < commands->count; i++)
    hone__words_release(&commands->lines[i]);
  free(commands->lines);
}

static hone_status split(struct hone__words *words, char *line, bool is_table)
{
  char *rest = line, *cell;

  if (!is_table) return hone__words_split(words, line);
  while ((cell = strsep(&rest, "\t")) != NULL)
    if (*cell) hone__words_add(words, cell);
  return NULL;
}

static hone_status add_line(struct commands *commands, const char *before, char *line,
                            bool is_table)
{
  struct hone__words words = {0};
  hone_status status = before ? hone__words_split(&words, before) : NULL;

  if (!status && line) status = split(&words, line, is_table);
  if (status || !words.count) {
    hone__words_release(&words);
    return status;
  }
  HONE__GROW(commands->lines, commands->count, commands->capacity);
  commands->lines[commands->count++] = words;
  return NULL;
}

static bool is_table_name(const char *path)
{
  size_t length = strlen(path);

  return length > 4 && strcmp(path + length - 4, ".tsv") == 0;
}

static hone_status read_file(struct commands *commands, const char *command, const char *path)
{
  char *text = NULL, *rest, *line;
  size_t size = 0, number = 0;
  hone_status status = hone__file_read(path, COMMANDS_LIMIT, &text, &size);

  for (rest = text; !status && (line = strsep(&rest, "\n")) != NULL;) {
    size_t length = strlen(line);
    if (length && line[length - 1] == '\r') line[length - 1] = '\0';
    number++;
    line += strspn(line, " \t");
    if (!*line || *line == '#' || commands->count >= MOST_COMMANDS) continue;
    status = hone__annotate(add_line(commands, command, line, is_table_name(path)), "%s:%zu", path,
                            number);
  }
  free(text);
  return status;
}

/* ---- One of them ---- */

static void join(const struct hone__words *words, struct hone__text *text)
{
  for (size_t i = 0; i < words->count; i++)
    hone__text_addf(text, "%s%s", i ? " " : "", words->data[i]);
}

/* What is known of dumps: their names. */
static hone_status make_state(struct hone__model_tuning *tuning, const struct hone__words *dumps)
{
  struct hone__arena arena = {0};
  struct hone__model_dispatch *list = hone__arena_alloc(&arena, (dumps->count + 1) * sizeof *list);
  struct hone__model_state state = {.digest = "",
                                    .identity = "",
                                    .key = "",
                                    .source = "",
                                    .backend = "",
                                    .driver = "",
                                    .device = "",
                                    .target = "",
                                    .function = "",
                                    .inputs_digest = "",
                                    .time_ns = NAN,
                                    .why_untimed = "",
                                    .dispatches = list,
                                    .dispatches_count = dumps->count};
  void *copy;
  hone_status status;

  for (size_t i = 0; i < dumps->count; i++) {
    const char *path = dumps->data[i], *base = strrchr(path, '/'), *name;
    size_t length;
    base = base ? base + 1 : path;
    length = strlen(base);
    if (length > strlen("_benchmark.mlir")) length -= strlen("_benchmark.mlir");
    name = hone__arena_strndup(&arena, base, length);
    list[i] = (struct hone__model_dispatch){.name = name,
                                            .executable = name,
                                            .operation = "",
                                            .why_not = "",
                                            .file = path,
                                            .share = NAN,
                                            .flops = NAN,
                                            .time_ns = NAN};
  }
  status = hone__model_work_keep(tuning, NULL, &hone__model_state_type, &state, &copy);
  if (!status) tuning->state = copy;
  hone__arena_release(&arena);
  return status;
}

/* The best of a dispatch, if it is faster, or if slower ones are wanted. */
static void use_best(struct hone__model_tuning *tuning, size_t number)
{
  struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[number];
  struct hone__model_found *found = tuning->found[number];
  const struct hone__model_candidate *best =
      found && found->candidates_count ? &found->candidates[0] : NULL;
  bool is_faster = dispatch->verdict == HONE_VERDICT_IMPROVED;

  if (!best) return;
  if (!is_faster && !tuning->options->tune->keep_slower) {
    hone__model_set(&dispatch->why_not, "no candidate is faster than the compiler's choice");
    return;
  }
  dispatch->is_used = true;
  hone__model_set(&dispatch->configuration, best->config);
  hone__model_set(&dispatch->compilation_info, best->compilation_info);
  found->used = best;
  hone__model_set(&tuning->tuned->spec_flag, hone__model_spec_flag(found->backend));
}

static hone_status tune_dumps(struct hone__model_tuning *tuning, const char *command,
                              struct hone__text *out_text)
{
  hone_status status;

  hone__model_title(tuning, command);
  hone__model_take_list(tuning);
  status = hone__model_search_all(tuning);
  for (size_t i = 0; i < tuning->tuned->count; i++)
    use_best(tuning, i);
  if (!status && tuning->options->stop_after == HONE_IREE_STAGE_ALL)
    status = hone__model_spec_text(tuning, out_text);
  return status;
}

/* ---- Joining what was found ---- */

static void move_result(struct hone_iree_tuned *to, struct hone_iree_tuned *from)
{
  to->dispatches =
      hone__realloc(to->dispatches, (to->count + from->count + 1) * sizeof *to->dispatches);
  for (size_t i = 0; i < from->count; i++)
    to->dispatches[to->count++] = from->dispatches[i];
  to->notes = hone__realloc(to->notes, (to->note_count + from->note_count + 1) * sizeof *to->notes);
  for (size_t i = 0; i < from->note_count; i++)
    to->notes[to->note_count++] = from->notes[i];
  to->entry_count += from->entry_count;
  if (*from->spec_flag) hone__model_set(&to->spec_flag, from->spec_flag);
  to->interrupted = to->interrupted || from->interrupted;
  from->count = from->note_count = 0;
}

struct series {
  const struct hone_iree_tune_options *options;
  struct hone_iree_tuned *tuned;
  struct hone__iree_toolset tools;
  char *folder;  /* of all */
  char *starter; /* what was found so far: a file; NULL: nothing */
  size_t failed;
};

static hone_status run_command(struct series *series, const struct hone__words *words)
{
  struct hone_iree_tune_options options = *series->options;
  struct hone_iree_model_options model = *options.model;
  struct hone_iree_options iree = *model.iree;
  struct hone_iree_tuned part;
  struct hone__model_tuning tuning = {.path = words->data[0],
                                      .options = &options,
                                      .tools = series->tools,
                                      .tuned = &part,
                                      .began = hone__clock()};
  struct hone__words dumps = {0};
  struct hone__text name = {0}, spec = {0};
  hone_status status;

  if (series->starter) iree.starter = series->starter;
  model.iree = &iree;
  options.model = &model;
  hone__model_result_open(&part);
  hone__model_choose_device(&tuning);
  join(words, &name);
  status = hone__model_dumps(words, series->folder, &series->tools, &tuning.folder, &dumps);
  if (!status) status = make_state(&tuning, &dumps);
  if (!status) status = tune_dumps(&tuning, name.data, &spec);
  if (!status && spec.length) {
    hone__model_set(&series->tuned->spec, spec.data);
    status = hone__model_work_write_text(&tuning, spec_name, spec.data);
    if (!status) {
      free(series->starter);
      series->starter = hone__model_work_path(&tuning, "%s", spec_name);
    }
  }
  hone__model_close(&tuning);
  move_result(series->tuned, &part);
  hone__model_result_release(&part);
  hone__words_release(&dumps);
  hone__text_release(&spec);
  hone__text_release(&name);
  return status;
}

/* A command that leaves nothing does not stop the others. */
static hone_status continue_after(struct series *series, const struct hone__words *words,
                                  hone_status status)
{
  struct hone__model_tuning tuning = {.tuned = series->tuned};
  struct hone__text name = {0};

  if (hone_status_code(status) != HONE_INVALID_SPEC) return status;
  join(words, &name);
  hone__model_note(&tuning, "'%s': %s", name.data, hone_status_message(status));
  hone__text_release(&name);
  hone_status_free(status);
  series->failed++;
  return NULL;
}

static hone_status run_all(struct series *series, const struct commands *commands)
{
  hone_status status = NULL;

  for (size_t i = 0; i < commands->count && !status && !series->tuned->interrupted; i++) {
    status = run_command(series, &commands->lines[i]);
    if (status) status = continue_after(series, &commands->lines[i], status);
  }
  if (!status && commands->count && series->failed == commands->count)
    status = hone__error(HONE_INVALID_SPEC, "no command dumped a dispatch that can be tuned");
  if (series->starter) hone__model_set(&series->tuned->spec_path, series->starter);
  return status;
}

static hone_status tune_commands(const struct commands *commands, const char *name,
                                 const struct hone_iree_tune_options *options,
                                 struct hone_iree_tuned *tuned)
{
  struct series series = {.options = options, .tuned = tuned};
  struct hone__model_tuning place = {.path = name, .options = options};
  hone_status status = hone__model_commands_open(&place);

  if (!status) {
    series.folder = place.folder;
    hone__model_set(&tuned->folder, place.folder);
    hone__iree_toolset_find(options->model->iree->iree_dir, &series.tools);
    status = run_all(&series, commands);
    hone__iree_toolset_release(&series.tools);
  }
  free(series.starter);
  free(place.folder);
  return status;
}

hone_status hone_iree_tune_commands(const char *command, const char *file,
                                    const struct hone_iree_tune_options *options,
                                    struct hone_iree_tuned **out_tuned)
{
  struct hone__iree_tune_given given;
  struct commands commands = {0};
  double began = hone__clock();
  hone_status status;

  hone__allocators_install();
  *out_tuned = hone__alloc(sizeof **out_tuned);
  hone__model_result_open(*out_tuned);
  status = hone__iree_tune_take(&given, options);
  if (!status)
    status = file ? read_file(&commands, command, file) : add_line(&commands, command, NULL, false);
  if (!status && !commands.count)
    status = hone__error(HONE_INVALID_ARGUMENT, "'%s' has no commands", file ? file : "");
  if (!status) status = tune_commands(&commands, file ? file : command, &given.options, *out_tuned);
  (*out_tuned)->wall_s = hone__clock() - began;
  release_commands(&commands);
  return status;
}
