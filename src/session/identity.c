#include "session/identity.h"

#include "backend/source_file.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/machine.h"
#include "session/kept_options.h"
#include "session/spec_settings.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- The space, as written: comments and layout do not matter ---- */

static void add_number(struct hone__digester *digester, double number)
{
  hone__digest_add(digester, &number, sizeof number);
}

static void add_value(struct hone__digester *digester, struct hone_value value)
{
  struct hone__text text = {0};

  hone__value_repr(value, &text);
  hone__digest_add_text(digester, text.data);
  hone__text_release(&text);
}

static void add_param(struct hone__digester *digester, const struct hone__param *param)
{
  hone__digest_add_text(digester, param->name);
  add_number(digester, (double)param->count);
  for (size_t i = 0; i < param->count; i++)
    if (param->items[i].formula)
      hone__digest_add_text(digester, param->items[i].formula->text);
    else
      add_value(digester, param->items[i].value);
}

static void add_formulas(struct hone__digester *digester, const struct hone__formula *formulas,
                         size_t count)
{
  add_number(digester, (double)count);
  for (size_t i = 0; i < count; i++) {
    hone__digest_add_text(digester, formulas[i].name);
    hone__digest_add_text(digester, formulas[i].text);
  }
}

/* The templates that turn configurations into commands. */
static void add_templates(struct hone__digester *digester, const struct hone_spec *spec)
{
  add_number(digester, (double)spec->template_count);
  for (size_t i = 0; i < spec->template_count; i++) {
    const struct hone__template *text = &spec->templates[i];
    hone__digest_add_text(digester, spec->text_names[text->name]);
    add_number(digester, (double)text->alternative);
    for (size_t k = 0; k < text->count; k++) {
      add_number(digester, text->pieces[k].kind);
      hone__digest_add(digester, text->pieces[k].words, text->pieces[k].length);
      hone__digest_add_text(digester, text->pieces[k].formula.text);
    }
  }
}

void hone__identity_add_space(struct hone__digester *digester, const struct hone_spec *spec,
                              bool one_shape)
{
  for (; spec; spec = one_shape ? NULL : spec->shapes) {
    for (size_t g = 0; g < spec->group_count; g++)
      for (size_t i = 0; i < spec->groups[g].count; i++)
        add_param(digester, &spec->groups[g].params[i]);
    for (size_t i = 0; i < spec->override_count; i++)
      add_param(digester, &spec->overrides[i]);
    for (size_t i = 0; i < spec->filter_count; i++) {
      hone__digest_add_text(digester, spec->filters[i].name);
      hone__digest_add_text(digester, spec->filters[i].value);
    }
    add_formulas(digester, spec->constraints, spec->constraint_count);
    add_formulas(digester, spec->built, spec->built_count);
    add_formulas(digester, spec->derived, spec->derived_count);
    add_formulas(digester, spec->metrics, spec->metric_count);
    add_formulas(digester, spec->orders, spec->order_count);
    add_templates(digester, spec);
    add_number(digester, one_shape ? 0 : spec->partition_index);
    add_number(digester, one_shape ? 1 : spec->partition_count);
    if (spec->part_count > 1) { /* else the keys are those of versions without parts */
      add_number(digester, spec->part_index);
      add_number(digester, spec->part_count);
    }
  }
}

/* ---- Keys ---- */

static void add_setting(struct hone__digester *digester, const struct hone__session *session,
                        const char *path)
{
  const struct hone__node *node = hone__task_setting(&session->problem.task, path);

  hone__digest_add_text(digester, node ? node->text : NULL);
}

/* Variables that change how a kernel runs. */
static void add_environment(struct hone__digester *digester)
{
  static const char *const prefixes[] = {"OMP_",        "GOMP_",   "KMP_",
                                         "LD_PRELOAD=", "MALLOC_", "GLIBC_TUNABLES="};

  for (char **entry = environ; *entry; entry++)
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
      if (hone__starts_with(*entry, prefixes[i])) hone__digest_add_text(digester, *entry);
}

static void add_program(struct hone__digester *digester, const struct hone_program_options *program)
{
  const char *const texts[] = {program->build_opts,
                               program->debug_level,
                               program->optimization,
                               program->march,
                               program->target_accelerator,
                               program->exec_prefix,
                               program->exec_suffix,
                               program->profile,
                               program->mode};

  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    hone__digest_add_text(digester, texts[i]);
  add_number(digester, program->disable_warnings + 2 * program->experimental_kernels);
  add_number(digester, program->mpirun_np);
}

static const struct hone_program_options no_program;

/* What is computed, compared and called. */
static void add_setup(struct hone__digester *digester, const struct hone__session *session)
{
  static const char *const keys[] = {"args",  "check",      "cache",  "reference",
                                     "entry", "inputs_key", "unit_ns"};

  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    hone__packed_digest_member(session->problem.setup.head, keys[i], digester);
  if (session->problem.head.energy) hone__digest_add_text(digester, "energy");
  hone__digest_add(digester, session->problem.setup.payload.data,
                   session->problem.setup.payload.length);
}

