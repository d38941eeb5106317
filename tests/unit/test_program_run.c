/* Real programs and libraries, run as the runner runs them, with everything that may go wrong. */
#include "wire/packed_json.h"
#include "backend/program/program_backend.h"
#include "base/clock.h"
#include "base/file.h"
#include "folder.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int begin(void **state)
{
  signal(SIGPIPE, SIG_IGN);
  return make_folder(state);
}

/* ---- Files ---- */

static bool exists(const char *name)
{
  return access(path_of(name), F_OK) == 0;
}

static char *read_text(const char *name)
{
  char *text;
  size_t size;

  assert_null(hone__file_read(path_of(name), 1 << 24, &text, &size));
  return text;
}

/* ---- A bench ---- */

static const struct hone__backend *const programs = &hone__backend_program;

struct bench {
  void *device, *bench;
  json_t *facts, *candidates;
  struct hone__text objects;
  struct hone__answer answer;
};

static void open_bench(struct bench *bench, const char *device, const char *check)
{
  json_t *setup = json_pack("{s:s, s:s, s:f, s:s, s:{s:b}, s:{s:f}}", "folder", folder, "directory",
                            folder, "unit_ns", 1e6, "device_variable", "CUDA_VISIBLE_DEVICES",
                            "check", "enabled", 0, "build", "timeout_s", 60.0);

  *bench = (struct bench){.facts = json_object(), .candidates = json_array()};
  if (check)
    json_object_set_new(setup, "check",
                        json_pack("{s:b, s:[s,s,s,s,s,s]}", "enabled", 1, "command", "sh", "-c",
                                  check, "sh", "{csv}", "{x}"));
  assert_null(programs->worker.open(device, hone__wire_json_packed(bench->facts), &bench->device));
  assert_null(programs->worker.prepare(bench->device, hone__wire_json_packed(setup), NULL, 0,
                                       hone__wire_json_packed(bench->facts), &bench->bench));
  json_decref(setup);
}

static void forget_answer(struct bench *bench)
{
  hone__packed_drop(bench->answer.head);
  hone__text_release(&bench->answer.evidence);
  hone__text_release(&bench->answer.payload);
  bench->answer = (struct hone__answer){0};
}

static void forget_candidates(struct bench *bench)
{
  json_array_clear(bench->candidates);
  hone__text_release(&bench->objects);
}

static void close_bench(struct bench *bench)
{
  forget_answer(bench);
  forget_candidates(bench);
  programs->worker.release(bench->bench);
  programs->worker.close(bench->device);
  json_decref(bench->facts);
  json_decref(bench->candidates);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nothing is left */
}

/* `candidate` is given up; what it does not say does not matter here. */
static void add(struct bench *bench, json_t *candidate, const void *object, size_t size)
{
  json_t *rest = json_pack("{s:s, s:s, s:s, s:s}", "source", "/source", "source_digest", "",
                           "language", "executable", "mode", "process");

  assert_non_null(candidate);
  json_object_update_missing(candidate, rest);
  json_decref(rest);
  json_array_append_new(bench->candidates,
                        json_pack("{s:o, s:I, s:I}", "candidate", candidate, "offset",
                                  (json_int_t)bench->objects.length, "size", (json_int_t)size));
  if (size) hone__text_addn(&bench->objects, object, size);
}

static json_t *shell(const char *script)
{
  return json_pack("{s:s, s:s, s:[s,s,s,s,s,s], s:[[s,s]]}", "mode", "process", "name", "prog_A-1",
                   "run", "sh", "-c", script, "sh", "{csv}", "{bin}", "arguments", "x", "7");
}

/* `job` is given up. */
static void run(struct bench *bench, json_t *job)
{
  assert_non_null(job);
  forget_answer(bench);
  json_object_set(job, "candidates", bench->candidates);
  programs->worker.run(bench->bench, hone__wire_json_packed(job), bench->objects.data,
                       bench->objects.length, &bench->answer);
  json_decref(job);
  forget_candidates(bench);
}

static json_t *screen(int samples)
{
  return json_pack("{s:s, s:i, s:b, s:f}", "mode", "screen", "samples", samples, "check", 1,
                   "call_timeout_s", 20.0);
}

