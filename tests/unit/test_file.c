/* Bytes into open files. */
#include "base/file.h"
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_bytes_are_written),
      cmocka_unit_test(a_part_is_not_all),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
