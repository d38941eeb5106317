/* CUDA's devices: each case in a process of its own, because a fault ends a context for good and a
 * context does not survive a fork. Skipped where there is no GPU. */
#include "backend/cuda/cuda_device.h"
#include "backend/gpu/gpu_driver.h"
#include "base/clock.h"
#include "cuda_kernels.h"

#include <sys/wait.h>

static bool has_gpu;
static char arch[16]; /* of the first device */

/* ---- Processes ---- */

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("# line %d: %s\n", __LINE__, #condition);                                             \
      fflush(stdout);                                                                              \
      _exit(1);                                                                                    \
    }                                                                                              \
  } while (0)

#define NEEDS_GPU()                                                                                \
  do {                                                                                             \
    if (!has_gpu || !has_nvrtc) skip();                                                            \
  } while (0)

static void run_in_child(void (*body)(void))
{
  int status;
  pid_t pid;

  fflush(NULL);
  pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    body();
    fflush(NULL);
    _exit(0);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static int find_gpu(void **state)
{
  int ends[2];
  FILE *answer;

  if (find_nvrtc(state) != 0 || pipe(ends) != 0) return -1;
  fflush(NULL);
  if (fork() == 0) {
    struct hone__wire_device_list devices = {0};
    hone_status status = hone__gpu_cuda.list(&devices);
    if (status)
      printf("# no CUDA here: %s\n", hone_status_message(status));
    else
      dprintf(ends[1], "%s\n", devices.devices[0].arch);
    fflush(NULL);
    _exit(0);
  }
  close(ends[1]);
  answer = fdopen(ends[0], "r");
  has_gpu = fgets(arch, sizeof arch, answer) != NULL;
  arch[strcspn(arch, "\n")] = 0;
  fclose(answer);
  return 0;
}

/* ---- Kernels ---- */

static const char source[] =
    "struct pair { int a; double b; };\n"
    "extern \"C\" __global__ void arguments(double *out, signed char a, short b, int c,\n"
    "    long long d, unsigned char e, unsigned long long f, float g, double h, pair p, bool i)\n"
    "{\n"
    "  double values[] = {(double)a, (double)b, (double)c, (double)d, (double)e, (double)f, g, h,\n"
    "                     (double)p.a, p.b, (double)i};\n"
    "  for (int k = 0; k < 11; k++) out[k] = values[k];\n"
    "}\n"
    "extern \"C\" __global__ void add(int *x, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] += 1;\n"
    "}\n"
    "extern \"C\" __global__ void shared(int *x, int n)\n"
    "{\n"
    "  extern __shared__ int tile[];\n"
    "  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = i;\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x == 0) x[0] = tile[n - 1];\n"
    "}\n"
    "extern \"C\" __global__ void clusters(int *x)\n"
    "{\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "  int n;\n"
    "  asm volatile(\"mov.u32 %0, %%cluster_nctaid.x;\" : \"=r\"(n));\n"
    "  if (threadIdx.x == 0) x[blockIdx.x] = n;\n"
    "#endif\n"
    "}\n"
    "struct alignas(64) tensor_map { unsigned long long words[16]; };\n"
    "extern \"C\" __global__ void tensors(const __grid_constant__ tensor_map map, float *out)\n"
    "{\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "  __shared__ alignas(128) float tile[8 * 32];\n"
    "  __shared__ alignas(8) unsigned long long barrier;\n"
    "  unsigned to = (unsigned)__cvta_generic_to_shared(tile);\n"
    "  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);\n"
    "  if (threadIdx.x == 0) {\n"
    "    asm volatile(\"mbarrier.init.shared.b64 [%0], 1;\" :: \"r\"(at));\n"
    "    asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n"
    "    asm volatile(\"mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;\" :: \"r\"(at));\n"
    "    asm volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier\"\n"
    "                 \"::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];\"\n"
    "                 :: \"r\"(to), \"l\"(&map), \"r\"(32), \"r\"(8), \"r\"(at) : \"memory\");\n"
    "  }\n"
    "  __syncthreads();\n"
    "  asm volatile(\"{ .reg .pred p; w: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\"\n"
    "               \" @!p bra w; }\" :: \"r\"(at) : \"memory\");\n"
    "  for (int i = threadIdx.x; i < 256; i += blockDim.x) out[i] = tile[i];\n"
    "#endif\n"
    "}\n"
    "template <int Rows, typename T> __global__ void tiled(T *x)\n"
    "{\n"
    "  __shared__ T tile[Rows];\n"
    "  tile[threadIdx.x % Rows] = (T)(Rows + threadIdx.x);\n"
    "  __syncthreads();\n"
    "  x[threadIdx.x] = tile[threadIdx.x % Rows];\n"
    "}\n"
    "extern \"C\" __global__ void spin(long long cycles)\n"
    "{\n"
    "  long long begin = clock64();\n"
    "  while (clock64() - begin < cycles) {}\n"
    "}\n"
    "extern \"C\" __global__ void copy(float4 *to, const float4 *from, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) to[i] = from[i];\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(256) large(float *x, int n)\n"
    "{\n"
    "  float r[96];\n"
    "  for (int i = 0; i < 96; i++) r[i] = x[i * n];\n"
    "  __syncthreads();\n"
    "  for (int i = 0; i < 96; i++) x[i * n] = r[95 - i] * r[i] + r[(i * 7) % 96];\n"
    "}\n"
    "extern \"C\" __global__ void wild(int *x) { x[1ll << 40] = 1; }\n"
    "extern \"C\" __global__ void askew(char *x) { *(int *)(x + 1) = 1; }\n"
    "extern \"C\" __global__ void trap(int *x) { asm volatile(\"trap;\"); *x = 1; }\n"
    "extern \"C\" __global__ void beyond(int *x)\n"
    "{\n"
    "  __shared__ int tile[32];\n"
    "  volatile int *p = tile + *x;\n"
    "  p[threadIdx.x] = 1;\n"
    "}\n";

struct loaded {
  struct hone__gpu *gpu;
  struct hone__gpu_kernel *kernel;
  struct built built;
};

static struct hone__gpu_launch launch_of(size_t grid, size_t block)
{
  return (struct hone__gpu_launch){.dimensions = 1,
                                   .global = {grid * block, 1, 1},
                                   .local = {block, 1, 1},
                                   .has_local = true,
                                   .cluster = {1, 1, 1}};
}

static struct built build_entry(const char *entry, const char *for_arch)
{
  json_t *candidate = cuda_candidate("driver.cu", entry, for_arch);
  struct built built;

  write_text("driver.cu", source);
  cuda_define(candidate, "BM", "16");
  built = cuda_build(candidate, 60);
  if (built.answer.outcome != HONE_OUTCOME_OK) printf("# %s: %s\n", entry, built.evidence);
  CHECK(built.answer.outcome == HONE_OUTCOME_OK);
  json_decref(candidate);
  return built;
}

static struct hone__gpu *open_gpu(void)
{
  struct hone__gpu *gpu = NULL;
  hone_status status = hone__gpu_cuda.open("cuda", &gpu);

  if (status) printf("# %s\n", hone_status_message(status));
  CHECK(!status);
  return gpu;
}

static bool try_load(struct hone__gpu *gpu, const struct built *built,
                     struct hone__gpu_launch launch, struct hone__gpu_kernel **out_kernel)
{
  const struct hone__text *object = &built->answer.payload;

  return gpu->driver->load(gpu, object->data, object->length, NULL, &launch, out_kernel);
}

static struct loaded load_entry(const char *entry, struct hone__gpu_launch launch)
{
  struct loaded loaded = {.built = build_entry(entry, arch)};

  loaded.gpu = open_gpu();
  if (!try_load(loaded.gpu, &loaded.built, launch, &loaded.kernel))
    printf("# %s: %s\n", entry, loaded.gpu->fault.message);
  CHECK(loaded.kernel);
  return loaded;
}

static void unload(struct loaded *loaded)
{
  loaded->gpu->driver->unload(loaded->gpu, loaded->kernel);
  loaded->gpu->driver->close(loaded->gpu);
  release_built(&loaded->built);
}

static struct hone__gpu_memory *memory_of(struct hone__gpu *gpu, size_t bytes)
{
  struct hone__gpu_memory *memory;

  CHECK(gpu->driver->allocate(gpu, bytes, &memory));
  CHECK(gpu->driver->fill(gpu, memory, 0, 0, bytes));
  return memory;
}

static struct hone__gpu_arg buffer(struct hone__gpu_memory *memory, size_t size)
{
  return (struct hone__gpu_arg){.kind = HONE__GPU_BUFFER, .memory = memory, .size = size};
}

#define VALUE(x) ((struct hone__gpu_arg){.kind = HONE__GPU_BYTES, .bytes = &(x), .size = sizeof(x)})

static void launch_once(struct loaded *loaded, const struct hone__gpu_arg *args, size_t count)
{
  double ns = 0;

  if (!loaded->gpu->driver->bind(loaded->gpu, loaded->kernel, 0, args, count) ||
      !loaded->gpu->driver->launch(loaded->gpu, &(struct hone__gpu_work){&loaded->kernel, 1}, 0,
                                   false, &ns)) {
    printf("# %s\n", loaded->gpu->fault.message);
    CHECK(!"launched");
  }
  CHECK(ns > 0);
}

/* ---- Devices ---- */

static void devices(void)
{
  const char *const wrong[] = {"cuda:99", "cuda:", "cuda:x", "cuda:GPU-nothing", "cuda0", "opencl"};
  struct hone__wire_device_list list = {0};
  struct hone__wire_device_facts facts;
  struct hone__packed *listed_facts, *own_facts;
  struct hone__gpu *gpu;
  struct hone__text text = {0};
  char name[64];
  double begin = hone__clock(), listed, opened;

  CHECK(!hone__gpu_cuda.list(&list));
  listed = hone__clock() - begin;
  listed_facts = hone__pack(&hone__wire_device_facts_type, &list.devices[0]);
  hone__packed_print(listed_facts, &text);
  printf("# %s\n", text.data);
  snprintf(name, sizeof name, "cuda:%s", list.devices[0].uuid);
  CHECK(!hone__gpu_cuda.open(name, &gpu));
  opened = hone__clock() - begin - listed;
  printf("# listed in %.3f s, opened in %.3f s\n", listed, opened);
  CHECK(gpu->cache_bytes > 0);
  gpu->driver->facts(gpu, &list.arena, &facts);
  own_facts = hone__pack(&hone__wire_device_facts_type, &facts);
  CHECK(hone__packed_equal(own_facts, listed_facts));
  hone__packed_drop(own_facts);
  hone__packed_drop(listed_facts);
  gpu->driver->close(gpu);
  CHECK(!hone__gpu_cuda.open("cuda:0", &gpu));
  gpu->driver->close(gpu);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    hone_status status = hone__gpu_cuda.open(wrong[i], &gpu);
    CHECK(hone_status_code(status) == HONE_NOT_FOUND);
    CHECK(strstr(hone_status_message(status), "cuda:0 (GPU-"));
    hone_status_free(status);
  }
  hone__text_release(&text);
  hone__wire_device_list_release(&list);
}

