/* What each worker did: all jobs, or cells of equal length. */
#include "report/report_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MOST_JOBS: that a page lists; MOST_EVENTS: of others, beside cells. */
enum { MOST_JOBS = 4000, MOST_EVENTS = 2000, CELLS = 500, DIGITS = 7 };

struct loading {
  struct hone__report_timeline *timeline;
  struct hone__arena *arena;
  size_t lane_capacity, job_capacity, event_count;
  double next_event_s; /* so that events beyond MOST_EVENTS are spread over the run */
};

/* ---- Reading ---- */

static const char *keep(struct hone__arena *arena, const char *text)
{
  return text ? hone__arena_strdup(arena, text) : "";
}

/* Numbers of workers count from 1; a gap would be a damaged store. */
static void add_lane(void *data, const struct hone__stored_worker *worker)
{
  struct loading *loading = data;
  struct hone__report_timeline *timeline = loading->timeline;

  if (worker->number != (int64_t)timeline->lane_count + 1) return;
  HONE__GROW(timeline->lanes, timeline->lane_count, loading->lane_capacity);
  timeline->lanes[timeline->lane_count++] =
      (struct hone__report_lane){.role = keep(loading->arena, worker->role),
                                 .name = keep(loading->arena, worker->name),
                                 .host = keep(loading->arena, worker->host)};
}

static void list(struct loading *loading, const struct hone__stored_job *job)
{
  struct hone__report_timeline *timeline = loading->timeline;

  HONE__GROW(timeline->jobs, timeline->job_count, loading->job_capacity);
  timeline->jobs[timeline->job_count++] = *job;
}

static bool is_event(const struct hone__stored_job *job)
{
  return job->kind != HONE__STORED_JOB || job->is_requeued;
}

/* With very many of them, those that are too near to be told apart are left out. */
static void list_event(struct loading *loading, const struct hone__stored_job *job)
{
  if (loading->event_count++ >= MOST_EVENTS / 2) {
    if (job->began_s < loading->next_event_s || loading->event_count > 16 * MOST_EVENTS) return;
    loading->next_event_s = job->began_s + loading->timeline->end_s * 2 / MOST_EVENTS;
  }
  list(loading, job);
}

/* Divides the time of a job among the cells that it touches. */
static void fill_cells(const struct hone__report_timeline *timeline, struct hone__report_lane *lane,
                       const struct hone__stored_job *job)
{
  double cell_s = timeline->end_s / (double)timeline->cell_count;
  double end_s = job->began_s + job->took_s;
  size_t i = (size_t)(job->began_s / cell_s);

  for (; i < timeline->cell_count && (double)i * cell_s < end_s; i++) {
    double from = fmax(job->began_s, (double)i * cell_s);
    double until = fmin(end_s, (double)(i + 1) * cell_s);
    lane->cells[i].busy_s[job->phase] += (float)fmax(until - from, 0);
  }
}

static void count(struct hone__report_lane *lane, const struct hone__stored_job *job)
{
  lane->losses += job->kind == HONE__STORED_LEFT;
  if (job->kind != HONE__STORED_JOB) return;
  lane->jobs++;
  lane->busy_s += job->took_s;
  lane->failures += !hone__outcome_works(job->outcome);
}

static void add_job(void *data, const struct hone__stored_job *job)
{
  struct loading *loading = data;
  struct hone__report_timeline *timeline = loading->timeline;
  struct hone__report_lane *lane;

  if (job->worker < 1 || job->worker > (int64_t)timeline->lane_count) return;
  lane = &timeline->lanes[job->worker - 1];
  count(lane, job);
  if (!timeline->cell_count)
    list(loading, job);
  else if (is_event(job))
    list_event(loading, job);
  if (lane->cells && job->kind == HONE__STORED_JOB) fill_cells(timeline, lane, job);
}

static void make_cells(struct loading *loading)
{
  struct hone__report_timeline *timeline = loading->timeline;

  timeline->cell_count = CELLS;
  for (size_t i = 0; i < timeline->lane_count; i++)
    timeline->lanes[i].cells =
        hone__arena_alloc(loading->arena, CELLS * sizeof *timeline->lanes[i].cells);
}

static void *move_to_arena(struct hone__arena *arena, void *from, size_t size)
{
  void *copy = hone__arena_alloc(arena, size + 1);

  if (size) memcpy(copy, from, size);
  free(from);
  return copy;
}

hone_status hone__report_timeline_load(struct hone_store *store, int64_t run,
                                       struct hone__arena *arena,
                                       struct hone__report_timeline *out_timeline)
{
  struct hone__report_timeline timeline = {0};
  struct loading loading = {.timeline = &timeline, .arena = arena};
  struct hone__stored_totals totals;
  hone_status status = hone__store_job_totals(store, run, &totals);

