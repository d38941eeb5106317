#include "backend/kernel/scratch.h"

#include "base/file.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static hone_status fail(const char *what, const char *path)
{
  return hone__error(HONE_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

/* ---- Arrays ---- */

static void path_of(const char *folder, const char *sub, const char *name, struct hone__text *path)
{
  hone__text_addf(path, "%s/%s%s", folder, sub ? sub : "", sub ? "/" : "");
  if (sub) mkdir(path->data, 0700);
  hone__text_addf(path, "%s.npy", name);
}

static bool write_file(const char *path, const struct hone__text *head, const void *bytes,
                       size_t size)
{
  FILE *file = fopen(path, "wbe");
  bool written;

  if (!file) return false;
  written = fwrite(head->data, 1, head->length, file) == head->length &&
            fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && written;
}

hone_status hone__kernel_scratch_write(const char *folder, const char *sub,
                                       const struct hone__arg *arg, const unsigned char *elements)
{
  struct hone__text path = {0}, head = {0};
  hone_status status = NULL;

  if (strchr(arg->name, '/'))
    return hone__error(HONE_INVALID_SPEC, "'%s' is not a valid file name", arg->name);
  path_of(folder, sub, arg->name, &path);
  hone__npy_header(arg->element, arg->shape, arg->dimensions, &head);
  if (!write_file(path.data, &head, elements, arg->bytes)) status = fail("write", path.data);
  hone__text_release(&path);
  hone__text_release(&head);
  return status;
}

hone_status hone__kernel_scratch_read(const char *folder, const struct hone__arg *arg,
                                      char **out_bytes, const unsigned char **out_elements,
                                      size_t *out_size)
{
  struct hone__text path = {0};
  size_t size;
  hone_status status;

  *out_bytes = NULL;
  path_of(folder, NULL, arg->name, &path);
  status = hone__file_read(path.data, arg->bytes + (1 << 20), out_bytes, &size);
  if (!status) status = hone__buffers_npy(arg, *out_bytes, size, out_elements, out_size);
  hone__text_release(&path);
  return status;
}

/* ---- Commands ---- */

/* The word with every {dir} replaced. */
static char *fill_in(const char *word, const char *folder)
{
  struct hone__text text = {0};
  const char *hole;

  while ((hole = strstr(word, "{dir}"))) {
    hone__text_addn(&text, word, (size_t)(hole - word));
    hone__text_add(&text, folder);
    word = hole + strlen("{dir}");
  }
  hone__text_add(&text, word);
  return hone__text_take(&text);
}

static void run(const struct hone__bench *bench, const char *folder, char **argv, double timeout_s,
                struct hone__child_result *out_result)
{
  struct hone__child_options options = {.argv = (const char *const *)argv,
                                        .directory = bench->folder,
                                        .timeout_s = timeout_s,
                                        .grace_s = 1,
                                        .spares_others = bench->has_helper};

  setenv("HONE_OUTPUT_DIR", folder, 1);
  hone__child_run(&options, out_result);
  unsetenv("HONE_OUTPUT_DIR");
}

hone_status hone__kernel_scratch_command(const struct hone__bench *bench, const char *folder,
                                         const char *const *words, size_t count, double timeout_s,
                                         struct hone__child_result *out_result)
{
  char **argv = hone__alloc((count + 1) * sizeof *argv);

  *out_result = (struct hone__child_result){0};
  for (size_t i = 0; i < count; i++)
    argv[i] = fill_in(words[i], folder);
  if (count) run(bench, folder, argv, timeout_s, out_result);
  for (size_t i = 0; i < count; i++)
    free(argv[i]);
  free(argv);
  return count ? NULL : hone__error(HONE_INVALID_SPEC, "a command is not a list of words");
}
