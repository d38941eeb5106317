/* The driver for OpenCL on the device of this machine that is used if none is named. */
#include "opencl_kernels.h"

#include "backend/gpu/gpu_driver.h"

static const struct hone__gpu_driver *const driver = &hone__gpu_opencl;
static struct hone__gpu *gpu;

static const char source[] =
    "struct pair { int a; float b; };\n"
    "__kernel void scale(__global const float *in, __global float *out, int n, float by,\n"
    "                    struct pair pair, __local float *tile)\n"
    "{\n"
    "  int i = get_global_id(0), k = get_local_id(0);\n"
    "  tile[k] = in[i] * by + pair.a + pair.b;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (i < n) out[i] = tile[get_local_size(0) - 1 - k];\n"
    "}\n"
    "__kernel void nothing(__global float *x)\n"
    "{\n"
    "}\n";

enum { COUNT = 256, GROUP = 16 };

#define OK(call)                                                                                   \
  do {                                                                                             \
    if (!(call)) fail_msg("%s", gpu->fault.message);                                               \
  } while (0)

static int open_device(void **state)
{
  hone_status status;

  if (find_opencl(state) != 0) return -1;
  write_text("scale.cl", source);
  if (!opencl_device) return 0;
  status = driver->open(opencl_device, &gpu);
  if (status) print_message("%s\n", hone_status_message(status));
  hone_status_free(status);
  return gpu ? 0 : -1;
}

static int close_device(void **state)
{
  if (gpu) driver->close(gpu);
  return leave_opencl(state);
}

/* ---- Devices ---- */

static void test_list(void **state)
{
  static const char *const numbers[] = {"max_threads", "shared_bytes", "sm_count"};
  struct hone__wire_device_list list = {0};
  const struct hone__wire_device_facts *own = NULL;

  (void)state;
  NEEDS_OPENCL();
  assert_null(driver->list(&list));
  for (size_t i = 0; i < list.devices_count; i++)
    if (list.devices[i].is_default) own = &list.devices[i];
  assert_non_null(own);
  assert_string_equal(own->device, opencl_device);
  assert_true(*own->name && *own->driver);
  assert_int_equal(strlen(own->fingerprint), HONE__DIGEST_SIZE - 1);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    assert_true(hone__named_number(own->other, own->other_count, numbers[i]) > 0);
  hone__wire_device_list_release(&list);
}

static void expect_found(const char *name, bool found)
{
  struct hone__opencl_device device;
  hone_status status = hone__opencl_find(name, &device);

  if (found && status) print_message("%s\n", hone_status_message(status));
  assert_int_equal(status == NULL, found);
  if (found) assert_string_equal(device.name, opencl_device);
  if (!found) {
    assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
    assert_non_null(strstr(hone_status_message(status), opencl_device));
  }
  hone_status_free(status);
}

static void test_names(void **state)
{
  (void)state;
  NEEDS_OPENCL();
  expect_found("opencl", true);
  expect_found(opencl_device, true);
  if (strcmp(opencl_device, "opencl:pocl:0") == 0) {
    expect_found("opencl:POCL", true);
    expect_found("opencl:computing:0", true);
    expect_found("opencl:pocl:99", false);
  }
  expect_found("opencl:99", false);
  expect_found("opencl:nobody:0", false);
  expect_found("opencl:0:x", false);
  expect_found("cuda:0", false);
}

/* ---- Memory ---- */

static struct hone__gpu_memory *memory_of(size_t bytes)
{
  struct hone__gpu_memory *memory;

  OK(driver->allocate(gpu, bytes, &memory));
  return memory;
}

static void test_memory(void **state)
{
  enum { SIZE = 3 << 20 };
  unsigned char *bytes;
  struct hone__gpu_memory *one, *other;
  size_t first;

  (void)state;
  NEEDS_OPENCL();
  bytes = malloc(SIZE);
  for (size_t i = 0; i < SIZE; i++)
    bytes[i] = (unsigned char)(i * 7 + (i >> 9));
  one = memory_of(SIZE);
  other = memory_of(SIZE);
  OK(driver->write(gpu, one, 0, bytes, SIZE));
  OK(driver->fill(gpu, other, 0, 0xa5, SIZE));
  OK(driver->copy(gpu, other, 100, one, 0, SIZE - 100));
  OK(driver->differ(gpu, one, 0, other, 100, SIZE - 100, &first));
  assert_int_equal(first, SIZE - 100);
  OK(driver->fill(gpu, other, SIZE - 77, (uint8_t)~bytes[SIZE - 177], 1));
  OK(driver->differ(gpu, one, 0, other, 100, SIZE - 100, &first));
  assert_int_equal(first, SIZE - 177);
  OK(driver->differ(gpu, one, 0, other, 100, 0, &first));
  assert_int_equal(first, 0);
  memset(bytes, 0, 100);
  OK(driver->read(gpu, bytes, other, 0, 100));
  for (size_t i = 0; i < 100; i++)
    assert_int_equal(bytes[i], 0xa5);
  driver->release(gpu, one);
  driver->release(gpu, other);
  free(bytes);
}

