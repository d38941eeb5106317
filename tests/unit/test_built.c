/* Constraints on what a build costs: which are kept apart, and what they say of a candidate. */
#include "wire/named.h"
#include "space/explanation.h"
#include "session/built.h"
#include "folder.h"

#include <unistd.h>

static const char head[] = "name: t\n"
                           "file: k.c\n"
                           "problem: {M: 256}\n"
                           "params: {BM: [16, 32, 64]}\n"
                           "derived: {TILE: BM * 2}\n"
                           "baseline: {BM: 32}\n";

static const struct hone__purpose purpose = {.init_task = hone__task_init};

enum { COSTS = 4 };
static struct hone__named known_costs[COSTS] = {
    {"registers", {HONE_INT, {.integer = 168}}},
    {"spills", {HONE_INT, {.integer = 0}}},
    {"occupancy", {HONE_FLOAT, {.real = 0.5}}},
    {"kind", {HONE_TEXT, {.text = "fast"}}},
};

struct world {
  struct hone_spec *spec;
  struct hone_tune_options options;
  struct hone__session session;
  unsigned warnings;
  char warning[200];
};

static bool hear(void *data, const struct hone_event *event)
{
  struct world *world = data;

  if (event->kind != HONE_EVENT_WARNING) return true;
  world->warnings++;
  snprintf(world->warning, sizeof world->warning, "%s", event->text);
  return true;
}

static struct hone_spec *load(const char *yaml)
{
  struct hone_spec_options options;
  struct hone_spec *spec = NULL;
  const char *files[] = {path_of("t.yaml")};
  struct hone__text text = {0};
  hone_status status;

  hone__text_addf(&text, "%s%s", head, yaml);
  write_text("t.yaml", text.data);
  hone__text_release(&text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &spec);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  return spec;
}

static void open_world(struct world *world, const char *yaml)
{
  struct hone_space_options options;

  *world = (struct world){.spec = load(yaml)};
  hone_tune_options_init(&world->options);
  world->options.progress = hear;
  world->options.progress_data = world;
  hone_space_options_init(&options);
  world->session.settings.options = &world->options;
  world->session.settings.purpose = &purpose;
  assert_null(hone_space_build(world->spec, &options, &world->session.problem.space));
  assert_null(
      hone__task_init(&world->session.problem.task, world->spec, world->session.problem.space));
}

static void close_world(struct world *world)
{
  hone__task_release(&world->session.problem.task);
  hone_space_free(world->session.problem.space);
  hone__arena_release(&world->session.arena);
  hone__words_release(&world->session.entry.notes);
  hone_spec_free(world->spec);
}

/* `words`: why it is refused; NULL: it is not. */
static void expect_answer(struct world *world, const char *config, const struct hone__named *costs,
                          const char *words)
{
  struct hone__candidate candidate = {.session = &world->session};
  struct hone__text why = {0};
  uint32_t row[8];
  bool allowed;

  assert_null(hone_space_parse(world->session.problem.space, config, row));
  candidate.row = row;
  candidate.is_baseline = strcmp(config, "BM=32") == 0;
  allowed = hone__built_allows(&candidate, costs, costs ? COSTS : 0, &why);
  if (words && (allowed || !strstr(why.data, words)))
    print_message("no '%s' in '%s'\n", words, why.data ? why.data : "");
  assert_int_equal(allowed, words == NULL);
  if (words) assert_non_null(strstr(why.data, words));
  hone__text_release(&why);
}

static void expect(const char *constraint, const char *words)
{
  struct world world;
  struct hone__text yaml = {0};

  hone__text_addf(&yaml, "constraints: [\"%s\"]\n", constraint);
  open_world(&world, yaml.data);
  expect_answer(&world, "BM=64", known_costs, words);
  hone__text_release(&yaml);
  close_world(&world);
}

static void test_allows(void **state)
{
  (void)state;
  expect("built.registers <= 168", NULL);
  expect("built.registers <= 128", "built.registers <= 128 is not true: built.registers is 168");
  expect("built.registers <= 128 and built.spills == 0",
         "is not true: built.registers is 168, built.spills is 0");
  expect("built.occupancy >= 0.75 or BM < 64", "built.occupancy is 0.5");
  expect("built.occupancy >= 0.75 or TILE == 128", NULL);
  expect("built.registers * M < 100", "built.registers * M < 100 is not true");
  expect("built.kind == 'slow'", "built.kind is fast");
  expect("built.registers % built.spills == 0", "division by zero");
  expect("BM < 64 or built.unheard > 1", NULL);
}

/* They are no part of the space: nothing is ruled out before a build. */
static void test_apart(void **state)
{
  struct hone_explanation *explanation;
  struct world world;

  (void)state;
  open_world(&world, "constraints: [BM > 16, built.registers < 10]\n");
  assert_int_equal(world.spec->constraint_count, 1);
  assert_int_equal(world.spec->built_count, 1);
  assert_true(hone_space_count(world.session.problem.space) == 2);
  assert_null(hone_space_explain(world.session.problem.space, "BM=64", &explanation));
  assert_true(explanation->legal);
  assert_int_equal(explanation->reason_count, 2);
  assert_int_equal(explanation->reasons[1].state, HONE_AFTER_BUILD);
  hone_explanation_free(explanation);
  close_world(&world);
}

