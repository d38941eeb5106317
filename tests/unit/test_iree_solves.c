/* How often `hone iree tune` solves the space of a dispatch: once, from the list of dispatches to
 * the texts of its best configurations. With the real compiler, where HONE_IREE has it.
 *
 * The linker calls __wrap_hone__group_solve instead of hone__group_solve (meson.build). */
#include "folder.h"
#include "hone.h"
#include "hone_iree.h"
#include "iree/model/model_tune.h"
#include "space/space.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_GROUPS = 32 };

static struct solved {
  char name[256]; /* "SPEC GROUP" */
  size_t count;
} solved[MOST_GROUPS];
static size_t solved_count;

static void forget_solves(void)
{
  memset(solved, 0, sizeof solved);
  solved_count = 0;
}

static void count_solve(const char *name)
{
  size_t i = 0;

  while (i < solved_count && strcmp(solved[i].name, name) != 0)
    i++;
  assert_true(i < MOST_GROUPS);
  if (i == solved_count) snprintf(solved[solved_count++].name, sizeof solved[i].name, "%s", name);
  solved[i].count++;
}

hone_status __real_hone__group_solve(struct hone__setup *setup,
                                     const struct hone__spec_group *group,
                                     struct hone__solved_group *out_solved);
hone_status __wrap_hone__group_solve(struct hone__setup *setup,
                                     const struct hone__spec_group *group,
                                     struct hone__solved_group *out_solved);
hone_status __wrap_hone__group_solve(struct hone__setup *setup,
                                     const struct hone__spec_group *group,
                                     struct hone__solved_group *out_solved)
{
  char name[256];

  snprintf(name, sizeof name, "%s %s", hone_spec_name(setup->spec), group->name ? group->name : "");
  count_solve(name);
  return __real_hone__group_solve(setup, group, out_solved);
}

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  setenv("HONE_CACHE", path_of("cache"), 1);
  setenv("HONE_STORE", path_of("hone.db"), 1);
  forget_solves();
  return 0;
}

static bool has_iree(void)
{
  struct hone__iree_toolset tools;
  bool is_here;

  hone__iree_toolset_find(NULL, &tools);
  is_here = tools.paths[HONE__IREE_COMPILE] && tools.paths[HONE__IREE_BENCHMARK];
  hone__iree_toolset_release(&tools);
  return is_here;
}

static const char model[] =
    "func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> tensor<64x64xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %empty = tensor.empty() : tensor<64x64xf32>\n"
    "  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> "
    "tensor<64x64xf32>\n"
    "  %y = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>) outs(%fill : "
    "tensor<64x64xf32>) -> tensor<64x64xf32>\n"
    "  return %y : tensor<64x64xf32>\n"
    "}\n";

/* As hone_iree_tune, without the contest in the model, which takes long. */
static void tune(const char *path, bool only_lists, struct hone_iree_tuned *out_tuned)
{
  struct hone_iree_tune_options options;
  struct hone__iree_tune_given given;
  struct hone__model_tuning tuning = {.path = path, .options = &given.options, .tuned = out_tuned};
  hone_status status;

  hone_iree_tune_options_init(&options);
  options.model_candidates = 1;
  assert_null(hone__iree_tune_take(&given, &options));
  given.model.iree.target = "llvm-cpu";
  given.tune.evaluations = 2;
  given.tune.no_confirm = true;
  hone__model_result_open(out_tuned);
  hone__iree_toolset_find(NULL, &tuning.tools);
  status = hone__model_work_open(&tuning);
  if (!status) status = hone__model_state_open(&tuning);
  if (!status) hone__model_take_list(&tuning);
  if (!status && !only_lists) status = hone__model_search_all(&tuning);
  if (status) fail_msg("%s", hone_status_message(status));
  hone__model_close(&tuning);
  hone__iree_toolset_release(&tuning.tools);
}

static void expect_one_solve_each(void)
{
  for (size_t i = 0; i < solved_count; i++)
    if (solved[i].count != 1)
      fail_msg("'%s' was solved %zu times", solved[i].name, solved[i].count);
  assert_true(solved_count >= 2); /* the compiler's choice, and what Hone may change */
}

static void solves_a_tuned_dispatch_once(void **state)
{
  struct hone_iree_tuned tuned;

  (void)state;
  if (!has_iree()) skip();
  write_text("small.mlir", model);
  tune(path_of("small.mlir"), false, &tuned);
  assert_int_equal(hone_iree_tuned_dispatch_count(&tuned), 1);
  assert_true(hone_iree_tuned_dispatch_is_tuned(hone_iree_tuned_dispatch(&tuned, 0)));
  assert_true(hone_iree_tuned_dispatch_before_ns(hone_iree_tuned_dispatch(&tuned, 0)) > 0);
  expect_one_solve_each();
  hone__model_result_release(&tuned);
}

/* The list of dispatches is in the folder of the model then, and nothing is kept in memory. */
static void solves_once_where_the_list_is_known(void **state)
{
  struct hone_iree_tuned tuned;

  (void)state;
  if (!has_iree()) skip();
  write_text("small.mlir", model);
  tune(path_of("small.mlir"), true, &tuned);
  assert_int_equal(hone_iree_tuned_dispatch_count(&tuned), 1);
  hone__model_result_release(&tuned);
  forget_solves();
  tune(path_of("small.mlir"), false, &tuned);
  expect_one_solve_each();
  hone__model_result_release(&tuned);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
      TEST(solves_a_tuned_dispatch_once),
      TEST(solves_once_where_the_list_is_known),
  };

  if (getenv("HONE")) setenv("HONE_PROGRAM", getenv("HONE"), 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
