#include "cluster/cluster.h"

#include "base/text.h"

#include <stdlib.h>

static const struct {
  const char *name;
  hone_status (*read)(struct hone_cluster *cluster, const char *text);
  bool needs_text;
} kinds[] = {{"slurm", hone__cluster_read_slurm, false},
             {"ssh", hone__cluster_read_ssh, true},
             {"k8s", hone__cluster_read_k8s, true}};

/* Names are shown and stored: the second worker of "gpu1" is "gpu1#2". Workers of a host come one
 * after the other. */
static const char *name_worker(struct hone_cluster *cluster, const char *host)
{
  size_t same = 0, length = strlen(host);

  for (size_t i = cluster->count; i-- > 0; same++) {
    const char *name = cluster->workers[i].host.name;
    if (strncmp(name, host, length) != 0 || (name[length] && name[length] != '#')) break;
  }
  if (!same) return hone__arena_strdup(&cluster->arena, host);
  return hone__arena_printf(&cluster->arena, "%s#%zu", host, same + 1);
}

void hone__cluster_add(struct hone_cluster *cluster, const char *host, const char *prefix,
                       const char *build_prefix)
{
  const char *name = name_worker(cluster, host);
  struct hone__cluster_worker *worker;

  HONE__GROW(cluster->workers, cluster->count, cluster->capacity);
  worker = &cluster->workers[cluster->count++];
  *worker = (struct hone__cluster_worker){.prefix = hone__arena_strdup(&cluster->arena, prefix)};
  worker->host = (struct hone_host){.name = name, .why = ""};
  if (!strchr(name, '#')) worker->build_prefix = hone__arena_strdup(&cluster->arena, build_prefix);
}

static hone_status read_kind(struct hone_cluster *cluster, const char *text)
{
  size_t length = strcspn(text, ":");
  const char *rest = text[length] ? text + length + 1 : "";

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strlen(kinds[i].name) != length || strncmp(text, kinds[i].name, length) != 0) continue;
    if (kinds[i].needs_text && !*rest)
      return hone__error(HONE_INVALID_ARGUMENT, "'%s' needs a file: '%s:FILE'", text, text);
    return kinds[i].read(cluster, rest);
  }
  return hone__error(HONE_INVALID_ARGUMENT,
                     "unknown cluster '%s': expected 'slurm[:OPTIONS]', 'ssh:FILE' or 'k8s:FILE'",
                     text);
}

static hone_status check_count(const struct hone_cluster *cluster, const char *text)
{
  if (cluster->count && cluster->count <= HONE__CLUSTER_MOST_WORKERS) return NULL;
  if (!cluster->count) return hone__error(HONE_INVALID_ARGUMENT, "'%s' has no hosts", text);
  return hone__error(HONE_EXHAUSTED, "'%s' has %zu workers; at most %d are possible", text,
                     cluster->count, HONE__CLUSTER_MOST_WORKERS);
}

hone_status hone_cluster_open(const char *text, struct hone_cluster **out_cluster)
{
  struct hone_cluster *cluster = hone__alloc(sizeof *cluster);
  hone_status status = read_kind(cluster, text);

  *out_cluster = NULL;
  if (!status) status = check_count(cluster, text);
  if (status)
    hone_cluster_free(cluster);
  else
    *out_cluster = cluster;
  return status;
}

hone_status hone_cluster_of_prefix(const char *prefix, struct hone_cluster **out_cluster)
{
  *out_cluster = hone__alloc(sizeof **out_cluster);
  hone__cluster_add(*out_cluster, prefix, prefix, prefix);
  return NULL;
}

size_t hone_cluster_count(const struct hone_cluster *cluster)
{
  return cluster->count;
}

const char *hone_cluster_prefix(const struct hone_cluster *cluster, size_t worker)
{
  return worker < cluster->count ? cluster->workers[worker].prefix : NULL;
}

const char *hone_cluster_build_prefix(const struct hone_cluster *cluster, size_t worker)
{
  return worker < cluster->count ? cluster->workers[worker].build_prefix : NULL;
}

const char *hone_cluster_host(const struct hone_cluster *cluster, size_t worker)
{
  return worker < cluster->count ? cluster->workers[worker].host.name : NULL;
}

const struct hone_host *hone_cluster_at(const struct hone_cluster *cluster, size_t worker)
{
  return worker < cluster->count ? &cluster->workers[worker].host : NULL;
}

void hone_cluster_free(struct hone_cluster *cluster)
{
  if (!cluster) return;
  hone__arena_release(&cluster->arena);
  free(cluster->workers);
  free(cluster);
}
