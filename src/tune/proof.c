/* A kernel that is wrong in few of its calls, as one with a data race is, passes the samples of a
 * contest by chance. So the one that would win is called some hundred times more, and all of its
 * answers are compared: of a kernel that is wrong in 2 % of its calls 300 right answers in a row
 * are seen once in 400 times. */
#include "base/clock.h"
#include "tune/contest.h"

enum { CALLS = 300 };
static const double LEAST_S = 0.2, MOST_S = 1, SHARE = 0.04; /* of the run so far */

struct proof {
  struct hone__contest *contest;
  size_t entrant, site;
};

static void on_reply(void *data, const struct hone__reply *reply)
{
  const struct proof *proof = data;
  struct hone__run_part part = hone__run_part(reply, 0);

  proof->contest->pending--;
  hone__session_count_comparisons(&proof->contest->tuning->session, reply);
  if (part.is_given && !hone__outcome_works(part.outcome) &&
      hone__outcome_blame(part.outcome) == HONE__BLAME_CANDIDATE)
    hone__racer_fail(proof->contest, &proof->contest->finals, proof->entrant, proof->site, &part);
}

/* Calls of programs take long, and each of them was checked; recordings have none. */
static bool has_calls(const struct hone__tuning *tuning)
{
  return hone__answers_are_checked(hone__session_answers(&tuning->session)) &&
         !tuning->session.problem.task.backend->sample_is_run &&
         json_object_get(tuning->session.problem.setup.head, "args");
}

static void ask(struct proof *proof)
{
  struct hone__contest *contest = proof->contest;
  struct hone__tuning *tuning = contest->tuning;
  double spent_s = hone__clock() - tuning->session.control.started;
  struct hone__run_request request = {.mode = "screen",
                                      .phase = "confirm",
                                      .candidates =
                                          &contest->finals.racers[proof->entrant]->candidate,
                                      .count = 1,
                                      .slot = (int)proof->site,
                                      .check = true,
                                      .every = true,
                                      .samples = CALLS,
                                      .budget_s = fmin(fmax(SHARE * spent_s, LEAST_S), MOST_S),
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

bool hone__contest_prove(struct hone__contest *contest)
{
  struct hone__field *finals = &contest->finals;
  int leader = hone__standings_leader(&finals->standings, HONE__CLAIM_FASTER);
  struct proof proof = {.contest = contest, .entrant = (size_t)leader};

  if (leader < 0 || contest->tuning->session.control.aborting ||
      finals->racers[leader]->is_proved || !has_calls(contest->tuning) ||
      !find_site(contest->tuning, &proof.site))
    return true;
  contest->failed = false;
  finals->racers[leader]->is_proved = true;
  ask(&proof);
  return !finals->standings.entrants[leader].failed;
}
