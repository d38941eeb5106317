/* Dispatches within the model. The time of a dispatch alone says little about its time there:
 * caches hold other data. So the model is compiled with the best configurations of all dispatches
 * at once, then with the next best ones, and the runtime reports the time of each dispatch in it.
 * One compilation shows for every dispatch whether its configuration helps; the contest in the
 * model would need one for each.
 *
 * The result is kept in profile.txt: a key, then a line for each dispatch that was searched.
 */
#include "iree/model/model_tune.h"

#include "base/file.h"
#include "base/number.h"
#include "iree/tuning_spec/tuning_spec.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_RANKS = 2, ROUNDS = 2, FILE_LIMIT = 1 << 20 };
/* iree-compile has deadlocked once: that must not use up the whole budget. */
static const double most_s = 3600, least_s = 30, most_compiles = 10;
/* After a profile, the contest has a candidate, its proof and the spec's. */
static const double compiles_after = 4;
static const double calls_of_run = 2; /* the first of them is for the number of calls */
static const char result_name[] = "profile.txt";

struct profile {
  size_t ranks;
  struct hone__text specs[MOST_RANKS];
  struct hone_iree_dispatches times[1 + MOST_RANKS]; /* of the untuned model, then by rank */
  char key[HONE__DIGEST_SIZE];
};

/* ---- Specs ---- */

static size_t ranks_of(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone__model_found *found = tuning->found[number];
  size_t count = found ? found->candidates_count : 0;

  return count < MOST_RANKS ? count : MOST_RANKS;
}

/* Those with fewer candidates have their last one. */
static void print_rank(const struct hone__model_tuning *tuning, size_t rank,
                       struct hone__text *text)
{
  size_t count = 0;
  struct hone__iree_tuning_entry *entries =
      hone__alloc((tuning->tuned->count + 1) * sizeof *entries);

  for (size_t i = 0; i < tuning->tuned->count; i++) {
    const struct hone__model_found *found = tuning->found[i];
    const struct hone__model_candidate *candidate;
    if (!ranks_of(tuning, i)) continue;
    candidate = &found->candidates[rank < ranks_of(tuning, i) ? rank : ranks_of(tuning, i) - 1];
    entries[count++] =
        (struct hone__iree_tuning_entry){.name = found->matcher_name,
                                         .matcher = found->matcher,
                                         .compilation_info = candidate->compilation_info,
                                         .decomposition_config = candidate->decomposition_config};
  }
  if (count) hone__iree_tuning_spec_print(entries, count, text);
  free(entries);
}

static void print_specs(const struct hone__model_tuning *tuning, struct profile *profile)
{
  struct hone__digester *digester = hone__digest_begin();

  for (size_t i = 0; i < tuning->tuned->count; i++)
    if (ranks_of(tuning, i) > profile->ranks) profile->ranks = ranks_of(tuning, i);
  for (size_t rank = 0; rank < profile->ranks; rank++) {
    print_rank(tuning, rank, &profile->specs[rank]);
    hone__digest_add_text(digester, profile->specs[rank].data);
  }
  hone__digest_add_text(digester, tuning->state->digest);
  hone__digest_add_text(digester, tuning->state->identity);
  hone__digest_add_text(digester, tuning->state->inputs_digest);
  hone__digest_end(digester, profile->key);
}

/* ---- Modules ---- */

static char *module_of(const struct hone__model_tuning *tuning, size_t version)
{
  if (!version) return hone__model_work_path(tuning, "untuned.vmfb");
  return hone__model_work_path(tuning, "profile-%zu.vmfb", version);
}

static double limit_s(const struct hone__model_tuning *tuning)
{
  return tuning->compile_s > 0 ? fmin(most_s, least_s + most_compiles * tuning->compile_s) : most_s;
}

static hone_status compile(struct hone__model_tuning *tuning, const struct hone__text *spec,
                           size_t version)
{
  const struct hone__model_state *state = tuning->state;
  char *source = hone__model_source(tuning), *module = module_of(tuning, version),
       *path = hone__model_work_path(tuning, "profile-%zu.mlir", version);
  struct hone__text name = {0};
  struct hone__words words = {0};
  hone_status status;

  hone__text_addf(&name, "profile-%zu.mlir", version);
  hone__words_add(&words, source);
  for (size_t i = 0; i < state->words_count; i++)
    hone__words_add(&words, state->words[i]);
  hone__iree_word(&words, "%s%s", hone__model_spec_flag(state->backend), path);
  hone__words_add(&words, "-o");
  hone__words_add(&words, module);
  status = hone__model_work_write_text(tuning, name.data, spec->data);
  if (!status)
    status = hone__iree_run(&tuning->tools, HONE__IREE_COMPILE, hone__words_list(&words),
                            tuning->folder, limit_s(tuning), NULL);
  hone__words_release(&words);
  hone__text_release(&name);
  free(path);
  free(module);
  free(source);
  return status;
}

