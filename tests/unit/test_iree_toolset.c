/* Where IREE's executables are found, what they are asked, and what of it is kept: with stand-ins
 * that are scripts, and with the real ones where HONE_IREE has them. */
#include "hone_machine.h"
#include "iree/toolset/toolset.h"

#include "iree_world.h"
#include "base/paths.h"

#include <unistd.h>

static char *real_iree; /* HONE_IREE as the test was started with */

/* ---- Stand-ins ---- */

static const char *const known_version =
    "#!/bin/sh\n"
    "case \"$*\" in *--version) echo 'IREE (https://iree.dev):'\n"
    "  echo '  IREE compiler version 3.13.0rc20261016 @ 89ece87b8985';; esac\n";
static const char *const wrapper = "#!/usr/bin/env python3\nimport sys\n";

static void put_tool(const char *name, const char *text)
{
  char path[512];

  snprintf(path, sizeof path, "%s", path_of(name));
  assert_null(hone__path_make_folders(path));
  write_script(name, text);
}

static void expect_path(const char *expected, const char *got)
{
  assert_non_null(got);
  assert_string_equal(path_of(expected), got);
}

static void expect_message(hone_status status, enum hone_code code, const char *part)
{
  assert_non_null(status);
  assert_int_equal(hone_status_code(status), code);
  if (!strstr(hone_status_message(status), part))
    fail_msg("no '%s' in: %s", part, hone_status_message(status));
  hone_status_free(status);
}

/* ---- Finding ---- */

static void finds_executables_in_a_folder(void **state)
{
  struct hone__iree_toolset toolset;

  (void)state;
  put_tool("tools/iree-compile", known_version);
  put_tool("tools/iree-run-module", "#!/bin/sh\n");
  hone__iree_toolset_find(path_of("tools"), &toolset);
  expect_path("tools/iree-compile", toolset.paths[HONE__IREE_COMPILE]);
  expect_path("tools/iree-run-module", toolset.paths[HONE__IREE_RUN]);
  assert_null(toolset.paths[HONE__IREE_BENCHMARK]);
  assert_string_equal(toolset.version, "3.13.0");
  assert_string_equal(toolset.identity, "3.13.0rc20261016 @ 89ece87b8985");
  hone__iree_toolset_release(&toolset);
}

static const char packages[] = "venv/lib/python3.11/site-packages";
static const char compiler_place[] =
    "venv/lib/python3.11/site-packages/iree/compiler/_mlir_libs/iree-compile";
static const char runtime_place[] =
    "venv/lib/python3.11/site-packages/iree/_runtime_libs/iree-benchmark-module";

static void make_environment(void)
{
  put_tool("venv/bin/iree-compile", wrapper);
  put_tool("venv/bin/iree-benchmark-module", wrapper);
  put_tool(compiler_place, known_version);
  put_tool(runtime_place, "#!/bin/sh\necho --dispatch_statistics=false\n");
}

static void expect_environment(const char *dir)
{
  struct hone__iree_toolset toolset;

  hone__iree_toolset_find(dir, &toolset);
  expect_path(compiler_place, toolset.paths[HONE__IREE_COMPILE]);
  expect_path(runtime_place, toolset.paths[HONE__IREE_BENCHMARK]);
  assert_true(toolset.features[HONE__IREE_HAS_DISPATCH_STATISTICS]);
  hone__iree_toolset_release(&toolset);
}

static void sees_through_scripts_of_python(void **state)
{
  char path[1024];

  (void)state;
  make_environment();
  expect_environment(path_of("venv"));
  expect_environment(path_of("venv/bin"));
  expect_environment(path_of(packages));
  setenv("HONE_IREE", path_of("venv"), 1);
  expect_environment(NULL);
  unsetenv("HONE_IREE");
  snprintf(path, sizeof path, "/usr/bin:%s", path_of("venv/bin"));
  setenv("PATH", path, 1);
  expect_environment(NULL);
  setenv("PATH", "/usr/bin:/bin", 1);
  setenv("VIRTUAL_ENV", path_of("venv"), 1);
  expect_environment(NULL);
}

