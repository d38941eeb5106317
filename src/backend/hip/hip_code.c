/* The metadata are a map: "amdhsa.kernels" is a list of maps, one for each kernel, and
 * "amdhsa.target" a text that ends with the architecture, "amdgcn-amd-amdhsa--gfx90a:xnack-".
 */
#include "backend/hip/hip_code.h"

#include "backend/hip/msgpack.h"
#include "base/text.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_AMDGPU = 224, NOTE_METADATA = 32 };

struct span {
  const unsigned char *bytes;
  size_t size;
};

/* ---- The file ---- */

static bool cut(struct span file, uint64_t offset, uint64_t size, struct span *out_part)
{
  if (offset > file.size || size > file.size - offset) return false;
  *out_part = (struct span){file.bytes + offset, (size_t)size};
  return true;
}

static size_t padded(uint32_t size)
{
  return ((size_t)size + 3) / 4 * 4;
}

/* Among the notes of one section. */
static bool find_note(struct span notes, struct span *out_metadata)
{
  Elf64_Nhdr head;

  while (notes.size >= sizeof head) {
    struct span name, content;
    size_t taken;
    memcpy(&head, notes.bytes, sizeof head);
    taken = sizeof head + padded(head.n_namesz);
    if (!cut(notes, sizeof head, head.n_namesz, &name) ||
        !cut(notes, taken, head.n_descsz, &content))
      return false;
    if (head.n_type == NOTE_METADATA && name.size >= 6 && memcmp(name.bytes, "AMDGPU", 6) == 0) {
      *out_metadata = content;
      return true;
    }
    taken += padded(head.n_descsz);
    if (taken > notes.size) return false;
    notes.bytes += taken;
    notes.size -= taken;
  }
  return false;
}

static bool find_metadata(const void *code, size_t size, struct hone__msgpack *out_cursor)
{
  struct span file = {code, size}, part, notes, metadata;
  Elf64_Ehdr head;
  Elf64_Shdr section;

  if (size < sizeof head) return false;
  memcpy(&head, code, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_machine != MACHINE_AMDGPU || head.e_shentsize != sizeof section)
    return false;
  for (size_t i = 0; i < head.e_shnum; i++) {
    if (head.e_shoff > size || !cut(file, head.e_shoff + i * sizeof section, sizeof section, &part))
      return false;
    memcpy(&section, part.bytes, sizeof section);
    if (section.sh_type != SHT_NOTE || !cut(file, section.sh_offset, section.sh_size, &notes) ||
        !find_note(notes, &metadata))
      continue;
    *out_cursor = (struct hone__msgpack){.at = metadata.bytes, .left = metadata.size};
    return true;
  }
  return false;
}

/* Moves to the value of this key in the map that the cursor is at. */
static bool enter(struct hone__msgpack *cursor, const char *key)
{
  uint32_t pairs = hone__msgpack_map(cursor);

  for (uint32_t i = 0; i < pairs && !cursor->is_invalid; i++) {
    if (hone__msgpack_is(hone__msgpack_string(cursor), key)) return !cursor->is_invalid;
    hone__msgpack_skip(cursor);
  }
  return false;
}

/* ---- A kernel ---- */

static const struct {
  const char *key;
  size_t offset;
} figures[] = {
#define HONE__HIP_ROW(name, key) {key, offsetof(struct hone__hip_kernel, name)},
    HONE__HIP_FIGURES(HONE__HIP_ROW)
#undef HONE__HIP_ROW
};
enum { FIGURE_COUNT = sizeof figures / sizeof *figures };

static int64_t *figure_at(struct hone__hip_kernel *kernel, size_t i)
{
  return (int64_t *)(void *)((char *)kernel + figures[i].offset);
}

/* A parameter; "hidden_block_count_x" and the like are added by the compiler. */
static void read_param(struct hone__msgpack *cursor, struct hone__hip_kernel *kernel)
{
  uint32_t pairs = hone__msgpack_map(cursor);
  struct hone__simt_param param = {0};
  bool is_hidden = false;

  for (uint32_t i = 0; i < pairs && !cursor->is_invalid; i++) {
    struct hone__msgpack_text key = hone__msgpack_string(cursor);
    if (hone__msgpack_is(key, ".size")) {
      param.size = (uint32_t)hone__msgpack_number(cursor);
    } else if (hone__msgpack_is(key, ".offset")) {
      param.offset = (uint32_t)hone__msgpack_number(cursor);
    } else if (hone__msgpack_is(key, ".value_kind")) {
      struct hone__msgpack_text kind = hone__msgpack_string(cursor);
      is_hidden = kind.length >= 7 && memcmp(kind.data, "hidden_", 7) == 0;
    } else {
      hone__msgpack_skip(cursor);
    }
  }
  if (!is_hidden && kernel->param_count < HONE__HIP_MOST_PARAMS)
    kernel->params[kernel->param_count++] = param;
}

