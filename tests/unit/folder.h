/* folder.h - the folder of a test, with the files that the test writes. */
#ifndef HONE_TESTS_FOLDER_H
#define HONE_TESTS_FOLDER_H

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char folder[32];

/* For a group or for each test of it. */
static inline int make_folder(void **state)
{
  (void)state;
  strcpy(folder, "/tmp/hone-test-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_entry(const char *path, const struct stat *info, int kind,
                               struct FTW *place)
{
  (void)info, (void)kind, (void)place;
  return remove(path);
}

static inline int remove_folder(void **state)
{
  (void)state;
  chmod(folder, 0700); /* a test may have made it read-only */
  return nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* In a buffer of this function, which has eight: a call may need several at once. */
static inline const char *path_of(const char *name)
{
  static char paths[8][512];
  static unsigned next;
  char *path = paths[next++ % 8];

  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static inline void write_file(const char *name, const void *bytes, size_t size)
{
  FILE *file = fopen(path_of(name), "we");

  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *name, const char *text)
{
  write_file(name, text, strlen(text));
}

/* With k.c, for specs that need a source which is there. */
static inline int make_kernel_folder(void **state)
{
  int failed = make_folder(state);

  if (!failed) write_text("k.c", "void f(void) {}\nvoid g(void) {}\n");
  return failed;
}

static inline void write_script(const char *name, const char *text)
{
  write_text(name, text);
  assert_int_equal(chmod(path_of(name), 0755), 0);
}

#endif
