/* Modules of IREE, run as the runner runs them: scripts stand in for the executables and misbehave;
 * where HONE_IREE has the real ones, a real dispatch is checked and timed. */
#include "wire/packed_json.h"
#include "iree/backend/iree_backend.h"
#include "iree/backend/iree_tool.h"
#include "base/digest.h"
#include "base/npy.h"
#include "folder.h"
#include "iree/dispatch/dispatch.h"
#include "iree/toolset/toolset.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

/* ---- Executables that do what the module says, which is a text here ---- */

static const char fake_run[] =
    "#!/bin/sh\n"
    "for word; do case $word in\n"
    "--module=*) module=$(cat \"${word#*=}\");;\n"
    "--output=@*) out=${word#*@};;\n"
    "--list_devices*) cat \"$TOOLS/devices\"; exit 0;;\n"
    "esac; done\n"
    "case $module in\n"
    "wrong) cp \"$TOOLS/wrong.npy\" \"$out\";;\n"
    "near) cp \"$TOOLS/near.npy\" \"$out\";;\n"
    "clobber) cp \"$TOOLS/clobber.npy\" \"$out\";;\n"
    "flaky) if [ -e \"$TOOLS/flag\" ]; then rm \"$TOOLS/flag\"; cp \"$TOOLS/wrong.npy\" \"$out\"\n"
    "       else touch \"$TOOLS/flag\"; cp \"$TOOLS/other.npy\" \"$out\"; fi;;\n"
    "late) if [ -e \"$TOOLS/flag\" ]; then rm \"$TOOLS/flag\"; cp \"$TOOLS/wrong.npy\" \"$out\"\n"
    "      else touch \"$TOOLS/flag\"; cp \"$TOOLS/right.npy\" \"$out\"; fi;;\n"
    "mute) exit 0;;\n"
    "short) head -c 200 \"$TOOLS/right.npy\" >\"$out\";;\n"
    "garbage) echo garbage >\"$out\";;\n"
    "dies) kill -SEGV $$;;\n"
    "stays) sleep 30;;\n"
    "refused) echo 'c/runtime/src/x.c:66: UNAVAILABLE; no driver; creating it' >&2; exit 1;;\n"
    "memory) echo 'c/x.c:1: RESOURCE_EXHAUSTED; CUDA_ERROR_OUT_OF_MEMORY' >&2; exit 1;;\n"
    "fault) echo 'c/x.c:1: INTERNAL; CUDA driver error CUDA_ERROR_ILLEGAL_ADDRESS (700)' >&2; exit "
    "1;;\n"
    "*) cp \"$TOOLS/right.npy\" \"$out\";;\n"
    "esac\n";

static const char fake_benchmark[] =
    "#!/bin/sh\n"
    "count=1\n"
    "for word; do case $word in\n"
    "--module=*) module=$(cat \"${word#*=}\");;\n"
    "--benchmark_repetitions=*) count=${word#*=};;\n"
    "esac; done\n"
    "echo \"$module $count $*\" >>\"$TOOLS/log\"\n"
    "row() { echo \"{\\\"name\\\": \\\"BM_f/process_time/real_time$1\\\", \\\"run_type\\\": "
    "\\\"$2\\\", \\\"real_time\\\": $3, \\\"cpu_time\\\": $4, \\\"time_unit\\\": \\\"us\\\"}\"; }\n"
    "real=20 cpu=10\n"
    "case $module in\n"
    "b-dies) kill -SEGV $$;;\n"
    "b-stays) sleep 30;;\n"
    "b-silent) exit 0;;\n"
    "b-none) echo 'Failed to match any benchmarks against regex: .' >&2; exit 0;;\n"
    "b-half) echo '{\"benchmarks\": [{\"name\"'; exit 0;;\n"
    "b-text) echo hello; exit 0;;\n"
    "b-empty) echo '{\"context\": {}, \"benchmarks\": []}'; exit 0;;\n"
    "b-error) echo '{\"benchmarks\": [{\"name\": \"BM_f\", \"run_type\": \"iteration\", "
    "\"error_occurred\": true, \"error_message\": \"DEADLINE_EXCEEDED; x\"}]}'; exit 0;;\n"
    "b-zero) real=0 cpu=0;;\n"
    "b-one) echo 'x.c:9: INVALID_ARGUMENT; FlatBuffer' >&2; exit 1;;\n"
    "slow) real=900 cpu=900;;\n"
    "esac\n"
    "echo noise >&2\n"
    "echo '{\"benchmarks\": ['\n"
    "i=0\n"
    "while [ $i -lt $count ]; do row '' iteration $real $cpu; echo ,; i=$((i + 1)); done\n"
    "row _mean aggregate 5 5; echo ']}'\n";

