/* The process is nobody's child, so that nobody has to reap it. It sees the end of its user as the
 * end of a pipe.
 */
#include "backend/gpu/gpu_awake.h"

#include "proc/child_start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOLD_MS = 10000 };

static bool is_begun;

/* Whoever reads our output does not wait for this process, and never sees what a library prints. */
static void leave_files(int pipe_end)
{
  const int keep[] = {pipe_end, -1};
  int nowhere;

  hone__child_close_files(0, keep);
  nowhere = open("/dev/null", O_RDWR);
  while (nowhere >= 0 && nowhere < 2)
    nowhere = dup(nowhere);
}

static _Noreturn void stay(const struct hone__gpu_driver *driver, int pipe_end)
{
  struct hone__wire_device_list devices = {0};
  struct pollfd end = {.fd = pipe_end};
  hone_status status;

  setsid();
  hone__child_reset_signals();
  leave_files(pipe_end);
  status = driver->list(&devices);
  if (!status) poll(&end, 1, HOLD_MS);
  _exit(0);
}

void hone__gpu_keep_awake(const struct hone__gpu_driver *driver)
{
  int ends[2];
  pid_t child;

  if (is_begun || pipe2(ends, O_CLOEXEC) != 0) return;
  is_begun = true;
  child = fork();
  if (child == 0) {
    close(ends[1]);
    if (fork() == 0) stay(driver, ends[0]);
    _exit(0);
  }
  close(ends[0]); /* the other end is closed with this process */
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}
