/* The fields that all jobs have. */
#include "wire/job_head.h"

#include <math.h>

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__wire_job_head, op, HONE__NEEDED),
    HONE__REAL(struct hone__wire_job_head, timeout_s, HONE__OPTIONAL, 0, INFINITY),
};

const struct hone__record_type hone__wire_job_head_type =
    HONE__RECORD_TYPE("job", struct hone__wire_job_head, fields);

struct limit {
  double timeout_s;
};
static const struct hone__field limit_fields[] = {
    HONE__REAL(struct limit, timeout_s, HONE__OPTIONAL, 0, INFINITY),
};
static const struct hone__record_type limit_type =
    HONE__RECORD_TYPE("limit", struct limit, limit_fields);

double hone__head_timeout_s(const struct hone__packed *head)
{
  struct hone__arena arena = {0};
  struct limit limit = {NAN};
  hone_status status = head ? hone__unpack(head, &limit_type, &arena, &limit) : NULL;

  if (status) limit.timeout_s = NAN;
  hone_status_free(status);
  hone__arena_release(&arena);
  return limit.timeout_s;
}

void hone__head_set_timeout(struct hone__packed *head, double timeout_s)
{
  hone__packed_add(head, &limit_type, &(struct limit){timeout_s});
}
