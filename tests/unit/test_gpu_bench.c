/* A bench of a device, with its helper, on the OpenCL of this machine: what happens between
 * candidates. */
#include "wire/packed_json.h"
#include "opencl_kernels.h"

#include "backend/gpu/gpu_bench.h"
#include "backend/opencl/opencl_compile.h"
#include "base/file.h"

#include <signal.h>
#include <sys/wait.h>

enum { ELEMENTS = 4096 };

static const char source[] = "__kernel void right(__global float *a, __global float *c)\n"
                             "{ size_t i = get_global_id(0); c[i] = 2 * a[i]; }\n"
                             "__kernel void rude(__global float *a, __global float *c)\n"
                             "{ size_t i = get_global_id(0); c[i] = 2 * a[i]; a[i] = 0; }\n";

struct fixture {
  void *device, *bench;
  char *objects[2];
  size_t sizes[2];
  json_t *candidates[2];
};

static const char *const entries[] = {"right", "rude"};

static json_t *setup_of(const char *check)
{
  json_error_t error;
  json_t *setup = json_pack_ex(
      &error, 0, "{ss si sI ss s[{ss ss ss s[i] s{ss}} {ss ss ss s[i]}] s{ss}}", "backend",
      "opencl", "seed", 42, "memory_bytes", (json_int_t)1 << 30, "folder", folder, "args", "name",
      "a", "type", "f32", "role", "in", "shape", ELEMENTS, "fill", "kind", "uniform", "name", "c",
      "type", "f32", "role", "out", "shape", ELEMENTS, "reference", "kind", "none");

  if (!setup) print_message("%s\n", error.text);
  json_object_set_new(setup, "check", json_pack("{sb s[s]}", "enabled", 1, "command", check));
  return setup;
}

