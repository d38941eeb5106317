/* call.h - calls a function whose arguments are known only at run time.
 *
 * A tensor is a pointer to its elements, a scalar is passed by value: i8 ... u64, f32, f64 as in C,
 * bool as uint8_t, f16 as _Float16, bf16 as __bf16; f8, which C lacks, as its bits in a uint8_t. A
 * struct is passed by value. The return value is ignored, unless an argument stands for it.
 */
#ifndef HONE_BACKEND_C_CALL_H
#define HONE_BACKEND_C_CALL_H

#include "backend/kernel/buffers.h"
#include "backend/kernel/kernel_candidate.h"

#include <ffi.h>
#include <string.h>

union hone__c_word {
  void *pointer;
  uint64_t u64;
  unsigned char bytes[8];
};

struct hone__c_struct { /* an argument that is one */
  size_t at;            /* its number */
  void *bytes;
};

struct hone__c_call { /* { 0 } */
  ffi_cif cif;
  ffi_type **types;
  union hone__c_word *words[HONE__PLACES];
  void **values[HONE__PLACES];
  struct hone__c_struct *structs;
  size_t struct_count;
  void (*function)(void);
  struct hone__arena arena;         /* of structs and their types */
  unsigned char *out[HONE__PLACES]; /* where the return value goes */
  size_t out_size;                  /* its bytes; 0: it is ignored */
};

/* Prepares all except the function, which is known in the child only. The values of a stage are
 * those of its scalar arguments, in order; a u64 that JSON cannot represent is a string.
 * INVALID_SPEC: one is missing or does not fit. */
hone_status hone__c_call_prepare(struct hone__c_call *call, const struct hone__buffers *buffers,
                                 const struct hone__kernel_stage *stage,
                                 const struct hone__kernel_candidate *candidate);
void hone__c_call_release(struct hone__c_call *call);

/* Calls it with the tensors of this place. */
static inline void hone__call(struct hone__c_call *call, size_t place)
{
  union hone__c_word word; /* libffi widens small values; the lowest bytes come first */

  /* Of a struct in memory, libffi leaves the address of its own copy, which is gone. */
  for (size_t i = 0; i < call->struct_count; i++)
    call->values[place][call->structs[i].at] = call->structs[i].bytes;
  ffi_call(&call->cif, call->function, &word, call->values[place]);
  if (call->out_size) memcpy(call->out[place], word.bytes, call->out_size);
}

#endif
