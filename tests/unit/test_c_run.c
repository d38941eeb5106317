/* Kernels are compiled with the real compiler and run as the runner runs them. */
#include "wire/packed_json.h"
#include "backend/c/c_bench.h"
#include "backend/kernel/kernel_bench.h"
#include "backend/c/call.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/npy.h"
#include "folder.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

/* ---- Objects ---- */

struct object {
  char *bytes;
  size_t size;
};

static struct object compile_with(const char *source, const char *flag)
{
  const char *input = path_of("k.c"), *output = path_of("k.so");
  const char *argv[] = {"cc", "-shared", "-fPIC", "-O1", "-o", output, input, flag, NULL};
  struct object object = {0};
  pid_t pid;
  int status;

  write_text("k.c", source);
  assert_int_equal(posix_spawnp(&pid, "cc", NULL, NULL, (char *const *)(uintptr_t)argv, environ),
                   0);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  assert_null(hone__file_read(output, 1 << 24, &object.bytes, &object.size));
  return object;
}

static struct object compile(const char *source)
{
  return compile_with(source, NULL);
}

/* ---- A bench ---- */

struct bench {
  void *device, *bench;
  json_t *facts;
};

static json_t *parse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static json_t *parse(const char *format, ...)
{
  struct hone__text text = {0};
  json_error_t error;
  json_t *json;
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  json = json_loads(text.data, 0, &error);
  if (!json) print_message("%s: %s\n", error.text, text.data);
  assert_non_null(json);
  hone__text_release(&text);
  return json;
}

/* `setup` is given up. */
static hone_status prepare(struct bench *bench, json_t *setup, const void *payload, size_t size)
{
  hone_status status;

  *bench = (struct bench){.facts = json_object()};
  assert_null(hone__c_open("c", hone__wire_json_packed(bench->facts), &bench->device));
  status = hone__c_prepare(bench->device, hone__wire_json_packed(setup), payload, size,
                           hone__wire_json_packed(bench->facts), &bench->bench);
  json_decref(setup);
  return status;
}

static void drop(struct bench *bench)
{
  hone__c_release(bench->bench);
  hone__c_close(bench->device);
  json_decref(bench->facts);
}

/* With a reference, whose entry is k and which has the same arguments. */
static void prepare_checked(struct bench *bench, const char *args, const char *values,
                            const char *more, const char *reference)
{
  struct object object = compile(reference);
  hone_status status = prepare(
      bench,
      parse("{\"backend\": \"c\", \"seed\": 42, \"memory_bytes\": 1000000000, \"folder\": \"%s\","
            "\"args\": %s, %s \"reference\": {\"kind\": \"object\", \"candidate\":"
            "{\"entry\": \"k\", \"values\": %s}, \"offset\": 0, \"size\": %zu}}",
            folder, args, more, values, object.size),
      object.bytes, object.size);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  free(object.bytes);
}

/* ---- Jobs ---- */

struct reply {
  struct hone__answer answer;
  const double *times;
  size_t time_count;
};

/* The i-th candidate has what stands in envs[i], unless that is NULL. */
static struct reply run_in(const struct bench *bench, const char *job, const struct object *objects,
                           size_t count, const char *values, const char *const *envs)
{
  json_t *head = parse("{\"op\": \"run\", %s, \"candidates\": []}", job);
  struct hone__text payload = {0};
  struct reply reply = {0};

  for (size_t i = 0; i < count; i++) {
    json_array_append_new(json_object_get(head, "candidates"),
                          parse("{\"candidate\": {\"entry\": \"k\", \"values\": %s%s},"
                                "\"offset\": %zu, \"size\": %zu}",
                                values, envs && envs[i] ? envs[i] : "", payload.length,
                                objects[i].size));
    hone__text_addn(&payload, objects[i].bytes, objects[i].size);
  }
  hone__bench_run(bench->bench, hone__wire_json_packed(head), payload.data, payload.length,
                  &reply.answer);
  reply.times = (const double *)(void *)reply.answer.payload.data;
  reply.time_count = reply.answer.payload.length / sizeof *reply.times;
  json_decref(head);
  hone__text_release(&payload);
  return reply;
}

static struct reply run_job(const struct bench *bench, const char *job,
                            const struct object *objects, size_t count, const char *values)
{
  return run_in(bench, job, objects, count, values, NULL);
}

static void drop_reply(struct reply *reply)
{
  hone__packed_drop(reply->answer.head);
  hone__text_release(&reply->answer.evidence);
  hone__text_release(&reply->answer.payload);
}

static double least_of(const struct reply *reply)
{
  double least = INFINITY;

  for (size_t i = 0; i < reply->time_count; i++)
    least = fmin(least, reply->times[i]);
  return least;
}

static const json_t *result_of(const struct reply *reply, size_t index)
{
  return json_array_get(json_object_get(hone__packed_json(reply->answer.head), "results"), index);
}

static const char *class_of(const struct reply *reply, size_t index)
{
  return json_string_value(json_object_get(result_of(reply, index), "class"));
}

static void expect(const struct reply *reply, const char *class, const char *evidence)
{
  const char *said = reply->answer.evidence.data ? reply->answer.evidence.data : "";

  print_message("# %s: %s\n", hone_outcome_name(reply->answer.outcome), said);
  assert_string_equal(hone_outcome_name(reply->answer.outcome), class);
  if (!strstr(said, evidence)) fail_msg("'%s' has no '%s'", said, evidence);
}

#define SCREEN_WITHIN(seconds)                                                                     \
  "\"mode\": \"screen\", \"check\": true, \"samples\": 3, \"timeout_s\": 40, "                     \
  "\"call_timeout_s\": " seconds ", \"min_sample_ns\": 50000"
#define SCREEN         SCREEN_WITHIN("10")
#define SCREEN_BRIEFLY SCREEN_WITHIN("0.5") /* what never returns */

/* ---- One argument in, one out ---- */

#define DOUBLE_ARGS                                                                                \
  "[{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [10, 100],"                  \
  "  \"fill\": {\"kind\": \"uniform\"}},"                                                          \
  " {\"name\": \"c\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [1000]},"                   \
  " {\"name\": \"n\", \"type\": \"i32\", \"scalar\": true}]"
