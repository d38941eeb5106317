/* Earlier runs are sorted by the distance of their problem from this one. First the best
 * configuration of each is taken, then the second best, until there are enough: the best for a near
 * problem is more useful than the second best for the nearest.
 */
#include "tune/first_rows.h"
#include "space/explanation.h"

#include "backend/source_file.h"
#include "base/elementary.h"
#include "session/kept_options.h"
#include "space/space.h"
#include "space/why_not.h"
#include "tune/carried_row.h"
#include "tune/learning.h"

#include <stdlib.h>

enum { MOST_ROWS = 8, MOST_RUNS = 16, BEST_OF_RUN = 4, ORIGINS_SHOWN = 3 };

static void add_row(struct hone__tuning *tuning, struct hone__first_rows *rows, const uint32_t *row)
{
  size_t width = hone_space_width(tuning->session.problem.space);

  memcpy(rows->rows + rows->count++ * width, row, width * sizeof *row);
}

static bool has_row(const struct hone__tuning *tuning, const struct hone__first_rows *rows,
                    const uint32_t *row)
{
  size_t width = hone_space_width(tuning->session.problem.space);

  for (size_t i = 0; i < rows->count; i++)
    if (memcmp(rows->rows + i * width, row, width * sizeof *row) == 0) return true;
  return false;
}

static void make_room(struct hone__tuning *tuning, struct hone__first_rows *rows, size_t most)
{
  size_t width = hone_space_width(tuning->session.problem.space);

  *rows = (struct hone__first_rows){
      .rows = hone__arena_alloc(&tuning->session.arena, (most * width + 1) * sizeof *rows->rows)};
}

/* ---- Configurations given by the user ---- */

static bool is_one_of_several(const struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  const struct hone_spec *spec = tuning->session.problem.task.spec;

  return spec->shapes || (options->problems ? options->problem_count : spec->problem_count) > 1;
}

static hone_status refuse(struct hone__tuning *tuning, const char *config)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  hone__space_why_not(tuning->session.problem.space, config, &why);
  if (!why.length) hone__text_add(&why, "it is not legal");
  if (is_one_of_several(tuning))
    hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                      "%s is not used as a starting configuration: %s", config, why.data);
  else
    status = hone__error(HONE_INVALID_ARGUMENT, "'%s' cannot be a starting configuration: %s",
                         config, why.data);
  hone__text_release(&why);
  return status;
}

/* An unknown name or value is an error of the command line, even if the space is empty. */
static hone_status as_argument(hone_status status, const char *config)
{
  hone_status other;

  if (!status) return NULL;
  other = hone__error(HONE_INVALID_ARGUMENT, "'%s' cannot be a starting configuration: %s", config,
                      hone_status_message(status));
  hone_status_free(status);
  return other;
}

static hone_status read_one(struct hone__tuning *tuning, const char *config, uint32_t *row)
{
  hone_status status = hone_space_parse(tuning->session.problem.space, config, row);

  if (status) return as_argument(status, config);
  if (!hone__space_is_legal(tuning->session.problem.space, row)) return refuse(tuning, config);
  if (!hone_space_contains(tuning->session.problem.space, row)) return NULL; /* another part's */
  if (!has_row(tuning, &tuning->search.first, row)) add_row(tuning, &tuning->search.first, row);
  return NULL;
}

hone_status hone__first_rows_read(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  uint32_t *row = hone__alloc(hone_space_width(tuning->session.problem.space) * sizeof *row);
  hone_status status = NULL;

  make_room(tuning, &tuning->search.first, options->seed_config_count + MOST_ROWS);
  for (size_t i = 0; i < options->seed_config_count && !status; i++)
    status = read_one(tuning, options->seed_configs[i], row);
  free(row);
  return status;
}

bool hone__first_rows_add(struct hone__tuning *tuning, const uint32_t *row)
{
  struct hone__first_rows *first = &tuning->search.first;

  if (first->count == tuning->session.settings.options->seed_config_count + MOST_ROWS) return false;
  if (!has_row(tuning, first, row)) add_row(tuning, first, row);
  return true;
}

