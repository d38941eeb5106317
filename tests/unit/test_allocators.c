/* The libraries' allocators: on top of what the host program has, installed once from any thread,
 * and the process ends with a message where there is no memory. */
#include "base/allocators.h"

#include <jansson.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>

/* ---- The host program's ---- */

static size_t host_taken, host_freed;
static bool host_fails;

static void *host_malloc(size_t size)
{
  if (host_fails) return NULL;
  host_taken++;
  return malloc(size);
}

static void host_free(void *memory)
{
  host_freed += memory != NULL;
  free(memory);
}

static void *install(void *unused)
{
  hone__allocators_install();
  return unused;
}

static void install_from_threads(void)
{
  pthread_t threads[8];

  for (size_t i = 0; i < 8; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, install, NULL), 0);
  for (size_t i = 0; i < 8; i++)
    pthread_join(threads[i], NULL);
}

/* ---- Tests ---- */

static void test_memory_of_both_may_be_mixed(void **state)
{
  json_t *before, *after;
  uv_loop_t loop;

  (void)state;
  json_set_alloc_funcs(host_malloc, host_free);
  assert_int_equal(uv_loop_init(&loop), 0);
  before = json_pack("{s:[i,i]}", "before", 1, 2);
  install_from_threads();
  after = json_pack("{s:O}", "after", before);
  json_decref(before);
  json_decref(after);
  assert_int_equal(uv_loop_close(&loop), 0);
  assert_true(host_taken > 4);
  assert_int_equal(host_taken, host_freed);
}

/* Runs it in a child; what it writes to standard error comes back with its exit status. */
static int status_of(void run(void), char *words, size_t size)
{
  int ends[2], status;
  ssize_t got;
  pid_t child;

  assert_int_equal(pipe(ends), 0);
  child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    run();
    _exit(77);
  }
  close(ends[1]);
  got = read(ends[0], words, size - 1);
  words[got > 0 ? got : 0] = 0;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void make_json(void)
{
  host_fails = true;
  json_object();
}

static void test_no_memory_ends_with_a_message(void **state)
{
  char words[100];

  (void)state;
  hone__allocators_install();
  assert_int_equal(status_of(make_json, words, sizeof words), 1);
  assert_string_equal(words, "hone: out of memory\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory_of_both_may_be_mixed),
      cmocka_unit_test(test_no_memory_ends_with_a_message),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
