#include "hone_machine.h"
#include "base/digest.h"
#include "base/text.h"
#include "folder.h"
#include "store/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  return setenv("HONE_CACHE", folder, 1);
}

static int end(void **state)
{
  if (chmod(folder, 0700) != 0) return -1; /* a test may have forbidden to write here */
  return remove_folder(state);
}

static void key_of(unsigned number, char key[HONE__DIGEST_SIZE])
{
  hone__digest(&number, sizeof number, key);
}

static const char *entry_path(const char *kind, const char *key)
{
  static char path[256];

  snprintf(path, sizeof path, "%s/%s/%.1s/%s", folder, kind, key, key);
  return path;
}

static void put(const char *kind, unsigned number, const void *bytes, size_t size)
{
  char key[HONE__DIGEST_SIZE];

  key_of(number, key);
  assert_null(hone__cache_put(kind, key, bytes, size));
}

/* The bytes, or NULL: a miss. */
static char *get(const char *kind, unsigned number, size_t *out_size)
{
  char key[HONE__DIGEST_SIZE];
  char *bytes;
  hone_status status;

  key_of(number, key);
  status = hone__cache_get(kind, key, &bytes, out_size);
  assert_int_equal(hone_status_code(status), bytes ? HONE_OK : HONE_NOT_FOUND);
  hone_status_free(status);
  return bytes;
}

static bool has(const char *kind, unsigned number)
{
  size_t size;
  char *bytes = get(kind, number, &size);

  free(bytes);
  return bytes;
}

static void what_is_put_comes_back(void **state)
{
  char large[100000];
  size_t size;
  char *bytes;

  (void)state;
  for (size_t i = 0; i < sizeof large; i++)
    large[i] = (char)(i * 31);
  assert_false(has("objects", 1));
  put("objects", 1, large, sizeof large);
  put("builds", 1, "", 0);
  put("references", 1, NULL, 0);
  bytes = get("objects", 1, &size);
  assert_int_equal(size, sizeof large);
  assert_memory_equal(bytes, large, size);
  assert_int_equal(bytes[size], 0);
  free(bytes);
  bytes = get("builds", 1, &size);
  assert_int_equal(size, 0);
  assert_string_equal(bytes, "");
  free(bytes);
  put("builds", 1, "again", 5);
  bytes = get("builds", 1, &size);
  assert_string_equal(bytes, "again");
  free(bytes);
  assert_false(has("objects", 2));
}

static void names_that_are_none_are_refused(void **state)
{
  static const char *const bad[][2] = {
      {"objects", "../../etc/passwd"}, {"objects", ""},           {"objects", "ab"},
      {"objects", "ABCDEF"},           {"..", "abcdef"},          {"", "abcdef"},
      {"objects", "abc/def"},          {"objects", "abcdef0123g"}};
  char *bytes;
  size_t size;

  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hone_status put_status = hone__cache_put(bad[i][0], bad[i][1], "x", 1);
    hone_status get_status = hone__cache_get(bad[i][0], bad[i][1], &bytes, &size);
    assert_int_equal(hone_status_code(put_status), HONE_INVALID_ARGUMENT);
    assert_int_equal(hone_status_code(get_status), HONE_INVALID_ARGUMENT);
    hone_status_free(put_status);
    hone_status_free(get_status);
  }
}

/* ---- Damage ---- */

static void damage(const char *path, off_t at, int what)
{
  int fd = open(path, O_RDWR | O_CLOEXEC);
  char byte;

  assert_true(fd >= 0);
  if (what < 0) {
    assert_int_equal(ftruncate(fd, at), 0);
  } else {
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte = (char)(byte ^ what);
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
  }
  close(fd);
}

