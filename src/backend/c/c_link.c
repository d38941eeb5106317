#include "backend/c/c_link.h"

#include "base/text.h"
#include "base/words.h"

#include <ctype.h>
#include <gelf.h>
#include <string.h>

/* ---- In two steps ---- */

/* "gcc", "/usr/bin/gcc-12", "clang++": others may be scripts that know one command only. */
static bool is_known(const char *program)
{
  static const char *const names[] = {"gcc", "g++", "cc", "c++", "clang", "clang++"};
  const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
  size_t length = strlen(name);

  while (length && (isdigit((unsigned char)name[length - 1]) || strchr("-.", name[length - 1])))
    length--;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (length == strlen(names[i]) && memcmp(name, names[i], length) == 0) return true;
  return false;
}

static bool has_known_compiler(const struct hone__kernel_candidate *candidate)
{
  struct hone__words words = {0};
  hone_status status = hone__words_split(&words, candidate->compiler ? candidate->compiler : "");
  bool known = !status && words.count == 1 && is_known(words.data[0]);

  hone_status_free(status);
  hone__words_release(&words);
  return known;
}

static bool starts_with_any(const char *text, const char *const *prefixes)
{
  for (; *prefixes; prefixes++)
    if (hone__starts_with(text, *prefixes)) return true;
  return false;
}

/* Objects for -flto list no symbols; -Wl and the like are unknown to a compiler that does not link.
 */
static bool is_of_compiling(const char *flag)
{
  static const char *const compiling[] = {"-O", "-m",    "-D", "-U", "-I", "-g",
                                          "-f", "-std=", "-W", "-l", NULL};
  static const char *const linking[] = {"-flto", "-fuse-ld", "-Wl,", NULL};

  return starts_with_any(flag, compiling) && !starts_with_any(flag, linking);
}

bool hone__c_link_is_apart(const struct hone__kernel_candidate *candidate)
{
  for (size_t i = 0; i < candidate->flags_count; i++)
    if (!is_of_compiling(candidate->flags[i])) return false;
  return has_known_compiler(candidate);
}

/* ---- Without libraries ---- */

/* The linker makes the first. Compilers call the others for loops that set and copy; every process
 * has them, and the loader finds them without a version. This does not hold for sin: the loader
 * would find an old version. */
static bool is_at_hand(const char *name)
{
  static const char *const names[] = {"_GLOBAL_OFFSET_TABLE_", "memset", "memcpy", "memmove",
                                      "memcmp"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool is_undefined(const GElf_Sym *symbol, const char *name)
{
  return symbol->st_shndx == SHN_UNDEF && name && *name && !is_at_hand(name);
}

static bool is_table_alone(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  GElf_Sym symbol;

  for (size_t i = 1; data && i < count; i++)
    if (!gelf_getsym(data, (int)i, &symbol) ||
        is_undefined(&symbol, elf_strptr(elf, header->sh_link, symbol.st_name)))
      return false;
  return data != NULL;
}

static bool is_elf_alone(Elf *elf)
{
  Elf_Scn *section = NULL;
  GElf_Shdr header;

  while ((section = elf_nextscn(elf, section)))
    if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
      return is_table_alone(elf, section, &header);
  return false;
}

bool hone__c_link_is_alone(char *object, size_t size)
{
  Elf *elf;
  bool is_alone;

  if (elf_version(EV_CURRENT) == EV_NONE) return false;
  elf = elf_memory(object, size);
  is_alone = elf && elf_kind(elf) == ELF_K_ELF && is_elf_alone(elf);
  elf_end(elf);
  return is_alone;
}
