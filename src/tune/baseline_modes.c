/* Whether a run's baseline has two times: searches everything the store has of it on a device,
 * first its readings, each of which is a separate job, then its half of the confirmation's pairs.
 * The load differs between the two, but that is a single step and is not reported.
 */
#include "tune/baseline_modes.h"

#include "base/number.h"
#include "session/sample_facts.h"
#include "store/stored.h"

#include <stdlib.h>

/* ---- The note ---- */

static void add_time(struct hone__text *text, double ns)
{
  char number[64];

  hone__print_time(number, sizeof number, ns);
  hone__text_add(text, number);
}

bool hone__tuning_modes_describe(const struct hone__modes *modes, const char *whose,
                                 struct hone__text *text)
{
  if (!modes->found) return false;
  hone__text_addf(text, "times of %s form two groups, ", whose);
  add_time(text, modes->low_ns);
  hone__text_add(text, " and ");
  add_time(text, modes->high_ns);
  if (modes->by_process)
    hone__text_addf(text,
                    ": %zu of %zu processes had the longer time, because of memory layout or of "
                    "other programs. Fix the layout (huge pages, aligned buffers) and stop other "
                    "programs, or expect a speedup that varies between processes",
                    modes->high_count, modes->count);
  else
    hone__text_addf(text,
                    ", within one process: %zu of %zu samples had the longer time, because of the "
                    "clock, of other programs or of the kernel itself. Fix the clock and stop "
                    "other programs, or expect a speedup that varies over time",
                    modes->high_count, modes->count);
  return true;
}

void hone__tuning_modes_write(struct hone__json_writer *writer, const char *key,
                              const struct hone__modes *modes, const char *device)
{
  if (!modes->found) {
    hone__json_null(writer, key);
    return;
  }
  hone__json_open(writer, key, '{');
  hone__json_real(writer, "low_ns", modes->low_ns);
  hone__json_real(writer, "high_ns", modes->high_ns);
  hone__json_text(writer, "of", modes->by_process ? "processes" : "samples");
  hone__json_integer(writer, "high_count", modes->high_count);
  hone__json_integer(writer, "count", modes->count);
  if (device) hone__json_text(writer, "device", device);
  hone__json_close(writer, '}');
}

/* ---- The run ---- */

struct series {
  size_t site;
  uint32_t number; /* number of the next samples */
  double *times_ns;
  uint32_t *processes;
  size_t count;
};

static bool is_of_site(const struct series *series, const char *facts)
{
  int slot = hone__sample_facts_slot(facts);

  return slot < 0 || (size_t)slot == series->site;
}

/* NULL: these are not used. Pairs hold the baseline's times next to those of a candidate; those of
 * the race are taken in the process of the readings, and add nothing new. */
static const double *baseline_times(const struct hone__samples *samples)
{
  if (samples->phase == HONE_PHASE_BASELINE) return samples->times_ns;
  if (samples->phase == HONE_PHASE_CONFIRM) return samples->baseline_ns;
  return NULL;
}

static void take_samples(void *data, const struct hone__samples *samples)
{
  struct series *series = data;
  const double *times = baseline_times(samples);
  size_t count = series->count + samples->count;

  if (!times || !is_of_site(series, samples->facts)) return;
  series->times_ns = hone__realloc(series->times_ns, (count + 1) * sizeof(double));
  series->processes = hone__realloc(series->processes, (count + 1) * sizeof(uint32_t));
  for (size_t i = 0; i < samples->count; i++) {
    if (!(times[i] > 0)) continue;
    series->times_ns[series->count] = times[i];
    series->processes[series->count++] = series->number;
  }
  series->number++;
}

static struct hone__modes modes_of(struct hone__tuning *tuning, size_t site, int64_t best)
{
  const int64_t evaluations[] = {tuning->session.workers.sites[site].evaluation, best};
  struct series series = {.site = site};
  struct hone__modes modes;

  for (size_t i = 0; i < 2; i++)
    if (evaluations[i])
      hone__control_fail(
          &tuning->session.control,
          hone__store_samples(tuning->session.entry.store, evaluations[i], take_samples, &series));
  modes = hone__modes_find(series.times_ns, series.processes, series.count);
  free(series.times_ns);
  free(series.processes);
  return modes;
}

/* A finalist that stayed in the confirmation to its end. */
static int64_t evaluation_of_best(const struct hone__tuning *tuning)
{
  for (size_t i = 0; tuning->session.entry.result.winner && i < tuning->ranking.count; i++)
    if (strcmp(tuning->ranking.entries[i].config, tuning->session.entry.result.winner) == 0)
      return tuning->ranking.entries[i].evaluation;
  return 0;
}

void hone__tuning_note_modes(struct hone__tuning *tuning)
{
  int64_t best = evaluation_of_best(tuning);
  struct hone__json_writer list = {0};
  size_t found = 0;

  hone__json_open(&list, NULL, '[');
  for (size_t i = 0; i < tuning->session.workers.site_count && !tuning->session.control.aborting;
       i++) {
    struct hone__modes modes = modes_of(tuning, i, best);
    struct hone__text text = {0};
    if (hone__tuning_modes_describe(&modes, "the baseline", &text)) {
      hone__session_say(&tuning->session, HONE_EVENT_WARNING, "device '%s': %s",
                        tuning->session.workers.sites[i].device, text.data);
      hone__tuning_modes_write(&list, NULL, &modes, tuning->session.workers.sites[i].device);
      found++;
    }
    hone__text_release(&text);
  }
  hone__json_close(&list, ']');
  if (found) tuning->session.entry.result.two_groups = hone__text_take(&list.text);
  hone__text_release(&list.text);
}
