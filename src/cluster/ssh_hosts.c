/* A host a line:
 *
 *   # name[:port]  settings                environment
 *   gpu1
 *   me@gpu2:2222   gpus=4                  PATH=/opt/cuda/bin:/usr/bin
 *   cpu1           cpus=0-3 cpus=4-7       OMP_NUM_THREADS=4
 *   any            slots=2
 *
 * `gpus=N` starts a worker for each GPU, `cpus=LIST` one that may use these CPUs alone, `slots=N`
 * so many workers, which find their number in HONE_SLOT. Names in capitals are environment.
 */
#include "cluster/cluster.h"

#include "base/file.h"
#include "base/quote.h"
#include "base/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { FILE_BYTES = 16 << 20, MOST_SLOTS = 4096 };

/* A broken connection is noticed by ssh too, so that nothing is left on the host. */
static const char ssh_words[] =
    "ssh -T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=5"
    " -o ServerAliveCountMax=2";

struct host_line {
  const char *file;
  size_t number;
  struct hone__words words;
  struct hone__text ssh, environment; /* words before the host, and after it */
  const char *name;
  struct hone__words cpus;
  unsigned gpus, slots;
};

static hone_status wrong(const struct host_line *line, const char *what, const char *word)
{
  return hone__error(HONE_INVALID_ARGUMENT, "%s:%zu: %s '%s'", line->file, line->number, what,
                     word);
}

/* ---- Words of a line ---- */

static bool is_name(const char *text)
{
  if (!*text || *text == '-') return false; /* ssh would take it for an option */
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && !strchr("@._-[]%", *text)) return false;
  return true;
}

static hone_status take_host(struct host_line *line)
{
  char *word = line->words.data[0], *colon = strrchr(word, ':');

  hone__text_add(&line->ssh, ssh_words);
  if (colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
    hone__text_addf(&line->ssh, " -p %s", colon + 1);
    *colon = '\0';
  }
  if (!is_name(word)) return wrong(line, "bad name of a host:", word);
  line->name = word;
  return NULL;
}

static hone_status take_count(const struct host_line *line, const char *word, const char *value,
                              unsigned *out_count)
{
  unsigned long count = strtoul(value, NULL, 10);

  if (!*value || value[strspn(value, "0123456789")] || !count || count > MOST_SLOTS)
    return wrong(line, "expected a number from 1 to 4096:", word);
  *out_count = (unsigned)count;
  return NULL;
}

/* ssh joins its words and a shell at the other end splits them again: they are quoted twice. */
static void take_variable(struct host_line *line, const char *word)
{
  struct hone__text quoted = {0};

  hone__quote_shell(&quoted, word);
  hone__text_add(&line->environment, " ");
  hone__quote_shell(&line->environment, quoted.data);
  hone__text_release(&quoted);
}

static bool is_variable(const char *word, size_t length)
{
  if (isdigit((unsigned char)*word)) return false;
  for (size_t i = 0; i < length; i++)
    if (!isupper((unsigned char)word[i]) && !isdigit((unsigned char)word[i]) && word[i] != '_')
      return false;
  return length > 0;
}

static hone_status take_word(struct host_line *line, const char *word)
{
  size_t length = strcspn(word, "=");
  const char *value = word + length + 1;

  if (word[length] && is_variable(word, length))
    take_variable(line, word);
  else if (hone__starts_with(word, "gpus="))
    return take_count(line, word, value, &line->gpus);
  else if (hone__starts_with(word, "slots="))
    return take_count(line, word, value, &line->slots);
  else if (hone__starts_with(word, "cpus=") && *value && !value[strspn(value, "0123456789,-")])
    hone__words_add(&line->cpus, value);
  else
    return wrong(line, "expected gpus=N, cpus=LIST, slots=N or NAME=VALUE, not", word);
  return NULL;
}

/* ---- Workers of a line ---- */

static void print_prefix(const struct host_line *line, const char *variables, const char *cpus,
                         struct hone__text *prefix)
{
  bool has_variables = line->environment.length || *variables;

  hone__text_addf(prefix, "%s %s", line->ssh.data, line->name);
  if (has_variables) hone__text_add(prefix, " env");
  if (line->environment.length) hone__text_add(prefix, line->environment.data);
  hone__text_add(prefix, variables);
  if (cpus) hone__text_addf(prefix, " taskset -c %s", cpus);
}

static void add_worker(struct hone_cluster *cluster, const struct host_line *line,
                       const char *variables, const char *cpus)
{
  struct hone__text prefix = {0}, build_prefix = {0};

  print_prefix(line, variables, cpus, &prefix);
  print_prefix(line, "", NULL, &build_prefix);
  hone__cluster_add(cluster, line->name, prefix.data, build_prefix.data);
  hone__text_release(&prefix);
  hone__text_release(&build_prefix);
}

static void add_workers(struct hone_cluster *cluster, const struct host_line *line)
{
  char text[128];

  for (unsigned i = 0; i < line->gpus; i++) {
    snprintf(text, sizeof text, " CUDA_VISIBLE_DEVICES=%u HIP_VISIBLE_DEVICES=%u", i, i);
    add_worker(cluster, line, text, NULL);
  }
  for (size_t i = 0; i < line->cpus.count; i++)
    add_worker(cluster, line, "", line->cpus.data[i]);
  for (unsigned i = 0; i < line->slots; i++) {
    snprintf(text, sizeof text, " HONE_SLOT=%u", i);
    add_worker(cluster, line, text, NULL);
  }
  if (!line->gpus && !line->cpus.count && !line->slots) add_worker(cluster, line, "", NULL);
}

static hone_status read_line(struct hone_cluster *cluster, struct host_line *line)
{
  hone_status status = line->words.count ? take_host(line) : NULL;

  for (size_t i = 1; i < line->words.count && !status; i++)
    status = take_word(line, line->words.data[i]);
  if (!status && line->words.count) add_workers(cluster, line);
  return status;
}

static hone_status split_line(struct hone_cluster *cluster, const char *file, size_t number,
                              char *text)
{
  struct host_line line = {.file = file, .number = number};
  hone_status status;

  text += strspn(text, " \t");
  if (*text == '#') *text = '\0';
  status = hone__words_split(&line.words, text);
  if (status)
    status = hone__annotate(status, "%s:%zu", file, number);
  else
    status = read_line(cluster, &line);
  hone__words_release(&line.words);
  hone__words_release(&line.cpus);
  hone__text_release(&line.ssh);
  hone__text_release(&line.environment);
  return status;
}

hone_status hone__cluster_read_ssh(struct hone_cluster *cluster, const char *file)
{
  char *text = NULL, *at;
  size_t size;
  hone_status status = hone__file_read(file, FILE_BYTES, &text, &size);

  at = text;
  for (size_t number = 1; !status && *at; number++) {
    size_t length = strcspn(at, "\r\n");
    char *next = at + length + (at[length] == '\r');
    next += *next == '\n';
    at[length] = '\0';
    status = split_line(cluster, file, number, at);
    at = next;
  }
  free(text);
  return status;
}
