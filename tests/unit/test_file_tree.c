#include "base/file.h"
#include "base/text.h"
#include "build/user_files.h"
#include "folder.h"
#include "hone_machine.h"
#include "worker/file_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct hone__wire_file sent[] = {
    {.path = "/home/me/proj/k.c", .size = 4, .time_ns = 5000000007},
    {.path = "/home/me/proj/gen.sh", .size = 3, .is_program = true},
    {.path = "/home/me/common/my inc/a.h", .size = 0}};
static const char *roots[] = {"/home/me/proj", "/home/me/common/my inc", "/data"};
static const struct hone__wire_files files = {sent, roots, 3, 3};
static const char bytes[] = "int;#!/";

static const struct hone__field texts_fields[] = {
    HONE__TEXTS(struct hone__wire_files, roots, HONE__NEEDED),
};
static const struct hone__record_type texts_type =
    HONE__RECORD_TYPE("texts", struct hone__wire_files, texts_fields);

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  return setenv("HONE_CACHE", folder, 1);
}

/* ---- Paths ---- */

/* The text as it is on the host, in the folder "/T"; and it is restored. */
static void expect_moved(const char *text, const char *expected)
{
  const char *list[] = {text};
  struct hone__wire_files record = {.roots = list, .roots_count = 1};
  struct hone__packed *packed = hone__pack(&texts_type, &record), *moved;
  struct hone__arena arena = {0};

  moved = hone__wire_files_move(&files, packed, "/T");
  assert_null(hone__unpack(moved, &texts_type, &arena, &record));
  assert_string_equal(record.roots[0], expected);
  hone__wire_files_restore(moved, "/T");
  assert_null(hone__unpack(moved, &texts_type, &arena, &record));
  assert_string_equal(record.roots[0], text);
  hone__arena_release(&arena);
  hone__packed_drop(moved);
  hone__packed_drop(packed);
}

static void paths_of_files_are_moved(void **state)
{
  (void)state;
  expect_moved("/home/me/proj/k.c", "/T/home/me/proj/k.c");
  expect_moved("/home/me/proj", "/T/home/me/proj");
  expect_moved("-I/home/me/proj/", "-I/T/home/me/proj/");
  expect_moved("-I/home/me/common/my inc", "-I/T/home/me/common/my inc");
  expect_moved("/home/me/proj/k.c:/home/me/proj/gen.sh",
               "/T/home/me/proj/k.c:/T/home/me/proj/gen.sh");
  expect_moved("--list=@/home/me/proj/k.c", "--list=@/T/home/me/proj/k.c");
  expect_moved("@/home/me/proj/k.c", "@/T/home/me/proj/k.c");
  expect_moved("/data", "/T/data");
}

static void other_paths_stay(void **state)
{
  (void)state;
  expect_moved("/usr/bin/cc", "/usr/bin/cc");
  expect_moved("/home/me/proj/bin/cc", "/home/me/proj/bin/cc"); /* the host's own */
  expect_moved("/home/me/projects/k.c", "/home/me/projects/k.c");
  expect_moved("x/home/me/proj/k.c", "x/home/me/proj/k.c");
  expect_moved("/home/me", "/home/me");
  expect_moved("", "");
}

/* ---- Folders ---- */

static struct hone__packed *job_head(const struct hone__wire_files *record)
{
  struct hone__packed *head = hone__packed_new();

  hone__packed_add(head, &hone__wire_files_type, record);
  return head;
}

static hone_status enter(struct hone__runner_tree *tree, const struct hone__wire_files *record,
                         size_t size, struct hone__runner_tree_job *out_job)
{
  struct hone__packed *head = job_head(record), *setup = job_head(record);
  struct hone__frame frame = {.head = head, .payload = bytes, .payload_size = size};
  hone_status status = hone__runner_tree_enter(tree, setup, &frame, out_job);

  hone__packed_drop(head);
  hone__packed_drop(setup);
  return status;
}

static void expect_file(const struct hone__runner_tree *tree, const char *path,
                        const char *expected)
{
  char whole[512], *text = NULL;
  size_t size;

  snprintf(whole, sizeof whole, "%s%s", tree->folder, path);
  assert_null(hone__file_read(whole, 100, &text, &size));
  assert_string_equal(text, expected);
  free(text);
}