/* ---- How far another problem is ---- */

/* The value of a name in "M=512 N=a"; NULL: it is missing. */
static const char *find_size(const char *problem, const char *name, size_t length)
{
  for (const char *p = problem; *p; p += strcspn(p, " "), p += strspn(p, " "))
    if (strncmp(p, name, length) == 0 && p[length] == '=') return p + length + 1;
  return NULL;
}

static double size_distance(const char *one, const char *other)
{
  size_t length = strcspn(one, " ");
  char *one_end, *other_end;
  double a = strtod(one, &one_end), b = strtod(other, &other_end);
  bool are_numbers = one_end == one + length && other_end == other + strcspn(other, " ");

  if (are_numbers && a > 0 && b > 0) return fabs(hone__log2(a / b));
  return length == strcspn(other, " ") && strncmp(one, other, length) == 0 ? 0 : 1;
}

/* Factors of two between the sizes, summed; a size missing in one of them, or a different word,
 * counts as one. */
static double problem_distance(const char *problem, const char *other)
{
  double sum = 0;

  for (const char *p = problem; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
    size_t name = strcspn(p, "= ");
    const char *size = p[name] == '=' ? find_size(other, p, name) : NULL;
    sum += size ? size_distance(p + name + 1, size) : 1;
  }
  return sum;
}

/* ---- Earlier runs ---- */

struct past {
  int64_t run;
  double distance;
  char *problem;
  size_t count;
  char *configs[BEST_OF_RUN], *devices[BEST_OF_RUN];
  const char *origin; /* recorded for a row; NULL */
};

struct memory {
  struct hone__tuning *tuning;
  char *file; /* of the kernel; NULL */
  struct hone__arena arena;
  struct past runs[MOST_RUNS]; /* the nearest first; of equally near ones the newest first */
  size_t count;
  struct hone__text origins;
  size_t origin_count;
};

static bool has_file(const char *options, const char *file)
{
  char *other = file ? hone__kept_options_file(options) : NULL;
  bool is_same = other && strcmp(other, file) == 0;

  free(other);
  return is_same;
}

static void keep_run(struct memory *memory, const struct hone__past_run *run)
{
  const char *problem = run->problem ? run->problem : "";
  double distance = problem_distance(memory->tuning->session.entry.run.problem, problem);
  size_t at = memory->count;

  while (at > 0 && memory->runs[at - 1].distance > distance)
    at--;
  if (at == MOST_RUNS) return;
  if (memory->count < MOST_RUNS) memory->count++;
  memmove(&memory->runs[at + 1], &memory->runs[at],
          (memory->count - at - 1) * sizeof *memory->runs);
  memory->runs[at] = (struct past){
      .run = run->id, .distance = distance, .problem = hone__arena_strdup(&memory->arena, problem)};
}

static bool visit_run(void *data, const struct hone__past_run *run)
{
  struct memory *memory = data;
  const struct hone__store_run_record *own = &memory->tuning->session.entry.run;
  bool has_spec = run->spec && strcmp(run->spec, own->spec) == 0;

  if (run->id != own->id && (has_spec || run->is_imported || has_file(run->options, memory->file)))
    keep_run(memory, run);
  return true;
}

struct best_of {
  struct memory *memory;
  struct past *run;
};

static void visit_best(void *data, const struct hone__past_best *best)
{
  struct best_of *of = data;
  struct hone__arena *arena = &of->memory->arena;
  size_t at = of->run->count;

  if (at == BEST_OF_RUN) return;
  of->run->configs[at] = hone__arena_strdup(arena, best->config);
  of->run->devices[at] = hone__arena_strdup(arena, best->device ? best->device : "");
  of->run->count++;
}

static hone_status collect(struct memory *memory, struct hone_store *store)
{
  hone_status status =
      hone__store_past_runs(store, memory->tuning->session.entry.run.name, visit_run, memory);

  for (size_t i = 0; i < memory->count && !status; i++) {
    struct best_of of = {memory, &memory->runs[i]};
    status = hone__store_best_of(store, memory->runs[i].run, BEST_OF_RUN, visit_best, &of);
  }
  return status;
}

