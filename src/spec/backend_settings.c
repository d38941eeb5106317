/* The keys of `sim`, for recordings, and of `iree`, which Hone itself writes for .mlir files. */
#include "spec/rules.h"

#include <math.h>

#define TEXT   .takes = HONE__TAKES_TEXT
#define SWITCH .takes = HONE__TAKES_BOOLEAN
#define WORDS  .takes = HONE__TAKES_TEXT | HONE__TAKES_NUMBER | HONE__TAKES_BOOLEAN

/* ---- Recordings ---- */

/* backend/sim/sim_fault.c has what they do, and the order of phases. */
static const char *const sim_phases[] = {"screen", "check", "race", "confirm", NULL};
static const char *const sim_faults[] = {"compile_error",
                                         "compile_timeout",
                                         "compile_crash",
                                         "compile_oom",
                                         "not_applied",
                                         "launch_failure",
                                         "device_fault",
                                         "oom_device",
                                         "oom_host",
                                         "crash",
                                         "exit",
                                         "hang",
                                         "killed",
                                         "wrong_result",
                                         "nondeterministic",
                                         "no_result",
                                         "bad_result",
                                         "slow",
                                         "runner_exit",
                                         NULL};

static const struct hone__rule sim_fault[] = {
    {"when", .takes = HONE__TAKES_FORMULA | HONE__TAKES_BOOLEAN, .names = HONE__NAMES_OF_CANDIDATE,
     .required = true,
     HONE__RULE_DOC(NULL, "when: BM == 64", "The configurations that it happens to.")},
    {"outcome", HONE__RULE_NAMED_BY(sim_faults), .required = true,
     HONE__RULE_DOC(NULL, "outcome: crash", "What happens.")},
    {"from", HONE__RULE_NAMED_BY(sim_phases),
     HONE__RULE_DOC("`screen`", "from: race", "The first phase in which it happens.")},
    {0},
};

static const struct hone__rule sim_drift[] = {
    {"from", .takes = HONE__TAKES_INTEGER, HONE__RULE_FROM_TO(0, 1000000000), .required = true,
     HONE__RULE_DOC(NULL, "from: 10", "The number of a runner's job.")},
    {"factor", .takes = HONE__TAKES_NUMBER, HONE__RULE_FROM_TO(0.001, 1000), .required = true,
     HONE__RULE_DOC(NULL, "factor: 1.2", "What all times are multiplied by from then on.")},
    {0},
};

static const struct hone__rule sim_device[] = {
    {"device", TEXT, .required = true,
     HONE__RULE_DOC(NULL, "device: 'sim:b'", "Its name in `--devices`.")},
    {"model", TEXT, .required = true,
     HONE__RULE_DOC(NULL, "model: Model B", "Its model: devices of one model are of one kind.")},
    {"factor", .takes = HONE__TAKES_FORMULA | HONE__TAKES_NUMBER, .names = HONE__NAMES_OF_CANDIDATE,
     HONE__RULE_DOC("1", "factor: 1.5", "What all its times are multiplied by.")},
    {0},
};

const struct hone__rule hone__spec_sim_rules[] = {
    {"space", TEXT, HONE__RULE_DOC("the recording's", "space: A100.t1.json", "A T1 file.")},
    {"faults", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = sim_fault,
     HONE__RULE_DOC(NULL, "faults: [{when: BM == 64, outcome: crash}]", "What fails.")},
    {"noise", .takes = HONE__TAKES_NUMBER, HONE__RULE_FROM_TO(0, 10),
     HONE__RULE_DOC("0", "noise: 0.02",
                    "The scatter of samples: the standard deviation of their logarithm.")},
    {"drift", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = sim_drift,
     HONE__RULE_DOC(NULL, "drift: [{from: 10, factor: 1.2}]",
                    "How the machine changes over time.")},
    {"devices", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = sim_device,
     HONE__RULE_DOC(NULL, "devices: [{device: 'sim:b', model: Model B}]",
                    "Devices that differ from the recorded one.")},
    {"pace", .takes = HONE__TAKES_NUMBER, HONE__RULE_FROM_TO(0, 1000),
     HONE__RULE_DOC("0", "pace: 0.1", "Real seconds to sleep for each recorded one.")},
    {0},
};

/* ---- IREE ---- */

static const char *const timings[] = {"iree", "rocprof", NULL};

static const struct hone__rule binding[] = {
    {"offset", .takes = HONE__TAKES_INTEGER, HONE__RULE_AT_LEAST(0)},
    {"size", .takes = HONE__TAKES_INTEGER, HONE__RULE_AT_LEAST(0)},
    {"type", TEXT},
    {"read", SWITCH},
    {"written", SWITCH},
    {0},
};

static const struct hone__rule iree_entry[] = {
    {"param", .takes = HONE__TAKES_NAME, .required = true},
    {"value", .takes = HONE__TAKES_INTEGER, .required = true},
    {"name", TEXT, .required = true},
    {"matcher", TEXT, .required = true},
    {"compilation_info", TEXT},
    {"decomposition_config", TEXT},
    {0},
};

static const struct hone__rule iree_variant[] = {
    {"param", .takes = HONE__TAKES_NAME, .required = true},
    {"value", .takes = HONE__TAKES_INTEGER, .required = true},
    {"flags", WORDS, .list = HONE__LIST_ONLY},
    {0},
};

const struct hone__rule hone__spec_iree_rules[] = {
    {"dispatch", TEXT},
    {"digest", WORDS},
    {"identity", WORDS},
    {"target", TEXT},
    {"backend", TEXT},
    {"driver", TEXT},
    {"threads", .takes = HONE__TAKES_INTEGER, HONE__RULE_FROM_TO(1, 4096)},
    {"operation", TEXT},
    {"function", TEXT},
    {"answer", TEXT},
    {"why_unchecked", TEXT},
    {"iree_dir", TEXT},
    {"timing", HONE__RULE_NAMED_BY(timings)},
    {"matcher_name", TEXT},
    {"matcher", TEXT},
    {"flags", WORDS, .list = HONE__LIST_ONLY},
    {"bindings", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = binding},
    {"model", TEXT},
    {"inputs", WORDS, .list = HONE__LIST_ONLY},
    {"inputs_digest", WORDS},
    {"outputs", WORDS, .list = HONE__LIST_ONLY},
    {"entries", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = iree_entry},
    {"variants", .takes = HONE__TAKES_KEYS, .list = HONE__LIST_ONLY, .keys = iree_variant},
    {"choice", .takes = HONE__TAKES_ANYTHING},
    {"choice_decomposition", .takes = HONE__TAKES_ANYTHING},
    {0},
};
