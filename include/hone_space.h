/* hone_space.h - a space in depth: derived values and texts, neighbours and searches, why a
 * configuration is legal or not, and how the space was solved. */
#ifndef HONE_SPACE_H
#define HONE_SPACE_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Derived values of a configuration, in the order of the spec; false: it faults there. */
HONE_API size_t hone_space_derived_count(const struct hone_space *space);
HONE_API const char *hone_space_derived_name(const struct hone_space *space, size_t derived);
HONE_API bool hone_space_derived(const struct hone_space *space, const uint32_t *row,
                                 size_t derived, struct hone_value *out_value);

/* Texts of a configuration (`texts` of the spec), like snprintf: the length that was needed, or
 * HONE_NO_TEXT where the row's group does not have this text, or an expression in it faults. */
#define HONE_NO_TEXT SIZE_MAX
HONE_API size_t hone_space_text_count(const struct hone_space *space);
HONE_API const char *hone_space_text_name(const struct hone_space *space, size_t text);
HONE_API size_t hone_space_print_text(const struct hone_space *space, const uint32_t *row,
                                      size_t text, char *buffer, size_t size);

/* Calls `visit` with each legal configuration that differs from `row` in the value of exactly one
 * parameter (`adjacent`: by one step in its list). `row` itself need not be legal. Stops when visit
 * says false. */
typedef bool hone_visit(void *data, const uint32_t *row);
HONE_API void hone_space_neighbours(const struct hone_space *space, const uint32_t *row,
                                    bool adjacent, hone_visit *visit, void *data);
/* All legal configurations, in mesh order, from the `first` on. */
HONE_API void hone_space_each(const struct hone_space *space, uint64_t first, hone_visit *visit,
                              void *data);

/* Up to `count` of them in the order in which a search requests them: "exhaustive" is mesh order,
 * "random" a shuffle by the seed, "ordered" goes by the keys of the spec (`order`); the others
 * (hone_strategy_name) learn from results, and show here what they request without any. */
HONE_API hone_status hone_space_search(const struct hone_space *space, const char *strategy,
                                       uint64_t seed, uint64_t count, hone_visit *visit,
                                       void *data);

/* kbench's name of a configuration, "stem/NAME=VALUE/...", like snprintf. */
HONE_API size_t hone_space_print_spec(const struct hone_space *space, const uint32_t *row,
                                      char *buffer, size_t size);

/* ---- Why, and why not ------------------------------------------------------------------------ */

/* The constraints as the spec has them. */
HONE_API size_t hone_space_constraint_count(const struct hone_space *space);
HONE_API const char *hone_space_constraint(const struct hone_space *space, size_t constraint);

enum hone_constraint_state {
  HONE_HOLDS,
  HONE_FAILS,
  HONE_FAULTS_THERE,
  HONE_DOES_NOT_APPLY,
  HONE_AFTER_BUILD /* it names what a build costs (built.x) */
};

struct hone_explanation; /* opaque */
/* Each constraint on the configuration "BM=96,BN=32", which need not be legal, nor its values among
 * those of the parameters. */
HONE_API hone_status hone_space_explain(const struct hone_space *space, const char *text,
                                        struct hone_explanation **out_explanation);
HONE_API bool hone_explanation_is_legal(const struct hone_explanation *explanation);
/* The group whose parameters were used. */
HONE_API size_t hone_explanation_group(const struct hone_explanation *explanation);
/* Its reasons: a constraint as text (NULL: a value that its parameter does not have), its state,
 * and the values of the names in it ("BM=96, M=256"), or what is wrong with the value. */
HONE_API size_t hone_explanation_count(const struct hone_explanation *explanation);
HONE_API enum hone_constraint_state
hone_explanation_state(const struct hone_explanation *explanation, size_t reason);
HONE_API const char *hone_explanation_constraint(const struct hone_explanation *explanation,
                                                 size_t reason);
HONE_API const char *hone_explanation_values(const struct hone_explanation *explanation,
                                             size_t reason);
HONE_API void hone_explanation_free(struct hone_explanation *explanation);

/* What each constraint rejects: the share of the Cartesian product that it rejects by itself, and
 * the share that it rejects and no other constraint does. NaN where a constraint faults without the
 * others. */
struct hone_constraint_stats; /* opaque */
HONE_API hone_status hone_space_stats(const struct hone_space *space,
                                      struct hone_constraint_stats **out_stats);
HONE_API double hone_constraint_stats_alone(const struct hone_constraint_stats *stats,
                                            size_t constraint);
HONE_API double hone_constraint_stats_last(const struct hone_constraint_stats *stats,
                                           size_t constraint);
HONE_API void hone_constraint_stats_free(struct hone_constraint_stats *stats);

/* Of a space without legal configurations: a set of constraints that cannot hold together, as
 * numbers of constraints; a smallest one where that takes little solving, else one that
 * dropping single constraints did not make smaller. hone_free(). */
HONE_API hone_status hone_space_conflict(const struct hone_space *space, size_t **out_constraints,
                                         size_t *out_count);

/* ---- How it was solved ----------------------------------------------------------------------- */

/* Independent parts, over all groups, and the parameters in the largest. */
HONE_API size_t hone_space_component_count(const struct hone_space *space);
HONE_API size_t hone_space_largest_component(const struct hone_space *space);
HONE_API uint64_t hone_space_node_count(const struct hone_space *space); /* of all diagrams */
HONE_API size_t hone_space_bytes(const struct hone_space *space);        /* that it holds */
HONE_API double hone_space_build_seconds(const struct hone_space *space);
/* False: a component is too large to be put in mesh order, so that indices follow the solver's own
 * order. */
HONE_API bool hone_space_is_mesh_order(const struct hone_space *space);

#ifdef __cplusplus
}
#endif

#endif
