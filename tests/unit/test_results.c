/* Results of runs that were put into a store by hand, and of CSV files; every format, to the byte.
 */
#include "base/text.h"

#include "folder.h"
#include "results/results.h"
#include "store/store.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
  struct hone_store *store;
  int64_t run;
  struct hone_results *results;
};

static int begin(void **state)
{
  struct fixture *fixture = hone__alloc(sizeof *fixture);
  struct hone__store_run_record run = {.key = "k",
                                       .name = "gemm",
                                       .spec = "/a/gemm.yaml",
                                       .problem = "",
                                       .options = "{\"file\": \"/a/sample.py\"}",
                                       .space = "6",
                                       .strategy = "exhaustive"};
  bool resumed;

  if (make_folder(state) != 0) return -1;
  assert_null(hone__store_open(path_of("hone.db"), false, &fixture->store));
  assert_null(hone__store_run_begin(fixture->store, &run, &resumed));
  fixture->run = run.id;
  *state = fixture;
  return 0;
}

static int end(void **state)
{
  struct fixture *fixture = *state;

  hone_results_free(fixture->results);
  hone__store_close(fixture->store);
  free(fixture);
  return remove_folder(state);
}

/* ---- Helpers ---- */

static void put(struct fixture *fixture, struct hone__evaluation evaluation)
{
  if (isnan(evaluation.compile_s)) evaluation.cached = true;
  evaluation.tries = 1;
  evaluation.baseline_ns = evaluation.cap_ns = NAN;
  evaluation.cold_ns = 10e9;
  assert_null(hone__store_evaluation_put(fixture->store, fixture->run, &evaluation));
}

static void put_output(struct fixture *fixture, int64_t mesh_idx, enum hone_outcome outcome,
                       const char *evidence, double compile_s, const char *output)
{
  char config[32];

  snprintf(config, sizeof config, "x=%lld", (long long)mesh_idx);
  put(fixture, (struct hone__evaluation){.config = config,
                                         .outcome = outcome,
                                         .evidence = evidence,
                                         .compile_s = compile_s,
                                         .time_ns = outcome == HONE_OUTCOME_OK ? 1e8 : NAN,
                                         .output = output,
                                         .mesh_idx = mesh_idx});
}

static void load(struct fixture *fixture)
{
  struct hone__store_run_result result = {.state = HONE_RUN_FINISHED,
                                          .speedup = NAN,
                                          .low = NAN,
                                          .high = NAN,
                                          .confidence = NAN,
                                          .drift = NAN,
                                          .wall_s = 259.31};

  assert_null(hone__store_run_finish(fixture->store, fixture->run, &result));
  assert_null(hone_results_load(fixture->store, 0, &fixture->results));
}

static void expect_format(const struct hone_results *results, enum hone_results_format format,
                          const char *expected)
{
  char *text;

  assert_null(hone_results_print(results, format, &text));
  assert_string_equal(text, expected);
  free(text);
}

static void read_text(struct fixture *fixture, const char *text)
{
  hone_results_free(fixture->results);
  write_file("a.csv", text, strlen(text));
  assert_null(hone_results_read(path_of("a.csv"), &fixture->results));
}

static void expect_refusal(const char *text, size_t size, const char *expected)
{
  struct hone_results *results;
  hone_status status;

  write_file("a.csv", text, size);
  status = hone_results_read(path_of("a.csv"), &results);
  assert_non_null(status);
  assert_null(results);
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  if (!strstr(hone_status_message(status), expected))
    fail_msg("'%s' is not in: %s", expected, hone_status_message(status));
  hone_status_free(status);
}

/* ---- A sweep ---- */

#define ROW_1                                                                                      \
  "{\"spec\": \"sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0\", "                   \
  "\"params\": [[\"dtype\", \"DType.float16\"], [\"shape\", \"1024x512x256\"], "                   \
  "[\"stages\", \"4\"], [\"$x\", \"0\"]], "                                                        \
  "\"columns\": [\"name\", \"met (s)\", \"iters\", \"Arithmetic (GFLOPS/s)\"], "                   \
  "\"rows\": [[\"gemm/dtype=DType.float16/m=1024/n=512/k=256/stages=4\", 0.1, 1, "                 \
  "2.68435456]], \"stdout\": \"hello\"}"
#define ROW_2                                                                                      \
  "{\"spec\": \"sample/dtype=DType.float32/shape=64x64x64/stages=2\", "                            \
  "\"params\": [[\"dtype\", \"DType.float32\"], [\"shape\", \"64x64x64\"], [\"stages\", \"2\"]], " \
  "\"columns\": [\"name\", \"met (s)\", \"iters\", \"Arithmetic (GFLOPS/s)\"], "                   \
  "\"rows\": [[\"gemm \\\"q\\\"\", 1e-5, 2, 3]]}"

