/* The time of kernels, between two events of the stream. One of our kernels keeps the stream busy
 * until everything is queued: the host's time for queueing must not be measured. A single launch
 * includes some microseconds of the events; many launches in a graph share those and follow each
 * other without the host, so short kernels are timed that way.
 */
#include "backend/simt/simt_gpu.h"

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

static bool begin_timing(struct hone__simt_gpu *gpu, double hold)
{
  return hone__simt_hold(gpu, hold < longest_hold_us ? hold : longest_hold_us) &&
         !hone__simt_fails(gpu, gpu->api->EventRecord(gpu->begin, gpu->stream),
                           "cannot time on the device");
}

static bool end_timing(struct hone__simt_gpu *gpu, double *out_ns)
{
  float ms = 0;

  if (hone__simt_fails(gpu, gpu->api->EventRecord(gpu->end, gpu->stream),
                       "cannot time on the device") ||
      hone__simt_fails(gpu, gpu->api->EventSynchronize(gpu->end), NULL) ||
      hone__simt_fails(gpu, gpu->api->EventElapsedTime(&ms, gpu->begin, gpu->end),
                       "cannot time on the device"))
    return false;
  *out_ns = 1e6 * (double)ms;
  return true;
}

/* ---- One launch ---- */

/* Twice the cache: its lines are replaced at random. */
static bool flush_cache(struct hone__simt_gpu *gpu)
{
  size_t bytes = 2 * gpu->base.cache_bytes;

  if (bytes < LEAST_FLUSHED_BYTES) bytes = LEAST_FLUSHED_BYTES;
  if (!gpu->flushed && hone__simt_fails(gpu, gpu->api->MemAlloc(&gpu->flushed, bytes),
                                        "cannot allocate memory to flush the caches"))
    return false;
  return !hone__simt_fails(gpu, gpu->api->MemsetD8Async(gpu->flushed, 0, bytes, gpu->stream),
                           "cannot flush the caches");
}

static bool queue_work(struct hone__simt_gpu *gpu, const struct hone__gpu_work *work, size_t set)
{
  for (size_t i = 0; i < work->count; i++)
    if (!hone__simt_queue(gpu, work->kernels[i], set)) return false;
  return true;
}

/* Stages that are launched again have the same symbols. */
static bool for_each_kernel(struct hone__simt_gpu *gpu, const struct hone__gpu_work *work,
                            size_t set,
                            bool (*copy)(struct hone__simt_gpu *gpu,
                                         const struct hone__gpu_kernel *kernel, size_t set))
{
  for (size_t i = 0; i < work->count; i++)
    if (!copy(gpu, work->kernels[i], set)) return false;
  return true;
}

bool hone__simt_launch(struct hone__gpu *base, const struct hone__gpu_work *work, size_t set,
                       bool flush, double *out_ns)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  double hold = hold_us + hold_us_of_launch * (double)(work->count - 1);

  return for_each_kernel(gpu, work, set, hone__simt_symbols_write) &&
         for_each_kernel(gpu, work, set, hone__simt_images_write) && (!flush || flush_cache(gpu)) &&
         begin_timing(gpu, hold) && queue_work(gpu, work, set) && end_timing(gpu, out_ns) &&
         for_each_kernel(gpu, work, set, hone__simt_symbols_read) &&
         for_each_kernel(gpu, work, set, hone__simt_images_read);
}

static bool is_done(struct hone__simt_gpu *gpu)
{
  return !hone__simt_fails(gpu, gpu->api->StreamSynchronize(gpu->stream), NULL);
}

bool hone__simt_flush(struct hone__gpu *base)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  return flush_cache(gpu) && is_done(gpu);
}

bool hone__simt_perform(struct hone__gpu *base, const struct hone__gpu_work *work, size_t set)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  return for_each_kernel(gpu, work, set, hone__simt_symbols_write) &&
         for_each_kernel(gpu, work, set, hone__simt_images_write) && queue_work(gpu, work, set) &&
         is_done(gpu) && for_each_kernel(gpu, work, set, hone__simt_symbols_read) &&
         for_each_kernel(gpu, work, set, hone__simt_images_read);
}

/* ---- Many launches ---- */

