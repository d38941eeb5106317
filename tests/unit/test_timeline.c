/* What workers did: all jobs of a short run, cells of a long one. */
#include "report/report_timeline.h"

#include "stores.h"

enum { MANY = 5000 };

static struct hone__report_timeline load(struct hone_store *store, int64_t run,
                                         struct hone__arena *arena)
{
  struct hone__report_timeline timeline;

  assert_null(hone__report_timeline_load(store, run, arena, &timeline));
  return timeline;
}

static void short_runs_list_all_jobs(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  struct hone__arena arena = {0};
  struct hone__report_timeline timeline;

  (void)state;
  put_jobs(store, run, 1);
  timeline = load(store, run, &arena);
  assert_int_equal(timeline.lane_count, 2);
  assert_int_equal(timeline.job_count, 3);
  assert_int_equal(timeline.cell_count, 0);
  assert_string_equal(timeline.lanes[0].name, "gpu1/sim:0");
  assert_string_equal(timeline.lanes[1].host, "");
  assert_true(timeline.lanes[0].busy_s == 1.5 && timeline.lanes[0].failures == 1);
  assert_true(timeline.lanes[1].jobs == 1 && timeline.end_s == 2);
  hone__arena_release(&arena);
  hone__store_close(store);
}

/* One job after the other, of a second each: screening first, then the confirmation. One is given
 * to a worker once more. */
static void put_many(struct hone_store *store, int64_t run)
{
  struct hone__stored_worker worker = {.role = "run", .name = "c:0"};
  struct hone__stored_job *jobs = hone__alloc(MANY * sizeof *jobs);
  int64_t number;

  assert_null(hone__store_worker_put(store, run, &worker, &number));
  for (size_t i = 0; i < MANY; i++)
    jobs[i] =
        (struct hone__stored_job){.worker = number,
                                  .phase = i < MANY / 2 ? HONE_PHASE_SCREEN : HONE_PHASE_CONFIRM,
                                  .began_s = (double)i,
                                  .took_s = 1,
                                  .is_requeued = i == 7};
  assert_null(hone__store_jobs_add(store, run, 1, jobs, MANY));
  free(jobs);
}

static void long_runs_have_cells(void **state)
{
  struct hone_store *store = open_store(false);
  int64_t run = begin(store, "k");
  struct hone__arena arena = {0};
  struct hone__json_writer json = {0};
  struct hone__report_timeline timeline;
  double busy_s = 0;

  (void)state;
  put_many(store, run);
  timeline = load(store, run, &arena);
  assert_int_equal(timeline.all_jobs, MANY);
  assert_int_equal(timeline.job_count, 1); /* the event */
  assert_int_equal(timeline.cell_count, 500);
  for (size_t i = 0; i < timeline.cell_count; i++)
    for (int phase = 0; phase < HONE__REPORT_PHASES; phase++)
      busy_s += (double)timeline.lanes[0].cells[i].busy_s[phase];
  assert_true(fabs(busy_s - MANY) < 1e-3 * MANY);
  assert_true(timeline.lanes[0].cells[0].busy_s[HONE_PHASE_SCREEN] == 10);
  assert_true(timeline.lanes[0].cells[499].busy_s[HONE_PHASE_CONFIRM] == 10);
  assert_true(timeline.lanes[0].cells[499].busy_s[HONE_PHASE_SCREEN] == 0);
  hone__json_open(&json, NULL, '{');
  hone__report_timeline_print(&timeline, &json);
  hone__json_close(&json, '}');
  assert_non_null(strstr(json.text.data, "\"lanes\""));
  hone__text_release(&json.text);
  hone__arena_release(&arena);
  hone__store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_open_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(short_runs_list_all_jobs),
      TEST(long_runs_have_cells),
  };

  return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
