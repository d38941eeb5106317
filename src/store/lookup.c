/* The proved best configuration of a kernel: of its runs for a problem, and of a device, the newest
 * with a verdict that proves something. */
#include "store/store_internal.h"

#include "base/number.h"
#include "base/text.h"
#include "spec/spec_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct hone_found {
  struct hone__arena arena;
  int64_t run;
  enum hone_verdict verdict;
  double speedup, low, high;
  const char *config, *device;
  const struct hone_result_param *params;
  size_t param_count;
};

/* ---- Values ---- */

static bool read_int(const char *text, int64_t *out_integer)
{
  const char *digits = text + (*text == '-');
  char *end;

  if (!*digits || digits[strspn(digits, "0123456789")]) return false;
  errno = 0;
  *out_integer = strtoll(text, &end, 10);
  return errno == 0 && !*end;
}

static bool read_real(const char *text, double *out_real)
{
  char *end;

  if (!strpbrk(text, "0123456789") || text[strspn(text, "+-0123456789.e")]) return false;
  *out_real = hone__strtod(text, &end);
  return !*end && isfinite(*out_real);
}

static struct hone_value value_of(const char *text)
{
  struct hone_value value = {.type = HONE_INT};

  if (read_int(text, &value.integer)) return value;
  value.type = HONE_FLOAT;
  if (read_real(text, &value.real)) return value;
  if (strcmp(text, "None") == 0) return (struct hone_value){.type = HONE_NONE};
  value = (struct hone_value){.type = HONE_BOOL, .integer = strcmp(text, "True") == 0};
  if (value.integer || strcmp(text, "False") == 0) return value;
  return (struct hone_value){.type = HONE_TEXT, .text = text};
}

/* ---- Looking ---- */

struct search { /* what was seen on the way: for the message */
  size_t runs, of_problem, of_device, inconclusive;
};

static hone_status read_found(struct hone_store *store, sqlite3_stmt *row, struct hone_found *found)
{
  hone_status status = hone__column_verdict(store, row, 2, &found->verdict);
  bool is_improved = found->verdict == HONE_VERDICT_IMPROVED;

  found->run = sqlite3_column_int64(row, 0);
  found->config = hone__column_text(row, is_improved ? 4 : 3, &found->arena);
  found->speedup = is_improved ? hone__column_real(row, 5) : 1;
  found->low = is_improved ? hone__column_real(row, 6) : NAN;
  found->high = is_improved ? hone__column_real(row, 7) : NAN;
  found->device = hone__column_text(row, 8, &found->arena);
  return status;
}

static bool is_asked_for(sqlite3_stmt *row, const char *problem, bool has_device,
                         struct search *seen)
{
  const char *own = hone__column_lent(row, 1);

  seen->runs++;
  if (strcmp(own ? own : "", problem) != 0) return false;
  seen->of_problem++;
  if (has_device && !hone__column_lent(row, 8)) return false;
  seen->of_device++;
  return true;
}

static bool proves_something(const struct hone_found *found, struct search *seen)
{
  seen->inconclusive += found->verdict == HONE_VERDICT_INCONCLUSIVE;
  return found->config &&
         (found->verdict == HONE_VERDICT_IMPROVED || found->verdict == HONE_VERDICT_NO_IMPROVEMENT);
}

static hone_status find(struct hone_store *store, const char *kernel, const char *problem,
                        const char *device, struct search *seen, struct hone_found *found)
{
  static const char text[] =
      "SELECT id, problem, verdict, baseline, winner, speedup, low, high, "
      "(SELECT device FROM evaluations WHERE run = runs.id AND device = ifnull(?2, device) "
      " ORDER BY is_baseline DESC, id LIMIT 1) "
      "FROM runs WHERE name = ?1 AND state = 'finished' ORDER BY id DESC";
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "tt", kernel, device);
  while (hone__store_next(store, statement, &status)) {
    if (!is_asked_for(statement, problem, device != NULL, seen)) continue;
    status = read_found(store, statement, found);
    if (!status && !proves_something(found, seen)) continue;
    hone__store_done(statement);
    return status;
  }
  found->config = NULL;
  return status;
}

static hone_status explain(const char *kernel, const char *problem, const char *device,
                           const struct search *seen)
{
  struct hone__text why = {0};
  hone_status status;

  if (!seen->runs)
    hone__text_addf(&why, "the store has no finished run of '%s'", kernel);
  else if (!seen->of_problem)
    hone__text_addf(&why, "no finished run of '%s' is for the problem '%s'", kernel, problem);
  else if (!seen->of_device)
    hone__text_addf(&why, "no finished run of '%s' was made on '%s'", kernel, device);
  else
    hone__text_addf(&why, "no run of '%s' proves anything%s", kernel,
                    seen->inconclusive ? ": its verdict is INCONCLUSIVE" : "");
  status = hone__error(HONE_NOT_FOUND, "no proved configuration: %s", why.data);
  hone__text_release(&why);
  return status;
}

hone_status hone_store_lookup(struct hone_store *store, const char *kernel, const char *problem,
                              const char *device, struct hone_found **out_found)
{
  struct hone_found *found = hone__alloc(sizeof *found);
  struct search seen = {0};
  hone_status status = NULL;

  *out_found = NULL;
  if (!kernel) status = hone__error(HONE_INVALID_ARGUMENT, "a lookup needs the name of a kernel");
  if (!status) status = find(store, kernel, problem ? problem : "", device, &seen, found);
  if (!status && !found->config) status = explain(kernel, problem ? problem : "", device, &seen);
  if (status) {
    hone_found_free(found);
    return status;
  }
  found->params = hone__config_params(&found->arena, found->config, &found->param_count);
  *out_found = found;
  return NULL;
}

void hone_found_free(struct hone_found *found)
{
  if (!found) return;
  hone__arena_release(&found->arena);
  free(found);
}

/* ---- Accessors ---- */

int64_t hone_found_run(const struct hone_found *found)
{
  return found->run;
}

enum hone_verdict hone_found_verdict(const struct hone_found *found)
{
  return found->verdict;
}

double hone_found_speedup(const struct hone_found *found, double *out_low, double *out_high)
{
  if (out_low) *out_low = found->low;
  if (out_high) *out_high = found->high;
  return found->speedup;
}

const char *hone_found_device(const struct hone_found *found)
{
  return found->device;
}

const char *hone_found_config(const struct hone_found *found)
{
  return found->config;
}

size_t hone_found_param_count(const struct hone_found *found)
{
  return found->param_count;
}

const char *hone_found_param_name(const struct hone_found *found, size_t param)
{
  return param < found->param_count ? found->params[param].name : NULL;
}

struct hone_value hone_found_param(const struct hone_found *found, size_t param)
{
  if (param >= found->param_count) return (struct hone_value){.type = HONE_NONE};
  return value_of(found->params[param].value);
}

bool hone_found_value(const struct hone_found *found, const char *name,
                      struct hone_value *out_value)
{
  *out_value = (struct hone_value){.type = HONE_NONE};
  for (size_t i = 0; name && i < found->param_count; i++) {
    if (strcmp(found->params[i].name, name) != 0) continue;
    *out_value = value_of(found->params[i].value);
    return true;
  }
  return false;
}
