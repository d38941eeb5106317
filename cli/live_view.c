#include "live_view.h"

#include "message.h"
#include "own_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* It must not disturb what is measured: it runs only when nothing else wants to. */
static void become_view(const char *store, const char *address)
{
  const char *words[] = {own_file(),
                         "report",
                         "last",
                         "--follow",
                         "--address",
                         *address ? address : "127.0.0.1:0",
                         store ? "--store" : NULL,
                         store,
                         NULL};
  int null = open("/dev/null", O_RDWR);

  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (nice(19) == -1) _exit(1);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  execv(words[0], (char *const *)words);
  _exit(127);
}

pid_t live_view_start(const char *store, const char *address)
{
  pid_t view = fork();

  if (view == 0) become_view(store, address);
  if (view < 0) message_note("warning: the live page cannot be started");
  return view;
}

void live_view_stop(pid_t view)
{
  if (view <= 0) return;
  kill(view, SIGTERM);
  waitpid(view, NULL, 0);
}
