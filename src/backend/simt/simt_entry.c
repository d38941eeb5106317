/* The name of the instantiated template is _Z10hone__markIXadL<name>EEEvv; that of a second entry
 * is _Z11hone__mark1IXadL<name>EEEvv, and so on. Its back references (S1_) count from its own
 * beginning, and differ from those in the entry's name, so names are compared without their
 * numbers. A kernel that is extern "C" is found by its plain name.
 */
#include "backend/simt/simt_entry.h"

#include "backend/kernel/pipeline.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char stem[] = "_Z", mark[] = "hone__mark", opening[] = "IXadL", suffix[] = "EEEvv";

/* "" for the first entry, then 1, 2 ... */
static void print_number(size_t number, char out_text[24])
{
  snprintf(out_text, 24, "%.0zu", number);
}

void hone__simt_entry_source(const char *source, const char *entries, struct hone__text *out_text)
{
  struct hone__text entry = {0};
  char number[24];

  hone__text_addf(out_text, "#include \"%s\"\n", source);
  for (size_t i = 0; hone__pipeline_next_entry(&entries, &entry); i++) {
    print_number(i, number);
    hone__text_addf(out_text,
                    "template <auto Kernel> __global__ void %s%s() {}\n"
                    "void *hone__entry%s() { return (void *)%s%s<%s>; }\n",
                    mark, number, number, mark, number, entry.data);
  }
  hone__text_release(&entry);
}

void hone__simt_entry_mark(const char *entries, struct hone__text *out_text)
{
  struct hone__text entry = {0};
  char number[24];

  hone__text_add(out_text, "\n#line 1 \"entry\"\n");
  for (size_t i = 0; hone__pipeline_next_entry(&entries, &entry); i++) {
    print_number(i, number);
    hone__text_addf(out_text,
                    "template <auto Kernel> __global__ void %s%s() {} "
                    "template __global__ void %s%s<%s>();\n",
                    mark, number, mark, number, entry.data);
  }
  hone__text_release(&entry);
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
  size_t number;            /* of the entry whose mark is looked for */
  const char *plain;        /* the last name of the entry, without template parameters */
  struct hone__text marked; /* the name in the mark; empty: not found yet */
  char *found;
  size_t count;
  struct hone__text *known;
};

/* Whether it is the mark of any entry; `*out_inner` is what it has of the entry's name. */
static bool is_mark(const char *name, size_t *out_number, const char **out_inner,
                    size_t *out_length)
{
  size_t length = strlen(name), least = strlen(suffix);
  const char *end;

  if (!hone__starts_with(name, stem)) return false;
  end = name + strlen(stem);
  end += strspn(end, "0123456789");
  if (!hone__starts_with(end, mark)) return false;
  end += strlen(mark);
  *out_number = strtoul(end, NULL, 10);
  end += strspn(end, "0123456789");
  if (!hone__starts_with(end, opening) || strlen(end) <= strlen(opening) + least ||
      strcmp(name + length - least, suffix) != 0)
    return false;
  *out_inner = end + strlen(opening);
  *out_length = strlen(*out_inner) - least;
  return true;
}

static bool read_mark(void *data, const char *name)
{
  struct search *search = data;
  const char *inner;
  size_t number, length;

  if (!is_mark(name, &number, &inner, &length) || number != search->number) return true;
  add_without_numbers(&search->marked, inner, length);
  return false;
}

static bool compare(void *data, const char *name)
{
  struct search *search = data;
  struct hone__text own = {0};
  const char *inner;
  size_t number, length;

  if (is_mark(name, &number, &inner, &length)) return true;
  hone__text_addf(search->known, "%s%s", search->known->length ? ", " : "", name);
  add_without_numbers(&own, name, strlen(name));
  if (search->marked.data && strcmp(own.data, search->marked.data) == 0) {
    free(search->found);
    search->found = hone__strdup(name);
    search->count++;
  }
  hone__text_release(&own);
  return true;
}

static bool compare_plainly(void *data, const char *name)
{
  struct search *search = data;

  if (strcmp(name, search->plain) != 0) return true;
  free(search->found);
  search->found = hone__strdup(name);
  search->count = 1;
  return false;
}

/* "_Z4gemmPf" for "gemm": a function outside of namespaces, of a compiler without marks. */
static bool compare_mangled(void *data, const char *name)
{
  struct search *search = data;
  char *rest;
  size_t length;

  if (!hone__starts_with(name, stem)) return true;
  length = strtoul(name + strlen(stem), &rest, 10);
  if (length != strlen(search->plain) || strncmp(rest, search->plain, length) != 0) return true;
  free(search->found);
  search->found = hone__strdup(name);
  search->count++;
  return true;
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

char *hone__simt_entry_find(hone__simt_kernels *kernels, const void *code, size_t size,
                            const char *entry, size_t number, struct hone__text *known)
{
  char *plain = plain_name(entry);
  struct search search = {.number = number, .plain = plain ? plain : "", .known = known};

  kernels(code, size, read_mark, &search);
  kernels(code, size, compare, &search);
  if (!search.count) kernels(code, size, compare_plainly, &search);
  if (!search.count && !strpbrk(entry, ":<")) kernels(code, size, compare_mangled, &search);
  hone__text_release(&search.marked);
  free(plain);
  if (search.count == 1) return search.found;
  free(search.found);
  return NULL;
}
