/* model_choice.h - options of the compiler, tuning spec, or neither: which of them is the result,
 * and which have to meet first. Figures go in, decisions come out: no clock, no store, no compiler.
 *
 * Whatever the budget, the result is not slower, beyond noise, than the best options that were
 * measured.
 */
#ifndef HONE_IREE_MODEL_MODEL_CHOICE_H
#define HONE_IREE_MODEL_MODEL_CHOICE_H

#include "iree/model/tuned.h"

#include <stdbool.h>
#include <stddef.h>

struct hone__model_gain { /* over plain iree-compile */
  double speedup;         /* NAN: not measured */
  double low, high;       /* NAN: there is no interval, but a screening */
  bool is_proved;
};

struct hone__model_gain hone__model_gain_of_option(const struct hone_iree_tuned_option *option);
/* Of what a contest has found: what is not proved is as fast as the plain model. */
struct hone__model_gain hone__model_gain_of_result(enum hone_verdict verdict, double speedup,
                                                   double low, double high);

/* It is faster, as far as it is known: proved, or beyond noise. */
bool hone__model_gain_is_clear(const struct hone__model_gain *gain);
/* So much that it is proved before anything else is done. */
bool hone__model_gain_is_promising(const struct hone__model_gain *gain);
/* So much that a part of the time is kept for its proof. */
bool hone__model_gain_is_worth_time(const struct hone__model_gain *gain);
/* So much that tuning begins anew on top of it, which costs this part of the time that is left. */
bool hone__model_gain_is_worth_base(const struct hone__model_gain *gain, double cost);

/* 1 + the options that may be faster than those that won the contest of the options, or than the
 * plain model if none did; 0: there are none. */
size_t hone__model_choice_rival(const struct hone_iree_tuned *tuned);
/* Measuring both beside each other may change the result. */
bool hone__model_choice_is_open(const struct hone__model_gain *options,
                                const struct hone__model_gain *result);
/* The options are the result: from contests of their own. */
bool hone__model_choice_apart(const struct hone__model_gain *options,
                              const struct hone__model_gain *result);
/* The same, from one contest with both. What was known of the options before counts where the
 * contest had no time for them. */
bool hone__model_choice_beside(const struct hone__model_gain *before,
                               const struct hone__model_gain *options,
                               const struct hone__model_gain *result);

#endif
