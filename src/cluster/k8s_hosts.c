/* Each worker is a pod, made of the template with its own name in the place of HONE_POD. A shell
 * makes the pod, waits until it is ready, however long that takes, runs the worker in it by
 * `kubectl exec`, and always deletes it at the end. */
#include "cluster/cluster.h"

#include "base/file.h"
#include "base/quote.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILE_BYTES = 1 << 20, MOST_PODS = 4096 };

static const char placeholder[] = "HONE_POD";

/* $0 is hone-k8s, $1 the pod, $2 the template. What kubectl says goes to standard error. */
static const char script[] =
    "pod=$1 file=$2; shift 2; "
    "trap \"kubectl delete pod $pod --wait=false --ignore-not-found >&2\" EXIT; "
    "trap \"exit 143\" TERM INT HUP; "
    "sed \"s/HONE_POD/$pod/g\" \"$file\" | kubectl apply -f - >&2 && "
    "kubectl wait --for=condition=Ready --timeout=-1s pod/$pod >&2 || exit 255; "
    "kubectl exec -i $pod -- \"$@\"";

/* In the pod of its worker, when that is there; $1 is the pod. */
static const char build_script[] =
    "pod=$1; shift; until kubectl get pod/$pod >/dev/null 2>&1; do sleep 1; done; "
    "kubectl wait --for=condition=Ready --timeout=-1s pod/$pod >&2 || exit 255; "
    "exec kubectl exec -i $pod -- \"$@\"";

static void print_shell(const char *text, const char *pod, struct hone__text *prefix)
{
  hone__text_add(prefix, "sh -c ");
  hone__quote_shell(prefix, text);
  hone__text_addf(prefix, " hone-k8s %s", pod);
}

static void add_pod(struct hone_cluster *cluster, const char *file, unsigned number)
{
  struct hone__text prefix = {0}, build_prefix = {0};
  char pod[64];

  snprintf(pod, sizeof pod, "hone-%ld-%u", (long)getpid(), number);
  print_shell(script, pod, &prefix);
  hone__text_add(&prefix, " ");
  hone__quote_shell(&prefix, file);
  print_shell(build_script, pod, &build_prefix);
  hone__cluster_add(cluster, pod, prefix.data, build_prefix.data);
  hone__text_release(&prefix);
  hone__text_release(&build_prefix);
}

/* The number after the last colon; the file's name ends before it. */
static unsigned take_count(char *file)
{
  char *colon = strrchr(file, ':');
  unsigned long count;

  if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")]) return 1;
  count = strtoul(colon + 1, NULL, 10);
  *colon = '\0';
  return count <= MOST_PODS ? (unsigned)count : MOST_PODS + 1;
}

static hone_status check_template(const char *file)
{
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(file, FILE_BYTES, &text, &size);

  if (!status && !strstr(text, placeholder))
    status = hone__error(
        HONE_INVALID_ARGUMENT,
        "'%s' does not contain '%s', which is replaced by the name of each worker's pod", file,
        placeholder);
  free(text);
  return status;
}

hone_status hone__cluster_read_k8s(struct hone_cluster *cluster, const char *text)
{
  char *file = hone__strdup(text);
  unsigned count = take_count(file);
  hone_status status = check_template(file);

  if (!status && (count < 1 || count > MOST_PODS))
    status = hone__error(HONE_INVALID_ARGUMENT, "'k8s:%s' needs a number of pods from 1 to %d",
                         text, MOST_PODS);
  for (unsigned i = 0; i < count && !status; i++)
    add_pod(cluster, file, i + 1);
  free(file);
  return status;
}
