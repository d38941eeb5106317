/* Nsight Compute profiles a runner that reads its setup and one job from a file, and runs the
 * kernel in its own process (HONE_PROFILED): the profiler does not survive a fork.
 */
#include "tune/contest.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/folder.h"
#include "proc/child.h"
#include "wire/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const double TIMEOUT_S = 120;
static const size_t MOST_LOG_BYTES = 64 << 20;

/* ---- What is counted ---- */

enum counter { TIME, BYTES, MEMORY, PROCESSORS, WARPS, TENSORS, FLOP, TENSOR_FLOP, COUNTERS };

static const struct {
  const char *metric;
  enum counter counter;
  double weight; /* of a sum over the launches of a call; 0: their mean, weighted by time */
} counted[] = {
    {"gpu__time_duration.sum", TIME, 1},
    {"dram__bytes.sum", BYTES, 1},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", MEMORY, 0},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", PROCESSORS, 0},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", WARPS, 0},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", TENSORS, 0},
#define OPERATIONS(type)                                                                           \
  {"sm__sass_thread_inst_executed_op_" type "add_pred_on.sum", FLOP, 1},                           \
      {"sm__sass_thread_inst_executed_op_" type "mul_pred_on.sum", FLOP, 1},                       \
  {                                                                                                \
    "sm__sass_thread_inst_executed_op_" type "fma_pred_on.sum", FLOP, 2                            \
  }
    OPERATIONS("f"),
    OPERATIONS("d"),
    OPERATIONS("h"),
