/* A kernel in OpenCL in a program with a context of its own. Skipped where there is no device. */
#include "opencl_kernels.h"

#include "hone_kernel.h"

enum { COUNT = 1000 };

static const char source[] =
    "__kernel void add(__global const float *x, __global float *y, int n)\n"
    "{\n"
    "  int i = get_global_id(0);\n"
    "  for (volatile int times = 0; times < WORK; times++)\n"
    "    if (i < n) y[i] = x[i] + 1;\n"
    "}\n";
static const char spec[] = "name: add-opencl\n"
                           "file: add.cl\n"
                           "problem: {N: 4096}\n"
                           "params: {WORK: [200, 1], GROUP: [16]}\n"
                           "baseline: {WORK: 200, GROUP: 16}\n"
                           "entry: add\n"
                           "launch: {global: [(N + GROUP - 1) // GROUP * GROUP], local: [GROUP]}\n"
                           "args:\n"
                           "  - {name: x, type: f32, shape: [N], fill: uniform}\n"
                           "  - {name: y, type: f32, shape: [N], role: out}\n"
                           "  - {name: n, type: i32, value: N}\n";

static struct hone__opencl_device device;
static cl_context context;
static cl_queue queue;

static int open_device(void **state)
{
  int code;

  if (find_opencl(state) != 0) return -1;
  write_text("add.cl", source);
  write_text("add.yaml", spec);
  setenv("HONE_STORE", path_of("store.db"), 1);
  setenv("HONE_PROGRAM", getenv("HONE") ? getenv("HONE") : "build/cli/hone", 1);
  unsetenv("HONE_AUTOTUNE");
  if (!opencl_device) return 0;
  hone__opencl_use_host();
  hone_status_free(hone__opencl_find(opencl_device, &device));
  context = device.cl->CreateContext(NULL, 1, &device.device, NULL, NULL, &code);
  queue = device.cl->CreateCommandQueue(context, device.device, 0, &code);
  return context && queue ? 0 : -1;
}

static int close_device(void **state)
{
  if (queue) device.cl->ReleaseCommandQueue(queue);
  if (context) device.cl->ReleaseContext(context);
  return leave_opencl(state);
}

static struct hone_kernel *open_kernel(bool has_context)
{
  struct hone_kernel_options options;
  struct hone_kernel *kernel = NULL;
  hone_status status;

  hone_kernel_options_init(&options);
  if (has_context) options.opencl_context = context;
  options.opencl_device = device.device;
  status = hone_kernel_open(path_of("add.yaml"), &options, &kernel);
  if (status) print_message("# %s\n", hone_status_message(status));
  hone_status_free(status);
  return kernel;
}

static void expect_right(const struct hone_kernel_function *function)
{
  const struct hone__opencl_library *cl = device.cl;
  float *x = calloc(COUNT, sizeof *x), *y = calloc(COUNT, sizeof *y);
  cl_memory in, out;
  int code, n = COUNT;

  for (int i = 0; i < n; i++)
    x[i] = (float)i;
  in = cl->CreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof *x, NULL, &code);
  out = cl->CreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof *x, NULL, &code);
  cl->EnqueueWriteBuffer(queue, in, 1, 0, COUNT * sizeof *x, x, 0, NULL, NULL);
  cl->SetKernelArg(function->function, 0, sizeof in, &in);
  cl->SetKernelArg(function->function, 1, sizeof out, &out);
  cl->SetKernelArg(function->function, 2, sizeof n, &n);
  assert_int_equal(cl->EnqueueNDRangeKernel(queue, function->function, function->dimensions, NULL,
                                            function->global, function->local, 0, NULL, NULL),
                   CL_SUCCESS);
  cl->EnqueueReadBuffer(queue, out, 1, 0, COUNT * sizeof *y, y, 0, NULL, NULL);
  for (int i = 0; i < n; i++)
    assert_true(y[i] == x[i] + 1);
  cl->ReleaseMemObject(in);
  cl->ReleaseMemObject(out);
  free(x);
  free(y);
}

static void get(struct hone_kernel *kernel, int64_t n, const struct hone_kernel_function **function)
{
  hone_status status = hone_kernel_get(kernel, &n, function);

  if (status) fail_msg("%s", hone_status_message(status));
}

static void it_is_tuned_and_launched_in_the_own_context(void **state)
{
  struct hone_kernel *kernel;
  const struct hone_kernel_function *function, *again;
  int64_t group = 0;

  (void)state;
  NEEDS_OPENCL();
  kernel = open_kernel(true);
  assert_non_null(kernel);
  get(kernel, COUNT, &function);
  assert_int_equal(function->origin, HONE_KERNEL_FROM_TUNING);
  assert_null(function->call);
  assert_non_null(function->module);
  assert_int_equal(function->dimensions, 1);
  assert_int_equal(function->global[0], 1008);
  assert_int_equal(function->local[0], 16);
  assert_int_equal(function->grid[0], 63);
  assert_true(hone_kernel_value(function, "GROUP", &group) && group == 16);
  assert_false(hone_kernel_value(function, "NONE", &group));
  expect_right(function);
  get(kernel, COUNT, &again);
  assert_ptr_equal(function, again);
  hone_kernel_free(kernel);
}

static void the_next_one_looks_it_up(void **state)
{
  struct hone_kernel *kernel;
  const struct hone_kernel_function *function;

  (void)state;
  NEEDS_OPENCL();
  kernel = open_kernel(true);
  get(kernel, COUNT, &function);
  assert_int_equal(function->origin, HONE_KERNEL_FROM_STORE);
  expect_right(function);
  hone_kernel_free(kernel);
}

static void it_needs_a_context(void **state)
{
  (void)state;
  NEEDS_OPENCL();
  assert_null(open_kernel(false));
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_tuned_and_launched_in_the_own_context),
      cmocka_unit_test(the_next_one_looks_it_up),
      cmocka_unit_test(it_needs_a_context),
  };

  return cmocka_run_group_tests_name("kernel_opencl", tests, open_device, close_device);
}