/* ---- Carrying them over ---- */

static bool has_origin(const struct memory *memory, const char *origin)
{
  for (size_t i = 0; i < memory->count; i++)
    if (memory->runs[i].origin && strcmp(memory->runs[i].origin, origin) == 0) return true;
  return false;
}

/* "M=512 N=512 on c:0", which several runs may share. */
static void add_origin(struct memory *memory, struct past *run, const char *device)
{
  struct hone__text *text = &memory->origins;
  const char *origin;

  if (run->origin) return;
  origin = hone__arena_printf(&memory->arena, "%s%s%s%s", run->problem,
                              *run->problem && *device ? " " : "", *device ? "on " : "", device);
  if (!has_origin(memory, origin) && *origin) {
    if (memory->origin_count++ == ORIGINS_SHOWN) hone__text_add(text, ", ...");
    if (memory->origin_count <= ORIGINS_SHOWN)
      hone__text_addf(text, "%s%s", text->length ? ", " : "", origin);
  }
  run->origin = origin;
}

static void take_row(struct memory *memory, struct past *run, size_t rank, uint32_t *row)
{
  struct hone__tuning *tuning = memory->tuning;
  size_t bytes = hone_space_width(tuning->session.problem.space) * sizeof *row;

  if (rank >= run->count ||
      !hone__carried_row(tuning->session.problem.space, run->configs[rank], row))
    return;
  if (memcmp(row, tuning->session.problem.task.baseline, bytes) == 0) return;
  if (has_row(tuning, &tuning->search.first, row) || has_row(tuning, &tuning->search.before, row))
    return;
  add_row(tuning, &tuning->search.before, row);
  add_origin(memory, run, run->devices[rank]);
}

static void choose_rows(struct memory *memory)
{
  struct hone__tuning *tuning = memory->tuning;
  uint32_t *row = hone__alloc(hone_space_width(tuning->session.problem.space) * sizeof *row);

  for (size_t rank = 0; rank < BEST_OF_RUN; rank++)
    for (size_t i = 0; i < memory->count && tuning->search.before.count < MOST_ROWS; i++)
      take_row(memory, &memory->runs[i], rank, row);
  tuning->search.before.origins =
      hone__arena_strdup(&tuning->session.arena, memory->origins.data ? memory->origins.data : "");
  free(row);
}

/* Only what is told with the rows is learned from. */
static hone_status learn(struct memory *memory, struct hone_store *store)
{
  int64_t runs[MOST_RUNS];

  if (!memory->tuning->search.before.count) return NULL;
  for (size_t i = 0; i < memory->count; i++)
    runs[i] = memory->runs[i].run;
  return hone__tuning_learn_own(memory->tuning, store, runs, memory->count,
                                &memory->tuning->search.before.lessons);
}

hone_status hone__first_rows_recall(struct hone__tuning *tuning, struct hone_store *store)
{
  struct memory memory = {.tuning = tuning};
  hone_status status;

  make_room(tuning, &tuning->search.before, MOST_ROWS);
  if (!tuning->session.settings.warm_start) return NULL;
  hone_status_free(hone__backend_source_file_find(tuning->session.problem.task.spec, &memory.file));
  status = collect(&memory, store);
  if (!status) choose_rows(&memory);
  if (!status) status = learn(&memory, store);
  hone__text_release(&memory.origins);
  hone__arena_release(&memory.arena);
  free(memory.file);
  return status;
}

void hone__first_rows_describe(const struct hone__tuning *tuning, struct hone__text *text)
{
  const struct hone__first_rows *before = &tuning->search.before;

  hone__text_addf(text, "%zu configuration%s that %s best in earlier runs", before->count,
                  before->count == 1 ? "" : "s", before->count == 1 ? "was" : "were");
  if (*before->origins) hone__text_addf(text, " (%s)", before->origins);
  if (before->lessons)
    hone__text_addf(text, ", and learns from all that %zu of these runs measured", before->lessons);
}
