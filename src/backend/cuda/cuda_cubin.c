/* Every kernel NAME has sections .text.NAME, .nv.info.NAME (its parameters), .nv.shared.NAME and
 * .nv.constantN.NAME; .nv.info has registers and stack of all, by the number of their symbol.
 * Records of .nv.info are: a format, an attribute, then a 16-bit value, which for format 4 is the
 * length of what follows.
 */
#include "backend/cuda/cuda_cubin.h"

#include <elf.h>
#include <string.h>

enum { MACHINE_CUDA = 190, ABI_BEFORE_13 = 7 };
enum { RECORD_OF_BYTES = 4, PARAM = 0x17, REGISTERS = 0x2f, FRAME = 0x11, STACK = 0x12 };
enum { RESERVED_SINCE = 90, RESERVED_BYTES = 1024 }; /* of shared memory, for the driver */

struct cubin {
  const unsigned char *bytes;
  size_t size;
  Elf64_Ehdr head;
  const char *names; /* of sections */
  size_t names_size;
};

struct span {
  const unsigned char *bytes;
  size_t size;
};

/* ---- The file ---- */

static bool is_within(const struct cubin *cubin, uint64_t offset, uint64_t size)
{
  return offset <= cubin->size && size <= cubin->size - offset;
}

static bool section_at(const struct cubin *cubin, size_t index, Elf64_Shdr *out)
{
  uint64_t offset = cubin->head.e_shoff + (uint64_t)index * sizeof *out;

  if (index >= cubin->head.e_shnum || !is_within(cubin, offset, sizeof *out)) return false;
  memcpy(out, cubin->bytes + offset, sizeof *out);
  return true;
}

static struct span content(const struct cubin *cubin, const Elf64_Shdr *section)
{
  if (section->sh_type == SHT_NOBITS || !is_within(cubin, section->sh_offset, section->sh_size))
    return (struct span){cubin->bytes, 0};
  return (struct span){cubin->bytes + section->sh_offset, (size_t)section->sh_size};
}

/* A text of a string table; "" if it is not terminated there. */
static const char *text_at(struct span table, uint64_t offset)
{
  if (offset >= table.size || !memchr(table.bytes + offset, 0, table.size - (size_t)offset))
    return "";
  return (const char *)table.bytes + offset;
}

static const char *name_of(const struct cubin *cubin, const Elf64_Shdr *section)
{
  struct span names = {(const unsigned char *)cubin->names, cubin->names_size};

  return text_at(names, section->sh_name);
}

static bool open_cubin(const void *bytes, size_t size, struct cubin *cubin)
{
  Elf64_Shdr names;
  struct span span;

  *cubin = (struct cubin){.bytes = bytes, .size = size};
  if (size < sizeof cubin->head) return false;
  memcpy(&cubin->head, bytes, sizeof cubin->head);
  if (memcmp(cubin->head.e_ident, ELFMAG, SELFMAG) != 0 ||
      cubin->head.e_ident[EI_CLASS] != ELFCLASS64 || cubin->head.e_machine != MACHINE_CUDA ||
      cubin->head.e_shentsize != sizeof(Elf64_Shdr) || cubin->head.e_shoff > size ||
      !section_at(cubin, cubin->head.e_shstrndx, &names))
    return false;
  span = content(cubin, &names);
  cubin->names = (const char *)span.bytes;
  cubin->names_size = span.size;
  return true;
}

/* ---- Sections of a kernel ---- */

/* The part after the prefix: "gemm" in ".text.gemm" for ".text."; NULL: another section. */
static const char *kernel_of(const char *section, const char *prefix)
{
  size_t length = strlen(prefix);

  return strncmp(section, prefix, length) == 0 && section[length] ? section + length : NULL;
}

static bool find_section(const struct cubin *cubin, const char *prefix, const char *kernel,
                         size_t *out_index, Elf64_Shdr *out)
{
  for (size_t i = 0; i < cubin->head.e_shnum && section_at(cubin, i, out); i++) {
    const char *own = kernel_of(name_of(cubin, out), prefix);
    if (!own || strcmp(own, kernel) != 0) continue;
    *out_index = i;
    return true;
  }
  return false;
}

/* All banks: ".nv.constant0.gemm", ".nv.constant2.gemm" ... */
static uint64_t constant_bytes(const struct cubin *cubin, const char *kernel)
{
  Elf64_Shdr section;
  uint64_t total = 0;

  for (size_t i = 0; i < cubin->head.e_shnum && section_at(cubin, i, &section); i++) {
    const char *bank = kernel_of(name_of(cubin, &section), ".nv.constant");
    const char *own = bank ? strchr(bank, '.') : NULL;
    if (own && strcmp(own + 1, kernel) == 0) total += section.sh_size;
  }
  return total;
}

