/* Files, paths, and what their names are asked for. */
#include "base/file.h"
#include "base/paths.h"
#include "base/sorting.h"
#include "base/text.h"
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZE = 100000 };

static char bytes[SIZE];

static int open_new(const char *name)
{
  int file = open(path_of(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  assert_true(file >= 0);
  return file;
}

static void all_bytes_are_written(void **state)
{
  int file = open_new("all");
  struct stat info;

  (void)state;
  assert_true(hone__file_write(file, bytes, SIZE));
  assert_true(hone__file_write(file, "ab", 2));
  assert_true(hone__file_write(file, NULL, 0));
  assert_int_equal(fstat(file, &info), 0);
  assert_int_equal(info.st_size, SIZE + 2);
  close(file);
}

static void a_file_is_made_and_made_again(void **state)
{
  char *text = NULL;
  size_t size;

  (void)state;
  assert_true(hone__file_make(path_of("made"), bytes, SIZE));
  assert_true(hone__file_make(path_of("made"), "ab", 2));
  assert_null(hone__file_read(path_of("made"), SIZE, &text, &size));
  assert_string_equal(text, "ab");
  free(text);
  assert_false(hone__file_make(path_of("no/made"), "ab", 2));
  assert_int_equal(errno, ENOENT);
  assert_false(hone__file_make("/dev/full", "ab", 2));
  assert_int_equal(errno, ENOSPC);
}

/* The system takes the first half, and nothing of the second: that is no success. */
static void a_part_is_not_all(void **state)
{
  struct rlimit before, limit;
  int file = open_new("part");
  bool is_written;
  int why;

  (void)state;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit = before;
  limit.rlim_cur = SIZE / 2;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  is_written = hone__file_write(file, bytes, SIZE);
  why = errno;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_false(is_written);
  assert_int_equal(why, EFBIG);
  assert_int_equal(lseek(file, 0, SEEK_END), SIZE / 2);
  close(file);
}

static void keep_line(void *data, const char *path, const char *text)
{
  assert_string_equal(path, path_of("lines"));
  hone__text_addf(data, "<%.*s>", (int)strcspn(text, "\n"), text);
}

static void each_line_comes_once(void **state)
{
  struct hone__text lines = {0};

  (void)state;
  write_text("lines", "one\n\nthree\nfour");
  hone__file_each_line(path_of("lines"), 1 << 20, keep_line, &lines);
  assert_string_equal(lines.data, "<one><><three><four>");
  hone__text_release(&lines);
  hone__file_each_line(path_of("missing"), 1 << 20, keep_line, &lines);
  assert_null(lines.data);
}

static void a_path_is_written_and_replaced(void **state)
{
  char *text;
  size_t size;
  hone_status status;

  (void)state;
  assert_null(hone__path_write(path_of("path"), "a longer text", 13));
  assert_null(hone__path_write(path_of("path"), "short", 5));
  assert_null(hone__file_read(path_of("path"), 1 << 20, &text, &size));
  assert_string_equal(text, "short");
  free(text);
  status = hone__path_write(path_of("no/folder"), "x", 1);
  assert_non_null(strstr(hone_status_message(status), "cannot write '"));
  hone_status_free(status);
}

static void paths_name_files_and_programs(void **state)
{
  char *parent = hone__path_folder("/a/b/kernel.cu"), *here = hone__path_folder("kernel.cu");

  (void)state;
  assert_string_equal(parent, "/a/b");
  assert_string_equal(here, ".");
  free(parent);
  free(here);
  write_text("plain", "");
  write_script("script", "");
  assert_true(hone__path_is_file(path_of("plain")));
  assert_true(hone__path_is_program(path_of("script")));
  assert_false(hone__path_is_program(path_of("plain")));
  assert_false(hone__path_is_file(folder));
  assert_false(hone__path_is_program(folder));
}

static void texts_end_and_words_are_told(void **state)
{
  (void)state;
  assert_true(hone__ends_with("a.json", ".json"));
  assert_false(hone__ends_with(".json", ".json"));
  assert_false(hone__ends_with("n", ".json"));
  assert_true(hone__is_word('a') && hone__is_word('9') && hone__is_word('_'));
  assert_false(hone__is_word('-') || hone__is_word('\xc3') || hone__is_word('\0'));
}

static void numbers_and_texts_are_sorted(void **state)
{
  double numbers[] = {3, -1, 2};
  const char *texts[] = {"b", "B", "a"};

  (void)state;
  qsort(numbers, 3, sizeof *numbers, hone__by_number);
  qsort(texts, 3, sizeof *texts, hone__by_text);
  assert_true(numbers[0] == -1 && numbers[1] == 2 && numbers[2] == 3);
  assert_string_equal(texts[0], "B");
  assert_string_equal(texts[2], "b");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_bytes_are_written),
      cmocka_unit_test(a_file_is_made_and_made_again),
      cmocka_unit_test(a_part_is_not_all),
      cmocka_unit_test(each_line_comes_once),
      cmocka_unit_test(a_path_is_written_and_replaced),
      cmocka_unit_test(paths_name_files_and_programs),
      cmocka_unit_test(texts_end_and_words_are_told),
      cmocka_unit_test(numbers_and_texts_are_sorted),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
