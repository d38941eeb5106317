/* A line for a shell: the requests for one candidate, as input of the program. */
#include "backend/program/program_backend.h"

#include "backend/program/serve_host.h"
#include "build/command.h"
#include "wire/named.h"

#include <math.h>

static void add_line(struct hone__text *command, const struct hone__text *line)
{
  struct hone__text word = {0};

  hone__text_addn(&word, line->data, line->length - 1); /* printf adds the end of the line */
  hone__build_command_add(command, word.data);
  hone__text_release(&word);
}

static void add_hello(struct hone__text *command, const struct hone__program_setup *setup)
{
  struct hone__serve_place place = {.setup = setup, .role = "measurer"};
  struct hone__text line = {0};

  hone__serve_hello_line(&place, &line);
  add_line(command, &line);
  hone__text_release(&line);
}

static void add_measure(struct hone__text *command, const struct hone__program_setup *setup,
                        const struct hone__program_candidate *candidate)
{
  struct hone__arena arena = {0};
  struct hone__named_list config = {.arena = &arena};
  struct hone__serve_request request = {.type = "measure",
                                        .id = 1,
                                        .key = candidate->build_key ? candidate->build_key : "",
                                        .problem = setup->serve->problem,
                                        .problem_count = setup->serve->problem_count,
                                        .derived = candidate->derived,
                                        .derived_count = candidate->derived_count,
                                        .samples = 1,
                                        .timeout_s = NAN};
  struct hone__text line = {0};

  hone__named_add(&config, candidate->config, candidate->config_count);
  hone__named_add(&config, candidate->runtime, candidate->runtime_count);
  request.config = config.items;
  request.config_count = config.count;
  hone__serve_print_request(&request, &line);
  add_line(command, &line);
  hone__text_release(&line);
  hone__arena_release(&arena);
}

void hone__serve_run_command(const struct hone__program_setup *setup,
                             const struct hone__program_candidate *candidate,
                             struct hone__text *out_command)
{
  const struct hone__program_serve *serve = setup->serve;

  hone__text_add(out_command, "printf '%s\\n'");
  add_hello(out_command, setup);
  add_measure(out_command, setup, candidate);
  hone__text_add(out_command, " |");
  for (size_t i = 0; i < serve->command_count; i++)
    hone__build_command_add(out_command,
                            strcmp(serve->command[i], "{hone}") == 0 ? "hone" : serve->command[i]);
}