  timeline.all_jobs = totals.jobs;
  timeline.end_s = totals.until_s;
  if (!status) status = hone__store_workers(store, run, add_lane, &loading);
  if (!status && totals.jobs > MOST_JOBS && timeline.end_s > 0) make_cells(&loading);
  if (!status) status = hone__store_jobs(store, run, add_job, &loading);
  timeline.lanes =
      move_to_arena(arena, timeline.lanes, timeline.lane_count * sizeof *timeline.lanes);
  timeline.jobs = move_to_arena(arena, timeline.jobs, timeline.job_count * sizeof *timeline.jobs);
  *out_timeline = timeline;
  return status;
}

/* ---- Printing ---- */

/* Which phase takes most of a cell, and its busy share in tenths: 10 * phase + share; 0: idle. */
static int cell_number(const struct hone__report_cell *cell, double cell_s)
{
  size_t most = 0;
  double busy_s = 0;
  int tenths;

  for (size_t i = 0; i < HONE__REPORT_PHASES; i++) {
    busy_s += cell->busy_s[i];
    if (cell->busy_s[i] > cell->busy_s[most]) most = i;
  }
  if (!(busy_s > 0)) return 0;
  tenths = (int)ceil(9 * busy_s / cell_s);
  return 10 * (int)most + (tenths < 1 ? 1 : tenths > 9 ? 9 : tenths);
}

static void print_cells(const struct hone__report_timeline *timeline,
                        const struct hone__report_lane *lane, struct hone__json_writer *json)
{
  double cell_s = timeline->end_s / (double)(timeline->cell_count ? timeline->cell_count : 1);

  hone__json_open(json, "cells", '[');
  for (size_t i = 0; i < timeline->cell_count; i++)
    hone__json_integer(json, NULL, (uint64_t)cell_number(&lane->cells[i], cell_s));
  hone__json_close(json, ']');
}

static void print_lane(const struct hone__report_timeline *timeline,
                       const struct hone__report_lane *lane, struct hone__json_writer *json)
{
  hone__json_open(json, NULL, '{');
  hone__json_text(json, "role", lane->role);
  hone__json_text(json, "name", lane->name);
  hone__json_text(json, "host", lane->host);
  hone__json_integer(json, "jobs", lane->jobs);
  hone__json_integer(json, "failures", lane->failures);
  hone__json_integer(json, "losses", lane->losses);
  hone__json_digits(json, "busy", lane->busy_s, DIGITS);
  if (lane->cells) print_cells(timeline, lane, json);
  hone__json_close(json, '}');
}

/* [lane, phase, began, took, outcome, requeued, candidate]; phases -1 and -2: joined and left. */
static void print_job(const struct hone__stored_job *job, struct hone__json_writer *json)
{
  hone__json_open(json, NULL, '[');
  hone__json_integer(json, NULL, (uint64_t)job->worker - 1);
  hone__json_digits(
      json, NULL, job->kind == HONE__STORED_JOB ? (double)job->phase : -(double)job->kind, DIGITS);
  hone__json_digits(json, NULL, job->began_s, DIGITS);
  hone__json_digits(json, NULL, job->took_s, DIGITS);
  hone__json_text(json, NULL, job->kind == HONE__STORED_JOB ? hone_outcome_name(job->outcome) : "");
  hone__json_integer(json, NULL, job->is_requeued);
  hone__json_integer(json, NULL, (uint64_t)job->candidate);
  hone__json_close(json, ']');
}

void hone__report_timeline_print(const struct hone__report_timeline *timeline,
                                 struct hone__json_writer *json)
{
  if (!timeline->lane_count || !timeline->all_jobs) return;
  hone__json_open(json, "timeline", '{');
  hone__json_digits(json, "end", timeline->end_s, DIGITS);
  hone__json_integer(json, "count", timeline->all_jobs);
  hone__json_open(json, "phases", '[');
  for (int i = 0; i < HONE__REPORT_PHASES; i++)
    hone__json_text(json, NULL, hone__phase_name((enum hone_phase)i));
  hone__json_close(json, ']');
  hone__json_open(json, "lanes", '[');
  for (size_t i = 0; i < timeline->lane_count; i++)
    print_lane(timeline, &timeline->lanes[i], json);
  hone__json_close(json, ']');
  hone__json_open(json, "jobs", '[');
  for (size_t i = 0; i < timeline->job_count; i++)
    print_job(&timeline->jobs[i], json);
  hone__json_close(json, ']');
  hone__json_close(json, '}');
}
