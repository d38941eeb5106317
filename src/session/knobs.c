/* For each knob a table maps the build without the knob to its object. The hash of a build is the
 * sum over its knobs, so that removing one is a subtraction. The table of a knob that made a
 * difference is freed, so that few tables ever grow.
 */
#include "session/knobs.h"

#include "base/hash.h"

#include <stdlib.h>

struct entry {
  uint64_t rest, value, object; /* rest 0: free */
};

struct knob {
  char *name;
  bool matters, has_pair, is_redefined;
  struct entry *entries;
  size_t count, room; /* room: a power of 2 */
};

struct hone__knobs {
  struct knob *knobs;
  size_t count, capacity;
};

struct hone__knobs *hone__session_knobs_new(void)
{
  return hone__alloc(sizeof(struct hone__knobs));
}

void hone__session_knobs_free(struct hone__knobs *knobs)
{
  if (!knobs) return;
  for (size_t i = 0; i < knobs->count; i++) {
    free(knobs->knobs[i].name);
    free(knobs->knobs[i].entries);
  }
  free(knobs->knobs);
  free(knobs);
}

/* ---- The table of one knob ---- */

static struct entry *find(const struct knob *knob, uint64_t rest)
{
  size_t at = rest & (knob->room - 1);

  while (knob->entries[at].rest && knob->entries[at].rest != rest)
    at = (at + 1) & (knob->room - 1);
  return &knob->entries[at];
}

static void grow(struct knob *knob)
{
  struct entry *old = knob->entries;
  size_t room = knob->room;

  knob->room = room ? 2 * room : 64;
  knob->entries = hone__alloc(knob->room * sizeof *knob->entries);
  for (size_t i = 0; i < room; i++)
    if (old[i].rest) *find(knob, old[i].rest) = old[i];
  free(old);
}

static void note(struct knob *knob, uint64_t rest, uint64_t value, uint64_t object)
{
  struct entry *entry;

  if (2 * knob->count >= knob->room) grow(knob);
  entry = find(knob, rest);
  if (!entry->rest) {
    *entry = (struct entry){rest, value, object};
    knob->count++;
    return;
  }
  if (entry->value == value) return; /* the same build again */
  knob->has_pair = true;
  if (entry->object == object) return;
  knob->matters = true;
  free(knob->entries);
  knob->entries = NULL;
}

static struct knob *knob_of(struct hone__knobs *knobs, const char *name)
{
  for (size_t i = 0; i < knobs->count; i++)
    if (strcmp(knobs->knobs[i].name, name) == 0) return &knobs->knobs[i];
  HONE__GROW(knobs->knobs, knobs->count, knobs->capacity);
  knobs->knobs[knobs->count] = (struct knob){.name = hone__strdup(name)};
  return &knobs->knobs[knobs->count++];
}

/* ---- Builds ---- */

static uint64_t hash_of(const char *name, uint64_t value)
{
  return hone__mix(hone__hash_add(hone__hash_bytes(1, name, strlen(name)), value));
}

void hone__session_knobs_add(struct hone__knobs *knobs, const char *const *names,
                             const uint64_t *values, size_t count, const char *object)
{
  uint64_t built = hone__hash_bytes(2, object, strlen(object)), all = hone__mix(count + 1);

  for (size_t i = 0; i < count; i++)
    all += hash_of(names[i], values[i]);
  for (size_t i = 0; i < count; i++) {
    struct knob *knob = knob_of(knobs, names[i]);
    uint64_t rest = all - hash_of(names[i], values[i]);
    if (!knob->matters) note(knob, rest ? rest : 1, values[i], built);
  }
}

const char *hone__session_knobs_idle(const struct hone__knobs *knobs, size_t i)
{
  for (size_t k = 0; k < knobs->count; k++) {
    const struct knob *knob = &knobs->knobs[k];
    if (knob->has_pair && !knob->matters && i-- == 0) return knob->name;
  }
  return NULL;
}

/* ---- Sources with values of their own ---- */

/* '"TILE" redefined', "'TILE' macro redefined", 'redefinition of macro "TILE"'. */
static bool is_redefined(const char *warnings, const char *name)
{
  size_t length = strlen(name);

  for (const char *line = warnings; line && *line; line += strspn(line, "\n")) {
    size_t end = strcspn(line, "\n");
    const char *word = memmem(line, end, "redefin", 7), *at = line;
    while (word && (at = memmem(at, (size_t)(line + end - at), name, length))) {
      if (at > line && strchr("'\"", at[-1]) && at[-1] == at[length]) return true;
      at += length;
    }
    line += end;
  }
  return false;
}

/* Its values have no effect, which is reported once. */
static void warn_redefined(struct hone__session *session, const char *name)
{
  struct knob *knob = knob_of(session->builds.knobs, name);

  if (knob->is_redefined) return;
  knob->is_redefined = true;
  hone__session_say(session, HONE_EVENT_WARNING,
                    "the source defines '%s' itself, so that the values of the spec have no effect "
                    "on what follows: write '#ifndef %s' before that line, and '#endif' after it",
                    name, name);
}

static void look_for_redefined(const struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  const struct hone_space *space = session->problem.space;
  const char *warnings = candidate->evaluation.warnings;
  size_t group = candidate->row[0];

  for (size_t i = 0; warnings && i < hone_space_param_count(space, group); i++)
    if (is_redefined(warnings, hone_space_param_name(space, group, i)))
      warn_redefined(session, hone_space_param_name(space, group, i));
}

/* ---- Candidates ---- */

static uint64_t value_hash(const struct hone__candidate *candidate, const char *name)
{
  struct hone__text text = {0};
  struct hone_value value;
  uint64_t hash;

  if (!hone__task_lookup(&candidate->session->problem.task, candidate->row, name, &value)) return 0;
  hone__value_repr(value, &text);
  hash = hone__hash_bytes(3, text.data, text.length);
  hone__text_release(&text);
  return hash;
}

void hone__session_knobs_note(const struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  const char **names = candidate->head.knobs;
  size_t count = candidate->head.knobs_count;
  uint64_t *values;

  if (!session->builds.knobs) session->builds.knobs = hone__session_knobs_new();
  look_for_redefined(candidate);
  if (!count || !candidate->size || !*candidate->object) return;
  values = hone__alloc(count * sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = value_hash(candidate, names[i]);
  hone__session_knobs_add(session->builds.knobs, names, values, count, candidate->object);
  free(values);
}

void hone__session_knobs_warn(struct hone__session *session)
{
  const char *name;

  for (size_t i = 0;
       session->builds.knobs && (name = hone__session_knobs_idle(session->builds.knobs, i)) != NULL;
       i++)
    hone__session_say(session, HONE_EVENT_WARNING,
                      "no two values of '%s' change the binary: does the source read it?", name);
}