static uint32_t bounded(uint64_t value)
{
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static uint32_t shared_bytes(const struct cubin *cubin, const char *kernel)
{
  unsigned capability = hone__cubin_capability(cubin->bytes, cubin->size);
  Elf64_Shdr section;
  size_t index;

  if (!find_section(cubin, ".nv.shared.", kernel, &index, &section)) return 0;
  if (capability >= RESERVED_SINCE && section.sh_size >= RESERVED_BYTES)
    section.sh_size -= RESERVED_BYTES;
  return bounded(section.sh_size);
}

/* ---- Records ---- */

struct record {
  unsigned format, attribute;
  struct span value;
};

static bool next_record(struct span *rest, struct record *out)
{
  size_t size;

  if (rest->size < 4) return false;
  size = (size_t)rest->bytes[2] | (size_t)rest->bytes[3] << 8;
  out->format = rest->bytes[0];
  out->attribute = rest->bytes[1];
  if (out->format != RECORD_OF_BYTES) size = 0;
  if (size > rest->size - 4) return false;
  out->value = (struct span){rest->bytes + 4, size};
  rest->bytes += 4 + size;
  rest->size -= 4 + size;
  return true;
}

static uint32_t word_at(struct span span, size_t offset)
{
  uint32_t word = 0;

  if (offset + 4 <= span.size) memcpy(&word, span.bytes + offset, 4);
  return word;
}

/* Value: index, then ordinal and offset of 16 bits each, then the size in the upper 14 bits. */
static void read_params(const struct cubin *cubin, const char *name,
                        struct hone__cubin_kernel *kernel)
{
  Elf64_Shdr section;
  struct span rest;
  struct record record;
  size_t index;

  if (!find_section(cubin, ".nv.info.", name, &index, &section)) return;
  rest = content(cubin, &section);
  while (next_record(&rest, &record)) {
    uint32_t place = word_at(record.value, 4), ordinal = place & 0xffff;
    if (record.attribute != PARAM || record.value.size < 12 || ordinal >= HONE__CUBIN_MOST_PARAMS)
      continue;
    kernel->params[ordinal] =
        (struct hone__cubin_param){place >> 16, word_at(record.value, 8) >> 18};
    if (ordinal >= kernel->param_count) kernel->param_count = ordinal + 1;
  }
}

/* ---- Symbols ---- */

/* The symbol with this number is this kernel's function. */
static bool is_symbol(const struct cubin *cubin, uint32_t number, size_t text_section,
                      const char *name)
{
  Elf64_Shdr symbols, texts;
  Elf64_Sym symbol;
  struct span span;

  for (size_t i = 0; i < cubin->head.e_shnum && section_at(cubin, i, &symbols); i++) {
    if (symbols.sh_type != SHT_SYMTAB) continue;
    span = content(cubin, &symbols);
    if (number >= span.size / sizeof symbol || !section_at(cubin, symbols.sh_link, &texts))
      return false;
    memcpy(&symbol, span.bytes + (size_t)number * sizeof symbol, sizeof symbol);
    return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx == text_section &&
           strcmp(text_at(content(cubin, &texts), symbol.st_name), name) == 0;
  }
  return false;
}

static void read_totals(const struct cubin *cubin, const char *name, size_t text_section,
                        struct hone__cubin_kernel *kernel)
{
  Elf64_Shdr section;
  struct span rest = {0};
  struct record record;

  for (size_t i = 0; i < cubin->head.e_shnum && section_at(cubin, i, &section); i++)
    if (strcmp(name_of(cubin, &section), ".nv.info") == 0) rest = content(cubin, &section);
  while (next_record(&rest, &record)) {
    uint32_t value = word_at(record.value, 4);
    if (record.format != RECORD_OF_BYTES || record.value.size < 8 ||
        (record.attribute != REGISTERS && record.attribute != FRAME && record.attribute != STACK) ||
        !is_symbol(cubin, word_at(record.value, 0), text_section, name))
      continue;
    if (record.attribute == REGISTERS) {
      kernel->registers = value;
      kernel->has_registers = true;
    } else {
      if (value > kernel->stack_bytes) kernel->stack_bytes = value; /* including its callees */
      kernel->has_stack = true;
    }
  }
}

/* ---- Questions ---- */

unsigned hone__cubin_capability(const void *bytes, size_t size)
{
  struct cubin cubin;

  if (!open_cubin(bytes, size, &cubin)) return 0;
  return cubin.head.e_ident[EI_ABIVERSION] <= ABI_BEFORE_13 ? cubin.head.e_flags & 0xff
                                                            : cubin.head.e_flags >> 8 & 0xff;
}

void hone__cubin_kernels(const void *bytes, size_t size,
                         bool (*visit)(void *data, const char *name), void *data)
{
  struct cubin cubin;
  Elf64_Shdr section;

  if (!open_cubin(bytes, size, &cubin)) return;
  for (size_t i = 0; i < cubin.head.e_shnum && section_at(&cubin, i, &section); i++) {
    const char *name = kernel_of(name_of(&cubin, &section), ".text.");
    if (name && !visit(data, name)) return;
  }
}

bool hone__cubin_kernel(const void *bytes, size_t size, const char *name,
                        struct hone__cubin_kernel *out_kernel)
{
  struct cubin cubin;
  Elf64_Shdr text;
  size_t index;

  memset(out_kernel, 0, sizeof *out_kernel);
  if (!open_cubin(bytes, size, &cubin) || !find_section(&cubin, ".text.", name, &index, &text))
    return false;
  out_kernel->shared_bytes = shared_bytes(&cubin, name);
  out_kernel->const_bytes = bounded(constant_bytes(&cubin, name));
  read_totals(&cubin, name, index, out_kernel);
  read_params(&cubin, name, out_kernel);
  return true;
}
