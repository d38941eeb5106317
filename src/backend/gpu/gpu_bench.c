/* The runner's side: inputs are made here, and the helper inherits them by the fork. */
#include "backend/gpu/gpu_bench.h"

#include "backend/gpu/gpu_order.h"
#include "backend/gpu/gpu_speed.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  USUAL_CANDIDATES = 33, /* a race; for more the device is opened again */
  USUAL_TIMES = 1 << 20,
  MOST_TRIES = 5,
  MOST_ORDERS = 2000, /* PoCL keeps some mappings of every kernel, and a process can have 65530 */
  MOST_SHARED_BYTES = 256 << 20 /* of inputs: more of them are not on the device several times */
};
static const double open_timeout_s = 120;
static const double RELEASE_S = 20; /* NVML starts slowly on hosts with many GPUs */

hone_status hone__gpu_open(const struct hone__gpu_driver *driver, const char *name,
                           struct hone__packed *facts, void **out_device)
{
  struct hone__gpu_device *device = hone__alloc(sizeof *device);

  (void)facts; /* they come with the helper */
  device->driver = driver;
  device->name = hone__strdup(name);
  *out_device = device;
  return NULL;
}

void hone__gpu_close(void *data)
{
  struct hone__gpu_device *device = data;

  if (!device) return;
  free(device->name);
  free(device);
}

/* Reserves report memory for the usual trial: unused pages cost nothing, and a helper without it
 * must be restarted. */
static hone_status reserve_memory(struct hone__bench *bench)
{
  struct hone__trial usual = {.bench = bench,
                              .plan = {.check = true},
                              .count = USUAL_CANDIDATES,
                              .time_count = USUAL_TIMES};

  if (hone__trial_memory_make(&bench->memory, hone__trial_lay_out(&usual, NULL))) return NULL;
  return hone__error(HONE_EXHAUSTED,
                     "cannot share memory with the process that owns the device: %s",
                     strerror(errno));
}

/* The helper's error; false: there is none, or the device is open. */
static bool read_error(const struct hone__helper_answer *answer, hone_status *out_status)
{
  struct hone__arena arena = {0};
  struct hone__gpu_opened opened = {0};

  if (answer->head)
    hone_status_free(hone__unpack(answer->head, &hone__gpu_opened_type, &arena, &opened));
  if (opened.error) *out_status = hone__error((enum hone_code)opened.code, "%s", opened.error);
  hone__arena_release(&arena);
  return *out_status != NULL;
}

hone_status hone__gpu_helper_error(const struct hone__helper_answer *answer)
{
  struct hone__text end = {0}, words = {0};
  hone_status status = NULL;

  if (read_error(answer, &status)) return status;
  hone__child_describe(&answer->child, &end);
  hone__last_line(answer->child.errors.length ? &answer->child.errors : &answer->child.output,
                  &words);
  status = hone__error(HONE_UNAVAILABLE, "the device cannot be opened: its process ended: %s%s%s",
                       end.data ? end.data : "no reason given", words.length ? "; output: " : "",
                       words.length ? words.data : "");
  hone__text_release(&end);
  hone__text_release(&words);
  return status;
}

/* Opening a device does not cause this: another process did. */
static bool was_killed(const struct hone__child_result *child)
{
  return child->end == HONE__CHILD_STOPPED ||
         (child->end == HONE__CHILD_SIGNALLED &&
          (child->code == SIGKILL || child->code == SIGTERM || child->code == SIGINT));
}

static void ask_to_open(struct hone__gpu_bench *own, const struct hone__helper_request *order,
                        struct hone__helper_answer *answer)
{
  if (own->is_profiled) {
    hone__gpu_ask_here(own, order, answer);
    return;
  }
  for (int tries = 1;; tries++) {
    hone__helper_ask(&own->helper, order, answer);
    if (answer->has_answered || tries == MOST_TRIES || !was_killed(&answer->child)) return;
    hone__helper_answer_release(answer);
  }
}

/* ---- Helpers ahead ---- */

