/* A wisdom file is read whole, once; what is made of it never changes and is shared by count. */
#include "wisdom/wisdom_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 256 << 20 };

typedef enum hone_wisdom_code code_t;

/* ---- From text ---- */

static code_t build(struct hone_wisdom *wisdom, const struct hone__wisdom_source *source,
                    struct hone_wisdom_error *error)
{
  struct hone__wisdom_node *root = NULL;
  code_t code = hone__wisdom_parse(source, &wisdom->arena, &root, error);

  if (!code) code = hone__wisdom_decode(wisdom, source, root, error);
  if (!code) code = hone__wisdom_index(wisdom, source, error);
  if (code) return code;
  wisdom->memo = hone__wisdom_alloc(&wisdom->arena, HONE__WISDOM_ANSWERS, sizeof *wisdom->memo);
  return wisdom->memo ? HONE_WISDOM_OK : hone__wisdom_no_memory(source, error);
}

code_t hone_wisdom_open_memory(const void *data, size_t size, const char *name,
                               struct hone_wisdom **out_wisdom, struct hone_wisdom_error *error)
{
  struct hone__wisdom_source source = {name, data ? data : "", data ? size : 0};
  struct hone_wisdom *wisdom = calloc(1, sizeof *wisdom);
  code_t code;

  *out_wisdom = NULL;
  if (error) *error = (struct hone_wisdom_error){.code = HONE_WISDOM_OK};
  if (!wisdom) return hone__wisdom_no_memory(&source, error);
  atomic_init(&wisdom->references, 1);
  code = build(wisdom, &source, error);
  if (code)
    hone_wisdom_free(wisdom);
  else
    *out_wisdom = wisdom;
  return code;
}

struct hone_wisdom *hone__wisdom_share(struct hone_wisdom *wisdom)
{
  atomic_fetch_add(&wisdom->references, 1);
  return wisdom;
}

void hone_wisdom_free(struct hone_wisdom *wisdom)
{
  if (!wisdom || atomic_fetch_sub(&wisdom->references, 1) != 1) return;
  hone__wisdom_forget(wisdom);
  hone__wisdom_arena_release(&wisdom->arena);
  free(wisdom);
}

/* ---- From a file ---- */

static code_t fail(const char *path, struct hone_wisdom_error *error, const char *what)
{
  struct hone__wisdom_source source = {.name = path};

  return hone__wisdom_fail(&source, SIZE_MAX, error, HONE_WISDOM_IO,
                           "cannot read the wisdom file '%.200s': %s", path, what);
}

static code_t read_all(int file, const char *path, char *text, size_t size, size_t *out_size,
                       struct hone_wisdom_error *error)
{
  *out_size = 0;
  while (*out_size < size) {
    ssize_t count = read(file, text + *out_size, size - *out_size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(path, error, strerror(errno));
    if (count == 0) break;
    *out_size += (size_t)count;
  }
  return HONE_WISDOM_OK;
}

static code_t open_file(int file, const char *path, struct hone_wisdom **out_wisdom,
                        struct hone_wisdom_error *error)
{
  struct hone__wisdom_source source = {.name = path};
  struct stat facts;
  char *text;
  size_t size;
  code_t code;

  if (fstat(file, &facts)) return fail(path, error, strerror(errno));
  if (!S_ISREG(facts.st_mode)) return fail(path, error, "it is not a plain file");
  if (facts.st_size > MOST_BYTES) return fail(path, error, "it is larger than 256 MiB");
  text = malloc((size_t)facts.st_size + 1);
  if (!text) return hone__wisdom_no_memory(&source, error);
  code = read_all(file, path, text, (size_t)facts.st_size, &size, error);
  if (!code) code = hone_wisdom_open_memory(text, size, path, out_wisdom, error);
  free(text);
  return code;
}

code_t hone_wisdom_open(const char *path, struct hone_wisdom **out_wisdom,
                        struct hone_wisdom_error *error)
{
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  code_t code;

  *out_wisdom = NULL;
  if (error) *error = (struct hone_wisdom_error){.code = HONE_WISDOM_OK};
  if (file < 0) return fail(path, error, strerror(errno));
  code = open_file(file, path, out_wisdom, error);
  close(file);
  return code;
}
