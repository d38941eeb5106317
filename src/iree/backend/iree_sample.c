/* One process of iree-benchmark-module, by itself or under rocprofv3. */
#include "iree/backend/iree_bench.h"

#include "wire/message_text.h"

#include <stdlib.h>
#include <unistd.h>

static void put(json_t *words, size_t at, const char *word)
{
  json_array_insert_new(words, at, hone__json_string(word, strlen(word)));
}

static json_t *benchmark_words(const struct hone__iree_bench *bench, const char *module,
                               size_t samples)
{
  json_t *words = hone__iree_benchmark_words(bench->setup, module, bench->name, samples);

  put(words, 0, bench->tools.paths[HONE__IREE_BENCHMARK]);
  return words;
}

/* rocprofv3 --kernel-trace ... -- iree-benchmark-module ... */
static void add_tracer(json_t *words, const char *file)
{
  const char *given = getenv("HONE_ROCPROF");
  struct hone__text output = {0};
  size_t at = 0;

  hone__text_addf(&output, "--output-file=%s", file);
  put(words, at++, given && *given ? given : "rocprofv3");
  put(words, at++, "--kernel-trace");
  put(words, at++, output.data);
  put(words, at++, "--output-format=csv");
  put(words, at++, "--");
  hone__text_release(&output);
}

static size_t sample_traced(struct hone__iree_bench *bench, const char *module, size_t most,
                            double timeout_s, double *times_ns,
                            struct hone__iree_attempt *out_attempt)
{
  char *file = hone__iree_bench_path(bench, "trace"),
       *table = hone__iree_bench_path(bench, "trace_kernel_trace.csv");
  json_t *words = benchmark_words(bench, module, most);
  const char *function = hone__message_text(json_object_get(bench->setup, "iree"), "function");
  size_t count = 0;

  unlink(table);
  add_tracer(words, file);
  hone__iree_tool_run(words, bench->folder, bench->variable, timeout_s, out_attempt);
  if (out_attempt->outcome == HONE__OUTCOME_OK)
    count = hone__iree_read_trace(out_attempt, table, function, times_ns, most, bench->notes);
  json_decref(words);
  free(table);
  free(file);
  return count;
}

size_t hone__iree_sample(struct hone__iree_bench *bench, const char *module, size_t most,
                         double timeout_s, double *times_ns, struct hone__iree_attempt *out_attempt)
{
  json_t *words;
  size_t count = 0;

  if (bench->is_traced) return sample_traced(bench, module, most, timeout_s, times_ns, out_attempt);
  words = benchmark_words(bench, module, most);
  hone__iree_tool_run(words, bench->folder, bench->variable, timeout_s, out_attempt);
  if (out_attempt->outcome == HONE__OUTCOME_OK)
    count = hone__iree_read_samples(out_attempt, bench->is_cpu_time, times_ns, most);
  json_decref(words);
  return count;
}
