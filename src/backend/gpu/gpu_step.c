#include "backend/gpu/gpu_step.h"

#include "backend/c/c_object.h"
#include "backend/c/call.h"
#include "backend/gpu/gpu_bench.h"
#include "base/clock.h"
#include "base/status.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct hone__gpu_step {
  const struct hone__kernel_step *setup;
  void *object;
  void (*function)(void); /* NULL: not loaded */
  fenv_t floats;          /* as set by loading it: -ffast-math flushes to zero */
};

struct hone__gpu_call {
  struct hone__gpu_tensors *tensors;
  const struct hone__buffers *staged;
  const struct hone__gpu_step *step;
  struct hone__c_call call;
  size_t count; /* of tensors that are copied */
  struct copied {
    size_t arg, bytes;
    bool is_written;
  } * copies;
};

/* ---- In the runner ---- */

static hone_status take(struct hone__gpu_step *step, const struct hone__kernel_step *setup,
                        const void *payload, size_t payload_size)
{
  const struct hone__kernel_file *file = setup->object;

  if (file->offset > payload_size || file->size > payload_size - file->offset)
    return hone__error(HONE_INVALID_ARGUMENT, "the function '%s' is not in the payload",
                       setup->entry);
  step->setup = setup;
  step->object = hone__alloc(file->size + 1);
  memcpy(step->object, (const char *)payload + file->offset, file->size);
  return NULL;
}

hone_status hone__gpu_steps_take(struct hone__gpu_steps *steps,
                                 const struct hone__kernel_setup *setup, const void *payload,
                                 size_t payload_size)
{
  hone_status status = NULL;

  steps->count = setup->steps_count;
  steps->list = hone__alloc((steps->count + 1) * sizeof *steps->list);
  for (size_t i = 0; i < steps->count && !status; i++)
    status = take(&steps->list[i], &setup->steps[i], payload, payload_size);
  return status;
}

void hone__gpu_steps_release(struct hone__gpu_steps *steps)
{
  for (size_t i = 0; i < steps->count; i++)
    free(steps->list[i].object);
  free(steps->list);
  *steps = (struct hone__gpu_steps){0};
}

/* ---- Copies ---- */

hone_status hone__gpu_steps_open(struct hone__gpu_steps *steps, const struct hone__buffers *host)
{
  hone_status status = steps->count ? hone__buffers_stage(host, &steps->staged) : NULL;

  if (!status) hone__gpu_steps_restore(steps);
  return status;
}

void hone__gpu_steps_restore(struct hone__gpu_steps *steps)
{
  for (size_t i = 0; i < steps->staged.count; i++)
    if (hone__arg_is_tensor(&steps->staged.args[i]))
      hone__arg_guard(&steps->staged.args[i], steps->staged.range[0]);
}

bool hone__gpu_steps_hold(const struct hone__gpu_steps *steps, struct hone__breach *out_breach)
{
  return !steps->count || hone__buffers_intact(&steps->staged, out_breach);
}

static bool is_constant(const struct hone__kernel_step *step, size_t parameter)
{
  for (size_t i = 0; i < step->constant_count; i++)
    if ((size_t)step->constant[i] == parameter) return true;
  return false;
}

/* As large as the configuration's. */
static size_t bytes_of(const struct hone__arg *arg, const struct hone__kernel_candidate *candidate,
                       size_t number)
{
  const struct hone__kernel_extent *extent = hone__kernel_extent_of(candidate, number);
  size_t bytes =
      extent ? (size_t)hone__kernel_extent_elements(extent) * hone__element_size(arg->element)
             : arg->bytes;

  return bytes < arg->bytes ? bytes : arg->bytes;
}

static void list_copies(struct hone__gpu_call *call, const struct hone__kernel_stage *stage,
                        const struct hone__kernel_candidate *candidate)
{
  size_t count = stage->args ? stage->args_count : call->staged->count;

  call->copies = hone__alloc((count + 1) * sizeof *call->copies);
  for (size_t i = 0; i < count; i++) {
    size_t number = stage->args ? (size_t)stage->args[i] : i;
    const struct hone__arg *arg = &call->staged->args[number];
    if (!hone__arg_is_tensor(arg) || !arg->bytes) continue;
    call->copies[call->count++] = (struct copied){.arg = number,
                                                  .bytes = bytes_of(arg, candidate, number),
                                                  .is_written = arg->role != HONE__ARG_IN &&
                                                                !is_constant(call->step->setup, i)};
  }
}

/* ---- Loading ---- */

/* Without the name of the file in memory, which is meaningless to the user. */
static void tell(const struct hone__kernel_step *step, const char *path, const char *why,
                 struct hone__text *out_why)
{
  if (why && hone__starts_with(why, path)) why += strlen(path) + strspn(why + strlen(path), ": ");
  hone__text_addf(out_why, "'%s' of '%s' cannot be loaded: %s", step->entry, step->file,
                  why ? why : "no reason given");
}

static void *find_symbol(const struct hone__gpu_step *step, struct hone__text *out_why)
{
  int file = hone__c_object_file(step->object, step->setup->object->size);
  void *library = NULL, *symbol = NULL;
  char path[64];

  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (file >= 0) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library) symbol = hone__c_entry_find(library, step->setup->entry);
  if (file < 0)
    tell(step->setup, path, strerror(errno), out_why);
  else if (!library)
    tell(step->setup, path, dlerror(), out_why);
  else if (!symbol)
    tell(step->setup, path, "it is static, or has no C linkage", out_why);
  if (file >= 0) close(file);
  return symbol;
}

