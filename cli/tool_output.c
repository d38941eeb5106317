/* The tool leads its own process group, so that all of it ends at the time limit: such tools may
 * hang when a driver fails.
 */
#include "tool_output.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SECONDS = 10, MOST_BYTES = 1 << 20, PART_BYTES = 4096 };

extern char **environ;

static bool start(const char *const *argv, int output, pid_t *out_pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error;

  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  error =
      posix_spawnp(out_pid, argv[0], &actions, &attributes, (char *const *)(void *)argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0;
}

static int left_ms(const struct timespec *end)
{
  struct timespec now;
  long long left;

  clock_gettime(CLOCK_MONOTONIC, &now);
  left = (end->tv_sec - now.tv_sec) * 1000LL + (end->tv_nsec - now.tv_nsec) / 1000000;
  return left > 0 ? (int)left : 0;
}

/* True at the end of the output; false at the time limit, or if there is too much. */
static bool read_all(int file, const struct timespec *end, size_t most_bytes, struct output *text)
{
  while (text->used < most_bytes) {
    struct pollfd wait = {.fd = file, .events = POLLIN};
    int ready = poll(&wait, 1, left_ms(end));
    ssize_t got;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    got = read(file, output_room(text, PART_BYTES), PART_BYTES);
    if (got == 0) return true;
    if (got > 0)
      text->used += (size_t)got;
    else if (errno != EINTR)
      return false;
  }
  return false;
}

/* True if it ends by itself, and well. */
static bool wait_for(pid_t pid, const struct timespec *end)
{
  int status = -1;
  pid_t got;

  while ((got = waitpid(pid, &status, WNOHANG)) == 0 && left_ms(end) > 0)
    poll(NULL, 0, 1);
  if (got == pid) return status == 0;
  kill(-pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return false;
}

bool tool_output(const char *const *argv, char **out_text)
{
  return tool_output_within(argv, MOST_SECONDS, MOST_BYTES, out_text);
}

bool tool_output_within(const char *const *argv, int most_seconds, size_t most_bytes,
                        char **out_text)
{
  struct timespec end;
  struct output text;
  int ends[2];
  pid_t pid;
  bool good;

  *out_text = NULL;
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  output_open(&text, OUTPUT_MEMORY, false);
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += most_seconds;
  good = start(argv, ends[1], &pid);
  close(ends[1]);
  if (good && !read_all(ends[0], &end, most_bytes, &text)) clock_gettime(CLOCK_MONOTONIC, &end);
  if (good) good = wait_for(pid, &end);
  close(ends[0]);
  if (good) *out_text = check_memory(strndup(text.bytes, text.used));
  output_close(&text);
  return good;
}