static void damaged_files_are_misses(void **state)
{
  static const char content[] = "0123456789abcdef0123456789abcdef";
  char key[HONE__DIGEST_SIZE], other[HONE__DIGEST_SIZE], moved[256];

  (void)state;
  key_of(7, key);
  for (off_t at = 0; at < 16 + 32; at++) {
    put("objects", 7, content, 32);
    assert_true(has("objects", 7));
    damage(entry_path("objects", key), at, 1 << (at % 8));
    assert_false(has("objects", 7));
    put("objects", 7, content, 32);
    damage(entry_path("objects", key), at, -1);
    assert_false(has("objects", 7));
  }
  put("objects", 7, content, 32);
  key_of(8, other);
  put("objects", 8, "x", 1);
  strcpy(moved, entry_path("objects", other));
  assert_int_equal(rename(entry_path("objects", key), moved), 0);
  assert_false(has("objects", 8));
}

static void odd_files_are_misses(void **state)
{
  char key[HONE__DIGEST_SIZE];

  (void)state;
  key_of(9, key);
  put("objects", 9, "x", 1);
  assert_int_equal(unlink(entry_path("objects", key)), 0);
  assert_int_equal(mkfifo(entry_path("objects", key), 0600), 0);
  assert_false(has("objects", 9));
  put("objects", 9, "x", 1);
  assert_true(has("objects", 9));
  assert_int_equal(unlink(entry_path("objects", key)), 0);
  assert_int_equal(mkdir(entry_path("objects", key), 0700), 0);
  assert_false(has("objects", 9));
}

/* ---- A folder that cannot be written ---- */

static void expect_put_fails(enum hone_code code, const char *part)
{
  char large[8192] = {0};
  hone_status status = hone__cache_put("objects", "abcdef", large, sizeof large);

  assert_int_equal(hone_status_code(status), code);
  assert_non_null(strstr(hone_status_message(status), part));
  hone_status_free(status);
}

static void a_bad_folder_is_a_status(void **state)
{
  (void)state;
  setenv("HONE_CACHE", "/dev/null/cache", 1);
  expect_put_fails(HONE_IO, "/dev/null");
  assert_false(has("objects", 1));
  setenv("HONE_CACHE", "/proc/cache", 1);
  expect_put_fails(HONE_IO, "/proc/cache");
  setenv("HONE_CACHE", folder, 1);
  if (geteuid() == 0) {
    print_message("# as root every folder can be written: not tried\n");
    return;
  }
  assert_int_equal(chmod(folder, 0500), 0);
  expect_put_fails(HONE_IO, folder);
}

static unsigned count_files(void)
{
  char command[256], line[32];
  FILE *pipe;

  snprintf(command, sizeof command, "find %s -type f | wc -l", folder);
  pipe = popen(command, "r");
  assert_non_null(fgets(line, sizeof line, pipe));
  pclose(pipe);
  return (unsigned)atoi(line);
}

static void a_full_disk_leaves_nothing(void **state)
{
  struct rlimit old, small;

  (void)state;
  put("objects", 1, "x", 1);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &old);
  small = (struct rlimit){.rlim_cur = 4096, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  expect_put_fails(HONE_IO, "large");
  setrlimit(RLIMIT_FSIZE, &old);
  assert_int_equal(count_files(), 1);
}

/* ---- Many processes ---- */

enum { WRITERS = 4, KEYS = 12, ROUNDS = 40 };

static void fill(unsigned number, char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    bytes[i] = (char)(number * 7 + i);
}

static int write_and_read(void)
{
  char expected[5000], key[HONE__DIGEST_SIZE];

  for (unsigned round = 0; round < ROUNDS * KEYS; round++) {
    unsigned number = round % KEYS;
    size_t size = 0;
    char *bytes = NULL;

    key_of(number, key);
    fill(number, expected, sizeof expected);
    hone_status_free(hone__cache_put("objects", key, expected, sizeof expected));
    if (round % 17 == 0) hone_status_free(hone_cache_clear(NULL, NULL, NULL));
    hone_status_free(hone__cache_get("objects", key, &bytes, &size));
    if (bytes && (size != sizeof expected || memcmp(bytes, expected, size) != 0)) return 1;
    free(bytes);
  }
  return 0;
}