static json_t *result_of(const struct bench *bench, size_t i)
{
  return json_array_get(json_object_get(hone__packed_json(bench->answer.head), "results"), i);
}

static const char *text_of(const struct bench *bench, const char *key)
{
  const char *text = json_string_value(json_object_get(result_of(bench, 0), key));

  return text ? text : "";
}

static double time_of(const struct bench *bench, size_t i)
{
  double time;

  assert_true(bench->answer.payload.length >= (i + 1) * sizeof time);
  memcpy(&time, bench->answer.payload.data + i * sizeof time, sizeof time);
  return time;
}

static size_t time_count(const struct bench *bench)
{
  return bench->answer.payload.length / sizeof(double);
}

static void expect(const struct bench *bench, const char *class, const char *evidence)
{
  if (strcmp(text_of(bench, "class"), class) != 0)
    print_message("%s: %s\n", text_of(bench, "class"), text_of(bench, "evidence"));
  assert_string_equal(text_of(bench, "class"), class);
  assert_string_equal(hone_outcome_name(bench->answer.outcome), class);
  if (!strstr(text_of(bench, "evidence"), evidence))
    fail_msg("no '%s' in '%s'", evidence, text_of(bench, "evidence"));
}

static void expect_shell(const char *script, const char *class, const char *evidence)
{
  struct bench bench;

  open_bench(&bench, "program", NULL);
  add(&bench, shell(script), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, class, evidence);
  if (strcmp(class, "ok") != 0) assert_int_equal(time_count(&bench), 0);
  close_bench(&bench);
}

/* ---- Devices ---- */

static void devices(void **state)
{
  const char *const wrong[] = {"program:gpu", "program:gpu 1", "program:999999", "program:x"};
  struct bench bench;

  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    json_t *facts = json_object();
    void *device;
    hone_status status = programs->worker.open(wrong[i], hone__wire_json_packed(facts), &device);
    assert_int_equal(hone_status_code(status), HONE_UNAVAILABLE);
    assert_non_null(strstr(hone_status_message(status), wrong[i]));
    assert_null(device);
    hone_status_free(status);
    json_decref(facts);
  }
  assert_true(hone__program_is_beside_cpu("program:gpu0"));
  assert_false(hone__program_is_beside_cpu("program:0"));
  assert_false(hone__program_is_beside_cpu("program"));
  open_bench(&bench, "program", NULL);
  assert_true(json_is_string(json_object_get(bench.facts, "name")));
  assert_true(json_is_string(json_object_get(bench.facts, "fingerprint")));
  close_bench(&bench);
}

static void a_gpu_is_named(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "program:gpu3", "test \"$CUDA_VISIBLE_DEVICES\" = 3");
  add(&bench, shell("echo $CUDA_VISIBLE_DEVICES"), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  assert_true(time_of(&bench, 0) == 3e6);
  close_bench(&bench);
}

/* ---- Screening ---- */

static void every_run_is_a_sample(void **state)
{
  struct bench bench;

  (void)state;
  write_text("count", "");
  open_bench(&bench, "program", NULL);
  add(&bench,
      shell("echo x >>count; n=$(wc -l <count); echo words >&2; echo run $n; "
            "printf 'name,met (us),iters\\nk,%d,1\\n' $n >\"$1\""),
      NULL, 0);
  run(&bench, screen(3));
  expect(&bench, "ok", "");
  assert_int_equal(time_count(&bench), 3);
  for (size_t i = 0; i < 3; i++)
    assert_true(time_of(&bench, i) == 1e3 * (double)(i + 1));
  assert_int_equal(json_integer_value(json_object_get(result_of(&bench, 0), "samples")), 3);
  assert_true(json_number_value(json_object_get(result_of(&bench, 0), "cold_ns")) > 0);
  assert_string_equal(text_of(&bench, "stdout"), "run 1\n");
  assert_string_equal(text_of(&bench, "stderr"), "words\n");
  assert_int_equal(
      json_array_size(json_object_get(json_object_get(result_of(&bench, 0), "table"), "columns")),
      3);
  close_bench(&bench);
  assert_false(exists("output.csv"));
}

