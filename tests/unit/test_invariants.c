/* Invariants that are asserted: what is sound passes, and what is broken ends the process with a
 * message that names the place. */
#include "pool/queue.h"
#include "space/diagram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Diagrams ---- */

/* (0,0) (0,1) (1,0) (1,1) (2,1): three nodes, since 0 and 1 lead to the same. */
static struct hone__diagram *make_diagram(void)
{
  static const uint32_t rows[] = {0, 0, 0, 1, 1, 0, 1, 1, 2, 1};
  struct hone__diagram *diagram;

  assert_null(hone__diagram_from_rows(rows, 5, 2, &diagram));
  return diagram;
}

static void test_sound_diagram(void **state)
{
  struct hone__diagram *diagram = make_diagram(), none = {0};

  (void)state;
  assert_int_equal(diagram->node_count, 4);
  assert_true(hone__diagram_is_sound(diagram));
  assert_true(hone__diagram_is_sound(&none));
  hone__diagram_free(diagram);
}

static void break_count(struct hone__diagram *diagram)
{
  diagram->nodes[diagram->root].count++;
  diagram->count++;
}
static void break_total(struct hone__diagram *diagram)
{
  diagram->count--;
}
static void break_order(struct hone__diagram *diagram)
{
  diagram->edges[diagram->nodes[diagram->root].first + 1].value = 0;
}
static void break_before(struct hone__diagram *diagram)
{
  diagram->edges[diagram->nodes[diagram->root].first + 1].before++;
}
static void break_child(struct hone__diagram *diagram)
{
  diagram->edges[diagram->nodes[diagram->root].first].child = diagram->node_count;
}
static void break_width(struct hone__diagram *diagram)
{
  diagram->nodes[diagram->root].width = 0;
}
static void break_range(struct hone__diagram *diagram)
{
  diagram->nodes[diagram->root].first = diagram->edge_count;
}

static void test_broken_diagrams(void **state)
{
  void (*const ways[])(struct hone__diagram *) = {
      break_count, break_total, break_order, break_before, break_child, break_width, break_range};

  (void)state;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    struct hone__diagram *diagram = make_diagram();
    ways[i](diagram);
    assert_false(hone__diagram_is_sound(diagram));
    hone__diagram_free(diagram);
  }
}

/* ---- Processes that end ---- */

/* What the function writes to standard error before it ends its process. */
static void expect_defect(void (*function)(void), const char *words)
{
  char said[512] = "";
  int ends[2], status;
  ssize_t got;
  pid_t child;

  assert_int_equal(pipe(ends), 0);
  child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    function();
    _exit(0);
  }
  close(ends[1]);
  got = read(ends[0], said, sizeof said - 1);
  close(ends[0]);
  assert_true(got > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(WTERMSIG(status), SIGABRT);
  assert_non_null(strstr(said, "hone: defect in "));
  assert_non_null(strstr(said, words));
}

static struct hone__queued_job *make_job(uint64_t number)
{
  return hone__queued_job_new(&(struct hone__job){.head = hone__packed_new()}, NULL, number);
}

static void insert_twice(void)
{
  struct hone__queued_job *list = NULL, *queued = make_job(1);

  hone__queue_insert(&list, queued);
  hone__queue_insert(&list, queued);
}

static void drop_once_too_often(void)
{
  struct hone__pool_setup setup = {.holders = 0};

  hone__pool_setup_drop(&setup);
}

static void test_defects_end_the_process(void **state)
{
  (void)state;
  expect_defect(insert_twice, "queue.c");
  expect_defect(drop_once_too_often, "not so: !setup || setup->holders > 0");
}

/* ---- Queues ---- */

static void count_answers(void *data, const struct hone__reply *reply)
{
  (void)reply;
  ++*(int *)data;
}

static void test_queue_is_ordered(void **state)
{
  static const uint64_t numbers[] = {3, 1, 2};
  struct hone__queued_job *list = NULL, *queued;
  int answers = 0;

  (void)state;
  for (size_t i = 0; i < 3; i++) {
    queued = make_job(numbers[i]);
    queued->job.done = count_answers;
    queued->job.data = &answers;
    hone__queue_insert(&list, queued);
  }
  for (uint64_t i = 1; i <= 3; i++) {
    queued = hone__queue_take(&list);
    assert_int_equal(queued->number, i);
    assert_null(queued->next);
    hone__queued_job_answer(queued, &(struct hone__reply){0});
    assert_int_equal(answers, (int)i);
  }
  assert_null(hone__queue_take(&list));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sound_diagram),
      cmocka_unit_test(test_broken_diagrams),
      cmocka_unit_test(test_defects_end_the_process),
      cmocka_unit_test(test_queue_is_ordered),
  };

  return cmocka_run_group_tests_name("invariants", tests, NULL, NULL);
}
