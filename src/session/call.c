#include "session/call.h"

#include "base/allocators.h"
#include "base/options_size.h"
#include "store/cache.h"

hone_status hone__call_begin(struct hone__call *call, const struct hone_tune_options *given)
{
  hone_status status;

  hone__allocators_install();
  hone_tune_options_init(&call->options);
  hone_program_options_init(&call->program);
  status = hone__options_take(&call->options, sizeof call->options, given, "hone_tune_options");
  if (!status)
    status = hone__options_take(&call->program, sizeof call->program, call->options.program,
                                "hone_program_options");
  call->options.program = &call->program;
  call->cache_before = hone__cache_choose(call->options.cache);
  return status;
}

void hone__call_end(const struct hone__call *call)
{
  hone__cache_choose(call->cache_before);
}
