/* The ranking: its order, who takes part in the contest, and how long a row of them takes. */
#include "tune/ranking.h"
#include "folder.h"
#include "tune/objectives.h"

static const char head[] = "name: t\n"
                           "file: k.c\n"
                           "params: {X: 'range(100)'}\n"
                           "metrics: {size: 100 - X, speed: 1 / time_s}\n"
                           "baseline: {X: 0}\n";
static const double BASELINE_NS = 1e6;

struct world {
  struct hone_spec *spec;
  struct hone_tune_options options;
  struct hone__candidate baseline;
  struct hone__site site;
  struct hone__tuning tuning;
};

static struct hone_spec *load(const char *yaml)
{
  struct hone_spec_options options;
  struct hone_spec *spec = NULL;
  const char *files[] = {path_of("t.yaml")};
  struct hone__text text = {0};

  hone__text_addf(&text, "%s%s", head, yaml);
  write_text("t.yaml", text.data);
  hone__text_release(&text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  assert_null(hone_spec_load(&options, &spec));
  return spec;
}

static void open_world(struct world *world, const char *yaml)
{
  struct hone_space_options options;
  struct hone__tuning *tuning = &world->tuning;

  *world = (struct world){.spec = load(yaml), .baseline = {.measure_key = "own"}};
  hone_tune_options_init(&world->options);
  hone_space_options_init(&options);
  tuning->session.settings.options = &world->options;
  tuning->baseline.candidate = &world->baseline;
  tuning->session.workers.sites = &world->site;
  tuning->session.workers.site_count = 1;
  tuning->session.settings.finalists = 2;
  assert_null(hone_space_build(world->spec, &options, &tuning->session.problem.space));
  assert_null(
      hone__task_init(&tuning->session.problem.task, world->spec, tuning->session.problem.space));
  hone__objectives_settle(&tuning->session.objectives, world->spec);
}

static void close_world(struct world *world)
{
  free(world->tuning.ranking.entries);
  hone__task_release(&world->tuning.session.problem.task);
  hone_space_free(world->tuning.session.problem.space);
  hone__arena_release(&world->tuning.session.arena);
  hone_spec_free(world->spec);
}

/* X=x, whose time is this multiple of the baseline's; `key`: of its object, NULL: none. */
static void add(struct world *world, uint32_t x, double ratio, const char *key)
{
  char config[20];
  const uint32_t row[] = {0, x};
  struct hone__evaluation evaluation = {.id = x,
                                        .config = config,
                                        .measure_key = key,
                                        .time_ns = ratio * BASELINE_NS,
                                        .baseline_ns = BASELINE_NS,
                                        .cold_ns = 10 * ratio * BASELINE_NS};

  snprintf(config, sizeof config, "X=%u", x);
  hone__ranking_add(&world->tuning, row, &evaluation,
                    &(const struct hone__ranked_time){evaluation.time_ns, BASELINE_NS, .at = NAN});
}

static size_t choose(struct world *world, double race_s, bool promising, size_t *at)
{
  struct hone__pick pick = {.places = 2, .rows = 10, .race_s = race_s, .promising = promising};

  hone__ranking_order(&world->tuning);
  return hone__ranking_pick(&world->tuning, &pick, at);
}

/* "X=3 X=1": those who take part. */
static void expect_choice(struct world *world, double race_s, const char *expected)
{
  struct hone__text text = {0};
  size_t at[HONE__MOST_RACERS], count = choose(world, race_s, false, at);

  for (size_t i = 0; i < count; i++)
    hone__text_addf(&text, "%s%s", i ? " " : "", world->tuning.ranking.entries[at[i]].config);
  assert_string_equal(text.data ? text.data : "", expected);
  hone__text_release(&text);
}

static void test_order(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "");
  expect_choice(&world, 100, "");
  add(&world, 4, 0.9, "d");
  add(&world, 2, 0.8, "b");
  add(&world, 7, NAN, "n"); /* nothing is known of it */
  add(&world, 3, 0.9, "c");
  add(&world, 1, 0.95, "a");
  expect_choice(&world, 100, "X=2 X=3 X=4 X=1"); /* equal ones by their names */
  assert_int_equal(world.tuning.ranking.entries[0].evaluation, 2);
  close_world(&world);
}

static void test_doubles(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "");
  add(&world, 1, 0.9, "a");
  add(&world, 2, 0.8, "a");
  add(&world, 3, 0.7, "own"); /* the baseline's object */
  add(&world, 4, 0.85, NULL);
  add(&world, 5, 0.86, NULL); /* without a key nobody knows */
  expect_choice(&world, 100, "X=2 X=4 X=5");
  close_world(&world);
}

static void test_left_out_candidates(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "");
  add(&world, 1, 0.5, "a");
  add(&world, 2, 0.9, "b");  /* far from the best, but a finalist */
  add(&world, 3, 0.95, "c"); /* too far */
  expect_choice(&world, 100, "X=1 X=2");
  close_world(&world);

  open_world(&world, "");
  add(&world, 1, 1.4, "a");
  add(&world, 2, 1.6, "b"); /* hopeless */
  expect_choice(&world, 100, "X=1");
  world.options.keep_slower = true;
  expect_choice(&world, 100, "X=1 X=2");
  close_world(&world);
}

static const size_t first[] = {0, 1, 2};

static void add_five(struct world *world)
{
  for (uint32_t x = 1; x <= 5; x++)
    add(world, x, 1, NULL);
}