static const char fake_tracer[] =
    "#!/bin/sh\n"
    "for word; do case $word in\n"
    "--output-file=*) out=${word#*=}_kernel_trace.csv;;\n"
    "--module=*) module=$(cat \"${word#*=}\");;\n"
    "esac; done\n"
    "case $module in\n"
    "t-none) exit 0;;\n"
    "t-empty) : >\"$out\"; exit 0;;\n"
    "t-columns) echo Kernel_Name,Start_Timestamp >\"$out\"; exit 0;;\n"
    "esac\n"
    "echo '\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"' >\"$out\"\n"
    "[ $module = t-buffer ] && echo '\"f_buffer\",1,2' >>\"$out\"\n"
    "[ $module = t-other ] && { echo 'other,1,2' >>\"$out\"; exit 0; }\n"
    "calls() { i=0; while [ $i -lt $1 ]; do echo \"f,1000000000000000000,10000000000000$2\"; "
    "i=$((i + "
    "1)); done >>\"$out\"; }\n"
    "calls 10 01000\n"
    "echo copyBuffer,1,90000 >>\"$out\"\n"
    "[ $module = t-few ] || { calls 5 01500; calls 5 02000; }\n";

/* ---- A bench ---- */

enum { INPUT_BYTES = 64, OUTPUT_COUNT = 64, BUFFER_BYTES = INPUT_BYTES + 4 * OUTPUT_COUNT };

static const struct hone__backend *const iree = &hone__backend_iree;

struct bench {
  void *device, *bench;
  json_t *facts;
  struct hone__answer answer;
};

static void write_answer(const char *name, float first, float others, unsigned char input)
{
  struct hone__text text = {0};
  size_t shape = BUFFER_BYTES;
  unsigned char bytes[BUFFER_BYTES];

  memset(bytes, input, INPUT_BYTES);
  for (size_t i = 0; i < OUTPUT_COUNT; i++)
    memcpy(bytes + INPUT_BYTES + 4 * i, i ? &others : &first, 4);
  hone__npy_header(HONE__ELEMENT_I8, &shape, 1, &text);
  hone__text_addn(&text, (const char *)bytes, sizeof bytes);
  write_file(name, text.data, text.length);
  hone__text_release(&text);
}

static json_t *setup_of(const char *driver, const char *clock, const char *timing)
{
  return json_pack(
      "{s:s, s:s, s:s, s:{s:b, s:f, s:f, s:f}, s:{s:s, s:i, s:i}, s:{s:s, s:s, s:s, s:[{s:i, s:i, "
      "s:s, s:b, s:b}, {s:i, s:i, s:s, s:b, s:b}]}}",
      "iree_dir", path_of("tools"), "clock", clock, "timing", timing, "check", "enabled", 1, "rtol",
      -1.0, "atol", -1.0, "ratio", 0.0, "reference", "kind", "object", "offset", 0, "size", 5,
      "iree", "driver", driver, "function", "exe_f", "answer", "hone_answer", "bindings", "offset",
      0, "size", INPUT_BYTES, "type", "f16", "read", 1, "written", 0, "offset", INPUT_BYTES, "size",
      4 * OUTPUT_COUNT, "type", "f32", "read", 0, "written", 1);
}