/* What no build tells is not checked, and that is said once. */
static void test_unknown(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "constraints: [built.spill == 0]\n");
  expect_answer(&world, "BM=64", known_costs, NULL);
  assert_string_equal(world.warning, "built.spill is not known here, so 'built.spill == 0' is not "
                                     "checked; known are registers, spills, occupancy, kind");
  expect_answer(&world, "BM=16", known_costs, NULL);
  expect_answer(&world, "BM=16", NULL, NULL);
  assert_int_equal(world.warnings, 1);
  close_world(&world);
}

/* The baseline is what others are compared with. */
static void test_baseline(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "constraints: [built.registers < 10]\n");
  expect_answer(&world, "BM=32", known_costs, NULL);
  assert_non_null(strstr(world.warning, "the baseline violates a constraint"));
  expect_answer(&world, "BM=16", known_costs, "built.registers is 168");
  close_world(&world);
}

static void test_limits(void **state)
{
  struct world world;

  (void)state;
  open_world(&world, "build: {limits: [registers < 200, \"spills == 0 and occupancy > 0.6\"]}\n");
  expect_answer(&world, "BM=64", known_costs,
                "build.limits: spills == 0 and occupancy > 0.6 is not true: spills is 0, occupancy "
                "is 0.5");
  close_world(&world);
  open_world(&world, "build: {limits: vgprs < 200}\n");
  expect_answer(&world, "BM=64", known_costs, NULL);
  assert_string_equal(world.warning, "vgprs is not known here, so 'vgprs < 200' is not checked; "
                                     "known are registers, spills, occupancy, kind");
  close_world(&world);
}

/* An alternative's are for its own configurations. */
static void test_alternatives(void **state)
{
  static const char yaml[] = "name: t\nfile: k.c\n"
                             "alternatives:\n"
                             "- {params: {A: [1, 2]}, constraints: [built.registers < A]}\n"
                             "- {params: {B: [1, 2]}}\n";
  const char *files[] = {path_of("t.yaml")};
  struct hone_spec_options options;
  struct hone_space_options space_options;
  struct world world = {0};

  (void)state;
  open_world(&world, "");
  hone__task_release(&world.session.problem.task);
  hone_space_free(world.session.problem.space);
  hone_spec_free(world.spec);
  write_text("t.yaml", yaml);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  assert_null(hone_spec_load(&options, &world.spec));
  hone_space_options_init(&space_options);
  assert_null(hone_space_build(world.spec, &space_options, &world.session.problem.space));
  assert_null(
      hone__task_init(&world.session.problem.task, world.spec, world.session.problem.space));
  expect_answer(&world, "A=2", known_costs, "built.registers < A is not true");
  expect_answer(&world, "B=2", known_costs, NULL);
  close_world(&world);
}

/* A builder's answer, as the driver takes it. */
static void build(struct world *world, const char *config, struct hone__candidate **out_candidate)
{
  struct hone__wire_build_reply built = {
      .object = "0123", .compile_s = NAN, .costs = known_costs, .costs_count = COSTS};
  struct hone__reply reply = {.outcome = HONE_OUTCOME_OK,
                              .evidence = "",
                              .build = &built,
                              .payload = "bytes",
                              .payload_size = 5};
  uint32_t row[8];

  assert_null(hone_space_parse(world->session.problem.space, config, row));
  assert_null(hone__candidate_new(&world->session, row, out_candidate));
  hone__candidate_built(*out_candidate, &reply);
}

static void test_candidates(void **state)
{
  struct hone__candidate *one, *other;
  struct world world;
  uint32_t row[8];

  (void)state;
  open_world(&world, "entry: f\nargs: []\nconstraints: [built.registers < 100 or BM == 16]\n");
  build(&world, "BM=64", &one);
  assert_null(one->bytes);
  assert_int_equal(one->evaluation.outcome, HONE_OUTCOME_INVALID);
  assert_string_equal(one->evaluation.evidence, "built.registers < 100 or BM == 16 is not true: "
                                                "built.registers is 168");
  assert_non_null(strstr(one->evaluation.output, "\"registers\":168"));
  hone__candidate_free(one);
  build(&world, "BM=16", &one);
  assert_non_null(one->bytes);
  assert_int_equal(one->evaluation.outcome, HONE_OUTCOME_OK);
  assert_null(hone_space_parse(world.session.problem.space, "BM=16", row));
  assert_null(hone__candidate_new(&world.session, row, &other));
  assert_true(hone__candidate_built_before(other)); /* and knows the costs */
  assert_int_equal(other->cost_count, COSTS);
  assert_int_equal(hone__named_find(other->costs, COSTS, "registers")->integer, 168);
  hone__candidate_free(other);
  hone__candidate_free(one);
  hone__builds_release(&world.session.builds);
  close_world(&world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_allows),     cmocka_unit_test(test_apart),
      cmocka_unit_test(test_unknown),    cmocka_unit_test(test_baseline),
      cmocka_unit_test(test_limits),     cmocka_unit_test(test_alternatives),
      cmocka_unit_test(test_candidates),
  };

  return cmocka_run_group_tests(tests, make_kernel_folder, remove_folder);
}