static void follows_a_link_to_a_script(void **state)
{
  (void)state;
  make_environment();
  assert_int_equal(mkdir(path_of("links"), 0777), 0);
  assert_int_equal(symlink(path_of("venv/bin/iree-compile"), path_of("links/iree-compile")), 0);
  assert_int_equal(
      symlink(path_of("venv/bin/iree-benchmark-module"), path_of("links/iree-benchmark-module")),
      0);
  setenv("PATH", path_of("links"), 1);
  expect_environment(NULL);
}

static void takes_a_script_whose_packages_are_elsewhere(void **state)
{
  struct hone__iree_toolset toolset;

  (void)state;
  put_tool("bin/iree-opt", wrapper);
  setenv("PATH", path_of("bin"), 1);
  hone__iree_toolset_find(NULL, &toolset);
  expect_path("bin/iree-opt", toolset.paths[HONE__IREE_OPT]);
  hone__iree_toolset_release(&toolset);
}

static void the_first_place_wins(void **state)
{
  struct hone__iree_toolset toolset;
  char list[1200];

  (void)state;
  put_tool("a/iree-opt", "#!/bin/sh\n");
  put_tool("b/iree-opt", "#!/bin/sh\n");
  put_tool("b/iree-run-module", "#!/bin/sh\n");
  put_tool("c/iree-run-module", "#!/bin/sh\n");
  snprintf(list, sizeof list, "%s:%s", path_of("nothing"), path_of("b"));
  setenv("HONE_IREE", list, 1);
  setenv("PATH", path_of("c"), 1);
  hone__iree_toolset_find(path_of("a"), &toolset);
  expect_path("a/iree-opt", toolset.paths[HONE__IREE_OPT]);
  expect_path("b/iree-run-module", toolset.paths[HONE__IREE_RUN]);
  hone__iree_toolset_release(&toolset);
}

static void a_folder_without_any_is_the_end(void **state)
{
  struct hone__iree_toolset toolset;

  (void)state;
  put_tool("bin/iree-compile", known_version);
  setenv("PATH", path_of("bin"), 1);
  setenv("HONE_IREE", path_of("nowhere"), 1);
  hone__iree_toolset_find(NULL, &toolset);
  assert_null(toolset.paths[HONE__IREE_COMPILE]);
  assert_null(toolset.version);
  expect_message(hone__iree_need(&toolset, HONE__IREE_COMPILE), HONE_UNAVAILABLE,
                 "cannot find 'iree-compile' of IREE in HONE_IREE '");
  expect_message(hone__iree_need(&toolset, HONE__IREE_COMPILE), HONE_UNAVAILABLE, "pip install");
  hone__iree_toolset_release(&toolset);
}

static void what_is_no_program_is_not_found(void **state)
{
  struct hone__iree_toolset toolset;

  (void)state;
  assert_int_equal(mkdir(path_of("odd"), 0777), 0);
  assert_int_equal(mkdir(path_of("odd/iree-compile"), 0777), 0);
  write_text("odd/iree-opt", "no program");
  hone__iree_toolset_find(path_of("odd"), &toolset);
  assert_null(toolset.paths[HONE__IREE_COMPILE]);
  assert_null(toolset.paths[HONE__IREE_OPT]);
  hone__iree_toolset_release(&toolset);
}

/* ---- Features ---- */

static const char *const older =
    "#!/bin/sh\n"
    "for word; do case $word in\n"
    "--iree-rocm-target*|--iree-codegen-emit-pipeline-constraints)\n"
    "  echo \"iree-compile: Unknown command line argument '$word'.  Try: --help\" >&2;;\n"
    "esac; done\n"
    "case \"$*\" in\n"
    "*--version) echo asked >>\"${0%/*}/log\"; echo '  IREE compiler version 3.10.0.dev @ "
    "unknown';;\n"
    "*) echo 'unknown attribute `pipeline` in dialect `iree_gpu`' >&2; exit 1;; esac\n";

