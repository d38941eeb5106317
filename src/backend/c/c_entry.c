/* Functions of C++ have names that only a compiler knows, and static functions of C none outside
 * of their source. The source is included by another one, which has a pointer to each function,
 * with a name of C. */
#include "backend/c/c_object.h"

#include "base/text.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool hone__c_entry_is_plain(const char *entry)
{
  return !strpbrk(entry, ":<");
}

void hone__c_entry_symbol(const char *entry, struct hone__text *out_name)
{
  hone__text_add(out_name, "hone_entry_");
  for (; *entry; entry++)
    hone__text_addf(out_name, isalnum((unsigned char)*entry) ? "%c" : "_%02x",
                    (unsigned char)*entry);
}

static void add_c_pointer(const char *entry, bool typed, const char *name, struct hone__text *out)
{
  const char *function = entry + strspn(entry, ":"); /* "::f" */

  if (typed)
    hone__text_addf(out,
                    "extern __typeof__(&%s) const %s;\n"
                    "__typeof__(&%s) const %s = &%s;\n",
                    function, name, function, name, function);
  else
    hone__text_addf(out,
                    "extern void (*const %s)(void);\n"
                    "void (*const %s)(void) = (void (*)(void))&%s;\n",
                    name, name, function);
}

static void add_cplusplus_pointer(const char *entry, bool typed, const char *name,
                                  struct hone__text *out)
{
  if (typed)
    hone__text_addf(out, "extern \"C\" { decltype(&%s) %s = &%s; }\n", entry, name, entry);
  else
    hone__text_addf(out,
                    "extern \"C\" {\n"
                    "extern void (*const %s)();\n"
                    "void (*const %s)() = reinterpret_cast<void (*)()>(&%s);\n"
                    "}\n",
                    name, name, entry);
}

static void add_pointer(const struct hone__c_entry *entry, const char *own, struct hone__text *out)
{
  struct hone__text name = {0};

  hone__c_entry_symbol(own, &name);
  (entry->is_c ? add_c_pointer : add_cplusplus_pointer)(own, entry->is_typed, name.data, out);
  hone__text_release(&name);
}

const char *hone__c_entry_file(bool is_c)
{
  return is_c ? "entry.c" : "entry.cpp";
}

/* A function that nobody calls is not compiled, if it is static. */
static const char hidden_main[] =
    "#define main(...) __attribute__((unused)) static hone_unused_main(__VA_ARGS__)\n";

void hone__c_entry_source(const struct hone__c_entry *entry, struct hone__text *out_source)
{
  const char *entries = entry->entries;

  if (entry->hides_main) hone__text_add(out_source, hidden_main);
  hone__text_addf(out_source, "#include \"%s\"\n", entry->source);
  while (*entries) {
    size_t length = strcspn(entries, "\n");
    char *own = hone__strndup(entries, length);
    if (!hone__c_entry_is_plain(own)) add_pointer(entry, own, out_source);
    free(own);
    entries += length + (entries[length] == '\n');
  }
}

void *hone__c_entry_find(void *library, const char *entry)
{
  struct hone__text name = {0};
  void *symbol;

  if (hone__c_entry_is_plain(entry)) return dlsym(library, entry);
  hone__c_entry_symbol(entry, &name);
  symbol = dlsym(library, name.data);
  hone__text_release(&name);
  return symbol ? *(void **)symbol : NULL;
}
