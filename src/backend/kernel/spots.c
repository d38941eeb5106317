#include "backend/kernel/spots.h"

#include "check/guard.h"

void hone__spots_init(struct hone__spots *spots, const struct hone__buffers *buffers, uint64_t seed)
{
  *spots = (struct hone__spots){.random = {seed}};
  for (size_t i = 0; i < buffers->count; i++) {
    const struct hone__arg *arg = &buffers->args[i];
    bool is_output = hone__arg_is_tensor(arg) && arg->role == HONE__ARG_OUT && arg->count;
    if (is_output && spots->output_count < HONE__SPOTS_OUTPUTS)
      spots->outputs[spots->output_count++] = i;
  }
}

void hone__spots_clear(struct hone__spots *spots)
{
  spots->drawn_count = spots->between_count = 0;
}

/* Below `bound`; a bias of 2^-64 does not matter here. */
static size_t below(struct hone__random *random, size_t bound)
{
  return (size_t)(((unsigned __int128)hone__random_u64(random) * bound) >> 64);
}

static struct hone__spot draw(struct hone__spots *spots, const struct hone__buffers *buffers,
                              size_t place)
{
  size_t arg = spots->outputs[below(&spots->random, spots->output_count)];

  return (struct hone__spot){arg, place, below(&spots->random, buffers->args[arg].count)};
}

static void poison(const struct hone__buffers *buffers, const struct hone__spot *spot)
{
  const struct hone__arg *arg = &buffers->args[spot->arg];
  size_t size = hone__element_size(arg->element);

  hone__poison(arg->element, buffers->range[spot->place] + arg->data + spot->index * size, size);
}

void hone__spots_poison(struct hone__spots *spots, const struct hone__buffers *buffers,
                        size_t place)
{
  for (size_t i = 0; spots->output_count && i < HONE__SPOTS_OF_PLACE; i++) {
    struct hone__spot *spot = &spots->drawn[spots->drawn_count++];
    *spot = draw(spots, buffers, place);
    poison(buffers, spot);
  }
}

void hone__spots_poison_one(struct hone__spots *spots, const struct hone__buffers *buffers,
                            size_t place)
{
  struct hone__spot *spot = &spots->between[spots->between_count % HONE__SPOTS_BETWEEN_CALLS];

  if (!spots->output_count) return;
  *spot = draw(spots, buffers, place);
  poison(buffers, spot);
  spots->between_count++;
}

bool hone__spots_next(const struct hone__spots *spots, size_t *at, struct hone__spot *out_spot)
{
  size_t between = spots->between_count < HONE__SPOTS_BETWEEN_CALLS ? spots->between_count
                                                                    : HONE__SPOTS_BETWEEN_CALLS;
  size_t index = (*at)++;

  if (index < spots->drawn_count)
    *out_spot = spots->drawn[index];
  else if (index - spots->drawn_count < between)
    *out_spot = spots->between[index - spots->drawn_count];
  else
    return false;
  return true;
}
