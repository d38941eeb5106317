/* Launches and their times: the device's clock between a kernel's start and its end, or between the
 * start of the first and the end of the last of several. That excludes the cost of queueing, so
 * short kernels need no graph; the times of many launches are read one by one and averaged.
 */
#include "backend/opencl/opencl_gpu.h"

#include "base/clock.h"
#include "base/sorting.h"

#include <stdlib.h>

enum { MOST_PENDING = 256, FLOOR_LAUNCHES = 101 };

/* ---- One launch ---- */

static void add_sizes(struct hone__text *text, const size_t sizes[3], unsigned dimensions)
{
  for (unsigned i = 0; i < dimensions; i++)
    hone__text_addf(text, "%s%zu", i ? " x " : "", sizes[i]);
}

static bool refuse_sizes(struct hone__opencl_gpu *gpu, const struct hone__gpu_launch *launch,
                         int code)
{
  struct hone__text what = {0};
  bool ok;

  hone__text_add(&what, "cannot launch ");
  add_sizes(&what, launch->global, launch->dimensions);
  if (launch->has_local) {
    hone__text_add(&what, " work-items in groups of ");
    add_sizes(&what, launch->local, launch->dimensions);
  }
  ok = hone__opencl_is_ok(gpu, code, HONE__OPENCL_LAUNCHING, what.data);
  hone__text_release(&what);
  return ok;
}

static bool enqueue(struct hone__opencl_gpu *gpu, const struct hone__gpu_kernel *kernel, size_t set,
                    cl_event *out_event)
{
  const struct hone__gpu_launch *launch = &kernel->launch;
  int code;

  *out_event = NULL;
  if (set >= kernel->set_count || !kernel->sets[set].kernel)
    return hone__gpu_refuse(&gpu->gpu.fault, "the kernel has no arguments");
  code = gpu->cl->EnqueueNDRangeKernel(
      gpu->queue, kernel->sets[set].kernel, launch->dimensions, NULL, launch->global,
      launch->has_local ? launch->local : NULL, 0, NULL, out_event);
  return code == CL_SUCCESS || refuse_sizes(gpu, launch, code);
}

struct span { /* of one turn: its first and its last kernel, which may be the same */
  cl_event first, last;
};

static void release_span(const struct hone__opencl_gpu *gpu, struct span *span)
{
  if (span->first && span->first != span->last) gpu->cl->ReleaseEvent(span->first);
  if (span->last) gpu->cl->ReleaseEvent(span->last);
  *span = (struct span){0};
}

/* On failure the span has the events of what was queued, which the queue completes first. */
static bool enqueue_work(struct hone__opencl_gpu *gpu, const struct hone__gpu_work *work,
                         size_t set, struct span *span)
{
  *span = (struct span){0};
  for (size_t i = 0; i < work->count; i++) {
    cl_event event;
    if (!enqueue(gpu, work->kernels[i], set, &event)) return false;
    if (span->last && span->last != span->first) gpu->cl->ReleaseEvent(span->last);
    if (!i) span->first = event;
    span->last = event;
  }
  return true;
}

/* Of kernels that are complete; the events are released. */
static bool take_time(struct hone__opencl_gpu *gpu, struct span *span, double *out_ns)
{
  const struct hone__opencl_library *cl = gpu->cl;
  uint64_t start = 0, end = 0;
  int status = CL_SUCCESS;
  int code =
      cl->GetEventInfo(span->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  bool is_timed = cl->GetEventProfilingInfo(span->first, CL_PROFILING_COMMAND_START, sizeof start,
                                            &start, NULL) == CL_SUCCESS &&
                  cl->GetEventProfilingInfo(span->last, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                            NULL) == CL_SUCCESS &&
                  end >= start;

  *out_ns = is_timed ? (double)(end - start) : -1;
  release_span(gpu, span);
  if (code == CL_SUCCESS && status < 0) code = status;
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_RUNNING, "the kernel failed");
}

static bool wait_for(struct hone__opencl_gpu *gpu, cl_event event)
{
  int code = gpu->cl->WaitForEvents(1, &event);
  int status = CL_SUCCESS;

  /* The event's own code is more specific than "one of the awaited events failed". */
  if (code != CL_SUCCESS &&
      gpu->cl->GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            NULL) == CL_SUCCESS &&
      status < 0)
    code = status;
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_RUNNING, "the kernel failed");
}

/* Twice the size of the cache, so that its content is evicted. */
static bool flush_caches(struct hone__opencl_gpu *gpu)
{
  static const uint32_t zero = 0;
  int code = CL_SUCCESS;

  if (!gpu->gpu.cache_bytes) return true;
  if (!gpu->flusher) {
    gpu->flusher_bytes = 2 * (gpu->gpu.cache_bytes / 4096 * 4096 + 4096);
    gpu->flusher =
        gpu->cl->CreateBuffer(gpu->context, CL_MEM_READ_WRITE, gpu->flusher_bytes, NULL, &code);
    if (code != CL_SUCCESS) gpu->flusher = NULL;
  }
  if (code == CL_SUCCESS)
    code = gpu->cl->EnqueueFillBuffer(gpu->queue, gpu->flusher, &zero, sizeof zero, 0,
                                      gpu->flusher_bytes, 0, NULL, NULL);
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_ALLOCATING, "cannot flush the caches");
}