static void an_older_compiler_is_known_by_what_it_refuses(void **state)
{
  struct hone__iree_toolset toolset;
  const char *rewrite;
  struct hone__words flags = {0};

  (void)state;
  put_tool("old/iree-compile", older);
  hone__iree_toolset_find(path_of("old"), &toolset);
  assert_string_equal(toolset.version, "3.10.0");
  assert_non_null(strstr(toolset.identity, "3.10.0, files "));
  assert_true(toolset.features[HONE__IREE_HAS_TUNER_ATTRIBUTES]);
  assert_false(toolset.features[HONE__IREE_HAS_CONSTRAINTS]);
  assert_false(toolset.features[HONE__IREE_HAS_PIPELINE_ATTRIBUTES]);
  assert_false(toolset.features[HONE__IREE_HAS_ONLINE_ATTENTION]);
  assert_false(toolset.features[HONE__IREE_HAS_FUNCTION_LOOKUP]);
  assert_false(toolset.features[HONE__IREE_HAS_CPU_SPECS]);
  assert_false(toolset.features[HONE__IREE_HAS_DISPATCH_STATISTICS]);
  expect_message(hone__iree_need_feature(&toolset, HONE__IREE_HAS_CONSTRAINTS), HONE_UNAVAILABLE,
                 "IREE 3.10.0 has no --iree-codegen-emit-pipeline-constraints: version 3.12");
  assert_null(hone__iree_target_flags(&toolset, "gfx942", &flags, &rewrite));
  assert_string_equal(flags.data[1], "--iree-hip-target=gfx942");
  hone__words_release(&flags);
  hone__iree_toolset_release(&toolset);
}

static void a_compiler_is_probed_once(void **state)
{
  struct hone__iree_toolset toolset;
  struct stat info;

  (void)state;
  put_tool("old/iree-compile", older);
  for (int i = 0; i < 3; i++) {
    hone__iree_toolset_find(path_of("old"), &toolset);
    assert_string_equal(toolset.version, "3.10.0");
    hone__iree_toolset_release(&toolset);
  }
  assert_int_equal(stat(path_of("old/log"), &info), 0);
  assert_int_equal(info.st_size, strlen("asked\n"));
  write_text("old/libIREECompiler.so", "another library");
  hone__iree_toolset_find(path_of("old"), &toolset);
  hone__iree_toolset_release(&toolset);
  assert_int_equal(stat(path_of("old/log"), &info), 0);
  assert_int_equal(info.st_size, 2 * strlen("asked\n"));
}

static void a_broken_compiler_has_nothing(void **state)
{
  struct hone__iree_toolset toolset;

  (void)state;
  put_tool("bad/iree-compile", "#!/bin/sh\nkill -SEGV $$\n");
  hone__iree_toolset_find(path_of("bad"), &toolset);
  assert_string_equal(toolset.version, "unknown");
  assert_false(toolset.features[HONE__IREE_HAS_CONSTRAINTS]);
  hone__iree_toolset_release(&toolset);
}

/* ---- Running ---- */

static void expect_run_within(double timeout_s, const char *script, enum hone_code code,
                              const char *part)
{
  struct hone__iree_toolset toolset;
  static const char *const words[] = {"x", NULL};

  put_tool("run/iree-opt", script);
  hone__iree_toolset_find(path_of("run"), &toolset);
  expect_message(hone__iree_run(&toolset, HONE__IREE_OPT, words, NULL, timeout_s, NULL), code,
                 part);
  hone__iree_toolset_release(&toolset);
}

static void expect_run(const char *script, enum hone_code code, const char *part)
{
  expect_run_within(60, script, code, part);
}

