/* Building C and C++ with the compilers of this machine, and with some that misbehave. */
#include "deps.h"
#include "wire/packed_json.h"
#include "backend/backend.h"
#include "backend/c/c_link.h"
#include "backend/c/c_linker.h"
#include "base/file.h"
#include "build/source_text.h"
#include "base/words.h"
#include "build/command.h"
#include "folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char kernel[] = "/* twice */\n"
                             "int twice(int x) { return x * FACTOR; }\n";

/* ---- Candidates ---- */

static json_t *candidate_of(const char *source, const char *factor)
{
  return json_pack("{ss ss ss s[s] s[] s[[ss]] si ss s[]}", "source", path_of(source), "language",
                   "c", "compiler", "cc", "flags", "-O2", "includes", "defines", "FACTOR", factor,
                   "given_defines", 0, "entry", "twice", "values");
}

static void set(json_t *candidate, const char *key, const char *text)
{
  json_object_set_new(candidate, key, json_string(text));
}

struct built {
  struct hone__answer answer;
  const char *object, *evidence, *warnings, *output, *command;
  bool cached;
};

static const char *text_of(const json_t *head, const char *key)
{
  const char *text = json_string_value(json_object_get(head, key));

  return text ? text : "";
}

/* Takes the candidate. */
static struct built build_within(json_t *candidate, double timeout_s)
{
  json_t *setup = json_pack("{ss}", "folder", folder);
  json_t *job = json_pack("{so sf}", "candidate", candidate, "timeout_s", timeout_s);
  struct built built = {.answer.head = NULL};

  hone__backend_c.worker.build(hone__wire_json_packed(setup), hone__wire_json_packed(job),
                               &built.answer);
  json_decref(setup);
  json_decref(job);
  hone__text_addn(&built.answer.evidence, "", 0);
  built.evidence = built.answer.evidence.data ? built.answer.evidence.data : "";
  built.object = text_of(hone__packed_json(built.answer.head), "object");
  built.warnings = text_of(hone__packed_json(built.answer.head), "warnings");
  built.output = text_of(hone__packed_json(built.answer.head), "output");
  built.command = text_of(hone__packed_json(built.answer.head), "command");
  built.cached = json_is_true(json_object_get(hone__packed_json(built.answer.head), "cached"));
  return built;
}

static struct built build(json_t *candidate)
{
  return build_within(candidate, 60);
}

static void release(struct built *built)
{
  hone__packed_drop(built->answer.head);
  hone__text_release(&built->answer.evidence);
  hone__text_release(&built->answer.payload);
}

static void expect_ok(const struct built *built, bool cached)
{
  if (built->answer.outcome != HONE_OUTCOME_OK)
    print_message("%s: %s\n", hone_outcome_name(built->answer.outcome), built->evidence);
  assert_int_equal(built->answer.outcome, HONE_OUTCOME_OK);
  assert_true(built->answer.payload.length > 100);
  assert_memory_equal(built->answer.payload.data,
                      "\x7f"
                      "ELF",
                      4);
  assert_int_equal(strlen(built->object), HONE__DIGEST_SIZE - 1);
  assert_int_equal(built->cached, cached);
}

static void expect_built(json_t *candidate, bool cached)
{
  struct built built = build(candidate);

  expect_ok(&built, cached);
  release(&built);
}

/* Takes what was built. */
static void expect_failure(struct built built, enum hone_outcome outcome, const char *evidence)
{
  if (built.answer.outcome != outcome || !strstr(built.evidence, evidence))
    print_message("%s: %s\n", hone_outcome_name(built.answer.outcome), built.evidence);
  assert_int_equal(built.answer.outcome, outcome);
  assert_non_null(strstr(built.evidence, evidence));
  assert_int_equal(built.answer.payload.length, 0);
  release(&built);
}

/* Rooms are gone, whatever happened in them. */
static void expect_no_rooms(void)
{
  DIR *dir = opendir(folder);
  struct dirent *entry;

  while ((entry = readdir(dir)))
    assert_null(strstr(entry->d_name, "hone-build-"));
  closedir(dir);
}

/* A compiler that counts how often it builds. */
static void write_counting_compiler(void)
{
  char script[1000];

  snprintf(script, sizeof script,
           "#!/bin/sh\ncase $1 in --version) exec cc --version;; esac\n"
           "echo x >> %s/count\nexec cc \"$@\"\n",
           folder);
  write_script("counting", script);
  unlink(path_of("count"));
}

