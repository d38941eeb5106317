/* Within an allocation each worker is a step on one of its nodes. Elsewhere each is a job of its
 * own, which may wait in a queue. One srun for each worker: srun sends its input to all tasks of a
 * step. --unbuffered is never used, because it inserts a terminal. */
#include "cluster/cluster.h"

#include "base/quote.h"
#include "base/words.h"
#include "cluster/node_list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct allocation {
  struct hone__words nodes, options; /* of srun, without -N */
  unsigned wanted;                   /* -N; 0: not given */
};

static const char *variable(const char *name)
{
  const char *value = getenv(name);

  return value ? value : "";
}

/* ---- Options ---- */

/* "-N4", "-N 4", "--nodes=4", "--nodes 4"; the number of words it takes, 0 if it is not one. */
static size_t read_nodes(char *const *words, const char **out_value)
{
  if (strcmp(words[0], "-N") == 0 || strcmp(words[0], "--nodes") == 0) {
    *out_value = words[1] ? words[1] : "";
    return words[1] ? 2 : 1;
  }
  if (strncmp(words[0], "--nodes=", 8) == 0)
    *out_value = words[0] + 8;
  else if (strncmp(words[0], "-N", 2) == 0)
    *out_value = words[0] + 2;
  else
    return 0;
  return 1;
}

static hone_status take_options(struct allocation *allocation, const char *text)
{
  struct hone__words words = {0};
  hone_status status = hone__words_split(&words, text);
  const char *value;

  for (size_t i = 0, taken; !status && i < words.count; i += taken ? taken : 1) {
    taken = read_nodes(words.data + i, &value);
    if (!taken) {
      hone__words_add(&allocation->options, words.data[i]);
      continue;
    }
    allocation->wanted = (unsigned)strtoul(value, NULL, 10);
    if (!isdigit((unsigned char)*value) || !allocation->wanted)
      status = hone__error(HONE_INVALID_ARGUMENT, "'-N' needs a number of nodes, not '%s'", value);
  }
  hone__words_release(&words);
  return hone__annotate(status, "bad options of 'slurm:%s'", text);
}

/* ---- Prefixes ---- */

static void print_prefix(const struct allocation *allocation, const char *first,
                         struct hone__text *prefix)
{
  hone__text_addf(prefix, "srun -N1 -n1%s", first);
  for (size_t i = 0; i < allocation->options.count; i++) {
    hone__text_add(prefix, " ");
    hone__quote_shell(prefix, allocation->options.data[i]);
  }
}

static void add_prefix(struct hone_cluster *cluster, const struct allocation *allocation,
                       const char *host, const char *first, const char *first_to_build)
{
  struct hone__text prefix = {0}, build_prefix = {0};

  print_prefix(allocation, first, &prefix);
  print_prefix(allocation, first_to_build, &build_prefix);
  hone__cluster_add(cluster, host, prefix.data, build_prefix.data);
  hone__text_release(&prefix);
  hone__text_release(&build_prefix);
}

/* GPUs of a node, as an allocation says it in one of several ways. */
static unsigned gpus_of_node(void)
{
  const char *count = variable("SLURM_GPUS_ON_NODE"), *list = variable("SLURM_JOB_GPUS"), *colon;
  unsigned gpus = (unsigned)strtoul(count, NULL, 10);

  if (!gpus && *list) {
    gpus = 1;
    for (; *list; list++)
      gpus += *list == ',';
  }
  if (gpus) return gpus;
  count = variable("SLURM_GPUS_PER_NODE"); /* "4" or "a100:4" */
  colon = strrchr(count, ':');
  return (unsigned)strtoul(colon ? colon + 1 : count, NULL, 10);
}

/* One worker a GPU, with its share of the CPUs; or one a node, with all of them. */
static void add_node(struct hone_cluster *cluster, const struct allocation *allocation, size_t node)
{
  unsigned gpus = gpus_of_node();
  unsigned cpus = hone__cluster_count_of_node(variable("SLURM_JOB_CPUS_PER_NODE"), node);
  const char *name = allocation->nodes.data[node];
  /* Where this process is a step itself, others share its resources. */
  const char *overlap = *variable("SLURM_STEP_ID") ? " --overlap" : "";
  struct hone__text words = {0}, to_build = {0};

  hone__text_addf(&to_build, " -w %s --overlap", name);
  hone__text_addf(&words, " -w %s%s", name, overlap);
  if (gpus) hone__text_add(&words, " --exact --gpus=1");
  if (gpus && cpus >= gpus) hone__text_addf(&words, " -c %u", cpus / gpus);
  for (unsigned i = 0; i < (gpus ? gpus : 1); i++)
    add_prefix(cluster, allocation, name, words.data, to_build.data);
  hone__text_release(&words);
  hone__text_release(&to_build);
}

static hone_status add_steps(struct hone_cluster *cluster, struct allocation *allocation)
{
  hone_status status =
      hone__cluster_expand_nodes(variable("SLURM_JOB_NODELIST"), &allocation->nodes);
  size_t count = allocation->nodes.count;

  if (status) return hone__annotate(status, "cannot read SLURM_JOB_NODELIST");
  if (allocation->wanted > count)
    return hone__error(HONE_INVALID_ARGUMENT, "'slurm' needs %u nodes, but this allocation has %zu",
                       allocation->wanted, count);
  if (allocation->wanted) count = allocation->wanted;
  for (size_t i = 0; i < count; i++)
    add_node(cluster, allocation, i);
  return NULL;
}

static hone_status add_jobs(struct hone_cluster *cluster, const struct allocation *allocation)
{
  unsigned count = allocation->wanted ? allocation->wanted : 1;
  char name[32];

  if (count > HONE__CLUSTER_MOST_WORKERS)
    return hone__error(HONE_INVALID_ARGUMENT, "'slurm' cannot start %u workers", count);
  for (unsigned i = 0; i < count; i++) {
    snprintf(name, sizeof name, "job %u", i + 1);
    add_prefix(cluster, allocation, name, " --job-name=hone", " --job-name=hone-build");
  }
  return NULL;
}

hone_status hone__cluster_read_slurm(struct hone_cluster *cluster, const char *options)
{
  struct allocation allocation = {0};
  hone_status status = take_options(&allocation, options);

  if (!status && *variable("SLURM_JOB_NODELIST"))
    status = add_steps(cluster, &allocation);
  else if (!status)
    status = add_jobs(cluster, &allocation);
  hone__words_release(&allocation.nodes);
  hone__words_release(&allocation.options);
  return status;
}