static void put_sweep(struct fixture *fixture)
{
  put_output(fixture, 4, HONE_OUTCOME_OK, NULL, NAN, ROW_2);
  put_output(fixture, 0, HONE_OUTCOME_OK, NULL, 1.2344, ROW_1);
  put_output(fixture, 1, HONE_OUTCOME_COMPILE_ERROR, "s.c:1: error: no", 0.5,
             "{\"spec\": \"sample/$x=1\", \"params\": [[\"$x\", \"1\"], [\"s\", \"a'b\"]], "
             "\"build_output\": \"s.c:1: error: no\\ns.c:2: note: really\"}");
  put_output(fixture, 2, HONE_OUTCOME_HANG, "no answer after 2 s", NAN,
             "{\"spec\": \"sample/$x=2\", \"params\": [[\"$x\", \"2\"]], \"stdout\": \"begun\"}");
  put_output(fixture, 3, HONE_OUTCOME_CRASH, "signal 11 (SIGSEGV)", NAN,
             "{\"spec\": \"sample/t=True\", \"params\": [[\"t\", \"True\"]], "
             "\"stderr\": \"intentional \\u00e9 crash\"}");
}

static void test_csv_of_a_sweep(void **state)
{
  struct fixture *fixture = *state;

  put_sweep(fixture);
  load(fixture);
  assert_int_equal(fixture->results->total, 6);
  assert_int_equal(fixture->results->valid, 2);
  assert_int_equal(fixture->results->rows[1].mesh_idx, 4);
  assert_string_equal(fixture->results->file, "/a/sample.py");
  expect_format(
      fixture->results, HONE_RESULTS_CSV,
      "\"name\",\"met (s)\",\"iters\",\"Arithmetic (GFLOPS/s)\",\"spec\",\"kbench_filter\"\n"
      "\"gemm/dtype=DType.float16/m=1024/n=512/k=256/stages=4\",0.1,1,2.68435456,"
      "\"sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0\","
      "\"dtype=DType.float16 shape=1024x512x256 stages=4 x=0\"\n"
      "\"gemm \"\"q\"\"\",1e-05,2,3.0,"
      "\"sample/dtype=DType.float32/shape=64x64x64/stages=2\","
      "\"dtype=DType.float32 shape=64x64x64 stages=2\"\n");
  expect_format(fixture->results, HONE_RESULTS_PLAIN_CSV,
                "\"name\",\"met (s)\",\"iters\",\"Arithmetic (GFLOPS/s)\"\n"
                "\"gemm/dtype=DType.float16/m=1024/n=512/k=256/stages=4\",0.1,1,2.68435456\n"
                "\"gemm \"\"q\"\"\",1e-05,2,3.0\n");
}

#define DASHES_70 "\n----------------------------------------------------------------------\n"

static void test_text_of_a_sweep(void **state)
{
  struct fixture *fixture = *state;

  put_sweep(fixture);
  load(fixture);
  expect_format(
      fixture->results, HONE_RESULTS_TEXT,
      DASHES_70
      "Build time stats:\n"
      " mesh_idx  name  met (ms)  iters                                                        "
      "spec\n"
      "        0 build    1234.0      1 "
      "sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0\n"
      "        1 build     500.0      1                                                 "
      "sample/$x=1\n"
      "        2 build       0.0      1                                                 "
      "sample/$x=2\n"
      "        3 build       0.0      1                                               "
      "sample/t=True\n"
      "        4 build       0.0      1          "
      "sample/dtype=DType.float32/shape=64x64x64/stages=2\n" DASHES_70
      "Running ['/a/sample.py']\n" DASHES_70 "Number of invalid specs: 3 (out of 6)\n" DASHES_70
      "mesh_idx: [1][{'$x': 1, 's': \"a'b\"}]\n"
      "s.c:1: error: no\ns.c:2: note: really\n" DASHES_70 "mesh_idx: [2][{'$x': 2}]\n"
      "begun\n"
      "no answer after 2 s\n" DASHES_70 "mesh_idx: [3][{'t': True}]\n"
      "intentional \xc3\xa9 crash\n"
      "signal 11 (SIGSEGV)\n" DASHES_70 "Number of valid executed specs: 2 (out of 6)\n"
      " mesh_idx                                                 name  met (s)  iters  "
      "Arithmetic (GFLOPS/s)                                                        spec"
      "                                       kbench_filter\n"
      "        0 gemm/dtype=DType.float16/m=1024/n=512/k=256/stages=4      0.1      1"
      "             2.68435456 sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0 "
      "dtype=DType.float16 shape=1024x512x256 stages=4 x=0\n"
      "        4                                             gemm \"q\"    1e-05      2"
      "                    3.0          sample/dtype=DType.float32/shape=64x64x64/stages=2"
      "         dtype=DType.float32 shape=64x64x64 stages=2\n" DASHES_70
      "Total elapsed time per step:\n"
      "╭─────────────────┬─────────────╮\n"
      "│ Step            │   Total (s) │\n"
      "├─────────────────┼─────────────┤\n"
      "│ build           │       1.734 │\n"
      "├─────────────────┼─────────────┤\n"
      "│ benchmark       │      50     │\n"
      "├─────────────────┼─────────────┤\n"
      "│ kbench overhead │     207.576 │\n"
      "├─────────────────┼─────────────┤\n"
      "│ TOTAL           │     259.31  │\n"
      "╰─────────────────┴─────────────╯\n");
}