static void moment(void)
{
  struct hone__gpu *gpu = open_gpu();
  struct hone__arena arena = {0};
  struct hone__wire_device_state state = {0};
  struct hone__packed *packed;
  struct hone__text text = {0};
  double before = 0, after = 0, begin = hone__clock();

  gpu->driver->state(gpu, &arena, &state);
  packed = hone__pack(&hone__wire_device_state_type, &state);
  hone__packed_print(packed, &text);
  printf("# state: %s\n", text.data);
  if (state.others.type == HONE_INT) CHECK(state.others.integer >= 0);
  if (gpu->driver->energy(gpu, &before)) {
    while (hone__clock() - begin < 0.5)
      gpu->driver->energy(gpu, &after);
    printf("# %.1f J in 0.5 s\n", after - before);
    CHECK(after >= before);
  }
  hone__text_release(&text);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
  gpu->driver->close(gpu);
}

/* ---- Memory ---- */

static void memory(void)
{
  enum { SIZE = 1000003 };
  struct hone__gpu *gpu = open_gpu();
  const struct hone__gpu_driver *driver = gpu->driver;
  struct hone__gpu_memory *one = memory_of(gpu, SIZE), *other = memory_of(gpu, SIZE);
  static const size_t places[] = {0, 1, 15, 16, 4097, 500000, SIZE - 4, SIZE - 1};
  unsigned char *bytes = malloc(SIZE), *back = malloc(SIZE);
  size_t first;

  for (size_t i = 0; i < SIZE; i++)
    bytes[i] = (unsigned char)(i * 7 + i / 256);
  CHECK(driver->write(gpu, one, 0, bytes, SIZE));
  CHECK(driver->copy(gpu, other, 0, one, 0, SIZE));
  CHECK(driver->read(gpu, back, other, 0, SIZE));
  CHECK(memcmp(bytes, back, SIZE) == 0);
  CHECK(driver->differ(gpu, one, 0, other, 0, SIZE, &first) && first == SIZE);
  CHECK(driver->differ(gpu, one, 0, other, 0, 0, &first) && first == 0);
  for (size_t i = sizeof places / sizeof *places; i-- > 0;) {
    CHECK(driver->fill(gpu, other, places[i], (uint8_t)(bytes[places[i]] + 1), 1));
    CHECK(driver->differ(gpu, one, 0, other, 0, SIZE, &first));
    CHECK(first == places[i]);
  }
  CHECK(driver->differ(gpu, one, 3, other, 3, SIZE - 3, &first) && first == 12);
  CHECK(driver->differ(gpu, one, 17, other, 17, 4000, &first) && first == 4000);
  CHECK(driver->read(gpu, back, one, SIZE - 5, 5));
  CHECK(memcmp(back, bytes + SIZE - 5, 5) == 0);
  driver->release(gpu, one);
  driver->release(gpu, other);
  driver->close(gpu);
  free(bytes);
  free(back);
}