static void what_is_above_the_cap_is_slow(void **state)
{
  struct bench bench;
  json_t *job = screen(5);

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, shell("echo 5"), NULL, 0);
  json_object_set_new(job, "cap_ns", json_real(2e6));
  run(&bench, job);
  expect(&bench, "slow", "5.000 ms, above the cap of 2.000 ms");
  assert_int_equal(time_count(&bench), 1);
  close_bench(&bench);
}

static void what_is_above_the_cut_runs_once(void **state)
{
  struct bench bench;
  json_t *job = screen(5);

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, shell("echo 5"), NULL, 0);
  json_object_set_new(job, "cut_ns", json_real(2e6));
  run(&bench, job);
  expect(&bench, "ok", "");
  assert_int_equal(time_count(&bench), 1);
  close_bench(&bench);
}

static void a_job_ends_in_time(void **state)
{
  struct bench bench;
  json_t *job = screen(1000);

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, shell("sleep 0.6; echo 5"), NULL, 0);
  json_object_set_new(job, "timeout_s", json_real(6));
  run(&bench, job);
  expect(&bench, "ok", "");
  assert_true(time_count(&bench) >= 1 && time_count(&bench) < 10);
  close_bench(&bench);
}

static void no_samples_are_wanted(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", "exit 1");
  add(&bench, shell("echo 5"), NULL, 0);
  run(&bench, screen(0));
  expect(&bench, "wrong_result", "exit status 1");
  assert_int_equal(time_count(&bench), 0);
  close_bench(&bench);
}

/* ---- Rows ---- */

static json_t *rows(int count)
{
  return json_pack("{s:s, s:i, s:i, s:f}", "mode", "rows", "rows", count, "seed", 3,
                   "call_timeout_s", 20.0);
}

static void rows_run_all_in_turn(void **state)
{
  struct bench bench;
  char *log;
  size_t switches = 0;

  (void)state;
  write_text("log", "");
  open_bench(&bench, "program", NULL);
  add(&bench, shell("printf a >>log; echo 1"), NULL, 0);
  add(&bench, shell("printf b >>log; echo 2"), NULL, 0);
  run(&bench, rows(12));
  expect(&bench, "ok", "");
  assert_int_equal(
      json_integer_value(json_object_get(hone__packed_json(bench.answer.head), "rows")), 12);
  assert_int_equal(time_count(&bench), 24);
  for (size_t i = 0; i < 24; i++)
    assert_true(time_of(&bench, i) == (i % 2 ? 2e6 : 1e6));
  close_bench(&bench);
  log = read_text("log");
  assert_int_equal(strlen(log), 24);
  for (size_t i = 0; i < 12; i++) {
    assert_true(log[2 * i] != log[2 * i + 1]);
    switches += log[2 * i] == 'b';
  }
  assert_true(switches > 0 && switches < 12);
  free(log);
}

static void who_fails_has_no_times(void **state)
{
  struct bench bench;

  (void)state;
  write_text("count", "");
  open_bench(&bench, "program", NULL);
  add(&bench, shell("echo 1"), NULL, 0);
  add(&bench, shell("echo x >>count; test $(wc -l <count) -lt 3 && echo 2"), NULL, 0);
  run(&bench, rows(12));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_CRASH);
  assert_string_equal(text_of(&bench, "class"), "ok");
  assert_string_equal(json_string_value(json_object_get(result_of(&bench, 1), "class")), "crash");
  assert_int_equal(json_integer_value(json_object_get(result_of(&bench, 0), "samples")), 3);
  assert_int_equal(json_integer_value(json_object_get(result_of(&bench, 1), "samples")), 0);
  assert_int_equal(
      json_integer_value(json_object_get(hone__packed_json(bench.answer.head), "rows")), 3);
  assert_int_equal(time_count(&bench), 6);
  for (size_t i = 0; i < 6; i++)
    assert_true(i % 2 ? isnan(time_of(&bench, i)) : time_of(&bench, i) == 1e6);
  close_bench(&bench);
}

static void rows_end_with_the_budget(void **state)
{
  struct bench bench;
  json_t *job = rows(100000);

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, shell("echo 1"), NULL, 0);
  json_object_set_new(job, "budget_s", json_real(0.2));
  run(&bench, job);
  expect(&bench, "ok", "");
  assert_true(time_count(&bench) >= 1 && time_count(&bench) < 100000);
  close_bench(&bench);
}

