# Thin front door: everything is CMake behind it. `make help` lists the targets.
BUILD   := build
PREFIX  ?= /usr/local
# nproc heeds the threads that OpenMP may have, which is another matter.
JOBS    ?= $(shell env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
PROBLEM ?= rocking-block
# Debian packages, exact: what each group of targets needs beyond a bare system.
PACKAGES       := gcc libc6-dev make cmake ninja-build pkg-config libsuitesparse-dev libyaml-dev libhdf5-dev \
                  libcairo2-dev libexpat1-dev libmumps-seq-dev libopenblas-serial-dev
TEST_PACKAGES  := libcmocka-dev python3 python3-numpy python3-scipy python3-h5py python3-matplotlib python3-vtk9 python3-meshio zsh \
                  clang-format groff-base valgrind
FUZZ_PACKAGES  := clang libclang-rt-14-dev
# The report in a browser, where there is Node.js 20 or newer with npm, which Debian 12 does not have: without it those
# tests skip and need no browser.
REPORT_PACKAGES := $(if $(shell command -v npm),chromium)
# Optional, large: the report in Firefox too (make firefox-deps).
FIREFOX_PACKAGES := firefox-esr xvfb libgl1-mesa-dri
# Optional, large: CAD parts from STEP files (make cad). The package depends on all other parts of OpenCASCADE that are needed;
# python3-yaml is for the test.
CAD_PACKAGES := g++ libocct-data-exchange-dev python3-yaml
# Optional: scenes in MJCF (make mjcf).
MJCF_PACKAGES := libmujoco-dev
# Optional, large: many processes (make mpi).
MPI_PACKAGES := libpetsc-real-dev libopenmpi-dev openmpi-bin
# Where they are there, zeno-mpi is tested with the rest.
HAS_MPI := $(shell command -v mpirun >/dev/null && pkg-config --exists PETSc ompi-c 2>/dev/null && echo ON || echo OFF)
# The documentation as a site.
SITE_PACKAGES  := python3 python3-pil cmark-gfm
BENCH_PACKAGES := g++ libsiconos-numerics-dev libsiconos-kernel-dev libsiconos-mechanics-dev libmujoco-dev libbullet-dev libode-dev
# npm ci wants the packages of every platform in the lock file, which not every registry has
NPM_FLAGS := --no-audit --no-fund --ignore-scripts --silent
NPM_PACKAGES := cd report && { npm ci $(NPM_FLAGS) 2>/dev/null || npm install --no-package-lock $(NPM_FLAGS); }
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help format deps test-deps firefox-deps cad-deps mjcf-deps mpi-deps bench-deps build cad mjcf mpi plain run test test-mpi verify tables stress tsan crash-test soak fuzz bench report screenshots site install clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

# $(call need,PACKAGES): install what is missing, quietly when nothing is.
define need
	@missing=""; for p in $(1); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then echo "installing:$$missing"; \
	    $(SUDO) apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi
endef

# $(call fuzz,TARGET,CORPUS,ENVIRONMENT): new inputs that reach new code stay in build/fuzz/CORPUS.
define fuzz
	mkdir -p $(BUILD)/fuzz/$(2) && cd $(BUILD)/fuzz && $(3) ./tests/fuzz/fuzz_$(1) -runs=$(or $(RUNS),1000000) -max_len=4096 \
	    -timeout=10 -print_final_stats=1 -dict=$(CURDIR)/tests/fuzz/$(1).dict $(2) $(CURDIR)/tests/fuzz/$(2)
endef

deps: ## install the Debian packages Zeno needs
	$(call need,$(PACKAGES))

test-deps: deps
	$(call need,$(TEST_PACKAGES) $(REPORT_PACKAGES) $(SITE_PACKAGES))
	@if ! command -v npm >/dev/null; then echo "no npm: the report is not tested in a browser"; \
	elif [ ! -d report/node_modules/playwright-core ]; then echo "installing: packages of report/"; \
	    ($(NPM_PACKAGES)) || \
	    echo "npm failed: the report is not tested in a browser"; fi

firefox-deps: ## install Firefox and a display for it, so that the tests look at the report there too
	$(call need,$(FIREFOX_PACKAGES))

cad-deps: deps ## install OpenCASCADE (LGPL), which 'zeno cad' reads STEP files with
	$(call need,$(CAD_PACKAGES))

mjcf-deps: deps ## install MuJoCo (Apache 2.0), which 'zeno import' reads MJCF files with
	$(call need,$(MJCF_PACKAGES))

mpi-deps: deps ## install MPI and PETSc, which zeno-mpi runs on (docs/cluster.md tells about their licences)
	$(call need,$(MPI_PACKAGES))

bench-deps: deps
	$(call need,$(BENCH_PACKAGES))

build: deps ## build the library and the program (release)
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target zeno zeno_shared zeno_cli

cad: cad-deps ## build zeno-cad, the separate program behind 'zeno cad'
	@cmake -S cad -B $(BUILD)/cad -G Ninja >/dev/null
	@cmake --build $(BUILD)/cad -j $(JOBS) --target zeno-cad

mjcf: mjcf-deps ## build zeno-mjcf, the separate program behind 'zeno import SCENE.xml'
	@cmake -S mjcf -B $(BUILD)/mjcf -G Ninja >/dev/null
	@cmake --build $(BUILD)/mjcf -j $(JOBS)

mpi: mpi-deps ## build zeno-mpi and libzeno_mpi, for many processes, into build/mpi
	@cmake -S . -B $(BUILD)/mpi -G Ninja -DCMAKE_BUILD_TYPE=Release -DZENO_TESTS=OFF -DZENO_MPI=ON >/dev/null
	@cmake --build $(BUILD)/mpi -j $(JOBS) --target zeno_cli zeno_mpi_cli

run: build ## build, run the default gallery problem, print its certificate, show its report (PROBLEM=name for another)
	@mkdir -p results
	@$(BUILD)/release/cli/zeno gallery run $(PROBLEM) --view -o results/$(PROBLEM).zeno.h5

# Commands of the documentation are checked with a program without sanitizers: six times as fast, built in a minute.
plain: test-deps
	@cmake --preset plain >/dev/null
	@cmake --build --preset plain -j $(JOBS) --target zeno_cli

test: plain ## build with sanitizers and run all tests
	@cmake --preset asan -DZENO_PROGRAM=$(CURDIR)/$(BUILD)/plain/cli/zeno -DZENO_MPI=$(HAS_MPI) >/dev/null
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)

