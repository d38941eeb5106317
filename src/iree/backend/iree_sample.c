/* One process of iree-benchmark-module, by itself or under rocprofv3. */
#include "iree/backend/iree_bench.h"

#include <stdlib.h>
#include <unistd.h>

static void add_benchmark(const struct hone__iree_bench *bench, const char *module, size_t samples,
                          struct hone__words *words)
{
  hone__words_add(words, bench->tools.paths[HONE__IREE_BENCHMARK]);
  hone__iree_benchmark_words(bench->setup.iree, module, bench->name, samples, words);
}

/* rocprofv3 --kernel-trace ... -- iree-benchmark-module ... */
static void add_tracer(struct hone__words *words, const char *file)
{
  const char *given = getenv("HONE_ROCPROF");

  hone__words_add(words, given && *given ? given : "rocprofv3");
  hone__words_add(words, "--kernel-trace");
  hone__iree_word(words, "--output-file=%s", file);
  hone__words_add(words, "--output-format=csv");
  hone__words_add(words, "--");
}

static size_t sample_traced(struct hone__iree_bench *bench, const char *module, size_t most,
                            double timeout_s, double *times_ns,
                            struct hone__iree_attempt *out_attempt)
{
  char *file = hone__iree_bench_path(bench, "trace"),
       *table = hone__iree_bench_path(bench, "trace_kernel_trace.csv");
  struct hone__words words = {0};
  size_t count = 0;

  unlink(table);
  add_tracer(&words, file);
  add_benchmark(bench, module, most, &words);
  hone__iree_tool_run(hone__words_list(&words), bench->folder, bench->variable, timeout_s,
                      out_attempt);
  if (out_attempt->outcome == HONE_OUTCOME_OK)
    count = hone__iree_read_trace(out_attempt, table, bench->setup.iree->function, times_ns, most,
                                  &bench->notes);
  hone__words_release(&words);
  free(table);
  free(file);
  return count;
}

size_t hone__iree_sample(struct hone__iree_bench *bench, const char *module, size_t most,
                         double timeout_s, double *times_ns, struct hone__iree_attempt *out_attempt)
{
  struct hone__words words = {0};
  size_t count = 0;

  if (bench->is_traced) return sample_traced(bench, module, most, timeout_s, times_ns, out_attempt);
  add_benchmark(bench, module, most, &words);
  hone__iree_tool_run(hone__words_list(&words), bench->folder, bench->variable, timeout_s,
                      out_attempt);
  if (out_attempt->outcome == HONE_OUTCOME_OK)
    count = hone__iree_read_samples(out_attempt, bench->is_cpu_time, times_ns, most);
  hone__words_release(&words);
  return count;
}
