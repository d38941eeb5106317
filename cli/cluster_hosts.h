/* cluster_hosts.h - the workers of --worker and --cluster, for the options of a run. */
#ifndef CLI_CLUSTER_HOSTS_H
#define CLI_CLUSTER_HOSTS_H

#include "hone_cluster.h"
#include "options.h"

struct cluster_hosts { /* { 0 } has none */
  struct hone_cluster **clusters;
  size_t cluster_count;
  struct word_list prefixes, names;
};

/* False after a message. Close it in both cases. The words are lent. */
bool cluster_hosts_open(struct cluster_hosts *hosts, const struct word_list *clusters,
                        const struct word_list *workers);
/* Lent until it is closed. */
void cluster_hosts_fill(const struct cluster_hosts *hosts, struct hone_tune_options *options);
void cluster_hosts_close(struct cluster_hosts *hosts);

#endif