/* ---- Checking ---- */

static void answers_are_checked_once(void **state)
{
  struct bench bench;

  (void)state;
  write_text("checks", "");
  open_bench(&bench, "program", "echo $2 $(cat \"$1\") >>checks");
  add(&bench, shell("echo met,4 | tr , '\\n' >\"$1\""), NULL, 0);
  run(&bench, screen(3));
  expect(&bench, "ok", "");
  {
    char *checks = read_text("checks");
    assert_string_equal(checks, "7 met 4\n");
    free(checks);
  }
  add(&bench, shell("echo 1"), NULL, 0);
  run(&bench, json_pack("{s:s, s:i, s:b}", "mode", "screen", "samples", 1, "check", 0));
  expect(&bench, "ok", "");
  close_bench(&bench);
  open_bench(&bench, "program", "echo it is off by one; exit 4");
  add(&bench, shell("echo 1"), NULL, 0);
  run(&bench, screen(3));
  expect(&bench, "wrong_result", "check.command: exit status 4: it is off by one");
  assert_int_equal(time_count(&bench), 0);
  close_bench(&bench);
}

/* ---- Folders and objects ---- */

static const char script[] = "#!/bin/sh\necho met,9 | tr , '\\n' >\"${0%/*}/output.csv\"\n";

static json_t *binary(const char *in)
{
  json_t *candidate = json_pack("{s:s, s:[s]}", "name", "a/b_A-1", "run", "{bin}");

  if (in) json_object_set_new(candidate, "folder", json_string(in));
  return candidate;
}

static void a_folder_that_stays(void **state)
{
  struct bench bench;
  struct stat before, after;

  (void)state;
  open_bench(&bench, "program", NULL);
  for (int i = 0; i < 2; i++) {
    add(&bench, binary("results/out_0"), script, strlen(script));
    run(&bench, screen(2));
    expect(&bench, "ok", "");
    assert_int_equal(stat(path_of("results/out_0/a_b_A-1"), i ? &after : &before), 0);
  }
  assert_int_equal(before.st_mode & 0777, 0755);
  assert_true(before.st_ino == after.st_ino);
  assert_true(exists("results/out_0/output.csv"));
  write_text("results/out_0/output_7.csv", "met (ms)\n1000\n");
  add(&bench, binary("results/out_0"), script, strlen(script));
  run(&bench, screen(1));
  assert_true(time_of(&bench, 0) == 9e6);
  assert_false(exists("results/out_0/output_7.csv"));
  assert_int_equal(unlink(path_of("results/out_0/a_b_A-1")), 0);
  add(&bench, binary("results/out_0"), script, strlen(script));
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  close_bench(&bench);
  assert_true(exists("results/out_0/a_b_A-1"));
}

static void a_folder_that_goes(void **state)
{
  struct bench bench;
  char *first, *second;

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, shell("dirname \"$1\" >where; echo 1"), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  first = read_text("where");
  first[strcspn(first, "\n")] = 0;
  assert_int_equal(access(first, F_OK), 0);
  add(&bench, binary(NULL), script, strlen(script));
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  close_bench(&bench);
  assert_int_equal(access(first, F_OK), -1);
  open_bench(&bench, "program", NULL);
  add(&bench, shell("dirname \"$1\" >where; echo 1"), NULL, 0);
  run(&bench, screen(1));
  second = read_text("where");
  close_bench(&bench);
  free(first);
  free(second);
}

static void a_folder_that_cannot_be(void **state)
{
  struct bench bench;

  (void)state;
  write_text("file", "");
  open_bench(&bench, "program", NULL);
  add(&bench, binary("file/out_0"), script, strlen(script));
  run(&bench, screen(1));
  expect(&bench, "launch_failure", "file");
  add(&bench, binary("/proc/none/out_0"), script, strlen(script));
  run(&bench, screen(1));
  expect(&bench, "launch_failure", "/proc/none");
  close_bench(&bench);
}

/* ---- Failures ---- */