static int count(void)
{
  FILE *file = fopen(path_of("count"), "r");
  int lines = 0;

  while (file && fgetc(file) != EOF)
    lines++;
  if (file) fclose(file);
  return lines / 2;
}

static json_t *counted(const char *source, const char *factor)
{
  json_t *candidate = candidate_of(source, factor);

  set(candidate, "compiler", path_of("counting"));
  return candidate;
}

/* ---- Building ---- */

static void test_build(void **state)
{
  struct built built;

  (void)state;
  write_text("a.c", kernel);
  built = build(candidate_of("a.c", "2"));
  expect_ok(&built, false);
  assert_string_equal(built.warnings, "");
  assert_non_null(strstr(built.command, "cc -O2 -DFACTOR=2 -shared -fPIC"));
  assert_non_null(strstr(built.command, path_of("a.c")));
  assert_true(json_real_value(json_object_get(hone__packed_json(built.answer.head), "compile_s")) >
              0);
  assert_int_equal(json_array_size(json_object_get(hone__packed_json(built.answer.head), "deps")),
                   0);
  release(&built);
  expect_no_rooms();
}

static void test_equal_objects(void **state)
{
  struct built a, b, c;

  (void)state;
  write_text("b.c", "int twice(int x) { return x * FACTOR + 1; }\n");
  write_text("c.c", "int twice(int x) { return FACTOR * x + 1; }\n");
  a = build(candidate_of("b.c", "2"));
  b = build(candidate_of("b.c", "(1+1)"));
  c = build(candidate_of("b.c", "3"));
  expect_ok(&b, false);
  assert_string_equal(a.object, b.object);
  assert_string_not_equal(a.object, c.object);
  release(&a);
  release(&b);
  release(&c);
}

static void test_warnings_and_libraries(void **state)
{
  json_t *candidate;
  struct built built;

  (void)state;
  write_text("w.c", "#include <math.h>\ndouble twice(double x) { int unused; return sin(x); }\n");
  candidate = candidate_of("w.c", "2");
  json_object_set_new(candidate, "flags", json_pack("[sss]", "-Wall", "-lm", "-O1"));
  built = build(json_incref(candidate));
  expect_ok(&built, false);
  assert_non_null(strstr(built.warnings, "w.c:2:"));
  assert_non_null(strstr(built.warnings, "unused"));
  release(&built);
  built = build(candidate);
  expect_ok(&built, true);
  assert_non_null(strstr(built.warnings, "unused"));
  release(&built);
}

/* Takes the candidate. */
static bool names_libc(json_t *candidate)
{
  struct built built = build(candidate);
  bool names;

  expect_ok(&built, false);
  names = memmem(built.answer.payload.data, built.answer.payload.length, "libc.so", 7) != NULL;
  release(&built);
  return names;
}

static json_t *with_flag(const char *source, const char *flag)
{
  json_t *candidate = candidate_of(source, "2");

  json_array_append_new(json_object_get(candidate, "flags"), json_string(flag));
  return candidate;
}

/* Libraries are read only for objects that call something, and where an object does not tell. */
static void test_linking(void **state)
{
  json_t *candidate;

  (void)state;
  write_text("alone.c", "int twice(int x) { return x * FACTOR + 11; }\n");
  write_text("calls.c",
             "int puts(const char *);\nint twice(int x) { return puts(\"\") + FACTOR; }\n");
  write_text("helper.c", "__int128 twice(__int128 x) { return x / FACTOR; }\n"); /* of libgcc */
  assert_false(names_libc(candidate_of("alone.c", "2")));
  assert_true(names_libc(candidate_of("calls.c", "2")));
  expect_built(candidate_of("helper.c", "2"), false);
  expect_built(with_flag("alone.c", "-ffast-math"), false);
  expect_built(with_flag("calls.c", "-flto"), false);
  expect_built(with_flag("alone.c", "-fopenmp"), false);
  assert_true(names_libc(with_flag("alone.c", "-Wl,--no-as-needed")));
  candidate = candidate_of("alone.c", "2");
  set(candidate, "compiler", "clang");
  json_array_append_new(json_object_get(candidate, "flags"), json_string("-Werror"));
  json_array_append_new(json_object_get(candidate, "flags"), json_string("-Dunused"));
  assert_false(names_libc(candidate));
}