/* Once: its library stays. */
static bool load_function(struct hone__gpu_step *step, struct hone__text *out_why)
{
  fenv_t before;
  void *symbol;

  if (step->function) return true;
  fegetenv(&before);
  symbol = find_symbol(step, out_why);
  fegetenv(&step->floats);
  fesetenv(&before);
  memcpy(&step->function, &symbol, sizeof symbol); /* ISO C has no cast for it */
  return symbol;
}

static struct hone__gpu_step *find_step(struct hone__gpu_steps *steps,
                                        const struct hone__kernel_stage *stage)
{
  for (size_t i = 0; i < steps->count; i++)
    if (strcmp(steps->list[i].setup->file, stage->host) == 0 &&
        strcmp(steps->list[i].setup->entry, stage->entry) == 0)
      return &steps->list[i];
  return NULL;
}

static bool prepare(struct hone__gpu_call *call, const struct hone__kernel_stage *stage,
                    struct hone__text *out_why)
{
  static const struct hone__kernel_candidate in_full = {.takes_symbols = true};
  hone_status status = hone__c_call_prepare(&call->call, call->staged, stage, &in_full);

  call->call.function = call->step->function;
  if (!status) return true;
  hone__text_add(out_why, hone_status_message(status));
  hone_status_free(status);
  return false;
}

bool hone__gpu_step_load(struct hone__gpu_steps *steps, struct hone__gpu_tensors *tensors,
                         const struct hone__kernel_stage *stage,
                         const struct hone__kernel_candidate *candidate,
                         struct hone__gpu_call **out_call, struct hone__text *out_why)
{
  struct hone__gpu_step *step = find_step(steps, stage);
  struct hone__gpu_call *call;

  if (!step) {
    hone__text_addf(out_why, "the setup has no function '%s' of '%s'", stage->entry, stage->host);
    return false;
  }
  if (!load_function(step, out_why)) return false;
  *out_call = call = hone__alloc(sizeof *call);
  *call = (struct hone__gpu_call){.tensors = tensors, .staged = &steps->staged, .step = step};
  list_copies(call, stage, candidate);
  return prepare(call, stage, out_why);
}

void hone__gpu_step_unload(struct hone__gpu_call *call)
{
  if (!call) return;
  hone__c_call_release(&call->call);
  free(call->copies);
  free(call);
}

/* ---- Calling ---- */

static bool copy_in(const struct hone__gpu_call *call, size_t set)
{
  const struct hone__gpu_tensors *t = call->tensors;
  bool copied = true;

  for (size_t i = 0; i < call->count && copied; i++) {
    const struct copied *one = &call->copies[i];
    copied =
        t->gpu->driver->read(t->gpu, call->staged->range[0] + call->staged->args[one->arg].data,
                             t->sets[set].memory[one->arg], t->guard_bytes, one->bytes);
  }
  return copied;
}

static bool copy_back(const struct hone__gpu_call *call, size_t set)
{
  const struct hone__gpu_tensors *t = call->tensors;
  bool copied = true;

  for (size_t i = 0; i < call->count && copied; i++) {
    const struct copied *one = &call->copies[i];
    if (one->is_written)
      copied = t->gpu->driver->write(t->gpu, t->sets[set].memory[one->arg], t->guard_bytes,
                                     call->staged->range[0] + call->staged->args[one->arg].data,
                                     one->bytes);
  }
  return copied;
}

bool hone__gpu_step_call(struct hone__gpu_call *call, size_t set)
{
  fenv_t before;

  if (!copy_in(call, set)) return false;
  fegetenv(&before);
  fesetenv(&call->step->floats);
  hone__call(&call->call, 0);
  fesetenv(&before);
  return copy_back(call, set);
}

/* ---- Pipelines ---- */

/* From launch `first` on: one call of the host's, or all kernels up to the next one. Returns how
 * many; 0: gpu->fault has the reason. */
static size_t perform_next(struct hone__trial *trial, size_t index, size_t first, size_t end,
                           size_t set)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__pipeline *pipeline = &trial->candidates[index].pipeline;
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  struct hone__gpu_work part = {&loaded->work.kernels[first], 0};

  if (!part.kernels[0])
    return hone__gpu_step_call(loaded->calls[pipeline->order[first]], set) ? 1 : 0;
  while (first + part.count < end && part.kernels[part.count])
    part.count++;
  return own->device->driver->perform(own->gpu, &part, set) ? part.count : 0;
}

static bool perform(struct hone__trial *trial, size_t index, size_t first, size_t end, size_t set,
                    double *out_ns)
{
  double began = hone__clock();

  for (size_t done; first < end; first += done) {
    done = perform_next(trial, index, first, end, set);
    if (!done) return false;
  }
  *out_ns = 1e9 * (hone__clock() - began);
  return true;
}

bool hone__gpu_call_one(struct hone__trial *trial, size_t index, size_t i, size_t set,
                        double *out_ns)
{
  return perform(trial, index, i, i + 1, set, out_ns);
}

bool hone__gpu_call_all(struct hone__trial *trial, size_t index, size_t set, bool flush,
                        double *out_ns)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_driver *driver = own->device->driver;
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;

  if (!own->steps.count) return driver->launch(own->gpu, &loaded->work, set, flush, out_ns);
  if (flush && !driver->flush(own->gpu)) return false;
  return perform(trial, index, 0, loaded->work.count, set, out_ns);
}
