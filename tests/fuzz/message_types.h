/* message_types.h - all types of messages; tests/cli/test_values.sh compares the list with the
 * headers. */
#ifndef HONE_TESTS_FUZZ_MESSAGE_TYPES_H
#define HONE_TESTS_FUZZ_MESSAGE_TYPES_H

#include "backend/gpu/gpu_order.h"
#include "backend/kernel/kernel_candidate.h"
#include "backend/kernel/kernel_setup.h"
#include "backend/kernel/trial_remarks.h"
#include "backend/program/library_order.h"
#include "backend/program/program_candidate.h"
#include "backend/program/program_setup.h"
#include "backend/program/serve_message.h"
#include "backend/sim/sim_setup.h"
#include "iree/backend/iree_candidate.h"
#include "iree/backend/iree_setup.h"
#include "iree/model/model_state.h"
#include "wire/build_job.h"
#include "wire/build_reply.h"
#include "wire/candidate_head.h"
#include "wire/carried_files.h"
#include "wire/hello.h"
#include "wire/job_head.h"
#include "wire/parcels.h"
#include "wire/ready.h"
#include "wire/result.h"
#include "wire/run_job.h"
#include "wire/run_kinds.h"
#include "wire/run_reply.h"
#include "wire/setup_head.h"

static const struct hone__record_type *const message_types[] = {
    &hone__wire_build_job_type,
    &hone__wire_build_reply_type,
    &hone__wire_run_job_type,
    &hone__wire_run_reply_type,
    &hone__wire_device_facts_type,
    &hone__wire_device_list_type,
    &hone__wire_device_state_type,
    &hone__named_type,
    &hone__kernel_setup_type,
    &hone__kernel_candidate_type,
    &hone__trial_remarks_type,
    &hone__gpu_order_type,
    &hone__gpu_opened_type,
    &hone__hello_type,
    &hone__ready_type,
    &hone__wire_result_type,
    &hone__wire_job_head_type,
    &hone__wire_setup_head_type,
    &hone__wire_candidate_head_type,
    &hone__program_setup_type,
    &hone__program_candidate_type,
    &hone__iree_setup_type,
    &hone__iree_candidate_type,
    &hone__parcels_type,
    &hone__wire_files_type,
    &hone__want_type,
    &hone__sim_setup_type,
    &hone__sim_candidate_type,
    &hone__library_order_type,
    &hone__library_reply_type,
    &hone__program_check_type,
    &hone__serve_param_type,
    &hone__kernel_stage_type,
    &hone__wire_run_checks_type,
    &hone__wire_run_clock_type,
    &hone__wire_stage_share_type,
    &hone__wire_run_kinds_type,
    &hone__wire_matrix_type,
    &hone__model_state_type,
    &hone__model_found_type,
};

#endif