static void test_failures_of_a_sweep(void **state)
{
  struct fixture *fixture = *state;

  put_sweep(fixture);
  load(fixture);
  expect_format(fixture->results, HONE_RESULTS_FAILURES,
                "{\n"
                "  \"spec_name\": \"gemm\",\n"
                "  \"spec_file\": \"/a/sample.py\",\n"
                "  \"num_valid\": 2,\n"
                "  \"num_total\": 6,\n"
                "  \"failures\": [\n"
                "    {\n"
                "      \"mesh_idx\": 1,\n"
                "      \"params\": {\n"
                "        \"$x\": 1,\n"
                "        \"s\": \"a'b\"\n"
                "      },\n"
                "      \"failure_type\": \"build\",\n"
                "      \"exec_stderr\": \"s.c:1: error: no\\ns.c:2: note: really\",\n"
                "      \"exec_stdout\": \"\",\n"
                "      \"outcome\": \"compile_error\",\n"
                "      \"evidence\": \"s.c:1: error: no\"\n"
                "    },\n"
                "    {\n"
                "      \"mesh_idx\": 2,\n"
                "      \"params\": {\n"
                "        \"$x\": 2\n"
                "      },\n"
                "      \"failure_type\": \"timeout\",\n"
                "      \"exec_stderr\": \"\",\n"
                "      \"exec_stdout\": \"begun\",\n"
                "      \"outcome\": \"hang\",\n"
                "      \"evidence\": \"no answer after 2 s\"\n"
                "    },\n"
                "    {\n"
                "      \"mesh_idx\": 3,\n"
                "      \"params\": {\n"
                "        \"t\": true\n"
                "      },\n"
                "      \"failure_type\": \"execution\",\n"
                "      \"exec_stderr\": \"intentional \xc3\xa9 crash\",\n"
                "      \"exec_stdout\": \"\",\n"
                "      \"outcome\": \"crash\",\n"
                "      \"evidence\": \"signal 11 (SIGSEGV)\"\n"
                "    }\n"
                "  ]\n"
                "}\n");
}

static void test_json(void **state)
{
  struct fixture *fixture = *state;
  json_t *json, *row;
  char *text;

  put_sweep(fixture);
  load(fixture);
  assert_null(hone_results_print(fixture->results, HONE_RESULTS_JSON, &text));
  json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  assert_non_null(json);
  row = json_array_get(json_object_get(json, "rows"), 1);
  assert_int_equal(json_integer_value(json_object_get(row, "mesh_idx")), 4);
  assert_true(json_real_value(json_object_get(json_object_get(row, "values"), "met (s)")) == 1e-5);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(row, "params"), "stages")),
                   2);
  assert_int_equal(json_array_size(json_object_get(json, "failures")), 3);
  assert_int_equal(json_array_size(json_object_get(json, "builds")), 5);
  assert_string_equal(json_string_value(json_object_get(json, "time_column")), "met (s)");
  assert_string_equal(json_string_value(json_object_get(json, "state")), "finished");
  json_decref(json);
  free(text);
}

static void test_no_row_is_valid(void **state)
{
  struct fixture *fixture = *state;

  put_output(fixture, 0, HONE_OUTCOME_CRASH, "died", NAN, NULL);
  load(fixture);
  assert_int_equal(fixture->results->row_count, 0);
  assert_string_equal(fixture->results->failures[0].spec, "sample/x=0");
  expect_format(fixture->results, HONE_RESULTS_CSV,
                "\"name\",\"met (ms)\",\"iters\",\"spec\",\"kbench_filter\"\n");
  expect_format(fixture->results, HONE_RESULTS_PLAIN_CSV, "\"name\",\"met (ms)\",\"iters\"\n");
}