test-mpi: mpi test-deps ## zeno-mpi on 1, 2, 3 and 4 processes against zeno, and what happens when one of them fails
	@tests/mpi/all $(BUILD)/mpi/cli/zeno $(BUILD)/mpi/cli/zeno-mpi

format: ## lay out all C files as .clang-format says
	@git ls-files '*.c' '*.h' | xargs -n 40 clang-format -i

verify: build test-deps ## the whole gallery against published values, all measured tables against their commands (slow)
	@$(BUILD)/release/cli/zeno gallery --verify --slow
	@tests/statics $(BUILD)/release/cli/zeno
	@tests/cases/judge $(BUILD)/release/cli/zeno --slow examples/machines/*.yaml
	@tests/docs/tables $(BUILD)/release/cli/zeno --check

tables: build ## measure the numbers in the documentation again and rewrite what differs (DRY=1: only tell; LONG=1: all)
	@tests/docs/tables $(BUILD)/release/cli/zeno --times $(if $(DRY),--check) $(if $(LONG),--long)

stress: plain tsan ## what takes long: a million poses of each pair of shapes, 1000 random machines in all schemes, 1000 random impacts, 10 000 conserving steps, threads under ThreadSanitizer, every scheme under valgrind, every page of the site
	@cmake --preset asan -DZENO_PROGRAM=$(CURDIR)/$(BUILD)/plain/cli/zeno >/dev/null
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -C Stress -R 'faults_.*_all|_[1-9]000+$$'
	@ALL_PAGES=1 ctest --preset asan -R 'site_'

# What runs in threads: tests by name, and those runs of machines of tests/cases (some ten times as slow as without)
THREADED := threads islands cd_lagrange levels multirate_curved
tsan: test-deps ## all that runs in threads, under ThreadSanitizer: a race stops it
	@cmake --preset tsan >/dev/null
	@cmake --build --preset tsan -j $(JOBS) --target $(THREADED:%=test_%) zeno_cli
	@for t in $(THREADED); do TSAN_OPTIONS=halt_on_error=1 $(BUILD)/tsan/tests/test_$$t >/dev/null || exit 1; echo "$$t: no race"; done
	@TSAN_OPTIONS=halt_on_error=1 tests/cases/judge $(BUILD)/tsan/cli/zeno --slow --only threads=2 --seconds 600 $$(grep -l 'threads=2' tests/cases/*.yaml)

crash-test: build test-deps ## kill runs at every write and at random times (KILLS=100 for each scheme), go on from what they left, compare every bit
	@cc -O1 -shared -fPIC -o $(BUILD)/log_writes.so tests/faults/log_writes.c -ldl
	@tests/faults/every_write $(BUILD)/release/cli/zeno $(BUILD)/log_writes.so --pages
	@tests/faults/crash $(BUILD)/release/cli/zeno --kills $(or $(KILLS),100)

soak: build test-deps ## long runs (STEPS=10000000): memory, time per step, file size and certificate stay what they are
	@tests/faults/soak/run $(BUILD)/release/cli/zeno --steps $(or $(STEPS),10000000)

fuzz: deps ## fuzz all readers, and a few steps of what they read, with libFuzzer (RUNS=1000000 each); scenes blindly, as MuJoCo crashes over some
	$(call need,$(FUZZ_PACKAGES) $(MJCF_PACKAGES))
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@$(call fuzz,model,corpus)
	@$(call fuzz,msh,corpus_msh)
	@$(call fuzz,surface,corpus_surface)
	@$(call fuzz,contour,corpus_contour)
	@$(call fuzz,urdf,corpus_urdf)
	@$(call fuzz,expression,corpus_expression)
	@$(call fuzz,csv,corpus_csv)
	@$(call fuzz,set,corpus_set)
	@$(call fuzz,result,corpus_result,ASAN_OPTIONS=detect_leaks=0) # HDF5 loses memory over damaged files
	@$(call fuzz,fclib,corpus_fclib,ASAN_OPTIONS=detect_leaks=0)
	@$(call fuzz,checkpoint,corpus_checkpoint)
	mkdir -p $(BUILD)/fuzz/runs && cd $(BUILD)/fuzz && ./tests/fuzz/fuzz_run -runs=$(or $(RUNS),1000000) -max_len=4096 -timeout=20 \
	    -print_final_stats=1 -dict=$(CURDIR)/tests/fuzz/model.dict runs $(CURDIR)/tests/fuzz/corpus
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan -j $(JOBS) --target mutate_mjcf
	cd $(BUILD)/fuzz && ../asan/tests/mutate_mjcf $(or $(RUNS),1000000) 1 $(CURDIR)/tests/fuzz/mjcf.dict $(CURDIR)/tests/fuzz/corpus_mjcf/* 2>scenes.log

bench: bench-deps ## time loop against Siconos, MuJoCo, Bullet and ODE, same problems, one run
	@cmake --preset release -DZENO_BENCH=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@bench/run $(BUILD)/release

report: ## build the report page again (needs Node.js 20 or newer)
	@$(NPM_PACKAGES) && npm run --silent check && npm run --silent build

screenshots: build test-deps ## pictures of the report of every gallery problem and the moving one, into docs/images
	@tests/report/screenshots.sh $(BUILD)/release/cli/zeno
	@tests/report/animation.sh $(BUILD)/release/cli/zeno

site: build ## the documentation as a static site with the reports of the gallery, into build/site
	$(call need,$(SITE_PACKAGES))
	@site/reports $(BUILD)/release/cli/zeno $(BUILD)/site-reports
	@/usr/bin/python3 site/generate $(BUILD)/site --reports $(BUILD)/site-reports
	@/usr/bin/python3 site/check $(BUILD)/site

install: build ## install library, program, headers, gallery, Python package, zeno-cad if it was built (PREFIX=/usr/local)
	@cmake --install $(BUILD)/release --prefix $(PREFIX)
	@if [ -x $(BUILD)/cad/zeno-cad ]; then cmake --install $(BUILD)/cad --prefix $(PREFIX); fi
	@if [ -x $(BUILD)/mjcf/zeno-mjcf ]; then cmake --install $(BUILD)/mjcf --prefix $(PREFIX); fi

clean: ## remove everything that was built
	@rm -rf $(BUILD) results
