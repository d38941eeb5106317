/* made_bench.h - a bench of kernels in C: y[64] = f(x[64]), as a runner makes it for a setup. */
#ifndef HONE_TESTS_UNIT_MADE_BENCH_H
#define HONE_TESTS_UNIT_MADE_BENCH_H

#include "backend/kernel/engine.h"
#include "backend/kernel/kernel_bench.h"
#include "folder.h"
#include "wire/packed_json.h"

enum { ELEMENTS = 64 };

#define IN_X  "{\"name\": \"x\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [64]}"
#define OUT_Y "{\"name\": \"y\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [64]}"

static inline hone_status try_bench(const struct hone__engine *engine, const char *args,
                                    const char *more, struct hone__bench **out_bench)
{
  struct hone__text text = {0};
  json_error_t error;
  json_t *setup;
  hone_status status;

  hone__text_addf(&text, "{\"backend\": \"c\", \"seed\": 7, \"folder\": \"%s\", \"args\": [%s]%s}",
                  folder, args, more);
  setup = json_loads(text.data, 0, &error);
  if (!setup) fail_msg("%s: %s", error.text, text.data);
  *out_bench = hone__alloc(sizeof **out_bench);
  status = hone__bench_make(*out_bench, engine, hone__wire_json_packed(setup), NULL, 0);
  json_decref(setup);
  hone__text_release(&text);
  return status;
}

/* `more`: further members of the setup, each after a comma. Free it with hone__bench_free. */
static inline struct hone__bench *make_bench(const struct hone__engine *engine, const char *args,
                                             const char *more)
{
  struct hone__bench *bench = NULL;
  hone_status status = try_bench(engine, args, more, &bench);

  if (status) fail_msg("%s", hone_status_message(status));
  return bench;
}

static inline float *floats_at(const struct hone__bench *bench, unsigned char *snapshot, size_t arg)
{
  return (float *)(void *)(snapshot + bench->buffers.args[arg].snapshot);
}

static inline const float *input_of(const struct hone__bench *bench, size_t content, size_t arg)
{
  return (const float *)(const void *)(bench->buffers.pristine[content] +
                                       bench->buffers.args[arg].data);
}

#endif
