/* The words of arguments are made once, before the fork. */
#include "backend/c/call.h"

#include "backend/kernel/scalar.h"
#include "base/status.h"

#include <stdio.h>
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

/* ---- Structs ---- */

static ffi_type *struct_type(struct hone__c_call *call, const struct hone__arg *arg)
{
  ffi_type *type = hone__arena_alloc(&call->arena, sizeof *type);

  type->type = FFI_TYPE_STRUCT;
  type->elements =
      hone__arena_alloc(&call->arena, (arg->member_count + 1) * sizeof *type->elements);
  for (size_t i = 0; i < arg->member_count; i++)
    type->elements[i] = type_of(arg->members[i]);
  return type;
}

/* Its bytes, laid out as C does. */
static hone_status add_struct(struct hone__c_call *call, const struct hone__arg *arg,
                              const struct hone__kernel_value *value, size_t at)
{
  const char *hex = value && value->bytes ? value->bytes : "";
  size_t size = strlen(hex) / 2;
  unsigned char *bytes = hone__arena_alloc(&call->arena, size + 8);

  for (size_t i = 0; i < size; i++) {
    unsigned byte;
    if (sscanf(hex + 2 * i, "%2x", &byte) != 1) size = 0;
    bytes[i] = (unsigned char)byte;
  }
  if (!size) return hone__error(HONE_INVALID_SPEC, "the struct '%s' has no valid value", arg->name);
  call->types[at] = struct_type(call, arg);
  call->structs[call->struct_count++] = (struct hone__c_struct){at, bytes};
  return NULL;
}

/* ---- Return values ---- */

static ffi_type *add_return(struct hone__c_call *call, const struct hone__buffers *buffers,
                            const struct hone__arg *arg)
{
  call->out_size = arg->bytes;
  for (size_t place = 0; place < buffers->places; place++)
    call->out[place] = buffers->range[place] + arg->data;
  return type_of(arg->element);
}

/* ---- All of it ---- */

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
 * reference, which gets no structs either. */
static bool is_passed(const struct hone__arg *arg, const struct hone__kernel_candidate *candidate)
{
  if (arg->symbol && !candidate->takes_symbols) return false;
  if (arg->kind == HONE__ARG_STRUCT) return !candidate->backend;
  return hone__arg_is_tensor(arg) || arg->kind == HONE__ARG_SCALAR;
}

static void open_call(struct hone__c_call *call, const struct hone__buffers *buffers, size_t room)
{
  *call = (struct hone__c_call){.types = hone__alloc(room * sizeof *call->types),
                                .structs = hone__alloc(room * sizeof *call->structs)};
  for (size_t place = 0; place < buffers->places; place++) {
    call->words[place] = hone__alloc(room * sizeof *call->words[place]);
    call->values[place] = hone__alloc(room * sizeof *call->values[place]);
  }
}

hone_status hone__c_call_prepare(struct hone__c_call *call, const struct hone__buffers *buffers,
                                 const struct hone__kernel_stage *stage,
                                 const struct hone__kernel_candidate *candidate)
{
  size_t args = stage->args ? stage->args_count : buffers->count, values = 0, count = 0;
  ffi_type *returned = &ffi_type_void;
  hone_status status = NULL;

  open_call(call, buffers, args + 1);
  for (size_t i = 0; i < args && !status; i++) {
    const struct hone__arg *arg = &buffers->args[stage->args ? (size_t)stage->args[i] : i];
    const struct hone__kernel_value *value = NULL;
    if (!is_passed(arg, candidate)) continue;
    if (!hone__arg_is_tensor(arg) && values < stage->values_count) value = &stage->values[values++];
    if (arg->is_return)
      returned = add_return(call, buffers, arg);
    else if (arg->kind == HONE__ARG_STRUCT)
      status = add_struct(call, arg, value, count++);
    else
      status = add_argument(call, buffers, arg, value, count++);
  }
  if (status) return status;
  if (ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, (unsigned)count, returned, call->types) == FFI_OK)
    return NULL;
  return hone__error(HONE_INVALID_SPEC, "no function can be called with these arguments");
}

void hone__c_call_release(struct hone__c_call *call)
{
  free(call->types);
  free(call->structs);
  hone__arena_release(&call->arena);
  for (size_t place = 0; place < HONE__PLACES; place++) {
    free(call->words[place]);
    free(call->values[place]);
  }
  *call = (struct hone__c_call){0};
}
