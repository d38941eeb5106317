/* `hone sweep --dryrun`: prints the commands only. */
#include "sweep/sweep.h"

#include "base/key_map.h"
#include "session/call.h"
#include "session/cases.h"

#include <stdlib.h>

struct script {
  struct hone__session *session;
  struct hone__text *text;
  struct hone__key_map seen; /* keys of builds */
  hone_status status;
};

static void add_line(struct script *script, struct hone__text *line)
{
  if (line->length) hone__text_addf(script->text, "%s\n", line->data);
  hone__text_release(line);
}

static bool add_build(void *data, uint32_t instance, const uint32_t *row,
                      const struct hone__packed *candidate)
{
  struct script *script = data;
  struct hone__session *session = script->session;
  char key[HONE__DIGEST_SIZE];
  struct hone__text line = {0};

  (void)instance;
  (void)row;
  hone__sweep_build_key(candidate, key);
  if (hone__key_map_has(&script->seen, key)) return true;
  hone__key_map_set(&script->seen, key, 1);
  script->status = session->problem.task.backend->driver.build_command(session->problem.setup.head,
                                                                       candidate, &line);
  add_line(script, &line);
  return !script->status;
}

/* `hone run`, for a backend without commands that run a configuration. */
static hone_status own_command(struct hone__session *session, const uint32_t *row,
                               struct hone__text *line)
{
  struct hone__candidate *candidate = NULL;
  hone_status status = hone__candidate_new(session, row, &candidate);

  if (!status) hone__text_add(line, hone__candidate_command(candidate));
  hone__candidate_free(candidate);
  return status;
}

static bool add_run(void *data, uint32_t instance, const uint32_t *row,
                    const struct hone__packed *candidate)
{
  struct script *script = data;
  struct hone__session *session = script->session;
  const struct hone__backend *backend = session->problem.task.backend;
  struct hone__text line = {0};

  (void)instance;
  script->status = backend->driver.run_command
                       ? backend->driver.run_command(session->problem.setup.head, candidate, &line)
                       : own_command(session, row, &line);
  add_line(script, &line);
  return !script->status;
}

static hone_status add_all(struct script *script, hone__sweep_visit *visit)
{
  hone_status status = hone__sweep_each(script->session, visit, script);

  return status ? status : script->status;
}

static hone_status add_case(const struct hone__cases *cases, size_t i, struct hone__text *text)
{
  struct hone__case which = hone__cases_at(cases, i);
  struct hone__sweep sweep;
  struct script script = {.session = &sweep.session, .text = text};
  hone_status status = hone__sweep_open(&sweep, cases->spec, &which, cases->options);

  if (!status && !cases->options->run_only) status = add_all(&script, add_build);
  if (!status && cases->options->stop_after != HONE_STAGE_BUILD) status = add_all(&script, add_run);
  hone__key_map_release(&script.seen);
  hone__sweep_release(&sweep);
  return status;
}

static hone_status list_all(const struct hone_spec *spec, const struct hone_tune_options *options,
                            char **out_text)
{
  struct hone__cases cases;
  struct hone__text text = {0};
  size_t empty_count = 0;
  hone_status status = hone__cases_init(&cases, spec, options);

  for (size_t i = 0; !status && i < cases.count; i++) {
    status = add_case(&cases, i, &text);
    if (hone_status_code(status) != HONE_NOT_FOUND || ++empty_count == cases.count) continue;
    hone_status_free(status); /* a filter leaves nothing of this shape, but of others */
    status = NULL;
  }
  if (!status) *out_text = hone__text_take(&text);
  hone__text_release(&text);
  return status;
}

hone_status hone_sweep_commands(const struct hone_spec *spec,
                                const struct hone_tune_options *options, char **out_text)
{
  struct hone__call call;
  hone_status status = hone__call_begin(&call, options);

  *out_text = NULL;
  if (!status) status = list_all(spec, &call.options, out_text);
  hone__call_end(&call);
  return status;
}