static void test_undefined_symbols(void **state)
{
  static const struct {
    const char *name, *text;
    bool is_alone;
  } objects[] = {
      {"defines.o", "int twice(int x) { return x; }", true},
      {"table.o", "static int a[9]; int *twice(int x) { return a + x; }", true},
      {"sets.o", "void twice(char *x) { for (int i = 0; i < 999; i++) x[i] = 7; }", true},
      {"sine.o", "double sin(double); double twice(double x) { return sin(x); }", false},
      {"calls.o", "int other(int); int twice(int x) { return other(x); }", false},
      {"reads.o", "extern int value; int twice(int x) { return x + value; }", false}};
  char command[1000];

  (void)state;
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
    char *bytes = NULL;
    size_t size = 0;
    snprintf(command, sizeof command, "echo '%s' | cc -O3 -fPIC -c -x c - -o %s", objects[i].text,
             path_of(objects[i].name));
    assert_int_equal(system(command), 0);
    assert_null(hone__file_read(path_of(objects[i].name), 1 << 20, &bytes, &size));
    assert_int_equal(hone__c_link_is_alone(bytes, size), objects[i].is_alone);
    for (size_t cut = 0; cut < size; cut += 7) /* whatever it says, it reads no other memory */
      hone__c_link_is_alone(bytes, cut);
    free(bytes);
  }
  assert_false(hone__c_link_is_alone((char[]){"text"}, 4));
}

/* ---- The linker's own command ---- */

static size_t asked;

/* Through a shell: no word here has a quote. */
static bool print_of(const void *data, const struct hone__words *command,
                     struct hone__text *out_text)
{
  struct hone__text line = {0};
  char part[500];
  FILE *stream;
  bool is_good;

  (void)data;
  asked++;
  for (size_t i = 0; i < command->count; i++)
    hone__text_addf(&line, "'%s' ", command->data[i]);
  hone__text_add(&line, "2>&1");
  stream = popen(line.data, "r");
  assert_non_null(stream);
  while (fgets(part, sizeof part, stream))
    hone__text_add(out_text, part);
  is_good = pclose(stream) == 0;
  hone__text_release(&line);
  return is_good;
}

static bool says(const void *data, const struct hone__words *command, struct hone__text *out_text)
{
  (void)command;
  hone__text_add(out_text, data);
  return true;
}

static void run_words(const struct hone__words *command)
{
  struct hone__text text = {0};

  assert_true(print_of(NULL, command, &text));
  hone__text_release(&text);
}

static struct hone__words linking_of(const char *compiler, const char *object, const char *output)
{
  static const char *const rest[] = {
      "-O2", "-shared", "-fPIC", "-nodefaultlibs", "-Wl,--build-id=none", NULL};
  struct hone__words words = {0};

  hone__words_add(&words, compiler);
  hone__words_add_all(&words, rest);
  hone__words_add(&words, "-o");
  hone__words_add(&words, output);
  hone__words_add(&words, object);
  return words;
}

static void expect_same_file(const char *path, const char *other)
{
  char *bytes = NULL, *other_bytes = NULL;
  size_t size = 0, other_size = 0;

  assert_null(hone__file_read(path, 1 << 20, &bytes, &size));
  assert_null(hone__file_read(other, 1 << 20, &other_bytes, &other_size));
  assert_true(size > 0 && size == other_size);
  assert_memory_equal(bytes, other_bytes, size);
  free(bytes);
  free(other_bytes);
}

static void expect_same_link(const char *compiler, const char *object, size_t questions)
{
  char *by_compiler = hone__strdup(path_of("by_compiler.so")),
       *direct = hone__strdup(path_of("direct.so"));
  struct hone__words words = linking_of(compiler, object, by_compiler), command = {0};

  run_words(&words);
  hone__words_release(&words);
  words = linking_of(compiler, object, direct);
  asked = 0;
  assert_true(hone__c_linker_words(&words, object, direct, print_of, NULL, &command));
  assert_int_equal(asked, questions);
  run_words(&command);
  expect_same_file(direct, by_compiler);
  assert_int_equal(unlink(direct), 0);
  hone__words_release(&words);
  hone__words_release(&command);
  free(by_compiler);
  free(direct);
}