/* Frees what is there. */
static void read_cache(bool verify, struct hone_cache **info)
{
  hone_cache_free(*info);
  assert_null(hone_cache_read(NULL, verify, info));
}

static void processes_share_a_folder(void **state)
{
  struct hone_cache *info = NULL;
  pid_t writers[WRITERS];
  int result;

  (void)state;
  for (int i = 0; i < WRITERS; i++) {
    writers[i] = fork();
    if (writers[i] == 0) _exit(write_and_read());
  }
  for (int i = 0; i < WRITERS; i++) {
    assert_int_equal(waitpid(writers[i], &result, 0), writers[i]);
    assert_int_equal(result, 0);
  }
  read_cache(true, &info);
  assert_int_equal(hone_cache_damaged(info, 1), 0);
  assert_int_equal(hone_cache_files(info, 1), count_files());
  hone_cache_free(info);
}

/* ---- Upkeep ---- */

static void set_age(const char *kind, unsigned number, time_t seconds)
{
  char key[HONE__DIGEST_SIZE];
  struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - seconds}};

  key_of(number, key);
  assert_int_equal(utimensat(AT_FDCWD, entry_path(kind, key), times, 0), 0);
}

static void info_counts(void **state)
{
  struct hone_cache *info = NULL;
  char key[HONE__DIGEST_SIZE];

  (void)state;
  read_cache(true, &info);
  assert_string_equal(hone_cache_folder(info), folder);
  assert_string_equal(hone_cache_kind(info, 2), "references");
  assert_int_equal(hone_cache_files(info, 0), 0);
  put("builds", 1, "12345", 5);
  put("objects", 1, "1234", 4);
  put("objects", 2, "1234", 4);
  key_of(2, key);
  damage(entry_path("objects", key), 17, 1);
  read_cache(true, &info);
  assert_int_equal(hone_cache_files(info, 0), 1);
  assert_int_equal(hone_cache_bytes(info, 0), 21);
  assert_int_equal(hone_cache_files(info, 1), 2);
  assert_int_equal(hone_cache_damaged(info, 1), 1);
  read_cache(false, &info);
  assert_int_equal(hone_cache_damaged(info, 1), 0);
  hone_cache_free(info);
}

static void what_is_removed_is_gone(void **state)
{
  char key[HONE__DIGEST_SIZE], *bytes = NULL;
  hone_status status;
  size_t size;

  (void)state;
  put("partial", 7, "1234", 4);
  key_of(7, key);
  hone__cache_remove("partial", key);
  hone__cache_remove("partial", key); /* it may be gone already */
  status = hone__cache_get("partial", key, &bytes, &size);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  hone_status_free(status);
}

static void prune_keeps_what_was_used(void **state)
{
  char key[HONE__DIGEST_SIZE], bytes[84] = {0};
  uint64_t files, removed;

  (void)state;
  for (unsigned i = 0; i < 10; i++) {
    put(i % 2 ? "objects" : "builds", i, bytes, sizeof bytes);
    set_age(i % 2 ? "objects" : "builds", i, 100000 - 5000 * (time_t)i);
  }
  key_of(9, key);
  damage(entry_path("objects", key), 20, 1);
  assert_true(has("builds", 0)); /* the oldest; now just used */
  assert_null(hone_cache_prune(NULL, 350, &files, &removed));
  assert_int_equal(files, 7);
  assert_int_equal(removed, 700);
  assert_true(has("builds", 0) && has("builds", 8) && has("objects", 7));
  assert_false(has("builds", 6) || has("objects", 9));
  assert_null(hone_cache_clear(NULL, &files, &removed));
  assert_int_equal(files, 3);
  assert_false(has("builds", 0));
}