#define SIGNATURE "void k(const float *a, float *c, int n)"
#define HEADERS                                                                                    \
  "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"            \
  "#include <unistd.h>\n#include <sys/mman.h>\n"
#define DOUBLE HEADERS SIGNATURE "{for (int i = 0; i < n; i++) c[i] = 2 * a[i];"

static const struct {
  const char *source, *class, *evidence;
} kernels[] = {
    {DOUBLE "}", "ok", ""},
    {DOUBLE "c[17] += 1; }", "wrong_result", "c: 1 of 1000"},
    {DOUBLE "c[17] = getpid(); }", "nondeterministic", "a second run gave a different answer"},
    {DOUBLE "static int calls; if (++calls > 3) c[17] = 0; }", "nondeterministic",
     "correct at first, wrong after"},
    {HEADERS SIGNATURE "{static int done; if (done) return; done = 1;"
                       "for (int i = 0; i < n; i++) c[i] = 2 * a[i]; }",
     "wrong_result", "its second call, with other inputs: c: 1000 of 1000 elements differ"},
    {HEADERS SIGNATURE "{static const float *last; static float kept[1000];"
                       "for (int i = 0; a != last && i < n; i++) kept[i] = 2 * a[i];"
                       "for (volatile int i = 0; i < 30000; i++) {}" /* no two calls a sample */
                       "last = a; memcpy(c, kept, sizeof kept); }",
     "wrong_result", "other contents at the same addresses: c: 1000 of 1000 elements differ"},
    {DOUBLE "*(volatile int *)8 = 1; }", "crash", "signal 11 (SIGSEGV) in its first call"},
    {DOUBLE "puts(\"before\"); fflush(stdout); fprintf(stderr, \"bad \\001 thing\\n\"); abort(); }",
     "crash", "(SIGABRT) in its first call; output: bad ? thing"},
    {DOUBLE "volatile int zero = 0; c[0] = n / zero; }", "crash", "(SIGFPE)"},
    {DOUBLE "for (;;) {} }", "hang", "its first call did not return within 0.5 s"},
    {DOUBLE "signal(SIGTERM, SIG_IGN); sigset_t all; sigfillset(&all);"
            "sigprocmask(SIG_BLOCK, &all, 0); for (;;) {} }",
     "hang", "its first call did not return within 0.5 s"},
    {DOUBLE "} __attribute__((constructor)) void init(void) {for (;;) {}}", "hang",
     "loading it did not return within 0.5 s"},
    {DOUBLE "raise(SIGSTOP); }", "hang", "SIGSTOP"},
    {DOUBLE "exit(0); }", "crash", "exited with status 0 before it returned"},
    {DOUBLE "_exit(3); }", "crash", "exited with status 3 in its first call"},
    {DOUBLE "raise(SIGKILL); }", "killed", "SIGKILL"},
    {DOUBLE "memset(c + n, 0, 16); }", "wrong_result",
     "wrote past the end of 'c' (first changed byte at +0)"},
    {DOUBLE "c[n + 4] = 0; }", "wrong_result",
     "wrote past the end of 'c' (first changed byte at +16)"},
    {DOUBLE "c[-2] = 0; }", "wrong_result",
     "wrote before the start of 'c' (first changed byte at -8)"},
    {DOUBLE "((float *)a)[n] = 0; }", "wrong_result", "wrote past the end of 'a'"},
    {DOUBLE "static int calls; if (++calls > 2) c[n] = 0; }", "wrong_result",
     "wrote past the end of 'c'"},
    {DOUBLE "for (int i = 0; i < 1 << 20; i++) c[n + i] = 0; }", "crash", "(SIGSEGV)"},
    {DOUBLE "for (int i = 0; i < 1 << 20; i++) c[-i] = 0; }", "crash", "(SIGSEGV)"},
    {HEADERS "void other(void) {}", "launch_failure", "cannot be loaded: no function 'k'"},
    {HEADERS "void nowhere(void);" SIGNATURE "{(void)a; (void)c; (void)n; nowhere();}",
     "launch_failure", "cannot be loaded: undefined symbol: nowhere"},
    {HEADERS SIGNATURE "{(void)a; (void)c; (void)n;}", "wrong_result", "c: 1000 of 1000"},
    {DOUBLE "static int calls; if (++calls > 2) abort(); }", "crash", "(SIGABRT) after"},
};

static void test_every_kind_of_kernel(void **state)
{
  struct bench bench;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "\"check\": {\"enabled\": true, \"rtol\": 1e-6},",
                  DOUBLE "}");
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    struct object object = compile(kernels[i].source);
    bool hangs = strcmp(kernels[i].class, "hang") == 0;
    struct reply reply = run_job(&bench, hangs ? SCREEN_BRIEFLY : SCREEN, &object, 1, "[1000]");
    expect(&reply, kernels[i].class, kernels[i].evidence);
    assert_string_equal(class_of(&reply, 0), kernels[i].class);
    if (strcmp(kernels[i].class, "ok") == 0) {
      assert_int_equal(reply.time_count, 3);
      assert_true(json_integer_value(json_object_get(result_of(&reply, 0), "repeats")) > 1);
      assert_true(least_of(&reply) > 0 && least_of(&reply) < 50000);
      assert_true(json_number_value(json_object_get(result_of(&reply, 0), "cold_ns")) > 0);
    }
    drop_reply(&reply);
    free(object.bytes);
  }
  drop(&bench);
}

static void test_object_that_is_none(void **state)
{
  struct object objects[] = {{(char *)(uintptr_t) "no ELF", 6}, {(char *)(uintptr_t) "", 0}};
  struct bench bench;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  for (size_t i = 0; i < 2; i++) {
    struct reply reply = run_job(&bench, SCREEN, &objects[i], 1, "[1000]");
    expect(&reply, "launch_failure", "cannot be loaded: file too short");
    drop_reply(&reply);
  }
  drop(&bench);
}