/* Checked against pandas: a column with a hole is one of floats, one with a text is of neither. */
static void test_columns_as_pandas_has_them(void **state)
{
  struct fixture *fixture = *state;

  put_output(fixture, 0, HONE_OUTCOME_OK, NULL, NAN,
             "{\"spec\": \"s/a=0\", \"params\": [[\"a\", \"0\"]], \"columns\": [\"name\", "
             "\"met (ms)\", \"A\"], \"rows\": [[\"n\", 3, \"N/A\"]]}");
  put_output(fixture, 1, HONE_OUTCOME_OK, NULL, NAN,
             "{\"spec\": \"s/a=1\", \"params\": [[\"a\", \"1\"]], \"columns\": [\"name\", "
             "\"met (ms)\", \"B\"], \"rows\": [[\"n\", 1e9, 4]]}");
  put_output(fixture, 2, HONE_OUTCOME_OK, NULL, NAN,
             "{\"spec\": \"s/a=2\", \"params\": [[\"a\", \"2\"]], \"columns\": [\"name\", "
             "\"met (ms)\", \"B\", \"A\", \"A\"], \"rows\": [[\"n\", 2, \"hello\", 5, 7]]}");
  load(fixture);
  expect_format(fixture->results, HONE_RESULTS_CSV,
                "\"name\",\"met (ms)\",\"A\",\"spec\",\"kbench_filter\",\"B\",\"A.1\"\n"
                "\"n\",3.0,\"\",\"s/a=0\",\"a=0\",\"\",\"\"\n"
                "\"n\",1000000000.0,\"\",\"s/a=1\",\"a=1\",4,\"\"\n"
                "\"n\",2.0,5.0,\"s/a=2\",\"a=2\",\"hello\",7.0\n");
}

static void test_several_rows_of_an_instance(void **state)
{
  struct fixture *fixture = *state;

  put_output(fixture, 0, HONE_OUTCOME_OK, NULL, NAN,
             "{\"spec\": \"s/a=0\", \"params\": [[\"a\", \"0\"]], \"columns\": [\"name\", "
             "\"met (ms)\", \"iters\"], \"rows\": [[\"n/input_id:one/input_id:two\", 1, 1], "
             "[\"bare\", 2, 1]]}");
  load(fixture);
  assert_int_equal(fixture->results->valid, 1);
  assert_int_equal(fixture->results->rows[1].mesh_idx, 0);
  expect_format(fixture->results, HONE_RESULTS_CSV,
                "\"name\",\"met (ms)\",\"iters\",\"spec\",\"kbench_filter\"\n"
                "\"n/input_id:one/input_id:two\",1,1,\"s/a=0/input_id=two\",\"a=0\"\n"
                "\"bare\",2,1,\"s/a=0/input_id=bare\",\"a=0\"\n");
}

static void test_files_of_several_processes(void **state)
{
  struct fixture *fixture = *state;

  put_output(fixture, 0, HONE_OUTCOME_OK, NULL, NAN,
             "{\"spec\": \"s/a=0\", \"params\": [[\"a\", \"0\"]], \"columns\": [\"name\", "
             "\"met (ms)\"], \"rows\": [[\"n/input_id:x\", 1], [\"n/input_id:y\", 2], "
             "[\"n/input_id:z\", 3]], \"files\": [1, 2]}");
  load(fixture);
  expect_format(fixture->results, HONE_RESULTS_CSV,
                "\"name\",\"met (ms)\",\"spec\",\"kbench_filter\"\n"
                "\"n/input_id:x\",1,\"s/a=0\",\"a=0\"\n"
                "\"n/input_id:y\",2,\"s/a=0/input_id=y\",\"a=0\"\n"
                "\"n/input_id:z\",3,\"s/a=0/input_id=z\",\"a=0\"\n");
}

/* ---- A run of hone_tune ---- */

static void put_tune(struct fixture *fixture)
{
  const double times[] = {1e6, 2e6, 3e6};
  const struct hone__samples samples = {.phase = HONE_PHASE_SCREEN, .times_ns = times, .count = 3};
  struct hone__evaluation evaluation = {.config = "BM=64,name='a,b'",
                                        .is_baseline = true,
                                        .compile_s = NAN,
                                        .time_ns = 2e6,
                                        .mesh_idx = -1,
                                        .samples = &samples,
                                        .sample_count = 1};

  evaluation.device = "c:0";
  put(fixture, evaluation);
  evaluation.device = "c:1";
  put(fixture, evaluation);
  evaluation.is_baseline = false;
  evaluation.config = "BM=32,name=x";
  evaluation.time_ns = 1.5e6;
  evaluation.metrics = "{\"GFLOP/s\": 12.5}";
  put(fixture, evaluation);
  evaluation.config = "BM=16,name=x";
  evaluation.outcome = HONE_OUTCOME_WRONG_RESULT;
  evaluation.evidence = "3 of 4 differ";
  put(fixture, evaluation);
}

