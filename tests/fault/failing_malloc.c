/* Preloaded into a program: an allocation fails.
 *
 *   LD_PRELOAD=libfailing_malloc.so FAIL_ROLE=tune FAIL_AT=17 [FAIL_ON=1] hone tune ...
 *
 * The 17th allocation of each `hone` process whose first argument (or, of workers, whose role) is
 * FAIL_ROLE returns NULL; with FAIL_ON all later ones, too. Without FAIL_AT allocations are counted
 * and FAIL_COUNT, a file, gets a line with their number when the process ends. With FAIL_MARK, a
 * file, a line is written there when an allocation fails. Forked children count on from there.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long made;
static atomic_bool is_meant;
static long fail_at;
static bool fail_on;

static void append(const char *variable, const char *line, size_t length)
{
  const char *path = getenv(variable);
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

  if (file < 0) return;
  if (write(file, line, length) < 0) {} /* who counts sees it */
  close(file);
}

/* argv[1] == FAIL_ROLE, or "worker" with FAIL_ROLE among its words. */
static bool has_role(const char *role)
{
  char words[4096];
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, words, sizeof words - 1);
  const char *name, *first;

  if (file >= 0) close(file);
  if (size <= 0) return false;
  words[size] = 0;
  name = strrchr(words, '/');
  if (strcmp(name ? name + 1 : words, "hone") != 0) return false;
  first = words + strlen(words) + 1;
  if (first >= words + size) return false;
  if (strcmp(first, role) == 0) return true;
  if (strcmp(first, "worker") != 0) return false;
  for (const char *word = first; word < words + size; word += strlen(word) + 1)
    if (strcmp(word, role) == 0) return true;
  return false;
}

__attribute__((constructor)) static void begin(void)
{
  const char *role = getenv("FAIL_ROLE"), *at = getenv("FAIL_AT");

  fail_at = at ? strtol(at, NULL, 10) : 0;
  fail_on = getenv("FAIL_ON") != NULL;
  if (role && has_role(role)) atomic_store(&is_meant, true);
}

__attribute__((destructor)) static void end(void)
{
  char line[32];
  int length;

  if (!atomic_load(&is_meant) || fail_at) return;
  length = snprintf(line, sizeof line, "%ld\n", atomic_load(&made));
  append("FAIL_COUNT", line, (size_t)length);
}

static bool fails(void)
{
  long number;

  if (!atomic_load_explicit(&is_meant, memory_order_relaxed)) return false;
  number = atomic_fetch_add(&made, 1) + 1;
  if (!fail_at || (fail_on ? number < fail_at : number != fail_at)) return false;
  if (number == fail_at) append("FAIL_MARK", "x\n", 2);
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size)
{
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
  return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
  void *memory = fails() ? NULL : __libc_memalign(alignment, size);

  if (!memory) return ENOMEM;
  *out = memory;
  return 0;
}
