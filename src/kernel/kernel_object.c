/* The object of a configuration. A builder asks the compiler for its version before it looks into
 * the cache, which takes longer than all the rest: so what a builder gave is also noted under the
 * candidate's key, with the files that it depends on. */
#include "kernel/kernel_internal.h"

#include "session/deps_text.h"
#include "store/cache.h"

#include <stdlib.h>

struct note {
  const char *object; /* digest */
  const char *deps;   /* as in the store; NULL: it has none */
};
static const struct hone__field note_fields[] = {
    HONE__TEXT(struct note, object, HONE__NEEDED),
    HONE__TEXT(struct note, deps, HONE__OPTIONAL),
};
static const struct hone__record_type note_type =
    HONE__RECORD_TYPE("note of a kernel", struct note, note_fields);

struct command { /* of a candidate: with a command of the spec, what it reads is not all known */
  const char **command;
  size_t command_count;
};
static const struct hone__field command_fields[] = {
    HONE__TEXTS(struct command, command, HONE__OPTIONAL),
};
static const struct hone__record_type command_type =
    HONE__RECORD_TYPE("candidate", struct command, command_fields);

static bool is_noted(const struct hone__candidate *candidate)
{
  struct hone__arena arena = {0};
  struct command own = {0};
  hone_status status = hone__unpack(candidate->packed, &command_type, &arena, &own);
  bool noted = !status && !own.command && candidate->head.key;

  hone_status_free(status);
  hone__arena_release(&arena);
  return noted;
}

static void note_key(const struct hone__candidate *candidate, char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "kernel 1");
  hone__digest_add_text(digester, candidate->head.key);
  hone__digest_end(digester, key);
}

/* ---- Out of the cache ---- */

static bool take_object(struct hone__candidate *candidate, const struct note *note)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = NULL;

  if (strlen(note->object) >= sizeof candidate->object) return false;
  if (note->deps && !hone__session_deps_are_current(candidate->session, note->deps)) return false;
  status = hone__cache_get("objects", note->object, &bytes, &size);
  hone_status_free(status);
  if (status) return false;
  snprintf(candidate->object, sizeof candidate->object, "%s", note->object);
  candidate->bytes = bytes;
  candidate->size = size;
  return true;
}

static bool read_note(struct hone__candidate *candidate)
{
  char key[HONE__DIGEST_SIZE], *text = NULL;
  struct hone__arena arena = {0};
  struct hone__packed *packed;
  struct note note;
  size_t size = 0;
  bool found = false;
  hone_status status;

  note_key(candidate, key);
  status = hone__cache_get("builds", key, &text, &size);
  packed = status ? NULL : hone__packed_parse(text, size);
  if (packed && !status) status = hone__unpack(packed, &note_type, &arena, &note);
  if (packed && !status) found = take_object(candidate, &note);
  hone_status_free(status);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
  free(text);
  return found;
}

/* A failed write only costs a builder later. */
static void write_note(const struct hone__candidate *candidate)
{
  const struct note note = {.object = candidate->object, .deps = candidate->evaluation.deps};
  struct hone__text text = {0};
  char key[HONE__DIGEST_SIZE];

  note_key(candidate, key);
  hone__record_print(&note_type, &note, &text);
  hone_status_free(hone__cache_put("builds", key, text.data, text.length));
  hone__text_release(&text);
}

/* ---- From a builder ---- */

static hone_status build_in_worker(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  hone_status status = hone__session_open_builders(session);

  if (!status) {
    hone__session_set_up_builders(session);
    hone__session_build_now(session, candidate);
  }
  hone__session_close_workers(session);
  if (!status && session->control.failure) {
    status = session->control.failure;
    session->control.failure = NULL;
  }
  if (!status && session->control.aborting)
    status = hone__error(HONE_CANCELLED, "cancelled while a kernel was built");
  return status ? status : hone__session_check_built(candidate, "kernel");
}

static hone_status build(struct hone__candidate *candidate)
{
  hone_status status = hone__session_open_loop(candidate->session);

  if (status) return status;
  status = build_in_worker(candidate);
  hone__session_close_loop(candidate->session);
  return status;
}

hone_status hone__handle_build_object(struct hone__candidate *candidate)
{
  bool noted = is_noted(candidate);
  hone_status status;

  if (noted && read_note(candidate)) return NULL;
  status = build(candidate);
  if (!status && noted) write_note(candidate);
  return status;
}
