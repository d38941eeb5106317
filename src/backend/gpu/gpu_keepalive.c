/* The process is orphaned at once, so that no process of Hone has to reap it. It notices the end of
 * its user as the end of a pipe. */
#include "backend/gpu/gpu_keepalive.h"

#include "proc/child_start.h"
#include "proc/child_tree.h"

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

struct user {
  const struct hone__gpu_driver *driver;
  int pipe_end;
};

static void initialise(void *data)
{
  const struct user *user = data;
  struct hone__wire_device_list devices = {0};
  struct pollfd end = {.fd = user->pipe_end};
  hone_status status = user->driver->list(&devices);

  if (!status) poll(&end, 1, HOLD_MS);
  _exit(0); /* without exit handlers of the library */
}

/* The library works in a child: whatever it leaves running ends with that. */
static _Noreturn void stay(struct user user)
{
  const int keep[] = {user.pipe_end, -1};
  struct hone__child_options options = {
      .function = initialise, .data = &user, .keep = keep, .timeout_s = 2e-3 * HOLD_MS};
  struct hone__child_result result;

  setsid();
  hone__child_reset_signals();
  leave_files(user.pipe_end);
  hone__tree_adopt();
  hone__child_run(&options, &result);
  _exit(0);
}

void hone__gpu_keep_alive(const struct hone__gpu_driver *driver)
{
  int ends[2];
  pid_t child;

  if (is_begun || pipe2(ends, O_CLOEXEC) != 0) return;
  is_begun = true;
  child = fork();
  if (child == 0) {
    close(ends[1]);
    if (fork() == 0) stay((struct user){driver, ends[0]});
    _exit(0);
  }
  close(ends[0]); /* the other end is closed with this process */
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}
