/* A plug-in: sums of an array with several accumulators. See hone_plugin.h and hone-serve(7).
 *
 *   cc -O2 -shared -fPIC -I include examples/plugin-c/plugin.c -o examples/plugin-c/plugin.so -lm
 */
#include "hone_plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double *values;
static int64_t count;

int hone_plugin_describe(const struct hone_plugin_start *start,
                         struct hone_plugin_description *description)
{
  const struct hone_plugin_value *n = hone_plugin_find(start->problem, start->problem_count, "n");

  count = n ? n->integer : 1000;
  values = malloc((size_t)count * sizeof *values);
  if (!values) return 1;
  for (int64_t i = 0; i < count; i++)
    values[i] = (double)(i % 10);
  description->version = HONE_PLUGIN_VERSION;
  description->checks = true;
  snprintf(description->name, sizeof description->name, "sums");
  return 0;
}

/* `ways` sums at a time, which do not wait for each other. */
static double sum(int64_t ways)
{
  double sums[16] = {0}, total = 0;
  int64_t i = 0;

  for (; i + ways <= count; i += ways)
    for (int64_t way = 0; way < ways; way++)
      sums[way] += values[i + way];
  for (; i < count; i++)
    total += values[i];
  for (int64_t way = 0; way < ways; way++)
    total += sums[way];
  return total;
}

static void check(int64_t ways, struct hone_plugin_reply *reply)
{
  double got = sum(ways), expected = sum(1);

  if (fabs(got - expected) <= 1e-9 * fabs(expected)) return;
  snprintf(reply->outcome, sizeof reply->outcome, "wrong_result");
  snprintf(reply->text, sizeof reply->text, "the sum is %g, not %g", got, expected);
}

static double sample_ns(int64_t ways)
{
  static volatile double sink;
  struct timespec begin, end;

  clock_gettime(CLOCK_MONOTONIC, &begin);
  sink = sum(ways);
  clock_gettime(CLOCK_MONOTONIC, &end);
  (void)sink;
  return 1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec);
}

int hone_plugin_run(const struct hone_plugin_request *request, struct hone_plugin_reply *reply)
{
  int64_t ways = hone_plugin_int(request, "WAYS", 1);

  if (ways < 1 || ways > 16) {
    snprintf(reply->outcome, sizeof reply->outcome, "launch_failure");
    snprintf(reply->text, sizeof reply->text, "WAYS is %lld: there are 16 sums at most",
             (long long)ways);
    return 0;
  }
  if (!request->samples) check(ways, reply);
  sample_ns(ways);
  for (size_t i = 0; i < request->samples; i++)
    reply->samples_ns[reply->sample_count++] = sample_ns(ways);
  snprintf(reply->metrics[0].name, sizeof reply->metrics[0].name, "bytes");
  reply->metrics[0].value = (double)count * sizeof *values;
  reply->metric_count = 1;
  return 0;
}
