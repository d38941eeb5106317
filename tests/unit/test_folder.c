/* Temporary folders: who may remove them. */
#include "base/folder.h"

#include "base/text.h"
#include "folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process of its own makes a folder with a file in it, and says its name. */
static pid_t make_elsewhere(bool stays, char *out_path, size_t size)
{
  int ends[2];
  ssize_t got;
  pid_t pid;

  assert_int_equal(pipe(ends), 0);
  pid = fork();
  if (pid == 0) {
    struct hone__text inside = {0};
    char *made;
    if (hone__folder_make(folder, &made)) _exit(1);
    hone__text_addf(&inside, "%s/deep", made);
    if (mkdir(inside.data, 0500) != 0) _exit(1);
    if (write(ends[1], made, strlen(made)) < 0) _exit(1);
    if (stays) pause();
    _exit(0);
  }
  got = read(ends[0], out_path, size - 1);
  assert_true(pid > 0 && got > 0);
  out_path[got] = 0;
  close(ends[0]);
  close(ends[1]);
  return pid;
}

static bool is_there(const char *path)
{
  struct stat info;

  return lstat(path, &info) == 0;
}

static void end(pid_t pid)
{
  kill(pid, SIGKILL);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void dead_owners_are_swept(void **state)
{
  char left[128], killed[128], kept[128];
  pid_t stays;

  (void)state;
  end(make_elsewhere(false, left, sizeof left));
  end(make_elsewhere(true, killed, sizeof killed));
  stays = make_elsewhere(true, kept, sizeof kept);
  assert_true(is_there(left) && is_there(killed) && is_there(kept));
  hone__folder_sweep(folder);
  assert_false(is_there(left) || is_there(killed));
  assert_true(is_there(kept));
  end(stays);
  hone__folder_sweep(folder);
  assert_false(is_there(kept));
}

static void own_folders_stay(void **state)
{
  char *one, *two;

  (void)state;
  assert_null(hone__folder_make(folder, &one));
  assert_null(hone__folder_make(folder, &two));
  hone__folder_sweep(folder);
  assert_true(is_there(one) && is_there(two));
  hone__folder_remove(one);
  assert_false(is_there(one));
  hone__folder_sweep(folder);
  assert_true(is_there(two));
  hone__folder_remove(two);
  free(one);
  free(two);
}

/* Names that are alike, links, files, and folders of other users. */
static void nothing_else_is_swept(void **state)
{
  char left[128], path[160], target[160];
  size_t length;

  (void)state;
  end(make_elsewhere(false, left, sizeof left));
  length = strlen(left);
  snprintf(target, sizeof target, "%s/precious", folder);
  assert_int_equal(mkdir(target, 0700), 0);

  snprintf(path, sizeof path, "%.*sAAAAAA", (int)length - 6, left); /* a link of that name */
  assert_int_equal(symlink(target, path), 0);
  snprintf(path, sizeof path, "%.*sBBBBBB", (int)length - 6, left); /* a file */
  close(open(path, O_CREAT | O_WRONLY, 0600));
  snprintf(path, sizeof path, "%s-more", left); /* a longer name */
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/hone-00000000-AAAAAA", folder); /* another host's */
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/hone-backup", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%.*sCCCCCC", (int)length - 6, left); /* another user's */
  assert_int_equal(mkdir(path, 0700), 0);
  if (geteuid() == 0) assert_int_equal(chown(path, 65534, 65534), 0);

  hone__folder_sweep(folder);
  assert_false(is_there(left));
  assert_true(is_there(target));
  assert_true(is_there(path) || geteuid() != 0);
  snprintf(path, sizeof path, "%.*sAAAAAA", (int)length - 6, left);
  assert_true(is_there(path));
  snprintf(path, sizeof path, "%.*sBBBBBB", (int)length - 6, left);
  assert_true(is_there(path));
  snprintf(path, sizeof path, "%s-more", left);
  assert_true(is_there(path));
  snprintf(path, sizeof path, "%s/hone-00000000-AAAAAA", folder);
  assert_true(is_there(path));
  snprintf(path, sizeof path, "%s/hone-backup", folder);
  assert_true(is_there(path));
}

static void no_such_parent(void **state)
{
  char *made;
  hone_status status = hone__folder_make("/no/such/folder", &made);

  (void)state;
  assert_int_equal(hone_status_code(status), HONE_IO);
  assert_null(made);
  assert_non_null(strstr(hone_status_message(status), "'/no/such/folder'"));
  hone_status_free(status);
  hone__folder_sweep("/no/such/folder");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(dead_owners_are_swept, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(own_folders_stay, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(nothing_else_is_swept, make_folder, remove_folder),
      cmocka_unit_test(no_such_parent),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