static void test_too_much_memory(void **state)
{
  struct hone__gpu_memory *memory;

  (void)state;
  NEEDS_OPENCL();
  assert_false(driver->allocate(gpu, (size_t)1 << 50, &memory));
  assert_null(memory);
  assert_int_equal(gpu->fault.outcome, HONE_OUTCOME_OOM_DEVICE);
  assert_false(gpu->fault.is_fatal);
  assert_non_null(strstr(gpu->fault.message, "CL_"));
}

/* ---- Kernels ---- */

struct bench {
  struct built built;
  struct hone__gpu_kernel *kernel;
  struct hone__gpu_memory *in, *out;
  size_t at; /* offset of the input */
};

static struct hone__gpu_launch launch_of(size_t global, size_t local)
{
  return (struct hone__gpu_launch){.dimensions = 1,
                                   .global = {global, 1, 1},
                                   .local = {local ? local : 1, 1, 1},
                                   .has_local = local > 0,
                                   .cluster = {1, 1, 1}};
}

static bool load(struct bench *bench, const char *entry, size_t global, size_t local)
{
  json_t *candidate = opencl_candidate("scale.cl", entry, (int)global, GROUP);
  struct hone__gpu_launch launch = launch_of(global, local);
  bool loaded;

  bench->built = opencl_build(candidate, 60);
  expect_outcome(&bench->built, HONE_OUTCOME_OK);
  loaded = driver->load(gpu, bench->built.answer.payload.data, bench->built.answer.payload.length,
                        entry, &launch, &bench->kernel);
  json_decref(candidate);
  return loaded;
}

static void release(struct bench *bench)
{
  driver->unload(gpu, bench->kernel);
  driver->release(gpu, bench->in);
  driver->release(gpu, bench->out);
  release_built(&bench->built);
}

static void make_arrays(struct bench *bench)
{
  float values[COUNT];

  for (int i = 0; i < COUNT; i++)
    values[i] = (float)i;
  bench->at = gpu->alignment * 2;
  bench->in = memory_of(bench->at + sizeof values + 64);
  bench->out = memory_of(sizeof values);
  OK(driver->write(gpu, bench->in, bench->at, values, sizeof values));
}

static bool bind(struct bench *bench, size_t set, float by, size_t count)
{
  static const int n = COUNT;
  static const struct {
    int a;
    float b;
  } pair = {2, 0.5f};
  const struct hone__gpu_arg args[] = {
      {.kind = HONE__GPU_BUFFER, .memory = bench->in, .offset = bench->at, .size = 4 * COUNT},
      {.kind = HONE__GPU_BUFFER, .memory = bench->out, .size = 4 * COUNT},
      {.kind = HONE__GPU_BYTES, .bytes = &n, .size = sizeof n},
      {.kind = HONE__GPU_BYTES, .bytes = &by, .size = sizeof by},
      {.kind = HONE__GPU_BYTES, .bytes = &pair, .size = sizeof pair},
      {.kind = HONE__GPU_LOCAL, .size = 4 * GROUP},
  };

  return driver->bind(gpu, bench->kernel, set, args, count);
}

static void expect_scaled(struct bench *bench, float by)
{
  float values[COUNT];

  OK(driver->read(gpu, values, bench->out, 0, sizeof values));
  for (int i = 0; i < COUNT; i++) {
    int from = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
    assert_float_equal(values[i], (float)from * by + 2.5f, 1e-3f);
  }
}

static void test_launch(void **state)
{
  struct bench bench = {0};
  double ns = -1, wall_ns = -1;
  struct hone__arena arena = {0};
  struct hone__named_list facts = {.arena = &arena};

  (void)state;
  NEEDS_OPENCL();
  OK(load(&bench, "scale", COUNT, GROUP));
  make_arrays(&bench);
  OK(bind(&bench, 0, 3, 6));
  OK(driver->launch(gpu, &(struct hone__gpu_work){&bench.kernel, 1}, 0, false, &ns));
  assert_true(ns >= 0);
  expect_scaled(&bench, 3);
  OK(bind(&bench, 0, 4, 6)); /* bound anew */
  OK(bind(&bench, 1, 5, 6));
  OK(driver->launch(gpu, &(struct hone__gpu_work){&bench.kernel, 1}, 0, true, &ns));
  expect_scaled(&bench, 4);
  OK(driver->batch(gpu, &(struct hone__gpu_work){&bench.kernel, 1}, 2, 600, &ns, &wall_ns));
  assert_true(ns >= 0 && wall_ns > 0);
  expect_scaled(&bench, 5); /* the last of 600 has set 1 */
  driver->kernel_facts(gpu, bench.kernel, &facts);
  assert_true(hone__named_number(facts.items, facts.count, "max_work_group") > 0);
  hone__arena_release(&arena);
  release(&bench);
}