static void programs_that_die(void **state)
{
  (void)state;
  expect_shell("echo 5; echo no memory for tiles >&2; exit 3", "crash",
               "exit status 3: no memory for tiles");
  expect_shell("echo on output; exit 1", "crash", "exit status 1: on output");
  expect_shell("echo 5; kill -SEGV $$", "crash", "signal 11 (SIGSEGV)");
  expect_shell("kill -KILL $$", "killed", "signal 9 (SIGKILL)");
  expect_shell("echo 'ABORT: gemm.mojo:3:4: index out of range'; echo trace >&2; exit 132", "crash",
               "signal 4 (SIGILL): ABORT: gemm.mojo:3:4: index out of range");
  expect_shell("exec /nonexistent/program", "launch_failure", "127");
}

static void programs_that_say_nothing(void **state)
{
  (void)state;
  expect_shell("exit 0", "no_result", "no output.csv");
  expect_shell("echo all done", "no_result", "all done");
  expect_shell("echo 'name,met (ms),iters' >\"$1\"", "no_result", "a header and no row");
}

static void programs_that_say_nonsense(void **state)
{
  (void)state;
  expect_shell("printf 'name,met (ms)\\n\"gem' >\"$1\"", "bad_result", "output.csv, line 2");
  expect_shell("printf 'name,speed\\na,1\\n' >\"$1\"", "bad_result", "'speed'");
  expect_shell("printf 'name,met (ms)\\na,nan\\n' >\"$1\"", "bad_result", "'nan'");
  expect_shell("printf 'name,met (ms)\\na,-3\\n' >\"$1\"", "bad_result", "'-3'");
  expect_shell("echo 0", "bad_result", "'0'");
  expect_shell("mkfifo \"$1\"; echo 3", "bad_result", "is not a file");
}

static void programs_that_are_not_there(void **state)
{
  static const char no_interpreter[] = "#!/nonexistent/interpreter\n", no_program[] = "\x7f"
                                                                                      "ELFnonsense";
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, json_pack("{s:s, s:[s]}", "name", "x", "run", "/nonexistent/program"), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "launch_failure", "'/nonexistent/program' cannot be started: no such file");
  add(&bench, json_pack("{s:s}", "name", "x"), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "launch_failure", "cannot be started");
  add(&bench, binary(NULL), no_interpreter, strlen(no_interpreter));
  run(&bench, screen(1));
  expect(&bench, "launch_failure", "cannot be started: no such file");
  add(&bench, binary(NULL), no_program, strlen(no_program));
  run(&bench, screen(1));
  expect(&bench, "launch_failure", "");
  close_bench(&bench);
}

static void run_briefly(struct bench *bench, json_t *candidate)
{
  add(bench, candidate, NULL, 0);
  run(bench, json_pack("{s:s, s:i, s:f}", "mode", "screen", "samples", 2, "call_timeout_s", 1.5));
}

