/* The time of kernels, between two events of the stream. One of our kernels keeps the stream busy
 * until everything is queued: the host's time for queueing must not be measured. A single launch
 * includes some microseconds of the events; many launches in a graph share those and follow each
 * other without the host, so short kernels are timed that way.
 */
#include "backend/cuda/cuda_gpu.h"

#include "base/clock.h"

#include <stdlib.h>

enum {
  CAPTURE_OF_THIS_THREAD = 1,
  FLOOR_LAUNCHES = 200,
  FLOOR_SAMPLES = 15,
  LEAST_FLUSHED_BYTES = 32 << 20
};
/* A graph is queued in 2 us, whatever it contains; a single launch in up to 5. */
static const double hold_us = 12, hold_us_of_launch = 5, longest_hold_us = 400;

static bool begin_timing(struct hone__cuda_gpu *gpu, double hold)
{
  return hone__cuda_hold(gpu, hold < longest_hold_us ? hold : longest_hold_us) &&
         !hone__cuda_fails(gpu, gpu->cuda->EventRecord(gpu->begin, gpu->stream), "event");
}

static bool end_timing(struct hone__cuda_gpu *gpu, double *out_ns)
{
  float ms = 0;

  if (hone__cuda_fails(gpu, gpu->cuda->EventRecord(gpu->end, gpu->stream), "event") ||
      hone__cuda_fails(gpu, gpu->cuda->EventSynchronize(gpu->end), NULL) ||
      hone__cuda_fails(gpu, gpu->cuda->EventElapsedTime(&ms, gpu->begin, gpu->end), "event"))
    return false;
  *out_ns = 1e6 * (double)ms;
  return true;
}

/* ---- One launch ---- */

/* Twice the cache: its lines are replaced at random. */
static bool flush_cache(struct hone__cuda_gpu *gpu)
{
  size_t bytes = 2 * gpu->base.cache_bytes;

  if (bytes < LEAST_FLUSHED_BYTES) bytes = LEAST_FLUSHED_BYTES;
  if (!gpu->flushed &&
      hone__cuda_fails(gpu, gpu->cuda->MemAlloc_v2(&gpu->flushed, bytes), "memory to flush caches"))
    return false;
  return !hone__cuda_fails(gpu, gpu->cuda->MemsetD8Async(gpu->flushed, 0, bytes, gpu->stream),
                           "flush");
}

bool hone__cuda_launch(struct hone__gpu *base, struct hone__gpu_kernel *kernel, size_t set,
                       bool flush, double *out_ns)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  return (!flush || flush_cache(gpu)) && begin_timing(gpu, hold_us) &&
         hone__cuda_queue(gpu, kernel, set) && end_timing(gpu, out_ns);
}

/* ---- Many launches ---- */

static bool queue_all(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel, size_t sets,
                      size_t launches)
{
  for (size_t i = 0; i < launches; i++)
    if (!hone__cuda_queue(gpu, kernel, i % sets)) return false;
  return true;
}

void hone__cuda_graph_release(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel)
{
  if (kernel->graph) gpu->cuda->GraphExecDestroy(kernel->graph);
  kernel->graph = NULL;
  kernel->graph_sets = kernel->graph_launches = 0;
}

/* NULL: it cannot be captured. */
static cuda_graph capture(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel, size_t sets,
                          size_t launches)
{
  const struct hone__cuda_library *cuda = gpu->cuda;
  cuda_graph graph = NULL;
  bool queued;

  if (cuda->StreamBeginCapture_v2(gpu->stream, CAPTURE_OF_THIS_THREAD) != 0) return NULL;
  queued = queue_all(gpu, kernel, sets, launches);
  if (cuda->StreamEndCapture(gpu->stream, &graph) != 0) return NULL;
  if (!queued && graph) {
    cuda->GraphDestroy(graph);
    return NULL;
  }
  return graph;
}

static void make_graph(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel, size_t sets,
                       size_t launches)
{
  const struct hone__cuda_library *cuda = gpu->cuda;
  cuda_graph graph;

  if (kernel->has_no_graph ||
      (kernel->graph && kernel->graph_sets == sets && kernel->graph_launches == launches))
    return;
  hone__cuda_graph_release(gpu, kernel);
  graph = cuda->GraphInstantiateWithFlags ? capture(gpu, kernel, sets, launches) : NULL;
  if (graph && cuda->GraphInstantiateWithFlags(&kernel->graph, graph, 0) != 0) kernel->graph = NULL;
  if (graph) cuda->GraphDestroy(graph);
  if (kernel->graph && cuda->GraphUpload) cuda->GraphUpload(kernel->graph, gpu->stream);
  kernel->has_no_graph = !kernel->graph;
  kernel->graph_sets = sets;
  kernel->graph_launches = launches;
}

static bool queue_batch(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel, size_t sets,
                        size_t launches)
{
  if (!kernel->graph) return queue_all(gpu, kernel, sets, launches);
  return !hone__cuda_fails(gpu, gpu->cuda->GraphLaunch(kernel->graph, gpu->stream), "graph");
}

bool hone__cuda_batch(struct hone__gpu *base, struct hone__gpu_kernel *kernel, size_t sets,
                      size_t launches, double *out_ns, double *out_wall_ns)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  double begun, total_ns, hold;

  if (!sets || !launches) return hone__gpu_refuse(&base->fault, "a batch of no launches");
  make_graph(gpu, kernel, sets, launches);
  hold = hold_us + (kernel->graph ? 0 : hold_us_of_launch * (double)launches);
  begun = hone__clock();
  if (!begin_timing(gpu, hold) || !queue_batch(gpu, kernel, sets, launches) ||
      !end_timing(gpu, &total_ns))
    return false;
  *out_ns = total_ns / (double)launches;
  *out_wall_ns = 1e9 * (hone__clock() - begun) / (double)launches;
  return true;
}

/* ---- The floor ---- */

static int by_size(const void *a, const void *b)
{
  double one = *(const double *)a, other = *(const double *)b;

  return (one > other) - (one < other);
}

bool hone__cuda_floor(struct hone__gpu *base, enum hone__gpu_method method, double *out_ns)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  struct hone__gpu_kernel empty = {
      .function = gpu->own.empty, .grid = {1, 1, 1}, .block = {32, 1, 1}, .params_are_known = true};
  double samples[FLOOR_SAMPLES], wall_ns;
  bool works = gpu->own.module || hone__gpu_refuse(&base->fault, "the driver has no PTX compiler");

  for (int i = 0; i < FLOOR_SAMPLES && works; i++)
    works = method == HONE__GPU_EVENTS
                ? hone__cuda_launch(base, &empty, 0, true, &samples[i])
                : hone__cuda_batch(base, &empty, 1, FLOOR_LAUNCHES, &samples[i], &wall_ns);
  hone__cuda_graph_release(gpu, &empty);
  if (!works) return false;
  qsort(samples, FLOOR_SAMPLES, sizeof *samples, by_size);
  *out_ns = samples[FLOOR_SAMPLES / 2];
  return true;
}