static void test_guards_without_check(void **state)
{
  struct object object = compile(DOUBLE "c[17] = 3; }"), over = compile(DOUBLE "c[n] = 3; }");
  struct bench bench;
  struct reply reply;

  (void)state;
  assert_null(prepare(&bench,
                      parse("{\"args\": %s, \"check\": {\"enabled\": false},"
                            "\"reference\": {\"kind\": \"none\"}}",
                            DOUBLE_ARGS),
                      NULL, 0));
  reply = run_job(&bench, SCREEN, &object, 1, "[1000]");
  expect(&reply, "ok", "");
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN, &over, 1, "[1000]");
  expect(&reply, "wrong_result", "wrote past the end of 'c'");
  drop_reply(&reply);
  free(object.bytes);
  free(over.bytes);
  drop(&bench);
}

/* ---- Arguments ---- */

#define ACCUMULATE                                                                                 \
  "void k(double *x, const double *y) { for (int i = 0; i < 64; i++) x[i] += y[i]; }"

static void test_inout(void **state)
{
  struct object object = compile(ACCUMULATE);
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench,
                  "[{\"name\": \"x\", \"type\": \"f64\", \"role\": \"inout\", \"shape\": [8, 8]},"
                  " {\"name\": \"y\", \"type\": \"f64\", \"role\": \"in\", \"shape\": [64]}]",
                  "[]", "", ACCUMULATE);
  assert_int_equal(json_integer_value(json_object_get(bench.facts, "input_bytes")), 1024);
  reply = run_job(&bench, SCREEN, &object, 1, "[]");
  expect(&reply, "ok", "");
  assert_int_equal(json_integer_value(json_object_get(result_of(&reply, 0), "repeats")), 1);
  drop_reply(&reply);
  free(object.bytes);
  drop(&bench);
}

/* What it keeps by address is what an inout argument held once. */
#define KEEPING                                                                                    \
  "#include <string.h>\nvoid k(double *x, const double *y) {"                                      \
  " static const double *last; static double kept[64];"                                            \
  " for (int i = 0; y != last && i < 64; i++) kept[i] = x[i] + y[i];"                              \
  " last = y; memcpy(x, kept, sizeof kept); }"

static void test_inout_kept(void **state)
{
  struct object object = compile(KEEPING);
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench,
                  "[{\"name\": \"x\", \"type\": \"f64\", \"role\": \"inout\", \"shape\": [8, 8]},"
                  " {\"name\": \"y\", \"type\": \"f64\", \"role\": \"in\", \"shape\": [64]}]",
                  "[]", "", ACCUMULATE);
  reply = run_job(&bench, SCREEN, &object, 1, "[]");
  expect(&reply, "wrong_result", "other contents at the same addresses: x: 64 of 64");
  drop_reply(&reply);
  free(object.bytes);
  drop(&bench);
}

static double written_bytes(const char *args, const char *more, const char *reference)
{
  struct bench bench;
  double bytes, fill_ns;

  prepare_checked(&bench, args, "[]", more, reference);
  bytes = json_number_value(json_object_get(bench.facts, "written_bytes"));
  fill_ns = json_number_value(json_object_get(bench.facts, "fill_ns"));
  assert_int_equal(bytes > 0, fill_ns > 0);
  drop(&bench);
  return bytes;
}

/* What a right answer has to write: elements that differ from what a call finds. */
static void test_written_bytes(void **state)
{
  static const char out[] = "[{\"name\": \"x\", \"type\": \"f32\", \"role\": \"out\","
                            " \"shape\": [100000]}]";
  static const char inout[] = "[{\"name\": \"x\", \"type\": \"f64\", \"role\": \"inout\","
                              " \"shape\": [64]}]";

  (void)state;
  assert_true(written_bytes(out, "",
                            "void k(float *x) { for (int i = 0; i < 100000; i++) x[i] = "
                            "i; }") == 400000);
  assert_true(written_bytes(out, "", "void k(float *x) { x[7] = 1; }") < 4000);
  assert_true(written_bytes(inout, "", "void k(double *x) { x[7] += 1; x[9] += 1; }") == 16);
  assert_true(written_bytes(inout, "", "void k(double *x) { x[7] = x[7]; }") == 0);
  assert_true(written_bytes(out, "\"check\": {\"enabled\": false},", "void k(float *x) {}") ==
              400000);
}

/* Another candidate must not see what this one wrote, nor this one when it is called again. */
static void test_input_is_put_back(void **state)
{
  struct object objects[] = {compile(DOUBLE "((float *)a)[3] = 7; }"), compile(DOUBLE "}")};
  struct bench bench;
  struct reply reply;
  const char *note;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench, SCREEN, objects, 1, "[1000]");
  expect(&reply, "ok", "");
  assert_int_equal(json_integer_value(json_object_get(result_of(&reply, 0), "repeats")), 1);
  note = json_string_value(
      json_array_get(json_object_get(hone__packed_json(reply.answer.head), "notes"), 0));
  assert_non_null(note);
  assert_non_null(strstr(note, "writes to its input 'a'"));
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN, objects, 2, "[1000]");
  expect(&reply, "ok", "");
  assert_string_equal(class_of(&reply, 1), "ok");
  drop_reply(&reply);
  free(objects[0].bytes);
  free(objects[1].bytes);
  drop(&bench);
}