static void too_much_memory(void)
{
  struct hone__gpu *gpu = open_gpu();
  struct hone__gpu_memory *none, *some;

  CHECK(!gpu->driver->allocate(gpu, (size_t)1 << 45, &none));
  CHECK(gpu->fault.outcome == HONE_OUTCOME_OOM_DEVICE && !gpu->fault.is_fatal);
  printf("# %s\n", gpu->fault.message);
  some = memory_of(gpu, 4096);
  gpu->driver->release(gpu, some);
  gpu->driver->close(gpu);
}

/* ---- Arguments ---- */

static void arguments(void)
{
  static const double expected[] = {-5, -300, 70000, -5e9, 200, 1e18, 0.5, 0.125, 7, 2.5, 1};
  struct loaded loaded = load_entry("arguments", launch_of(1, 1));
  struct hone__gpu_memory *out = memory_of(loaded.gpu, 11 * sizeof(double));
  signed char a = -5;
  short b = -300;
  int c = 70000;
  long long d = -5000000000;
  unsigned char e = 200;
  unsigned long long f = 1000000000000000000;
  float g = 0.5f;
  double h = 0.125, back[11];
  bool i = true;
  struct {
    int a;
    double b;
  } p = {7, 2.5};
  struct hone__gpu_arg args[] = {buffer(out, sizeof back),
                                 VALUE(a),
                                 VALUE(b),
                                 VALUE(c),
                                 VALUE(d),
                                 VALUE(e),
                                 VALUE(f),
                                 VALUE(g),
                                 VALUE(h),
                                 VALUE(p),
                                 VALUE(i)};
  struct hone__gpu_arg local = {.kind = HONE__GPU_LOCAL, .size = 64};

  launch_once(&loaded, args, 11);
  CHECK(loaded.gpu->driver->read(loaded.gpu, back, out, 0, sizeof back));
  for (int k = 0; k < 11; k++)
    CHECK(back[k] == expected[k]);
  CHECK(!loaded.gpu->driver->bind(loaded.gpu, loaded.kernel, 1, args, 10));
  printf("# %s\n", loaded.gpu->fault.message);
  CHECK(loaded.gpu->fault.outcome == HONE_OUTCOME_LAUNCH_FAILURE && !loaded.gpu->fault.is_fatal);
  args[3] = VALUE(d);
  CHECK(!loaded.gpu->driver->bind(loaded.gpu, loaded.kernel, 1, args, 11));
  printf("# %s\n", loaded.gpu->fault.message);
  args[3] = local;
  CHECK(!loaded.gpu->driver->bind(loaded.gpu, loaded.kernel, 1, args, 11));
  printf("# %s\n", loaded.gpu->fault.message);
  loaded.gpu->driver->release(loaded.gpu, out);
  unload(&loaded);
}

