/* Headers of the project with code of the host, and what a compiler gets instead of them. */
#include "backend/simt/simt_own_headers.h"

#include "base/text.h"
#include "folder.h"

#include <sys/stat.h>

static struct hone__simt_own_headers found;
static struct hone__words options;

static int begin(void **state)
{
  struct hone__text option = {0};

  if (make_folder(state)) return -1;
  if (mkdir(path_of("parts"), 0700)) return -1;
  write_text("k.cu", "#include <stdio.h>\n#include \"util.h\"\n#include <tiles.h>\n");
  write_text("util.h", "#include \"parts/deep.h\"\nFILE *log;\n");
  write_text("parts/deep.h", "#  include \"../util.h\"\n__device__ int one() { return 1; }\n"
                             "std::string name(int);\n");
  write_text("parts/tiles.h", "int tiles;\n");
  hone__text_addf(&option, "-I%s", path_of("parts"));
  hone__words_add(&options, "-DA=1");
  hone__words_add(&options, option.data);
  hone__text_release(&option);
  hone__simt_own_headers_find(&found, path_of("k.cu"), &options);
  return 0;
}

static int end(void **state)
{
  hone__simt_own_headers_release(&found);
  hone__words_release(&options);
  return remove_folder(state);
}

static const struct hone__simt_own_header *named(const char *name)
{
  for (size_t i = 0; i < found.count; i++)
    if (strcmp(found.list[i].name, name) == 0) return &found.list[i];
  return NULL;
}

static void they_are_found_by_the_names_of_the_source(void **state)
{
  (void)state;
  assert_non_null(named("util.h"));
  assert_non_null(named("parts/deep.h"));
  assert_non_null(named("tiles.h"));
  assert_non_null(named("../util.h"));
  assert_null(named("stdio.h"));
  assert_int_equal(found.count, 4);
  assert_true(hone__simt_own_headers_name(&found, "stdio.h"));
  assert_false(hone__simt_own_headers_name(&found, "cuda.h"));
}

static void what_has_errors_is_dropped(void **state)
{
  char log[1024];

  (void)state;
  assert_false(hone__simt_own_headers_drop_at(&found, "k.cu(2): error: a\n", folder));
  assert_null(named("util.h")->text);
  assert_true(hone__simt_own_headers_drop_at(&found, "util.h(2): error: no FILE\n", folder));
  assert_null(strstr(named("util.h")->text, "FILE"));
  assert_non_null(strstr(named("util.h")->text, "#include \"parts/deep.h\""));
  assert_non_null(named("../util.h")->text);

  snprintf(log, sizeof log, "%s(3): error: no string\n", path_of("parts/deep.h"));
  assert_true(hone__simt_own_headers_drop_at(&found, log, "/"));
  assert_null(strstr(named("parts/deep.h")->text, "string"));
  assert_non_null(strstr(named("parts/deep.h")->text, "return 1"));
  assert_false(hone__simt_own_headers_drop_at(&found, "tiles.h(7): error: nothing\n", folder));
  assert_null(named("tiles.h")->text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_found_by_the_names_of_the_source),
      cmocka_unit_test(what_has_errors_is_dropped),
  };

  return cmocka_run_group_tests_name("simt_own_headers", tests, begin, end);
}
