/* Runs that have a name: what later runs are compared with. A name stands for one run of each
 * kernel and problem, so that one name serves all kernels of a project: saving replaces the runs of
 * the same kernel and problem and leaves the others. */
#include "store/store_internal.h"

#include <inttypes.h>
#include <stdlib.h>

struct saved {
  const char *name;
  int64_t run;
};

struct hone_baseline_list {
  struct hone__arena arena;
  struct saved *saved;
  size_t count, capacity;
};

/* ---- Names ---- */

static bool is_number(const char *name)
{
  return name[strspn(name, "0123456789")] == 0;
}

/* What stands for a run or a file elsewhere is not a name. */
hone_status hone_baseline_name_check(const char *name)
{
  static const char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+@:";

  if (name && *name && *name != '-' && !name[strspn(name, letters)] && !is_number(name) &&
      strcmp(name, "last") != 0)
    return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "'%s' cannot be the name of a baseline: it has letters, digits and any of "
                     "-_+@:, begins with no '-', and is not a number and not 'last'",
                     name ? name : "");
}

/* ---- Changes ---- */

static hone_status execute(struct hone_store *store, const char *text, const char *name,
                           int64_t run, int64_t *out_changes)
{
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  if (status) return status;
  hone__store_bind(statement, "ti", name, run);
  status = hone__store_execute(store, statement, NULL);
  if (!status && out_changes) *out_changes += sqlite3_changes(store->database);
  return status;
}

/* First all that goes, then all that comes: devices of several kinds have a run each. */
static hone_status save(struct hone_store *store, const char *name, const int64_t *runs,
                        size_t count, int64_t *out_replaced)
{
  static const char remove[] =
      "DELETE FROM saved_baselines WHERE name = ?1 AND run IN (SELECT old.id FROM runs AS old, "
      "runs AS new WHERE new.id = ?2 AND old.name IS new.name AND old.problem IS new.problem)";
  static const char insert[] = "INSERT INTO saved_baselines (name, run) VALUES (?1, ?2)";
  hone_status status = NULL;

  for (size_t i = 0; i < count && !status; i++)
    status = execute(store, remove, name, runs[i], out_replaced);
  for (size_t i = 0; i < count && !status; i++)
    status = execute(store, insert, name, runs[i], NULL);
  return status;
}

hone_status hone_store_save_baseline(const char *path, const char *name, const int64_t *runs,
                                     size_t count, size_t *out_replaced)
{
  struct hone_store *store = NULL;
  int64_t replaced = 0;
  hone_status status = hone_baseline_name_check(name);

  if (out_replaced) *out_replaced = 0;
  if (!status) status = hone__store_open(path, false, &store);
  if (!status) status = hone__store_begin(store);
  if (!status) status = hone__store_end(store, save(store, name, runs, count, &replaced));
  hone__store_close(store);
  if (!status && out_replaced) *out_replaced = (size_t)replaced;
  return status;
}

hone_status hone_store_forget_baseline(const char *path, const char *name)
{
  static const char forget[] = "DELETE FROM saved_baselines WHERE name = ?1 AND ?2 = 0";
  struct hone_store *store = NULL;
  int64_t forgotten = 0;
  hone_status status = hone__store_open(path, false, &store);

  if (!status) status = execute(store, forget, name, 0, &forgotten);
  if (!status && !forgotten)
    status = hone__error(HONE_NOT_FOUND, "no baseline is saved as '%s'", name);
  hone__store_close(store);
  return status;
}

/* ---- The list ---- */

hone_status hone_store_baselines(struct hone_store *store, struct hone_baseline_list **out_list)
{
  static const char text[] = "SELECT name, run FROM saved_baselines ORDER BY name, run";
  struct hone_baseline_list *list = hone__alloc(sizeof *list);
  sqlite3_stmt *statement;
  hone_status status = hone__store_statement(store, text, &statement);

  *out_list = NULL;
  while (!status && hone__store_next(store, statement, &status)) {
    HONE__GROW(list->saved, list->count, list->capacity);
    list->saved[list->count++] =
        (struct saved){.name = hone__column_text(statement, 0, &list->arena),
                       .run = sqlite3_column_int64(statement, 1)};
  }
  if (status)
    hone_baseline_list_free(list);
  else
    *out_list = list;
  return status;
}

void hone_baseline_list_free(struct hone_baseline_list *list)
{
  if (!list) return;
  free(list->saved);
  hone__arena_release(&list->arena);
  free(list);
}

size_t hone_baseline_list_count(const struct hone_baseline_list *list)
{
  return list->count;
}

const char *hone_baseline_list_name(const struct hone_baseline_list *list, size_t i)
{
  return i < list->count ? list->saved[i].name : NULL;
}

int64_t hone_baseline_list_run(const struct hone_baseline_list *list, size_t i)
{
  return i < list->count ? list->saved[i].run : 0;
}
