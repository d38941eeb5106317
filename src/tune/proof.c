/* A kernel that is wrong in few of its calls, for example because of a data race, may pass the
 * samples of a contest by chance. One that is wrong after some hundred calls in a process, for
 * example because it fills a table, never gets that far there. The leading candidate is therefore
 * called in one process as often as a bounded time allows, and all of its answers are compared. A
 * kernel that is wrong in 2 % of its calls gives 300 right answers in a row once in 400 times.
 */
#include "tune/contest.h"
#include "tune/quick.h"
#include "tune/withdraw.h"

enum { MOST_CALLS = 10000, WANTED_CALLS = 400 };
static const double LEAST_S = 0.2, MOST_S = 1;
static const double SHARE = 0.02, MOST_SHARE = 0.04; /* of the run so far; more for slow kernels */
static const double SHORTEST_S = 0.05;

struct proof {
  struct hone__contest *contest;
  size_t entrant, site;
};

/* Seconds; in a bounded run what is left, less what comes before the first sample. */
static double budget_s(const struct hone__contest *contest, size_t entrant)
{
  const struct hone__control *control = &contest->tuning->session.control;
  double now = hone__control_now(control), spent_s = now - control->started;
  double wanted_s = 1e-9 * WANTED_CALLS * contest->finals.racers[entrant]->sample_ns;
  double share_s = fmax(SHARE * spent_s, fmin(wanted_s, MOST_SHARE * spent_s));
  double most_s = fmin(fmax(share_s, LEAST_S), MOST_S);

  if (!hone__quick_is_bounded(contest->tuning)) return most_s;
  return fmax(fmin(most_s, control->cut_at - now - hone__quick_proof_s(contest->tuning) + LEAST_S),
              SHORTEST_S);
}

/* Time was over before it ended. */
static void leave_open(const struct proof *proof)
{
  struct hone__entrant *e = &proof->contest->finals.standings.entrants[proof->entrant];

  e->claim = HONE__CLAIM_OPEN;
  e->is_open = e->out = true;
}

static void on_reply(void *data, const struct hone__reply *reply)
{
  const struct proof *proof = data;
  struct hone__run_part part = hone__run_part(reply, 0);

  proof->contest->pending--;
  if (reply->outcome == HONE_OUTCOME_INTERRUPTED && proof->contest->tuning->session.control.is_cut)
    leave_open(proof);
  hone__session_count_comparisons(&proof->contest->tuning->session, reply);
  if (part.is_given && !hone__outcome_works(part.outcome) &&
      hone__outcome_blame(part.outcome) == HONE__BLAME_CANDIDATE)
    hone__racer_fail(proof->contest, &proof->contest->finals, proof->entrant, proof->site, &part);
}

/* Calls of programs are slow, and each of them was checked; recordings have none. */
static bool has_calls(const struct hone__tuning *tuning)
{
  return hone__answers_are_checked(hone__session_answers(&tuning->session)) &&
         hone__backend_calls_kernels(tuning->session.problem.task.backend);
}

static void run_calls(struct proof *proof)
{
  struct hone__contest *contest = proof->contest;
  struct hone__tuning *tuning = contest->tuning;
  struct hone__run_request request = {.mode = HONE__RUN_SCREEN,
                                      .phase = HONE_PHASE_CONFIRM,
                                      .candidates =
                                          &contest->finals.racers[proof->entrant]->candidate,
                                      .count = 1,
                                      .slot = (int)proof->site,
                                      .check = true,
                                      .every = true,
                                      .samples = MOST_CALLS,
                                      .budget_s = budget_s(contest, proof->entrant),
                                      .seed = hone__random_u64(&contest->random)};
  struct hone__job job = hone__run_job(&tuning->session, &request);

  job.done = on_reply;
  job.data = proof;
  contest->pending++;
  hone__pool_submit(tuning->session.workers.runners, &job);
  hone__control_wait(&tuning->session.control, &contest->pending);
  hone__session_abandon(&tuning->session, &contest->pending);
}

static bool find_site(const struct hone__tuning *tuning, size_t *out_site)
{
  for (*out_site = 0; *out_site < tuning->session.workers.site_count; ++*out_site)
    if (tuning->session.workers.sites[*out_site].usable) return true;
  return false;
}

/* Whether its answers are right, as far as calls can show. */
static bool is_right(struct hone__contest *contest, size_t entrant)
{
  struct hone__entrants *finals = &contest->finals;
  struct proof proof = {.contest = contest, .entrant = entrant};

  if (contest->tuning->session.control.aborting || finals->racers[entrant]->is_proved ||
      !has_calls(contest->tuning) || !find_site(contest->tuning, &proof.site))
    return true;
  contest->failed = false;
  finals->racers[entrant]->is_proved = true;
  run_calls(&proof);
  return !finals->standings.entrants[entrant].failed && !contest->tuning->session.control.is_cut;
}

bool hone__contest_prove(struct hone__contest *contest)
{
  int leader = hone__standings_leader(&contest->finals.standings, HONE__CLAIM_FASTER);

  return leader < 0 || is_right(contest, (size_t)leader);
}

/* ---- Without a confirmation ---- */

/* Its entrant, which is created if it is not among the finalists. False: it cannot be built. */
static bool find_entrant(struct hone__contest *contest, const struct hone__ranked *ranked,
                         size_t *out_entrant)
{
  struct hone__entrants *finals = &contest->finals;
  struct hone__racer *racer;

  for (*out_entrant = 0; *out_entrant < finals->count; ++*out_entrant)
    if (finals->racers[*out_entrant]->evaluation == ranked->evaluation) return true;
  racer = hone__racer_make(contest->tuning, ranked);
  hone__contest_enter(contest, racer, 0);
  if (racer->candidate) hone__candidates_fetch(contest->tuning, &racer->candidate, 1);
  return racer->candidate && racer->candidate->bytes;
}

void hone__contest_prove_best(struct hone__contest *contest)
{
  const struct hone__ranked *best;
  size_t entrant;

  while (has_calls(contest->tuning) && hone__contest_in_time(contest, contest->until) &&
         (best = hone__ranking_best_screened(contest->tuning)) &&
         find_entrant(contest, best, &entrant) && !is_right(contest, entrant)) {}
}
