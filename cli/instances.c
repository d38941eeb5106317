#include "instances.h"

#include "visible.h"
#include "hone_machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct listing {
  struct output output;
  const struct hone_space *space;
  char *device, *device_gap;
  uint64_t index;
};

static bool list_instance(void *data, const uint32_t *row)
{
  struct listing *listing = data;
  size_t size = hone_space_print_spec(listing->space, row, NULL, 0) + 1;
  char *name = check_memory(malloc(size));

  hone_space_print_spec(listing->space, row, name, size);
  output_format(&listing->output, "[%" PRIu64 "] ", listing->index++);
  visible_text(&listing->output, name);
  output_text(&listing->output, "\n");
  free(name);
  return !listing->output.error;
}

static hone_status list_space(struct listing *listing, const struct hone_spec *spec,
                              const struct problems *problems, size_t problem, uint64_t shape)
{
  struct hone_space_options options;
  struct hone_space *space = NULL;
  hone_status status;

  hone_space_options_init(&options);
  options.problem = problems->chosen[problem];
  options.sizes = problems->sizes;
  options.shape = shape;
  options.device = listing->device;
  options.device_gap = listing->device_gap;
  status = hone_space_build(spec, &options, &space);
  if (status) return status;
  listing->space = space;
  listing->index = 0;
  hone_space_each(space, 0, list_instance, listing);
  hone_space_free(space);
  return NULL;
}

enum exit_code instances_list(const struct hone_spec *spec, const struct problems *problems,
                              const struct source *source, const char *devices)
{
  struct listing listing = {0};
  bool has_shapes = source->shapes.count > 0;
  uint64_t shapes = 1;
  hone_status status =
      hone_spec_device_values(spec, devices, source->device, &listing.device, &listing.device_gap);

  if (!status && has_shapes) status = hone_spec_shape_count(spec, &shapes);
  output_open(&listing.output, STDERR_FILENO, false);
  for (size_t i = 0; i < problems->count && !status; i++)
    for (uint64_t k = 0; k < shapes && !status; k++)
      status = list_space(&listing, spec, problems, i, has_shapes ? k : HONE_ALL_SHAPES);
  output_flush(&listing.output);
  listing.output.error = 0; /* a failed write to the log does not affect the results */
  output_close(&listing.output);
  hone_free(listing.device);
  hone_free(listing.device_gap);
  return status ? message_status(status) : CLI_DONE;
}