/* The baseline and three candidates of 1 ms each: ten rows take 40 ms. */
static void test_time(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "backend: c\nargs: [{name: x, type: f32, shape: [4], role: out}]\n");
  add_five(&world);
  expect_choice(&world, 0.0401, "X=1 X=2 X=3");
  expect_choice(&world, 0, "X=1 X=2"); /* finalists always */
  assert_float_equal(hone__ranking_row_s(&world.tuning, first, 3), 4e-3, 1e-8);
  close_world(&world);
}

/* A sample of a program is a whole run of it: as long as the first one, here ten times its time. */
static void test_time_of_programs(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "backend: program\n");
  add_five(&world);
  expect_choice(&world, 0.3101, "X=1 X=2 X=3");
  expect_choice(&world, 0.0401, "X=1 X=2");
  assert_float_equal(hone__ranking_row_s(&world.tuning, first, 3), 31e-3, 1e-8);
  close_world(&world);
}

static void test_many(void **state)
{
  size_t at[HONE__MOST_RACERS];
  struct world world;

  (void)state;
  open_world(&world, "");
  for (uint32_t x = 1; x < 100; x++)
    add(&world, x, 0.9, NULL);
  assert_int_equal(choose(&world, 1000, false, at), 64);
  close_world(&world);
}

/* The baseline took 1 ms, and twice as long for a while: X=1 is as fast as ever, X=2 is no faster,
 * X=3 was measured where nobody knows. */
static void test_drift(void **state)
{
  static const double readings_ns[] = {1e6, 1e6, 1e6, 2e6, 2e6, 2e6};
  static const struct {
    double at, time_ns, ratio, doubt;
  } rows[] = {{0.5, 0.9e6, 0.9, 0}, {4.5, 1.9e6, 0.95, 0}, {2.5, 1.5e6, 1.5 / M_SQRT2, M_LN2}};
  struct world world;
  size_t at[HONE__MOST_RACERS];

  (void)state;
  open_world(&world, "");
  for (int i = 0; i < 6; i++)
    hone__readings_add(&world.site.history, i, &readings_ns[i], 1);
  for (int i = 0; i < 12; i++) /* the machine is steady otherwise */
    hone__readings_add(&world.site.history, 6 + i, &readings_ns[5], 1);
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t row[] = {0, i + 1};
    char config[20];
    struct hone__evaluation evaluation = {
        .id = i + 1, .config = config, .time_ns = rows[i].time_ns, .baseline_ns = 1e6};
    snprintf(config, sizeof config, "X=%u", i + 1);
    hone__ranking_add(&world.tuning, row, &evaluation,
                      &(const struct hone__ranked_time){rows[i].time_ns, 1e6, rows[i].at, 0});
  }
  expect_choice(&world, 100, "X=1 X=2 X=3"); /* who is in doubt is not left out */
  for (int i = 0; i < 3; i++) {
    const struct hone__ranked *ranked = hone__ranking_find(&world.tuning, i + 1);
    assert_float_equal(ranked->ratio, rows[i].ratio, 1e-6);
    assert_float_equal(ranked->doubt, rows[i].doubt, 1e-6);
  }
  world.tuning.session.settings.margin = 0.06;
  assert_int_equal(hone__ranking_promising(&world.tuning), 2); /* X=2 is not faster by 6 % */
  assert_int_equal(choose(&world, 100, true, at), 2);
  hone__readings_release(&world.site.history);
  close_world(&world);
}

/* Whoever failed or was confirmed makes room for the next. */
static void test_next_ones(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "");
  add(&world, 1, 0.001, "a");
  add(&world, 2, 0.002, "b");
  add(&world, 3, 0.5, "c");
  add(&world, 4, 0.55, "d");
  add(&world, 5, 0.6, "e");
  expect_choice(&world, 100, "X=1 X=2"); /* the others are not near */
  hone__ranking_remove(&world.tuning, 1);
  hone__ranking_remove(&world.tuning, 1); /* is not there any more */
  expect_choice(&world, 100, "X=2 X=3");
  hone__ranking_remove(&world.tuning, 2);
  expect_choice(&world, 100, "X=3 X=4 X=5");
  hone__ranking_find(&world.tuning, 3)->tried = HONE__CONFIRMED;
  expect_choice(&world, 100, "X=4 X=5");
  assert_null(hone__ranking_find(&world.tuning, 2));
  close_world(&world);
}

static void test_metric(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "objective: size\n");
  add(&world, 10, 0.5, "a");
  add(&world, 20, 2, "b"); /* slower, and smaller */
  expect_choice(&world, 100, "X=20 X=10");
  assert_float_equal(world.tuning.ranking.entries[0].ratio, 0.8, 1e-9);
  close_world(&world);

  open_world(&world, "objective: {maximise: speed}\n");
  add(&world, 10, 0.5, "a");
  add(&world, 20, 0.4, "b");
  expect_choice(&world, 100, "X=20 X=10");
  close_world(&world);
}

/* Members of the Pareto set go before others that are faster, however slow they are. */
static void test_members(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "objective: [time, size]\n");
  add(&world, 50, 0.5, "a");
  add(&world, 40, 0.6, "b"); /* slower and larger than the first */
  add(&world, 90, 3, "c");
  expect_choice(&world, 0, "X=50 X=90");
  close_world(&world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_doubles),
      cmocka_unit_test(test_left_out_candidates),
      cmocka_unit_test(test_time),
      cmocka_unit_test(test_time_of_programs),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_drift),
      cmocka_unit_test(test_next_ones),
      cmocka_unit_test(test_metric),
      cmocka_unit_test(test_members),
  };

  return cmocka_run_group_tests(tests, make_kernel_folder, remove_folder);
}
