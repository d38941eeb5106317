/* built.h - what a build of a backend gave, for tests of CUDA and OpenCL. */
#ifndef HONE_TESTS_BUILT_H
#define HONE_TESTS_BUILT_H

#include "backend/backend.h"
#include "wire/packed_json.h"
#include "message_text.h"

struct built {
  struct hone__answer answer;
  const char *evidence;
  const json_t *costs;
  bool cached;
};

/* Takes the setup, lends the candidate. */
static inline struct built build_with(const struct hone__backend *backend, json_t *setup,
                                      json_t *candidate, double timeout_s)
{
  json_t *job = json_pack("{sO sf}", "candidate", candidate, "timeout_s", timeout_s);
  struct built built = {.answer.head = NULL};

  backend->worker.build(hone__wire_json_packed(setup), hone__wire_json_packed(job), &built.answer);
  json_decref(setup);
  json_decref(job);
  built.evidence = built.answer.evidence.data ? built.answer.evidence.data : "";
  built.cached = json_is_true(json_object_get(hone__packed_json(built.answer.head), "cached"));
  built.costs = json_object_get(hone__packed_json(built.answer.head), "costs");
  return built;
}

static inline void release_built(struct built *built)
{
  hone__packed_drop(built->answer.head);
  hone__text_release(&built->answer.evidence);
  hone__text_release(&built->answer.payload);
}

static inline void expect_outcome(const struct built *built, enum hone_outcome outcome)
{
  if (built->answer.outcome != outcome)
    print_message("%s: %s\n%s\n", hone_outcome_name(built->answer.outcome), built->evidence,
                  hone__message_text(hone__packed_json(built->answer.head), "output"));
  assert_int_equal(built->answer.outcome, outcome);
}

#endif
