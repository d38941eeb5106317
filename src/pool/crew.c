/* Everything that is to be done is done from one timer: calls and seats only say that there is
 * something (kick). It gives the answers that wait, then hands out errands: each idle seat takes
 * the first of the queue that it may do, after having been told that errand's brief.
 *
 * An errand is in exactly one place: the queue, a seat, or the list of answers.
 */
#include "pool/crew_inside.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

static void on_timer(uv_timer_t *timer);

static void kick(struct hone__crew *crew)
{
  crew->kicked = true;
  uv_timer_start(&crew->timer, on_timer, 0, 0);
}

/* ---- Answers ------------------------------------------------------------------------------- */

static void give(struct hone__crew *crew, struct hone__errand *errand, struct hone__reply *reply)
{
  crew->pending--;
  reply->seat = errand->seat;
  reply->tries = errand->tries;
  hone__errand_answer(errand, reply);
}

void hone__crew_answer_later(struct hone__crew *crew, struct hone__errand *errand,
                             enum hone__outcome outcome, const char *evidence)
{
  errand->outcome = outcome;
  errand->evidence = hone__strdup(evidence);
  hone__errands_insert(&crew->answers, errand);
  kick(crew);
}

static void give_answers(struct hone__crew *crew)
{
  struct hone__errand *errand;

  while ((errand = crew->answers)) {
    struct hone__reply reply = {.outcome = errand->outcome, .evidence = errand->evidence};
    crew->answers = errand->next;
    give(crew, errand, &reply);
  }
}

static void try_again(struct hone__crew *crew, struct hone__errand *errand, uint64_t delay_ms)
{
  errand->not_before_ms = uv_now(crew->options.loop) + delay_ms;
  errand->is_delayed = delay_ms > 0;
  hone__errands_insert(&crew->queue, errand);
  kick(crew);
  if (delay_ms && crew->options.on_delayed) crew->options.on_delayed(crew->options.data);
}

/* ---- Handing out --------------------------------------------------------------------------- */

const struct hone__seat *hone__crew_other_seat(const struct hone__crew *crew,
                                               const struct hone__errand *errand,
                                               const struct hone__seat *except)
{
  for (size_t i = 0; i < crew->options.seat_count; i++)
    if (&crew->seats[i] != except && hone__seat_serves(&crew->seats[i], errand->brief))
      return &crew->seats[i];
  return NULL;
}

static bool may_do(const struct hone__crew *crew, const struct hone__seat *seat,
                   const struct hone__errand *errand)
{
  if (!hone__seat_serves(seat, errand->brief)) return false;
  if (errand->not_before_ms > uv_now(crew->options.loop)) return false;
  if (errand->job.seat != HONE__ANY_SEAT) return errand->job.seat == (int)seat->index;
  return !errand->avoids_seat || errand->seat != (int)seat->index ||
         !hone__crew_other_seat(crew, errand, seat);
}

static struct hone__errand **find_errand(struct hone__crew *crew, const struct hone__seat *seat)
{
  struct hone__errand **at = &crew->queue;

  while (*at && !may_do(crew, seat, *at))
    at = &(*at)->next;
  return at;
}

static void hand_out_to(struct hone__crew *crew, struct hone__seat *seat)
{
  struct hone__errand **at = find_errand(crew, seat), *errand = *at;
  struct hone__brief *brief = errand ? errand->brief : crew->brief;

  if (crew->is_held && errand) return;
  if (brief && seat->brief != brief) {
    if (hone__seat_serves(seat, brief)) hone__seat_prepare(seat, brief, ++crew->next_id);
  } else if (errand) {
    *at = errand->next;
    errand->is_delayed = false;
    hone__seat_do(seat, errand, ++crew->next_id);
  }
}

/* Wakes up for the errands that wait a while before they are tried again. */
static void sleep_until_next(struct hone__crew *crew)
{
  uint64_t now = uv_now(crew->options.loop), next = UINT64_MAX;

  for (const struct hone__errand *errand = crew->queue; errand; errand = errand->next)
    if (errand->not_before_ms > now && errand->not_before_ms < next) next = errand->not_before_ms;
  if (next != UINT64_MAX) uv_timer_start(&crew->timer, on_timer, next - now, 0);
}

/* ---- The end ------------------------------------------------------------------------------- */

static void free_crew(struct hone__crew *crew)
{
  for (size_t i = 0; crew->seats && i < crew->options.seat_count; i++)
    hone__seat_release(&crew->seats[i]);
  free(crew->seats);
  hone__brief_drop(crew->brief);
  free(crew->why);
  free(crew);
}

static void on_timer_closed(uv_handle_t *handle)
{
  struct hone__crew *crew = handle->data;
  void (*closed)(void *) = crew->closed;
  void *data = crew->closed_data;

  free_crew(crew);
  if (closed) closed(data);
}