static void test_linker(void **state)
{
  char *one = hone__strdup(path_of("one.o")), *other = hone__strdup(path_of("other.o"));
  char command[1000];

  (void)state;
  snprintf(command, sizeof command,
           "echo 'int f(int x) { return x; }' | cc -O2 -fPIC -c -x c - -o %s &&"
           " echo 'int g(int x) { return x + 9; }' | cc -O2 -fPIC -c -x c - -o %s",
           one, other);
  assert_int_equal(system(command), 0);
  expect_same_link("gcc", one, 2); /* collect2, and the linker that it would start */
  expect_same_link("gcc", other, 0);
  expect_same_link("clang", one, 1);
  expect_same_link("clang", other, 0);
  free(one);
  free(other);
}

/* Each is asked with other words, since answers are kept. */
static void test_unknown_plans(void **state)
{
  static const struct {
    const char *plan, *linker; /* NULL: not understood */
  } plans[] = {{" /usr/bin/ld -o OUT IN\n", "/usr/bin/ld"},
               {"version 9\n \"/opt/ld.lld\" \"-o\" OUT IN\n", "/opt/ld.lld"},
               {"", NULL},
               {"nothing to see\n", NULL},
               {" /usr/bin/ld -o OUT IN\n /usr/bin/strip OUT\n", NULL},
               {" /usr/bin/ld @words OUT IN\n", NULL},
               {" /usr/bin/ld -fuse-ld=gold -o OUT IN\n", NULL},
               {" /usr/bin/ld -o OUT\n", NULL},
               {" /usr/bin/ld -o OUT IN IN\n", NULL},
               {" /usr/bin/python3 -o OUT IN\n", NULL},
               {" \"/usr/bin/ld -o OUT IN\n", NULL}};

  (void)state;
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
    struct hone__words words = linking_of(plans[i].plan, "IN", "OUT"), command = {0};
    bool is_known = hone__c_linker_words(&words, "IN", "OUT", says, plans[i].plan, &command);
    assert_int_equal(is_known, plans[i].linker != NULL);
    if (is_known) assert_string_equal(command.data[0], plans[i].linker);
    hone__words_release(&words);
    hone__words_release(&command);
  }
}

/* What it does besides is part of a build. */
static void test_script_with_a_known_name(void **state)
{
  json_t *candidate;
  struct built built;

  (void)state;
  write_text("s.c", kernel);
  write_script("gcc", "#!/bin/sh\n/usr/bin/env gcc \"$@\" || exit\nfor word; do\n"
                      "  [ \"$before\" != -o ] || [ ! -e \"$word\" ] || printf MARKED >>\"$word\"\n"
                      "  before=$word\ndone\n");
  candidate = candidate_of("s.c", "2");
  set(candidate, "compiler", path_of("gcc"));
  built = build(candidate);
  expect_ok(&built, false);
  assert_memory_equal(built.answer.payload.data + built.answer.payload.length - 6, "MARKED", 6);
  release(&built);
}

static void test_cplusplus(void **state)
{
  json_t *candidate;

  (void)state;
  write_text("k.cpp", "#include <vector>\nextern \"C\" int twice(int x) { std::vector<int> v(x); "
                      "return v.size() * FACTOR; }\n");
  candidate = candidate_of("k.cpp", "2");
  set(candidate, "compiler", "c++");
  set(candidate, "language", "c++");
  expect_built(json_incref(candidate), false);
  expect_built(candidate, true);
}

static void test_template(void **state)
{
  static const char *const listing[] = {"-MD", "-MF", "{depfile}"};
  struct built built;
  json_t *candidate;

  (void)state;
  write_text("t.c", kernel);
  candidate = candidate_of("t.c", "5");
  json_object_set_new(candidate, "includes", json_pack("[s]", folder));
  json_object_set_new(candidate, "command",
                      json_pack("[sssssssss]", "{compiler}", "{flags}", "{includes}", "{defines}",
                                "-shared", "-fPIC", "{source}", "-o", "{output}"));
  built = build(json_incref(candidate));
  expect_ok(&built, false);
  assert_non_null(strstr(built.command, "cc -O2 -I/tmp/hone-test-"));
  assert_non_null(strstr(built.command, "-DFACTOR=5 -shared -fPIC"));
  release(&built);
  expect_built(json_incref(candidate), true);
  write_text("beside.c", "int beside;\n");
  expect_built(json_incref(candidate), false); /* the command may read it */
  expect_built(json_incref(candidate), true);
  write_text("t.c", "#define HEADER <stdint.h>\n#include HEADER\nint twice(int x) { return x; }\n");
  expect_built(json_incref(candidate), false);
  expect_built(json_incref(candidate), false); /* which file that is, is not known */
  for (size_t i = 0; i < 3; i++)
    json_array_append_new(json_object_get(candidate, "command"), json_string(listing[i]));
  expect_built(json_incref(candidate), false);
  expect_built(candidate, true); /* it says what it read */
  unlink(path_of("beside.c"));
}

