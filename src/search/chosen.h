/* chosen.h - the constants of `auto` and its model that were chosen by measurement.
 *
 * They were chosen on recordings of GPU kernels (docs/search.md, "How the constants were chosen")
 * and are here together, since a change of one of them asks for the others to be measured again.
 */
#ifndef HONE_SEARCH_CHOSEN_H
#define HONE_SEARCH_CHOSEN_H

/* ---- The model ---- */

/* Of the mixture: what parameters do by themselves, and in pairs; the rest is for all together.
 * Most of what a kernel's time depends on are pairs (a tile and a block); a product alone learns
 * nothing from points that differ in several parameters. */
static const double HONE__SUM_WEIGHT = 0.15, HONE__PAIR_WEIGHT = 0.70;
/* Distance of two different values, however near: a small one, or the model stops at each value. */
static const double HONE__STEP = 0.05;
/* Variance of a measurement, in units of the model's variance; more of it blurs the best. */
static const double HONE__NOISE = 0.01;
/* How far across its list (1) a parameter's influence reaches, until it is learned. A short one
 * makes a model that knows nothing far from its points and never leaves them. */
static const double HONE__USUAL_SCALE = 1.5;
/* Target: what is worse counts as this bad. Higher, and outliers set the scale. */
static const double HONE__FARTHEST = 2.5;
/* Deviations that a prospect may be better than expected, when something new is wanted. Fewer, and
 * the search stays near its best where the model is too sure. */
static const double HONE__NOVELTY = 5;
/* What is new is worth less by this power of its price, the time that it takes, where that is
 * known: two cheap ones teach more than one that is dear. Gain is not: the best may be dear. */
static const double HONE__THRIFT = 0.5;

/* How fast the trust in what other devices and sizes teach falls, with each result that does not
 * confirm it. A search that follows them sees only what they think good: without doubt, nothing
 * that it sees could contradict them. */
static const double HONE__DOUBT = 0.1;
/* Share of the requests that are made as if nothing had been taught: these see what those that were
 * taught think bad, and show whether they are right. */
static const double HONE__UNTAUGHT_SHARE = 0.3;

/* ---- The prospects ---- */

/* From the best one, the search among prospects goes on to its neighbours, that many at most of
 * each and so often: among those that are there anyway, the best one is mostly just the nearest. */
static const unsigned HONE__CLIMBS = 3, HONE__CLIMB_NEIGHBOURS = 40;

/* ---- The search ---- */

/* Rows at random at the beginning, at most: one, and more as long as the last one is the best.
 * Where the middle is bad, the first few are what a small budget is judged by. */
static const unsigned HONE__MOST_DRAWN = 6;
/* Each of them is the one of so many that is farthest from what is known: one that happens to be
 * near the middle would say little more than the middle does. */
static const unsigned HONE__DRAWS = 64;
/* Requests without gain, and part of all, until requests go to pattern searches from random rows.
 * Sooner, and they replace a model that still gains; without them, a single good row in a bad
 * neighbourhood is found by chance alone. */
static const double HONE__ELSEWHERE_FROM = 250, HONE__ELSEWHERE_PART = 0.2;

/* ---- What is missing ---- */

/* Of forecasts that something better is left: how often they were right on recordings, beside what
 * they said. The model is far too sure: of those that said one in a thousand, a third was wrong. */
static const double HONE__MISSING_LEAST = 0.02, HONE__MISSING_SHARE = 0.7;

#endif
