/* The fields of a run reply. */
#include "wire/run_reply.h"

#include "wire/result.h"

#include <math.h>

static const struct hone__field checks_fields[] = {
    HONE__SIZE(struct hone__wire_run_checks, compared, HONE__SENT),
    HONE__SIZE(struct hone__wire_run_checks, whole, HONE__SENT),
    HONE__REAL(struct hone__wire_run_checks, whole_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_run_checks, sample_ns, HONE__OPTIONAL, 0, INFINITY),
};
const struct hone__record_type hone__wire_run_checks_type =
    HONE__RECORD_TYPE("checks", struct hone__wire_run_checks, checks_fields);

static const struct hone__field share_fields[] = {
    HONE__TEXT(struct hone__wire_stage_share, name, HONE__NEEDED),
    HONE__REAL(struct hone__wire_stage_share, share, HONE__SENT, 0, 1),
};
const struct hone__record_type hone__wire_stage_share_type =
    HONE__RECORD_TYPE("stage", struct hone__wire_stage_share, share_fields);

static const struct hone__field result_fields[] = {
    HONE__CHOICE_AS(struct hone__wire_candidate_result, "class", outcome, HONE__NEEDED,
                    hone__wire_outcome_choice),
    HONE__TEXT(struct hone__wire_candidate_result, evidence, HONE__OPTIONAL),
    /* The driver ignores a time that is wrong: it is the fault of the candidate, not of the worker.
     */
    HONE__REAL(struct hone__wire_candidate_result, cold_ns, HONE__OPTIONAL, -INFINITY, INFINITY),
    HONE__SIZE(struct hone__wire_candidate_result, repeats, HONE__SENT),
    HONE__SIZE(struct hone__wire_candidate_result, samples, HONE__SENT),
    HONE__RECORD(struct hone__wire_candidate_result, checks, HONE__OPTIONAL,
                 &hone__wire_run_checks_type),
    HONE__PACKED(struct hone__wire_candidate_result, table, HONE__OPTIONAL),
    HONE__TEXT_AS(struct hone__wire_candidate_result, "stdout", stdout_text, HONE__OPTIONAL),
    HONE__TEXT_AS(struct hone__wire_candidate_result, "stderr", stderr_text, HONE__OPTIONAL),
    HONE__NAMED(struct hone__wire_candidate_result, facts, HONE__OPTIONAL),
    HONE__RECORDS(struct hone__wire_candidate_result, stages, HONE__OPTIONAL,
                  &hone__wire_stage_share_type),
};
static const struct hone__record_type result_type =
    HONE__RECORD_TYPE("result", struct hone__wire_candidate_result, result_fields);

static const struct hone__field clock_fields[] = {
    HONE__RECORD(struct hone__wire_run_clock, state, HONE__OPTIONAL, &hone__wire_device_state_type),
};
const struct hone__record_type hone__wire_run_clock_type =
    HONE__RECORD_TYPE("clock", struct hone__wire_run_clock, clock_fields);

static const struct hone__field fields[] = {
    HONE__RECORDS(struct hone__wire_run_reply, results, HONE__OPTIONAL, &result_type),
    HONE__SIZE(struct hone__wire_run_reply, rows, HONE__SENT),
    HONE__REAL(struct hone__wire_run_reply, cpu_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__INT(struct hone__wire_run_reply, forced_switches, HONE__SENT, 0, 0x1p53),
    HONE__INT(struct hone__wire_run_reply, cpu, HONE__SENT, -1, 0x1p31),
    HONE__TEXTS(struct hone__wire_run_reply, notes, HONE__SENT),
    HONE__BOOL(struct hone__wire_run_reply, final, HONE__OPTIONAL),
    HONE__RECORD(struct hone__wire_run_reply, clock, HONE__OPTIONAL, &hone__wire_run_clock_type),
};

const struct hone__record_type hone__wire_run_reply_type =
    HONE__RECORD_TYPE("run reply", struct hone__wire_run_reply, fields);
