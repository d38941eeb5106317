# A thin front for Meson. Every target says what it does; the work is in tools/.

PREFIX  ?= /usr/local
LIBDIR  ?= lib
DESTDIR ?=
RELEASE ?= build-release

configure = tools/configure.sh
release   = $(configure) '$(RELEASE)' --buildtype=release -Dtests=disabled

.PHONY: build help setup demo test check check-mojo cts iree nvrtc install dist-binary wheel fuzz format clean
.PHONY: bench bench-cluster bench-scale bench-tune bench-honesty bench-overhead bench-sweep bench-serve bench-search bench-iree bench-iree-models bench-gpu bench-kernel bench-python bench-release

build:
	@echo "build: the program and its tests, with debug information, in build/"
	@tools/setup.sh --dry-run build
	@$(configure) build
	@ninja -C build --quiet
	@echo "build: build/cli/hone is ready ('make help' lists all targets)"

help:
	@echo "make                 build the program and its tests in build/"
	@echo "make setup           install the packages that a build needs (Debian, Ubuntu)"
	@echo "make demo            set up, build, and run the examples"
	@echo "make test            build, run unit and command-line tests (T=space one program, T=space:count some cases)"
	@echo "make check           set up, build all variants, run all tests"
	@echo "make cts             run the conformance suite of a BACKEND (c; opencl, cuda, program, serve, iree, sim) on a DEVICE"
	@echo "make iree            download IREE's released executables and ONNX importer into build-iree/ (130 MB from PyPI, once)"
	@echo "make nvrtc           download NVIDIA's run-time compiler into build-nvrtc/ (90 MB from PyPI, once)"
	@echo "make check-mojo      run the Mojo example with the real compiler, installed with pip (5 minutes)"
	@echo "make install         install into PREFIX ($(PREFIX)), below DESTDIR if it is set"
	@echo "make dist-binary     dist/hone: a single file that depends only on libc"
	@echo "make wheel           dist/*.whl: the Python package with the program inside, and its sources (tools from PyPI)"
	@echo "make bench           measure the speed of the space engine (2 minutes)"
	@echo "make bench-tune      tune a kernel with hone and with Kernel Tuner (5 minutes)"
	@echo "make bench-honesty   count how often hone tune is right (2 hours; RUNS=100 SCENARIOS='*/quiet,equal/*')"
	@echo "make bench-overhead  measure the overhead of hone tune (2 minutes)"
	@echo "make bench-cluster   measure the driver of 64 and 1,000 workers (2 minutes)"
	@echo "make bench-scale     measure whether a long run stays linear (5 minutes; EVALS=1000000 takes 35)"
	@echo "make bench-serve     measure a program that stays and whose start is slow (2 minutes)"
	@echo "make bench-sweep     measure the overhead of hone sweep (KBENCH=FOLDER to compare with kbench)"
	@echo "make bench-search    replay all search strategies on recorded spaces (DATA=FOLDER SCORER=FILE)"
	@echo "make bench-iree      measure the time to generate IREE's candidates (SHARK=FOLDER PYTHON=FILE to compare with SHARK Tuner)"
	@echo "make bench-iree-models  tune whole models with hone iree tune, beside IREE's own flags (40 minutes; MODELS=FOLDER)"
	@echo "make bench-kernel    measure how fast a kernel that was tuned at its first call is found (half a minute)"
	@echo "make bench-gpu       tune kernels on an NVIDIA GPU, with dist/hone (9 minutes; HONE=FILE STEPS='timing matmul')"
	@echo "make bench-python    measure the Python package, with Triton and TileLang where they are installed (PYTHON=FILE)"
	@echo "make fuzz            fuzz each parser for FUZZ_SECONDS (30)"
	@echo "make format          format all C files"
	@echo "make clean           remove all build results"

setup:
	@tools/setup.sh build

demo: setup
	@echo "demo: building the release in $(RELEASE)/"
	@$(release)
	@ninja -C '$(RELEASE)' --quiet
	@tools/demo.sh '$(RELEASE)/cli/hone'

test: build
	@tools/test.sh $(if $(T),'$(T)')

check:
	@tools/check.sh

