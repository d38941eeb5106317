/* The runner is executed, not only forked: each has a fresh address-space layout and no memory of
 * the supervisor. Between clone and exec only system calls are allowed, because a raw clone does
 * not reset the locks of the C library.
 *
 * The end of process 1 ends a PID namespace, and the kernel lets process 1 be reaped only after all
 * others are gone. Without a namespace the supervisor inherits the orphans of the runner.
 */
#include "worker/sandbox.h"

#include "hone_machine.h"
#include "proc/child_start.h"
#include "proc/child_tree.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static const double sweep_s = 2;

static const struct {
  const char *name;
  unsigned long flags;
} kinds[] = {
    [HONE__SANDBOX_NAMESPACE] = {"pid namespace", CLONE_NEWPID | CLONE_NEWNS},
    [HONE__SANDBOX_USER_NAMESPACE] = {"pid namespace", CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS},
    [HONE__SANDBOX_PLAIN] = {"descendants", 0},
};

const char *hone__sandbox_kind_name(enum hone__sandbox_kind kind)
{
  return kinds[kind].name;
}

/* ---- Namespaces ---- */

struct identity { /* read before the clone: the new namespace has no mapping yet */
  char user_map[64], group_map[64];
};

static void find_identity(struct identity *identity)
{
  unsigned user = geteuid(), group = getegid();

  snprintf(identity->user_map, sizeof identity->user_map, "%u %u 1\n", user, user);
  snprintf(identity->group_map, sizeof identity->group_map, "%u %u 1\n", group, group);
}

static bool write_file(const char *path, const char *text)
{
  int file = open(path, O_WRONLY | O_CLOEXEC);
  size_t size = strlen(text);
  bool good = file >= 0 && write(file, text, size) == (ssize_t)size;

  if (file >= 0) close(file);
  return good;
}

/* Maps the user to the same ids inside and outside. Without "deny" only root may map groups. */
static bool keep_identity(const struct identity *identity)
{
  return write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", identity->user_map) &&
         write_file("/proc/self/gid_map", identity->group_map);
}

/* New mounts of the machine stay visible inside; mounts made inside do not propagate out. In a
 * chroot "/" is not a mount point. */
static bool keep_mounts(void)
{
  return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0 ||
         mount(NULL, "/proc", NULL, MS_REC | MS_SLAVE, NULL) == 0;
}

/* Mounts a /proc with the process ids of the namespace: CUDA, for example, does not start when
 * getpid() and /proc disagree. */
