/* The name of the instantiated template is _Z10hone__markIXadL<name>EEEvv. Its back references
 * (S1_) count from its own beginning, and differ from those in the entry's name, so names are
 * compared without their numbers. A kernel that is extern "C" is found by its plain name.
 */
#include "backend/cuda/cuda_entry.h"

#include "backend/cuda/cuda_cubin.h"

#include <ctype.h>
#include <stdlib.h>

static const char prefix[] = "_Z10hone__markIXadL", suffix[] = "EEEvv";

void hone__cuda_entry_source(const char *source, const char *entry, struct hone__text *out_text)
{
  hone__text_addf(out_text,
                  "#include \"%s\"\n"
                  "template <auto Kernel> __global__ void hone__mark() {}\n"
                  "void *hone__entry() { return (void *)hone__mark<%s>; }\n",
                  source, entry);
}

/* ---- Names ---- */

/* S_, S0_, S1A_ become S_. */
static void add_without_numbers(struct hone__text *text, const char *name, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    size_t end = i + 1;
    hone__text_addn(text, name + i, 1);
    if (name[i] != 'S') continue;
    while (end < length && (isdigit((unsigned char)name[end]) || isupper((unsigned char)name[end])))
      end++;
    if (end < length && name[end] == '_') i = end - 1;
  }
}

struct search {
  const char *plain;        /* the last name of the entry, without template parameters */
  struct hone__text marked; /* the name in the mark; empty: not found yet */
  const char *found;
  size_t count;
  struct hone__text *known;
};

static bool is_mark(const char *name, const char **out_inner, size_t *out_length)
{
  size_t length = strlen(name), outer = strlen(prefix) + strlen(suffix);

  if (length <= outer || !hone__starts_with(name, prefix) ||
      strcmp(name + length - strlen(suffix), suffix) != 0)
    return false;
  *out_inner = name + strlen(prefix);
  *out_length = length - outer;
  return true;
}

static bool read_mark(void *data, const char *name)
{
  struct search *search = data;
  const char *inner;
  size_t length;

  if (!is_mark(name, &inner, &length)) return true;
  add_without_numbers(&search->marked, inner, length);
  return false;
}

static bool compare(void *data, const char *name)
{
  struct search *search = data;
  struct hone__text own = {0};
  const char *inner;
  size_t length;

  if (is_mark(name, &inner, &length)) return true;
  hone__text_addf(search->known, "%s%s", search->known->length ? ", " : "", name);
  add_without_numbers(&own, name, strlen(name));
  if (search->marked.data && strcmp(own.data, search->marked.data) == 0) {
    search->found = name;
    search->count++;
  }
  hone__text_release(&own);
  return true;
}

static bool compare_plainly(void *data, const char *name)
{
  struct search *search = data;

  if (strcmp(name, search->plain) != 0) return true;
  search->found = name;
  search->count = 1;
  return false;
}

/* "a::b<x>" is b. */
static char *plain_name(const char *entry)
{
  size_t length = strcspn(entry, "< \t");
  const char *p = entry + length;

  while (p > entry && p[-1] != ':')
    p--;
  return hone__strndup(p, (size_t)(entry + length - p));
}

char *hone__cuda_entry_find(const void *cubin, size_t size, const char *entry,
                            struct hone__text *known)
{
  char *plain = plain_name(entry);
  struct search search = {.plain = plain ? plain : "", .known = known};

  hone__cubin_kernels(cubin, size, read_mark, &search);
  hone__cubin_kernels(cubin, size, compare, &search);
  if (!search.count) hone__cubin_kernels(cubin, size, compare_plainly, &search);
  hone__text_release(&search.marked);
  free(plain);
  return search.count == 1 ? hone__strdup(search.found) : NULL;
}