/* A tensor and a scalar of every type; the kernel writes the scalar to the tensor. */
static void test_element_types(void **state)
{
  static const struct {
    const char *type, *c, *value, *said;
  } types[] = {
      {"f16", "_Float16", "1.5", "1.5"},
      {"bf16", "_Float16", "1.5", "1.9375"}, /* passed alike; gcc 12 has no __bf16 */
      {"f32", "float", "-2.25", "-2.25f"},
      {"f64", "double", "1e300", "1e300"},
      {"i8", "signed char", "-128", "-128"},
      {"i16", "short", "-32768", "-32768"},
      {"i32", "int", "-2147483648", "-2147483648"},
      {"i64", "long", "-9223372036854775808", "-9223372036854775807-1"},
      {"u8", "unsigned char", "255", "255"},
      {"u16", "unsigned short", "65535", "65535"},
      {"u32", "unsigned", "4294967295", "4294967295"},
      {"u64", "unsigned long", "\"18446744073709551615\"", "-1ul"},
      {"bool", "unsigned char", "true", "1"},
      {"f8e4m3", "unsigned char", "1.5", "0x3c"},
      {"f8e5m2", "unsigned char", "1.5", "0x3e"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char args[512], source[512], values[64];
    struct bench bench;
    struct object object;
    struct reply reply;
    snprintf(args, sizeof args,
             "[{\"name\": \"s\", \"type\": \"%s\", \"scalar\": true},"
             " {\"name\": \"in\", \"type\": \"%s\", \"role\": \"in\", \"shape\": [7]},"
             " {\"name\": \"out\", \"type\": \"%s\", \"role\": \"out\", \"shape\": [8]}]",
             types[i].type, types[i].type, types[i].type);
    snprintf(values, sizeof values, "[%s]", types[i].value);
    snprintf(source, sizeof source,
             "void k(%s s, const %s *in, %s *out) { for (int i = 0; i < 7; i++) out[i] = in[i];"
             "(void)s; out[7] = %s; }",
             types[i].c, types[i].c, types[i].c, types[i].said);
    prepare_checked(&bench, args, values, "", source);
    snprintf(source, sizeof source,
             "void k(%s s, const %s *in, %s *out) { for (int i = 0; i < 7; i++) out[i] = in[i];"
             "out[7] = s; }",
             types[i].c, types[i].c, types[i].c);
    object = compile(source);
    reply = run_job(&bench, SCREEN, &object, 1, values);
    expect(&reply, "ok", "");
    drop_reply(&reply);
    free(object.bytes);
    drop(&bench);
  }
}

static void test_many_arguments(void **state)
{
  struct hone__text args = {0}, values = {0}, source = {0};
  struct object object;
  struct bench bench;
  struct reply reply;

  (void)state;
  hone__text_add(&source, "void k(");
  for (int i = 0; i < 20; i++) {
    hone__text_addf(&args, "%s{\"name\": \"s%d\", \"type\": \"%s\", \"scalar\": true}, ",
                    i ? "" : "[", i,
                    i % 3 == 0   ? "f64"
                    : i % 3 == 1 ? "f32"
                                 : "i16");
    hone__text_addf(&values, "%s%d", i ? "," : "[", i * i);
    hone__text_addf(&source, "%s s%d, ", i % 3 == 0 ? "double" : i % 3 == 1 ? "float" : "short", i);
  }
  hone__text_add(&args,
                 "{\"name\": \"o\", \"type\": \"f64\", \"role\": \"out\", \"shape\": [20]}]");
  hone__text_add(&values, "]");
  hone__text_add(&source, "double *o) {");
  for (int i = 0; i < 20; i++)
    hone__text_addf(&source, "o[%d] = WHAT(%d);", i, i);
  hone__text_add(&source, "}");
  object = compile_with(source.data, "-DWHAT(i)=s##i");
  {
    struct object reference = compile_with(source.data, "-DWHAT(i)=i*i");
    assert_null(prepare(&bench,
                        parse("{\"args\": %s, \"reference\": {\"kind\": \"object\", \"candidate\": "
                              "{\"entry\": \"k\", \"values\": %s}, \"offset\": 0, \"size\": %zu}}",
                              args.data, values.data, reference.size),
                        reference.bytes, reference.size));
    free(reference.bytes);
  }
  reply = run_job(&bench, SCREEN, &object, 1, values.data);
  expect(&reply, "ok", "");
  drop_reply(&reply);
  drop(&bench);
  free(object.bytes);
  hone__text_release(&args);
  hone__text_release(&values);
  hone__text_release(&source);
}

static void test_scalars_that_do_not_fit(void **state)
{
  static const struct {
    const char *value, *said;
  } cases[] = {{"[]", "'n' has no value"},
               {"[2147483648]", "2147483648 is not a valid value"},
               {"[1.5]", "1.5 is not a valid value"},
               {"[\"x\"]", "'x' is not a valid value"},
               {"[null]", "'n' has no value"}};
  struct object object = compile(DOUBLE "}");
  struct bench bench;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct reply reply = run_job(&bench, SCREEN, &object, 1, cases[i].value);
    expect(&reply, "launch_failure", cases[i].said);
    drop_reply(&reply);
  }
  free(object.bytes);
  drop(&bench);
}

/* ---- Timing ---- */

/* Above the cut a long sample is enough, and no fault; short ones are all taken. */
static void test_cut(void **state)
{
  struct object slow = compile(DOUBLE "usleep(2000); }"), very = compile(DOUBLE "usleep(20000); }");
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench, SCREEN ", \"cap_ns\": 1e9, \"cut_ns\": 1000000", &very, 1, "[1000]");
  expect(&reply, "ok", "");
  assert_true(reply.time_count <= 2); /* two calls that checked it, or one of its own */
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN ", \"cap_ns\": 1e9, \"cut_ns\": 1000000", &slow, 1, "[1000]");
  expect(&reply, "ok", "");
  if (reply.times[0] < 10e6) assert_true(reply.time_count > 1);
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN ", \"cap_ns\": 1e9, \"cut_ns\": 1e10", &very, 1, "[1000]");
  expect(&reply, "ok", "");
  assert_int_equal(reply.time_count, 3);
  drop_reply(&reply);
  free(slow.bytes);
  free(very.bytes);
  drop(&bench);
}

static void test_cap(void **state)
{
  struct object slow = compile(DOUBLE "usleep(2000); }"), very = compile(DOUBLE "usleep(20000); }");
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench, SCREEN ", \"cap_ns\": 1000000", &slow, 1, "[1000]");
  expect(&reply, "slow", "a call, above the cap of 1.000 ms");
  assert_int_equal(reply.time_count, 1); /* the cold call was above it too */
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN ", \"cap_ns\": 1000000", &very, 1, "[1000]");
  expect(&reply, "slow", "a call, above the cap of 1.000 ms");
  assert_int_equal(reply.time_count, 1);
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN ", \"cap_ns\": 5e9", &slow, 1, "[1000]");
  expect(&reply, "ok", "");
  assert_true(reply.times[0] >= 2e6);
  assert_int_equal(json_integer_value(json_object_get(result_of(&reply, 0), "repeats")), 1);
  drop_reply(&reply);
  free(slow.bytes);
  free(very.bytes);
  drop(&bench);
}

