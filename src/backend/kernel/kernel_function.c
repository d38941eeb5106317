#include "backend/kernel/kernel_function.h"

#include "base/digest.h"
#include "spec/schema.h"
#include "wire/build_job.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif

static const double supply_timeout_s = 600;

/* ---- In the child ---- */

struct call {
  const struct hone__kernel_function *function;
  bool has_result;
};

static void end(const char *what, const char *entry, const char *why)
{
  printf("%s '%s': %s\n", what, entry, why ? why : "no memory");
  fflush(NULL);
  _exit(1);
}

/* The function, from a file in memory. */
static void *find(const struct hone__kernel_function *function)
{
  int file = memfd_create("hone function", MFD_EXEC);
  char path[64];
  void *library, *found;

  if (file < 0) file = memfd_create("hone function", 0); /* before Linux 6.3 */
  if (file < 0 ||
      write(file, function->object, function->object_size) != (ssize_t)function->object_size)
    end("cannot load", function->entry, NULL);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  library = dlopen(path, RTLD_NOW);
  if (!library) end("cannot load", function->entry, dlerror());
  found = dlsym(library, function->entry);
  if (!found) end("no function", function->entry, "its file does not define it, or it is static");
  return found;
}

static void call_function(void *data)
{
  const struct call *call = data;
  const struct hone__kernel_function *f = call->function;
  ffi_type **types = hone__alloc((f->count + 1) * sizeof *types);
  void **values = hone__alloc((f->count + 1) * sizeof *values);
  union {
    void *object;
    void (*function)(void);
  } found = {find(f)};
  ffi_arg result = 0;
  ffi_cif cif;

  for (size_t i = 0; i < f->count; i++) {
    const struct hone__kernel_word *word = &f->words[i];
    types[i] = word->pointer ? &ffi_type_pointer : &ffi_type_slong;
    values[i] = (void *)(uintptr_t)(word->pointer ? (const void *)&word->pointer : &word->count);
  }
  if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)f->count,
                   call->has_result ? &ffi_type_sint : &ffi_type_void, types) != FFI_OK)
    end("cannot call", f->entry, "too many arguments");
  ffi_call(&cif, found.function, &result, values);
  fflush(NULL);
  _exit(call->has_result && (int)result != 0);
}

void hone__kernel_function_call(const struct hone__kernel_function *function, bool has_result,
                                struct hone__child_result *out_result)
{
  struct call call = {function, has_result};

  hone__child_run(&(struct hone__child_options){.function = call_function,
                                                .data = &call,
                                                .directory = function->directory,
                                                .timeout_s = function->timeout_s,
                                                .spares_others = function->spares_others},
                  out_result);
}

/* ---- Building ---- */

static hone_status describe(struct hone__describer *d, const struct hone__node *file,
                            const char *entry, struct hone__kernel_candidate *out_candidate)
{
  hone_status status = hone__kernel_reference(d->task, file, entry, d->setup.entry,
                                              &hone__kernel_kind_c, &d->arena, out_candidate);

  out_candidate->command = NULL; /* is for the kernel */
  out_candidate->command_count = 0;
  return status;
}

static hone_status tell_failure(const struct hone__describer *d, const struct hone__node *file,
                                const struct hone__answer *answer)
{
  return hone__backend_spec_error(d->task->spec, file, "'%s' cannot be compiled: %s", file->text,
                                  answer->evidence.data ? answer->evidence.data : "");
}

static hone_status build(struct hone__describer *d, const struct hone__node *file,
                         const struct hone__kernel_candidate *candidate,
                         struct hone__kernel_file *out_object)
{
  const struct hone__kernel_setup own = {
      .backend = "c", .folder = d->setup.folder, .build = d->setup.build};
  struct hone__packed *setup = hone__pack(&hone__kernel_setup_type, &own);
  struct hone__packed *packed = hone__pack(&hone__kernel_candidate_type, candidate);
  const struct hone__wire_build_job order = {.op = "build", .candidate = packed};
  struct hone__packed *job = hone__pack(&hone__wire_build_job_type, &order);
  struct hone__answer answer = {.outcome = HONE_OUTCOME_OK};
  hone_status status = NULL;

  hone__backend_c.worker.build(setup, job, &answer);
  if (answer.outcome != HONE_OUTCOME_OK || !answer.payload.length)
    status = tell_failure(d, file, &answer);
  else
    hone__describer_bytes(d, answer.payload.data, answer.payload.length, out_object);
  hone__text_release(&answer.evidence);
  hone__text_release(&answer.payload);
  hone__packed_drop(answer.head);
  hone__packed_drop(job);
  hone__packed_drop(packed);
  hone__packed_drop(setup);
  return status;
}

