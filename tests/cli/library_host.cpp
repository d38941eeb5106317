// A program in C++ that tunes the spec it is given. Started as a worker it leaves a trace: nobody
// may start it again.
#include <hone.h>
#include <hone_iree.h>
#include <hone_machine.h>
#include <hone_replay.h>
#include <hone_results.h>
#include <hone_space.h>
#include <hone_sweep.h>
#include <hone_text.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

template <auto release> struct freed {
  template <typename T> void operator()(T *object) const { release(object); }
};
using spec_ptr = std::unique_ptr<hone_spec, freed<hone_spec_free>>;
using tuning_ptr = std::unique_ptr<hone_tuning, freed<hone_tuning_free>>;

static void check(hone_status status)
{
  if (!status) return;
  std::fprintf(stderr, "host: %s\n", hone_status_message(status));
  std::exit(1);
}

int main(int argc, char **argv)
{
  if (argc != 2 || std::string(argv[1]) == "worker") {
    std::ofstream(std::getenv("HOST_TRACE")) << "started again\n";
    return 3;
  }
  hone_spec *spec;
  check(hone_spec_open(argv[1], &spec));
  spec_ptr spec_owner(spec);
  hone_tune_options options;
  hone_tune_options_init(&options);
  int events = 0;
  options.progress_data = &events;
  options.progress = [](void *data, const hone_event *) { return ++*static_cast<int *>(data), true; };
  hone_tuning *tuning;
  check(hone_tune(spec, &options, &tuning));
  tuning_ptr tuning_owner(tuning);
  hone_value step{};
  if (!hone_tuning_value(tuning, 0, "STEP", &step)) step.integer = 0;
  std::printf("%s\n", hone_run_state_name(hone_tuning_state(tuning, 0)));
  std::printf("%s\n", events > 0 && step.integer > 0 ? "winner" : "none");
}
