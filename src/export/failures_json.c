/* kbench's .failures.json, whose keys come first; `outcome` and `evidence` are Hone's own. */
#include "spec/json_writer.h"

#include "export/results_print.h"
#include "results/results.h"

static void add_failure(struct hone__json_writer *writer, const struct hone_result_failure *failure)
{
  hone__json_open(writer, NULL, '{');
  hone__json_integer(writer, "mesh_idx", failure->mesh_idx);
  hone__json_params(writer, "params", failure->params.at, failure->params.count);
  hone__json_text(writer, "failure_type", hone_failure_type_name(failure->type));
  hone__json_text(writer, "exec_stderr", failure->stderr_text);
  hone__json_text(writer, "exec_stdout", failure->stdout_text);
  hone__json_text(writer, "outcome", hone_outcome_name(failure->outcome));
  hone__json_text(writer, "evidence", failure->evidence);
  hone__json_close(writer, '}');
}

void hone__write_failures(const struct hone_results *results, struct hone__text *text)
{
  struct hone__json_writer writer = {.text = *text};

  hone__json_open(&writer, NULL, '{');
  hone__json_text(&writer, "spec_name", results->name);
  hone__json_text(&writer, "spec_file", results->file);
  hone__json_integer(&writer, "num_valid", results->valid);
  hone__json_integer(&writer, "num_total", results->total);
  hone__json_open(&writer, "failures", '[');
  for (size_t i = 0; i < results->failure_count; i++)
    add_failure(&writer, &results->failures[i]);
  hone__json_close(&writer, ']');
  hone__json_close(&writer, '}');
  hone__text_add(&writer.text, "\n");
  *text = writer.text;
}
