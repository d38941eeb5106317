/* c_symbols.h - arguments that are arrays of a candidate's shared object (`symbol: true`).
 *
 * Their tensors lie in the buffers as all others do, with two places and two contents. The array of
 * the object gets the elements of a place before a call, and outputs are copied back after it; the
 * time of both is not measured.
 */
#ifndef HONE_BACKEND_C_C_SYMBOLS_H
#define HONE_BACKEND_C_C_SYMBOLS_H

#include "backend/kernel/trial.h"

struct hone__c_symbols { /* { 0 } has none */
  unsigned char **at;    /* of each argument; NULL: it is not a symbol */
};

/* In the runner: room for them. A reference that takes symbols as pointers has none. */
void hone__c_symbols_prepare(struct hone__c_symbols *symbols, const struct hone__buffers *buffers,
                             const struct hone__kernel_candidate *candidate);
void hone__c_symbols_release(struct hone__c_symbols *symbols);

/* In the process of the candidates; nothing is allocated. False: one is missing or too small, which
 * the record says. */
bool hone__c_symbols_find(struct hone__c_symbols *symbols, const struct hone__buffers *buffers,
                          void *library, struct hone__kernel_record *record);
/* Before a call, and after it. */
void hone__c_symbols_write(const struct hone__c_symbols *symbols,
                           const struct hone__buffers *buffers, size_t place);
void hone__c_symbols_read(const struct hone__c_symbols *symbols,
                          const struct hone__buffers *buffers, size_t place);

#endif
