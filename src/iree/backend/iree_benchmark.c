/* The one place that reads the tool's JSON. */
#include "iree/backend/iree_benchmark.h"

#include "base/time_unit.h"

#include <math.h>

#define ROW struct hone__iree_row
static const struct hone__field row_fields[] = {
    HONE__TEXT(ROW, name, HONE__NEEDED),
    HONE__TEXT(ROW, run_type, HONE__OPTIONAL),
    HONE__TEXT(ROW, time_unit, HONE__OPTIONAL),
    HONE__VALUE(ROW, real_time, HONE__OPTIONAL),
    HONE__VALUE(ROW, cpu_time, HONE__OPTIONAL),
    HONE__VALUE(ROW, calls, HONE__OPTIONAL),
    HONE__BOOL(ROW, error_occurred, HONE__OPTIONAL),
    HONE__TEXT(ROW, error_message, HONE__OPTIONAL),
};
static const struct hone__record_type row_type = HONE__RECORD_TYPE("benchmark", ROW, row_fields);

#define ROWS struct hone__iree_rows
static const struct hone__field rows_fields[] = {
    HONE__RECORDS(ROWS, benchmarks, HONE__OPTIONAL, &row_type),
};
static const struct hone__record_type rows_type =
    HONE__RECORD_TYPE("its report", ROWS, rows_fields);

hone_status hone__iree_rows_parse(const char *text, struct hone__iree_rows *out_rows)
{
  struct hone__arena arena = {0};
  struct hone__packed *packed;
  hone_status status;

  *out_rows = (struct hone__iree_rows){0};
  status = hone__packed_parse_first(text, &packed);
  if (status) return hone__annotate(status, "its output is not valid JSON");
  status = hone__unpack(packed, &rows_type, &arena, out_rows);
  out_rows->packed = packed;
  out_rows->arena = arena;
  return status;
}

void hone__iree_rows_release(struct hone__iree_rows *rows)
{
  hone__packed_drop(rows->packed);
  hone__arena_release(&rows->arena);
  *rows = (struct hone__iree_rows){0};
}

double hone__iree_row_ns(const struct hone__iree_row *row, struct hone_value time)
{
  const char *unit = row->time_unit ? row->time_unit : "";
  double unit_ns = hone__time_unit_ns(unit, strlen(unit));

  if (!(unit_ns > 0)) return NAN;
  if (time.type == HONE_INT) return unit_ns * (double)time.integer;
  return time.type == HONE_FLOAT ? unit_ns * time.real : NAN;
}