static void on_timer(uv_timer_t *timer)
{
  struct hone__crew *crew = timer->data;

  crew->kicked = false;
  give_answers(crew);
  if (crew->closing) {
    if (crew->seats_left == 0 && !crew->pending)
      uv_close((uv_handle_t *)&crew->timer, on_timer_closed);
    return;
  }
  for (size_t i = 0; i < crew->options.seat_count; i++)
    if (crew->seats[i].state == HONE__SEAT_IDLE) hand_out_to(crew, &crew->seats[i]);
  hone__crew_settle_absent(crew);
  if (!crew->kicked) sleep_until_next(crew);
}

/* ---- What the seats say -------------------------------------------------------------------- */

static void on_idle(struct hone__seat *seat)
{
  kick(seat->owner);
}

static void on_ready(struct hone__seat *seat, const json_t *ready)
{
  const struct hone__crew_options *options = &((struct hone__crew *)seat->owner)->options;

  if (options->on_ready) options->on_ready(options->data, seat->index, seat->hello, ready);
}

/* The seat has seen to it that there is one. */
static enum hone__outcome read_outcome(const json_t *head, const char **out_evidence)
{
  const char *evidence = json_string_value(json_object_get(head, "evidence"));
  enum hone__outcome outcome = HONE__OUTCOME_PROTOCOL;

  *out_evidence = evidence ? evidence : "";
  hone__outcome_parse(json_string_value(json_object_get(head, "class")), &outcome);
  return outcome;
}

static void on_result(struct hone__seat *seat, struct hone__errand *errand,
                      const struct hone__frame *frame)
{
  struct hone__crew *crew = seat->owner;
  struct hone__reply reply = {
      .head = frame->head, .payload = frame->payload, .payload_size = frame->payload_size};
  uint64_t delay_ms;

  kick(crew);
  reply.outcome = read_outcome(frame->head, &reply.evidence);
  if (!json_is_true(json_object_get(frame->head, "final")) &&
      hone__errand_retries(errand, reply.outcome, &delay_ms)) {
    try_again(crew, errand, delay_ms);
    return;
  }
  if (!crew->closing) hand_out_to(crew, seat); /* it works on while the answer is looked at */
  give(crew, errand, &reply);
}

static void on_worker_lost(struct hone__seat *seat, struct hone__errand *errand)
{
  struct hone__crew *crew = seat->owner;
  struct hone__text evidence = {0};
  uint64_t delay_ms;

  if (hone__errand_retries(errand, HONE__OUTCOME_WORKER_LOST, &delay_ms)) {
    try_again(crew, errand, delay_ms);
    return;
  }
  hone__text_addf(&evidence, "two workers died of it: %s", seat->why);
  hone__crew_answer_later(crew, errand, HONE__OUTCOME_WORKER_LOST, evidence.data);
  hone__text_release(&evidence);
}

static void on_useless(struct hone__seat *seat)
{
  struct hone__crew *crew = seat->owner;
  const struct hone__crew_options *options = &crew->options;

  free(crew->why);
  crew->why = hone__strdup(seat->why);
  kick(crew);
  if (seat->is_spec_wrong && options->on_wrong_spec)
    options->on_wrong_spec(options->data, seat->index, seat->why);
  else if (options->on_lost)
    options->on_lost(options->data, seat->index, seat->why);
}

static void on_note(struct hone__seat *seat, const char *note)
{
  const struct hone__crew_options *options = &((struct hone__crew *)seat->owner)->options;

  if (options->on_note) options->on_note(options->data, seat->index, note);
}

static void on_late(struct hone__seat *seat)
{
  kick(seat->owner);
}

static void on_seat_gone(struct hone__seat *seat)
{
  struct hone__crew *crew = seat->owner;

  crew->seats_left--;
  kick(crew);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static hone_status init_seats(struct hone__crew *crew)
{
  static const struct hone__seat_events events = {.idle = on_idle,
                                                  .ready = on_ready,
                                                  .result = on_result,
                                                  .lost = on_worker_lost,
                                                  .useless = on_useless,
                                                  .note = on_note,
                                                  .late = on_late,
                                                  .gone = on_seat_gone};
  hone_status status = NULL;

  crew->seats = hone__alloc(crew->options.seat_count * sizeof *crew->seats);
  for (size_t i = 0; i < crew->options.seat_count && !status; i++) {
    struct hone__seat *seat = &crew->seats[i];
    seat->loop = crew->options.loop;
    seat->events = &events;
    seat->owner = crew;
    seat->index = i;
    seat->silence_s = crew->options.silence_s;
    seat->grace_s = crew->options.grace_s;
    status = hone__seat_command(seat, &crew->options.seats[i], crew->options.program,
                                crew->options.role);
  }
  return status;
}

/* Three pipes a worker, and what a start and the rest of the program need. */
static hone_status check_files(size_t seat_count)
{
  enum { FILES_A_SEAT = 3, OTHER_FILES = 40 };
  rlim_t needed = FILES_A_SEAT * (rlim_t)seat_count + OTHER_FILES;
  struct rlimit limit;

  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return NULL;
  limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= needed) return NULL;
  return hone__error(
      HONE_EXHAUSTED,
      "the limit of the number of open files is %llu, %zu workers need %llu: raise it "
      "with 'ulimit -n %llu', or use fewer workers",
      (unsigned long long)limit.rlim_cur, seat_count, (unsigned long long)needed,
      (unsigned long long)needed);
}