static void template_entry(void)
{
  struct loaded loaded = load_entry("tiled<BM, double>", launch_of(1, 16));
  struct hone__gpu_memory *out = memory_of(loaded.gpu, 16 * sizeof(double));
  struct hone__gpu_arg arg = buffer(out, 128);
  double back[16];

  launch_once(&loaded, &arg, 1);
  CHECK(loaded.gpu->driver->read(loaded.gpu, back, out, 0, sizeof back));
  CHECK(back[0] == 16 && back[15] == 31);
  loaded.gpu->driver->release(loaded.gpu, out);
  unload(&loaded);
}

static void tensor_map(void)
{
  enum { ROWS = 64, COLUMNS = 128 };
  struct loaded loaded = load_entry("tensors", launch_of(1, 64));
  struct hone__gpu *gpu = loaded.gpu;
  struct hone__gpu_memory *from = memory_of(gpu, ROWS * COLUMNS * sizeof(float));
  struct hone__gpu_memory *to = memory_of(gpu, 256 * sizeof(float));
  int64_t sizes[] = {COLUMNS, ROWS}, box[] = {32, 8};
  struct hone__tensor_map map = {
      .type = "f32", .sizes = sizes, .sizes_count = 2, .box = box, .box_count = 2};
  struct hone__gpu_arg args[] = {{.kind = HONE__GPU_TENSOR_MAP,
                                  .memory = from,
                                  .size = ROWS * COLUMNS * sizeof(float),
                                  .map = &map},
                                 buffer(to, 1024)};
  static float values[ROWS * COLUMNS], back[256];

  for (int i = 0; i < ROWS * COLUMNS; i++)
    values[i] = (float)i;
  CHECK(gpu->driver->write(gpu, from, 0, values, sizeof values));
  launch_once(&loaded, args, 2);
  CHECK(gpu->driver->read(gpu, back, to, 0, sizeof back));
  for (int i = 0; i < 256; i++)
    CHECK(back[i] == values[(8 + i / 32) * COLUMNS + 32 + i % 32]);
  map.swizzle = 64;
  CHECK(!gpu->driver->bind(gpu, loaded.kernel, 1, args, 2));
  printf("# %s\n", gpu->fault.message);
  map.swizzle = 7;
  CHECK(!gpu->driver->bind(gpu, loaded.kernel, 1, args, 2));
  map.swizzle = 128;
  CHECK(gpu->driver->bind(gpu, loaded.kernel, 1, args, 2));
  sizes[0] = 128, sizes[1] = 65;
  CHECK(!gpu->driver->bind(gpu, loaded.kernel, 1, args, 2));
  printf("# %s\n", gpu->fault.message);
  unload(&loaded);
}