/* A command may give a macro to another file than the source: every value is another build. */
static void test_template_key(void **state)
{
  json_t *candidate;

  (void)state;
  write_text("other.c", "int twice(int x) { return x * FACTOR; }\n");
  write_text("empty.c", "/* see other.c */\n");
  for (int i = 0; i < 4; i++) {
    candidate = candidate_of("empty.c", i % 2 ? "5" : "4");
    json_object_set_new(
        candidate, "command",
        json_pack("[sssssss]", "cc", "{defines}", "-shared", "-fPIC", "other.c", "-o", "{output}"));
    expect_built(candidate, i >= 2);
  }
}

/* ---- The cache ---- */

static void test_cached(void **state)
{
  (void)state;
  write_counting_compiler();
  write_text("d.c", kernel);
  expect_built(counted("d.c", "2"), false);
  expect_built(counted("d.c", "2"), true);
  assert_int_equal(count(), 1);
  write_text("d.c", "// another comment\nint twice( int x ) // here\n{ return x*FACTOR; }\n");
  expect_built(counted("d.c", "2"), false); /* blanks inside: other tokens' distances */
  write_text("d.c", "\n\n/* none */ int twice( int x ) {\treturn x*FACTOR;   }");
  expect_built(counted("d.c", "2"), false); /* a line is a line */
  write_text("d.c", "int twice( int x ) { return /* long */ x*FACTOR; } // end");
  expect_built(counted("d.c", "2"), true);
  write_text("d.c", "int twice( int x ) { return x*FACTOR; }\n\n\n");
  expect_built(counted("d.c", "2"), true);
  assert_int_equal(count(), 3);
  expect_built(counted("d.c", "3"), false);
}

static void test_unused_knobs(void **state)
{
  json_t *candidate;

  (void)state;
  write_counting_compiler();
  write_text("e.c", "int twice(int x) { return 2 * x + 4; }\n");
  expect_built(counted("e.c", "2"), false);
  expect_built(counted("e.c", "3"), true);
  candidate = counted("e.c", "4"); /* what build.defines has may be seen by the system's headers */
  json_object_set_new(candidate, "given_defines", json_integer(1));
  expect_built(candidate, false);
  assert_int_equal(count(), 2);
}

/* A define's value may name another define. */
static void test_defines_of_defines(void **state)
{
  json_t *candidate;

  (void)state;
  write_text("n.c", "int twice(int x) { return x * FACTOR * 77; }\n");
  for (int i = 0; i < 2; i++) {
    candidate = candidate_of("n.c", "OTHER");
    json_array_append_new(json_object_get(candidate, "defines"),
                          json_pack("[ss]", "OTHER", i ? "5" : "4"));
    expect_built(candidate, false);
  }
}

static void test_headers(void **state)
{
  struct built built;
  const json_t *deps;

  (void)state;
  write_counting_compiler();
  write_text("h.h", "#define ADD 1 /* one */\n");
  write_text("h.c",
             "#include \"h.h\"\n#include <stdint.h>\nint twice(int x) { return x + ADD; }\n");
  built = build(counted("h.c", "2"));
  expect_ok(&built, false);
  deps = json_object_get(hone__packed_json(built.answer.head), "deps");
  assert_int_equal(json_array_size(deps), 1);
  assert_string_equal(json_string_value(json_array_get(json_array_get(deps, 0), 0)),
                      path_of("h.h"));
  assert_true(deps_are_current(hone__backend_c.driver.deps_are_current, deps));
  write_text("h.h", "#define ADD 1 // uno\n");
  assert_true(deps_are_current(hone__backend_c.driver.deps_are_current, deps));
  expect_built(counted("h.c", "2"), true);
  write_text("h.h", "#define ADD 2\n");
  assert_false(deps_are_current(hone__backend_c.driver.deps_are_current, deps));
  expect_built(counted("h.c", "2"), false);
  expect_built(counted("h.c", "2"), true);
  expect_built(counted("h.c", "3"), false); /* the header may see it */
  assert_int_equal(count(), 3);
  release(&built);
  unlink(path_of("h.h"));
  expect_failure(build(counted("h.c", "2")), HONE_OUTCOME_COMPILE_ERROR, "h.c:1:10: fatal error");
}

