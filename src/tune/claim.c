/* One process makes a run at a time. Whoever comes second waits and is then answered by it, or goes
 * on with it where the first was stopped. */
#include "tune/tuning.h"

#include "base/clock.h"

/* "run 12 is being tuned by pid 4711 on host b5": not known between the lock and the first row. */
static hone_status describe_maker(struct hone__tuning *tuning, const char **out_text)
{
  struct hone__run_maker maker;
  hone_status status =
      hone__store_run_maker(tuning->session.entry.store, tuning->session.entry.run.key, &maker);

  *out_text = maker.run ? hone__arena_printf(&tuning->session.arena,
                                             "run %lld is being tuned by pid %lld on host %s",
                                             (long long)maker.run, (long long)maker.pid, maker.host)
                        : "this problem is being tuned by another process";
  return status;
}

/* What others needed is not taken from the budget. */
static void wait_for_it(struct hone__tuning *tuning)
{
  double before = hone__clock(), waited;

  hone__run_lock_take(&tuning->session.entry.lock, tuning->session.entry.store,
                      tuning->session.entry.run.key, true);
  waited = hone__clock() - before;
  tuning->session.control.started += waited;
  tuning->session.control.stop_at += waited;
}

hone_status hone__tuning_claim(struct hone__tuning *tuning)
{
  hone_status status = NULL;
  const char *text;

  if (!hone__run_lock_take(&tuning->session.entry.lock, tuning->session.entry.store,
                           tuning->session.entry.run.key, false)) {
    status = describe_maker(tuning, &text);
    if (status) return status;
    if (tuning->session.settings.options->no_wait)
      return hone__error(HONE_UNAVAILABLE, "%s; without --no-wait this command waits for it", text);
    hone__tuning_say(tuning, HONE_EVENT_NOTE, "%s: waiting (--no-wait ends instead)", text);
    wait_for_it(tuning);
  }
  tuning->session.entry.run.is_locked = tuning->session.entry.lock.is_held;
  return NULL;
}