/* ---- Launches ---- */

static void shared_memory(void)
{
  struct hone__gpu_launch launch = launch_of(1, 128);
  struct hone__gpu_kernel *kernel;
  struct hone__gpu_memory *out;
  struct loaded loaded;
  int n = 25600, back = 0;
  struct hone__gpu_arg args[] = {{0}, VALUE(n)};

  launch.shared = 100 << 10;
  loaded = load_entry("shared", launch);
  out = memory_of(loaded.gpu, 4);
  args[0] = buffer(out, 4);
  launch_once(&loaded, args, 2);
  CHECK(loaded.gpu->driver->read(loaded.gpu, &back, out, 0, 4));
  CHECK(back == n - 1);
  launch.shared = 1 << 20;
  CHECK(!try_load(loaded.gpu, &loaded.built, launch, &kernel));
  printf("# %s\n", loaded.gpu->fault.message);
  CHECK(loaded.gpu->fault.outcome == HONE_OUTCOME_LAUNCH_FAILURE && !loaded.gpu->fault.is_fatal);
  unload(&loaded);
}

static void clusters(void)
{
  struct hone__gpu_launch launch = launch_of(32, 64);
  struct built built = build_entry("clusters", arch);
  struct hone__gpu *gpu = open_gpu();
  struct hone__gpu_memory *out = memory_of(gpu, 32 * sizeof(int));
  struct hone__gpu_arg arg = buffer(out, 128);
  int back[32];

  for (size_t size = 2; size <= 16; size *= 2) {
    struct loaded loaded = {.gpu = gpu};
    double ns, wall_ns;
    launch.cluster[0] = size;
    if (!try_load(gpu, &built, launch, &loaded.kernel)) printf("# %s\n", gpu->fault.message);
    CHECK(loaded.kernel);
    launch_once(&loaded, &arg, 1);
    CHECK(gpu->driver->read(gpu, back, out, 0, sizeof back));
    CHECK(back[0] == (int)size && back[31] == (int)size);
    CHECK(
        gpu->driver->batch(gpu, &(struct hone__gpu_work){&loaded.kernel, 1}, 1, 20, &ns, &wall_ns));
    gpu->driver->unload(gpu, loaded.kernel);
  }
  launch.cluster[0] = 3;
  CHECK(!try_load(gpu, &built, launch, &(struct hone__gpu_kernel *){NULL}));
  printf("# %s\n", gpu->fault.message);
  gpu->driver->close(gpu);
}

