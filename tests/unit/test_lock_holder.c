/* Who holds a store: processes that write to it, and whether the maker of a run is still there. */
#include "folder.h"
#include "store/driver.h"
#include "store/lock_holder.h"
#include "store/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

/* A process that holds the lock for writing, until the file is closed. */
static pid_t start_writer(int *out_file)
{
  int to[2], from[2];
  char byte = 0;
  pid_t pid;

  assert_int_equal(pipe2(to, O_CLOEXEC), 0);
  assert_int_equal(pipe2(from, O_CLOEXEC), 0);
  pid = fork();
  if (pid == 0) {
    sqlite3 *database = NULL;
    close(to[1]);
    if (sqlite3_open(path_of("hone.db"), &database) != SQLITE_OK ||
        sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
      _exit(1);
    if (write(from[1], "x", 1) != 1) _exit(2);
    while (read(to[0], &byte, 1) > 0) {}
    _exit(0);
  }
  close(to[0]);
  close(from[1]);
  assert_int_equal(read(from[0], &byte, 1), 1); /* it has the lock */
  close(from[0]);
  *out_file = to[1];
  return pid;
}

static void a_writer_is_found(void **state)
{
  struct hone_store *store = NULL;
  int file;
  pid_t pid;

  (void)state;
  assert_null(hone__store_open(path_of("hone.db"), false, &store));
  hone__store_close(store);
  assert_int_equal(hone__lock_holder(path_of("hone.db")), 0);
  pid = start_writer(&file);
  assert_int_equal(hone__lock_holder(path_of("hone.db")), pid);
  close(file);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
  assert_int_equal(hone__lock_holder(path_of("hone.db")), 0);
}

static void of_other_files_nobody_knows(void **state)
{
  (void)state;
  assert_int_equal(hone__lock_holder(NULL), 0);
  assert_int_equal(hone__lock_holder(path_of("none.db")), 0);
}

/* ---- The maker of a run ---- */

static void a_process_is_known_by_its_start(void **state)
{
  char start[HONE__DRIVER_TEXT], again[HONE__DRIVER_TEXT], host[HONE__DRIVER_TEXT];

  (void)state;
  hone__driver_host(host);
  hone__driver_start(getpid(), start);
  hone__driver_start(getpid(), again);
  assert_string_not_equal(start, "");
  assert_string_equal(start, again);
  assert_true(hone__driver_is_alive(getpid(), start, host));
  assert_false(hone__driver_is_gone(getpid(), start, host));
  /* its number belongs to another process now */
  assert_false(hone__driver_is_alive(getpid(), "another start", host));
  assert_true(hone__driver_is_gone(getpid(), "another start", host));
}

static void a_process_that_has_ended_is_gone(void **state)
{
  char start[HONE__DRIVER_TEXT], host[HONE__DRIVER_TEXT], none[HONE__DRIVER_TEXT];
  pid_t pid = fork();

  (void)state;
  if (pid == 0)
    for (;;)
      pause();
  hone__driver_host(host);
  hone__driver_start(pid, start);
  assert_true(hone__driver_is_alive(pid, start, host));
  kill(pid, SIGKILL);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
  assert_true(hone__driver_is_gone(pid, start, host));
  assert_false(hone__driver_is_alive(pid, start, host));
  hone__driver_start(pid, none);
  assert_string_equal(none, "");
}

static void of_other_hosts_nothing_is_known(void **state)
{
  char start[HONE__DRIVER_TEXT];

  (void)state;
  hone__driver_start(getpid(), start);
  assert_false(hone__driver_is_alive(getpid(), start, "another host"));
  assert_false(hone__driver_is_gone(getpid(), start, "another host"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(a_writer_is_found),
      TEST(of_other_files_nobody_knows),
      TEST(a_process_is_known_by_its_start),
      TEST(a_process_that_has_ended_is_gone),
      TEST(of_other_hosts_nothing_is_known),
  };

  return cmocka_run_group_tests_name("lock_holder", tests, NULL, NULL);
}
