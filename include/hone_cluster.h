/* hone_cluster.h - hosts for workers: of Slurm, of a list for ssh, of Kubernetes.
 *
 *   hone_cluster_open("ssh:hosts.txt", &cluster)
 *   for each worker i: hone_cluster_prefix(cluster, i) is a word of `workers` in the options
 *   hone_cluster_free(cluster)
 * No daemon and no port: a worker is started by the site's own launcher, and talks through its
 * standard input and output.
 */
#ifndef HONE_CLUSTER_H
#define HONE_CLUSTER_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hone_cluster; /* opaque: workers, and the hosts that they are for */

/* `text` is one of:
 *   "slurm[:OPTIONS]"  within an allocation, its nodes: one worker for each GPU, or one for each
 *                      node. Elsewhere each worker is an `srun` of its own, with these options; -N
 *                      says how many. They may queue.
 *   "ssh:FILE"         one host per line, see hone-cluster(1).
 *   "k8s:FILE[:N]"     N pods, 1 by default, made of a template that names them HONE_POD.
 * INVALID_ARGUMENT, NOT_FOUND: the message names the file and the line. */
HONE_API hone_status hone_cluster_open(const char *text, struct hone_cluster **out_cluster);
/* One worker with this prefix. */
HONE_API hone_status hone_cluster_of_prefix(const char *prefix, struct hone_cluster **out_cluster);
HONE_API size_t hone_cluster_count(const struct hone_cluster *cluster);
/* The command that starts a worker there, without the program: "ssh gpu1". */
HONE_API const char *hone_cluster_prefix(const struct hone_cluster *cluster, size_t worker);
/* Of a builder on the host of this worker, for `host_builders`; NULL: an earlier worker is on the
 * same host. */
HONE_API const char *hone_cluster_build_prefix(const struct hone_cluster *cluster, size_t worker);
HONE_API const char *hone_cluster_host(const struct hone_cluster *cluster, size_t worker);
HONE_API void hone_cluster_free(struct hone_cluster *cluster);

/* What one host said of itself. Texts are "" and numbers are 0 where it did not. Newer versions add
 * fields at the end. */
struct hone_host {
  const char *name;      /* as the cluster is described */
  bool is_reached;       /* a hone of any version answered */
  bool is_usable;        /* one of this version */
  const char *why;       /* why it is not usable */
  const char *hostname;  /* its own */
  const char *version;   /* of hone there */
  const char *machine;   /* "x86_64, glibc 2.36" */
  const char *compilers; /* "cc, c++, nvcc" */
  const char *devices;   /* "cuda:0 NVIDIA H200" */
  uint64_t cores;        /* that its worker may use */
  uint64_t memory_bytes;
  uint64_t disk_free_bytes; /* of its cache */
  double clock_ahead_s;     /* its clock minus ours */
  double start_s;           /* until it answered */
};
/* Asks all workers at once; each has `timeout_s` (0: 60) to answer. The file of hone
 * there is $HONE_REMOTE_PROGRAM, else `program`, else that of the installation (NULL). */
HONE_API hone_status hone_cluster_check(struct hone_cluster *cluster, const char *program,
                                        double timeout_s);
/* After a check; lent. */
HONE_API const struct hone_host *hone_cluster_at(const struct hone_cluster *cluster, size_t worker);
/* `hone worker --role probe`: answers a check; returns the exit status. */
HONE_API int hone_cluster_probe(void);

/* Brings `program`, a file of hone that needs libc alone, to a folder of each host that does not
 * have it, or removes it there. The hosts need sha256sum, mkdir, dd, chmod, mv and rm. After the
 * call `is_usable` and `why` of each host tell what became of it; *out_path is the file there,
 * lent. */
HONE_API hone_status hone_cluster_install(struct hone_cluster *cluster, const char *program,
                                          const char *folder, const char **out_path);
HONE_API hone_status hone_cluster_remove(struct hone_cluster *cluster, const char *program,
                                         const char *folder, const char **out_path);

/* A batch job of Slurm that tunes a spec with all its nodes. */
struct hone_batch_options {
  const char *const *specs; /* files, and options of `hone tune` */
  size_t spec_count;
  unsigned nodes;   /* 0: 1 */
  unsigned gpus;    /* for each node */
  unsigned cpus;    /* for each node; 0: all */
  const char *time; /* as sbatch takes it; NULL: the default of the partition */
  const char *partition, *account, *name, *store; /* NULL: not set */
  const char *program;                            /* NULL: that of this process */
};
HONE_API char *hone_cluster_batch(const struct hone_batch_options *options); /* hone_free() */

#ifdef __cplusplus
}
#endif

#endif
