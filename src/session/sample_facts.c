#include "session/sample_facts.h"

#include <math.h>
#include <string.h>

struct sample_facts {
  double cpu_ns;
  int64_t forced_switches, cpu, slot;
  size_t rows, repeats;
  const struct hone__wire_run_clock *clock;
  struct hone__named *kernel; /* the device's facts about the kernel */
  const struct hone__wire_run_checks *checks;
  size_t kernel_count;
};
static const struct hone__field fields[] = {
    HONE__REAL(struct sample_facts, cpu_ns, HONE__OPTIONAL, 0, INFINITY),
    HONE__INT(struct sample_facts, forced_switches, HONE__SENT, 0, 0x1p53),
    HONE__INT(struct sample_facts, cpu, HONE__SENT, -1, 0x1p31),
    HONE__SIZE(struct sample_facts, rows, HONE__SENT),
    HONE__RECORD(struct sample_facts, clock, HONE__OPTIONAL, &hone__wire_run_clock_type),
    HONE__SIZE(struct sample_facts, repeats, HONE__SENT),
    HONE__NAMED(struct sample_facts, kernel, HONE__OPTIONAL),
    HONE__RECORD(struct sample_facts, checks, HONE__OPTIONAL, &hone__wire_run_checks_type),
    HONE__INT(struct sample_facts, slot, HONE__NEEDED, -1, 0x1p31),
};
static const struct hone__record_type facts_type =
    HONE__RECORD_TYPE("facts of samples", struct sample_facts, fields);

char *hone__sample_facts_print(const struct hone__reply *reply, size_t i)
{
  const struct hone__wire_run_reply *run = reply->run;
  struct sample_facts facts = {.cpu = -1, .cpu_ns = NAN, .slot = reply->slot};
  struct hone__text text = {0};
  struct hone__packed *packed;

  if (run) {
    facts.cpu_ns = run->cpu_ns;
    facts.forced_switches = run->forced_switches;
    facts.cpu = run->cpu;
    facts.rows = run->rows;
    facts.clock = run->clock;
  }
  if (run && i < run->results_count) {
    facts.repeats = run->results[i].repeats;
    facts.kernel = run->results[i].facts;
    facts.kernel_count = run->results[i].facts_count;
    facts.checks = run->results[i].checks;
  }
  packed = hone__pack(&facts_type, &facts);
  hone__packed_print(packed, &text);
  hone__packed_drop(packed);
  return text.data;
}

int hone__sample_facts_slot(const char *text)
{
  struct hone__packed *packed = text ? hone__packed_parse(text, strlen(text)) : NULL;
  struct hone__arena arena = {0};
  struct sample_facts facts = {.slot = -1};
  hone_status status = packed ? hone__unpack(packed, &facts_type, &arena, &facts) : NULL;
  int slot = status ? -1 : (int)facts.slot;

  hone_status_free(status);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  return slot;
}