static void files_are_written_once_and_repaired(void **state)
{
  struct hone__runner_tree tree = {0}, again = {0};
  struct hone__runner_tree_job job;
  struct hone__answer answer = {0};
  struct stat info;
  char path[512];

  (void)state;
  assert_null(enter(&tree, &files, sizeof bytes - 1, &job));
  assert_int_equal(job.payload_size, 0);
  expect_file(&tree, "/home/me/proj/k.c", "int;");
  expect_file(&tree, "/home/me/common/my inc/a.h", "");
  snprintf(path, sizeof path, "%s/home/me/proj/k.c", tree.folder);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mtim.tv_sec, 5);
  assert_int_equal(info.st_mtim.tv_nsec, 7);
  assert_true(hone__file_make(path, "bad", 3));
  hone__text_addf(&answer.evidence, "%s:3: error", path);
  hone__runner_tree_leave(&tree, &job, &answer);
  assert_string_equal(answer.evidence.data, "/home/me/proj/k.c:3: error");
  assert_null(enter(&again, &files, sizeof bytes - 1, &job));
  assert_string_equal(again.folder, tree.folder);
  expect_file(&again, "/home/me/proj/k.c", "int;");
  hone__runner_tree_leave(&again, &job, &answer);
  hone__text_release(&answer.evidence);
  hone__runner_tree_release(&tree);
  hone__runner_tree_release(&again);
}

static void expect_refused(const struct hone__wire_files *record, size_t size)
{
  struct hone__runner_tree tree = {0};
  struct hone__runner_tree_job job;
  hone_status status = enter(&tree, record, size, &job);

  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  hone_status_free(status);
  hone__runner_tree_release(&tree);
}

static void wrong_messages_are_refused(void **state)
{
  static const char *const wrong[] = {"/a/../../etc/x", "etc/x", "/a/..", "/a//b", "/a/"};

  (void)state;
  expect_refused(&files, 6); /* one byte is missing */
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct hone__wire_file one = {.path = wrong[i], .size = 1};
    expect_refused(&(struct hone__wire_files){&one, roots, 1, 1}, 1);
    expect_refused(&(struct hone__wire_files){NULL, (const char **)(uintptr_t)&wrong[i], 0, 1}, 0);
  }
}

static void a_job_without_files_is_not_changed(void **state)
{
  struct hone__runner_tree tree = {0};
  struct hone__runner_tree_job job;

  (void)state;
  assert_null(enter(&tree, &(struct hone__wire_files){0}, 7, &job));
  assert_null(job.head);
  assert_int_equal(job.payload_size, 7);
}

static void folders_are_pruned_with_the_cache(void **state)
{
  struct hone__runner_tree tree = {0};
  struct hone__runner_tree_job job;
  struct hone__answer answer = {0};
  uint64_t count, removed;
  struct stat info;

  (void)state;
  assert_null(enter(&tree, &files, sizeof bytes - 1, &job));
  hone__runner_tree_leave(&tree, &job, &answer);
  assert_null(hone_cache_prune(NULL, 7, &count, &removed));
  assert_int_equal(count, 0);
  assert_null(hone_cache_prune(NULL, 6, &count, &removed));
  assert_int_equal(count, 1);
  assert_int_equal(removed, 7);
  assert_int_not_equal(stat(tree.folder, &info), 0);
  hone__runner_tree_release(&tree);
}

/* ---- What is sent ---- */

static void write_in_folder(const char *name, const char *text)
{
  char path[512];

  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_true(hone__file_make(path, text, strlen(text)));
}

static bool has(const struct hone__pairs *found, const char *name)
{
  char path[512];

  snprintf(path, sizeof path, "%s/%s", folder, name);
  return hone__pairs_find(found, path) != NULL;
}

static void the_files_of_a_build_are_found(void **state)
{
  const char *const words[] = {"-Isrc/../inc", "@list", "-O2", NULL};
  struct hone__user_files build = {.words = words, .folder = folder};
  struct hone__pairs found = {0};
  char source[512], sub[512];

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    snprintf(sub, sizeof sub, "%s/%s", folder, i ? "inc" : "src");
    assert_int_equal(mkdir(sub, 0700), 0);
  }
  write_in_folder("src/k.c", "#include <stdio.h>\n#include \"a.h\"\n");
  write_in_folder("inc/a.h", "#include \"b.h\"\n");
  write_in_folder("inc/b.h", "");
  write_in_folder("list", "-O3");
  write_in_folder("src/other.c", "");
  snprintf(source, sizeof source, "%s/src/k.c", folder);
  build.source = source;
  hone__user_files_add(&build, &found);
  assert_int_equal(found.count, 4);
  assert_true(has(&found, "src/k.c") && has(&found, "inc/a.h") && has(&found, "inc/b.h") &&
              has(&found, "list"));
  build.is_command = true;
  hone__user_files_add(&build, &found);
  assert_int_equal(found.count, 5);
  assert_true(has(&found, "src/other.c"));
  hone__pairs_release(&found);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_of_files_are_moved),
      cmocka_unit_test(other_paths_stay),
      cmocka_unit_test_setup_teardown(files_are_written_once_and_repaired, begin, remove_folder),
      cmocka_unit_test(wrong_messages_are_refused),
      cmocka_unit_test(a_job_without_files_is_not_changed),
      cmocka_unit_test_setup_teardown(folders_are_pruned_with_the_cache, begin, remove_folder),
      cmocka_unit_test_setup_teardown(the_files_of_a_build_are_found, begin, remove_folder),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