/* What a setup does not say does not matter here. */
static void complete(json_t *setup)
{
  json_t *rest = json_pack("{s:s, s:{s:f}}", "timing", "iree", "build", "timeout_s", 20.0),
         *subject = json_pack("{s:s}", "digest", ""),
         *check = json_pack("{s:f, s:f, s:f}", "rtol", -1.0, "atol", -1.0, "ratio", 0.0);

  json_object_update_missing(setup, rest);
  json_object_update_missing(json_object_get(setup, "iree"), subject);
  json_object_update_missing(json_object_get(setup, "check"), check);
  json_decref(rest);
  json_decref(subject);
  json_decref(check);
}

/* Takes the setup. */
static hone_status try_open(struct bench *bench, const char *device, json_t *setup)
{
  hone_status status;

  complete(setup);
  *bench = (struct bench){.facts = json_object()};
  status = iree->worker.open(device, hone__wire_json_packed(bench->facts), &bench->device);
  if (!status)
    status = iree->worker.prepare(bench->device, hone__wire_json_packed(setup), "right", 5,
                                  hone__wire_json_packed(bench->facts), &bench->bench);
  json_decref(setup);
  return status;
}

static void open_bench(struct bench *bench, const char *device, json_t *setup)
{
  hone_status status = try_open(bench, device, setup);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

static void forget(struct bench *bench)
{
  hone__packed_drop(bench->answer.head);
  hone__text_release(&bench->answer.evidence);
  hone__text_release(&bench->answer.payload);
  bench->answer = (struct hone__answer){0};
}

static void close_bench(struct bench *bench)
{
  forget(bench);
  iree->worker.release(bench->bench);
  iree->worker.close(bench->device);
  json_decref(bench->facts);
}

/* Takes the job; `modules` are words. */
static void run(struct bench *bench, json_t *job, const char *modules)
{
  json_t *list = json_array();

  for (const char *at = modules; *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    json_array_append_new(list, json_pack("{s:{}, s:I, s:I}", "candidate", "offset",
                                          (json_int_t)(at - modules), "size", (json_int_t)length));
    at += length;
  }
  json_object_set_new(job, "candidates", list);
  forget(bench);
  iree->worker.run(bench->bench, hone__wire_json_packed(job), modules, strlen(modules),
                   &bench->answer);
  json_decref(job);
}

static json_t *screen_job(double call_timeout_s, double cap_ns)
{
  return json_pack("{s:s, s:b, s:i, s:f, s:f}", "mode", "screen", "check", 1, "samples", 3,
                   "call_timeout_s", call_timeout_s, "cap_ns", cap_ns);
}

static json_t *rows_job(int rows, bool late_check)
{
  return json_pack("{s:s, s:b, s:b, s:i, s:i}", "mode", "rows", "check", 1, "late_check",
                   late_check, "rows", rows, "seed", 7);
}

static void expect(const struct bench *bench, enum hone_outcome outcome, const char *words)
{
  const char *evidence = bench->answer.evidence.data ? bench->answer.evidence.data : "";

  if (bench->answer.outcome != outcome || !strstr(evidence, words))
    print_message("%s: %s\n", hone_outcome_name(bench->answer.outcome), evidence);
  assert_int_equal(bench->answer.outcome, outcome);
  assert_non_null(strstr(evidence, words));
}

static double time_at(const struct bench *bench, size_t i)
{
  double time;

  assert_true((i + 1) * sizeof time <= bench->answer.payload.length);
  memcpy(&time, bench->answer.payload.data + i * sizeof time, sizeof time);
  return time;
}

static const json_t *result_at(const struct bench *bench, size_t i)
{
  return json_array_get(json_object_get(hone__packed_json(bench->answer.head), "results"), i);
}

static size_t samples_of(const struct bench *bench, size_t i)
{
  return (size_t)json_integer_value(json_object_get(result_at(bench, i), "samples"));
}

/* ---- Screening ---- */

static void test_screen(void **state)
{
  struct bench b;

  (void)state;
  open_bench(&b, "iree", setup_of("local-sync", "cpu", "iree"));
  assert_string_equal(json_string_value(json_object_get(b.facts, "clock")), "cpu");
  assert_int_equal(json_array_size(json_object_get(b.facts, "notes")), 1);
  run(&b, screen_job(5, 0), "right");
  expect(&b, HONE_OUTCOME_OK, "");
  assert_int_equal(samples_of(&b, 0), 3);
  assert_int_equal(b.answer.payload.length, 3 * sizeof(double));
  assert_true(time_at(&b, 2) == 10e3);
  assert_true(json_number_value(json_object_get(result_at(&b, 0), "cold_ns")) > 0);
  run(&b, screen_job(5, 0), "near"); /* within what rounding may do */
  expect(&b, HONE_OUTCOME_OK, "");
  run(&b, screen_job(5, 300e3), "slow");
  expect(&b, HONE_OUTCOME_SLOW, "900.000 us, above the cap of 300.000 us");
  assert_int_equal(samples_of(&b, 0), 1);
  close_bench(&b);
  open_bench(&b, "iree:local-task", setup_of("local-sync", "wall", "iree"));
  run(&b, screen_job(5, 0), "right");
  assert_true(time_at(&b, 0) == 20e3);
  close_bench(&b);
}

static void test_answers(void **state)
{
  static const struct {
    const char *module;
    enum hone_outcome outcome;
    const char *words;
  } cases[] = {
      {"wrong", HONE_OUTCOME_WRONG_RESULT, "binding 1 (f32): 1 of 64 elements differ"},
      {"clobber", HONE_OUTCOME_WRONG_RESULT, "binding 0 (f16) was overwritten"},
      {"flaky", HONE_OUTCOME_NONDETERMINISTIC, "elements differ"},
      {"mute", HONE_OUTCOME_NO_RESULT, "wrote no answer"},
      {"short", HONE_OUTCOME_NO_RESULT, "wrote no answer"},
      {"garbage", HONE_OUTCOME_NO_RESULT, "wrote no answer"},
      {"dies", HONE_OUTCOME_CRASH, "signal 11 (SIGSEGV)"},
      {"stays", HONE_OUTCOME_HANG, "still running after"},
      {"refused", HONE_OUTCOME_LAUNCH_FAILURE, "UNAVAILABLE; no driver"},
      {"memory", HONE_OUTCOME_OOM_DEVICE, "RESOURCE_EXHAUSTED"},
      {"fault", HONE_OUTCOME_DEVICE_FAULT, "CUDA_ERROR_ILLEGAL_ADDRESS"},
  };
  struct bench b;

  (void)state;
  open_bench(&b, "iree", setup_of("local-sync", "cpu", "iree"));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool hangs = cases[i].outcome == HONE_OUTCOME_HANG;
    json_t *job = screen_job(hangs ? 0.1 : 20, 0);
    if (hangs) json_object_set_new(job, "timeout_s", json_real(3.5));
    run(&b, job, cases[i].module);
    expect(&b, cases[i].outcome, cases[i].words);
    assert_int_equal(b.answer.payload.length, 0);
  }
  run(&b, json_pack("{s:s, s:b, s:i}", "mode", "screen", "check", 0, "samples", 1), "wrong");
  expect(&b, HONE_OUTCOME_OK, ""); /* not asked */
  close_bench(&b);
}