/* They open the device while nothing is measured. One that fails is replaced when it is needed. */
static void open_ahead(struct hone__gpu_bench *own, const char *kind)
{
  struct hone__packed *packed = hone__pack(&hone__gpu_order_type, &(struct hone__gpu_order){0});
  struct hone__helper_request order = {
      .serve = hone__gpu_serve, .data = own, .head = packed, .timeout_s = open_timeout_s};
  size_t count = own->bench->setup.ahead;

  if (own->is_profiled || own->bench->buffers.span >= MOST_SHARED_BYTES ||
      (kind && strcmp(kind, "cpu") == 0))
    count = 0;
  for (size_t i = 0; i < count && i < HONE__GPU_MOST_AHEAD; i++)
    hone__helper_begin(&own->ahead[i], &order);
  hone__packed_drop(packed);
}

size_t hone__gpu_count_ahead(const struct hone__gpu_bench *own)
{
  size_t count = 0;

  for (size_t i = 0; i < HONE__GPU_MOST_AHEAD; i++)
    count += hone__helper_is_alive(own->ahead[i]);
  return count;
}

static void end_ahead(struct hone__gpu_bench *own)
{
  for (size_t i = 0; i < HONE__GPU_MOST_AHEAD; i++) {
    hone__helper_end(own->ahead[i]);
    own->ahead[i] = NULL;
  }
}

/* The next helper opens the device while this one closes it, if there is memory for both. */
void hone__gpu_renew_helper(struct hone__gpu_bench *own)
{
  bool waits = own->bench->buffers.span >= MOST_SHARED_BYTES;

  (waits ? hone__helper_end : hone__helper_leave)(own->helper);
  own->helper = own->ahead[0];
  own->ahead[0] = own->ahead[1];
  own->ahead[1] = NULL;
  own->is_ready = false;
  if (hone__helper_is_alive(own->helper)) return;
  hone__helper_end(own->helper);
  own->helper = NULL;
}

/* ---- The helper ---- */

void hone__gpu_ask_here(struct hone__gpu_bench *own, const struct hone__helper_request *order,
                        struct hone__helper_answer *answer)
{
  struct hone__frame frame = {.kind = HONE__FRAME_JOB,
                              .head = order->head,
                              .payload = order->payload,
                              .payload_size = order->payload_size};

  *answer = (struct hone__helper_answer){.has_answered = true};
  hone__gpu_obey(own, &frame, &answer->head);
}

static bool has_failed(const struct hone__helper_answer *answer)
{
  hone_status status = NULL;
  bool failed = read_error(answer, &status);

  hone_status_free(status);
  return failed;
}

bool hone__gpu_get_helper(struct hone__gpu_bench *own, const struct hone__trial_memory *memory,
                          struct hone__helper_answer *answer)
{
  struct hone__packed *packed = hone__pack(&hone__gpu_order_type, &(struct hone__gpu_order){0});
  struct hone__helper_request order = {
      .serve = hone__gpu_serve, .data = own, .head = packed, .timeout_s = open_timeout_s};

  if (own->inherited_number != memory->number || own->orders >= MOST_ORDERS) {
    end_ahead(own);
    hone__helper_end(own->helper);
    own->helper = NULL;
    own->inherited = memory->bytes;
    own->inherited_number = memory->number;
  }
  *answer = (struct hone__helper_answer){.has_answered = true};
  if (!own->is_ready || !(own->is_profiled || hone__helper_is_alive(own->helper))) {
    ask_to_open(own, &order, answer);
    own->orders = 0;
    own->is_ready = answer->has_answered && !has_failed(answer);
    own->is_known = own->is_known || own->is_ready;
  }
  if (!own->is_ready) { /* it is exiting, and must not get another order */
    hone__helper_end(own->helper);
    own->helper = NULL;
  }
  own->orders++;
  hone__packed_drop(packed);
  return own->is_ready;
}

/* The helper's facts, in the arena. */
static hone_status take_facts(const struct hone__helper_answer *answer, struct hone__arena *arena,
                              struct hone__wire_device_facts *out_facts)
{
  struct hone__gpu_opened opened = {0};
  hone_status status = hone__unpack(answer->head, &hone__gpu_opened_type, arena, &opened);