static void read_params(struct hone__msgpack *cursor, struct hone__hip_kernel *kernel)
{
  uint32_t count = hone__msgpack_array(cursor);

  for (uint32_t i = 0; i < count && !cursor->is_invalid; i++)
    read_param(cursor, kernel);
}

/* The value of a key that is neither the name nor the parameters. */
static void read_figure(struct hone__msgpack *cursor, struct hone__msgpack_text key,
                        struct hone__hip_kernel *kernel)
{
  for (size_t i = 0; i < FIGURE_COUNT; i++)
    if (hone__msgpack_is(key, figures[i].key)) {
      *figure_at(kernel, i) = (int64_t)hone__msgpack_number(cursor);
      return;
    }
  hone__msgpack_skip(cursor);
}

/* One item of "amdhsa.kernels"; the name may come after other keys. */
static struct hone__msgpack_text read_kernel(struct hone__msgpack *cursor,
                                             struct hone__hip_kernel *kernel)
{
  uint32_t pairs = hone__msgpack_map(cursor);
  struct hone__msgpack_text name = {"", 0};

  kernel->param_count = 0;
  for (size_t i = 0; i < FIGURE_COUNT; i++)
    *figure_at(kernel, i) = -1;
  for (uint32_t i = 0; i < pairs && !cursor->is_invalid; i++) {
    struct hone__msgpack_text key = hone__msgpack_string(cursor);
    if (hone__msgpack_is(key, ".name"))
      name = hone__msgpack_string(cursor);
    else if (hone__msgpack_is(key, ".args"))
      read_params(cursor, kernel);
    else
      read_figure(cursor, key, kernel);
  }
  return cursor->is_invalid ? (struct hone__msgpack_text){"", 0} : name;
}

bool hone__hip_code_kernel(const void *code, size_t size, const char *name,
                           struct hone__hip_kernel *out_kernel)
{
  struct hone__msgpack cursor;
  uint32_t count;

  out_kernel->param_count = 0;
  if (!find_metadata(code, size, &cursor) || !enter(&cursor, "amdhsa.kernels")) return false;
  count = hone__msgpack_array(&cursor);
  for (uint32_t i = 0; i < count && !cursor.is_invalid; i++)
    if (hone__msgpack_is(read_kernel(&cursor, out_kernel), name)) return true;
  out_kernel->param_count = 0;
  return false;
}

void hone__hip_code_kernels(const void *code, size_t size,
                            bool (*visit)(void *data, const char *name), void *data)
{
  struct hone__hip_kernel *kernel = hone__alloc(sizeof *kernel);
  struct hone__msgpack cursor = {0};
  uint32_t count = 0;
  bool goes_on = true;

  if (find_metadata(code, size, &cursor) && enter(&cursor, "amdhsa.kernels"))
    count = hone__msgpack_array(&cursor);
  for (uint32_t i = 0; i < count && goes_on && !cursor.is_invalid; i++) {
    struct hone__msgpack_text found = read_kernel(&cursor, kernel);
    char *name = hone__strndup(found.data, found.length);
    if (found.length) goes_on = visit(data, name);
    free(name);
  }
  free(kernel);
}

bool hone__hip_code_arch(const void *code, size_t size, char out_arch[HONE__HIP_ARCH_SIZE])
{
  struct hone__msgpack cursor;
  struct hone__msgpack_text target;
  const char *gfx = NULL;
  size_t length = 0;

  if (!find_metadata(code, size, &cursor) || !enter(&cursor, "amdhsa.target")) return false;
  target = hone__msgpack_string(&cursor);
  for (size_t i = 0; i + 3 <= target.length; i++)
    if (memcmp(target.data + i, "gfx", 3) == 0) gfx = target.data + i;
  if (!gfx) return false;
  while (gfx + length < target.data + target.length && gfx[length] != ':')
    length++;
  snprintf(out_arch, HONE__HIP_ARCH_SIZE, "%.*s", (int)length, gfx);
  return true;
}