/* ---- Times ---- */

static void open_times(const struct hone__model_tuning *tuning, struct hone_iree_dispatches *times)
{
  const struct hone__model_state *state = tuning->state;

  *times = (struct hone_iree_dispatches){.time_ns = NAN, .count = state->dispatches_count};
  times->device = hone__strdup(state->device);
  times->function = hone__strdup(state->function);
  times->why_untimed = hone__strdup("");
  times->dispatches = hone__alloc((times->count + 1) * sizeof *times->dispatches);
  for (size_t i = 0; i < times->count; i++)
    times->dispatches[i] = (struct hone_iree_dispatch){
        .name = hone__strdup(state->dispatches[i].name), .time_ns = NAN};
}

static hone_status measure(struct hone__model_tuning *tuning, size_t version,
                           struct hone_iree_dispatches *times, bool *out_done)
{
  const struct hone__model_state *state = tuning->state;
  struct hone__model model = {
      .tools = tuning->tools, .folder = tuning->folder, .module = module_of(tuning, version)};
  struct hone__words call = {0};
  hone_status status;

  hone__iree_word(&call, "--function=%s", state->function);
  for (size_t i = 0; i < state->call_count; i++)
    hone__words_add(&call, state->call[i]);
  status = hone__dispatches_time_within(&model, tuning->options->model, &call, times, out_done);
  hone__words_release(&call);
  free(model.module);
  return status;
}

/* A version that fails is left out, with those behind it: the contest in the model tries their
 * configurations one by one. */
static hone_status leave_out(struct profile *profile, size_t version, hone_status status)
{
  if (hone_status_code(status) == HONE_CANCELLED) return status;
  hone_status_free(status);
  profile->ranks = version ? version - 1 : 0;
  return NULL;
}

static bool has_round(const struct hone__model_tuning *tuning, const struct profile *profile)
{
  return hone__model_has_compiles(tuning, compiles_after,
                                  calls_of_run * (double)(1 + profile->ranks));
}

/* In turns: of all runs of a module the shortest times count. Without time for the first round, the
 * contest in the model tries their configurations one by one. */
static hone_status measure_all(struct hone__model_tuning *tuning, struct profile *profile)
{
  hone_status status = NULL;

  if (!has_round(tuning, profile)) profile->ranks = 0;
  for (size_t round = 0; !status && round < ROUNDS && has_round(tuning, profile); round++)
    for (size_t i = 0; !status && profile->ranks && i <= profile->ranks; i++) {
      bool is_done = false;
      status = measure(tuning, i, &profile->times[i], &is_done);
      if (status || !is_done) status = leave_out(profile, i, status);
    }
  return status;
}

/* Of a dispatch and all with equal operations. */
static double time_of(const struct hone__model_tuning *tuning,
                      const struct hone_iree_dispatches *times, size_t number)
{
  double sum = 0;

  for (size_t i = 0; i < tuning->tuned->count; i++)
    if (i == number || tuning->tuned->dispatches[i].same_as == number + 1)
      sum += times->dispatches[i].time_ns;
  return sum;
}

/* ---- What follows from it ---- */

static int is_faster(const void *a, const void *b)
{
  const struct hone__model_candidate *x = a, *y = b;

  return (x->speedup < y->speedup) - (x->speedup > y->speedup);
}

/* Candidates that were not measured in the model stay behind those that were. */
static void take(struct hone__model_found *found, const double *speedups, size_t count)
{
  for (size_t rank = 0; rank < count; rank++)
    found->candidates[rank].speedup = speedups[rank];
  qsort(found->candidates, count, sizeof *found->candidates, is_faster);
  found->is_profiled = count > 0;
}

