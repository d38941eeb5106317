/* Answers that were searched for: a program asks for the same few problems again and again, and
 * what is nearest takes a search. An answer is put into an empty place once and stays until the
 * wisdom is freed, so that any number of threads may read it; where all its places are taken, the
 * search is repeated. */
#include "wisdom/wisdom_parts.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 2, MOST_SIZES = 16 }; /* where an answer may be; larger problems are not kept */

struct hone__wisdom_answer {
  uint64_t hash;
  struct hone__wisdom_reply reply;
  double bound;
  const char *kernel, *device, *family; /* family may be NULL; all texts lie after the sizes */
  size_t count;
  struct hone_wisdom_pair sizes[];
};

static atomic_uintptr_t *place_of(const struct hone_wisdom *wisdom, uint64_t hash, size_t place)
{
  return &wisdom->memo[(size_t)((hash ^ hash >> 32) + place) % HONE__WISDOM_ANSWERS];
}

/* ---- Equal ---- */

static bool is_same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_size(const struct hone_wisdom_pair *a, const struct hone_wisdom_pair *b)
{
  const struct hone_wisdom_value *x = &a->value, *y = &b->value;

  if (x->type != y->type || strcmp(a->name, b->name) != 0) return false;
  if (x->type == HONE_WISDOM_TEXT) return is_same_text(x->text, y->text);
  if (x->type == HONE_WISDOM_REAL) return x->real == y->real;
  return x->type == HONE_WISDOM_NONE || x->integer == y->integer;
}

static bool answers(const struct hone__wisdom_answer *answer, const struct hone_wisdom_query *query,
                    uint64_t hash, double bound)
{
  if (answer->hash != hash || answer->bound != bound || answer->count != query->problem_count)
    return false;
  if (strcmp(answer->kernel, query->kernel) != 0 || strcmp(answer->device, query->device) != 0 ||
      !is_same_text(answer->family, query->family))
    return false;
  for (size_t i = 0; i < answer->count; i++)
    if (!is_same_size(&answer->sizes[i], &query->problem[i])) return false;
  return true;
}

bool hone__wisdom_recall(const struct hone_wisdom *wisdom, const struct hone_wisdom_query *query,
                         uint64_t hash, double bound, struct hone__wisdom_reply *out_reply)
{
  for (size_t i = 0; i < PLACES; i++) {
    const struct hone__wisdom_answer *answer =
        (const struct hone__wisdom_answer *)atomic_load_explicit(place_of(wisdom, hash, i),
                                                                 memory_order_acquire);
    if (!answer) return false;
    if (!answers(answer, query, hash, bound)) continue;
    *out_reply = answer->reply;
    return true;
  }
  return false;
}

/* ---- Keeping ---- */

/* Other values need not have set their text. */
static const char *text_of(const struct hone_wisdom_value *value)
{
  return value->type == HONE_WISDOM_TEXT ? value->text : NULL;
}

static size_t length_of(const char *text)
{
  return text ? strlen(text) + 1 : 0;
}

static const char *copy(char **room, const char *text)
{
  char *begin = *room;

  if (!text) return NULL;
  memcpy(begin, text, strlen(text) + 1);
  *room += strlen(text) + 1;
  return begin;
}

static size_t room_for(const struct hone_wisdom_query *query)
{
  size_t size = length_of(query->kernel) + length_of(query->device) + length_of(query->family);

  for (size_t i = 0; i < query->problem_count; i++)
    size += length_of(query->problem[i].name) + length_of(text_of(&query->problem[i].value));
  return size;
}

/* NULL: there is no memory. */
static struct hone__wisdom_answer *make(const struct hone_wisdom_query *query)
{
  size_t count = query->problem_count;
  struct hone__wisdom_answer *answer;
  char *room;

  answer = malloc(sizeof *answer + count * sizeof *answer->sizes + room_for(query));
  if (!answer) return NULL;
  room = (char *)&answer->sizes[count];
  answer->kernel = copy(&room, query->kernel);
  answer->device = copy(&room, query->device);
  answer->family = copy(&room, query->family);
  answer->count = count;
  for (size_t i = 0; i < count; i++) {
    answer->sizes[i] = query->problem[i];
    answer->sizes[i].name = copy(&room, query->problem[i].name);
    answer->sizes[i].value.text = copy(&room, text_of(&query->problem[i].value));
  }
  return answer;
}

static bool has_room(const struct hone_wisdom *wisdom, uint64_t hash)
{
  for (size_t i = 0; i < PLACES; i++)
    if (!atomic_load_explicit(place_of(wisdom, hash, i), memory_order_relaxed)) return true;
  return false;
}

void hone__wisdom_remember(const struct hone_wisdom *wisdom, const struct hone_wisdom_query *query,
                           uint64_t hash, double bound, const struct hone__wisdom_reply *reply)
{
  struct hone__wisdom_answer *answer;

  if (query->problem_count > MOST_SIZES || !has_room(wisdom, hash)) return;
  answer = make(query);
  if (!answer) return;
  answer->hash = hash;
  answer->bound = bound;
  answer->reply = *reply;
  for (size_t i = 0; i < PLACES; i++) {
    uintptr_t empty = 0;
    if (atomic_compare_exchange_strong(place_of(wisdom, hash, i), &empty, (uintptr_t)answer))
      return;
  }
  free(answer);
}

void hone__wisdom_forget(struct hone_wisdom *wisdom)
{
  for (size_t i = 0; wisdom->memo && i < HONE__WISDOM_ANSWERS; i++)
    free((void *)atomic_load(&wisdom->memo[i]));
}
