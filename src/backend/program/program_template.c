/* What the {names} in commands of a program stand for: see backend/command_template.h. */
#include "backend/program/program_plan.h"

hone_status hone__program_expand(const struct hone__program_case *one,
                                 const struct hone__node *node, const char *const *words,
                                 const struct hone__placeholder_list *lists,
                                 struct hone__words *out_words)
{
  const struct hone__program_plan *plan = one->plan;
  const struct hone__placeholder places[] = {
      {"source", plan->source}, {"out", "{out}"}, {"output", "{out}"},
      {"csv", "{csv}"},         {"dir", "{dir}"}, {"bin", plan->is_built ? "{bin}" : plan->source},
      {"depfile", "{depfile}"}, {NULL, NULL}};
  const struct hone__command_template template = {.task = plan->task,
                                                  .row = one->row,
                                                  .node = node,
                                                  .spelling = plan->language->spelling,
                                                  .places = places,
                                                  .lists = lists};

  return hone__command_expand(&template, words, out_words);
}
