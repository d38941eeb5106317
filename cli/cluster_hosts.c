#include "cluster_hosts.h"

#include "message.h"
#include "own_file.h"
#include "source.h"

#include <stdlib.h>

/* Hosts that cannot be reached now may be later: a run tries them again. */
static bool install_program(struct hone_cluster *cluster)
{
  const char *folder = getenv("HONE_REMOTE_DIR"), *path;
  hone_status status;

  if (!folder || !*folder) return true;
  status = hone_cluster_install(cluster, own_file(), folder, &path);
  if (status) {
    message_status(status);
    return false;
  }
  for (size_t i = 0; i < hone_cluster_count(cluster); i++) {
    const struct hone_host *host = hone_cluster_at(cluster, i);
    if (!host->is_usable && *host->why)
      message_warning("hone cannot be copied to '%s': %s", host->name, host->why);
  }
  setenv("HONE_REMOTE_PROGRAM", path, 1);
  return true;
}

static void add_builders(struct cluster_hosts *hosts, const char *prefix, const char *host,
                         uint64_t count)
{
  for (uint64_t i = 0; prefix && i < count; i++) {
    word_list_add(&hosts->builders, prefix);
    word_list_add(&hosts->builder_names, host);
  }
}

static bool add_cluster(struct cluster_hosts *hosts, const char *text, uint64_t builders)
{
  struct hone_cluster *cluster;
  hone_status status = hone_cluster_open(text, &cluster);

  if (status) {
    message_status(status);
    return false;
  }
  hosts->clusters[hosts->cluster_count++] = cluster;
  if (!install_program(cluster)) return false;
  for (size_t i = 0; i < hone_cluster_count(cluster); i++) {
    word_list_add(&hosts->prefixes, hone_cluster_prefix(cluster, i));
    word_list_add(&hosts->names, hone_cluster_host(cluster, i));
    add_builders(hosts, hone_cluster_build_prefix(cluster, i), hone_cluster_host(cluster, i),
                 builders);
  }
  return true;
}

bool cluster_hosts_open(struct cluster_hosts *hosts, const struct word_list *clusters,
                        const struct word_list *workers, uint64_t builders)
{
  *hosts = (struct cluster_hosts){.clusters = calloc(clusters->count + 1, sizeof(void *))};
  if (!source_check_workers(workers)) return false;
  for (size_t i = 0; i < workers->count; i++) {
    word_list_add(&hosts->prefixes, workers->words[i]);
    word_list_add(&hosts->names, workers->words[i]);
    add_builders(hosts, workers->words[i], workers->words[i], builders);
  }
  for (size_t i = 0; i < clusters->count; i++)
    if (!add_cluster(hosts, clusters->words[i], builders)) return false;
  if (!builders || hosts->prefixes.count) return true;
  message_error("'--host-builders' needs hosts: '--cluster' or '--worker'");
  return false;
}

void cluster_hosts_fill(const struct cluster_hosts *hosts, struct hone_tune_options *options)
{
  options->workers = hosts->prefixes.words;
  options->worker_names = hosts->names.words;
  options->worker_count = hosts->prefixes.count;
  options->host_builders = hosts->builders.words;
  options->host_builder_names = hosts->builder_names.words;
  options->host_builder_count = hosts->builders.count;
}

void cluster_hosts_close(struct cluster_hosts *hosts)
{
  for (size_t i = 0; i < hosts->cluster_count; i++)
    hone_cluster_free(hosts->clusters[i]);
  free(hosts->clusters);
  word_list_release(&hosts->prefixes);
  word_list_release(&hosts->names);
  word_list_release(&hosts->builders);
  word_list_release(&hosts->builder_names);
}