/* In another process, as builders are: a runner never touches the library. */
static void build_apart(json_t *candidate, char **out_object, size_t *out_size)
{
  int status;
  pid_t pid = fork();

  if (pid == 0) {
    struct built built = opencl_build(candidate, 60);
    bool works = built.answer.outcome == HONE_OUTCOME_OK;
    if (works) write_file("object", built.answer.payload.data, built.answer.payload.length);
    if (!works) print_message("%s\n", built.evidence);
    hone__opencl_compile_end();
    hone__opencl_leave();
    _exit(!works);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  assert_null(hone__file_read(path_of("object"), 1 << 26, out_object, out_size));
}

static void open_bench(struct fixture *f, const char *check)
{
  json_t *setup = setup_of(check), *facts = json_object();
  hone_status status;

  *f = (struct fixture){0};
  write_text("kernels.cl", source);
  for (size_t i = 0; i < 2; i++) {
    f->candidates[i] = opencl_candidate("kernels.cl", entries[i], ELEMENTS, 64);
    build_apart(f->candidates[i], &f->objects[i], &f->sizes[i]);
  }
  assert_null(
      hone__gpu_open(&hone__gpu_opencl, opencl_device, hone__wire_json_packed(facts), &f->device));
  status = hone__gpu_prepare(f->device, hone__wire_json_packed(setup), NULL, 0,
                             hone__wire_json_packed(facts), &f->bench);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  assert_non_null(json_object_get(facts, "fingerprint")); /* times are kept by it */
  assert_non_null(json_object_get(facts, "name"));
  json_decref(setup);
  json_decref(facts);
}

static void close_bench(struct fixture *f)
{
  hone__gpu_release(f->bench);
  hone__gpu_close(f->device);
  for (size_t i = 0; i < 2; i++) {
    free(f->objects[i]);
    json_decref(f->candidates[i]);
  }
}

/* The first `count` candidates. */
static struct hone__answer run(struct fixture *f, json_t *job, size_t count)
{
  struct hone__answer answer = {0};
  struct hone__text payload = {0};
  json_t *candidates = json_array();

  json_object_set_new(job, "candidates", candidates);
  for (size_t i = 0; i < count; i++) {
    json_array_append_new(candidates,
                          json_pack("{sO sI sI}", "candidate", f->candidates[i], "offset",
                                    (json_int_t)payload.length, "size", (json_int_t)f->sizes[i]));
    hone__text_addn(&payload, f->objects[i], f->sizes[i]);
  }
  hone__bench_run(f->bench, hone__wire_json_packed(job), payload.data, payload.length, &answer);
  hone__text_release(&payload);
  json_decref(job);
  return answer;
}

static json_t *screening(void)
{
  return json_pack("{ss sb si sf}", "mode", "screen", "check", 1, "samples", 3, "timeout_s", 60.0);
}

static void expect_ok(struct hone__answer *answer)
{
  if (answer->outcome != HONE_OUTCOME_OK) print_message("%s\n", answer->evidence.data);
  assert_int_equal(answer->outcome, HONE_OUTCOME_OK);
}

static void release(struct hone__answer *answer)
{
  hone__packed_drop(answer->head);
  hone__text_release(&answer->evidence);
  hone__text_release(&answer->payload);
}

/* Of the helper; it is asked for nothing meanwhile. */
static pid_t helper_of(const struct fixture *f)
{
  const struct hone__gpu_bench *own = ((struct hone__bench *)f->bench)->own;
  pid_t pid;

  assert_non_null(own->helper);
  memcpy(&pid, own->helper, sizeof pid); /* its first member */
  return pid;
}

/* And waits until it is dead, without taking note of it. */
static void kill_helper(const struct fixture *f)
{
  siginfo_t info;

  assert_int_equal(kill(helper_of(f), SIGKILL), 0);
  assert_int_equal(waitid(P_PID, (id_t)helper_of(f), &info, WEXITED | WNOWAIT), 0);
}

static void test_helper_that_died(void **state)
{
  struct fixture f;
  struct hone__answer answer;

  (void)state;
  NEEDS_OPENCL();
  open_bench(&f, "true");
  for (int i = 0; i < 2; i++) {
    answer = run(&f, screening(), 1);
    expect_ok(&answer);
    release(&answer);
    kill_helper(&f);
  }
  answer = run(&f, screening(), 1);
  expect_ok(&answer);
  release(&answer);
  close_bench(&f);
}

/* What was there when the run began need not be there any more. */
static void test_helper_that_cannot_be_had(void **state)
{
  struct fixture f;
  struct hone__answer answer;

  (void)state;
  NEEDS_OPENCL();
  open_bench(&f, "true");
  kill_helper(&f);
  setenv("HONE_OPENCL", path_of("nothing"), 1);
  answer = run(&f, screening(), 1);
  unsetenv("HONE_OPENCL");
  print_message("# %s\n", answer.evidence.data);
  assert_int_equal(answer.outcome, HONE_OUTCOME_WORKER_LOST);
  assert_non_null(strstr(answer.evidence.data, "nothing"));
  release(&answer);
  answer = run(&f, screening(), 1); /* it is back */
  expect_ok(&answer);
  release(&answer);
  close_bench(&f);
}

/* A command that looks at an answer is a process beside the helper, and no end of it. */
static void test_helper_stays(void **state)
{
  struct fixture f;
  struct hone__answer answer;
  pid_t first;

  (void)state;
  NEEDS_OPENCL();
  open_bench(&f, "true");
  first = helper_of(&f);
  for (int i = 0; i < 3; i++) {
    answer = run(&f, screening(), 1);
    expect_ok(&answer);
    release(&answer);
    assert_int_equal(helper_of(&f), first);
  }
  close_bench(&f);
}

/* One that must be timed launch by launch is compared with others that are, too. */
static void test_rows_are_timed_the_same_way(void **state)
{
  struct fixture f;
  struct hone__answer answer;
  json_t *job, *results;

  (void)state;
  NEEDS_OPENCL();
  open_bench(&f, "true");
  for (size_t count = 1; count <= 2; count++) {
    job = json_pack("{ss sb si sf}", "mode", "rows", "check", 1, "rows", 3, "timeout_s", 60.0);
    answer = run(&f, job, count);
    expect_ok(&answer);
    results = json_object_get(hone__packed_json(answer.head), "results");
    for (size_t i = 0; i < count; i++)
      assert_string_equal(
          hone__message_text(json_object_get(json_array_get(results, i), "facts"), "method"),
          count == 1 ? "batch" : "events");
    release(&answer);
  }
  close_bench(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_helper_that_died),
      cmocka_unit_test(test_helper_that_cannot_be_had),
      cmocka_unit_test(test_helper_stays),
      cmocka_unit_test(test_rows_are_timed_the_same_way),
  };

  return cmocka_run_group_tests(tests, find_opencl, leave_opencl);
}
