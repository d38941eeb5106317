/* Process 1 of a PID namespace inherits every orphan in it, and kill(-1) reaches them all at once,
 * including those that are forked meanwhile. Elsewhere a process can become the subreaper
 * (PR_SET_CHILD_SUBREAPER), but has to search /proc for its descendants repeatedly until it has no
 * children left: a fork storm in separate sessions may outrun that for a while.
 *
 * In both cases a process without children has no descendants.
 */
#include "proc/child_tree.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "proc/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
  pid_t pid, parent, group, session;
  bool is_ours;
};

struct processes {
  struct process *items;
  size_t count, capacity;
};

static atomic_bool is_own;

void hone__tree_adopt(void)
{
  if (!is_own) is_own = true; /* a write would copy a page that a fork shares */
  if (getpid() != 1) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

bool hone__tree_is_own(void)
{
  return is_own;
}

const char *hone__child_isolation(void)
{
  hone__tree_adopt();
  return getpid() == 1 ? "pid namespace" : "descendants";
}

/* "PID (name, which may hold anything) STATE PPID PGRP SESSION ..." */
static bool read_process(const char *pid, struct process *out)
{
  char path[64], line[512], *end;
  int file, fields = 0;
  ssize_t got;

  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  got = read(file, line, sizeof line - 1);
  close(file);
  if (got <= 0) return false;
  line[got] = 0;
  end = strrchr(line, ')');
  *out = (struct process){.pid = (pid_t)atol(pid)};
  if (end) fields = sscanf(end + 1, " %*c %d %d %d", &out->parent, &out->group, &out->session);
  return fields == 3;
}

static void read_processes(struct processes *all)
{
  DIR *folder = opendir("/proc");
  struct dirent *entry;

  if (!folder) return;
  while ((entry = readdir(folder))) {
    if (*entry->d_name < '1' || *entry->d_name > '9') continue;
    HONE__GROW(all->items, all->count, all->capacity);
    if (read_process(entry->d_name, &all->items[all->count])) all->count++;
  }
  closedir(folder);
}

static bool is_one_of_ours(const struct processes *all, pid_t pid)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].pid == pid) return all->items[i].is_ours;
  return false;
}

static void mark_descendants(struct processes *all)
{
  bool is_new = true;

  while (is_new) {
    is_new = false;
    for (size_t i = 0; i < all->count; i++) {
      struct process *process = &all->items[i];
      if (process->is_ours) continue;
      process->is_ours = process->parent == getpid() || is_one_of_ours(all, process->parent);
      is_new |= process->is_ours;
    }
  }
}

/* A group in another session was created by a descendant: it is killed as a whole, so that a
 * process that forks and exits continuously does not escape. */
static void kill_descendants(void)
{
  struct processes all = {0};
  pid_t own_session = getsid(0);

  read_processes(&all);
  mark_descendants(&all);
  for (size_t i = 0; i < all.count; i++) {
    if (!all.items[i].is_ours) continue;
    kill(all.items[i].pid, SIGKILL);
    if (all.items[i].session != own_session && all.items[i].group > 1)
      kill(-all.items[i].group, SIGKILL);
  }
  free(all.items);
}

/* Returns true when there are no children. Counts the processes that died of SIGKILL. */
static bool reap(size_t *count)
{
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return true;
    if (pid == 0) return false;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ++*count;
  }
}

size_t hone__tree_sweep(double limit_s)
{
  size_t before = 0, killed = 0;
  double end;

  HONE__ASSERT(is_own);
  if (reap(&before)) return 0;
  end = hone__clock() + limit_s;
  for (long pause_ns = 100000; hone__clock() < end; pause_ns += pause_ns < 5000000 ? pause_ns : 0) {
    struct timespec pause = {.tv_nsec = pause_ns};
    if (getpid() == 1)
      kill(-1, SIGKILL);
    else
      kill_descendants();
    if (reap(&killed)) break;
    nanosleep(&pause, NULL);
  }
  return killed;
}
