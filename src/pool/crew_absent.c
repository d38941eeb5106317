/* Seats without a worker, and what becomes of their errands.
 *
 * A launcher may wait for a machine as long as it likes, but nobody waits for it who need not:
 * while another seat works, a seat that has had no worker for a while is set aside, and the errands
 * that name it are answered WORKER_LOST, for whoever submitted them to have them done elsewhere. It
 * is taken back when its worker is ready, or when no other is left to work. */
#include "pool/crew_inside.h"

static const struct hone__seat *fixed_seat(const struct hone__crew *crew,
                                           const struct hone__errand *errand)
{
  return errand->job.seat == HONE__ANY_SEAT ? NULL : &crew->seats[errand->job.seat];
}

/* ---- Who is set aside ---- */

/* A restart takes a moment: it is not looked at. */
static bool is_working(const struct hone__crew *crew, const struct hone__seat *seat)
{
  const struct hone__crew_options *options = &crew->options;

  if (!seat->was_ready || hone__seat_is_late(seat)) return false;
  if (!hone__seat_serves(seat, crew->brief)) return false;
  return !options->is_working || options->is_working(options->data, seat->index);
}

static bool others_work(const struct hone__crew *crew, const struct hone__seat *except)
{
  for (size_t i = 0; i < crew->options.seat_count; i++)
    if (&crew->seats[i] != except && is_working(crew, &crew->seats[i])) return true;
  return false;
}

static void set_aside(struct hone__crew *crew, struct hone__seat *seat, bool is_aside)
{
  const struct hone__crew_options *options = &crew->options;

  seat->is_aside = is_aside;
  if (is_aside && options->on_away) options->on_away(options->data, seat->index, seat->why);
  if (!is_aside && options->on_back) options->on_back(options->data, seat->index);
}

static void settle_seat(struct hone__crew *crew, struct hone__seat *seat)
{
  bool is_aside =
      hone__seat_serves(seat, crew->brief) && hone__seat_is_late(seat) && others_work(crew, seat);

  if (is_aside != seat->is_aside && hone__seat_serves(seat, crew->brief))
    set_aside(crew, seat, is_aside);
}

/* ---- Errands that nobody will do ---- */

static bool is_hopeless(const struct hone__crew *crew, const struct hone__errand *errand)
{
  const struct hone__seat *seat = fixed_seat(crew, errand);

  if (!seat) return !hone__crew_other_seat(crew, errand, NULL);
  if (!hone__seat_serves(seat, errand->brief) || seat->is_aside) return true;
  return errand->job.may_be_skipped && hone__seat_is_late(seat);
}

static void drop_hopeless(struct hone__crew *crew)
{
  struct hone__errand **at = &crew->queue;

  while (*at) {
    struct hone__errand *errand = *at;
    const struct hone__seat *seat = fixed_seat(crew, errand);
    const char *why = seat ? seat->why : crew->why;
    if (!is_hopeless(crew, errand)) {
      at = &errand->next;
      continue;
    }
    *at = errand->next;
    hone__crew_answer_later(crew, errand, HONE__OUTCOME_WORKER_LOST,
                            why ? why : "no worker is there");
  }
}

void hone__crew_settle_absent(struct hone__crew *crew)
{
  for (size_t i = 0; i < crew->options.seat_count; i++)
    settle_seat(crew, &crew->seats[i]);
  drop_hopeless(crew);
}