static void test_timeouts_in_the_timing(void **state)
{
  static const char words[] = "timing did not finish within ";
  struct object slow = compile(DOUBLE "usleep(100000); }");
  struct object stuck = compile(DOUBLE "static int calls; if (++calls > 2) for (;;) {} }");
  struct bench bench;
  struct reply reply;
  double seconds;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench,
                  "\"mode\": \"screen\", \"check\": true, \"samples\": 1000, \"timeout_s\": 3,"
                  "\"call_timeout_s\": 2",
                  &slow, 1, "[1000]");
  expect(&reply, "slow", words);
  seconds = strtod(strstr(reply.answer.evidence.data, words) + strlen(words), NULL);
  assert_true(seconds >= 3 && seconds < 30);
  drop_reply(&reply);
  reply = run_job(&bench,
                  "\"mode\": \"screen\", \"check\": true, \"samples\": 10, \"timeout_s\": 20,"
                  "\"call_timeout_s\": 0.5",
                  &stuck, 1, "[1000]");
  expect(&reply, "hang", "a later call did not return within 0.5 s");
  drop_reply(&reply);
  free(slow.bytes);
  free(stuck.bytes);
  drop(&bench);
}

static void test_cold_cache(void **state)
{
  struct object object = compile(DOUBLE "}");
  struct bench bench;
  struct reply reply;
  double hot;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "\"cache\": \"hot\",", DOUBLE "}");
  reply = run_job(&bench, SCREEN, &object, 1, "[1000]");
  hot = least_of(&reply);
  drop_reply(&reply);
  drop(&bench);
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "\"cache\": \"cold\",", DOUBLE "}");
  reply = run_job(&bench, SCREEN, &object, 1, "[1000]");
  expect(&reply, "ok", "");
  assert_int_equal(json_integer_value(json_object_get(result_of(&reply, 0), "repeats")), 1);
  print_message("# hot %.0f ns, cold %.0f ns\n", hot, least_of(&reply));
  assert_true(least_of(&reply) > hot);
  drop_reply(&reply);
  drop(&bench);
  free(object.bytes);
}

#define ROWS                                                                                       \
  "\"mode\": \"rows\", \"check\": true, \"late_check\": true, \"rows\": 20, \"timeout_s\": 40, "   \
  "\"call_timeout_s\": 5, \"seed\": 7"

static void test_rows(void **state)
{
  struct object objects[] = {compile(DOUBLE "}"), compile(DOUBLE "usleep(100); }"),
                             compile(DOUBLE "usleep(300); }")};
  struct object failing[] = {objects[0], compile(DOUBLE "c[n] = 0; }"), objects[1]};
  struct object dying[] = {
      objects[0], objects[1],
      compile(DOUBLE "static int calls; usleep(100); if (++calls > 8) abort(); }")};
  struct object late[] = {objects[0],
                          compile(DOUBLE "static int calls; if (++calls > 8) c[5] = 0; }")};
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench, ROWS, objects, 3, "[1000]");
  expect(&reply, "ok", "");
  assert_int_equal(
      json_integer_value(json_object_get(hone__packed_json(reply.answer.head), "rows")), 20);
  assert_int_equal(reply.time_count, 60);
  for (size_t row = 0; row < 20; row++)
    assert_true(reply.times[3 * row + 1] > 1e5 && reply.times[3 * row + 2] > 3e5);
  drop_reply(&reply);

  reply = run_job(&bench, ROWS, failing, 3, "[1000]");
  expect(&reply, "wrong_result", "wrote past the end of 'c'");
  assert_string_equal(class_of(&reply, 0), "ok");
  assert_string_equal(class_of(&reply, 1), "wrong_result");
  assert_string_equal(class_of(&reply, 2), "ok");
  assert_true(isnan(reply.times[1]) && reply.times[0] > 0 && reply.times[2] > 0);
  drop_reply(&reply);

  reply = run_job(&bench, ROWS, dying, 3, "[1000]");
  expect(&reply, "crash", "(SIGABRT) after");
  assert_string_equal(class_of(&reply, 0), "interrupted");
  assert_string_equal(class_of(&reply, 1), "interrupted");
  assert_string_equal(class_of(&reply, 2), "crash");
  assert_int_equal(reply.time_count, 0);
  drop_reply(&reply);

  reply = run_job(&bench, ROWS, late, 2, "[1000]");
  expect(&reply, "nondeterministic", "correct at first, wrong after");
  assert_string_equal(class_of(&reply, 0), "ok");
  drop_reply(&reply);

  reply =
      run_job(&bench, "\"mode\": \"rows\", \"rows\": 100000, \"budget_s\": 0.1, \"timeout_s\": 20",
              objects, 3, "[1000]");
  expect(&reply, "ok", "");
  assert_in_range(reply.time_count, 3, 3000);
  drop_reply(&reply);
  for (size_t i = 0; i < 3; i++)
    free(objects[i].bytes);
  free(failing[1].bytes);
  free(dying[2].bytes);
  free(late[1].bytes);
  drop(&bench);
}

/* A candidate that spoils its inputs spoils nothing for the next one in the same process. */
/* The time that a first call may take is no limit of what comes after one that failed. */
static void test_rows_after_a_failure(void **state)
{
  static const char job[] = "\"mode\": \"rows\", \"check\": true, \"rows\": 100000, "
                            "\"budget_s\": 2, \"timeout_s\": 20, \"call_timeout_s\": 1";
  struct object objects[] = {compile(DOUBLE "usleep(1000); }"), compile("void other(void) {}")};
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench, job, objects, 2, "[1000]");
  expect(&reply, "launch_failure", "no function 'k'");
  assert_string_equal(class_of(&reply, 0), "ok");
  assert_true(reply.time_count > 2);
  drop_reply(&reply);
  drop(&bench);
  free(objects[0].bytes);
  free(objects[1].bytes);
}

/* What one does to the process must not keep the next from being loaded. */
static void test_rows_without_files(void **state)
{
  struct object objects[] = {compile(DOUBLE "for (int f = 3; f < 1000; f++) close(f); }"),
                             compile(DOUBLE "}")};
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench, ROWS, objects, 2, "[1000]");
  expect(&reply, "ok", "");
  assert_string_equal(class_of(&reply, 1), "ok");
  drop_reply(&reply);
  drop(&bench);
  free(objects[0].bytes);
  free(objects[1].bytes);
}