static void refuse(struct hone__gpu *gpu, const struct built *built, struct hone__gpu_launch launch)
{
  struct hone__gpu_kernel *kernel;

  CHECK(!try_load(gpu, built, launch, &kernel));
  CHECK(!kernel && gpu->fault.outcome == HONE_OUTCOME_LAUNCH_FAILURE && !gpu->fault.is_fatal);
  printf("# %s\n", gpu->fault.message);
}

static void bad_sizes(void)
{
  struct built built = build_entry("add", arch), other = build_entry("add", "sm_80");
  struct hone__gpu_launch launch = launch_of(1, 2048);
  struct hone__gpu *gpu = open_gpu();

  refuse(gpu, &built, launch);
  launch = launch_of(1, 32);
  launch.local[1] = launch.global[1] = 64;
  refuse(gpu, &built, launch);
  launch = launch_of(1, 32);
  launch.global[1] = 70000;
  refuse(gpu, &built, launch);
  launch = launch_of(1, 32);
  launch.global[0] = 33;
  refuse(gpu, &built, launch);
  if (strcmp(arch, "sm_80") != 0) refuse(gpu, &other, launch_of(1, 32));
  other.answer.payload.data[100] ^= 0x55;
  other.answer.payload.data[0] = 'x';
  refuse(gpu, &other, launch_of(1, 32));
  gpu->driver->close(gpu);
}

static void rotation(void)
{
  enum { SETS = 5, N = 1000, LAUNCHES = 12 };
  struct loaded loaded = load_entry("add", launch_of(8, 128));
  struct hone__gpu_memory *sets[SETS];
  int n = N, back[N];
  double ns, wall_ns;

  for (int i = 0; i < SETS; i++) {
    struct hone__gpu_arg args[] = {{0}, VALUE(n)};
    sets[i] = memory_of(loaded.gpu, sizeof back);
    args[0] = buffer(sets[i], sizeof back);
    CHECK(loaded.gpu->driver->bind(loaded.gpu, loaded.kernel, (size_t)i, args, 2));
  }
  CHECK(loaded.gpu->driver->batch(loaded.gpu, &(struct hone__gpu_work){&loaded.kernel, 1}, SETS,
                                  LAUNCHES, &ns, &wall_ns));
  CHECK(loaded.gpu->driver->batch(loaded.gpu, &(struct hone__gpu_work){&loaded.kernel, 1}, SETS,
                                  LAUNCHES, &ns, &wall_ns));
  CHECK(ns > 0 && wall_ns > 0);
  for (int i = 0; i < SETS; i++) {
    CHECK(loaded.gpu->driver->read(loaded.gpu, back, sets[i], 0, sizeof back));
    CHECK(back[0] == (i < LAUNCHES % SETS ? 6 : 4) && back[N - 1] == back[0]);
  }
  CHECK(!loaded.gpu->driver->batch(loaded.gpu, &(struct hone__gpu_work){&loaded.kernel, 1},
                                   SETS + 1, LAUNCHES, &ns, &wall_ns));
  printf("# %s\n", loaded.gpu->fault.message);
  CHECK(loaded.gpu->driver->batch(loaded.gpu, &(struct hone__gpu_work){&loaded.kernel, 1}, 1, 3,
                                  &ns, &wall_ns));
  unload(&loaded);
}

static double number_of(const struct hone__named_list *list, const char *name)
{
  return hone__named_number(list->items, list->count, name);
}