static void test_run_without_tables(void **state)
{
  struct fixture *fixture = *state;

  put_tune(fixture);
  load(fixture);
  assert_int_equal(fixture->results->total, 3);
  assert_int_equal(fixture->results->valid, 2);
  expect_format(fixture->results, HONE_RESULTS_CSV,
                "\"name\",\"met "
                "(ms)\",\"iters\",\"spec\",\"kbench_filter\",\"GFLOP/"
                "s\",\"basis\",\"mark\",\"speedup\",\"low\",\"high\"\n"
                "\"sample/BM=64/name=a,b\",2.0,3,\"sample/BM=64/name=a,b\",\"BM=64 name=a,b\",\"\","
                "\"screening\",\"baseline\",1.0000,\"\",\"\"\n"
                "\"sample/BM=32/name=x\",1.5,3,\"sample/BM=32/name=x\",\"BM=32 name=x\",12.5,"
                "\"screening\",\"\",\"\",\"\",\"\"\n");
  assert_int_equal(fixture->results->failure_count, 1);
  assert_int_equal(fixture->results->failures[0].mesh_idx, 2);
  assert_int_equal(fixture->results->failures[0].type, HONE_FAILURE_EXECUTION);
}

/* ---- The report of tune.py ---- */

#define DASHES_80                                                                                  \
  "--------------------------------------------------------------------------------\n"

static const char tuned[] =
    "mesh_idx,name,met (ms),iters,Arithmetic (GFLOPS/s),spec\n"
    "4,multistage_gemm/M=8192,1.866032,2,9206.631603,g/BM=64/TRANSPOSE_B=True\n"
    "39,multistage_gemm/M=8192,0.9844,2,17452.122292,g/BM=128/TRANSPOSE_B=False/$x=1\n"
    "40,zero,0,2,1,g/BM=1/TRANSPOSE_B=True\n";

static void test_tune_report(void **state)
{
  struct fixture *fixture = *state;

  read_text(fixture, tuned);
  fixture->results->name = "multistage_gemm";
  fixture->results->file = "../tune_multistage_gemm.mojo";
  fixture->results->wall_s = 259.31;
  expect_format(fixture->results, HONE_RESULTS_TUNE,
                DASHES_80
                "Tuning [multistage_gemm] from [../tune_multistage_gemm.mojo]\n" DASHES_80
                "Number of valid specs: 3\n"
                " mesh_idx                   name  met (ms)  iters  Arithmetic (GFLOPS/s)\n"
                "       39 multistage_gemm/M=8192  0.984400      2           17452.122292\n"
                "        4 multistage_gemm/M=8192  1.866032      2            9206.631603\n"
                "       40                   zero  0.000000      2               1.000000\n"
                "top_spec_idx: 39\n" DASHES_80 "Best Measured Time:\n" DASHES_80 "params:\n"
                "  BM: 128\n"
                "  TRANSPOSE_B: False\n"
                "  $x: 1\n" DASHES_80 "Elasped tuning time: 259.3 (s)\n");
  expect_format(
      fixture->results, HONE_RESULTS_TABLE,
      DASHES_80
      "Tuning [multistage_gemm] from [../tune_multistage_gemm.mojo]\n" DASHES_80
      "Number of valid specs: 3\n"
      " mesh_idx                   name  met (ms)  iters  Arithmetic (GFLOPS/s)\n"
      "        4 multistage_gemm/M=8192  1.866032      2            9206.631603\n"
      "       39 multistage_gemm/M=8192  0.984400      2           17452.122292\n"
      "       40                   zero  0.000000      2               1.000000\n" DASHES_80
      "Elasped tuning time: 259.3 (s)\n");
}

/* As pandas prints these columns. */
static void test_decimals_of_a_table(void **state)
{
  struct fixture *fixture = *state;
  char *text;

  read_text(fixture, "name,met (ms),a,b,c,d\n"
                     "x,0.9844,17452.122292,1e-5,-3.25,4\n"
                     "y,1.5,88.1,3,5e-8,hello\n"
                     "z,,1,1e9,2,5\n");
  assert_null(hone_results_print(fixture->results, HONE_RESULTS_TABLE, &text));
  assert_non_null(
      strstr(text, " mesh_idx name  met (ms)            a            b             c     d\n"
                   "        0    x    0.9844 17452.122292 1.000000e-05 -3.250000e+00     4\n"
                   "        1    y    1.5000    88.100000 3.000000e+00  5.000000e-08 hello\n"
                   "        2    z       NaN     1.000000 1.000000e+09  2.000000e+00     5\n"));
  free(text);
}

/* ---- Columns and order ---- */

