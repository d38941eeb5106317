/* Any bytes as a message of every type: it is refused with a reason, or what it says comes back
 * when it is sent again. */
#include "backend/gpu/gpu_order.h"
#include "backend/kernel/kernel_candidate.h"
#include "backend/kernel/kernel_setup.h"
#include "backend/kernel/trial_remarks.h"
#include "backend/program/program_candidate.h"
#include "backend/program/program_setup.h"
#include "iree/backend/iree_candidate.h"
#include "iree/backend/iree_setup.h"
#include "wire/build_job.h"
#include "wire/build_reply.h"
#include "wire/candidate_head.h"
#include "wire/hello.h"
#include "wire/job_head.h"
#include "wire/parcels.h"
#include "wire/ready.h"
#include "wire/result.h"
#include "wire/run_job.h"
#include "wire/run_reply.h"
#include "wire/setup_head.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct hone__record_type *const types[] = {
    &hone__build_job_type,        &hone__build_reply_type,    &hone__run_job_type,
    &hone__run_reply_type,        &hone__device_facts_type,   &hone__device_list_type,
    &hone__device_state_type,     &hone__named_type,          &hone__kernel_setup_type,
    &hone__kernel_candidate_type, &hone__trial_remarks_type,  &hone__gpu_order_type,
    &hone__gpu_opened_type,       &hone__hello_type,          &hone__ready_type,
    &hone__result_type,           &hone__job_head_type,       &hone__setup_head_type,
    &hone__candidate_head_type,   &hone__program_setup_type,  &hone__program_candidate_type,
    &hone__iree_setup_type,       &hone__iree_candidate_type, &hone__parcels_type,
};

/* What the record says, as text. */
static void send(const struct hone__record_type *type, const void *record, struct hone__text *text)
{
  struct hone__packed *packed = hone__pack(type, record);

  hone__packed_print(packed, text);
  hone__packed_drop(packed);
}

static void check_again(const struct hone__record_type *type, const struct hone__text *sent)
{
  struct hone__packed *packed = hone__packed_parse(sent->data, sent->length);
  void *record = hone__alloc(type->size);
  struct hone__arena arena = {0};
  struct hone__text again = {0};

  if (!packed || hone__unpack(packed, type, &arena, record)) abort();
  send(type, record, &again);
  if (again.length != sent->length || memcmp(again.data, sent->data, sent->length) != 0) abort();
  hone__text_release(&again);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  free(record);
}

static void read_as(const struct hone__record_type *type, const struct hone__packed *packed)
{
  void *record = hone__alloc(type->size);
  struct hone__arena arena = {0};
  struct hone__text sent = {0};
  hone_status status = hone__unpack(packed, type, &arena, record);

  if (!status) {
    send(type, record, &sent);
    check_again(type, &sent);
  } else if (!*hone_status_message(status)) {
    abort();
  }
  hone_status_free(status);
  hone__text_release(&sent);
  hone__arena_release(&arena);
  free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__packed *packed = hone__packed_parse((const char *)data, size);

  for (size_t i = 0; packed && i < sizeof types / sizeof *types; i++)
    read_as(types[i], packed);
  hone__packed_drop(packed);
  return 0;
}