static void test_inputs_are_restored(void **state)
{
  struct object objects[] = {compile(DOUBLE "memset((void *)a, 0, 4000); }"), compile(DOUBLE "}")};
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_job(&bench,
                  "\"mode\": \"rows\", \"check\": true, \"late_check\": true, \"rows\": 3,"
                  "\"warmup\": 0",
                  objects, 2, "[1000]");
  expect(&reply, "ok", "");
  drop_reply(&reply);
  free(objects[0].bytes);
  free(objects[1].bytes);
  drop(&bench);
}

static void test_openmp(void **state)
{
  static const char source[] =
      SIGNATURE "{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) c[i] = 2 * a[i]; }";
  struct object object = compile_with(source, "-fopenmp");
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  for (int i = 0; i < 3; i++) {
    reply = run_job(&bench, SCREEN, &object, 1, "[1000]");
    expect(&reply, "ok", "");
    drop_reply(&reply);
  }
  free(object.bytes);
  drop(&bench);
}

static void test_memory_limit(void **state)
{
  struct object object = compile(
      DOUBLE "for (;;) { char *p = malloc(1 << 24); if (!p) abort(); memset(p, 1, 1 << 24); } }");
  struct object reference = compile(DOUBLE "}");
  struct bench bench;
  struct reply reply;

  (void)state;
  assert_null(prepare(&bench,
                      parse("{\"args\": %s, \"memory_bytes\": 200000000, \"reference\":"
                            "{\"kind\": \"object\", \"candidate\": {\"entry\": \"k\","
                            "\"values\": [1000]}, \"offset\": 0, \"size\": %zu}}",
                            DOUBLE_ARGS, reference.size),
                      reference.bytes, reference.size));
  reply = run_job(&bench, SCREEN, &object, 1, "[1000]");
  expect(&reply, "oom_host", "memory");
  drop_reply(&reply);
  free(object.bytes);
  free(reference.bytes);
  drop(&bench);
}

/* ---- References ---- */

static void add_npy(struct hone__text *bytes, const float *values, size_t count)
{
  hone__npy_header(HONE__ELEMENT_F32, &count, 1, bytes);
  hone__text_addn(bytes, (const char *)values, count * sizeof *values);
}

static void test_files(void **state)
{
  static const float given[] = {1, 2, 3, 4}, right[] = {2, 4, 6, 8};
  struct hone__text payload = {0};
  struct object object = compile(DOUBLE "}"), wrong = compile(DOUBLE "c[2] = 7; }");
  size_t first;
  struct bench bench;
  struct reply reply;

  (void)state;
  add_npy(&payload, given, 4);
  first = payload.length;
  add_npy(&payload, right, 4);
  assert_null(prepare(
      &bench,
      parse("{\"args\": [{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [4],"
            "\"fill\": {\"kind\": \"file\", \"file\": {\"offset\": 0, \"size\": %zu,"
            "\"format\": \"npy\"}}},"
            "{\"name\": \"c\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [4]},"
            "{\"name\": \"n\", \"type\": \"i32\", \"scalar\": true}],"
            "\"reference\": {\"kind\": \"files\", \"files\": [{\"offset\": %zu, \"size\": %zu}]}}",
            first, first, payload.length - first),
      payload.data, payload.length));
  reply = run_job(&bench, SCREEN, &object, 1, "[4]");
  expect(&reply, "ok", "");
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN, &wrong, 1, "[4]");
  expect(&reply, "wrong_result", "first at [2]: got 7, expected 6");
  drop_reply(&reply);
  drop(&bench);
  hone__text_release(&payload);
  free(object.bytes);
  free(wrong.bytes);
}

/* dd copies the elements: the answer is the input. */
static void test_command(void **state)
{
  static const char args[] =
      "[{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [4]},"
      " {\"name\": \"c\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [4]},"
      " {\"name\": \"n\", \"type\": \"i32\", \"scalar\": true}]";
  struct object twice = compile(DOUBLE "}");
  struct object once = compile(SIGNATURE "{for (int i = 0; i < n; i++) c[i] = a[i];}");
  struct bench bench;
  struct reply reply;
  hone_status status;

  (void)state;
  assert_null(prepare(&bench,
                      parse("{\"args\": %s, \"folder\": \"%s\", \"reference\": {\"kind\":"
                            "\"command\", \"argv\": [\"cp\", \"{dir}/a.npy\", \"{dir}/c.npy\"]}}",
                            args, folder),
                      NULL, 0));
  reply = run_job(&bench, SCREEN, &once, 1, "[4]");
  expect(&reply, "ok", "");
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN, &twice, 1, "[4]");
  expect(&reply, "wrong_result", "c: 4 of 4");
  drop_reply(&reply);
  drop(&bench);

  status = prepare(&bench,
                   parse("{\"args\": %s, \"reference\": {\"kind\": \"command\", \"argv\":"
                         "[\"sh\", \"-c\", \"echo cannot; exit 3\"]}}",
                         args),
                   NULL, 0);
  assert_non_null(status);
  assert_non_null(strstr(hone_status_message(status), "exit status 3: cannot"));
  hone_status_free(status);
  drop(&bench);
  status = prepare(
      &bench,
      parse("{\"args\": %s, \"reference\": {\"kind\": \"command\", \"argv\": [\"true\"]}}", args),
      NULL, 0);
  assert_non_null(status);
  print_message("# %s\n", hone_status_message(status));
  hone_status_free(status);
  drop(&bench);
  free(once.bytes);
  free(twice.bytes);
}

static void test_judge(void **state)
{
  struct object good = compile(DOUBLE "}"), bad = compile(DOUBLE "c[3] = 1; }");
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]",
                  "\"check\": {\"enabled\": true, \"command\": [\"sh\", \"-c\","
                  "\"test -f $HONE_OUTPUT_DIR/a.npy && cmp $HONE_OUTPUT_DIR/c.npy"
                  " $HONE_OUTPUT_DIR/expected/c.npy && exit; echo not the same; exit 1\"]},",
                  DOUBLE "}");
  reply = run_job(&bench, SCREEN, &good, 1, "[1000]");
  expect(&reply, "ok", "");
  drop_reply(&reply);
  reply = run_job(&bench, SCREEN, &bad, 1, "[1000]");
  expect(&reply, "wrong_result", "not the same (check.command: exit status 1)");
  drop_reply(&reply);
  free(good.bytes);
  free(bad.bytes);
  drop(&bench);
}

