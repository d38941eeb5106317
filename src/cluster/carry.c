/* The program is brought to hosts that lack it, and removed again.
 *
 * Each step is one plain command after the prefix: ssh joins its words and a shell splits them
 * again, srun and kubectl do not, and words without blanks and quotes survive both. The file's name
 * has the version and a part of the checksum. It is written under another name, and takes its own
 * when its checksum is right: a broken transfer leaves nothing that could be started.
 */
#include "cluster/cluster.h"

#include "base/text.h"
#include "base/words.h"
#include "proc/child.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { SUM_LENGTH = 64, SUM_IN_NAME = 12 };
static const double STEP_S = 30, COPY_S = 600;

struct carrying {
  struct hone_cluster *cluster;
  const char *program, *folder;
  char sum[SUM_LENGTH + 1];
  const char *path, *part; /* there */
};

/* ---- Commands there ---- */

struct step {
  const char *words[4];
  const char *input; /* file; NULL: none */
  bool needs_sum;    /* it prints the checksum, or it fails */
};

static bool is_done(const struct carrying *carrying, const struct step *step,
                    const struct hone__child_result *result)
{
  if (result->end != HONE__CHILD_EXITED || result->code != 0) return false;
  return !step->needs_sum ||
         (result->output.data && strstr(result->output.data, carrying->sum) != NULL);
}

static void explain(const struct carrying *carrying, const struct step *step,
                    const struct hone__child_result *result, struct hone_host *host)
{
  struct hone__text why = {0}, line = {0};

  hone__last_line(result->errors.length ? &result->errors : &result->output, &line);
  hone__text_addf(&why, "'%s %s' failed: ", step->words[0], step->words[1]);
  if (result->end == HONE__CHILD_EXITED && result->code == 0)
    hone__text_add(&why, "the file arrived damaged");
  else if (line.length)
    hone__text_add(&why, line.data);
  else
    hone__child_describe(result, &why);
  host->why = hone__arena_strdup(&carrying->cluster->arena, why.data);
  hone__text_release(&line);
  hone__text_release(&why);
}

/* With a reason in the host if it fails and that matters. */
static bool run_step(const struct carrying *carrying, struct hone__cluster_worker *worker,
                     const struct step *step, bool matters)
{
  struct hone__words command = {0};
  struct hone__child_options options = {
      .timeout_s = step->input ? COPY_S : STEP_S, .splits_output = true, .spares_others = true};
  struct hone__child_result result;
  bool done;

  hone_status_free(hone__words_split(&command, worker->prefix)); /* was checked */
  for (size_t i = 0; i < 4 && step->words[i]; i++)
    hone__words_add(&command, step->words[i]);
  options.argv = hone__words_list(&command);
  options.input = step->input ? open(step->input, O_RDONLY | O_CLOEXEC) : 0;
  hone__child_run(&options, &result);
  if (options.input > 0) close(options.input);
  done = is_done(carrying, step, &result);
  if (!done && matters) explain(carrying, step, &result, &worker->host);
  hone__child_result_release(&result);
  hone__words_release(&command);
  return done;
}

/* ---- Hosts ---- */

static void install_on(const struct carrying *carrying, struct hone__cluster_worker *worker)
{
  const struct step there = {.words = {"sha256sum", carrying->path}, .needs_sum = true};
  const char *into = hone__arena_printf(&carrying->cluster->arena, "of=%s", carrying->part);
  const struct step steps[] = {
      {.words = {"mkdir", "-p", carrying->folder}},
      {.words = {"dd", into}, .input = carrying->program},
      {.words = {"sha256sum", carrying->part}, .needs_sum = true},
      {.words = {"chmod", "755", carrying->part}},
      {.words = {"mv", "-f", carrying->part, carrying->path}},
  };

  worker->host.is_usable = run_step(carrying, worker, &there, false);
  if (worker->host.is_usable) return;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (!run_step(carrying, worker, &steps[i], true)) return;
  worker->host.is_usable = true;
}

static void remove_from(const struct carrying *carrying, struct hone__cluster_worker *worker)
{
  const struct step step = {.words = {"rm", "-f", carrying->path, carrying->part}};

  worker->host.is_usable = run_step(carrying, worker, &step, true);
}

/* The second worker of a host finds what the first one brought. */
static bool is_first(const struct hone_cluster *cluster, size_t worker)
{
  return !strchr(cluster->workers[worker].host.name, '#');
}

/* ---- The file here ---- */

static hone_status read_sum(struct carrying *carrying)
{
  const char *const argv[] = {"sha256sum", carrying->program, NULL};
  struct hone__child_options options = {
      .argv = argv, .timeout_s = STEP_S, .splits_output = true, .spares_others = true};
  struct hone__child_result result;
  hone_status status = NULL;

  hone__child_run(&options, &result);
  if (result.end != HONE__CHILD_EXITED || result.code != 0 || result.output.length < SUM_LENGTH)
    status =
        hone__error(HONE_IO, "cannot take the checksum of '%s' with sha256sum", carrying->program);
  else
    memcpy(carrying->sum, result.output.data, SUM_LENGTH);
  hone__child_result_release(&result);
  return status;
}

/* A shell there must not see more than a name. */
static hone_status check_folder(const char *folder)
{
  for (const char *c = folder; *c; c++)
    if (!hone__is_word(*c) && !strchr("/.-+@", *c))
      return hone__error(HONE_INVALID_ARGUMENT,
                         "the folder '%s' for the program must be a plain name without blanks",
                         folder);
  if (*folder == '/') return NULL;
  return hone__error(HONE_INVALID_ARGUMENT, "the folder '%s' for the program must begin with '/'",
                     folder);
}

static hone_status prepare(struct carrying *carrying)
{
  struct hone__arena *arena = &carrying->cluster->arena;
  hone_status status = check_folder(carrying->folder);

  if (!status) status = read_sum(carrying);
  if (status) return status;
  carrying->path = hone__arena_printf(arena, "%s/hone-%s-%.*s", carrying->folder, hone_version(),
                                      SUM_IN_NAME, carrying->sum);
  carrying->part = hone__arena_printf(arena, "%s.part%ld", carrying->path, (long)getpid());
  return NULL;
}

static hone_status carry(struct hone_cluster *cluster, const char *program, const char *folder,
                         void (*act)(const struct carrying *, struct hone__cluster_worker *),
                         const char **out_path)
{
  struct carrying carrying = {.cluster = cluster, .program = program, .folder = folder};
  hone_status status = prepare(&carrying);

  *out_path = NULL;
  if (status) return status;
  for (size_t i = 0; i < cluster->count; i++) {
    cluster->workers[i].host.why = "";
    if (is_first(cluster, i))
      act(&carrying, &cluster->workers[i]);
    else
      cluster->workers[i].host.is_usable = cluster->workers[i - 1].host.is_usable;
  }
  *out_path = carrying.path;
  return NULL;
}

hone_status hone_cluster_install(struct hone_cluster *cluster, const char *program,
                                 const char *folder, const char **out_path)
{
  return carry(cluster, program, folder, install_on, out_path);
}

hone_status hone_cluster_remove(struct hone_cluster *cluster, const char *program,
                                const char *folder, const char **out_path)
{
  return carry(cluster, program, folder, remove_from, out_path);
}
