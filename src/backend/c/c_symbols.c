#include "backend/c/c_symbols.h"

#include "backend/kernel/engine.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

void hone__c_symbols_prepare(struct hone__c_symbols *symbols, const struct hone__buffers *buffers,
                             const struct hone__kernel_candidate *candidate)
{
  *symbols = (struct hone__c_symbols){0};
  if (buffers->has_symbol && !candidate->takes_symbols)
    symbols->at = hone__alloc((buffers->count + 1) * sizeof *symbols->at);
}

void hone__c_symbols_release(struct hone__c_symbols *symbols)
{
  free(symbols->at);
  *symbols = (struct hone__c_symbols){0};
}

/* Bytes of the array, or SIZE_MAX if the object does not say. */
static size_t size_of(void *at)
{
  const ElfW(Sym) *entry = NULL;
  Dl_info info;

  if (!dladdr1(at, &info, (void **)&entry, RTLD_DL_SYMENT) || !entry || !entry->st_size)
    return SIZE_MAX;
  return entry->st_size;
}

static bool find(const struct hone__arg *arg, void *library, struct hone__kernel_record *record,
                 unsigned char **out_at)
{
  void *at = dlsym(library, arg->symbol);

  if (!at)
    return hone__kernel_record_fail(
        record, HONE_OUTCOME_LAUNCH_FAILURE,
        "it has no array '%s', which 'args' has as a symbol: declare it without 'static'",
        arg->symbol);
  if (size_of(at) < arg->bytes)
    return hone__kernel_record_fail(record, HONE_OUTCOME_LAUNCH_FAILURE,
                                    "its array '%s' has %zu bytes, the argument %zu", arg->symbol,
                                    size_of(at), arg->bytes);
  *out_at = at;
  return true;
}

bool hone__c_symbols_find(struct hone__c_symbols *symbols, const struct hone__buffers *buffers,
                          void *library, struct hone__kernel_record *record)
{
  for (size_t i = 0; symbols->at && i < buffers->count; i++)
    if (buffers->args[i].symbol && !find(&buffers->args[i], library, record, &symbols->at[i]))
      return false;
  return true;
}

void hone__c_symbols_write(const struct hone__c_symbols *symbols,
                           const struct hone__buffers *buffers, size_t place)
{
  for (size_t i = 0; symbols->at && i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (symbols->at[i]) memcpy(symbols->at[i], buffers->range[place] + arg->data, arg->bytes);
  }
}

void hone__c_symbols_read(const struct hone__c_symbols *symbols,
                          const struct hone__buffers *buffers, size_t place)
{
  for (size_t i = 0; symbols->at && i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    if (symbols->at[i] && hone__arg_is_output(arg))
      memcpy(buffers->range[place] + arg->data, symbols->at[i], arg->bytes);
  }
}