static void test_reference_that_fails(void **state)
{
  struct object object = compile(DOUBLE "abort(); }");
  struct bench bench;
  hone_status status;

  (void)state;
  status = prepare(&bench,
                   parse("{\"args\": %s, \"reference\": {\"kind\": \"object\", \"candidate\":"
                         "{\"entry\": \"k\", \"values\": [1000]}, \"offset\": 0, \"size\": %zu}}",
                         DOUBLE_ARGS, object.size),
                   object.bytes, object.size);
  assert_non_null(status);
  print_message("# %s\n", hone_status_message(status));
  assert_non_null(strstr(hone_status_message(status), "the reference fails (crash): signal 6"));
  hone_status_free(status);
  free(object.bytes);
  drop(&bench);
}

/* The second bench finds the answer although its reference could not give one. */
static void test_reference_is_cached(void **state)
{
  struct object objects[] = {compile(DOUBLE "}"), compile(DOUBLE "abort(); }")};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct bench bench;
    struct reply reply;
    assert_null(prepare(&bench,
                        parse("{\"args\": %s, \"inputs_key\": \"i\", \"reference\": {\"kind\":"
                              "\"object\", \"key\": \"k\", \"candidate\": {\"entry\": \"k\","
                              "\"values\": [1000]}, \"offset\": 0, \"size\": %zu}}",
                              DOUBLE_ARGS, objects[i].size),
                        objects[i].bytes, objects[i].size));
    reply = run_job(&bench, SCREEN, &objects[0], 1, "[1000]");
    expect(&reply, "ok", "");
    drop_reply(&reply);
    drop(&bench);
  }
  free(objects[0].bytes);
  free(objects[1].bytes);
}

/* ---- Setups and devices that are wrong ---- */

static void test_bad_setups(void **state)
{
  static const struct {
    const char *arg, *said;
  } cases[] = {
      {"{\"name\": \"a\", \"type\": \"f31\"}", "type 'f31'"},
      {"{\"type\": \"f32\"}", "setup: 'name' is missing"},
      {"{\"name\": \"a\", \"shape\": \"x\"}", "setup: 'shape' is not a list"},
      {"7", "setup: 'args' has an item of the wrong type"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\"}", "the shape of argument 'a'"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [-1]}",
       "does not fit into memory"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"shape\": [1]}", "'a' has no role"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\","
       "\"shape\": [4294967296, 4294967296]}",
       "does not fit into memory"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [4294967296, 64]}",
       "only"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [2],"
       "\"fill\": {\"kind\": \"x\"}}",
       "unknown fill 'x'"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [2],"
       "\"fill\": {\"kind\": \"file\", \"file\": {\"offset\": 1, \"size\": 5}}}",
       "not in the payload"},
      {"{\"name\": \"a\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [2],"
       "\"fill\": {\"kind\": \"file\", \"file\": {\"offset\": 0, \"size\": 5}}}",
       "5 bytes, not 8"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench bench;
    hone_status status = prepare(&bench, parse("{\"args\": [%s]}", cases[i].arg), "12345", 5);
    assert_non_null(status);
    if (!strstr(hone_status_message(status), cases[i].said))
      fail_msg("'%s' has no '%s'", hone_status_message(status), cases[i].said);
    hone_status_free(status);
    drop(&bench);
  }
}

/* Broken jobs are refused, and the field that is wrong is named. */
static void test_bad_jobs(void **state)
{
  static const struct {
    const char *job, *said;
  } cases[] = {
      {"{\"mode\": \"screen\", \"candidates\": [{\"candidate\": {\"entry\": \"k\","
       "\"values\": [1000]}, \"offset\": 10, \"size\": 1000000000}]}",
       "an object is not in the payload"},
      {"{\"mode\": \"screen\"}", "run job: 'candidates' is missing"},
      {"{\"mode\": \"often\", \"candidates\": []}", "run job: 'mode' has an unknown value"},
      {"{\"samples\": -1, \"candidates\": []}", "run job: 'samples' is -1"},
      {"{\"candidates\": [{\"candidate\": {\"values\": 1}}]}", "candidate: 'values' is not a list"},
  };
  struct object object = compile(DOUBLE "}");
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__answer answer = {0};
    json_t *job = parse("%s", cases[i].job);
    hone__bench_run(bench.bench, hone__wire_json_packed(job), object.bytes, object.size, &answer);
    assert_int_equal(answer.outcome, HONE_OUTCOME_PROTOCOL);
    if (!strstr(answer.evidence.data, cases[i].said)) fail_msg("%s", answer.evidence.data);
    hone__packed_drop(answer.head);
    hone__text_release(&answer.evidence);
    json_decref(job);
  }
  reply = run_job(&bench, SCREEN, NULL, 0, "[]");
  expect(&reply, "protocol", "0 candidates");
  drop_reply(&reply);
  free(object.bytes);
  drop(&bench);
}

static void test_devices(void **state)
{
  static const struct {
    const char *device, *said;
  } cases[] = {{"c:", "invalid device"},           {"c:x", "invalid device"},
               {"c:0-", "invalid device"},         {"c:1-0", "invalid device"},
               {"c:0,1", "invalid device"},        {"c:8191", "no CPU 8191"},
               {"c:99999", "this process may use"}};
  json_t *facts = json_object();
  void *device;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hone_status status = hone__c_open(cases[i].device, hone__wire_json_packed(facts), &device);
    assert_int_equal(hone_status_code(status), HONE_UNAVAILABLE);
    assert_null(device);
    if (!strstr(hone_status_message(status), cases[i].said)) fail_msg("%s", cases[i].said);
    hone_status_free(status);
  }
  assert_null(hone__c_open("c", hone__wire_json_packed(facts), &device));
  for (const char *const *key = (const char *const[]){"name", "cpus", "fingerprint", "governor",
                                                      "boost", "clocksource", "load", NULL};
       *key; key++)
    assert_non_null(json_string_value(json_object_get(facts, *key)));
  {
    char *text = json_dumps(facts, JSON_COMPACT);
    print_message("# %s\n", text);
    free(text);
  }
  hone__c_close(device);
  json_decref(facts);
}