static void prune_removes_old_leftovers(void **state)
{
  char key[HONE__DIGEST_SIZE], path[300];
  const struct timespec times[2] = {{.tv_sec = time(NULL) - 9999}, {.tv_sec = time(NULL) - 9999}};
  uint64_t files;

  (void)state;
  key_of(1, key);
  put("objects", 1, "x", 1);
  for (int old = 0; old < 2; old++) {
    snprintf(path, sizeof path, "%s/objects/%.1s/.aside-%d", folder, key, old);
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  }
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
  assert_null(hone_cache_prune(NULL, 1 << 20, &files, NULL));
  assert_int_equal(files, 1);
  assert_int_equal(count_files(), 2);
}

/* ---- Where it lies ---- */

/* Moves a part of the cache elsewhere and leaves a link to it. */
static void move_and_link(const char *from, const char *to)
{
  assert_int_equal(rename(from, to), 0);
  assert_int_equal(symlink(to, from), 0);
}

static void expect_nothing_to_remove(void)
{
  struct hone_cache *info = NULL;
  uint64_t files = 99, bytes;

  read_cache(true, &info);
  assert_int_equal(hone_cache_files(info, 0) + hone_cache_files(info, 1), 0);
  assert_null(hone_cache_prune(NULL, 1, &files, &bytes));
  assert_int_equal(files, 0);
  assert_null(hone_cache_clear(NULL, &files, &bytes));
  assert_int_equal(files, 0);
  hone_cache_free(info);
}

static void what_links_point_to_stays(void **state)
{
  char key[HONE__DIGEST_SIZE], part[300];

  (void)state;
  key_of(1, key);
  put("builds", 1, "build", 5);
  put("objects", 1, "object", 6);
  snprintf(part, sizeof part, "%s/builds/%.1s", folder, key);
  assert_int_equal(mkdir(path_of("elsewhere"), 0700), 0);
  move_and_link(part, path_of("elsewhere/part"));
  move_and_link(path_of("objects"), path_of("elsewhere/kind"));
  expect_nothing_to_remove();
  assert_true(has("builds", 1) && has("objects", 1));
  unlink(part);
  assert_int_equal(rename(path_of("elsewhere/part"), part), 0);
  move_and_link(entry_path("builds", key), path_of("elsewhere/file"));
  expect_nothing_to_remove();
  assert_int_equal(access(path_of("elsewhere/file"), F_OK), 0);
}

/* Whoever names a folder by a link means the folder. */
static void the_cache_may_be_a_link(void **state)
{
  uint64_t files, bytes;

  (void)state;
  put("builds", 1, "build", 5);
  assert_int_equal(symlink(folder, path_of("link")), 0);
  setenv("HONE_CACHE", path_of("link"), 1);
  assert_null(hone_cache_clear(NULL, &files, &bytes));
  assert_int_equal(files, 1);
  setenv("HONE_CACHE", folder, 1);
  assert_false(has("builds", 1));
}

static void the_folder_follows_the_environment(void **state)
{
  char here[4096];

  (void)state;
  assert_non_null(getcwd(here, sizeof here));
  assert_string_equal(hone__cache_folder(), folder);
  setenv("HONE_CACHE", "relative", 1);
  assert_string_equal(hone__cache_folder() + strlen(here), "/relative");
  setenv("HONE_CACHE", "", 1);
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  assert_string_equal(hone__cache_folder(), "/xdg/hone");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  setenv("HOME", "/home/a", 1);
  assert_string_equal(hone__cache_folder(), "/home/a/.cache/hone");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  assert_string_equal(hone__cache_folder(), "");
  assert_false(has("objects", 1));
  expect_put_fails(HONE_UNAVAILABLE, "HONE_CACHE");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(what_is_put_comes_back),      TEST(names_that_are_none_are_refused),
      TEST(damaged_files_are_misses),    TEST(odd_files_are_misses),
      TEST(a_bad_folder_is_a_status),    TEST(a_full_disk_leaves_nothing),
      TEST(processes_share_a_folder),    TEST(info_counts),
      TEST(what_is_removed_is_gone),     TEST(prune_keeps_what_was_used),
      TEST(prune_removes_old_leftovers), TEST(what_links_point_to_stays),
      TEST(the_cache_may_be_a_link),     TEST(the_folder_follows_the_environment),
  };

  return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
