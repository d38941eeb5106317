/* The name that a linker knows an array of the source by. Names in a namespace are mangled as
 * compilers for C++ do it (Itanium ABI); those outside are not. */
#include "backend/kernel/describer.h"

#include "spec/schema.h"

#include <ctype.h>

static bool is_part(const char *begin, size_t length)
{
  if (!length || isdigit((unsigned char)*begin)) return false;
  for (size_t i = 0; i < length; i++)
    if (!hone__is_word(begin[i])) return false;
  return true;
}

/* Of "tables::filter" each part, as "_ZN6tables6filterE". False: it is not a name. */
static bool mangle(const char *name, struct hone__text *out)
{
  hone__text_add(out, "_ZN");
  while (name) {
    const char *colons = strstr(name, "::");
    size_t length = colons ? (size_t)(colons - name) : strlen(name);
    if (!is_part(name, length)) return false;
    hone__text_addf(out, "%zu%.*s", length, (int)length, name);
    name = colons ? colons + 2 : NULL;
  }
  hone__text_add(out, "E");
  return true;
}

static hone_status refuse(const struct hone__describer *d, const struct hone__node *node)
{
  return hone__backend_spec_error(d->task->spec, node,
                                  "'%s' is not the name of an array in the source, such as "
                                  "'filter' or 'tables::filter'",
                                  node->text);
}

static bool is_boolean(const struct hone__node *node)
{
  return node->value.type == HONE_BOOL;
}

hone_status hone__kernel_symbol(struct hone__describer *d, const struct hone__node *arg,
                                struct hone__kernel_arg *out)
{
  static const char *const backends[] = {"c", "cuda", "hip", NULL};
  const struct hone__node *node = hone__node_get(arg, "symbol");
  const char *name;
  struct hone__text mangled = {0};
  bool is_name;

  if (!node || (is_boolean(node) && !node->value.integer)) return NULL;
  if (!hone__spec_is_one_of(d->kind->backend, backends))
    return hone__backend_spec_error(d->task->spec, node,
                                    "backend '%s' does not support arguments with 'symbol': pass "
                                    "the array to the kernel, as a '__constant' pointer",
                                    d->kind->backend);
  name = is_boolean(node) ? out->name : node->text;
  if (!strstr(name, "::")) {
    out->symbol = name;
    return is_part(name, strlen(name)) ? NULL : refuse(d, node);
  }
  is_name = mangle(name, &mangled);
  if (is_name) out->symbol = hone__arena_strdup(&d->arena, mangled.data);
  hone__text_release(&mangled);
  return is_name ? NULL : refuse(d, node);
}