/* The parts of the setup that change an answer or a time. */
void hone__identity_setup(struct hone__session *session)
{
  struct hone__digester *digester = hone__digest_begin();
  const struct hone_tune_options *options = session->settings.options;

  add_setup(digester, session);
  add_number(digester, options->timeout_s);
  add_number(digester, (double)options->memory_bytes);
  add_number(digester, session->settings.screen_samples);
  add_number(digester, options->no_cap);
  add_setting(digester, session, "measure.warmup");
  add_program(digester, options->program ? options->program : &no_program);
  add_environment(digester);
  add_number(digester, HONE__FRAME_VERSION);
  hone__digest_end(digester, session->problem.setup_key);
}

/* A single one is the proven one. */
static void add_objectives(struct hone__digester *digester, const struct hone__session *session)
{
  for (size_t i = 0; session->objectives.count > 1 && i < session->objectives.count; i++) {
    hone__digest_add_text(digester, session->objectives.all[i].name);
    add_number(digester, session->objectives.all[i].maximise);
  }
}

/* The automatic first configurations are not part of it: a finished run is still a valid answer. */
static void add_search(struct hone__digester *digester, const struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;

  for (size_t i = 0; i < options->seed_config_count; i++)
    hone__digest_add_text(digester, options->seed_configs[i]);
  if (options->stages) hone__digest_add_text(digester, "stages");
  if (*session->stages.selection) hone__digest_add_text(digester, session->stages.selection);
  if (!session->settings.patience.least) return;
  hone__digest_add_text(digester, "patience");
  add_number(digester, (double)session->settings.patience.least);
  add_number(digester, session->settings.patience.share);
}

/* Runs of all devices of one kind have no word of it: so are those in stores known. */
static void add_kind(struct hone__digester *digester, const struct hone__session *session)
{
  const struct hone__kind *kind = session->problem.which.kind;

  if (session->settings.options->per_device)
    add_number(digester, session->settings.options->per_device);
  for (size_t i = 0; kind && i < kind->count; i++)
    add_number(digester, (double)kind->devices[i]);
}

static void add_options(struct hone__digester *digester, const struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;

  hone__digest_add_text(digester, session->settings.strategy->name);
  hone__digest_add_text(digester, options->devices);
  hone__digest_add_text(digester, options->device);
  for (size_t i = 0; i < options->worker_count; i++)
    hone__digest_add_text(digester, options->workers[i]);
  if (options->host_builder_count) hone__digest_add_text(digester, "built on hosts");
  add_number(digester, (double)session->entry.run.seed);
  add_number(digester, (double)session->settings.evaluations);
  add_number(digester, session->settings.budget_s);
  add_number(digester, session->settings.finalists);
  add_number(digester, session->settings.margin);
  add_number(digester, session->settings.screen_samples);
  add_number(digester, options->no_cap + 2 * options->keep_slower + 4 * options->no_confirm);
  add_number(digester, options->stop_after);
  hone__digest_add_text(digester,
                        session->objectives.proven ? session->objectives.proven->name : NULL);
  add_number(digester, session->objectives.maximise);
  add_objectives(digester, session);
  add_number(digester, 0); /* keys of runs in existing stores must not change */
  add_search(digester, session);
  add_kind(digester, session);
}

/* What is tuned, and where: the space and the way it is searched are not part of it. */
static void make_problem_key(const struct hone__session *session,
                             const struct hone__packed *baseline, char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, session->problem.task.spec->name);
  hone__digest_add_text(digester, session->problem.task.problem);
  add_setup(digester, session);
  add_program(digester, session->settings.options->program ? session->settings.options->program
                                                           : &no_program);
  add_environment(digester);
  hone__digest_add_text(digester, session->problem.machine);
  hone__packed_digest_member(baseline, "key", digester);
  hone__packed_digest_member(session->problem.setup.head, "iree", digester);
  hone__digest_add_text(digester,
                        session->objectives.proven ? session->objectives.proven->name : NULL);
  hone__digest_end(digester, key);
}

static void make_run_key(const struct hone__session *session, const struct hone__packed *baseline,
                         char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, session->problem.task.spec->name);
  hone__digest_add_text(digester, session->problem.task.problem);
  hone__digest_add_text(digester, session->problem.setup_key);
  hone__digest_add_text(digester, session->problem.machine);
  hone__packed_digest_member(baseline, "key", digester);
  /* ignored by the baseline */
  hone__packed_digest_member(session->problem.setup.head, "iree", digester);
  hone__identity_add_space(digester, session->problem.task.spec,
                           session->problem.which.shape != HONE_ALL_SHAPES);
  add_options(digester, session);
  hone__digest_end(digester, key);
}

