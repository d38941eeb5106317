/* cluster_hosts.h - the workers of --worker and --cluster, for the options of a run. */
#ifndef CLI_CLUSTER_HOSTS_H
#define CLI_CLUSTER_HOSTS_H

#include "hone_cluster.h"
#include "options.h"

struct cluster_hosts { /* { 0 } has none */
  struct hone_cluster **clusters;
  size_t cluster_count;
  struct word_list prefixes, names;
  struct word_list builders, builder_names; /* one for each builder */
};

/* `builders`: on each host; 0: this host builds. False after a message. Close it in both cases. The
 * words are lent. */
bool cluster_hosts_open(struct cluster_hosts *hosts, const struct word_list *clusters,
                        const struct word_list *workers, uint64_t builders);
/* Lent until it is closed. */
void cluster_hosts_fill(const struct cluster_hosts *hosts, struct hone_tune_options *options);
void cluster_hosts_close(struct cluster_hosts *hosts);

#endif
