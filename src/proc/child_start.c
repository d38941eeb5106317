/* Removes everything that a child must not share with its parent. Failures are written into the
 * note, so that a missing program is not mistaken for a failure of the program.
 */
#include "proc/child_start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

_Noreturn static void give_up(struct hone__child_note *note)
{
  note->error = errno ? errno : EIO;
  _exit(127);
}

void hone__child_reset_signals(void)
{
  sigset_t none;

  for (int number = 1; number < NSIG; number++)
    signal(number, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- The note ---- */

/* The child has the same address space. It does not look itself, because files of /proc that name
 * a process are slow for one that has just begun. */
static size_t read_own_space(void)
{
  char line[128] = "";
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? 0 : read(file, line, sizeof line - 1);

  if (file >= 0) close(file);
  return got > 0 ? strtoull(line, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

struct hone__child_note *hone__child_note_make(const struct hone__child_options *options)
{
  struct hone__child_note *note =
      mmap(NULL, sizeof *note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (note == MAP_FAILED) return NULL;
  note->parent = getpid();
  if (options->memory_bytes) note->space_bytes = read_own_space();
  return note;
}

void hone__child_note_free(struct hone__child_note *note)
{
  if (note) munmap(note, sizeof *note);
}

/* ---- Descriptors ---- */

static void close_range_slowly(unsigned first, unsigned last)
{
  long most = sysconf(_SC_OPEN_MAX);

  if (most < 0 || most > 65536) most = 65536;
  for (unsigned file = first; file <= last && file < (unsigned)most; file++)
    close((int)file);
}

static void close_between(unsigned first, unsigned last)
{
  if (first > last) return;
  if (syscall(SYS_close_range, first, last, 0) != 0) close_range_slowly(first, last);
}

static int next_kept(const int *keep, int from)
{
  int next = INT_MAX;

  for (; keep && *keep >= 0; keep++)
    if (*keep >= from && *keep < next) next = *keep;
  return next;
}

void hone__child_close_files(int first, const int *keep)
{
  for (;;) {
    int kept = next_kept(keep, first);
    if (kept == INT_MAX) break;
    if (kept > first) close_between((unsigned)first, (unsigned)kept - 1);
    first = kept + 1;
  }
  close_between((unsigned)first, UINT_MAX);
}

static void keep_across_exec(const int *keep)
{
  for (; keep && *keep >= 0; keep++)
    fcntl(*keep, F_SETFD, 0);
}

static void take_files(const struct hone__child_options *options, int output, int errors,
                       struct hone__child_note *note)
{
  int input = options->input > 0 ? options->input : open("/dev/null", O_RDONLY | O_CLOEXEC);

  if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) give_up(note);
  hone__child_close_files(3, options->keep);
  keep_across_exec(options->keep);
}

/* ---- Environment ---- */

void hone__child_take_variables(const char *const *variables)
{
  for (; variables && *variables; variables++) {
    const char *equals = strchr(*variables, '=');
    char *name = hone__strndup(*variables, equals ? (size_t)(equals - *variables) : SIZE_MAX);
    if (name && equals) setenv(name, equals + 1, 1);
    if (name && !equals) unsetenv(name);
    free(name);
  }
}

/* ---- Limits ---- */

static void limit(int resource, size_t bytes)
{
  struct rlimit old, new = {.rlim_cur = bytes, .rlim_max = bytes};

  if (getrlimit(resource, &old) == 0 && old.rlim_max < new.rlim_max)
    new.rlim_cur = new.rlim_max = old.rlim_max;
  setrlimit(resource, &new);
}

static void take_limits(const struct hone__child_options *options, struct hone__child_note *note)
{
  struct rusage usage;

  limit(RLIMIT_CORE, 0);
  if (options->file_bytes) limit(RLIMIT_FSIZE, options->file_bytes);
  if (!options->memory_bytes) return;
  if (getrusage(RUSAGE_SELF, &usage) == 0) note->base_bytes = (size_t)usage.ru_maxrss * 1024;
  limit(RLIMIT_AS, note->space_bytes + options->memory_bytes);
}

/* ---- kill(-1) ---- */

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

/* kill(-1) reaches every process of the user, or of all users for root. Code that kills the result
 * of a failed fork does not intend that. In a PID namespace the call stays inside; elsewhere a
 * filter refuses it, where the kernel supports one. The flag keeps the filter from slowing down
 * measured code. Executed programs get no filter, because it would disable sudo. */
static void forbid_kill_all(void)
{
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};

  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

/* ---- The work ---- */

static bool is_in_path(const char *program)
{
  char file[PATH_MAX];
  size_t length;

  for (const char *path = getenv("PATH"); path && *path; path += length + (path[length] == ':')) {
    length = strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program);
    if (access(file, F_OK) == 0) return true;
  }
  return false;
}

/* For a program that does not exist, execvp may report a folder of PATH that cannot be searched. */
_Noreturn static void execute(const char *const *argv, struct hone__child_note *note)
{
  execvp(argv[0], (char *const *)(uintptr_t)argv);
  if (errno == EACCES) errno = strchr(argv[0], '/') || is_in_path(argv[0]) ? EACCES : ENOENT;
  give_up(note);
}

/* Unmaps the note first: untrusted code runs from here on. */
_Noreturn static void call(const struct hone__child_options *options, struct hone__child_note *note)
{
  if (note->parent != 1) forbid_kill_all();
  hone__child_note_free(note);
  options->function(options->data);
  fflush(NULL);
  _exit(0);
}

_Noreturn void hone__child_begin(const struct hone__child_options *options, int output, int errors,
                                 struct hone__child_note *note)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != note->parent) _exit(127); /* the parent died before the setting took effect */
  setpgid(0, 0);
  hone__child_reset_signals();
  take_files(options, output, errors, note);
  hone__child_take_variables(options->variables);
  take_limits(options, note);
  if (options->directory && chdir(options->directory) != 0) give_up(note);
  if (!options->argv) call(options, note);
  execute(options->argv, note);
}
