/* A run identifies a candidate by its source: another text must not have the same key. */
#include "backend/kernel/kernel_build.h"

#include "backend/kernel/generator.h"
#include "backend/kernel/pipeline.h"
#include "build/build_outcome.h"
#include "build/command.h"

#include <stdlib.h>

/* ---- Orders ---- */

static hone_status read_job(const struct hone__packed *setup, const struct hone__packed *job,
                            struct hone__kernel_order *order)
{
  hone_status status = hone__unpack(job, &hone__wire_build_job_type, &order->arena, &order->job);

  if (!status) status = hone__unpack(setup, &hone__kernel_setup_type, &order->arena, &order->setup);
  if (!status)
    status = hone__unpack(order->job.candidate, &hone__kernel_candidate_type, &order->arena,
                          &order->candidate);
  return status;
}

static double timeout_of(const struct hone__kernel_order *order)
{
  const struct hone__kernel_build_limits *build = order->setup.build;

  return hone__build_timeout_s(order->job.timeout_s, build ? build->timeout_s : 0);
}

bool hone__kernel_order_read(const struct hone__packed *setup, const struct hone__packed *job,
                             struct hone__answer *answer, struct hone__kernel_order *out_order)
{
  const struct hone__kernel_candidate *candidate = &out_order->candidate;
  hone_status status;

  *out_order = (struct hone__kernel_order){0};
  status = read_job(setup, job, out_order);
  out_order->timeout_s = timeout_of(out_order);
  if (!status && (!candidate->source || !*candidate->source))
    status = hone__error(HONE_INVALID_ARGUMENT, "a build without a source");
  if (!status) return true;
  hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, hone_status_message(status));
  hone_status_free(status);
  return false;
}

void hone__kernel_order_release(struct hone__kernel_order *order)
{
  hone__arena_release(&order->arena);
}

/* Of a setup and a candidate, for a command for people. */
static hone_status order_of(const struct hone__packed *setup, const struct hone__packed *candidate,
                            struct hone__kernel_order *out_order)
{
  hone_status status;

  *out_order = (struct hone__kernel_order){0};
  status = hone__unpack(setup, &hone__kernel_setup_type, &out_order->arena, &out_order->setup);
  if (!status)
    status = hone__unpack(candidate, &hone__kernel_candidate_type, &out_order->arena,
                          &out_order->candidate);
  if (!status && (!out_order->candidate.source || !*out_order->candidate.source))
    status = hone__error(HONE_INVALID_ARGUMENT, "a candidate without a source");
  return status;
}

/* An invalid message is refused by its receiver. */
bool hone__kernel_packed_is_c(const struct hone__packed *candidate)
{
  struct hone__arena arena = {0};
  struct hone__kernel_candidate read;
  hone_status status = hone__unpack(candidate, &hone__kernel_candidate_type, &arena, &read);
  bool is_c = !status && hone__kernel_is_c(&read);

  hone_status_free(status);
  hone__arena_release(&arena);
  return is_c;
}

bool hone__kernel_job_is_c(const struct hone__packed *job)
{
  struct hone__arena arena = {0};
  struct hone__wire_build_job read;
  hone_status status = hone__unpack(job, &hone__wire_build_job_type, &arena, &read);
  bool is_c = !status && hone__kernel_packed_is_c(read.candidate);

  hone_status_free(status);
  hone__arena_release(&arena);
  return is_c;
}

/* ---- Sources ---- */

bool hone__kernel_source_read(const struct hone__kernel_candidate *candidate,
                              struct hone__answer *answer,
                              struct hone__build_source_text *out_source)
{
  const char *known = candidate->source_digest;
  hone_status status = hone__build_source_text_read(candidate->source, out_source);