/* Printed, not asserted: the machine may be busy. */
static void test_cost_of_a_trivial_job(void **state)
{
  enum { JOBS = 200 };
  struct object object = compile(DOUBLE "}");
  struct bench bench;
  double least = INFINITY, total = 0;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  for (int i = 0; i < JOBS; i++) {
    double began = hone__clock(), spent;
    struct reply reply = run_job(&bench, SCREEN, &object, 1, "[1000]");
    spent = hone__clock() - began;
    assert_int_equal(reply.answer.outcome, HONE_OUTCOME_OK);
    drop_reply(&reply);
    total += spent;
    if (spent < least) least = spent;
  }
  print_message("# a job of 3 samples of 50 us takes %.3f ms, at least %.3f ms\n",
                1e3 * total / JOBS, 1e3 * least);
  free(object.bytes);
  drop(&bench);
}

/* ---- Environments ---- */

#define WORK_OF(number) ", \"env\": [[\"WORK\", \"" number "\"]]"

/* It reads its variable once, as OpenMP's library does. */
#define READ_ONCE                                                                                  \
  HEADERS "static int work; __attribute__((constructor)) static void init(void)"                   \
          "{ const char *w = getenv(\"WORK\"); work = w ? atoi(w) : -1; }" SIGNATURE               \
          "{ for (volatile int i = 0; i < work * 1000; i++) {} if (work < 0) abort();"             \
          "for (int i = 0; i < n; i++) c[i] = 2 * a[i]; }"

/* The shortest, which a stall of the machine cannot change. */
static double shortest_of(const struct reply *reply, size_t candidate, size_t count, size_t rows)
{
  double shortest = reply->times[candidate];

  for (size_t i = 1; i < rows; i++)
    shortest = fmin(shortest, reply->times[i * count + candidate]);
  return shortest;
}

/* Candidates of one object, and of one row, in environments of their own. */
static void test_environments(void **state)
{
  static const char *const envs[] = {WORK_OF("1"), WORK_OF("100"), WORK_OF("10")};
  struct object object = compile(READ_ONCE), objects[] = {object, object, object};
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_in(&bench,
                 "\"mode\": \"rows\", \"check\": true, \"late_check\": true, \"rows\": 5, "
                 "\"timeout_s\": 40, \"call_timeout_s\": 10, \"min_sample_ns\": 20000",
                 objects, 3, "[1000]", envs);
  expect(&reply, "ok", "");
  assert_int_equal(reply.time_count, 15);
  assert_true(5 * shortest_of(&reply, 0, 3, 5) < shortest_of(&reply, 1, 3, 5));
  assert_true(2 * shortest_of(&reply, 0, 3, 5) < shortest_of(&reply, 2, 3, 5));
  for (size_t i = 0; i < 3; i++)
    assert_string_equal(class_of(&reply, i), "ok");
  drop_reply(&reply);
  assert_null(getenv("WORK"));
  reply = run_in(&bench, SCREEN, objects, 1, "[1000]", &envs[2]);
  expect(&reply, "ok", "");
  drop_reply(&reply);
  free(object.bytes);
  drop(&bench);
}

static void test_environments_of_failures(void **state)
{
  static const char *const crashing[] = {WORK_OF("1"), NULL};
  static const char *const wrong[] = {WORK_OF("1"), WORK_OF("2")};
  static const char rows[] = "\"mode\": \"rows\", \"check\": true, \"rows\": 3, \"timeout_s\": 40,"
                             "\"call_timeout_s\": 10, \"min_sample_ns\": 20000";
  struct object object = compile(READ_ONCE), other = compile(DOUBLE "c[17] += 1; }");
  struct object pair[] = {object, object}, unlike[] = {object, other};
  struct bench bench;
  struct reply reply;

  (void)state;
  prepare_checked(&bench, DOUBLE_ARGS, "[1000]", "", DOUBLE "}");
  reply = run_in(&bench, rows, pair, 2, "[1000]", crashing);
  expect(&reply, "crash", "SIGABRT");
  assert_string_equal(class_of(&reply, 1), "crash");
  drop_reply(&reply);
  reply = run_in(&bench, rows, unlike, 2, "[1000]", wrong);
  assert_string_equal(class_of(&reply, 0), "ok");
  assert_string_equal(class_of(&reply, 1), "wrong_result");
  drop_reply(&reply);
  free(object.bytes);
  free(other.bytes);
  drop(&bench);
}

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  return setenv("HONE_CACHE", folder, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_kind_of_kernel),
      cmocka_unit_test(test_object_that_is_none),
      cmocka_unit_test(test_guards_without_check),
      cmocka_unit_test(test_inout),
      cmocka_unit_test(test_inout_kept),
      cmocka_unit_test(test_written_bytes),
      cmocka_unit_test(test_input_is_put_back),
      cmocka_unit_test(test_element_types),
      cmocka_unit_test(test_many_arguments),
      cmocka_unit_test(test_scalars_that_do_not_fit),
      cmocka_unit_test(test_cap),
      cmocka_unit_test(test_cut),
      cmocka_unit_test(test_timeouts_in_the_timing),
      cmocka_unit_test(test_cold_cache),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_rows_after_a_failure),
      cmocka_unit_test(test_rows_without_files),
      cmocka_unit_test(test_inputs_are_restored),
      cmocka_unit_test(test_openmp),
      cmocka_unit_test(test_environments),
      cmocka_unit_test(test_environments_of_failures),
      cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_command),
      cmocka_unit_test(test_judge),
      cmocka_unit_test(test_reference_that_fails),
      cmocka_unit_test(test_reference_is_cached),
      cmocka_unit_test(test_bad_setups),
      cmocka_unit_test(test_bad_jobs),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_cost_of_a_trivial_job),
  };

  return cmocka_run_group_tests(tests, begin, remove_folder);
}