static void occupancy(void)
{
  static const char *const entries[] = {"add", "large", "tensors"};
  struct built built[3];
  struct hone__gpu *gpu;

  for (int i = 0; i < 3; i++)
    built[i] = build_entry(entries[i], arch);
  gpu = open_gpu();
  for (int i = 0; i < 3; i++) {
    struct hone__gpu_kernel *kernel;
    struct hone__arena arena = {0};
    struct hone__named_list facts = {.arena = &arena};
    CHECK(try_load(gpu, &built[i], launch_of(8, 128), &kernel));
    gpu->driver->kernel_facts(gpu, kernel, &facts);
    printf("# %s: built %s, loaded with %g registers\n", entries[i], json_dumps(built[i].costs, 0),
           number_of(&facts, "registers"));
    CHECK(cost_of(&built[i], "spills") >= 0);
    CHECK(number_of(&facts, "registers") == cost_of(&built[i], "registers"));
    CHECK(number_of(&facts, "shared_bytes") == cost_of(&built[i], "shared_bytes"));
    if (strcmp(arch, "sm_90a") == 0) /* the target of the test's builds */
      CHECK(number_of(&facts, "occupancy") ==
            json_number_value(json_object_get(built[i].costs, "occupancy")));
    gpu->driver->unload(gpu, kernel);
    hone__arena_release(&arena);
  }
  gpu->driver->close(gpu);
}

/* ---- Faults ---- */

static const char *faulty;

static void fault(void)
{
  struct loaded loaded = load_entry(faulty, launch_of(1, 32));
  struct hone__gpu *gpu = loaded.gpu;
  struct hone__gpu_memory *out = memory_of(gpu, 1024), *more;
  struct hone__gpu_arg arg = buffer(out, 1024);
  int far = 1 << 24;
  double ns;

  CHECK(gpu->driver->write(gpu, out, 0, &far, sizeof far));
  CHECK(gpu->driver->bind(gpu, loaded.kernel, 0, &arg, 1));
  CHECK(!gpu->driver->launch(gpu, &(struct hone__gpu_work){&loaded.kernel, 1}, 0, true, &ns));
  printf("# %s: %s\n", faulty, gpu->fault.message);
  CHECK(gpu->fault.outcome == HONE_OUTCOME_DEVICE_FAULT && gpu->fault.is_fatal);
  CHECK(!gpu->driver->allocate(gpu, 1024, &more)); /* nothing works any more */
}

/* ---- Times: printed, not judged ---- */

static int by_size(const void *a, const void *b)
{
  double one = *(const double *)a, other = *(const double *)b;

  return (one > other) - (one < other);
}

static double median_launch(struct loaded *loaded, bool flush)
{
  double ns[31];

  for (int i = 0; i < 31; i++)
    CHECK(loaded->gpu->driver->launch(loaded->gpu, &(struct hone__gpu_work){&loaded->kernel, 1}, 0,
                                      flush, &ns[i]));
  qsort(ns, 31, sizeof *ns, by_size);
  return ns[15] / 1000;
}

static double median_batch(struct loaded *loaded, size_t sets, size_t launches, double *out_wall)
{
  double ns[15], wall[15];

  for (int i = 0; i < 15; i++)
    CHECK(loaded->gpu->driver->batch(loaded->gpu, &(struct hone__gpu_work){&loaded->kernel, 1},
                                     sets, launches, &ns[i], &wall[i]));
  qsort(ns, 15, sizeof *ns, by_size);
  qsort(wall, 15, sizeof *wall, by_size);
  *out_wall = wall[7] / 1000;
  return ns[7] / 1000;
}