static bool mount_proc(void)
{
  return keep_mounts() &&
         mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

static bool settle(enum hone__sandbox_kind kind, const struct identity *identity)
{
  if (kind == HONE__SANDBOX_PLAIN) return true;
  return (kind != HONE__SANDBOX_USER_NAMESPACE || keep_identity(identity)) && mount_proc();
}

static pid_t clone_into(enum hone__sandbox_kind kind)
{
  return (pid_t)syscall(SYS_clone, kinds[kind].flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

static bool kind_works(enum hone__sandbox_kind kind)
{
  struct identity identity;
  int status = -1;
  pid_t pid;

  find_identity(&identity);
  pid = clone_into(kind);
  if (pid == 0)
    _exit(settle(kind, &identity) && (kind == HONE__SANDBOX_PLAIN || getpid() == 1) ? 0 : 1);
  if (pid < 0) return false;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

enum hone__sandbox_kind hone__sandbox_find(void)
{
  const char *mode = getenv("HONE_ISOLATION");
  enum hone__sandbox_kind kind = HONE__SANDBOX_NAMESPACE;

  if (mode && strcmp(mode, "none") == 0) return HONE__SANDBOX_PLAIN;
  while (kind != HONE__SANDBOX_PLAIN && !kind_works(kind))
    kind++;
  if (kind == HONE__SANDBOX_PLAIN && mode && strcmp(mode, "namespace") == 0)
    kind = HONE__SANDBOX_USER_NAMESPACE; /* opening it reports the reason */
  return kind;
}

/* ---- The runner's side ---- */

struct start {
  enum hone__sandbox_kind kind;
  const char *role, *device;
  char *program;
  struct identity identity;
  int in, out, output, report; /* its ends of the pipes */
};

_Noreturn static void fail(const struct start *start)
{
  int error = errno;
  ssize_t written = write(start->report, &error, sizeof error);

  _exit(written == sizeof error ? 126 : 127);
}

/* The frames are on descriptors 3 and 4. All four are first copied to higher numbers, so that none
 * is overwritten before it is used. */
static bool take_files(struct start *start)
{
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int *files[] = {&null, &start->output, &start->output, &start->in, &start->out, &start->report};
  int copies[6];

  for (int i = 0; i < 6; i++) {
    copies[i] = fcntl(*files[i], F_DUPFD_CLOEXEC, 10);
    if (copies[i] < 0) return false;
  }
  for (int i = 0; i < 5; i++)
    if (dup2(copies[i], i) < 0) return false;
  start->report = copies[5];
  hone__child_close_files(5, (const int[]){start->report, -1});
  return true;
}

_Noreturn static void become_runner(struct start *start)
{
  const struct rlimit none = {0, 0};
  const char *argv[] = {"hone",     "worker",      "--role",   start->role,
                        "--device", start->device, "--runner", NULL};

  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  setsid();
  hone__child_reset_signals();
  setrlimit(RLIMIT_CORE, &none);
  if (!settle(start->kind, &start->identity) || !take_files(start)) fail(start);
  execv(start->program, (char *const *)(uintptr_t)argv);
  fail(start);
}

/* ---- The supervisor's side ---- */

struct pipes {
  int in[2], out[2], report[2];
};

static bool open_pipes(struct pipes *pipes, struct hone__sandbox *sandbox)
{
  int error = hone__capture_open(&sandbox->output);

  *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
  errno = error;
  return !error && pipe2(pipes->in, O_CLOEXEC) == 0 && pipe2(pipes->out, O_CLOEXEC) == 0 &&
         pipe2(pipes->report, O_CLOEXEC) == 0;
}

static void close_file(int *file)
{
  if (*file >= 0) close(*file);
  *file = -1;
}

static void close_pipes(struct pipes *pipes)
{
  close_file(&pipes->in[0]);
  close_file(&pipes->in[1]);
  close_file(&pipes->out[0]);
  close_file(&pipes->out[1]);
  close_file(&pipes->report[0]);
  close_file(&pipes->report[1]);
}

/* Returns 0, or the errno that prevented the exec. A successful exec closes the pipe. */
static int read_report(struct pipes *pipes)
{
  int error = 0;

  close_file(&pipes->report[1]);
  while (read(pipes->report[0], &error, sizeof error) < 0 && errno == EINTR) {}
  return error;
}

static hone_status cannot_start(int error)
{
  const char *why = strerror(error);

  return hone__error(HONE_IO, "cannot start the runner: %c%s", tolower((unsigned char)*why),
                     why + 1);
}

static void keep_ends(struct hone__sandbox *sandbox, struct pipes *pipes)
{
  sandbox->in = pipes->in[1];
  sandbox->out = pipes->out[0];
  pipes->in[1] = pipes->out[0] = -1;
  fcntl(sandbox->in, F_SETFL, O_NONBLOCK);
  fcntl(sandbox->out, F_SETFL, O_NONBLOCK);
  sandbox->pidfd = (int)syscall(SYS_pidfd_open, sandbox->pid, 0);
  hone__capture_close_write(&sandbox->output);
}

hone_status hone__sandbox_open(enum hone__sandbox_kind kind, const char *role, const char *device,
                               struct hone__sandbox *out_sandbox)
{
  struct start start = {.kind = kind, .role = role, .device = device};
  struct pipes pipes;
  int error = 0;

  *out_sandbox = (struct hone__sandbox){.pidfd = -1, .in = -1, .out = -1};
  start.program = hone_own_program();
  find_identity(&start.identity);
  if (open_pipes(&pipes, out_sandbox)) {
    start.in = pipes.in[0];
    start.out = pipes.out[1];
    start.output = out_sandbox->output.write_end;
    start.report = pipes.report[1];
    out_sandbox->pid = clone_into(kind);
    if (out_sandbox->pid == 0) become_runner(&start);
  }
  if (out_sandbox->pid <= 0) error = errno;
  if (!error) error = read_report(&pipes);
  if (!error)
    keep_ends(out_sandbox, &pipes);
  else if (out_sandbox->pid > 0)
    waitpid(out_sandbox->pid, NULL, 0);
  close_pipes(&pipes);
  free(start.program);
  if (error) hone__sandbox_close(out_sandbox);
  return error ? cannot_start(error) : NULL;
}

void hone__sandbox_kill(const struct hone__sandbox *sandbox)
{
  if (sandbox->pid <= 0) return;
  kill(sandbox->pid, SIGKILL);
  kill(-sandbox->pid, SIGKILL);
}

bool hone__sandbox_reap(enum hone__sandbox_kind kind, const struct hone__sandbox *sandbox,
                        int *out_status, struct rusage *out_usage)
{
  if (wait4(sandbox->pid, out_status, WNOHANG, out_usage) == 0) return false;
  if (kind == HONE__SANDBOX_PLAIN) hone__tree_sweep(sweep_s);
  return true;
}

void hone__sandbox_close(struct hone__sandbox *sandbox)
{
  close_file(&sandbox->pidfd);
  close_file(&sandbox->in);
  close_file(&sandbox->out);
  hone__capture_close(&sandbox->output);
  sandbox->pid = 0;
}