/* The same text elsewhere, beside another header, is another source. */
static void test_headers_elsewhere(void **state)
{
  static const char text[] = "#include \"o.h\"\nint twice(int x) { return x + MORE; }\n";
  struct built a, b;

  (void)state;
  assert_int_equal(mkdir(path_of("one"), 0755), 0);
  assert_int_equal(mkdir(path_of("two"), 0755), 0);
  write_text("one/o.h", "#define MORE 1\n");
  write_text("two/o.h", "#define MORE 2\n");
  write_text("one/o.c", text);
  write_text("two/o.c", text);
  a = build(candidate_of("one/o.c", "2"));
  b = build(candidate_of("two/o.c", "2"));
  expect_ok(&a, false);
  expect_ok(&b, false);
  assert_string_not_equal(a.object, b.object);
  release(&a);
  release(&b);
}

/* A compiler that was replaced is another compiler. */
static void test_new_compiler(void **state)
{
  (void)state;
  write_counting_compiler();
  write_text("i.c", "int twice(int x) { return x * FACTOR - 9; }\n");
  expect_built(counted("i.c", "2"), false);
  write_script("counting", "#!/bin/sh\n#\nexec cc \"$@\"\n");
  expect_built(counted("i.c", "2"), false);
  expect_built(counted("i.c", "2"), true);
}

/* ---- Failures ---- */

static void test_errors(void **state)
{
  struct built built;
  json_t *candidate;

  (void)state;
  write_text("bad.c", "int twice(int x)\n{\n  return y;\n}\n");
  built = build(candidate_of("bad.c", "2"));
  assert_int_equal(built.answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_true(hone__starts_with(built.evidence, "bad.c:3:10: error: "));
  assert_non_null(strstr(built.output, "bad.c:3:10"));
  assert_non_null(strstr(built.command, "bad.c"));
  release(&built);
  expect_failure(build(candidate_of("gone.c", "2")), HONE_OUTCOME_COMPILE_ERROR, "cannot open");
  candidate = candidate_of("bad.c", "2");
  set(candidate, "compiler", "no-such-compiler");
  expect_failure(build(candidate), HONE_OUTCOME_COMPILE_ERROR,
                 "cannot start 'no-such-compiler': No such file or directory; install it");
  candidate = candidate_of("bad.c", "2");
  set(candidate, "source_digest", "0123");
  expect_failure(build(candidate), HONE_OUTCOME_WORKER_LOST, "the source changed");
  expect_failure(build(json_object()), HONE_OUTCOME_PROTOCOL, "without a source");
  expect_failure(build(json_pack("{s:i}", "source", 7)), HONE_OUTCOME_PROTOCOL,
                 "candidate: 'source' is not a string");
  expect_no_rooms();
}

/* What a fake compiler does, and what is made of it. */
static void test_misbehaving_compilers(void **state)
{
  static const struct {
    const char *script;
    enum hone_outcome outcome;
    const char *evidence;
  } cases[] = {
      {"sleep 100", HONE_OUTCOME_COMPILE_TIMEOUT, "still running"},
      {"trap '' TERM; while :; do sleep 0.1; done", HONE_OUTCOME_COMPILE_TIMEOUT, "still running"},
      {"kill -SEGV $$", HONE_OUTCOME_COMPILE_CRASH, "SIGSEGV"},
      {"echo 'x.c:1:1: internal compiler error: in foo, at bar.cc:1'; exit 1",
       HONE_OUTCOME_COMPILE_CRASH, "x.c:1:1: internal compiler error"},
      {"echo 'cc: fatal error: Killed signal terminated program cc1' >&2; exit 1",
       HONE_OUTCOME_COMPILE_OOM, "Killed signal"},
      {"echo; echo 'cc1: out of memory allocating 65536 bytes'; exit 1", HONE_OUTCOME_COMPILE_OOM,
       "cc1: out of memory"},
      {"echo 'ld: final link failed: No space left on device'; exit 1", HONE_OUTCOME_DISK_FULL,
       "No space left"},
      {"exit 0", HONE_OUTCOME_COMPILE_ERROR,
       "exited with status 0 and without output but wrote no output file"},
      {"exit 3", HONE_OUTCOME_COMPILE_ERROR, "exit status 3"},
      {"echo; echo '  something odd'; exit 1", HONE_OUTCOME_COMPILE_ERROR, "something odd"},
      {"printf '\\377\\376 error: bytes\\n'; exit 1", HONE_OUTCOME_COMPILE_ERROR, "error: bytes"},
      {"touch $TMPDIR/ccleft.s; exit 1", HONE_OUTCOME_COMPILE_ERROR, "exit status 1"},
  };
  char script[300];

  (void)state;
  write_text("m.c", kernel);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    json_t *candidate = candidate_of("m.c", "2");
    bool is_endless = cases[i].outcome == HONE_OUTCOME_COMPILE_TIMEOUT;
    snprintf(script, sizeof script, "#!/bin/sh\ncase $1 in --version) exit 0;; esac\n%s\n",
             cases[i].script);
    write_script("fake", script);
    set(candidate, "compiler", path_of("fake"));
    expect_failure(build_within(candidate, is_endless ? 0.4 : 60), cases[i].outcome,
                   cases[i].evidence);
  }
  expect_no_rooms();
}