hone_status hone__kernel_function_build(struct hone__describer *d, const struct hone__node *file,
                                        const char *entry, const char **out_entry,
                                        struct hone__kernel_file *out_object)
{
  struct hone__kernel_candidate candidate;
  hone_status status = describe(d, file, entry, &candidate);

  if (!status) status = build(d, file, &candidate, out_object);
  if (!status) *out_entry = hone__arena_strdup(&d->arena, candidate.entry);
  out_object->format = "bin";
  return status;
}

/* ---- Inputs ---- */

static const struct hone__node *supply_of(const struct hone__describer *d)
{
  const struct hone__node *supply = hone__task_setting(d->task, "supply");

  return supply && hone__node_get(supply, "file") ? supply : NULL;
}

bool hone__kernel_function_supplies(const struct hone__describer *d,
                                    const struct hone__kernel_arg *arg)
{
  const struct hone__node *supply = supply_of(d);
  const struct hone__node *names = supply ? hone__node_get(supply, "args") : NULL;

  if (!supply || !arg->role || (strcmp(arg->role, "in") != 0 && strcmp(arg->role, "inout") != 0))
    return false;
  for (size_t i = 0; names && i < names->count; i++)
    if (strcmp(names->items[i]->text, arg->name) == 0) return true;
  return !names;
}

static size_t bytes_of(const struct hone__kernel_arg *arg)
{
  enum hone__element element = HONE__ELEMENT_F32;
  size_t bytes;

  hone__element_parse(arg->type, &element);
  bytes = hone__element_size(element);
  for (size_t i = 0; i < arg->shape_count; i++)
    bytes *= (size_t)arg->shape[i];
  return bytes;
}

static void *make_shared(size_t bytes)
{
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

static hone_status check_end(const struct hone__describer *d, const struct hone__child_result *end)
{
  struct hone__text why = {0};
  hone_status status = NULL;

  if (hone__child_failed(end, &why))
    status =
        hone__backend_spec_error(d->task->spec, supply_of(d), "'supply.file' failed: %s", why.data);
  hone__text_release(&why);
  return status;
}

/* A copy of the object: the payload grows meanwhile. */
static hone_status call_supply(struct hone__describer *d, const struct hone__kernel_word *words,
                               size_t count)
{
  struct hone__kernel_file *file = hone__arena_alloc(&d->arena, sizeof *file);
  struct hone__kernel_function function = {
      .words = words, .count = count, .directory = d->task->folder, .timeout_s = supply_timeout_s};
  size_t before = d->payload->length;
  struct hone__child_result end = {0};
  hone_status status = hone__kernel_function_build(
      d, hone__node_get(supply_of(d), "file"), hone__describer_text(supply_of(d), "entry", NULL),
      &function.entry, file);

  if (status) return status;
  function.object = d->payload->data + file->offset;
  function.object_size = file->size;
  hone__kernel_function_call(&function, false, &end);
  d->payload->length = before; /* workers do not need it */
  status = check_end(d, &end);
  hone__child_result_release(&end);
  return status;
}

static void keep_supplied(struct hone__describer *d, struct hone__kernel_arg *arg,
                          const void *bytes)
{
  struct hone__kernel_fill *fill = hone__arena_alloc(&d->arena, sizeof *fill);
  struct hone__kernel_file *file = hone__arena_alloc(&d->arena, sizeof *file);

  hone__describer_bytes(d, bytes, bytes_of(arg), file);
  file->format = "bin";
  fill->kind = "file";
  fill->file = file;
  arg->fill = fill;
}

hone_status hone__kernel_function_supply(struct hone__describer *d)
{
  struct hone__kernel_word *words;
  size_t count = 0;
  hone_status status = NULL;

  if (!supply_of(d)) return NULL;
  words = hone__alloc((d->setup.args_count + 1) * sizeof *words);
  for (size_t i = 0; i < d->setup.args_count && !status; i++) {
    const struct hone__kernel_arg *arg = &d->setup.args[i];
    if (!hone__kernel_function_supplies(d, arg)) continue;
    words[count].pointer = make_shared(bytes_of(arg));
    if (!words[count++].pointer)
      status = hone__error(HONE_UNAVAILABLE, "no memory for '%s'", arg->name);
  }
  if (!status) status = call_supply(d, words, count);
  count = 0;
  for (size_t i = 0; i < d->setup.args_count; i++) {
    struct hone__kernel_arg *arg = &d->setup.args[i];
    if (!hone__kernel_function_supplies(d, arg) || !words[count].pointer) continue;
    if (!status) keep_supplied(d, arg, words[count].pointer);
    munmap((void *)(uintptr_t)words[count++].pointer, bytes_of(arg));
  }
  free(words);
  return status;
}
