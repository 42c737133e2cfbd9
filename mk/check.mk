# What make check, test, bench, sim and fuzz run.  The lists are made of what
# is there: a test is added by adding its file.

SYSTEM := $(wildcard tests/system/*.sh)
# What looks at documents has nothing to do with how programs were compiled.
DOCUMENTS := tests/system/manual.sh tests/system/protodoc.sh
X11TESTS := $(wildcard tests/x11/*.sh)
MAN := $(wildcard docs/*.[1-9])
FUZZ_SECONDS ?= 3
# The short runs of check try the same in the same order; make fuzz tries anew.
FUZZ_SEED ?= 1
KILLS ?= 50
SIM_CHECK_SEEDS ?= 800
# ThreadSanitizer is for what has threads: the ring, libprobe, drain, model.
TSAN_UNIT := $(patsubst %.c,build/tsan/%,$(wildcard \
	tests/unit/libprobe_*_test.c tests/unit/collector_drain*_test.c \
	tests/unit/viewer_model*_test.c tests/unit/viewer_ahead_test.c \
	tests/unit/viewer_tree_reader_test.c))
RUN := tests/run.sh
# What mostly waits for other programs: runs beside what computes.
WAITING := sh (tests/(system|x11)|scripts)/
JOBS := -j$(shell nproc)

deps-%:
	@scripts/deps.sh $*

test: all unit ## what one runs all day: unit tests, layers, manual, the demo (two minutes)
	@$(MAKE) -s list-unit list-manual list-demo | $(RUN) $(JOBS) -b '$(WAITING)'
unit: $(UNIT)

# Every stage prints its part of the list: NAME SECONDS COMMAND.
list-unit:
	@for t in $(UNIT); do echo "unit/$$(basename $$t) 120 $$t"; done
	@echo "layers 120 BUILD=$(B) sh tests/layers.sh -b"
	@echo "layers-test 120 BUILD=$(B) sh tests/layers/test.sh"
	@for m in $(MAN); do echo "man/$$(basename $$m) 10 mandoc -T lint -W warning $$m"; done
list-demo:
	@echo "demo 120 BUILD=$(B) DEMO_OUT=$(B)/demo-out sh scripts/demo.sh"
list-manual:
	@echo "system/manual 120 BUILD=$(B) sh tests/system/manual.sh"
list-quick: list-unit list-demo
	@for t in $(SYSTEM); do echo "system/$$(basename $$t .sh) 600 BUILD=$(B) sh $$t"; done
	@for t in $(X11TESTS); do echo "x11/$$(basename $$t .sh) 600 BUILD=$(B) sh $$t"; done
list-san:
	@for t in $(UNIT); do echo "asan/$$(basename $$t) 300 $${t#}" | sed 's| build/| build/san/|'; done
	@for t in $(filter-out $(DOCUMENTS),$(SYSTEM)); do echo "asan/$$(basename $$t .sh) 600 BUILD=build/san sh $$t"; done
list-tsan:
	@for t in $(TSAN_UNIT); do echo "tsan/$$(basename $$t) 300 $$t"; done
list-fuzz:
	@for t in $(FUZZERS); do n=$$(basename $$t); \
	    echo "fuzz/$$n $$(($(FUZZ_SECONDS) + 120)) mkdir -p build/corpus/$$n && $$t -seed=$(FUZZ_SEED) -print_funcs=0 -reload=0 -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 $$(case ' $(FUZZ_PLAIN) ' in *" $$n "*) echo -entropic=0 ;; esac) build/corpus/$$n $$(ls -d tests/fuzz/seeds/$${n#fuzz_} 2>/dev/null)"; done
list-sim:
	@[ ! -x $(CLOCK_SIM) ] || echo "clock 300 $(CLOCK_SIM) --days 0.6"
	@[ ! -x $(ORDERMODEL) ] || echo "ordermodel 300 $(ORDERMODEL) --programs 60"
	@[ ! -x $(ORDERFAULT) ] || echo "orderfault 120 $(ORDERFAULT) --messages 1e7 --jobs 2"
	@[ ! -x $(B)/tests/sim/sim ] || echo "sim 900 $(B)/tests/sim/sim --seeds $(SIM_CHECK_SEEDS)"

# The programs need few packages: the others come while these are compiled.
check: deps-build ## install what is missing, build with both compilers, run every test
	@echo "== $(words $(UNIT) $(SYSTEM)) tests, in several builds: about 20 minutes on two processors"
	@scripts/deps.sh check & others=$$!; echo "== build: gcc"; \
	$(MAKE) -s $(JOBS) WERROR=1 $(PROGRAMS); built=$$?; wait $$others && exit $$built
	@$(MAKE) -s check-all

# one make that finds all that was installed
check-all:
	@$(MAKE) -s $(JOBS) WERROR=1 all unit bench-programs $(filter %/sim,$(SIM_PROGRAM))
	@echo "== build: clang"
	@$(MAKE) -s $(JOBS) WERROR=1 CC=clang CXX=clang++ O=0 B=build/clang build/clang/viewer/viewer look
	@echo "== build: sanitizers"
	@$(MAKE) -s $(JOBS) WERROR=1 SAN=1 all unit
	@$(MAKE) -s $(JOBS) WERROR=1 SAN=thread $(TSAN_UNIT)
	@$(MAKE) -s $(JOBS) $(FUZZERS)
	@echo "== tests"
	@{ echo "tidy 1500 $(MAKE) -s $(JOBS) tidy TIDY_STATES=10000"; \
	   $(MAKE) -s list-quick list-san list-tsan list-sim list-planted list-crash list-fuzz; } | $(RUN) -b '$(WAITING)'

bench-programs: $(BENCHES)

# all sources of the product but the viewer's
OURS := $(PROTO) $(COMMON) $(LIBPROBE) $(AUTO) $(wildcard logical/*.c \
	symbols/*.c examples/*.c) $(shell find collector monitord tools -name '*.c')

# The other compiler makes a viewer, whose pictures are held against ours; the
# tests it looks at, and the rest clang-tidy does, with the same warnings: what
# it would make of them is not run, so it need not make it.
LOOKED := $(patsubst %.c,$(B)/%.looked,$(wildcard tests/unit/*.c tests/tools/*.c tests/apps/*.c))
look: $(LOOKED)
$(B)/%.looked: %.c
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -fsyntax-only $<
	@touch $@

# clang-tidy, a stamp per file so that only what changed is looked at again.
# How many states of a function its analyzer looks at is nearly all of its
# time; "" is its own limit, 225,000.
TIDY_STATES ?=
TIDY := $(patsubst %.c,build/tidy$(TIDY_STATES)/%.ok,$(OURS) \
	$(shell find viewer -name '*.c'))
tidy: $(TIDY) ## look through the sources with clang-tidy
build/tidy$(TIDY_STATES)/%.ok: %.c .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- -std=c11 $(CPPFLAGS) $(WARN) \
	    $(TIDY_STATES:%=-Xclang -analyzer-config -Xclang max-nodes=%) \
	    2>build/tidy-err.$$$$ || { cat build/tidy-err.$$$$; exit 1; }
	@touch $@

fuzz: deps-check $(FUZZERS) ## fuzz every decoder for FUZZ_SECONDS each
	@$(MAKE) -s list-fuzz FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_SEED=0 | $(RUN) $(JOBS)

soak: deps-check all ## kill every program KILLS times under load; many nodes; overload
	@{ echo "kills 7200 KILLS=$(KILLS) $(KILLS_OF) BUILD=$(B) sh tests/system/kills.sh"; \
	   echo "many 600 BUILD=$(B) sh tests/system/many.sh"; \
	   echo "overload 600 BUILD=$(B) sh tests/system/overload.sh"; } | $(RUN) -v

.PHONY: soak test unit check check-all look tidy fuzz list-unit list-demo list-manual list-quick list-san list-tsan list-fuzz \
	list-sim bench-programs