static hone_status make_keys(struct hone__session *session)
{
  const struct hone__task *task = &session->problem.task;
  struct hone__store_run_record *run = &session->entry.run;
  char key[HONE__DIGEST_SIZE], problem_key[HONE__DIGEST_SIZE];
  struct hone__packed *baseline;
  hone_status status = task->backend->driver.candidate(task, task->baseline, &baseline);

  if (status) return status;
  make_run_key(session, baseline, key);
  make_problem_key(session, baseline, problem_key);
  run->key = hone__arena_strdup(&session->arena, key);
  run->problem_key = hone__arena_strdup(&session->arena, problem_key);
  hone__packed_drop(baseline);
  return NULL;
}

/* ---- The machine ---- */

static const char *cpu_model(struct hone__arena *arena)
{
  FILE *file = fopen("/proc/cpuinfo", "re");
  char line[256], *found = NULL;

  while (file && !found && fgets(line, sizeof line, file))
    if (hone__starts_with(line, "model name")) {
      found = strchr(line, ':');
      if (found) found[strcspn(found, "\n")] = '\0';
    }
  if (file) fclose(file);
  return hone__arena_strdup(arena, found ? found + 1 + (found[1] == ' ') : "unknown");
}

/* The numbers of the CPUs that this process may use, as text. */
static const char *cpu_set(struct hone__arena *arena)
{
  struct hone__text text = {0};
  struct hone__cpus cpus;
  const char *kept;

  hone__cpus_allowed(&cpus);
  hone__cpus_print(&cpus, &text);
  kept = hone__arena_strdup(arena, text.data ? text.data : "");
  hone__text_release(&text);
  return kept;
}

struct machine { /* in the store's format */
  const char *host, *system, *kernel, *machine, *cpu, *hone, *revision;
  int64_t cpus;
};
static const struct hone__field machine_fields[] = {
    HONE__TEXT(struct machine, host, HONE__NEEDED),
    HONE__TEXT(struct machine, system, HONE__NEEDED),
    HONE__TEXT(struct machine, kernel, HONE__NEEDED),
    HONE__TEXT(struct machine, machine, HONE__NEEDED),
    HONE__INT(struct machine, cpus, HONE__NEEDED, 0, 0x1p31),
    HONE__TEXT(struct machine, cpu, HONE__NEEDED),
    HONE__TEXT(struct machine, hone, HONE__NEEDED),
    HONE__TEXT(struct machine, revision, HONE__NEEDED),
};
static const struct hone__record_type machine_type =
    HONE__RECORD_TYPE("machine", struct machine, machine_fields);

static void print_machine(const struct utsname *name, const char *cpu, struct hone__text *text)
{
  struct machine machine = {.host = name->nodename,
                            .system = name->sysname,
                            .kernel = name->release,
                            .machine = name->machine,
                            .cpus = (int64_t)hone__cpus_online(),
                            .cpu = cpu,
                            .hone = hone_version(),
                            .revision = hone_revision()};
  struct hone__packed *packed = hone__pack(&machine_type, &machine);

  hone__packed_print(packed, text);
  hone__packed_drop(packed);
}

const char *hone__identity_machine(struct hone__arena *arena, struct hone__store_run_record *run)
{
  struct utsname name;
  struct hone__text text = {0};
  char digest[HONE__DIGEST_SIZE];

  uname(&name);
  print_machine(&name, cpu_model(arena), &text);
  hone__digest(text.data, text.length, digest);
  run->environment = hone__arena_strdup(arena, text.data);
  run->fingerprint = hone__arena_strdup(arena, digest);
  run->host = hone__arena_strdup(arena, name.nodename);
  hone__text_release(&text);
  return hone__arena_printf(arena, "%s %s %s %s", name.nodename, name.machine, cpu_model(arena),
                            cpu_set(arena));
}

static const char *absolute_path(struct hone__arena *arena, const char *path)
{
  char resolved[PATH_MAX];

  return hone__arena_strdup(arena, realpath(path, resolved) ? resolved : path);
}

hone_status hone__identity_make(struct hone__session *session)
{
  const struct hone_run_note *note = session->settings.options->note;
  const struct hone_spec *spec = session->problem.task.spec;
  struct hone__store_run_record *run = &session->entry.run;
  hone_status status;

  hone__identity_setup(session);
  session->problem.machine = hone__identity_machine(&session->arena, run);
  status = make_keys(session);
  if (status) return status;
  run->name = session->problem.task.spec->name;
  run->spec = absolute_path(&session->arena, session->problem.task.spec->path);
  run->problem = session->problem.task.problem;
  run->command = note && note->origin ? note->origin : "";
  run->options = hone__kept_options_print(session);
  run->space = hone_space_count_text(session->problem.space);
  if (spec->part_count > 1)
    run->part =
        hone__arena_printf(&session->arena, "%u/%u", spec->part_index + 1, spec->part_count);
  run->strategy = session->settings.strategy->name;
  run->answers = hone__answers_name(hone__session_answers(session));
  run->checked = hone__answers_are_checked(hone__session_answers(session));
  run->is_fresh = session->settings.options->fresh;
  run->driver_pid = getpid();
  return NULL;
}