  if (status) {
    hone__build_fail(answer, HONE_OUTCOME_COMPILE_ERROR, hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  if (!known || !*known || strcmp(known, out_source->digest) == 0) return true;
  hone__build_source_changed(answer, candidate->source);
  return false;
}

const char *hone__kernel_short_name(const char *source, const char *folder)
{
  size_t length = strlen(folder);

  return hone__starts_with(source, folder) && source[length] == '/' ? source + length + 1 : source;
}

/* ---- Commands ---- */

void hone__kernel_print_command(const struct hone__kernel_setup *setup, const char *const *words,
                                bool needs_folder, struct hone__text *out_command)
{
  struct hone__text line = {0};

  if (setup->folder && *setup->folder && needs_folder) {
    hone__text_add(&line, "cd");
    hone__build_command_add(&line, setup->folder);
    hone__text_add(&line, " &&");
  }
  hone__build_command_print(&line, words);
  if (line.length) hone__text_add(out_command, line.data);
  hone__text_release(&line);
}

hone_status hone__kernel_build_command(const struct hone__packed *setup,
                                       const struct hone__packed *candidate,
                                       hone__kernel_printer *print, struct hone__text *out_command)
{
  struct hone__kernel_order order;
  hone_status status = order_of(setup, candidate, &order);

  if (!status) print(&order, out_command);
  hone__kernel_order_release(&order);
  return status;
}

/* ---- One build ---- */

static void compile(const struct hone__kernel_compiler *compiler, struct hone__kernel_build *build)
{
  if (build->candidate->command)
    hone__generator_compile(build);
  else if (!hone__generator_is_done(build))
    compiler->compile(build);
}

static void add_command(const struct hone__kernel_compiler *compiler,
                        struct hone__kernel_build *build)
{
  struct hone__text command = {0};

  compiler->print(&build->order, &command);
  hone__build_draft_command(&build->draft, command.data ? command.data : "");
  hone__text_release(&command);
}

static bool look_at_source(const struct hone__kernel_compiler *compiler,
                           struct hone__kernel_build *build)
{
  struct hone__digester *digester;

  if (!hone__kernel_source_read(build->candidate, build->answer, &build->text)) return false;
  digester = hone__digest_begin();
  compiler->identify(build, digester);
  hone__digest_end(digester, build->key);
  (build->candidate->command ? hone__generator_look : compiler->look)(build);
  return true;
}

static const char *cache_key(const struct hone__kernel_build *build)
{
  return build->is_cached ? build->key : NULL;
}

static void do_build(const struct hone__kernel_compiler *compiler, struct hone__kernel_build *build)
{
  const char *folder = build->order.setup.folder;

  build->folder = hone__build_directory(folder ? folder : "", build->source);
  add_command(compiler, build);
  if (look_at_source(compiler, build) &&
      !hone__build_cache_answer(cache_key(build), hone__dependency_digest, &build->order.job,
                                &build->draft, build->answer) &&
      hone__build_folder_enter(&build->workdir, compiler->object, build->answer))
    compile(compiler, build);
  if (compiler->finish && build->answer->outcome == HONE_OUTCOME_OK) compiler->finish(build);
  hone__build_folder_leave(&build->workdir);
}

void hone__kernel_build(const struct hone__kernel_compiler *compiler,
                        const struct hone__packed *setup, const struct hone__packed *job,
                        struct hone__answer *answer)
{
  struct hone__kernel_build build = {.compiler = compiler, .answer = answer};
  struct hone__text entries = {0};
  bool is_read = hone__kernel_order_read(setup, job, answer, &build.order);

  hone__build_draft_begin(&build.draft);
  build.candidate = &build.order.candidate;
  build.source = build.candidate->source;
  hone__pipeline_entries(build.candidate, &entries);
  build.entry = entries.data ? entries.data : "";
  if (is_read && compiler->needs_entry && !*build.entry)
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, "a build without an entry");
  else if (is_read)
    do_build(compiler, &build);
  hone__build_draft_end(&build.draft, answer);
  hone__pairs_release(&build.deps);
  free(build.folder);
  hone__build_source_text_release(&build.text);
  hone__kernel_order_release(&build.order);
  hone__text_release(&entries);
}

void hone__kernel_build_end(struct hone__kernel_build *build, const char *program,
                            const struct hone__child_result *result,
                            void (*inspect)(void *data, const struct hone__build_folder *folder,
                                            struct hone__answer *answer),
                            void *data)
{
  struct hone__build_end end = {.key = cache_key(build),
                                .deps = &build->deps,
                                .deps_are_all = build->deps_are_all,
                                .program = program,
                                .result = result,
                                .macros = {.defines = build->candidate->defines,
                                           .define_count = build->candidate->defines_count,
                                           .source = build->source,
                                           .folder = build->folder},
                                .draft = &build->draft,
                                .inspect = inspect,
                                .data = data};

  hone__build_cache_end(&end, &build->workdir, build->answer);
}