#undef OPERATIONS
    {"sm__ops_path_tensor_src_fp16.sum", TENSOR_FLOP, 1},
    {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", TENSOR_FLOP, 1},
    {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", TENSOR_FLOP, 1},
    {"sm__ops_path_tensor_src_fp64.sum", TENSOR_FLOP, 1},
    {"sm__ops_path_tensor_src_fp8.sum", TENSOR_FLOP, 1},
};
enum { METRICS = sizeof counted / sizeof *counted };
static const double SOME_TENSORS = 5; /* percent; other instructions use a little of their pipe */

/* ---- The table of Nsight Compute ---- */

static const char *cell_of(const struct hone__csv_row *head, const struct hone__csv_row *row,
                           const char *name)
{
  for (size_t i = 0; i < head->count && i < row->count; i++)
    if (strcmp(head->cells[i].text, name) == 0) return row->cells[i].text;
  return "";
}

/* "1,234.5" */
static double number_of(const char *text)
{
  char digits[64];
  size_t length = 0;
  double value;

  for (; *text && length + 1 < sizeof digits; text++)
    if (*text != ',') digits[length++] = *text;
  digits[length] = '\0';
  return hone__csv_number(digits, &value) ? value : NAN;
}

/* Tensor cores do not have every type on every device. */
static void add_value(const char *metric, double value, double time, double *values)
{
  for (size_t i = 0; i < METRICS; i++) {
    double weight = counted[i].weight;
    if (strcmp(metric, counted[i].metric) != 0) continue;
    if (counted[i].counter == TENSOR_FLOP && !isfinite(value)) continue;
    values[counted[i].counter] += value * (weight > 0 ? weight : time);
  }
}

static bool is_mean(enum counter counter)
{
  size_t i = 0;

  while (counted[i].counter != counter)
    i++;
  return !(counted[i].weight > 0);
}

static bool has_metric(const struct hone__csv *csv, enum counter counter)
{
  for (size_t i = 1; i < csv->row_count; i++)
    for (size_t k = 0; k < METRICS; k++)
      if (counted[k].counter == counter &&
          strcmp(cell_of(&csv->rows[0], &csv->rows[i], "Metric Name"), counted[k].metric) == 0 &&
          isfinite(number_of(cell_of(&csv->rows[0], &csv->rows[i], "Metric Value"))))
        return true;
  return false;
}

/* Unknown, if tensor cores worked and nothing counted what. */
static void join_flop(const struct hone__csv *csv, double *values)
{
  bool is_whole = has_metric(csv, TENSOR_FLOP) || !(values[TENSORS] > SOME_TENSORS);

  if (!has_metric(csv, FLOP) || !is_whole)
    values[FLOP] = NAN;
  else
    values[FLOP] += values[TENSOR_FLOP];
}

/* One line for each counter of each launch: the values of one call. */
static bool read_lines(const struct hone__csv *csv, double *values)
{
  const struct hone__csv_row *head = &csv->rows[0];
  double time = 0;

  for (size_t i = 0; i < COUNTERS; i++)
    values[i] = 0;
  for (size_t i = 1; i < csv->row_count; i++) {
    const char *metric = cell_of(head, &csv->rows[i], "Metric Name"), *id;
    id = cell_of(head, &csv->rows[i], "ID");
    for (size_t k = 1; k < csv->row_count; k++) /* the time of the same launch */
      if (strcmp(cell_of(head, &csv->rows[k], "ID"), id) == 0 &&
          strcmp(cell_of(head, &csv->rows[k], "Metric Name"), counted[TIME].metric) == 0)
        time = number_of(cell_of(head, &csv->rows[k], "Metric Value"));
    add_value(metric, number_of(cell_of(head, &csv->rows[i], "Metric Value")), time, values);
  }
  for (size_t i = 0; i < COUNTERS; i++)
    if (is_mean((enum counter)i)) values[i] /= values[TIME];
  join_flop(csv, values);
  return values[TIME] > 0;
}

bool hone__counters_read(const char *log, size_t size, double *values)
{
  const char *begin = log ? strstr(log, "\"ID\",") : NULL;
  struct hone__csv csv = {0};
  hone_status status;
  bool read;

  if (!begin) return false;
  status = hone__csv_parse(begin, size - (size_t)(begin - log), &csv);
  if (status) {
    hone_status_free(status);
    return false;
  }
  read = csv.row_count > 1 && read_lines(&csv, values);
  hone__csv_release(&csv);
  return read;
}

/* ---- A profiled runner ---- */

struct profile {
  struct hone__tuning *tuning;
  struct hone__candidate *candidate;
  size_t site;
  char *orders, *answers, *log; /* files */
};

/* One call, which is not checked and not a sample. */
static hone_status write_job(const struct profile *profile, int file)
{
  struct hone__candidate *one[] = {profile->candidate};
  struct hone__run_request request = {
      .mode = HONE__RUN_SCREEN, .candidates = one, .count = 1, .is_profiled = true};
  struct hone__job job = hone__run_job(&profile->tuning->session, &request);
  struct hone__frame frame = {.kind = HONE__FRAME_JOB,
                              .head = job.head,
                              .payload = job.payload,
                              .payload_size = job.payload_size};
  hone_status status = hone__frame_write(file, &frame);

  hone__packed_drop(job.head);
  free(job.payload);
  return status;
}

static hone_status write_orders(const struct profile *profile)
{
  int file = open(profile->orders, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  hone_status status;

  if (file < 0)
    return hone__error(HONE_IO, "cannot write '%s': %s", profile->orders, strerror(errno));
  status = hone__pool_write_setup(profile->tuning->session.workers.runners, file);
  if (!status) status = write_job(profile, file);
  close(file);
  return status;
}

static void list_metrics(struct hone__text *out_list)
{
  for (size_t i = 0; i < METRICS; i++)
    hone__text_addf(out_list, "%s%s", i ? "," : "", counted[i].metric);
}

static void run_profiler(const struct profile *profile, struct hone__child_result *out_end)
{
  static const char script[] =
      "exec \"$0\" worker --role run --runner --device \"$1\" 3<\"$2\" 4>\"$3\"";
  const struct hone__workers *workers = &profile->tuning->session.workers;
  const char *given = getenv("HONE_NCU"), *variables[] = {"HONE_PROFILED=1", NULL};
  struct hone__text metrics = {0};
  const char *argv[] = {given && *given ? given : "ncu",
                        "--csv",
                        "--print-units",
                        "base",
                        "--target-processes",
                        "all",
                        "--kernel-name",
                        "regex:^(?!hone_)",
                        "--log-file",
                        profile->log,
                        "--metrics",
                        NULL,
                        "sh",
                        "-c",
                        script,
                        workers->program,
                        workers->sites[profile->site].device,
                        profile->orders,
                        profile->answers,
                        NULL};

  list_metrics(&metrics);
  argv[11] = metrics.data;
  hone__child_run(
      &(struct hone__child_options){
          .argv = argv, .variables = variables, .timeout_s = TIMEOUT_S, .is_guarded = true},
      out_end);
  hone__text_release(&metrics);
}

/* The reason in the profiler's words, or how it ended. */
static void explain(const struct hone__child_result *end, const char *log, struct hone__text *why)
{
  const char *error = log ? strstr(log, "==ERROR==") : NULL;
  size_t length = error ? strcspn(error, "\n") : 0;

  if (end->end == HONE__CHILD_NOT_STARTED)
    hone__text_add(why, "ncu of Nsight Compute is not in PATH; HONE_NCU may name it");
  else if (error)
    hone__text_addn(why, error + sizeof "==ERROR==", length - sizeof "==ERROR==");
  else
    hone__child_describe(end, why);
}

static bool count(const struct profile *profile, double *values, struct hone__text *why)
{
  struct hone__child_result end = {0};
  char *log = NULL;
  size_t size = 0;
  hone_status status = write_orders(profile);
  bool is_counted = false;

  if (status) {
    hone__text_add(why, hone_status_message(status));
  } else {
    run_profiler(profile, &end);
    hone_status_free(hone__file_read(profile->log, MOST_LOG_BYTES, &log, &size));
    is_counted = hone__counters_read(log, size, values);
    if (!is_counted) explain(&end, log, why);
  }
  hone_status_free(status);
  hone__child_result_release(&end);
  free(log);
  return is_counted;
}

/* ---- For people ---- */

/* Not every device has each of them. */
static void add_share(const char *what, double percent, struct hone__text *text)
{
  if (isfinite(percent)) hone__text_addf(text, ", %s at %.0f %%", what, percent);
}

/* The point of a roofline, and the height of its roof above it: the most that memory allows. */
static void add_roofline(const double *values, struct hone__text *text)
{
  double work = values[FLOP] / values[BYTES];
  double most_bytes_a_ns = values[BYTES] / values[TIME] / (values[MEMORY] / 100);

  if (!(values[FLOP] > 0) || !isfinite(work)) return;
  hone__text_addf(text, "; %.3g GFLOP a call, %.3g FLOP a byte", values[FLOP] / 1e9, work);
  if (values[MEMORY] > 0)
    hone__text_addf(text, ", for which memory allows %.4g GFLOP/s", work * most_bytes_a_ns);
}

static void report(struct hone__tuning *tuning, const char *whose, const double *values)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "counters of the %s: %.3g MB of memory a call, %.0f GB/s", whose,
                  values[BYTES] / 1e6, values[BYTES] / values[TIME]);
  add_share("memory", values[MEMORY], &text);
  add_share("multiprocessors", values[PROCESSORS], &text);
  add_share("tensor cores", values[TENSORS], &text);
  hone__text_add(&text, " of their peak");
  if (isfinite(values[WARPS]))
    hone__text_addf(&text, "; %.0f %% of the warps active", values[WARPS]);
  add_roofline(values, &text);
  hone__text_addf(&text, "; with cold caches and the base clock a call takes %.4g us",
                  values[TIME] / 1e3);
  hone__words_add(&tuning->session.entry.notes, text.data);
  hone__text_release(&text);
}