static void test_benchmarks(void **state)
{
  static const struct {
    const char *module;
    enum hone_outcome outcome;
    const char *words;
  } cases[] = {
      {"b-dies", HONE_OUTCOME_CRASH, "SIGSEGV"},
      {"b-stays", HONE_OUTCOME_HANG, "still running after"},
      {"b-silent", HONE_OUTCOME_NO_RESULT, "exited with status 0 but gave no result"},
      {"b-none", HONE_OUTCOME_NO_RESULT, "Failed to match any benchmarks"},
      {"b-half", HONE_OUTCOME_BAD_RESULT, "is not valid JSON"},
      {"b-text", HONE_OUTCOME_NO_RESULT, "no result: hello"},
      {"b-empty", HONE_OUTCOME_NO_RESULT, "no time for the dispatch"},
      {"b-error", HONE_OUTCOME_LAUNCH_FAILURE, "DEADLINE_EXCEEDED"},
      {"b-zero", HONE_OUTCOME_BAD_RESULT, "is not valid"},
      {"b-one", HONE_OUTCOME_LAUNCH_FAILURE, "INVALID_ARGUMENT; FlatBuffer"},
  };
  struct bench b;

  (void)state;
  open_bench(&b, "iree", setup_of("local-sync", "cpu", "iree"));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    json_t *job = screen_job(20, 0);
    if (cases[i].outcome == HONE_OUTCOME_HANG)
      json_object_set_new(job, "timeout_s", json_real(3.5));
    run(&b, job, cases[i].module);
    expect(&b, cases[i].outcome, cases[i].words);
    assert_int_equal(samples_of(&b, 0), 0);
  }
  close_bench(&b);
}

