/* prospects.h - configurations that may be requested next, each with its solution against a model,
 * so that what the model makes of it is known at little cost. */
#ifndef HONE_SEARCH_PROSPECTS_H
#define HONE_SEARCH_PROSPECTS_H

#include "search/lessons.h"
#include "search/trail.h"

enum { HONE__MOST_PROSPECTS = 900 };

struct hone__prospect {
  uint32_t *row;
  struct hone__feature *point;
  float *solution;
  float squares;  /* the sum of the solution's */
  float expected; /* by lessons */
  double merit;   /* when it was last weighed */
};

struct hone__prospects {
  struct hone__trail *trail;
  const struct hone__features *features;
  struct hone__gaussian *model;
  const struct hone__lessons *lessons; /* or NULL */
  struct hone__prospect *all;          /* those from `count` on are room for more */
  uint64_t *hashes;                    /* of their rows */
  size_t count;
  size_t known;     /* of the model's points: these are in all solutions */
  float *solutions; /* room for those of all; likewise: */
  struct hone__feature *points;
  uint32_t *rows;
};

void hone__prospects_open(struct hone__prospects *prospects, struct hone__trail *trail,
                          const struct hone__features *features, struct hone__gaussian *model,
                          const struct hone__lessons *lessons);
void hone__prospects_release(struct hone__prospects *prospects);

/* Adds a legal row, unless it is known, or there already, or there is no room. */
void hone__prospects_add(struct hone__prospects *prospects, const uint32_t *row);
void hone__prospects_remove(struct hone__prospects *prospects, size_t which);
/* Takes in the model's new points; `again`: all of them, since it has learned. What was requested
 * meanwhile goes. */
void hone__prospects_update(struct hone__prospects *prospects, bool anew);
/* Some of little merit go, until there are no more than `most`. */
void hone__prospects_thin(struct hone__prospects *prospects, size_t most,
                          struct hone__random *random);

#endif
