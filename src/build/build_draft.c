/* Drafts of replies: see build_draft.h. */
#include "build/build_draft.h"

#include "wire/named.h"

#include <math.h>

void hone__build_draft_begin(struct hone__build_draft *draft)
{
  *draft = (struct hone__build_draft){.reply = {.compile_s = NAN}};
}

void hone__build_draft_command(struct hone__build_draft *draft, const char *command)
{
  if (command) draft->reply.command = hone__arena_strdup(&draft->arena, command);
}

void hone__build_draft_unapplied(struct hone__build_draft *draft, const char *entry)
{
  if (entry) draft->reply.unapplied = hone__arena_strdup(&draft->arena, entry);
}

void hone__build_draft_costs(struct hone__build_draft *draft, const struct hone__named *costs,
                             size_t count)
{
  struct hone__named_list copy = {.arena = &draft->arena};

  if (!count) return;
  hone__named_add(&copy, costs, count);
  draft->reply.costs = copy.items;
  draft->reply.costs_count = copy.count;
}

void hone__build_draft_deps(struct hone__build_draft *draft, const struct hone__name_value *deps,
                            size_t count)
{
  struct hone__arena *arena = &draft->arena;
  struct hone__name_value *copy = hone__arena_alloc(arena, (count + 1) * sizeof *copy);

  for (size_t i = 0; i < count; i++)
    copy[i] = (struct hone__name_value){hone__arena_strdup(arena, deps[i].name),
                                        hone__arena_strdup(arena, deps[i].value)};
  draft->reply.deps = copy;
  draft->reply.deps_count = count;
}

void hone__build_draft_end(struct hone__build_draft *draft, struct hone__answer *answer)
{
  hone__packed_drop(answer->head);
  answer->head = hone__pack(&hone__wire_build_reply_type, &draft->reply);
  hone__packed_drop(draft->packed);
  hone__arena_release(&draft->arena);
  hone__build_draft_begin(draft);
}