/* ---- Rows ---- */

static size_t count_log(const char *words)
{
  char line[4096];
  size_t count = 0;
  FILE *file = fopen(path_of("tools/log"), "r");

  while (file && fgets(line, sizeof line, file))
    count += strstr(line, words) != NULL;
  if (file) fclose(file);
  return count;
}

static void test_rows(void **state)
{
  struct bench b;

  (void)state;
  open_bench(&b, "iree", setup_of("local-sync", "cpu", "iree"));
  unlink(path_of("tools/log"));
  run(&b, rows_job(4, true), "right near slow");
  expect(&b, HONE_OUTCOME_OK, "");
  assert_int_equal(json_integer_value(json_object_get(hone__packed_json(b.answer.head), "rows")),
                   4);
  assert_int_equal(b.answer.payload.length, 12 * sizeof(double));
  assert_true(time_at(&b, 0) == 10e3 && time_at(&b, 2) == 900e3 && time_at(&b, 11) == 900e3);
  assert_int_equal(count_log("slow 1 "), 4); /* a process each */
  run(&b, rows_job(4, true), "right late");  /* right at first */
  expect(&b, HONE_OUTCOME_NONDETERMINISTIC, "elements differ");
  assert_int_equal(samples_of(&b, 0), 4);
  assert_int_equal(samples_of(&b, 1), 0);
  assert_true(isnan(time_at(&b, 1)));
  run(&b, rows_job(4, false), "right b-dies near");
  expect(&b, HONE_OUTCOME_CRASH, "SIGSEGV");
  run(&b, rows_job(4, false), "right wrong");
  expect(&b, HONE_OUTCOME_WRONG_RESULT, "elements differ");
  assert_int_equal(b.answer.payload.length, 0);
  close_bench(&b);
}

static void test_gpu(void **state)
{
  struct bench b;
  hone_status status;

  (void)state;
  assert_true(hone__iree_is_beside_cpu("iree:cuda://0"));
  assert_true(hone__iree_is_beside_cpu("iree:hip"));
  assert_false(hone__iree_is_beside_cpu("iree:local-sync"));
  assert_false(hone__iree_is_beside_cpu("iree:0-1"));
  assert_false(hone__iree_is_beside_cpu("iree"));
  write_text("tools/devices", "# x\ncuda://GPU-11\ncuda://GPU-22\n");
  open_bench(&b, "iree:cuda://1", setup_of("cuda", "wall", "iree"));
  assert_string_equal(json_string_value(json_object_get(b.facts, "name")), "cuda://GPU-22");
  unlink(path_of("tools/log"));
  run(&b, rows_job(10, false), "right near");
  expect(&b, HONE_OUTCOME_OK, "");
  assert_int_equal(json_integer_value(json_object_get(hone__packed_json(b.answer.head), "rows")),
                   10);
  assert_int_equal(count_log("--batch_size=100"), 4); /* blocks of 8 and 2 */
  assert_int_equal(count_log("--device=cuda://1"), 4);
  assert_true(time_at(&b, 19) == 20e3);
  close_bench(&b);
  status = try_open(&b, "iree:cuda://7", setup_of("cuda", "wall", "iree"));
  assert_non_null(status);
  assert_int_equal(hone_status_code(status), HONE_UNAVAILABLE);
  assert_non_null(strstr(hone_status_message(status), "no device 'cuda://7'"));
  hone_status_free(status);
  close_bench(&b);
}

/* ---- What a setup may lack ---- */