static void a_failure_is_told_by_its_first_error(void **state)
{
  (void)state;
  expect_run("#!/bin/sh\n"
             "echo 'warning: none' >&2; echo 'a.mlir:3:1: error: the first' >&2\n"
             "for i in $(seq 20000); do echo 'error: noise, noise, noise'; done >&2\n"
             "exit 1\n",
             HONE_INVALID_SPEC, "iree-opt: the first");
  expect_run("#!/bin/sh\necho 'x.c:3: NOT_FOUND; no file' >&2; exit 1\n", HONE_INVALID_SPEC,
             "iree-opt: x.c:3: NOT_FOUND; no file");
  expect_run("#!/bin/sh\nexit 7\n", HONE_INVALID_SPEC, "exit status 7");
  expect_run("#!/bin/sh\nkill -SEGV $$\n", HONE_INVALID_SPEC, "crashed: signal 11 (SIGSEGV)");
  expect_run("#!/bin/sh\nprintf 'Stack dump:\\n #0 0x1 f\\n' >&2\nkill -SEGV $$\n",
             HONE_INVALID_SPEC, "crashed: signal 11 (SIGSEGV)");
  expect_run("#!/bin/sh\nprintf 'LLVM ERROR: no\\nStack dump:\\n' >&2\nkill -ABRT $$\n",
             HONE_INVALID_SPEC, "crashed: signal 6 (SIGABRT), no");
  expect_run("#!/bin/sh\necho 'error: why' >&2; kill -ABRT $$\n", HONE_INVALID_SPEC,
             "crashed: signal 6 (SIGABRT), why");
  expect_run_within(0.5, "#!/bin/sh\nsleep 60\n", HONE_INVALID_SPEC, "took too long");
  expect_run("#!/no/such/interpreter\n", HONE_IO, "cannot be started");
}

static void gives_what_is_printed(void **state)
{
  struct hone__iree_toolset toolset;
  struct hone__text text = {0};
  static const char *const words[] = {"a b", "c", NULL};

  (void)state;
  put_tool("run/iree-opt", "#!/bin/sh\necho \"<$1> <$2>\"; pwd; echo talk >&2\n");
  hone__iree_toolset_find(path_of("run"), &toolset);
  assert_null(hone__iree_run(&toolset, HONE__IREE_OPT, words, "/", 10, &text));
  assert_string_equal(text.data, "<a b> <c>\n/\n");
  expect_message(hone__iree_run(&toolset, HONE__IREE_RUN, words, "/", 10, NULL), HONE_UNAVAILABLE,
                 "cannot find 'iree-run-module'");
  hone__text_release(&text);
  hone__iree_toolset_release(&toolset);
}

/* ---- Targets ---- */

static void expect_flags(const char *target, const char *expected, const char *expected_rewrite)
{
  struct hone__iree_toolset toolset = {0};
  struct hone__words flags = {0};
  struct hone__text text = {0};
  const char *rewrite;

  assert_null(hone__iree_target_flags(&toolset, target, &flags, &rewrite));
  for (size_t i = 0; i < flags.count; i++)
    hone__text_addf(&text, "%s%s", i ? " " : "", flags.data[i]);
  assert_string_equal(text.data, expected);
  if (expected_rewrite)
    assert_string_equal(rewrite, expected_rewrite);
  else
    assert_null(rewrite);
  hone__text_release(&text);
  hone__words_release(&flags);
}

static void targets_have_flags(void **state)
{
  (void)state;
  expect_flags("llvm-cpu",
               "--iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu "
               "--iree-llvmcpu-target-cpu=host --iree-llvmcpu-debug-symbols=false",
               NULL);
  expect_flags("gfx942", "--iree-hal-target-device=hip --iree-rocm-target=gfx942", NULL);
  expect_flags("mi300x", "--iree-hal-target-device=hip --iree-rocm-target=mi300x", NULL);
  expect_flags("rdna4", "--iree-hal-target-device=hip --iree-rocm-target=gfx1201", NULL);
  expect_flags("sm_80", "--iree-hal-target-device=cuda --iree-cuda-target=sm_80", NULL);
  expect_flags("rtx4090", "--iree-hal-target-device=cuda --iree-cuda-target=rtx4090", NULL);
  expect_flags("l40s", "--iree-hal-target-device=cuda --iree-cuda-target=sm_89", NULL);
  expect_flags("sm_120", "--iree-hal-target-device=cuda --iree-cuda-target=sm_120", NULL);
  expect_flags("vulkan", "--iree-hal-target-device=vulkan", NULL);
  expect_flags("vulkan:ampere", "--iree-hal-target-device=vulkan --iree-vulkan-target=ampere",
               NULL);
  expect_flags("--a=1 --b='2 3'", "--a=1 --b=2 3", NULL);
}

