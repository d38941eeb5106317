/* The fields of a RESULT. */
#include "wire/result.h"

#include <math.h>

const char *hone__wire_outcome_choice(int outcome)
{
  return outcome >= 0 && outcome < HONE_OUTCOME_COUNT
             ? hone_outcome_name((enum hone_outcome)outcome)
             : NULL;
}

static const struct hone__field fields[] = {
    HONE__CHOICE_AS(struct hone__wire_result, "class", outcome, HONE__NEEDED,
                    hone__wire_outcome_choice),
    HONE__TEXT(struct hone__wire_result, evidence, HONE__OPTIONAL),
    HONE__REAL(struct hone__wire_result, worked_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__BOOL(struct hone__wire_result, final, HONE__OPTIONAL),
};

const struct hone__record_type hone__wire_result_type =
    HONE__RECORD_TYPE("result", struct hone__wire_result, fields);