static void test_unfilled(void **state)
{
  json_t *setup = setup_of("local-sync", "wall", "iree"), *subject = json_object_get(setup, "iree");
  struct bench b;

  (void)state;
  json_array_clear(json_object_get(subject, "bindings"));
  json_object_set_new(subject, "why_unchecked", json_string("it is odd"));
  json_object_set_new(setup, "reference", json_pack("{s:s}", "kind", "none"));
  open_bench(&b, "iree", setup);
  assert_int_equal(json_array_size(json_object_get(b.facts, "notes")), 2);
  run(&b, screen_job(20, 0), "wrong");
  expect(&b, HONE_OUTCOME_OK, "");
  close_bench(&b);
}

static void test_setup_that_lacks_a_field(void **state)
{
  json_t *setup = setup_of("local-sync", "wall", "iree");
  struct bench b;
  hone_status status;

  (void)state;
  json_object_del(setup, "clock");
  status = try_open(&b, "iree", setup);
  assert_string_equal(hone_status_message(status), "setup of IREE: 'clock' is missing");
  assert_null(b.bench);
  hone_status_free(status);
  close_bench(&b);
}

static void test_no_tools(void **state)
{
  json_t *setup = setup_of("local-sync", "wall", "iree");
  struct bench b;
  hone_status status;
  char *path = strdup(getenv("PATH")),
       *given = getenv("HONE_IREE") ? strdup(getenv("HONE_IREE")) : NULL;

  (void)state;
  setenv("PATH", "/nowhere", 1);
  unsetenv("HONE_IREE");
  unsetenv("VIRTUAL_ENV");
  json_object_set_new(setup, "iree_dir", json_string("/nowhere"));
  status = try_open(&b, "iree", setup);
  assert_non_null(status);
  assert_int_equal(hone_status_code(status), HONE_UNAVAILABLE);
  assert_non_null(strstr(hone_status_message(status), "iree-benchmark-module"));
  hone_status_free(status);
  close_bench(&b);
  setenv("PATH", path, 1);
  if (given) setenv("HONE_IREE", given, 1);
  free(path);
  free(given);
}

static void test_bad_jobs(void **state)
{
  struct bench b;

  (void)state;
  open_bench(&b, "iree", setup_of("local-sync", "cpu", "iree"));
  run(&b, screen_job(5, 0), "");
  expect(&b, HONE_OUTCOME_PROTOCOL, "0 candidates");
  forget(&b);
  {
    json_t *job = json_pack("{s:s, s:[{s:{}, s:i, s:i}]}", "mode", "screen", "candidates",
                            "candidate", "offset", 3, "size", 9);
    iree->worker.run(b.bench, hone__wire_json_packed(job), "right", 5, &b.answer);
    json_decref(job);
  }
  expect(&b, HONE_OUTCOME_PROTOCOL, "not in the payload");
  close_bench(&b);
}

/* ---- rocprofv3 ---- */

static void test_trace(void **state)
{
  static const struct {
    const char *module;
    enum hone_outcome outcome;
    const char *words;
  } cases[] = {
      {"t-none", HONE_OUTCOME_NO_RESULT, "wrote no table"},
      {"t-empty", HONE_OUTCOME_NO_RESULT, "empty table"},
      {"t-columns", HONE_OUTCOME_BAD_RESULT, "no column 'End_Timestamp'"},
      {"t-buffer", HONE_OUTCOME_BAD_RESULT, "'f_buffer' fills the buffer but was measured"},
      {"t-other", HONE_OUTCOME_NO_RESULT, "recorded no call"},
  };
  struct bench b;
  json_t *job;

  (void)state;
  setenv("HONE_ROCPROF", path_of("tools/rocprofv3"), 1);
  open_bench(&b, "iree", setup_of("local-sync", "wall", "rocprof"));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run(&b, screen_job(20, 0), cases[i].module);
    expect(&b, cases[i].outcome, cases[i].words);
  }
  job = screen_job(20, 0);
  json_object_set_new(job, "samples", json_integer(1));
  run(&b, job, "right"); /* the first ten do not count: 5 x 1500 and 5 x 2000 */
  expect(&b, HONE_OUTCOME_OK, "");
  assert_true(fabs(time_at(&b, 0) - 1750) < 1e-9);
  run(&b, screen_job(20, 0), "t-few");
  expect(&b, HONE_OUTCOME_OK, "");
  assert_true(fabs(time_at(&b, 0) - 1000) < 1e-9);
  assert_int_equal(json_array_size(json_object_get(hone__packed_json(b.answer.head), "notes")), 1);
  unsetenv("HONE_ROCPROF");
  setenv("HONE_ROCPROF", "/nowhere/rocprofv3", 1);
  run(&b, screen_job(20, 0), "right");
  expect(&b, HONE_OUTCOME_LAUNCH_FAILURE, "rocprofv3");
  unsetenv("HONE_ROCPROF");
  close_bench(&b);
}

