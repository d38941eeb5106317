/* Functions of C++ have names that only a compiler knows. The source is included by another one,
 * which has a pointer to each function, with a name of C. */
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

static void add_pointer(const char *entry, bool typed, struct hone__text *out)
{
  struct hone__text name = {0};

  hone__c_entry_symbol(entry, &name);
  if (typed)
    hone__text_addf(out, "extern \"C\" { decltype(&%s) %s = &%s; }\n", entry, name.data, entry);
  else
    hone__text_addf(out,
                    "extern \"C\" {\n"
                    "extern void (*const %s)();\n"
                    "void (*const %s)() = reinterpret_cast<void (*)()>(&%s);\n"
                    "}\n",
                    name.data, name.data, entry);
  hone__text_release(&name);
}

void hone__c_entry_source(const char *source, const char *entries, bool typed,
                          struct hone__text *out_source)
{
  hone__text_addf(out_source, "#include \"%s\"\n", source);
  while (*entries) {
    size_t length = strcspn(entries, "\n");
    char *entry = hone__strndup(entries, length);
    if (!hone__c_entry_is_plain(entry)) add_pointer(entry, typed, out_source);
    free(entry);
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
