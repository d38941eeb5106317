/* sim_tuning.h - whole runs on a recording (backend `sim`), with workers that are this same
 * program.
 *
 * main() calls worker_status first: this program is started again as `hone worker` is. Store, cache
 * and specs are in folder.h's folder. A recording has one parameter, K, from 0 on.
 */
#ifndef HONE_TESTS_UNIT_SIM_TUNING_H
#define HONE_TESTS_UNIT_SIM_TUNING_H

#include "base/text.h"
#include "folder.h"
#include "hone_machine.h"
#include "own_worker.h"

#include <jansson.h>

static inline int make_run_folder(void **state)
{
  if (make_folder(state)) return -1;
  setenv("HONE_CACHE", path_of("cache"), 1);
  setenv("HONE_STORE", path_of("store.db"), 1);
  return 0;
}

/* k.json: the times of K = 0, 1, ... in ms; 0: it did not work. */
static inline void write_recording(const double *times_ms, size_t count)
{
  struct hone__text text = {0};

  hone__text_add(&text, "{\"device_name\": \"none\", \"kernel_name\": \"k\", "
                        "\"tune_params_keys\": [\"K\"], \"tune_params\": {\"K\": [");
  for (size_t i = 0; i < count; i++)
    hone__text_addf(&text, "%s%zu", i ? ", " : "", i);
  hone__text_add(&text, "]}, \"cache\": {");
  for (size_t i = 0; i < count; i++) {
    hone__text_addf(
        &text, "%s\"%zu\": {\"K\": %zu, \"compile_time\": 1.0, \"time\": ", i ? ", " : "", i, i);
    if (times_ms[i] > 0)
      hone__text_addf(&text, "%g}", times_ms[i]);
    else
      hone__text_add(&text, "\"RuntimeFailedConfig\"}");
  }
  hone__text_add(&text, "}}");
  write_text("k.json", text.data);
  hone__text_release(&text);
}

/* The spec of k.json, with these lines besides. */
static inline struct hone_spec *sim_spec(const char *lines)
{
  const char *files[] = {path_of("k.yaml")};
  struct hone_spec_options options;
  struct hone_spec *loaded = NULL;
  char text[4096];
  hone_status status;

  snprintf(text, sizeof text, "name: k\nbackend: sim\nfile: k.json\nbaseline: {K: 0}\n%s", lines);
  write_text("k.yaml", text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &loaded);
  if (status) fail_msg("%s", hone_status_message(status));
  return loaded;
}

static inline struct hone_tune_options sim_options(void)
{
  struct hone_tune_options options;

  hone_tune_options_init(&options);
  options.store = getenv("HONE_STORE");
  options.hone_program = this_program();
  options.strategy = "exhaustive";
  options.builders = 1;
  options.no_warm_start = true;
  options.seed_given = true;
  options.seed = 1;
  return options;
}

/* Returns the number of the run. */
static inline int64_t tune(const char *lines, const struct hone_tune_options *options)
{
  struct hone_spec *loaded = sim_spec(lines);
  struct hone_tuning *tuning;
  hone_status status = hone_tune(loaded, options, &tuning);
  int64_t run;

  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(hone_tuning_count(tuning), 1);
  run = hone_tuning_run(tuning, 0);
  hone_tuning_free(tuning);
  hone_spec_free(loaded);
  return run;
}

/* "" if there is none. */
static inline const char *text_at(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

static inline void expect_part(const char *text, const char *part)
{
  if (!strstr(text, part)) fail_msg("no '%s' in: %s", part, text);
}

#endif