static bool queue_all(struct hone__simt_gpu *gpu, const struct hone__gpu_work *work, size_t sets,
                      size_t launches)
{
  for (size_t i = 0; i < launches; i++)
    if (!queue_work(gpu, work, i % sets)) return false;
  return true;
}

void hone__simt_graph_release(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel)
{
  if (kernel->graph) gpu->api->GraphExecDestroy(kernel->graph);
  kernel->graph = NULL;
  kernel->graph_sets = kernel->graph_launches = 0;
}

/* NULL: it cannot be captured. */
static simt_graph capture(struct hone__simt_gpu *gpu, const struct hone__gpu_work *work,
                          size_t sets, size_t launches)
{
  const struct hone__simt_library *api = gpu->api;
  simt_graph graph = NULL;
  bool queued;

  if (api->StreamBeginCapture(gpu->stream, CAPTURE_OF_THIS_THREAD) != 0) return NULL;
  queued = queue_all(gpu, work, sets, launches);
  if (api->StreamEndCapture(gpu->stream, &graph) != 0) return NULL;
  if (!queued && graph) {
    api->GraphDestroy(graph);
    return NULL;
  }
  return graph;
}

/* It is kept with the first kernel. */
static void make_graph(struct hone__simt_gpu *gpu, const struct hone__gpu_work *work, size_t sets,
                       size_t launches)
{
  const struct hone__simt_library *api = gpu->api;
  struct hone__gpu_kernel *kernel = work->kernels[0];
  simt_graph graph;

  if (kernel->has_no_graph ||
      (kernel->graph && kernel->graph_sets == sets && kernel->graph_launches == launches))
    return;
  hone__simt_graph_release(gpu, kernel);
  graph = api->GraphInstantiateWithFlags ? capture(gpu, work, sets, launches) : NULL;
  if (graph && api->GraphInstantiateWithFlags(&kernel->graph, graph, 0) != 0) kernel->graph = NULL;
  if (graph) api->GraphDestroy(graph);
  if (kernel->graph && api->GraphUpload) api->GraphUpload(kernel->graph, gpu->stream);
  kernel->has_no_graph = !kernel->graph;
  kernel->graph_sets = sets;
  kernel->graph_launches = launches;
}

static bool queue_batch(struct hone__simt_gpu *gpu, const struct hone__gpu_work *work, size_t sets,
                        size_t launches)
{
  simt_graph_exec graph = work->kernels[0]->graph;

  if (!graph) return queue_all(gpu, work, sets, launches);
  return !hone__simt_fails(gpu, gpu->api->GraphLaunch(graph, gpu->stream),
                           "cannot launch a batch of kernels");
}

bool hone__simt_batch(struct hone__gpu *base, const struct hone__gpu_work *work, size_t sets,
                      size_t launches, double *out_ns, double *out_wall_ns)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  double begun, total_ns, hold;

  if (!sets || !launches) return hone__gpu_refuse(&base->fault, "a batch of no launches");
  make_graph(gpu, work, sets, launches);
  hold = hold_us +
         (work->kernels[0]->graph ? 0 : hold_us_of_launch * (double)(launches * work->count));
  begun = hone__clock();
  if (!begin_timing(gpu, hold) || !queue_batch(gpu, work, sets, launches) ||
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

bool hone__simt_floor(struct hone__gpu *base, enum hone__gpu_method method, double *out_ns)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  struct hone__gpu_kernel empty = {
      .function = gpu->own.empty, .grid = {1, 1, 1}, .block = {32, 1, 1}, .params_are_known = true};
  struct hone__gpu_kernel *one = &empty;
  const struct hone__gpu_work work = {&one, 1};
  double samples[FLOOR_SAMPLES], wall_ns;
  bool works =
      gpu->own.module || hone__gpu_refuse(&base->fault, "there is no compiler for an empty kernel");

  for (int i = 0; i < FLOOR_SAMPLES && works; i++)
    works = method == HONE__GPU_EVENTS
                ? hone__simt_launch(base, &work, 0, true, &samples[i])
                : hone__simt_batch(base, &work, 1, FLOOR_LAUNCHES, &samples[i], &wall_ns);
  hone__simt_graph_release(gpu, &empty);
  if (!works) return false;
  qsort(samples, FLOOR_SAMPLES, sizeof *samples, by_size);
  *out_ns = samples[FLOOR_SAMPLES / 2];
  return true;
}
