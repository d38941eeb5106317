#include "saved_baselines.h"

#include "show_results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The runs of a name ---- */

static void add_run(struct saved_runs *saved, int64_t run)
{
  saved->runs = check_memory(realloc(saved->runs, (saved->count + 1) * sizeof *saved->runs));
  saved->runs[saved->count++] = run;
}

static void add_named(const struct hone_baseline_list *list, const char *name,
                      struct saved_runs *saved)
{
  for (size_t i = 0; i < hone_baseline_list_count(list); i++)
    if (strcmp(hone_baseline_list_name(list, i), name) == 0)
      add_run(saved, hone_baseline_list_run(list, i));
}

static bool is_first_of_name(const struct hone_baseline_list *list, size_t i)
{
  return i == 0 ||
         strcmp(hone_baseline_list_name(list, i), hone_baseline_list_name(list, i - 1)) != 0;
}

static void complain(const struct hone_baseline_list *list, const char *name)
{
  if (!hone_baseline_list_count(list)) {
    message_error("no baseline is saved as '%s': 'hone tune FILE --save-baseline %s' saves one",
                  name, name);
    return;
  }
  message_error("no baseline is saved as '%s'; these are:", name);
  for (size_t i = 0; i < hone_baseline_list_count(list); i++)
    if (is_first_of_name(list, i)) message_line("  %s", hone_baseline_list_name(list, i));
}

bool saved_runs_find(struct hone_store *store, const char *name, struct saved_runs *out_runs)
{
  struct hone_baseline_list *list = NULL;
  hone_status status = hone_store_baselines(store, &list);

  *out_runs = (struct saved_runs){0};
  if (status) {
    message_status(status);
    return false;
  }
  add_named(list, name, out_runs);
  if (!out_runs->count) complain(list, name);
  hone_baseline_list_free(list);
  return out_runs->count > 0;
}

void saved_runs_release(struct saved_runs *saved)
{
  free(saved->runs);
  *saved = (struct saved_runs){0};
}

/* ---- The one to compare with ---- */

/* SIZE_MAX: it is something else. */
static size_t distance(const struct hone_results *a, const struct hone_results *b)
{
  struct hone_differences *differences = hone_results_differences(a, b);
  size_t count = hone_differences_count(differences);

  for (size_t i = 0; i < hone_differences_count(differences); i++) {
    enum hone_subject subject = hone_differences_subject(differences, i);
    if (subject == HONE_SUBJECT_KERNEL || subject == HONE_SUBJECT_PROBLEM) count = SIZE_MAX;
  }
  hone_differences_free(differences);
  return count;
}

hone_status saved_runs_choose(struct hone_store *store, const struct saved_runs *saved,
                              const struct hone_results *of, int64_t *out_run)
{
  size_t least = SIZE_MAX;

  *out_run = 0;
  for (size_t i = 0; i < saved->count; i++) {
    struct hone_results *results = NULL;
    hone_status status = hone_results_load(store, saved->runs[i], &results);
    size_t here;
    if (status) return status;
    here = distance(results, of);
    if (here < least) *out_run = saved->runs[i];
    if (here < least) least = here;
    hone_results_free(results);
  }
  return NULL;
}

/* ---- Names among words ---- */

static bool is_run_word(const char *word)
{
  return strcmp(word, "last") == 0 || (*word && !word[strspn(word, "0123456789")]);
}

/* The results of the first word that is a run; NULL: there is none. */
static hone_status load_first_run(struct hone_store *store, const struct word_list *words,
                                  struct hone_results **out_results)
{
  *out_results = NULL;
  for (size_t i = 0; i < words->count; i++)
    if (is_run_word(words->words[i]))
      return hone_results_load(store, strtoll(words->words[i], NULL, 10), out_results);
  return NULL;
}

static void complain_of_several(const char *name, const struct saved_runs *saved)
{
  message_error("'%s' stands for %zu runs: compare it with a run, or give one of these:", name,
                saved->count);
  for (size_t i = 0; i < saved->count; i++)
    message_line("  %" PRId64, saved->runs[i]);
}

static bool choose_run(struct hone_store *store, const struct word_list *words, const char *name,
                       const struct saved_runs *saved, int64_t *out_run)
{
  struct hone_results *other = NULL;
  hone_status status = NULL;

  *out_run = saved->runs[0];
  if (saved->count == 1) return true;
  status = load_first_run(store, words, &other);
  if (other) status = saved_runs_choose(store, saved, other, out_run);
  if (!status && !other) complain_of_several(name, saved);
  if (!status && other && !*out_run)
    message_error(*hone_results_problem(other) ? "'%s' has no run of '%s' for the problem '%s'"
                                               : "'%s' has no run of '%s'",
                  name, hone_results_name(other), hone_results_problem(other));
  if (status) message_status(status);
  hone_results_free(other);
  return other && *out_run && !status;
}

static bool resolve(struct hone_store *store, const struct word_list *words, const char *word,
                    const struct hone_baseline_list *list, char **out_text)
{
  struct saved_runs saved = {0};
  char number[32];
  int64_t run;
  bool is_chosen;

  *out_text = NULL;
  add_named(list, word, &saved);
  if (!saved.count) return true;
  is_chosen = choose_run(store, words, word, &saved, &run);
  snprintf(number, sizeof number, "%" PRId64, run);
  if (is_chosen) *out_text = check_memory(strdup(number));
  saved_runs_release(&saved);
  return is_chosen;
}

bool saved_names_resolve(const char *path, const struct word_list *words,
                         struct word_list *out_words, char ***out_texts)
{
  struct hone_baseline_list *list = NULL;
  struct hone_store *store = NULL;
  hone_status status = hone_store_open(path, &store);
  bool is_good = true;

  *out_words = (struct word_list){0};
  *out_texts = check_memory(calloc(words->count + 1, sizeof **out_texts));
  if (!status) status = hone_store_baselines(store, &list);
  for (size_t i = 0; i < words->count && is_good; i++) {
    char **text = &(*out_texts)[i];
    if (!status) is_good = resolve(store, words, words->words[i], list, text);
    word_list_add(out_words, *text ? *text : words->words[i]);
  }
  hone_status_free(status); /* without a store there are no names; files are compared as well */
  hone_baseline_list_free(list);
  hone_store_free(store);
  return is_good;
}