static void later_cards_are_written_over_earlier_ones(void **state)
{
  static const char *const later[] = {"sm_90", "sm_90a", "sm_100", "h100", "h200"};

  (void)state;
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    expect_flags(later[i], "--iree-hal-target-device=cuda --iree-cuda-target=sm_80", "sm_90");
}

static void unknown_targets_are_refused(void **state)
{
  struct hone__iree_toolset toolset = {0};
  struct hone__words flags = {0};
  const char *rewrite;

  (void)state;
  expect_message(hone__iree_target_flags(&toolset, "mi300", &flags, &rewrite),
                 HONE_INVALID_ARGUMENT, "did you mean mi300a, mi300x?");
  expect_message(hone__iree_target_flags(&toolset, "abacus-9000", &flags, &rewrite),
                 HONE_INVALID_ARGUMENT, "gfx*, mi100");
  expect_message(hone__iree_target_flags(&toolset, "gfx 942; rm", &flags, &rewrite),
                 HONE_INVALID_ARGUMENT, "unknown target");
  expect_message(hone__iree_target_flags(&toolset, "sm_", &flags, &rewrite), HONE_INVALID_ARGUMENT,
                 "unknown target");
  expect_message(hone__iree_target_flags(&toolset, "", &flags, &rewrite), HONE_INVALID_ARGUMENT,
                 "unknown target");
  expect_message(hone__iree_target_flags(&toolset, "--a '", &flags, &rewrite),
                 HONE_INVALID_ARGUMENT, "");
  hone__words_release(&flags);
}

/* ---- The real one ---- */

static bool find_real(struct hone__iree_toolset *toolset)
{
  if (!real_iree) return false;
  hone__iree_toolset_find(real_iree, toolset);
  if (toolset->paths[HONE__IREE_COMPILE] && toolset->paths[HONE__IREE_BENCHMARK]) return true;
  hone__iree_toolset_release(toolset);
  return false;
}

static void the_release_has_everything(void **state)
{
  struct hone__iree_toolset toolset;

  (void)state;
  if (!find_real(&toolset)) skip();
  assert_true(toolset.version[0] >= '3' && toolset.version[1] == '.');
  for (int i = 0; i < HONE__IREE_FEATURE_COUNT; i++)
    if (!toolset.features[i]) fail_msg("feature %d is not there", i);
  assert_string_equal(hone__iree_tool_name(HONE__IREE_COMPILE), "iree-compile");
  assert_string_equal(hone__iree_feature_since(HONE__IREE_HAS_CONSTRAINTS), "3.12");
  hone__iree_toolset_release(&toolset);
}

static void expect_target_text(const struct hone__iree_toolset *toolset, const char *target,
                               const char *part)
{
  struct hone__text text = {0};

  assert_null(hone__iree_target_text(toolset, target, &text));
  if (!strstr(text.data, part)) fail_msg("%s: no '%s' in\n%.2000s", target, part, text.data);
  hone__text_release(&text);
}

