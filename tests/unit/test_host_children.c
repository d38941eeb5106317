/* A program that uses the library has children of its own: nothing that the library starts and ends
 * there may touch them. Workers, and all other test programs, end all that they have started. */
#include "filter.h"

#include "proc/child.h"
#include "proc/helper.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

const bool test_is_host = true;

static pid_t start_child(void)
{
  pid_t child = fork();

  if (child != 0) return child;
  for (;;)
    pause();
}

static void end_child(pid_t child)
{
  int status;

  assert_int_equal(waitpid(child, &status, WNOHANG), 0); /* it lives */
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, &status, 0), child);
}

static void expect_no_subreaper(void)
{
  int is_subreaper = 1;

  prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper, 0, 0, 0);
  assert_int_equal(is_subreaper, 0);
}

static void test_after_a_program(void **state)
{
  const char *const argv[] = {"true", NULL};
  pid_t child = start_child();
  struct hone__child_result result;

  (void)state;
  hone__child_run(&(struct hone__child_options){.argv = argv}, &result);
  assert_int_equal(result.end, HONE__CHILD_EXITED);
  hone__child_result_release(&result);
  expect_no_subreaper();
  end_child(child);
}

static void serve(void *start)
{
  (void)start;
  for (;;)
    pause();
}

static void test_after_a_helper(void **state)
{
  pid_t child = start_child();
  struct hone__helper *helper = NULL;
  struct hone__helper_answer answer;

  (void)state;
  hone__helper_ask(&helper, &(struct hone__helper_request){.serve = serve, .timeout_s = 0.05},
                   &answer);
  assert_int_equal(answer.child.end, HONE__CHILD_TIMED_OUT);
  hone__helper_answer_release(&answer);
  hone__helper_end(helper);
  expect_no_subreaper();
  end_child(child);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_after_a_program),
      cmocka_unit_test(test_after_a_helper),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