static void programs_that_hang(void **state)
{
  struct bench bench;
  double began = hone__clock();

  (void)state;
  open_bench(&bench, "program", NULL);
  run_briefly(&bench, shell("echo begun; sleep 100 & sleep 100"));
  expect(&bench, "hang", "still running after 1.5 s");
  assert_string_equal(text_of(&bench, "stdout"), "begun\n");
  run_briefly(&bench, shell("trap '' TERM; echo begun; while :; do sleep 1; done"));
  expect(&bench, "hang", "still running after 1.5 s");
  run_briefly(&bench, shell("kill -STOP $$"));
  expect(&bench, "hang", "stopped by signal");
  add(&bench, shell("echo 1"), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  close_bench(&bench);
  assert_true(hone__clock() - began < 60);
}

static void what_programs_leave_behind(void **state)
{
  struct bench bench;
  double began = hone__clock();

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, shell("sleep 1000 & setsid sleep 1000 & echo 1"), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  close_bench(&bench);
  assert_true(hone__clock() - began < 60);
}

static void programs_that_say_too_much(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench,
      shell("head -c 30000000 /dev/zero | tr '\\0' '\\377'; "
            "head -c 1000000 /dev/zero >&2; echo; echo 4"),
      NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  assert_true(time_of(&bench, 0) == 4e6);
  assert_true(strlen(text_of(&bench, "stdout")) < 80000);
  assert_non_null(strstr(text_of(&bench, "stdout"), "bytes left out"));
  close_bench(&bench);
}

static void answers_fit_into_a_frame(void **state)
{
  struct bench bench;
  char *head;

  (void)state;
  open_bench(&bench, "program", NULL);
  for (int i = 0; i < 3; i++)
    add(&bench,
        shell("n=$(printf %0900d 1); { echo 'name,met (ms)'; i=0; while [ $i -lt 2000 ]; do "
              "echo $i$n,1; i=$((i+1)); done; } >\"$1\"; head -c 100000 /dev/zero | tr '\\0' "
              "'\\001'; head -c 100000 /dev/zero | tr '\\0' '\\002' >&2"),
        NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "ok", "");
  assert_true(time_of(&bench, 2) == 2000 * 1e6);
  head = json_dumps(hone__packed_json(bench.answer.head), JSON_COMPACT);
  assert_true(strlen(head) < HONE__FRAME_LONGEST_HEAD);
  assert_true(strlen(head) > HONE__FRAME_LONGEST_HEAD / 4);
  assert_int_equal(json_array_size(json_object_get(hone__packed_json(bench.answer.head), "notes")),
                   3);
  free(head);
  close_bench(&bench);
}

static void bytes_that_are_no_text(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  add(&bench, shell("printf '\\377\\376\\n' >&2; printf '\\303\\050\\n'; exit 2"), NULL, 0);
  run(&bench, screen(1));
  expect(&bench, "crash", "exit status 2: ??");
  assert_string_equal(text_of(&bench, "stdout"), "?(\n");
  close_bench(&bench);
}

static void jobs_that_make_no_sense(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  run(&bench, screen(1));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_PROTOCOL);
  add(&bench, shell("echo 1"), NULL, 0);
  json_object_set_new(json_array_get(bench.candidates, 0), "size", json_integer(100));
  run(&bench, screen(1));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_PROTOCOL);
  close_bench(&bench);
}

/* ---- Libraries ---- */

struct library {
  char *bytes;
  size_t size;
};

static struct library compile(const char *body)
{
  struct library library;
  struct hone__text source = {0};
  char command[1200];

  hone__text_addf(&source,
                  "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                  "#include <unistd.h>\nstatic int calls;\n"
                  "static void say(double ms) { FILE *f = fopen(getenv(\"KBENCH_OUTFILE\"), "
                  "\"w\"); fprintf(f, \"name,met (ms)\\nk,%%g\\n\", ms); fclose(f); }\n"
                  "int benchmark_entry(void) { calls++; %s }\n",
                  body);
  write_text("k.c", source.data);
  hone__text_release(&source);
  snprintf(command, sizeof command, "cc -shared -fPIC -w -o %s %s", path_of("k.so"),
           path_of("k.c"));
  assert_int_equal(system(command), 0);
  assert_null(hone__file_read(path_of("k.so"), 1 << 24, &library.bytes, &library.size));
  return library;
}

/* With the arguments x and, if it is given, y. */
static void call_with(struct bench *bench, const struct library *library, const char *x,
                      const char *y, double timeout_s)
{
  json_t *arguments = json_pack("[[s,s]]", "x", x);

  if (y) json_array_append_new(arguments, json_pack("[s,s]", "y", y));
  add(bench, json_pack("{s:s, s:s, s:o}", "mode", "library", "name", "lib", "arguments", arguments),
      library->bytes, library->size);
  run(bench,
      json_pack("{s:s, s:i, s:f}", "mode", "screen", "samples", 1, "call_timeout_s", timeout_s));
}

static void call(struct bench *bench, const struct library *library)
{
  call_with(bench, library, "1", NULL, 20);
}

