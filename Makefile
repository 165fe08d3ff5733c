# A thin face for CMake (presets: CMakePresets.json). `make demo` and `make check` install what is missing with apt-get
# (list: tools/packages.txt); THUD_NO_INSTALL=1 turns that into a message.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# More settings for the configuration, e.g. make check CMAKE_FLAGS=-DTHUD_WERROR=ON
CMAKE_FLAGS ?=
# An example, and what its picture shows (options of thud plot).
DEMO ?= bodies/card-house-struck
ifeq ($(DEMO),bodies/card-house-struck)
DEMO_PLOT ?= --snapshot 0,0.25,0.4,1 --view -35,15
endif
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= $(JOBS)
# fuzz-fast: without sanitizers
FUZZ_PRESET ?= fuzz
# e.g. fuzz_scene fuzz_record; none: all
FUZZ_TARGETS ?=
SOAK_SCALE ?= 1
SOAK_RUNS ?=

build_preset = cmake --preset $(1) $(CMAKE_FLAGS) >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }; \
	cmake --build build/$(1) -j $(JOBS) $(2)

# Every target of this file whose name begins with bench-.
BENCHMARKS := $(shell sed -n 's/^\(bench-[a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

.DEFAULT_GOAL := all
.PHONY: all demo check check-all check-bare test python deps deps-dev missing dev asan tsan fuzz fuzz-long fuzz-python coverage pictures format lint bench $(BENCHMARKS) soak mutate install package book clean help

all: missing ## build library, program and tests (build/release)
	@$(call build_preset,release)

demo: missing ## build, run one example, draw it, write its page
	@$(call build_preset,release,--target thud_program)
	@mkdir -p build/demo
	build/release/thud run examples/$(DEMO).yaml -o build/demo/$(notdir $(DEMO)).h5 --force
	build/release/thud plot build/demo/$(notdir $(DEMO)).h5 $(DEMO_PLOT) -o build/demo/$(notdir $(DEMO)).png --force
	build/release/thud report build/demo/$(notdir $(DEMO)).h5 -o build/demo/$(notdir $(DEMO)).html --force
	@echo "record:  build/demo/$(notdir $(DEMO)).h5"
	@echo "picture: build/demo/$(notdir $(DEMO)).png"
	@echo "page:    build/demo/$(notdir $(DEMO)).html (open it in a browser)"

check: missing ## build and run every test; the last line counts them
	@$(call build_preset,release)
	@tools/run-tests build/release -j $(JOBS)

test: check

python: missing ## the Python module in build/release/python; prints the PYTHONPATH to use
	@$(call build_preset,release,--target thud_python) >&2
	@echo "export PYTHONPATH='$(CURDIR)/build/release/python'"

check-all: missing ## the long tests whole; every example by every method with two step sizes and random families, verified; two builds compared
	@$(call build_preset,release)
	@THUD_TEST_ALL=1 tools/run-tests build/release -j $(JOBS) -L long
	@tools/check-all --jobs $(JOBS)
	@tools/check-families --jobs $(JOBS)
	@tools/check-reproducible

check-bare: ## make demo and make check in a bare Debian root (needs root and debootstrap; some 20 minutes)
	@tools/check-bare

deps: ## install what building, testing and running need
	@tools/deps core

deps-dev: ## the same, and the tools of developers and of continuous integration
	@tools/deps core dev

# Fast when everything is there: looks at files only.
missing:
	@mkdir -p build
	@tools/deps --probe core >/dev/null || $(MAKE) --no-print-directory deps

dev: missing ## Debug build, warnings are errors (build/dev)
	@$(call build_preset,dev)

asan: missing ## unit tests under the address and undefined-behaviour sanitizers
	@$(call build_preset,asan,--target thud_unit_tests)
	@tools/run-tests build/asan -j $(JOBS) -L unit

tsan: missing ## tests that use threads under the thread sanitizer (clang)
	@$(call build_preset,tsan)
	@tools/run-tests build/tsan -j $(JOBS) -L threads

fuzz: missing ## fuzz every reader (FUZZ_SECONDS each, FUZZ_JOBS at a time), a line per target
	@$(call build_preset,$(FUZZ_PRESET),--target fuzz_targets)
	@FUZZ_JOBS=$(FUZZ_JOBS) test/fuzz/run build/$(FUZZ_PRESET) $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-long: FUZZ_SECONDS = 3600
fuzz-long: missing ## an hour of each reader, findings do not end it; the corpus stays in build/fuzz, minimised
	@$(call build_preset,$(FUZZ_PRESET),--target fuzz_targets)
	@FUZZ_JOBS=$(FUZZ_JOBS) FUZZ_MERGE=1 FUZZ_GO_ON=1 test/fuzz/run build/$(FUZZ_PRESET) $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# FUZZ_WORKERS, FUZZ_SEED: e.g. 200 and another start
FUZZ_WORKERS ?= 24
FUZZ_SEED ?= 1
fuzz-python: missing ## the Python module with arguments changed, under the address and undefined-behaviour sanitizers
	@$(call build_preset,asan,--target thud_python)
	@THUD_PYTHON_MODULE='$(CURDIR)/build/asan/python' python3 test/python/run.py script python/tests/fuzz_surface.py \
	  --preload "$$(cc -print-file-name=libasan.so)" --workers $(FUZZ_WORKERS) --seed $(FUZZ_SEED)

coverage: missing ## line coverage of src (lcov page: build/coverage/html)
	@$(call build_preset,coverage)
	@tools/coverage build/coverage $(JOBS)

pictures: missing ## make the pictures of the documentation again, by the commands of its pages
	@$(call build_preset,release,--target thud_program)
	@tools/generate-pictures

format: ## clang-format on every source file
	@git ls-files '*.c' '*.h' | xargs clang-format -i

lint: missing ## layers, public headers, language of the project, format, shell scripts, clang-tidy
	@$(call build_preset,dev)
	@tools/lint build/dev $(JOBS)

bench: $(BENCHMARKS) ## every benchmark (bench/README.md)

bench-sweep: missing ## time per contact visit of Gauss-Seidel, beside Siconos where it is installed (CSV)
	@$(call build_preset,release,--target bench_sweep)
	@build/release/bench/bench_sweep | tee build/sweep.csv

bench-large: missing ## cold starts on cubes of up to 46^3 spheres: iterations against size (CSV, several minutes)
	@$(call build_preset,release,--target bench_large)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_large | tee build/large.csv

bench-expr: missing ## nanoseconds of expressions, their derivatives and jets (CSV)
	@$(call build_preset,release,--target bench_expr)
	@build/release/bench/bench_expr

bench-motion: missing ## steps per second of Lagrangian motions, beside Siconos where it is installed (CSV)
	@$(call build_preset,release,--target bench_motion)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_motion | tee build/motion.csv

bench-scaling: missing ## cost of a step of a large sparse system against its size (CSV)
	@$(call build_preset,release,--target bench_scaling)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_scaling | tee build/scaling.csv

bench-event: missing ## event-driven motions: time and errors at impacts, beside Siconos where it is installed (CSV)
	@$(call build_preset,release,--target bench_event)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_event | tee build/event.csv

bench-elastic: missing ## membranes by multigrid up to 1e6 unknowns, plates by active sets up to 1e5
	@$(call build_preset,release,--target bench_elastic)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_elastic

bench-quasistatic: missing ## increments of quasi-static motions, small ones and a slab of 1e5 unknowns (CSV)
	@$(call build_preset,release,--target bench_quasistatic)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_quasistatic | tee build/quasistatic.csv

bench-half-plane: missing ## products of half-planes over their transforms, to 1e6 elements; punches by iteration (CSV)
	@$(call build_preset,release,--target bench_half_plane)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_half_plane | tee build/half-plane.csv

# BENCH_FLAGS: see bench/README.md, e.g. -q
bench-bodies: missing ## piles of rigid bodies beside Bullet, ODE, Box2D, Chipmunk and Siconos where installed (Markdown)
	@$(call build_preset,release,--target bench_bodies)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_bodies $(BENCH_FLAGS) | tee build/bodies.md

bench-joints: missing ## mechanisms beside MuJoCo, Simbody and ODE where installed (CSV; tables in build/joints.md)
	@$(call build_preset,release,--target bench_joints)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_joints $(BENCH_FLAGS) -o build/joints.md | tee build/joints.csv

bench-page: missing ## page of 10000 bodies: size, time, cost of a frame in headless Chromium (Markdown, some minutes)
	@$(call build_preset,release,--target thud_program)
	@bench/page.py $(BENCH_FLAGS)

bench-python: missing ## what Python adds to imports, runs, steps, forces and contact problems, in ratios of one run (CSV)
	@$(call build_preset,release,--target thud_program thud_python)
	@PYTHONPATH=build/release/python /usr/bin/python3 bench/python.py build/release/thud | tee build/python.csv

bench-setup: missing ## time from the file to the first step of growing scenes, with exponents of growth (CSV)
	@$(call build_preset,release,--target thud)
	@OPENBLAS_NUM_THREADS=1 bench/setup.py build/release/thud | tee build/setup.csv

# THUD_FC_DATA: a folder of problem files instead of examples/problems; BENCH_FLAGS: see bench/README.md, e.g. --quick
bench-contact: missing ## contact solvers, beside Siconos where it is installed: tables and profiles (build/contact)
	@$(call build_preset,release,--target bench_contact)
	@mkdir -p build/contact
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 build/release/bench/bench_contact --all -o build/contact $(BENCH_FLAGS)

# SOAK_SCALE: length of the runs, e.g. 0.1; SOAK_RUNS: words of their names, e.g. arcs
soak: missing ## long runs (1e7 steps, 1e6 arcs, 1e6 steps of bodies): does memory or cost grow? (Markdown, build/soak.md; 10 minutes)
	@$(call build_preset,release,--target bench_soak)
	@OPENBLAS_NUM_THREADS=1 build/release/bench/bench_soak -s $(SOAK_SCALE) -d build $(SOAK_RUNS) >build/soak.md; \
	  code=$$?; cat build/soak.md; exit $$code

# MUTATE_FLAGS: e.g. -n 60 --seed 2 --only src/convex, --report (tools/mutate --help)
mutate: missing ## do the tests notice changes of the code? 200 mutants, less than an hour on two cores, goes on where it was
	@tools/mutate -j $(JOBS) $(MUTATE_FLAGS)

book: missing ## the documentation as one book (build/book/index.html), with the reference from headers, options and schema
	@$(call build_preset,release,--target thud_program)
	@tools/make-book --program build/release/thud || [ $$? = 77 ]

install: missing ## build what is installed, not the tests, and install to PREFIX (default /usr/local; DESTDIR is respected)
	@$(call build_preset,release,--target thud_products)
	@cmake --install build/release --prefix "$(PREFIX)"

# The time of the last commit, in archives, manual pages and the changelog of the packages: the same sources give the same bytes.
package: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
package: missing ## Debian packages in build/package: libthud0.1, libthud-io0.1, libthud-dev, thud, python3-thud, thud-doc
	@$(call build_preset,package)
	@rm -f build/package/*.deb
	@umask 022 && cd build/package && cpack >cpack.log 2>&1 || { cat cpack.log; exit 1; }
	@ls build/package/*.deb

clean: ## remove everything built
	@rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16
