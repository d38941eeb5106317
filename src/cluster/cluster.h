/* cluster.h - the workers of a cluster while its description is read. */
#ifndef HONE_CLUSTER_CLUSTER_H
#define HONE_CLUSTER_CLUSTER_H

#include "base/memory.h"
#include "base/status.h"
#include "hone_cluster.h"

enum { HONE__CLUSTER_MOST_WORKERS = 100000 };

struct hone__cluster_worker {
  const char *prefix;
  const char *build_prefix; /* of a builder on its host; NULL: an earlier worker has it */
  struct hone_host host;    /* its name, and what a check found */
};

struct hone_cluster {
  struct hone__arena arena;
  struct hone__cluster_worker *workers;
  size_t count, capacity;
};

/* Copies all. A builder gets no device and shares the host's CPUs with others: its prefix may be
 * another one. */
void hone__cluster_add(struct hone_cluster *cluster, const char *host, const char *prefix,
                       const char *build_prefix);

/* Each reads what follows "slurm:", "ssh:" or "k8s:". */
hone_status hone__cluster_read_slurm(struct hone_cluster *cluster, const char *options);
hone_status hone__cluster_read_ssh(struct hone_cluster *cluster, const char *file);
hone_status hone__cluster_read_k8s(struct hone_cluster *cluster, const char *text);

#endif