/* What a compiler says itself stays known; what may be cured without a change of the source does
 * not. */
static void test_remembered_failures(void **state)
{
  static const struct {
    const char *source;
    bool kept;
  } cases[] = {
      {"int f(void) { return nothing; }\n", true},
      {"#include <stdio.h>\nint f(void) { return nothing; }\n", true},
      {"#include \"seen.h\"\nint f(void) { return nothing; }\n", true},
      {"#include \"unseen.h\"\nint f(void) { return 1; }\n", false},
      {"#include <hone/unseen.h>\nint f(void) { return 1; }\n", false},
  };
  struct built built;

  (void)state;
  write_text("seen.h", "int g(void);\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_text("bad.c", cases[i].source);
    for (int again = 0; again < 2; again++) {
      built = build(candidate_of("bad.c", "2"));
      assert_int_equal(built.answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
      assert_int_equal(built.cached, again && cases[i].kept);
      assert_non_null(strstr(built.evidence, "error: "));
      assert_non_null(strstr(built.output, "bad.c"));
      release(&built);
    }
  }
  write_text("bad.c", cases[2].source);
  write_text("seen.h", "enum { nothing };\n");
  expect_built(candidate_of("bad.c", "2"), false);
}

/* ---- Sources as text ---- */

static void expect_normal(const char *text, const char *expected)
{
  struct hone__text out = {0};

  hone__build_source_normalise(text, strlen(text), &out);
  assert_string_equal(out.data ? out.data : "", expected);
  hone__text_release(&out);
}

static void test_normalising(void **state)
{
  (void)state;
  expect_normal("", "");
  expect_normal("  // only\n /* comments */\n", "");
  expect_normal("a  /* x\n y */\tb // c\n\n\n  d\n", "a b\nd");
  expect_normal("a// c \\\n still\nb", "a\nb");
  expect_normal("\"// no /* comment */ \\\" x\"  '\"' // c", "\"// no /* comment */ \\\" x\" '\"'");
  expect_normal("#define A \\\n  b\n#define C", "#define A b\n#define C");
  expect_normal("in\\\nt x", "in\\t x");
  expect_normal("R\"x(a // b)\" /* )x\"  c", "R\"x(a // b)\" /* )x\" c");
  expect_normal("uR\"(  )\"  S\"  \"", "uR\"(  )\" S\"  \"");
  expect_normal("1'000'000  + 'a' // b", "1'000'000 + 'a'");
  expect_normal("#error don't  x\ny  z", "#error don't  x\ny z");
  expect_normal("a /* no end", "a");
  expect_normal("\"no end", "\"no end");
  expect_normal("R\"no end", "R\"no end");
  expect_normal("R\"x(no end", "R\"x(no end");
  expect_normal("a / b /c", "a / b /c");
  expect_normal("x\\", "x\\");
}

static void test_source_facts(void **state)
{
  struct hone__build_source_text a, b;

  (void)state;
  write_text("s.c", "#include <x.h>\nint BMW, BM; // AB\n");
  assert_null(hone__build_source_text_read(path_of("s.c"), &a));
  assert_false(a.is_open);
  assert_true(hone__build_source_has_word(&a.text, "BM", 2));
  assert_false(hone__build_source_has_word(&a.text, "MW", 2));
  assert_false(hone__build_source_has_word(&a.text, "AB", 2));
  hone__build_source_text_release(&a);
  write_text("s.c", "#  include X\nint a##b;");
  assert_null(hone__build_source_text_read(path_of("s.c"), &a));
  assert_true(a.is_open);
  assert_true(a.has_pastes);
  hone__build_source_text_release(&a);
  write_text("s.c", "int x = __LINE__;");
  assert_null(hone__build_source_text_read(path_of("s.c"), &a));
  write_text("s.c", "\nint x = __LINE__;");
  assert_null(hone__build_source_text_read(path_of("s.c"), &b));
  assert_string_not_equal(a.digest, b.digest);
  hone__build_source_text_release(&a);
  hone__build_source_text_release(&b);
}

/* Of a file without tokens nothing was ever added to the text. */
static void test_empty_sources(void **state)
{
  static const char *const texts[] = {"", "\n", "// only a comment"};
  struct hone__build_source_text source;

  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    write_text("s.c", texts[i]);
    assert_null(hone__build_source_text_read(path_of("s.c"), &source));
    assert_int_equal(source.text.length, 0);
    assert_false(source.is_open);
    assert_false(source.has_pastes);
    assert_false(hone__build_source_has_word(&source.text, "BM", 2));
    assert_false(hone__build_source_declares(&source.text, "BM"));
    hone__build_source_text_release(&source);
  }
}

