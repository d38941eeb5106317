/* unpacked.h - kernels' setups and candidates as structs, from the JSON that tests write. What they
 * point to lies in the JSON, or in the arena. */
#ifndef HONE_TESTS_UNIT_UNPACKED_H
#define HONE_TESTS_UNIT_UNPACKED_H

#include "backend/kernel/kernel_candidate.h"
#include "backend/kernel/kernel_setup.h"
#include "wire/packed_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void unpack(const json_t *json, const struct hone__record_type *type,
                          struct hone__arena *arena, void *out_record)
{
  hone_status status = hone__unpack(hone__wire_json_packed(json), type, arena, out_record);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

static inline struct hone__kernel_candidate unpacked_candidate(const json_t *json,
                                                               struct hone__arena *arena)
{
  struct hone__kernel_candidate candidate;

  unpack(json, &hone__kernel_candidate_type, arena, &candidate);
  return candidate;
}

static inline struct hone__kernel_setup unpacked_setup(const json_t *json,
                                                       struct hone__arena *arena)
{
  struct hone__kernel_setup setup;

  unpack(json, &hone__kernel_setup_type, arena, &setup);
  return setup;
}

#endif
