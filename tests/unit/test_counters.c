/* The table of Nsight Compute, as its version 2025.3 prints it, cut to a few columns. */
#include "tune/contest.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TIME, BYTES, MEMORY, PROCESSORS, WARPS, TENSORS, FLOP, TENSOR_FLOP, COUNT };

#define HEAD                                                                                       \
  "==PROF== Connected to process 729 (/opt/hone)\n"                                                \
  "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define LINE(id, metric, unit, value)                                                              \
  "\"" id "\",\"k(float *, float *)\",\"" metric "\",\"" unit "\",\"" value "\"\n"
#define MEMORY_SHARE "dram__throughput.avg.pct_of_peak_sustained_elapsed"
#define TENSOR_SHARE "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"

static void one_launch(void **state)
{
  static const char log[] =
      HEAD LINE("0", "dram__bytes.sum", "byte", "51,150,848") LINE("0", MEMORY_SHARE, "%", "6.52")
          LINE("0", "gpu__time_duration.sum", "ns", "163,136") LINE("0", TENSOR_SHARE, "", "n/a");
  double values[COUNT];

  (void)state;
  assert_true(hone__counters_read(log, sizeof log - 1, values));
  assert_float_equal(values[TIME], 163136, 0);
  assert_float_equal(values[BYTES], 51150848, 0);
  assert_float_equal(values[MEMORY], 6.52, 1e-4);
  assert_true(isnan(values[TENSORS]));
}

/* A pipeline: bytes and times are added, shares weighted by time. */
static void two_launches(void **state)
{
  static const char log[] = HEAD LINE("0", "gpu__time_duration.sum", "ns", "3,000")
      LINE("0", MEMORY_SHARE, "%", "10") LINE("1", "gpu__time_duration.sum", "ns", "1,000")
          LINE("1", MEMORY_SHARE, "%", "50") LINE("1", "dram__bytes.sum", "byte", "7");
  double values[COUNT];

  (void)state;
  assert_true(hone__counters_read(log, sizeof log - 1, values));
  assert_float_equal(values[TIME], 4000, 0);
  assert_float_equal(values[BYTES], 7, 0);
  assert_float_equal(values[MEMORY], 20, 1e-4);
}

#define FFMA     "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"
#define FADD     "sm__sass_thread_inst_executed_op_fadd_pred_on.sum"
#define HALVES   "sm__ops_path_tensor_src_fp16.sum"
#define QUARTERS "sm__ops_path_tensor_src_fp8.sum"
#define A_TIME   LINE("0", "gpu__time_duration.sum", "ns", "1,000")

/* Of a multiply-add two; tensor cores of some devices have no type of 8 bits. */
static void operations(void **state)
{
  static const char log[] = HEAD A_TIME LINE("0", FFMA, "inst", "1,000")
      LINE("0", FADD, "inst", "10") LINE("0", HALVES, "", "4,096") LINE("0", QUARTERS, "", "n/a")
          LINE("1", "gpu__time_duration.sum", "ns", "1,000") LINE("1", FADD, "inst", "1");
  double values[COUNT];

  (void)state;
  assert_true(hone__counters_read(log, sizeof log - 1, values));
  assert_float_equal(values[FLOP], 2 * 1000 + 11 + 4096, 0);
}

/* Not a wrong number where something was not counted. */
static void unknown_operations(void **state)
{
  static const char *const logs[] = {
      HEAD A_TIME, HEAD A_TIME LINE("0", FFMA, "", "n/a"),
      HEAD A_TIME LINE("0", FFMA, "", "5") LINE("0", TENSOR_SHARE, "%", "90"),
      HEAD A_TIME LINE("0", FFMA, "", "5") LINE("0", TENSOR_SHARE, "%", "90")
          LINE("0", HALVES, "", "n/a")};
  double values[COUNT];

  (void)state;
  for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
    assert_true(hone__counters_read(logs[i], strlen(logs[i]), values));
    assert_true(isnan(values[FLOP]));
  }
}

static void no_table(void **state)
{
  static const char *const logs[] = {
      "", "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", HEAD,
      HEAD LINE("0", "gpu__time_duration.sum", "ns", "n/a"), "\"ID\",\"Metric Name"};
  double values[COUNT];

  (void)state;
  for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
    assert_false(hone__counters_read(logs[i], strlen(logs[i]), values));
  assert_false(hone__counters_read(NULL, 0, values));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_launch), cmocka_unit_test(two_launches),
      cmocka_unit_test(operations), cmocka_unit_test(unknown_operations),
      cmocka_unit_test(no_table),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