bool hone__opencl_launch(struct hone__gpu *base, const struct hone__gpu_work *work, size_t set,
                         bool flush, double *out_ns)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  struct span span;
  double start, wall_ns;

  *out_ns = 0;
  if (!hone__opencl_images_copy(gpu, work, set, true)) return false;
  if (flush && !flush_caches(gpu)) return false;
  start = hone__clock();
  if (!enqueue_work(gpu, work, set, &span) || !wait_for(gpu, span.last)) {
    release_span(gpu, &span);
    return false;
  }
  wall_ns = 1e9 * (hone__clock() - start);
  if (!take_time(gpu, &span, out_ns)) return false;
  if (*out_ns < 0) *out_ns = wall_ns;
  return hone__opencl_images_copy(gpu, work, set, false);
}

bool hone__opencl_flush(struct hone__gpu *base)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  return flush_caches(gpu) && hone__opencl_is_ok(gpu, gpu->cl->Finish(gpu->queue),
                                                 HONE__OPENCL_MOVING, "cannot flush the caches");
}

/* Its events cost the host next to nothing. */
bool hone__opencl_perform(struct hone__gpu *base, const struct hone__gpu_work *work, size_t set)
{
  double ns;

  return hone__opencl_launch(base, work, set, false, &ns);
}

/* ---- Many ---- */

struct pending {
  struct span spans[MOST_PENDING];
  size_t count;
  double ns; /* sum of those that are complete */
  bool is_timed;
};

/* In order: the last is the last to end. All events are released, whatever happens. */
static bool settle(struct hone__opencl_gpu *gpu, struct pending *pending)
{
  bool ok = !pending->count || wait_for(gpu, pending->spans[pending->count - 1].last);
  double ns;

  for (size_t i = 0; i < pending->count; i++) {
    if (!ok) {
      release_span(gpu, &pending->spans[i]);
      continue;
    }
    ok = take_time(gpu, &pending->spans[i], &ns);
    pending->is_timed = pending->is_timed && ns >= 0;
    pending->ns += ns;
  }
  pending->count = 0;
  return ok;
}

bool hone__opencl_batch(struct hone__gpu *base, const struct hone__gpu_work *work, size_t sets,
                        size_t launches, double *out_ns, double *out_wall_ns)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  struct pending pending = {.is_timed = true};
  double start = hone__clock();
  bool ok = true;

  *out_ns = *out_wall_ns = 0;
  if (!sets || !launches) return hone__gpu_refuse(&gpu->gpu.fault, "nothing to launch");
  for (size_t i = 0; i < launches && ok; i++) {
    ok = enqueue_work(gpu, work, i % sets, &pending.spans[pending.count]);
    if (!ok) release_span(gpu, &pending.spans[pending.count]);
    if (ok && ++pending.count == MOST_PENDING) ok = settle(gpu, &pending);
  }
  if (!settle(gpu, &pending) || !ok) return false;
  *out_ns = pending.is_timed ? pending.ns / (double)launches
                             : 1e9 * (hone__clock() - start) / (double)launches;
  *out_wall_ns = *out_ns; /* the host's clock measures enqueueing, not the device */
  return true;
}

/* ---- The floor ---- */

static bool median_of_launches(struct hone__opencl_gpu *gpu, const struct hone__gpu_work *work,
                               double *out_ns)
{
  double times[FLOOR_LAUNCHES];

  for (size_t i = 0; i < FLOOR_LAUNCHES; i++)
    if (!hone__opencl_launch(&gpu->gpu, work, 0, false, &times[i])) return false;
  qsort(times, FLOOR_LAUNCHES, sizeof *times, hone__by_number);
  *out_ns = times[FLOOR_LAUNCHES / 2];
  return true;
}

bool hone__opencl_floor(struct hone__gpu *base, enum hone__gpu_method method, double *out_ns)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  struct hone__opencl_set set = {0};
  struct hone__gpu_kernel kernel = {
      .launch = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}, .has_local = true},
      .sets = &set,
      .set_count = 1};
  struct hone__gpu_kernel *one = &kernel;
  const struct hone__gpu_work work = {&one, 1};
  double wall_ns;
  bool ok = hone__opencl_own(gpu, "hone_empty", &set.kernel);

  ok = ok && gpu->cl->SetKernelArg(set.kernel, 0, sizeof(cl_memory), NULL) == CL_SUCCESS;
  ok = ok && hone__opencl_launch(base, &work, 0, false, out_ns); /* warm */
  if (ok && method == HONE__GPU_EVENTS)
    ok = median_of_launches(gpu, &work, out_ns);
  else if (ok)
    ok = hone__opencl_batch(base, &work, 1, FLOOR_LAUNCHES, out_ns, &wall_ns);
  if (set.kernel) gpu->cl->ReleaseKernel(set.kernel);
  return ok;
}