static void test_declarations(void **state)
{
  static const struct {
    const char *text;
    bool declares;
  } cases[] = {
      {"void f(int N)", true},
      {"const size_t N = 3;", true},
      {"template <int N> struct s;", true},
      {"enum { A, N = 3 };", true},
      {"enum kind { N };", true},
      {"enum class kind { A = (1), N, };", true},
      {"int NN, x = N;", false},
      {"return N;", false},
      {"case N: x(a, N);", false},
      {"#define N 3", false},
      {"#pragma unroll N\nx", false},
      {"int x[N] = {N, N};", false},
      {"float a[2] = {1, N}; enum { B };", false},
      {"N", false},
      {"\"int N\" N", true}, /* texts are not told apart: no harm */
      {"", false},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text text = {0};
    hone__text_add(&text, cases[i].text);
    if (hone__build_source_declares(&text, "N") != cases[i].declares)
      print_message("%s\n", cases[i].text);
    assert_int_equal(hone__build_source_declares(&text, "N"), cases[i].declares);
    hone__text_release(&text);
  }
}

static void test_commands(void **state)
{
  struct hone__text text = {0};
  struct hone__words words = {0};

  (void)state;
  assert_null(hone__words_split(&words, "a 'b c' \"d'e\" f\\ g"));
  assert_int_equal(words.count, 4);
  hone__build_command_print(&text, hone__words_list(&words));
  assert_string_equal(text.data, "a 'b c' 'd'\\''e' 'f g'");
  hone__text_release(&text);
  hone__words_release(&words);
}

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  setenv("HONE_CACHE", path_of("cache"), 1);
  setenv("TMPDIR", folder, 1);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_build),
      cmocka_unit_test(test_equal_objects),
      cmocka_unit_test(test_warnings_and_libraries),
      cmocka_unit_test(test_linking),
      cmocka_unit_test(test_undefined_symbols),
      cmocka_unit_test(test_linker),
      cmocka_unit_test(test_script_with_a_known_name),
      cmocka_unit_test(test_unknown_plans),
      cmocka_unit_test(test_cplusplus),
      cmocka_unit_test(test_template),
      cmocka_unit_test(test_template_key),
      cmocka_unit_test(test_cached),
      cmocka_unit_test(test_remembered_failures),
      cmocka_unit_test(test_unused_knobs),
      cmocka_unit_test(test_defines_of_defines),
      cmocka_unit_test(test_headers),
      cmocka_unit_test(test_headers_elsewhere),
      cmocka_unit_test(test_new_compiler),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_misbehaving_compilers),
      cmocka_unit_test(test_normalising),
      cmocka_unit_test(test_source_facts),
      cmocka_unit_test(test_empty_sources),
      cmocka_unit_test(test_declarations),
      cmocka_unit_test(test_commands),
  };

  return cmocka_run_group_tests(tests, begin, remove_folder);
}
