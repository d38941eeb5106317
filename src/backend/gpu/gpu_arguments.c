/* A table of arguments is made for each set from the candidate's values; drivers copy the bytes. */
#include "backend/gpu/gpu_arguments.h"

#include "backend/kernel/scalar.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STRUCT_BYTES = 4096 };

struct binding {
  struct hone__gpu_tensors *tensors;
  const struct hone__kernel_stage *stage;
  size_t count; /* of its arguments */
  struct hone__gpu_arg *args;
  uint64_t *words;         /* of scalars */
  unsigned char **structs; /* of structs; NULL: none */
};

static bool refuse(struct hone__gpu *gpu, const char *name, const char *what)
{
  return hone__gpu_refuse(&gpu->fault, "argument '%s': %s", name, what);
}

/* The number of the stage's i-th argument among all. */
static size_t number_of(const struct binding *b, size_t i)
{
  return b->stage->args ? (size_t)b->stage->args[i] : i;
}

static const struct hone__arg *arg_of(const struct binding *b, size_t i)
{
  return &b->tensors->host->args[number_of(b, i)];
}

/* ---- Values ---- */

static bool set_scalar(struct binding *b, size_t i, const struct hone__kernel_value *value)
{
  const struct hone__arg *arg = arg_of(b, i);
  hone_status status = hone__scalar_set(arg, value, &b->words[i]);

  b->args[i] = (struct hone__gpu_arg){
      .kind = HONE__GPU_BYTES, .bytes = &b->words[i], .size = hone__element_size(arg->element)};
  if (!status) return true;
  refuse(b->tensors->gpu, arg->name, hone_status_message(status));
  hone_status_free(status);
  return false;
}

static bool set_local(struct binding *b, size_t i, const struct hone__kernel_value *value)
{
  int64_t size = value && value->local.type == HONE_INT ? value->local.integer : 0;

  b->args[i] = (struct hone__gpu_arg){.kind = HONE__GPU_LOCAL, .size = (size_t)size};
  if (size > 0) return true;
  return refuse(b->tensors->gpu, arg_of(b, i)->name, "local memory of 0 bytes");
}

static bool read_hex(const char *hex, unsigned char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    unsigned byte;
    if (sscanf(hex + 2 * i, "%2x", &byte) != 1) return false;
    bytes[i] = (unsigned char)byte;
  }
  return true;
}

static bool set_struct(struct binding *b, size_t i, const struct hone__kernel_value *value)
{
  const char *hex = value ? value->bytes : NULL;
  size_t size = hex ? strlen(hex) / 2 : 0;

  if (!size || size > MOST_STRUCT_BYTES)
    return refuse(b->tensors->gpu, arg_of(b, i)->name,
                  size ? "a struct of more than 4096 bytes" : "a struct of size 0");
  b->structs[i] = hone__alloc(size);
  b->args[i] =
      (struct hone__gpu_arg){.kind = HONE__GPU_BYTES, .bytes = b->structs[i], .size = size};
  if (read_hex(hex, b->structs[i], size)) return true;
  return refuse(b->tensors->gpu, arg_of(b, i)->name, "a struct has no bytes");
}

static bool set_map(struct binding *b, size_t i, const struct hone__kernel_value *value)
{
  const struct hone__buffers *host = b->tensors->host;
  const char *of = value && value->map ? value->of : NULL;

  for (size_t k = 0; of && k < host->count; k++) {
    if (!hone__arg_is_tensor(&host->args[k]) || strcmp(host->args[k].name, of) != 0) continue;
    b->args[i] = (struct hone__gpu_arg){.kind = HONE__GPU_TENSOR_MAP,
                                        .offset = b->tensors->guard_bytes,
                                        .size = host->args[k].bytes,
                                        .map = value->map};
    b->words[i] = k;
    return true;
  }
  return refuse(b->tensors->gpu, arg_of(b, i)->name, "a tensor map without a tensor");
}

static bool set_value(struct binding *b, size_t i, const struct hone__kernel_value *value)
{
  static bool (*const setters[])(struct binding *, size_t, const struct hone__kernel_value *) = {
      [HONE__ARG_SCALAR] = set_scalar,
      [HONE__ARG_LOCAL] = set_local,
      [HONE__ARG_STRUCT] = set_struct,
      [HONE__ARG_MAP] = set_map};

  return setters[arg_of(b, i)->kind](b, i, value);
}

static struct hone__gpu_arg tensor_of(const struct binding *b, const struct hone__arg *arg)
{
  return (struct hone__gpu_arg){.kind = arg->image    ? HONE__GPU_IMAGE
                                        : arg->symbol ? HONE__GPU_SYMBOL
                                                      : HONE__GPU_BUFFER,
                                .offset = b->tensors->guard_bytes,
                                .size = arg->bytes,
                                .symbol = arg->symbol,
                                .image = arg->image,
                                .is_written = arg->role != HONE__ARG_IN};
}

/* What is the same in all sets. */
static bool set_values(struct binding *b)
{
  size_t next = 0;
  bool good = true;

  for (size_t i = 0; i < b->count && good; i++) {
    const struct hone__arg *arg = arg_of(b, i);
    const struct hone__kernel_value *value =
        next < b->stage->values_count ? &b->stage->values[next] : NULL;
    if (hone__arg_is_tensor(arg))
      b->args[i] = tensor_of(b, arg);
    else if (arg->kind == HONE__ARG_SAMPLER)
      b->args[i] = (struct hone__gpu_arg){.kind = HONE__GPU_SAMPLER, .image = arg->image};
    else
      next++, good = set_value(b, i, value);
  }
  return good;
}

/* ---- Sets ---- */

static void take_memory(struct binding *b, const struct hone__gpu_set *set)
{
  for (size_t i = 0; i < b->count; i++) {
    if (hone__arg_is_tensor(arg_of(b, i))) b->args[i].memory = set->memory[number_of(b, i)];
    if (b->args[i].kind == HONE__GPU_TENSOR_MAP) b->args[i].memory = set->memory[b->words[i]];
  }
}

bool hone__gpu_arguments_bind(struct hone__gpu_tensors *t, struct hone__gpu_kernel *kernel,
                              const struct hone__kernel_stage *stage, size_t first_set, size_t sets)
{
  size_t count = stage->args ? stage->args_count : t->host->count;
  struct binding b = {.tensors = t,
                      .stage = stage,
                      .count = count,
                      .args = hone__alloc((count + 1) * sizeof *b.args),
                      .words = hone__alloc((count + 1) * sizeof *b.words),
                      .structs = hone__alloc((count + 1) * sizeof *b.structs)};
  bool bound = set_values(&b);

  for (size_t s = first_set; s < sets && bound; s++) {
    take_memory(&b, &t->sets[s]);
    bound = t->gpu->driver->bind(t->gpu, kernel, s, b.args, count);
  }
  for (size_t i = 0; i < count; i++)
    free(b.structs[i]);
  free(b.args);
  free(b.words);
  free(b.structs);
  return bound;
}