static void the_compiler_describes_targets(void **state)
{
  struct hone__iree_toolset toolset, none = {0};
  struct hone__text text = {0};

  (void)state;
  if (!find_real(&toolset)) skip();
  expect_target_text(&toolset, "gfx942", "arch = \"gfx942\"");
  expect_target_text(&toolset, "mi300x", "sku = \"mi300x\"");
  expect_target_text(&toolset, "sm_90", "arch = \"sm_90\", features = \"+ptx80\"");
  expect_target_text(&toolset, "llvm-cpu", "native_vector_size");
  expect_message(hone__iree_target_text(&toolset, "gfx9999", &text), HONE_INVALID_SPEC,
                 "target 'gfx9999': iree-compile: Unknown ROCM target 'gfx9999'");
  /* What one host has asked, another without a compiler knows. */
  none.where = toolset.where;
  expect_target_text(&none, "gfx942", "arch = \"gfx942\"");
  expect_target_text(&none, "llvm-cpu", "native_vector_size");
  expect_message(hone__iree_target_text(&none, "gfx1100", &text), HONE_UNAVAILABLE,
                 "cannot find 'iree-compile'");
  hone__text_release(&text);
  hone__iree_toolset_release(&toolset);
}

static void the_cache_counts_and_removes_answers(void **state)
{
  struct hone__iree_toolset toolset, none = {0};
  struct hone_cache *info;
  struct hone__text text = {0};
  uint64_t files = 0;

  (void)state;
  if (!find_real(&toolset)) skip();
  expect_target_text(&toolset, "gfx942", "arch = \"gfx942\"");
  assert_null(hone_cache_read(NULL, true, &info));
  assert_string_equal(hone_cache_kind(info, 3), "iree");
  assert_int_equal(hone_cache_files(info, 3), 2); /* what it can do, and the answer */
  assert_int_equal(hone_cache_damaged(info, 3), 0);
  hone_cache_free(info);
  assert_null(hone_cache_clear(NULL, &files, NULL));
  assert_int_equal(files, 2);
  none.where = toolset.where;
  expect_message(hone__iree_target_text(&none, "gfx942", &text), HONE_UNAVAILABLE, "cannot find");
  hone__text_release(&text);
  hone__iree_toolset_release(&toolset);
}

static void another_compiler_is_asked_again(void **state)
{
  struct hone__iree_toolset toolset;
  struct hone__text text = {0};

  (void)state;
  if (!find_real(&toolset)) skip();
  expect_target_text(&toolset, "gfx942", "arch = \"gfx942\"");
  free(toolset.identity);
  toolset.identity = strdup("another");
  free(toolset.paths[HONE__IREE_COMPILE]);
  toolset.paths[HONE__IREE_COMPILE] = strdup("/bin/false");
  expect_message(hone__iree_target_text(&toolset, "gfx942", &text), HONE_INVALID_SPEC,
                 "exit status 1");
  hone__text_release(&text);
  hone__iree_toolset_release(&toolset);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, begin_without_iree, remove_folder)

int main(void)
{
  const struct CMUnitTest tests[] = {
      CASE(finds_executables_in_a_folder),
      CASE(sees_through_scripts_of_python),
      CASE(follows_a_link_to_a_script),
      CASE(takes_a_script_whose_packages_are_elsewhere),
      CASE(the_first_place_wins),
      CASE(a_folder_without_any_is_the_end),
      CASE(what_is_no_program_is_not_found),
      CASE(an_older_compiler_is_known_by_what_it_refuses),
      CASE(a_compiler_is_probed_once),
      CASE(a_broken_compiler_has_nothing),
      CASE(a_failure_is_told_by_its_first_error),
      CASE(gives_what_is_printed),
      CASE(targets_have_flags),
      CASE(later_cards_are_written_over_earlier_ones),
      CASE(unknown_targets_are_refused),
      CASE(the_release_has_everything),
      CASE(the_compiler_describes_targets),
      CASE(the_cache_counts_and_removes_answers),
      CASE(another_compiler_is_asked_again),
  };
  const char *given = getenv("HONE_IREE");

  real_iree = given && *given ? strdup(given) : NULL;
  return cmocka_run_group_tests_name("iree_toolset", tests, NULL, NULL);
}
