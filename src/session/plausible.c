/* Three rules, each with its own bound. */
#include "session/plausible.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* memset is not the fastest way to write on every machine, and measurements may be disturbed. */
static const double SPARE = 4, MOST_SPEEDUP = 100;

/* "GFLOP/s", "TFLOPS", "flop/s": a prefix, and one of these words. */
double hone__flops_of_metric(const char *name, double value)
{
  static const char prefixes[] = "KMGTPE";
  static const char *const words[] = {"flop/s", "flops", "flops/s", "flop_s", "flop per second"};
  const char *prefix = *name ? strchr(prefixes, toupper((unsigned char)*name)) : NULL;
  double unit = prefix ? pow(1e3, (double)(prefix - prefixes + 1)) : 1;

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp(name + (prefix != NULL), words[i]) == 0) return value * unit;
  return NAN;
}

/* ---- Words ---- */

struct unit {
  double size;
  const char *name;
};

static void add_quantity(struct hone__text *text, double value, const struct unit *units)
{
  while (units[1].name && value < units->size)
    units++;
  hone__text_addf(text, "%.3g %s", value / units->size, units->name);
}

static void add_time(struct hone__text *text, double ns)
{
  static const struct unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}, {0, NULL}};

  add_quantity(text, ns, units);
}

static void add_bytes(struct hone__text *text, double bytes)
{
  static const struct unit units[] = {
      {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "bytes"}, {0, NULL}};

  add_quantity(text, bytes, units);
}

static void add_flops(struct hone__text *text, double flops)
{
  static const struct unit units[] = {
      {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1, "FLOP/s"}, {0, NULL}};

  add_quantity(text, flops, units);
}

/* ---- Rules ---- */

static bool breaks_fill(const struct hone__limits *limits, const struct hone__claimed *claimed,
                        struct hone__text *why)
{
  if (!(claimed->time_ns < limits->fill_ns / SPARE)) return false;
  add_bytes(why, limits->written_bytes);
  hone__text_add(why, " of answers in ");
  add_time(why, claimed->time_ns);
  hone__text_add(why, ", where writing that much takes at least ");
  add_time(why, limits->fill_ns);
  return true;
}

static bool breaks_peak(const struct hone__limits *limits, const struct hone__claimed *claimed,
                        struct hone__text *why)
{
  if (!limits->peak_flops || !(claimed->flops > limits->peak_flops)) return false;
  add_flops(why, claimed->flops);
  hone__text_add(why, ", but the device's peak is ");
  add_flops(why, limits->peak_flops);
  return true;
}

static bool breaks_speedup(const struct hone__limits *limits, const struct hone__claimed *claimed,
                           struct hone__text *why)
{
  double speedup = claimed->baseline_ns / claimed->time_ns;

  (void)limits;
  if (!(speedup > MOST_SPEEDUP)) return false;
  hone__text_addf(why, "%.0f times as fast as the baseline", speedup);
  return true;
}

bool hone__session_is_suspicious(const struct hone__limits *limits,
                                 const struct hone__claimed *claimed, struct hone__text *why)
{
  static bool (*const rules[])(const struct hone__limits *, const struct hone__claimed *,
                               struct hone__text *) = {breaks_fill, breaks_peak, breaks_speedup};
  bool any = false;

  if (!(claimed->time_ns > 0)) return false; /* it was not timed */
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    struct hone__text one = {0};
    if (rules[i](limits, claimed, &one)) hone__text_addf(why, "%s%s", any ? "; " : "", one.data);
    any = any || one.length;
    hone__text_release(&one);
  }
  return any;
}
