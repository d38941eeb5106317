/* The next ticket: the baseline first, then what the strategy requests, without what is known and
 * what the host's filter rejects. */
#include "ask/ask.h"

#include <math.h>
#include <stdlib.h>

/* ---- How far it goes ---- */

static enum hone_search_end end_of_search(const struct hone_search *search)
{
  if (search->only != HONE__ASK_NO_TRIAL) return HONE_END_ONE;
  if (!search->baseline_is_asked) return HONE_END_NONE;
  if (search->is_exhausted) return HONE_END_SPACE;
  if (search->told_count + search->open >= search->evaluations) return HONE_END_EVALUATIONS;
  if (!hone__patience_left(&search->patience)) return HONE_END_PATIENCE;
  return HONE_END_NONE;
}

enum hone_search_end hone__ask_end(const struct hone_search *search)
{
  if (search->confirmation.is_complete) return HONE_END_CONFIRMED;
  return search->confirmation.is_under_way ? HONE_END_NONE : end_of_search(search);
}

/* ---- The filter ---- */

/* Why the host rejects a row; NULL: it does not. The text is in the arena. */
static const char *why_rejected(struct hone_search *search, const uint32_t *row, const char *config)
{
  struct hone__stage_subject subject = {
      .row = row, .config = config, .time_ns = NAN, .baseline_ns = NAN};
  struct hone__text why = {0};
  const char *kept = NULL;
  uint64_t index;

  if (search->rejections)
    return hone_space_index_of(search->space, row, &index) ? search->rejections[index] : NULL;
  if (search->strategy == &hone__search_selected) return NULL; /* the filter has seen them */
  if (!hone__stages_admit(&search->stages, HONE_STAGE_GENERATE, &subject, &why))
    kept = hone__arena_strdup(&search->arena, why.data);
  hone__text_release(&why);
  return kept;
}

/* It is data like every other failure, but costs the host nothing and counts for no budget. */
static hone_status reject(struct hone_search *search, uint32_t number, const char *why)
{
  hone_status status;

  hone__ask_set_failure(search, number, HONE_OUTCOME_INVALID, why);
  search->trials[number].is_rejected = true;
  status = hone__ask_store_put(search, number, HONE_PHASE_SCREEN, NULL, 0);
  hone__ask_learn(search, number);
  return status;
}

/* ---- Asking ---- */

/* *out_trial is NO_TRIAL where there is nothing to ask about this row. */
static hone_status take_row(struct hone_search *search, const uint32_t *row, uint32_t *out_trial)
{
  char *config = hone__task_config(&search->task, row);
  const char *why;
  hone_status status = NULL;
  uint32_t number;

  *out_trial = HONE__ASK_NO_TRIAL;
  if (!hone__key_map_has(&search->by_config, config)) {
    why = why_rejected(search, row, config);
    number = hone__ask_add_trial(search, row, config);
    search->trials[number].asked = (int64_t)++search->asked;
    if (why)
      status = reject(search, number, why);
    else
      *out_trial = number;
  }
  free(config);
  return status;
}

static hone_status ask_strategy(struct hone_search *search, hone_ticket *out_ticket)
{
  uint32_t *row = hone__alloc(search->width * sizeof *row), trial = HONE__ASK_NO_TRIAL;
  hone_status status = NULL;

  while (!status && trial == HONE__ASK_NO_TRIAL) {
    if (!hone__search_set_ask(search->set, 1, row)) {
      search->is_exhausted = !search->open && search->trials[HONE__ASK_BASELINE].is_told;
      break;
    }
    status = take_row(search, row, &trial);
  }
  if (!status && trial != HONE__ASK_NO_TRIAL) {
    search->open++;
    *out_ticket = search->trials[trial].ticket;
  }
  free(row);
  return status;
}

hone_status hone__ask_next(struct hone_search *search, hone_ticket *out_ticket)
{
  *out_ticket = 0;
  if (search->confirmation.is_under_way || search->confirmation.is_complete)
    return hone__ask_confirm_next(search, out_ticket);
  if (end_of_search(search) != HONE_END_NONE) return NULL;
  if (!search->baseline_is_asked) {
    search->baseline_is_asked = true;
    *out_ticket = search->trials[HONE__ASK_BASELINE].ticket;
    return NULL;
  }
  return ask_strategy(search, out_ticket);
}

hone_status hone_search_ask(struct hone_search *search, hone_ticket *out_ticket)
{
  hone_status status;

  pthread_mutex_lock(&search->lock);
  status = hone__ask_next(search, out_ticket);
  pthread_mutex_unlock(&search->lock);
  return status;
}

/* Some ticket has no answer yet: waiting makes sense only then. */
static bool is_any_open(const struct hone_search *search)
{
  const struct hone__ask_confirmation *c = &search->confirmation;

  if (c->is_under_way) return c->answered < c->next;
  return search->open || (search->baseline_is_asked && !search->trials[HONE__ASK_BASELINE].is_told);
}

hone_status hone_search_wait(struct hone_search *search, hone_ticket *out_ticket)
{
  hone_status status;

  pthread_mutex_lock(&search->lock);
  while (!(status = hone__ask_next(search, out_ticket)) && !*out_ticket &&
         hone__ask_end(search) == HONE_END_NONE && is_any_open(search))
    pthread_cond_wait(&search->changed, &search->lock);
  pthread_mutex_unlock(&search->lock);
  return status;
}