  if (!status && opened.facts) *out_facts = *opened.facts;
  return status;
}

static hone_status open_helper(struct hone__gpu_bench *own, struct hone__arena *arena,
                               struct hone__packed **out_answer,
                               struct hone__wire_device_facts *out_facts)
{
  struct hone__helper_answer answer;
  hone_status status = NULL;

  if (!hone__gpu_get_helper(own, &own->bench->memory, &answer))
    status = hone__gpu_helper_error(&answer);
  else if (answer.head)
    status = take_facts(&answer, arena, out_facts);
  if (answer.head) *out_answer = hone__packed_hold(answer.head);
  hone__helper_answer_release(&answer);
  return status;
}

hone_status hone__gpu_prepare_bench(void *device, const struct hone__packed *setup,
                                    const void *payload, size_t payload_size,
                                    struct hone__gpu_prepared *out)
{
  struct hone__bench *bench = hone__alloc(sizeof *bench);
  struct hone__gpu_bench *own = hone__alloc(sizeof *own);
  struct hone__named_list other = {.arena = &out->arena};
  hone_status status = hone__bench_make(bench, &hone__engine_gpu, setup, payload, payload_size);

  *out = (struct hone__gpu_prepared){.bench = bench};
  bench->own = own;
  bench->has_helper = true;
  own->bench = bench;
  own->device = device;
  own->is_profiled = getenv("HONE_PROFILED") != NULL;
  if (!status) status = hone__gpu_steps_take(&own->steps, &bench->setup, payload, payload_size);
  if (!status) status = reserve_memory(bench);
  if (!status) status = open_helper(own, &out->arena, &out->answer, &out->facts);
  hone__named_add(&other, out->facts.other, out->facts.other_count);
  if (!status) open_ahead(own, out->facts.kind);
  if (!status && !own->is_profiled)
    status = hone__bench_expect(bench, payload, payload_size, &other);
  if (!status) hone__gpu_add_limits(out->facts.kind, &other);
  out->facts.other = other.items;
  out->facts.other_count = other.count;
  return status;
}

/* ---- For backends ---- */

hone_status hone__gpu_prepare(void *device, const struct hone__packed *setup, const void *payload,
                              size_t payload_size, struct hone__packed *facts, void **out_bench)
{
  struct hone__gpu_prepared prepared;
  hone_status status = hone__gpu_prepare_bench(device, setup, payload, payload_size, &prepared);

  *out_bench = hone__gpu_take_prepared(&prepared, status, facts);
  return status;
}

void *hone__gpu_take_prepared(struct hone__gpu_prepared *prepared, hone_status status,
                              struct hone__packed *facts)
{
  struct hone__bench *bench = prepared->bench;

  hone__packed_add(facts, &hone__wire_device_facts_type, &prepared->facts);
  if (status) {
    hone__gpu_release(bench);
    bench = NULL;
  }
  hone__arena_release(&prepared->arena);
  hone__packed_drop(prepared->answer);
  return bench;
}

static void call_release(void *data)
{
  const struct hone__gpu_driver *driver = data;

  driver->release_left();
}

/* The helper is gone, and what it changed of the device with it; this process opens no library. */
static void release_left(const struct hone__gpu_driver *driver)
{
  struct hone__child_result end = {0};

  if (!driver->release_left) return;
  hone__child_run(&(struct hone__child_options){.function = call_release,
                                                .data = (void *)(uintptr_t)driver,
                                                .timeout_s = RELEASE_S},
                  &end);
  hone__child_result_release(&end);
}

void hone__gpu_release(void *data)
{
  struct hone__bench *bench = data;
  struct hone__gpu_bench *own = bench ? bench->own : NULL;

  if (!bench) return;
  end_ahead(own);
  hone__helper_end(own->helper);
  if (bench->setup.changes_device) release_left(own->device->driver);
  hone__gpu_steps_release(&own->steps);
  free(own);
  hone__bench_free(bench);
}
