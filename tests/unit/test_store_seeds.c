/* Imported configurations in the store. */
#include "folder.h"
#include "store/store.h"

struct seen {
  size_t count, most;
  char last[64];
};

static bool note_seed(void *data, const struct hone__store_seed *seed)
{
  struct seen *seen = data;

  snprintf(seen->last, sizeof seen->last, "%s from %s", seed->compilation_info, seed->source);
  return ++seen->count < seen->most;
}

static void seeds_are_kept_once(void **state)
{
  struct hone__store_seed seed = {"mm", "matcher", "info", "", "a.mlir"};
  struct seen all = {.most = 9}, one = {.most = 1};
  struct hone_store *store = NULL;

  (void)state;
  assert_null(hone__store_open(path_of("hone.db"), false, &store));
  assert_null(hone__store_seed_put(store, &seed));
  seed.source = "b.mlir";
  assert_null(hone__store_seed_put(store, &seed)); /* the same again, from another file */
  assert_null(hone__store_seeds(store, note_seed, &all));
  assert_int_equal(all.count, 1);
  assert_string_equal(all.last, "info from b.mlir");
  seed.compilation_info = "other";
  assert_null(hone__store_seed_put(store, &seed));
  all.count = 0;
  assert_null(hone__store_seeds(store, note_seed, &all));
  assert_int_equal(all.count, 2);
  assert_null(hone__store_seeds(store, note_seed, &one)); /* the visitor has enough */
  assert_int_equal(one.count, 1);
  hone__store_close(store);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(seeds_are_kept_once, make_folder, remove_folder),
  };

  return cmocka_run_group_tests_name("store_seeds", tests, NULL, NULL);
}