/* ---- The real ones ---- */

static const char model[] =
    "func.func @mm(%a: tensor<24x40xf16>, %b: tensor<40x56xf16>) -> tensor<24x56xf32> {\n"
    "  %z = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<24x56xf32>\n"
    "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x56xf32>) -> tensor<24x56xf32>\n"
    "  %c = linalg.matmul ins(%a, %b : tensor<24x40xf16>, tensor<40x56xf16>) outs(%f : "
    "tensor<24x56xf32>) -> tensor<24x56xf32>\n"
    "  return %c : tensor<24x56xf32>\n}\n";

static void compile(const struct hone__iree_toolset *tools, const char *const *words)
{
  hone_status status = hone__iree_run(tools, HONE__IREE_COMPILE, words, folder, 120, NULL);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

static size_t read_module(const char *name, char *bytes, size_t most)
{
  FILE *file = fopen(path_of(name), "r");
  size_t size;

  assert_non_null(file);
  size = fread(bytes, 1, most, file);
  fclose(file);
  return size;
}

/* The second module is another program: it adds where the first one multiplies. */
static void make_modules(const struct hone__iree_toolset *tools,
                         struct hone__iree_dispatch *dispatch)
{
  static const char dump[] = "dump/module_mm_dispatch_0_embedded_elf_x86_64_benchmark.mlir";
  struct hone__mlir mlir = {0};
  char *at;

  write_text("model.mlir", model);
  compile(tools, (const char *const[]){
                     "model.mlir", "--iree-hal-target-device=local",
                     "--iree-hal-local-target-device-backends=llvm-cpu",
                     "--iree-llvmcpu-target-cpu=generic", "--iree-codegen-add-tuner-attributes",
                     "--iree-hal-dump-executable-benchmarks-to=dump", "-o", "model.vmfb", NULL});
  if (access(path_of(dump), R_OK) != 0) skip(); /* of another processor */
  assert_null(hone__mlir_read(&mlir, path_of(dump)));
  assert_null(hone__iree_dispatch_prepare(&mlir, 42, NULL, dispatch));
  hone__mlir_release(&mlir);
  write_file("d.mlir", dispatch->text.data, dispatch->text.length);
  compile(tools, (const char *const[]){"d.mlir", "--compile-from=executable-sources", "-o",
                                       "right.vmfb", NULL});
  at = strstr(dispatch->text.data, "arith.constant 0.000000e+00 : f32");
  assert_non_null(at);
  at[strlen("arith.constant ")] = '3';
  write_file("d.mlir", dispatch->text.data, dispatch->text.length);
  compile(tools, (const char *const[]){"d.mlir", "--compile-from=executable-sources", "-o",
                                       "wrong.vmfb", NULL});
}

static json_t *real_setup(const struct hone__iree_dispatch *dispatch, size_t reference_size)
{
  json_t *bindings = json_array();

  for (size_t i = 0; i < dispatch->binding_count; i++)
    json_array_append_new(bindings, json_pack("{s:I, s:I, s:s, s:b}", "offset",
                                              (json_int_t)dispatch->bindings[i].offset, "size",
                                              (json_int_t)dispatch->bindings[i].size, "type",
                                              dispatch->bindings[i].element, "written",
                                              dispatch->bindings[i].is_written));
  return json_pack("{s:s, s:{s:b}, s:{s:s, s:i, s:I}, s:{s:s, s:s, s:s, s:o}}", "clock", "cpu",
                   "check", "enabled", 1, "reference", "kind", "object", "offset", 0, "size",
                   (json_int_t)reference_size, "iree", "driver", "local-sync", "function",
                   dispatch->benchmark, "answer", dispatch->answer, "bindings", bindings);
}

static void run_real(struct bench *b, json_t *setup, const char *right, size_t right_size,
                     const char *module, size_t size)
{
  json_t *job =
      json_pack("{s:s, s:b, s:i, s:[{s:{}, s:i, s:I}]}", "mode", "screen", "check", 1, "samples", 2,
                "candidates", "candidate", "offset", 0, "size", (json_int_t)size);

  *b = (struct bench){.facts = json_object()};
  complete(setup);
  assert_null(iree->worker.open("iree", hone__wire_json_packed(b->facts), &b->device));
  assert_null(iree->worker.prepare(b->device, hone__wire_json_packed(setup), right, right_size,
                                   hone__wire_json_packed(b->facts), &b->bench));
  iree->worker.run(b->bench, hone__wire_json_packed(job), module, size, &b->answer);
  json_decref(job);
}

static void test_real(void **state)
{
  enum { MOST = 1 << 20 };
  struct hone__iree_toolset tools;
  struct hone__iree_dispatch dispatch;
  char *right = calloc(1, MOST), *wrong = calloc(1, MOST);
  size_t right_size, wrong_size;
  struct bench b;
  json_t *setup;

  (void)state;
  hone__iree_toolset_find(NULL, &tools);
  if (!tools.paths[HONE__IREE_COMPILE] || !tools.paths[HONE__IREE_BENCHMARK]) {
    print_message("IREE is not here (HONE_IREE): skipped\n");
    free(right);
    free(wrong);
    hone__iree_toolset_release(&tools);
    skip();
  }
  make_modules(&tools, &dispatch);
  right_size = read_module("right.vmfb", right, MOST);
  wrong_size = read_module("wrong.vmfb", wrong, MOST);
  setup = real_setup(&dispatch, right_size);
  run_real(&b, setup, right, right_size, right, right_size);
  expect(&b, HONE_OUTCOME_OK, "");
  assert_int_equal(samples_of(&b, 0), 2);
  assert_true(time_at(&b, 0) > 0);
  close_bench(&b);
  run_real(&b, setup, right, right_size, wrong, wrong_size);
  expect(&b, HONE_OUTCOME_WRONG_RESULT, "binding 2 (f32): 1344 of 1344 elements differ");
  close_bench(&b);
  run_real(&b, setup, right, right_size, right, right_size / 2); /* cut off */
  expect(&b, HONE_OUTCOME_LAUNCH_FAILURE, "INVALID_ARGUMENT");
  close_bench(&b);
  json_decref(setup);
  hone__iree_dispatch_release(&dispatch);
  hone__iree_toolset_release(&tools);
  free(right);
  free(wrong);
}

/* ---- Around the tests ---- */

static int begin(void **state)
{
  signal(SIGPIPE, SIG_IGN);
  assert_int_equal(make_folder(state), 0);
  mkdir(path_of("tools"), 0755);
  setenv("TOOLS", path_of("tools"), 1);
  setenv("HONE_CACHE", path_of("cache"), 1);
  write_script("tools/iree-run-module", fake_run);
  write_script("tools/iree-benchmark-module", fake_benchmark);
  write_script("tools/rocprofv3", fake_tracer);
  write_answer("tools/right.npy", 1.0f, 2.0f, 7);
  write_answer("tools/near.npy", 1.00001f, 2.0f, 7);
  write_answer("tools/wrong.npy", 1.5f, 2.0f, 7);
  write_answer("tools/other.npy", 1.75f, 2.0f, 7);
  write_answer("tools/clobber.npy", 1.0f, 2.0f, 8);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_screen),
      cmocka_unit_test(test_answers),
      cmocka_unit_test(test_benchmarks),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_gpu),
      cmocka_unit_test(test_unfilled),
      cmocka_unit_test(test_setup_that_lacks_a_field),
      cmocka_unit_test(test_no_tools),
      cmocka_unit_test(test_bad_jobs),
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_real),
  };

  return cmocka_run_group_tests(tests, begin, remove_folder);
}
