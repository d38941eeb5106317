/* A kernel in CUDA in a program with a context of its own. Where there is no GPU, with a library
 * that pretends to be CUDA's, on which every kernel is y = x + 1. */
#include "backend/cuda/cuda_library.h"
#include "cuda_kernels.h"

#include "hone_kernel.h"

#include <pthread.h>

enum { COUNT = 1000 };

static const char source[] = "extern \"C\" __global__ void add(const float *x, float *y, int n)\n"
                             "{\n"
                             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  for (volatile int times = 0; times < WORK; times = times + 1)\n"
                             "    if (i < n) y[i] = x[i] + 1;\n"
                             "}\n";
static const char spec[] = "name: add-cuda\n"
                           "file: add.cu\n"
                           "problem: {N: 4096}\n"
                           "params: {WORK: [2000, 1], GROUP: [64]}\n"
                           "baseline: {WORK: 2000, GROUP: 64}\n"
                           "entry: add\n"
                           "launch: {grid: [(N + GROUP - 1) // GROUP], block: [GROUP]}\n"
                           "args:\n"
                           "  - {name: x, type: f32, shape: [N], fill: uniform}\n"
                           "  - {name: y, type: f32, shape: [N], role: out}\n"
                           "  - {name: n, type: i32, value: N}\n";

static const struct hone__simt_library *cuda;
static simt_context context; /* NULL: no GPU */

#define NEEDS_GPU()                                                                                \
  do {                                                                                             \
    if (!context || !has_nvrtc) skip();                                                            \
  } while (0)

/* Before anything is loaded. */
static void pretend(void)
{
  static const char path[] = "/tmp/hone-test-stub-%d.so";
  char file[64], command[256];

  if (access("/dev/nvidiactl", F_OK) == 0 || access("/dev/nvidia0", F_OK) == 0) return;
  snprintf(file, sizeof file, path, (int)getpid());
  snprintf(command, sizeof command, "cc -shared -fPIC -o %s tests/fault/device_stub.c -lm", file);
  if (system(command) != 0) return;
  setenv("HONE_CUDA", file, 1);
  setenv("HONE_NVRTC", file, 1);
}

static int close_device(void **state)
{
  const char *file = getenv("HONE_CUDA");

  if (file && strncmp(file, "/tmp/hone-test-stub-", 20) == 0) unlink(file);
  return remove_folder(state);
}

static int open_device(void **state)
{
  simt_device device;
  hone_status status;

  pretend();
  if (find_nvrtc(state) != 0) return -1;
  write_text("add.cu", source);
  write_text("add.yaml", spec);
  setenv("HONE_STORE", path_of("store.db"), 1);
  setenv("HONE_PROGRAM", getenv("HONE") ? getenv("HONE") : "build/cli/hone", 1);
  unsetenv("HONE_AUTOTUNE");
  status = hone__cuda_library(&cuda);
  if (status) print_message("# %s\n", hone_status_message(status));
  if (!status && cuda->Init(0) == 0 && cuda->DeviceGet(&device, 0) == 0 &&
      cuda->DevicePrimaryCtxRetain(&context, device) == 0)
    cuda->CtxSetCurrent(context);
  hone_status_free(status);
  return 0;
}

static struct hone_kernel *open_kernel(bool background)
{
  struct hone_kernel_options options;
  struct hone_kernel *kernel = NULL;
  hone_status status;

  hone_kernel_options_init(&options);
  options.background = background;
  status = hone_kernel_open(path_of("add.yaml"), &options, &kernel);
  if (status) fail_msg("%s", hone_status_message(status));
  return kernel;
}

static void get(struct hone_kernel *kernel, int64_t n, const struct hone_kernel_function **function)
{
  hone_status status = hone_kernel_get(kernel, &n, function);

  if (status) fail_msg("%s", hone_status_message(status));
}

static void expect_right(const struct hone_kernel_function *function)
{
  float *x = calloc(COUNT, sizeof *x), *y = calloc(COUNT, sizeof *y);
  simt_address in, out;
  int n = COUNT;
  void *params[] = {&in, &out, &n};

  for (int i = 0; i < n; i++)
    x[i] = (float)i;
  assert_int_equal(cuda->MemAlloc(&in, COUNT * sizeof *x), 0);
  assert_int_equal(cuda->MemAlloc(&out, COUNT * sizeof *x), 0);
  cuda->MemcpyHtoD(in, x, COUNT * sizeof *x);
  assert_int_equal(cuda->LaunchKernel(function->function, (unsigned)function->grid[0],
                                      (unsigned)function->grid[1], (unsigned)function->grid[2],
                                      (unsigned)function->local[0], (unsigned)function->local[1],
                                      (unsigned)function->local[2],
                                      (unsigned)function->shared_bytes, NULL, params, NULL),
                   0);
  assert_int_equal(cuda->CtxSynchronize(), 0);
  cuda->MemcpyDtoH(y, out, COUNT * sizeof *y);
  for (int i = 0; i < n; i++)
    assert_true(y[i] == x[i] + 1);
  cuda->MemFree(in);
  cuda->MemFree(out);
  free(x);
  free(y);
}

static void in_the_background_for_the_context_of_the_caller(void **state)
{
  struct hone_kernel *kernel;
  const struct hone_kernel_function *first, *tuned;
  hone_status status;

  (void)state;
  NEEDS_GPU();
  kernel = open_kernel(true);
  get(kernel, COUNT, &first);
  assert_int_equal(first->origin, HONE_KERNEL_FROM_DEFAULT);
  expect_right(first);
  status = hone_kernel_wait(kernel);
  if (status) fail_msg("%s", hone_status_message(status));
  get(kernel, COUNT, &tuned);
  assert_int_equal(tuned->origin, HONE_KERNEL_FROM_TUNING);
  assert_int_equal(tuned->grid[0], 16);
  assert_int_equal(tuned->local[0], 64);
  assert_null(tuned->call);
  expect_right(tuned);
  expect_right(first); /* it stays loaded */
  hone_kernel_free(kernel);
}

static void the_next_one_looks_it_up(void **state)
{
  struct hone_kernel *kernel;
  const struct hone_kernel_function *function;

  (void)state;
  NEEDS_GPU();
  kernel = open_kernel(false);
  get(kernel, COUNT, &function);
  assert_int_equal(function->origin, HONE_KERNEL_FROM_STORE);
  expect_right(function);
  hone_kernel_free(kernel);
}

static void *get_without_context(void *data)
{
  const struct hone_kernel_function *function;
  int64_t n = COUNT;

  return hone_kernel_get(data, &n, &function);
}

static void a_thread_without_a_context_is_told(void **state)
{
  struct hone_kernel *kernel;
  pthread_t thread;
  void *status;

  (void)state;
  NEEDS_GPU();
  kernel = open_kernel(false);
  pthread_create(&thread, NULL, get_without_context, kernel);
  pthread_join(thread, &status);
  assert_non_null(status);
  assert_non_null(strstr(hone_status_message(status), "no CUDA context is current"));
  hone_status_free(status);
  hone_kernel_free(kernel);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_the_background_for_the_context_of_the_caller),
      cmocka_unit_test(the_next_one_looks_it_up),
      cmocka_unit_test(a_thread_without_a_context_is_told),
  };

  return cmocka_run_group_tests_name("kernel_cuda", tests, open_device, close_device);
}