hone_status hone__crew_open(const struct hone__crew_options *options, struct hone__crew **out_crew)
{
  struct hone__crew *crew = hone__alloc(sizeof *crew);
  hone_status status;

  *out_crew = NULL;
  crew->options = *options;
  if (!(crew->options.silence_s > 0)) crew->options.silence_s = 10;
  if (!(crew->options.grace_s > 0)) crew->options.grace_s = 60;
  status = check_files(options->seat_count);
  if (!status) status = init_seats(crew);
  if (status) {
    free_crew(crew);
    return status;
  }
  signal(SIGPIPE, SIG_IGN); /* a worker may go at any time: that is an error of a write */
  uv_timer_init(options->loop, &crew->timer);
  crew->timer.data = crew;
  for (size_t i = 0; i < options->seat_count; i++)
    hone__seat_open(&crew->seats[i]);
  *out_crew = crew;
  return NULL;
}

/* ---- What the driver asks for -------------------------------------------------------------- */

void hone__crew_setup(struct hone__crew *crew, json_t *head, void *payload, size_t payload_size)
{
  hone__brief_drop(crew->brief);
  crew->brief = hone__brief_new(head, payload, payload_size);
  kick(crew);
}

void hone__crew_submit(struct hone__crew *crew, const struct hone__job *job)
{
  struct hone__errand *errand = hone__errand_new(job, crew->brief, crew->next_number++);

  if (job->seat < HONE__ANY_SEAT || job->seat >= (int)crew->options.seat_count)
    HONE__BUG("a job for a seat that is not there");
  crew->pending++;
  if (crew->closing) {
    hone__crew_answer_later(crew, errand, HONE__OUTCOME_INTERRUPTED, "");
    return;
  }
  if (!job->head) { /* an empty one would be done as if it meant something */
    hone__crew_answer_later(
        crew, errand, HONE__OUTCOME_PROTOCOL,
        "the job cannot be written as JSON: a number in it is not finite, or a text is "
        "not UTF-8");
    return;
  }
  hone__errands_insert(&crew->queue, errand);
  kick(crew);
}

static bool is_free(const struct hone__crew *crew, const struct hone__seat *seat)
{
  if (seat->state != HONE__SEAT_IDLE || seat->brief != crew->brief) return false;
  for (const struct hone__errand *errand = crew->queue; errand; errand = errand->next)
    if (errand->job.seat == (int)seat->index) return false;
  return true;
}

size_t hone__crew_idle(const struct hone__crew *crew)
{
  size_t idle = 0, queued = 0;

  for (const struct hone__errand *errand = crew->queue; errand; errand = errand->next)
    queued += errand->job.seat == HONE__ANY_SEAT;
  for (size_t i = 0; i < crew->options.seat_count; i++)
    idle += is_free(crew, &crew->seats[i]);
  return idle > queued ? idle - queued : 0;
}

size_t hone__crew_usable(const struct hone__crew *crew)
{
  size_t usable = 0;

  for (size_t i = 0; i < crew->options.seat_count; i++)
    usable += hone__seat_serves(&crew->seats[i], crew->brief);
  return usable;
}

size_t hone__crew_pending(const struct hone__crew *crew)
{
  return crew->pending;
}

size_t hone__crew_delayed(const struct hone__crew *crew, int seat)
{
  size_t count = 0;

  for (const struct hone__errand *errand = crew->queue; errand; errand = errand->next)
    count += errand->is_delayed && errand->job.seat == seat;
  return count;
}

void hone__crew_hold(struct hone__crew *crew, bool is_held)
{
  if (crew->is_held && !is_held) kick(crew);
  crew->is_held = is_held;
}

double hone__crew_worked_s(const struct hone__crew *crew, size_t seat)
{
  return crew->seats[seat].worked_s;
}

void hone__crew_cancel_waiting(struct hone__crew *crew)
{
  struct hone__errand *errand;

  if (!crew) return;
  while ((errand = crew->queue)) {
    crew->queue = errand->next;
    hone__crew_answer_later(crew, errand, HONE__OUTCOME_INTERRUPTED, "");
  }
}

void hone__crew_cancel(struct hone__crew *crew)
{
  if (!crew) return;
  hone__crew_cancel_waiting(crew);
  for (size_t i = 0; i < crew->options.seat_count; i++)
    if (crew->seats[i].state == HONE__SEAT_BUSY)
      hone__crew_answer_later(crew, hone__seat_interrupt(&crew->seats[i]),
                              HONE__OUTCOME_INTERRUPTED, "");
}

void hone__crew_close(struct hone__crew *crew, void (*closed)(void *data), void *data)
{
  assert(!crew->closing);
  crew->closing = true;
  crew->closed = closed;
  crew->closed_data = data;
  crew->seats_left = crew->options.seat_count;
  hone__crew_cancel(crew);
  for (size_t i = 0; i < crew->options.seat_count; i++)
    hone__seat_close(&crew->seats[i]);
  kick(crew);
}
