# make bench: every figure, into build/bench.tsv.  Never fails for a figure.

$(B)/tests/apps/%: $(B)/tests/apps/%.o $(B)/libprobe.so
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $< -L$(B) -lprobe -Wl,-rpath,'$$ORIGIN/../..' -lm
$(B)/tests/bench/latency: $(B)/tests/bench/latency.o $(call room_libs,viewer/model) $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $(inputs) $(LIB_PROTO) $(LIB_MODEL) -lm

APPS := $(patsubst %.c,$(B)/%,$(wildcard tests/apps/*.c))
all: $(APPS)
BENCHES += $(B)/tests/bench/latency $(B)/tests/bench/model
# how long a program takes, beside one without libprobe
$(B)/tests/bench/starts: $(B)/tests/bench/starts.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $<
$(B)/off/tests/apps/brief: $(B)/off/tests/apps/brief.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $<
BENCHES += $(B)/tests/bench/starts $(B)/off/tests/apps/brief

# the first answer about a large file
$(B)/tests/bench/symbols: $(B)/tests/bench/symbols.o $(call libs,symbols common proto)
	$(CC) $(LDFLAGS) -o $@ $(inputs) $(LIB_COMMON) $(LIB_PROTO) $(LIB_SYMBOLS)
BENCHES += $(B)/tests/bench/symbols

# What is run, in this order; each prints lines of bench.tsv:
# name, value, unit, reference, reference value, ratio.
BENCH_RUNS = "sh tests/bench/probe.sh" "sh tests/bench/starts.sh" "sh tests/bench/shorts.sh" "sh tests/bench/heap.sh" "sh tests/bench/locks.sh" "sh tests/bench/functions.sh" "sh tests/bench/mpi.sh" \
	"sh tests/bench/symbols.sh" "sh tests/bench/samples.sh" "sh tests/bench/programs.sh" $(B)/tests/bench/bytes \
	$(B)/tests/bench/order $(B)/tests/bench/tighten $(B)/tests/bench/refit $(B)/tests/bench/fullpath $(B)/tests/bench/model $(B)/tests/bench/tree "sh tests/bench/path.sh" "sh tests/bench/formats.sh" \
	"sh tests/bench/frames.sh" "sh tests/bench/views.sh" "sh tests/bench/vista.sh"

bench: deps-bench all bench-programs ## measure everything, into build/bench.tsv
	@printf 'name\tvalue\tunit\treference\treference value\tratio\n' > $(B)/bench.tsv
	@for r in $(BENCH_RUNS); do echo "bench: $$r" >&2; \
	    BUILD=$(B) $$r >> $(B)/bench.tsv || echo "bench: $$r did not finish" >&2; done
	@column -t -s "$$(printf '\t')" $(B)/bench.tsv
.PHONY: bench

conserve: all ## a program with many threads: running, ready and blocked are its life, and the kernel's figure
	@echo "conserve 300 BUILD=$(B) sh tests/tools/conserve.sh" | $(RUN) -v
.PHONY: conserve