static void test_columns_and_order(void **state)
{
  struct fixture *fixture = *state;
  struct hone_results *results;
  size_t column, *order;
  bool maximise;
  hone_status status;

  read_text(fixture, "name,iters,met (us),GB/s,min (ms)\n"
                     "a,1,3,5,1\nb,1,0,9,1\nc,1,-1,9,1\nd,1,,9,1\ne,1,2,5,1\nf,1,2,nan,1\n");
  results = fixture->results;
  assert_int_equal(results->time_column, 2);
  assert_true(fabs(results->time_unit_s - 1e-6) < 1e-18);
  assert_null(hone_results_find_column(results, NULL, &column, &maximise));
  assert_int_equal(column, 2);
  assert_false(maximise);
  assert_int_equal(hone_results_order(results, column, maximise, &order), 3);
  assert_int_equal(order[0], 4);
  assert_int_equal(order[1], 5);
  assert_int_equal(order[2], 0);
  free(order);
  assert_null(hone_results_find_column(results, "gb", &column, &maximise));
  assert_true(maximise);
  assert_int_equal(hone_results_order(results, column, maximise, &order), 2);
  assert_int_equal(order[0], 0);
  free(order);
  assert_null(hone_results_find_column(results, "MIN", &column, &maximise));
  assert_false(maximise);
  status = hone_results_find_column(results, "watts", &column, &maximise);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_non_null(strstr(hone_status_message(status), "'GB/s'"));
  hone_status_free(status);
}

/* ---- Reading ---- */

static char *file_text(const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = hone__alloc(65536);

  assert_non_null(file);
  assert_true(fread(text, 1, 65535, file) > 0);
  fclose(file);
  return text;
}

static void test_csv_comes_back_the_same(void **state)
{
  struct fixture *fixture = *state;
  static const char path[] = "tests/data/results/python_sample.csv";
  char *text = file_text(path), *once;

  assert_null(hone_results_read(path, &fixture->results));
  assert_int_equal(fixture->results->row_count, 5);
  assert_string_equal(fixture->results->rows[0].params.at[3].name, "x");
  assert_true(fixture->results->rows[0].params.at[3].is_runtime);
  assert_int_equal(fixture->results->rows[4].params.count, 3);
  assert_true(fixture->results->time_unit_s == 1);
  expect_format(fixture->results, HONE_RESULTS_CSV, text);
  hone_results_free(fixture->results);
  assert_null(hone_results_read("tests/data/results/odd_values.csv", &fixture->results));
  assert_null(hone_results_print(fixture->results, HONE_RESULTS_CSV, &once));
  read_text(fixture, once);
  expect_format(fixture->results, HONE_RESULTS_CSV, once);
  free(once);
  free(text);
}

static void check_value(const struct hone_result_row *row, const char *name, const char *expected)
{
  const char *value = hone_result_row_value(row, name);

  if (!expected) {
    assert_null(value);
    return;
  }
  assert_non_null(value);
  assert_string_equal(value, expected);
}

static void test_values_with_slashes(void **state)
{
  struct fixture *fixture = *state;
  const struct hone_result_row *rows;

  assert_null(hone_results_read("tests/data/results/odd_values.csv", &fixture->results));
  rows = fixture->results->rows;
  check_value(&rows[0], "p", "a/b=c/d");
  check_value(&rows[0], "q", "x y=z");
  assert_int_equal(rows[0].params.count, 2);
  check_value(&rows[1], "q", "2");
  check_value(&rows[1], "input_id", "b/c");
  assert_int_equal(rows[1].params.count, 2);
  check_value(&rows[3], "p", "other");
  assert_int_equal(fixture->results->lead_count, 3);
  assert_true(isnan(rows[2].cells[3].number));
  assert_string_equal(rows[2].cells[3].text, "");
  assert_true(isinf(rows[3].cells[3].number));
}

static void test_files_without_a_filter(void **state)
{
  struct fixture *fixture = *state;
  const struct hone_result_row *rows;

  assert_null(hone_results_read("tests/data/results/mojo_baseline.csv", &fixture->results));
  rows = fixture->results->rows;
  check_value(&rows[0], "stages", "4");
  check_value(&rows[1], "x", "1");
  check_value(&rows[2], "x", NULL);
  hone_results_free(fixture->results);
  assert_null(hone_results_read("tests/data/results/program.csv", &fixture->results));
  rows = fixture->results->rows;
  check_value(&rows[0], "path", "a/b");
  check_value(&rows[0], "stages", "4");
  assert_int_equal(rows[0].params.count, 5);
  assert_int_equal(rows[1].params.count, 0);
  assert_string_equal(rows[1].spec, "plain");
  assert_string_equal(rows[1].cells[3].text, "");
  assert_int_equal(rows[1].mesh_idx, 1);
}

static void test_spec_comes_first(void **state)
{
  struct fixture *fixture = *state;

  read_text(fixture, "spec\nk/a=1\n");
  expect_format(fixture->results, HONE_RESULTS_CSV,
                "\"spec\",\"kbench_filter\"\n\"k/a=1\",\"a=1\"\n");
  read_text(fixture, "spec,met (ms)\nk/a=1,2\n");
  expect_format(fixture->results, HONE_RESULTS_CSV,
                "\"spec\",\"kbench_filter\",\"met (ms)\"\n\"k/a=1\",\"a=1\",2\n");
  read_text(fixture, "name,met (ms)\n");
  expect_format(fixture->results, HONE_RESULTS_TUNE,
                DASHES_80 "Tuning [] from []\n" DASHES_80 "Number of valid specs: 0\n" DASHES_80
                          "Elasped tuning time: 0.0 (s)\n");
}

