/* Argument words are made from the JSON once, before the fork. */
#include "backend/c/call.h"

#include "backend/kernel/scalar.h"
#include "base/status.h"

#include <stdlib.h>

/* C passes halves where it passes floats, in the lowest bytes; libffi supports floats only. */
static bool is_half(enum hone__element element)
{
  return element == HONE__ELEMENT_F16 || element == HONE__ELEMENT_BF16;
}

static ffi_type *type_of(enum hone__element element)
{
  static ffi_type *const by_size[2][4] = {
      {&ffi_type_uint8, &ffi_type_uint16, &ffi_type_uint32, &ffi_type_uint64},
      {&ffi_type_sint8, &ffi_type_sint16, &ffi_type_sint32, &ffi_type_sint64}};
  const struct hone__element_info *info = hone__element_info(element);

  if (is_half(element) || element == HONE__ELEMENT_F32) return &ffi_type_float;
  if (element == HONE__ELEMENT_F64) return &ffi_type_double;
  return by_size[info->kind == HONE__KIND_SIGNED][__builtin_ctzl(info->size)];
}

static hone_status add_word(struct hone__c_call *call, const struct hone__buffers *buffers,
                            size_t place, const struct hone__arg *arg,
                            const struct hone__kernel_value *value, size_t at)
{
  union hone__c_word *word = &call->words[place][at];

  call->values[place][at] = word;
  if (arg->kind != HONE__ARG_SCALAR) {
    word->pointer = buffers->range[place] + arg->data;
    return NULL;
  }
  if (is_half(arg->element)) word->u64 = UINT64_MAX; /* RISC-V requires NaN boxing */
  return hone__scalar_set(arg, value, &word->u64);
}

static hone_status add_argument(struct hone__c_call *call, const struct hone__buffers *buffers,
                                const struct hone__arg *arg, const struct hone__kernel_value *value,
                                size_t at)
{
  hone_status status = NULL;

  call->types[at] = arg->kind == HONE__ARG_SCALAR ? type_of(arg->element) : &ffi_type_pointer;
  for (size_t place = 0; place < buffers->places && !status; place++)
    status = add_word(call, buffers, place, arg, value, at);
  return status;
}

/* Arguments that only a GPU has (local memory, tensor maps) are skipped: this is its kernel's
 * reference. */
static bool is_passed(const struct hone__arg *arg, bool takes_symbols)
{
  if (arg->symbol && !takes_symbols) return false;
  return hone__arg_is_tensor(arg) || arg->kind == HONE__ARG_SCALAR;
}

hone_status hone__c_call_prepare(struct hone__c_call *call, const struct hone__buffers *buffers,
                                 const struct hone__kernel_stage *stage, bool takes_symbols)
{
  size_t args = stage->args ? stage->args_count : buffers->count;
  size_t room = args + 1, scalars = 0, count = 0;

  *call = (struct hone__c_call){.types = hone__alloc(room * sizeof *call->types)};
  for (size_t place = 0; place < buffers->places; place++) {
    call->words[place] = hone__alloc(room * sizeof *call->words[place]);
    call->values[place] = hone__alloc(room * sizeof *call->values[place]);
  }
  for (size_t i = 0; i < args; i++) {
    const struct hone__arg *arg = &buffers->args[stage->args ? (size_t)stage->args[i] : i];
    const struct hone__kernel_value *value = NULL;
    hone_status status = NULL;
    if (!is_passed(arg, takes_symbols)) continue;
    if (arg->kind == HONE__ARG_SCALAR && scalars < stage->values_count)
      value = &stage->values[scalars++];
    status = add_argument(call, buffers, arg, value, count++);
    if (status) return status;
  }
  if (ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, (unsigned)count, &ffi_type_void, call->types) ==
      FFI_OK)
    return NULL;
  return hone__error(HONE_INVALID_SPEC, "no function can be called with these arguments");
}

void hone__c_call_release(struct hone__c_call *call)
{
  free(call->types);
  for (size_t place = 0; place < HONE__PLACES; place++) {
    free(call->words[place]);
    free(call->values[place]);
  }
  *call = (struct hone__c_call){0};
}