static void spin(void)
{
  static const double us[] = {2, 10, 100, 1000};
  struct loaded loaded = load_entry("spin", launch_of(1, 32));
  struct hone__arena arena = {0};
  struct hone__wire_device_state state = {0};
  double mhz, wall;

  loaded.gpu->driver->state(loaded.gpu, &arena, &state);
  for (size_t i = 0; i < 4; i++) {
    long long cycles;
    struct hone__gpu_arg arg = VALUE(cycles);
    size_t launches = (size_t)(2000 / us[i]) < 500 ? (size_t)(2000 / us[i]) : 500;
    double plain, flushed, graph, floor_ns[2] = {0};
    mhz = state.clock_mhz_now.type == HONE_INT ? (double)state.clock_mhz_now.integer : 0;
    if (mhz <= 0) mhz = 1000;
    cycles = (long long)(us[i] * mhz);
    CHECK(loaded.gpu->driver->bind(loaded.gpu, loaded.kernel, 0, &arg, 1));
    graph = median_batch(&loaded, 1, launches, &wall);
    plain = median_launch(&loaded, false);
    flushed = median_launch(&loaded, true);
    if (i == 0 && loaded.gpu->driver->floor(loaded.gpu, HONE__GPU_EVENTS, &floor_ns[0]) &&
        loaded.gpu->driver->floor(loaded.gpu, HONE__GPU_BATCH, &floor_ns[1]))
      printf("# floor: events %.2f us, batch %.2f us\n", floor_ns[0] / 1000, floor_ns[1] / 1000);
    printf("# spin %7.1f us at %.0f MHz: launch %.2f, with flush %.2f, batch of %zu: %.2f (wall "
           "%.2f)\n",
           us[i], mhz, plain, flushed, launches, graph, wall);
    CHECK(graph > 0 && plain > 0 && flushed > 0);
  }
  hone__arena_release(&arena);
  unload(&loaded);
}

static void copies(void)
{
  enum { BYTES = 8 << 20, SETS = 24 };
  struct loaded loaded = load_entry("copy", launch_of(BYTES / 16 / 256, 256));
  int n = BYTES / 16;
  double wall, hot, rotating;

  for (size_t i = 0; i < SETS; i++) {
    struct hone__gpu_arg args[] = {buffer(memory_of(loaded.gpu, BYTES), BYTES),
                                   buffer(memory_of(loaded.gpu, BYTES), BYTES), VALUE(n)};
    CHECK(loaded.gpu->driver->bind(loaded.gpu, loaded.kernel, i, args, 3));
  }
  hot = median_batch(&loaded, 1, 200, &wall);
  rotating = median_batch(&loaded, SETS, 200, &wall);
  printf("# copy 8+8 MB: hot %.2f us, rotating %.2f us, launch %.2f, with flush %.2f\n", hot,
         rotating, median_launch(&loaded, false), median_launch(&loaded, true));
  unload(&loaded);
}

/* ---- Cases ---- */

static bool is_hopper(void)
{
  return strcmp(arch, "sm_90") >= 0 && arch[3] == '9';
}

#define CASE(name)                                                                                 \
  static void test_##name(void **state)                                                            \
  {                                                                                                \
    (void)state;                                                                                   \
    NEEDS_GPU();                                                                                   \
    run_in_child(name);                                                                            \
  }
#define CASE_OF_HOPPER(name)                                                                       \
  static void test_##name(void **state)                                                            \
  {                                                                                                \
    (void)state;                                                                                   \
    NEEDS_GPU();                                                                                   \
    if (!is_hopper()) skip();                                                                      \
    run_in_child(name);                                                                            \
  }

CASE(devices)
CASE(moment)
CASE(memory)
CASE(too_much_memory)
CASE(arguments)
CASE(template_entry)
CASE_OF_HOPPER(tensor_map)
CASE(shared_memory)
CASE_OF_HOPPER(clusters)
CASE(bad_sizes)
CASE(rotation)
CASE(occupancy)
CASE(spin)
CASE(copies)

static void test_faults(void **state)
{
  static const char *const entries[] = {"wild", "askew", "trap", "beyond"};

  (void)state;
  NEEDS_GPU();
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    faulty = entries[i];
    run_in_child(fault);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_devices),    cmocka_unit_test(test_moment),
      cmocka_unit_test(test_memory),     cmocka_unit_test(test_too_much_memory),
      cmocka_unit_test(test_arguments),  cmocka_unit_test(test_template_entry),
      cmocka_unit_test(test_tensor_map), cmocka_unit_test(test_shared_memory),
      cmocka_unit_test(test_clusters),   cmocka_unit_test(test_bad_sizes),
      cmocka_unit_test(test_rotation),   cmocka_unit_test(test_occupancy),
      cmocka_unit_test(test_faults),     cmocka_unit_test(test_spin),
      cmocka_unit_test(test_copies),
  };

  return cmocka_run_group_tests_name("cuda_driver", tests, find_gpu, remove_folder);
}