/* PoCL has code for one size: others are compiled when they are launched, and are right too. */
static void test_other_sizes(void **state)
{
  static const size_t groups[] = {0, 1, 4, 8};
  const float zero = 0;
  double ns;

  (void)state;
  NEEDS_OPENCL();
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    struct bench bench = {0};
    OK(load(&bench, "nothing", COUNT, groups[i]));
    bench.in = memory_of(64);
    bench.out = memory_of(64);
    OK(driver->write(gpu, bench.in, 0, &zero, sizeof zero));
    OK(driver->bind(
        gpu, bench.kernel, 0,
        &(struct hone__gpu_arg){.kind = HONE__GPU_BUFFER, .memory = bench.in, .size = 64}, 1));
    OK(driver->launch(gpu, &(struct hone__gpu_work){&bench.kernel, 1}, 0, false, &ns));
    release(&bench);
  }
}

static void expect_fault(enum hone_outcome outcome, const char *words)
{
  if (gpu->fault.outcome != outcome || !strstr(gpu->fault.message, words))
    print_message("%s: %s\n", hone_outcome_name(gpu->fault.outcome), gpu->fault.message);
  assert_int_equal(gpu->fault.outcome, outcome);
  assert_false(gpu->fault.is_fatal);
  assert_non_null(strstr(gpu->fault.message, words));
}

static void test_bad_sizes(void **state)
{
  static const struct {
    size_t global, local;
  } sizes[] = {{COUNT, 7}, {1 << 20, 1 << 20}};
  double ns, wall_ns;

  (void)state;
  NEEDS_OPENCL();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct bench bench = {0};
    OK(load(&bench, "scale", sizes[i].global, sizes[i].local));
    make_arrays(&bench);
    OK(bind(&bench, 0, 3, 6));
    assert_false(driver->launch(gpu, &(struct hone__gpu_work){&bench.kernel, 1}, 0, false, &ns));
    expect_fault(HONE_OUTCOME_LAUNCH_FAILURE, "CL_INVALID_WORK_");
    assert_false(
        driver->batch(gpu, &(struct hone__gpu_work){&bench.kernel, 1}, 1, 10, &ns, &wall_ns));
    release(&bench);
  }
  test_launch(state); /* it works as before */
}

static void test_bad_arguments(void **state)
{
  struct bench bench = {0};
  double ns;

  (void)state;
  NEEDS_OPENCL();
  OK(load(&bench, "scale", COUNT, GROUP));
  make_arrays(&bench);
  assert_false(bind(&bench, 0, 3, 5));
  expect_fault(HONE_OUTCOME_LAUNCH_FAILURE, "takes 6 arguments, but 5");
  assert_false(driver->launch(gpu, &(struct hone__gpu_work){&bench.kernel, 1}, 0, false, &ns));
  expect_fault(HONE_OUTCOME_LAUNCH_FAILURE, "no arguments");
  release(&bench);
}

static void test_bad_binary(void **state)
{
  static const char garbage[] = "this is no program";
  struct hone__gpu_launch launch = launch_of(COUNT, GROUP);
  struct hone__gpu_kernel *kernel;

  (void)state;
  NEEDS_OPENCL();
  assert_false(driver->load(gpu, garbage, sizeof garbage, "scale", &launch, &kernel));
  assert_null(kernel);
  expect_fault(HONE_OUTCOME_LAUNCH_FAILURE, "CL_INVALID_");
}

static void test_floor(void **state)
{
  double ns = -1;

  (void)state;
  NEEDS_OPENCL();
  OK(driver->floor(gpu, HONE__GPU_EVENTS, &ns));
  assert_true(ns >= 0);
  ns = -1;
  OK(driver->floor(gpu, HONE__GPU_BATCH, &ns));
  assert_true(ns >= 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_list),       cmocka_unit_test(test_names),
      cmocka_unit_test(test_memory),     cmocka_unit_test(test_too_much_memory),
      cmocka_unit_test(test_launch),     cmocka_unit_test(test_other_sizes),
      cmocka_unit_test(test_bad_sizes),  cmocka_unit_test(test_bad_arguments),
      cmocka_unit_test(test_bad_binary), cmocka_unit_test(test_floor),
  };

  return cmocka_run_group_tests(tests, open_device, close_device);
}