static void libraries_stay_loaded(void **state)
{
  struct library counter = compile("say(calls); printf(\"%d\\n\", getpid()); return 0;");
  struct library other = compile("say(100 + calls); printf(\"%d\\n\", getpid()); return 0;");
  struct bench bench;
  char pid[64];

  (void)state;
  open_bench(&bench, "program", "true");
  for (int i = 1; i <= 3; i++) {
    call(&bench, &counter);
    expect(&bench, "ok", "");
    assert_true(time_of(&bench, 0) == 1e6 * i);
    if (i == 1)
      snprintf(pid, sizeof pid, "%s", text_of(&bench, "stdout"));
    else
      assert_string_equal(text_of(&bench, "stdout"), pid);
  }
  call(&bench, &other);
  assert_true(time_of(&bench, 0) == 101e6);
  assert_string_equal(text_of(&bench, "stdout"), pid);
  add(&bench, json_pack("{s:s, s:s, s:s}", "mode", "library", "name", "lib", "folder", "out_1"),
      other.bytes, other.size);
  run(&bench, screen(1));
  assert_true(time_of(&bench, 0) == 102e6); /* in another folder it is still the same */
  assert_true(exists("out_1/lib.so") && exists("out_1/output.csv"));
  call(&bench, &counter); /* it was unloaded meanwhile */
  assert_true(time_of(&bench, 0) == 1e6);
  assert_string_equal(text_of(&bench, "stdout"), pid);
  close_bench(&bench);
  free(counter.bytes);
  free(other.bytes);
}

static void libraries_get_arguments(void **state)
{
  struct library library =
      compile("char *y = getenv(\"KBENCH_ARG_y\"); fprintf(stderr, \"y=%s\\n\", y ? y : \"none\");"
              "say(atof(getenv(\"KBENCH_ARG_x\"))); return 0;");
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  call_with(&bench, &library, "5", "a=b c", 20);
  expect(&bench, "ok", "");
  assert_true(time_of(&bench, 0) == 5e6);
  assert_string_equal(text_of(&bench, "stderr"), "y=a=b c\n");
  assert_string_equal(text_of(&bench, "stdout"), "");
  call_with(&bench, &library, "6", NULL, 20);
  assert_true(time_of(&bench, 0) == 6e6);
  assert_string_equal(text_of(&bench, "stderr"), "y=none\n");
  close_bench(&bench);
  free(library.bytes);
}

static void libraries_that_fail(void **state)
{
  static const struct {
    const char *body, *class, *evidence;
  } cases[] = {
      {"fprintf(stderr, \"intentional crash\\n\"); return 1;", "crash",
       "benchmark_entry returned 1: intentional crash"},
      {"printf(\"last words\\n\"); raise(SIGSEGV); return 0;", "crash",
       "signal 11 (SIGSEGV): last words"},
      {"say(1); exit(0);", "crash", "instead of returning"},
      {"for (int i = 0; i < 1024; i++) close(i); say(1); return 0;", "crash",
       "instead of returning"},
      {"for (int i = 3; i < 1024; i++) write(i, \"garbage\", 7); sleep(100); return 0;", "hang",
       "still running"},
      {"signal(SIGTERM, SIG_IGN); for (;;) {}", "hang", "still running"},
      {"signal(SIGTERM, SIG_IGN); sleep(1); say(1); return 0;", "hang", "still running"},
      {"raise(SIGSTOP); return 0;", "hang", "stopped"},
      {"return 0;", "no_result", "no output.csv"},
      {"say(-1); return 0;", "bad_result", "'-1'"},
      {"fork(); say(2); if (calls) kill(getpid(), SIGKILL); return 0;", "killed", "signal 9"},
  };
  struct library good = compile("printf(\"%d\\n\", calls); say(3); return 0;");
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct library bad = compile(cases[i].body);
    bool hangs = strcmp(cases[i].class, "hang") == 0;
    call_with(&bench, &bad, "1", NULL, hangs ? 0.5 : 20);
    expect(&bench, cases[i].class, cases[i].evidence);
    call(&bench, &good);
    expect(&bench, "ok", "");
    assert_true(time_of(&bench, 0) == 3e6);
    assert_string_equal(text_of(&bench, "stdout"), "1\n");
    free(bad.bytes);
  }
  close_bench(&bench);
  free(good.bytes);
}

static void libraries_that_are_none(void **state)
{
  struct library library = compile("return 0;");
  struct library text = {.bytes = (char *)(uintptr_t) "hello", .size = 5};
  struct bench bench;
  char *symbol;

  (void)state;
  for (size_t i = 0; i + 9 < library.size; i++) {
    symbol = library.bytes + i;
    if (memcmp(symbol, "benchmark_entry", 15) == 0) memcpy(symbol, "benchmark_other", 15);
  }
  open_bench(&bench, "program", NULL);
  call(&bench, &library);
  expect(&bench, "launch_failure", "benchmark_entry");
  call(&bench, &text);
  expect(&bench, "launch_failure", "cannot be loaded");
  close_bench(&bench);
  free(library.bytes);
}

