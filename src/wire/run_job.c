/* The fields of a run job. */
#include "wire/run_job.h"

#include "base/names.h"

#include <math.h>

static const char *mode_name(int mode)
{
  static const char *const names[] = {
#define X(id, name) name,
      HONE__RUN_MODES(X)
#undef X
  };

  return (size_t)mode < sizeof names / sizeof *names ? names[mode] : NULL;
}

static const char *phase_name(int phase)
{
  return phase >= 0 && phase <= HONE_PHASE_CONFIRM ? hone__phase_name((enum hone_phase)phase)
                                                   : NULL;
}

static const struct hone__field item_fields[] = {
    HONE__PACKED(struct hone__wire_run_item, candidate, HONE__NEEDED),
    HONE__SIZE(struct hone__wire_run_item, offset, HONE__SENT),
    HONE__SIZE(struct hone__wire_run_item, size, HONE__SENT),
};
static const struct hone__record_type item_type =
    HONE__RECORD_TYPE("candidate of a run job", struct hone__wire_run_item, item_fields);

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__wire_run_job, op, HONE__OPTIONAL),
    HONE__CHOICE(struct hone__wire_run_job, mode, HONE__OPTIONAL, mode_name),
    HONE__VALUE(struct hone__wire_run_job, check, HONE__OPTIONAL),
    HONE__BOOL(struct hone__wire_run_job, late_check, HONE__SENT),
    HONE__BOOL(struct hone__wire_run_job, first_is_known, HONE__OPTIONAL),
    HONE__BOOL(struct hone__wire_run_job, renew, HONE__OPTIONAL),
    HONE__BOOL(struct hone__wire_run_job, verbose, HONE__SENT),
    HONE__SIZE(struct hone__wire_run_job, samples, HONE__SENT),
    HONE__SIZE(struct hone__wire_run_job, rows, HONE__SENT),
    HONE__VALUE(struct hone__wire_run_job, warmup, HONE__OPTIONAL),
    HONE__REAL(struct hone__wire_run_job, timeout_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_run_job, start_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_run_job, budget_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_run_job, call_timeout_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_run_job, cap_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_run_job, cut_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__wire_run_job, min_sample_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__INT(struct hone__wire_run_job, seed, HONE__SENT, -0x1p63, 0x1p63),
    HONE__CHOICE(struct hone__wire_run_job, phase, HONE__OPTIONAL, phase_name),
    HONE__SIZE(struct hone__wire_run_job, number, HONE__SENT),
    HONE__RECORDS(struct hone__wire_run_job, candidates, HONE__NEEDED, &item_type),
};

const struct hone__record_type hone__wire_run_job_type =
    HONE__RECORD_TYPE("run job", struct hone__wire_run_job, fields);