static void test_byte_order_mark(void **state)
{
  struct fixture *fixture = *state;

  read_text(fixture, "\xef\xbb\xbfname,met (ms)\r\nn,1\r\n");
  assert_string_equal(fixture->results->columns[0], "name");
  assert_true(fixture->results->rows[0].cells[1].number == 1);
}

static void test_files_that_are_none(void **state)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "is empty"},
      {" \n\n", "is empty"},
      {"\xef\xbb\xbf", "is empty"},
      {"a,b\n1,2\n", ":1: there is no column 'name' or 'spec'"},
      {"name,met (ms)\nx,1\n\ny,1,2\n", "/a.csv:4: the row has 3 cells, the header has 2"},
      {"name,met (ms)\nx,1\n\"y,1\n", "/a.csv:3: a quote is not closed"},
      {"name,,x\n", ":1: a column has no name"},
      {"name,spec,spec\n", ":1: two columns have the name 'spec'"},
      {"name,mesh_idx\nx,one\n", ":2: mesh_idx 'one' is not a number"},
      {"\x80\x04\x95", "give the .csv file"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refusal(cases[i].text, strlen(cases[i].text), cases[i].message);
  expect_refusal("name\0met\n", 9, "holds binary data");
}

/* ---- The best as YAML ---- */

/* Loads the text and expects these configurations. */
static void expect_space(const char *yaml, const char *const *expected, size_t count)
{
  struct hone_space_options options;
  struct hone_spec_options spec_options;
  const char *paths[] = {path_of("best.yaml")};
  struct hone_space *space;
  struct hone_spec *spec;
  char name[256];
  uint32_t row[64];
  hone_status status;

  write_text("best.yaml", yaml);
  hone_spec_options_init(&spec_options);
  spec_options.files = paths;
  spec_options.file_count = 1;
  status = hone_spec_load(&spec_options, &spec);
  if (status) fail_msg("%s\n%s", hone_status_message(status), yaml);
  hone_space_options_init(&options);
  status = hone_space_build(spec, &options, &space);
  if (status) fail_msg("%s\n%s", hone_status_message(status), yaml);
  assert_int_equal(hone_space_count(space), count);
  for (size_t i = 0; i < count; i++) {
    assert_true(hone_space_at(space, i, row));
    hone_space_print_spec(space, row, name, sizeof name);
    assert_string_equal(name, expected[i]);
  }
  hone_space_free(space);
  hone_spec_free(spec);
}

static void test_best_of_two_runs(void **state)
{
  static const char *const expected[] = {"k/TRANSPOSE_B=False/$x=0/BM=64",
                                         "k/TRANSPOSE_B=False/$x=0/BM=128/only=1e-05"};
  struct fixture *fixture = *state;
  struct hone_results *both[2];
  hone_status status;
  char *yaml;

  read_text(fixture, "name,met (ms),spec\n"
                     "a,2.5,k/BM=32/TRANSPOSE_B=False/$x=0\nb,1.5,k/BM=64/TRANSPOSE_B=False/$x=0\n"
                     "c,0,k/BM=96/TRANSPOSE_B=True/$x=0\n");
  both[0] = fixture->results;
  fixture->results = NULL;
  read_text(fixture, "name,met (ms),spec\na,3,k/BM=128/TRANSPOSE_B=False/$x=0/only=1e-05\n");
  both[1] = fixture->results;
  both[0]->origin = "a.csv";
  both[1]->origin = "b.csv";
  both[1]->problem = "M=1 N=3";
  both[0]->file = both[1]->file = "k.py";
  assert_null(
      hone_results_best_yaml((const struct hone_results *const *)both, 2, NULL, NULL, &yaml));
  assert_string_equal(yaml, "# The best measured configurations.\n"
                            "name: k\n"
                            "file: k.py\n"
                            "common: &common\n"
                            "- TRANSPOSE_B: False\n"
                            "  $x: 0\n"
                            "params:\n"
                            "# met (ms): 1.5, a.csv, row 1\n"
                            "- <<: *common\n"
                            "  BM: 64\n"
                            "# met (ms): 3, b.csv, row 0, M=1 N=3\n"
                            "- <<: *common\n"
                            "  BM: 128\n"
                            "  only: 1e-05\n");
  expect_space(yaml, expected, 2);
  free(yaml);
  both[1]->file = "other.py";
  status = hone_results_best_yaml((const struct hone_results *const *)both, 2, NULL, NULL, &yaml);
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  hone_status_free(status);
  hone_results_free(both[0]);
}

