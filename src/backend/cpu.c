/* Everything is read from sched_getaffinity, /proc and /sys. The fingerprint covers what makes two
 * times comparable (model, caches, number of CPUs), not what changes from day to day.
 */
#include "backend/cpu.h"

#include "base/cpu_cache.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/text.h"
#include "wire/named.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

/* "0-3,8" */
static void print_cpus(const struct hone__cpus *cpus, struct hone__text *text)
{
  for (long cpu = 0; cpu < HONE__MOST_CPUS; cpu++) {
    long last = cpu;
    if (!hone__cpus_has(cpus, cpu)) continue;
    while (hone__cpus_has(cpus, last + 1))
      last++;
    hone__text_addf(text, text->length ? ",%ld" : "%ld", cpu);
    if (last > cpu) hone__text_addf(text, "-%ld", last);
    cpu = last;
  }
}

static hone_status not_there(const struct hone__cpus *allowed, long cpu, const char *device)
{
  struct hone__text text = {0};
  hone_status status;

  print_cpus(allowed, &text);
  status = hone__error(HONE_UNAVAILABLE, "no CPU %ld for device '%s': this process may use %s", cpu,
                       device, text.data);
  hone__text_release(&text);
  return status;
}

/* One of "2" or "0-3"; moves *at past it. */
static bool parse_range(const char **at, long *out_first, long *out_last)
{
  char *end;

  if (**at < '0' || **at > '9') return false;
  *out_first = *out_last = strtol(*at, &end, 10);
  if (*end == '-') {
    if (end[1] < '0' || end[1] > '9') return false;
    *out_last = strtol(end + 1, &end, 10);
  }
  *at = end;
  return *out_first <= *out_last;
}

static hone_status parse_device(const char *device, const struct hone__cpus *allowed,
                                struct hone__cpus *wanted)
{
  const char *at = strchr(device, ':') + 1;
  int before = (int)(at - device);
  long first, last;

  for (;; at++) {
    if (!parse_range(&at, &first, &last) || (*at && *at != '+'))
      return hone__error(HONE_UNAVAILABLE,
                         "invalid device '%s': write CPUs as %.*s0, %.*s0-3 or %.*s0+2", device,
                         before, device, before, device, before, device);
    for (long cpu = first; cpu <= last; cpu++) {
      if (!hone__cpus_has(allowed, cpu)) return not_there(allowed, cpu, device);
      CPU_SET_S((size_t)cpu, sizeof *wanted, wanted->sets);
    }
    if (!*at) return NULL;
  }
}

hone_status hone__backend_cpu_pin(const char *device)
{
  struct hone__cpus allowed, wanted = {0};
  hone_status status;

  if (!strchr(device, ':')) return NULL;
  hone__cpus_allowed(&allowed);
  status = parse_device(device, &allowed, &wanted);
  if (!status && sched_setaffinity(0, sizeof wanted, wanted.sets) < 0)
    status = hone__error(HONE_UNAVAILABLE, "cannot bind to the CPUs of device '%s': %s", device,
                         strerror(errno));
  return status;
}

/* ---- Facts ---- */

/* The first line of a small file, or NULL; the caller frees it. */
static char *read_line(const char *path)
{
  char *text = NULL;
  size_t size;
  hone_status status = hone__file_read(path, 1 << 16, &text, &size);

  hone_status_free(status);
  if (status) return NULL;
  text[strcspn(text, "\n")] = 0;
  return text;
}

/* The value of "model name : X" in /proc/cpuinfo, which ARM lacks. */
static char *model_name(void)
{
  char line[512], *found = NULL;
  struct utsname machine;
  FILE *file = fopen("/proc/cpuinfo", "re");

  while (file && !found && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (!colon || !hone__starts_with(line, "model name")) continue;
    colon[strcspn(colon, "\n")] = 0;
    found = hone__strdup(colon + 1 + strspn(colon + 1, " "));
  }
  if (file) fclose(file);
  if (!found) found = hone__strdup(uname(&machine) == 0 ? machine.machine : "unknown CPU");
  return found;
}

size_t hone__backend_cpu_cache_bytes(void)
{
  size_t largest = hone__cpu_cache_size(HONE__CPU_FOLDER, hone__cpu_first(), 0);
  long told = sysconf(_SC_LEVEL3_CACHE_SIZE);

  if (!largest && told > 0) largest = (size_t)told;
  return largest ? largest : (size_t)32 << 20;
}

static char *read_cache(long cpu, int index, const char *what)
{
  return hone__cpu_cache_line(HONE__CPU_FOLDER, cpu, index, what);
}

/* "L1 Data 32K, L1 Instruction 32K, L2 Unified 1024K" */
static void print_caches(long cpu, struct hone__text *text)
{
  for (int i = 0; i < HONE__MOST_CACHES; i++) {
    char *level = read_cache(cpu, i, "level"), *type = read_cache(cpu, i, "type");
    char *size = read_cache(cpu, i, "size");
    if (level && type && size)
      hone__text_addf(text, "%sL%s %s %s", text->length ? ", " : "", level, type, size);
    free(level);
    free(type);
    free(size);
  }
}

static void add_text(struct hone__named_list *facts, const char *name, const char *text)
{
  hone__named_text(facts, name, text && *text ? text : "unavailable");
}

static void add_file(struct hone__named_list *facts, const char *name, const char *path)
{
  char *text = read_line(path);

  add_text(facts, name, text);
  free(text);
}

static void add_governor(struct hone__named_list *facts, long cpu)
{
  char path[128];

  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_governor", cpu);
  add_file(facts, "governor", path);
}

static const char *fingerprint_of(const char *model, const char *caches, int count,
                                  struct hone__arena *arena)
{
  struct hone__digester *digester = hone__digest_begin();
  char digest[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, model);
  hone__digest_add_text(digester, caches);
  hone__digest_add(digester, &count, sizeof count);
  hone__digest_end(digester, digest);
  return hone__arena_strdup(arena, digest);
}

void hone__backend_cpu_facts(struct hone__arena *arena, struct hone__wire_device_facts *out_facts)
{
  struct hone__named_list other = {.arena = arena};
  struct hone__text list = {0}, caches = {0};
  char *model = model_name();
  struct hone__cpus cpus;

  hone__cpus_allowed(&cpus);
  print_cpus(&cpus, &list);
  print_caches(hone__cpu_first(), &caches);
  add_text(&other, "cpus", list.data);
  add_text(&other, "caches", caches.data);
  add_governor(&other, hone__cpu_first());
  add_file(&other, "boost", "/sys/devices/system/cpu/cpufreq/boost");
  add_file(&other, "clocksource",
           "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  add_file(&other, "load", "/proc/loadavg");
  *out_facts = (struct hone__wire_device_facts){
      .name = hone__arena_strdup(arena, *model ? model : "unavailable"),
      .fingerprint = fingerprint_of(model, caches.data, CPU_COUNT_S(sizeof cpus, cpus.sets), arena),
      .other = other.items,
      .other_count = other.count};
  free(model);
  hone__text_release(&list);
  hone__text_release(&caches);
}

void hone__backend_cpu_add_facts(struct hone__packed *facts)
{
  struct hone__arena arena = {0};
  struct hone__wire_device_facts found;

  hone__backend_cpu_facts(&arena, &found);
  hone__packed_add(facts, &hone__wire_device_facts_type, &found);
  hone__arena_release(&arena);
}
