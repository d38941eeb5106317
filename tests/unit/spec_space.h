/* spec_space.h - the space of a spec that a test writes as text. Needs folder.h's folder. */
#ifndef HONE_TESTS_SPEC_SPACE_H
#define HONE_TESTS_SPEC_SPACE_H

#include "folder.h"
#include "hone.h"

static struct hone_spec *spec; /* of the last space; both are the test's to free */

static inline struct hone_space *make_space(const char *yaml)
{
  const char *files[] = {path_of("t.yaml")};
  struct hone_spec_options options;
  struct hone_space_options space_options;
  struct hone_space *made;

  write_text("t.yaml", yaml);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  assert_null(hone_spec_load(&options, &spec));
  hone_space_options_init(&space_options);
  assert_null(hone_space_build(spec, &space_options, &made));
  return made;
}

#endif