static void test_values_that_yaml_would_change(void **state)
{
  static const char *const values[] = {
      "yes",    "no",        "On",    "null", "~",          "1:30", "010",       "0x10",
      "1e3",    "1_000",     "2*8",   "1.50", "+5",         "-5",   "5",         "0.1",
      "1e-05",  "1000.0",    "1e+20", "True", "true",       "inf",  "nan",       ".5",
      "a b",    "a: b",      "# c",   "'",    "\"",         "\\",   "",          "[1, 2]",
      "{a: 1}", "2024-01-1", "range", "time", "1024x2x3",   "3x",   "DType.f16", "$HOME",
      "*a",     "&a",        "!x",    "a\nb", "\xc3\xa9",   "%",    "@x",        "range(3)",
      "a,b",    "-",         "=",     "<<",   "2024-01-02", "None", "[[1]]",     "max(1, 2)"};
  struct fixture *fixture = *state;

  read_text(fixture, "name,met (ms),spec\na,1.5,k/v=1/$w=2\n");
  fixture->results->file = "k.py";
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    struct hone__spec_param params[] = {{.name = "v", .value = values[i]},
                                        {.name = "w", .value = values[i], .is_runtime = true}};
    char expected[64], *yaml;
    const char *list[] = {expected};
    fixture->results->rows[0].params = (struct hone_params){params, 2};
    snprintf(expected, sizeof expected, "k/v=%s/$w=%s", values[i], values[i]);
    assert_null(hone_results_best_yaml((const struct hone_results *const *)&fixture->results, 1,
                                       NULL, NULL, &yaml));
    expect_space(yaml, list, 1);
    free(yaml);
  }
}

/* Rows that the caller has chosen, and the most frequent values of several. */
static void test_chosen_rows(void **state)
{
  struct fixture *fixture = *state;
  const struct hone_results *both[2];
  const size_t rows[] = {1, SIZE_MAX}, none[] = {2, 0}, beyond[] = {3, 0};
  hone_status status;
  char *yaml;

  read_text(fixture, "name,met (ms),spec\na,1,k/v=1/w=5\nb,2,k/v=2/w=5\nc,0,k/v=3/w=5\n");
  both[0] = both[1] = fixture->results;
  assert_null(hone_results_best_yaml(both, 2, rows, NULL, &yaml));
  assert_non_null(strstr(yaml, "  v: 2\n"));
  assert_non_null(strstr(yaml, "  v: 1\n"));
  free(yaml);
  status = hone_results_best_yaml(both, 2, none, NULL, &yaml); /* it was not measured */
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  hone_status_free(status);
  status = hone_results_best_yaml(both, 2, beyond, NULL, &yaml);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  hone_status_free(status);
}

static void test_the_top_as_yaml(void **state)
{
  struct fixture *fixture = *state;
  char *yaml;

  read_text(fixture, "name,met (ms),spec\na,1,k/v=1/w=5\nb,1.01,k/v=2/w=6\nc,1.02,k/v=2/w=7\n"
                     "d,9,k/v=3/w=5\n");
  assert_null(hone_results_top_yaml((const struct hone_results *const *)&fixture->results, 1, NULL,
                                    0.05, &yaml));
  assert_non_null(strstr(yaml, "v: 2\n"));   /* twice */
  assert_non_null(strstr(yaml, "w: 5\n"));   /* once each: the best one's */
  assert_non_null(strstr(yaml, "(ms): 1,")); /* of the best */
  free(yaml);
}

static void test_best_needs_a_time(void **state)
{
  struct fixture *fixture = *state;
  hone_status status;
  char *yaml;

  read_text(fixture, "name,met (ms),spec\na,0,k/v=1\nb,,k/v=2\nc,-1,k/v=3\n");
  status = hone_results_best_yaml((const struct hone_results *const *)&fixture->results, 1, NULL,
                                  NULL, &yaml);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_null(yaml);
  hone_status_free(status);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(test_csv_of_a_sweep),
      TEST(test_text_of_a_sweep),
      TEST(test_failures_of_a_sweep),
      TEST(test_json),
      TEST(test_no_row_is_valid),
      TEST(test_columns_as_pandas_has_them),
      TEST(test_several_rows_of_an_instance),
      TEST(test_files_of_several_processes),
      TEST(test_run_without_tables),
      TEST(test_tune_report),
      TEST(test_decimals_of_a_table),
      TEST(test_columns_and_order),
      TEST(test_csv_comes_back_the_same),
      TEST(test_values_with_slashes),
      TEST(test_files_without_a_filter),
      TEST(test_spec_comes_first),
      TEST(test_byte_order_mark),
      TEST(test_files_that_are_none),
      TEST(test_best_of_two_runs),
      TEST(test_values_that_yaml_would_change),
      TEST(test_chosen_rows),
      TEST(test_the_top_as_yaml),
      TEST(test_best_needs_a_time),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