cts: build
	@echo "cts: backend $(or $(BACKEND),c)"
	@HONE=build/cli/hone tests/cts/run.sh $(or $(BACKEND),c) $(if $(DEVICE),'$(DEVICE)')

iree:
	@tools/install-iree.sh

nvrtc:
	@tools/install-nvrtc.sh

check-mojo: build
	@echo "check-mojo: examples/mojo-gemm with \$$MOJO, mojo in PATH, or an installation in build-mojo/"
	@tools/check-mojo.sh build/cli/hone

install:
	@echo "install: to $(DESTDIR)$(PREFIX), built in $(RELEASE)/"
	@tools/setup.sh --dry-run build
	@$(release) '--prefix=$(PREFIX)' '--libdir=$(LIBDIR)'
	@ninja -C '$(RELEASE)' --quiet
	@DESTDIR='$(DESTDIR)' meson install -C '$(RELEASE)' --no-rebuild --quiet

dist-binary:
	@echo "dist-binary: one file that needs libc alone: dist/hone"
	@tools/setup.sh --dry-run build
	@tools/dist-binary.sh '$(RELEASE)'

wheel: dist-binary
	@tools/wheel.sh

bench-release: setup
	@echo "bench: building the release in $(RELEASE)/"
	@$(release) -Dbench=true
	@ninja -C '$(RELEASE)' --quiet

bench: bench-release
	@echo "bench: the space engine; bench-tune, bench-honesty, bench-overhead, bench-serve and bench-sweep measure tuning, bench-cluster many workers, bench-scale long runs, bench-search strategies, bench-iree specs of IREE, bench-kernel the first call, bench-gpu kernels on GPUs"
	@bench/run '$(RELEASE)'

bench-tune: bench-release
	@bench/tune/run '$(RELEASE)/cli/hone' $(if $(ROUNDS),--rounds $(ROUNDS))

bench-honesty: bench-release
	@bench/honesty/run '$(RELEASE)/cli/hone' $(if $(RUNS),--runs $(RUNS)) $(if $(SCENARIOS),--scenarios '$(SCENARIOS)')

bench-overhead: bench-release
	@bench/overhead/run '$(RELEASE)/cli/hone' $(if $(ROUNDS),--rounds $(ROUNDS))

bench-serve: bench-release
	@bench/serve/run '$(RELEASE)/cli/hone' $(if $(ROUNDS),--rounds $(ROUNDS))

bench-cluster: bench-release
	@bench/cluster/run '$(RELEASE)/cli/hone' '$(RELEASE)/bench/pool_load' $(if $(WORKERS),--workers $(WORKERS))

bench-scale: bench-release
	@bench/scale/run '$(RELEASE)/cli/hone' $(if $(EVALS),--evals $(EVALS)) $(if $(WORKERS),--workers $(WORKERS))

bench-sweep: bench-release
	@bench/sweep/run '$(RELEASE)/cli/hone' $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(KBENCH),--kbench '$(KBENCH)')

bench-search: bench-release
	@bench/search/run '$(RELEASE)/cli/hone' $(if $(DATA),'$(DATA)') $(if $(REPEATS),--repeats $(REPEATS)) $(if $(SCORER),--scorer '$(SCORER)')

bench-iree: bench-release
	@bench/iree/run '$(RELEASE)/cli/hone' $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SHARK),--shark '$(SHARK)') $(if $(PYTHON),--python '$(PYTHON)')

bench-iree-models: bench-release
	@bench/iree-models/run '$(RELEASE)/cli/hone' $(MODELS) $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(BUDGET),--budget $(BUDGET))

bench-kernel: bench-release
	@bench/kernel/run '$(RELEASE)'

bench-gpu:
	@bench/gpu/run '$(or $(HONE),dist/hone)' $(STEPS)

bench-python: bench-release
	@bench/python/run '$(RELEASE)/cli/hone'

fuzz:
	@tools/setup.sh check
	@tools/fuzz.sh

format:
	@echo "format: all C files, in place"
	@tools/format.sh

clean:
	@echo "clean: build*/ and dist/"
	@rm -rf build build-* dist