static bool count_one(struct hone__contest *contest, const char *whose,
                      struct hone__candidate *candidate, const char *folder)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__arena *arena = &tuning->session.arena;
  struct profile profile = {.tuning = tuning,
                            .candidate = candidate,
                            .orders = hone__arena_printf(arena, "%s/orders", folder),
                            .answers = hone__arena_printf(arena, "%s/answers", folder),
                            .log = hone__arena_printf(arena, "%s/log", folder)};
  double values[COUNTERS];
  struct hone__text why = {0};
  bool is_counted = count(&profile, values, &why);

  if (is_counted) {
    report(tuning, whose, values);
    candidate->counted = (struct hone__counted){values[FLOP], values[BYTES]};
  } else {
    hone__session_say(&tuning->session, HONE_EVENT_WARNING, "no counters of the %s: %s", whose,
                      why.data ? why.data : "no reason given");
  }
  hone__text_release(&why);
  return is_counted;
}

bool hone__contest_count(struct hone__contest *contest, struct hone__candidate *winner)
{
  struct hone__tuning *tuning = contest->tuning;
  char *folder = NULL;
  hone_status status;
  bool any;

  if (!tuning->session.settings.options->counters || tuning->session.control.aborting) return false;
  if (strcmp(tuning->session.problem.task.backend->name, "cuda") != 0 ||
      tuning->session.settings.options->worker_count) {
    hone__session_say(&tuning->session, HONE_EVENT_WARNING,
                      "--counters reads those of CUDA devices of this host only");
    return false;
  }
  status = hone__folder_make(NULL, &folder);
  if (status) {
    hone__session_say(&tuning->session, HONE_EVENT_WARNING, "no counters: %s",
                      hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  hone__session_say(&tuning->session, HONE_EVENT_NOTE, "reading the counters of the hardware");
  any = count_one(contest, "baseline", tuning->baseline.candidate, folder);
  if (any && winner) count_one(contest, "winner", winner, folder);
  hone__folder_remove(folder);
  free(folder);
  return any;
}