static void libraries_that_say_too_much(void **state)
{
  struct library library =
      compile("for (long i = 0; i < 20000000; i += 50) puts("
              "\"01234567890123456789012345678901234567890123456789\"); say(8); return 0;");
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  call(&bench, &library);
  expect(&bench, "ok", "");
  assert_non_null(strstr(text_of(&bench, "stdout"), "bytes left out"));
  call(&bench, &library);
  expect(&bench, "ok", "");
  close_bench(&bench);
  free(library.bytes);
}

static void libraries_and_programs_in_turn(void **state)
{
  struct library library = compile("say(2); return 0;");
  struct bench bench;

  (void)state;
  open_bench(&bench, "program", NULL);
  for (int i = 0; i < 2; i++) {
    call(&bench, &library);
    expect(&bench, "ok", "");
    add(&bench, shell("echo 1"), NULL, 0);
    run(&bench, screen(1));
    expect(&bench, "ok", "");
  }
  close_bench(&bench);
  free(library.bytes);
}

/* ---- Messages ---- */

static void messages_that_lack_a_field(void **state)
{
  struct bench bench;
  json_t *facts = json_object(), *setup = json_pack("{s:s, s:i}", "folder", folder, "directory", 1);
  void *device, *none;
  hone_status status;

  (void)state;
  assert_null(programs->worker.open("program", hone__wire_json_packed(facts), &device));
  status = programs->worker.prepare(device, hone__wire_json_packed(setup), NULL, 0,
                                    hone__wire_json_packed(facts), &none);
  assert_string_equal(hone_status_message(status),
                      "setup of programs: 'directory' is not a string");
  assert_null(none);
  hone_status_free(status);
  programs->worker.close(device);
  json_decref(setup);
  json_decref(facts);
  open_bench(&bench, "program", NULL);
  add(&bench, json_pack("{s:s, s:s}", "mode", "thread", "name", "n"), NULL, 0);
  run(&bench, screen(1));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_PROTOCOL);
  assert_string_equal(bench.answer.evidence.data,
                      "candidate of programs: 'mode' has an unknown value");
  close_bench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices),
      cmocka_unit_test(a_gpu_is_named),
      cmocka_unit_test(every_run_is_a_sample),
      cmocka_unit_test(what_is_above_the_cap_is_slow),
      cmocka_unit_test(what_is_above_the_cut_runs_once),
      cmocka_unit_test(a_job_ends_in_time),
      cmocka_unit_test(no_samples_are_wanted),
      cmocka_unit_test(rows_run_all_in_turn),
      cmocka_unit_test(who_fails_has_no_times),
      cmocka_unit_test(rows_end_with_the_budget),
      cmocka_unit_test(answers_are_checked_once),
      cmocka_unit_test(a_folder_that_stays),
      cmocka_unit_test(a_folder_that_goes),
      cmocka_unit_test(a_folder_that_cannot_be),
      cmocka_unit_test(programs_that_die),
      cmocka_unit_test(programs_that_say_nothing),
      cmocka_unit_test(programs_that_say_nonsense),
      cmocka_unit_test(programs_that_are_not_there),
      cmocka_unit_test(programs_that_hang),
      cmocka_unit_test(what_programs_leave_behind),
      cmocka_unit_test(programs_that_say_too_much),
      cmocka_unit_test(answers_fit_into_a_frame),
      cmocka_unit_test(bytes_that_are_no_text),
      cmocka_unit_test(jobs_that_make_no_sense),
      cmocka_unit_test(libraries_stay_loaded),
      cmocka_unit_test(libraries_get_arguments),
      cmocka_unit_test(libraries_that_fail),
      cmocka_unit_test(libraries_that_are_none),
      cmocka_unit_test(libraries_that_say_too_much),
      cmocka_unit_test(messages_that_lack_a_field),
      cmocka_unit_test(libraries_and_programs_in_turn),
  };

  return cmocka_run_group_tests(tests, begin, remove_folder);
}