static void conclude(struct hone__model_tuning *tuning, const struct profile *profile,
                     struct hone__text *text)
{
  hone__text_addf(text, "%s\n", profile->key);
  for (size_t i = 0; i < tuning->tuned->count; i++) {
    double speedups[MOST_RANKS], before = time_of(tuning, &profile->times[0], i);
    size_t count = ranks_of(tuning, i) < profile->ranks ? ranks_of(tuning, i) : profile->ranks;
    if (!count) continue;
    for (size_t rank = 0; rank < count; rank++) {
      double after = time_of(tuning, &profile->times[1 + rank], i);
      char word[64];
      speedups[rank] = before > 0 && after > 0 ? before / after : 1;
      hone__print_real(word, sizeof word, 'g', 17, speedups[rank]);
      hone__text_addf(text, "%s%s", rank ? " " : "", word);
    }
    hone__text_add(text, "\n");
    take(tuning->found[i], speedups, count);
  }
}

/* False: it is not known. */
static bool read_result(struct hone__model_tuning *tuning, const struct profile *profile)
{
  char *path = hone__model_work_path(tuning, "%s", result_name), *text = NULL, *rest, *line;
  size_t size = 0;
  hone_status status =
      access(path, R_OK) == 0 ? hone__file_read(path, FILE_LIMIT, &text, &size) : NULL;
  bool is_known;

  rest = text;
  line = text ? strsep(&rest, "\n") : NULL;
  is_known = line && strcmp(line, profile->key) == 0 && !tuning->options->tune->fresh;
  for (size_t i = 0; is_known && i < tuning->tuned->count; i++) {
    double speedups[MOST_RANKS];
    size_t count = 0;
    char *word;
    if (!ranks_of(tuning, i)) continue;
    line = strsep(&rest, "\n");
    while (line && count < ranks_of(tuning, i) && (word = strsep(&line, " ")))
      speedups[count++] = hone__strtod(word, NULL);
    take(tuning->found[i], speedups, count);
  }
  hone_status_free(status);
  free(text);
  free(path);
  return is_known;
}

/* ---- All of it ---- */

/* As many as there is time for; what does not compile with others is left to the contest. */
static hone_status compile_all(struct hone__model_tuning *tuning, struct profile *profile)
{
  size_t wanted = profile->ranks;
  hone_status status = NULL;

  for (profile->ranks = 0; !status && profile->ranks < wanted; profile->ranks++) {
    if (!hone__model_has_compiles(tuning, compiles_after + 1, calls_of_run)) break;
    status = compile(tuning, &profile->specs[profile->ranks], profile->ranks + 1);
    if (status) break;
  }
  if (hone_status_code(status) == HONE_CANCELLED) return status;
  hone_status_free(status);
  return NULL;
}

static hone_status make(struct hone__model_tuning *tuning, struct profile *profile)
{
  struct hone__text text = {0};
  hone_status status;

  hone__model_title(tuning, "dispatches within the model");
  for (size_t i = 0; i <= MOST_RANKS; i++)
    open_times(tuning, &profile->times[i]);
  status = compile_all(tuning, profile);
  if (!status && profile->ranks) {
    status = measure_all(tuning, profile);
    if (!status && profile->ranks) {
      conclude(tuning, profile, &text);
      status = hone__model_work_write_text(tuning, result_name, text.data);
    }
  }
  for (size_t i = 0; i <= MOST_RANKS; i++)
    hone__dispatches_release(&profile->times[i]);
  hone__text_release(&text);
  return status;
}

/* One dispatch is proved by the contest as quickly. */
bool hone__model_has_profile(const struct hone__model_tuning *tuning)
{
  struct hone__model model = {.tools = tuning->tools};
  size_t count = 0;

  for (size_t i = 0; i < tuning->tuned->count; i++)
    count += tuning->tuned->dispatches[i].is_tuned;
  return count > 1 && tuning->tools.paths[HONE__IREE_COMPILE] && !*tuning->state->why_untimed &&
         hone__dispatches_can_list(&model, tuning->state->device) &&
         tuning->options->stop_after != HONE_IREE_STAGE_BUILD;
}

hone_status hone__model_profile(struct hone__model_tuning *tuning)
{
  struct profile profile = {0};
  hone_status status = NULL;

  if (!hone__model_has_profile(tuning)) return NULL;
  print_specs(tuning, &profile);
  if (profile.ranks && !read_result(tuning, &profile) &&
      hone__model_has_compiles(tuning, compiles_after + 1, calls_of_run))
    status = make(tuning, &profile);
  for (size_t i = 0; i < MOST_RANKS; i++)
    hone__text_release(&profile.specs[i]);
  return status;
}
