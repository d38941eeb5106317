# Whether times are those of the work: their order, never their size.

case_begin "sixteen times the work takes longer, and sixteen times that again"
work_spec order 'WORK: [64000, 4000, 250], KNOB: [0]' 'WORK: 64000, KNOB: 0'
tune order --screen-samples 9
expect_status 0
expect_figure '[e["config"] for e in sorted(all, key=lambda e: e["time_ns"])]' \
  "['WORK=250,KNOB=0', 'WORK=4000,KNOB=0', 'WORK=64000,KNOB=0']"

case_begin "what is as fast as the baseline is no improvement"
work_spec equal 'WORK: [4000], KNOB: [0, 1, 2]' 'WORK: 4000, KNOB: 0'
confirm equal
expect_status 0
expect_figure 'run["verdict"] in ("NO IMPROVEMENT", "INCONCLUSIVE")' True

case_begin "what is faster is proved to be"
work_spec faster 'WORK: [64000, 2000], KNOB: [0, 1]' 'WORK: 64000, KNOB: 0'
confirm faster --counters # of CUDA devices, where the profiler may read them
expect_status 0
expect_figure 'any("counters" in note for note in run["notes"])' True
expect_figure 'run["verdict"]' IMPROVED
expect_figure 'run["winner"].split(",")[0]' WORK=2000
