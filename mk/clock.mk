# clock: synchronisation in virtual time and on this machine.

CLOCK_SIM := $(B)/tests/sim/clock
$(CLOCK_SIM): $(patsubst %,$(B)/tests/sim/%.o,clock_main clockbed model) \
	$(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm
all: $(CLOCK_SIM)

CLOCKBED := $(B)/tests/sim/clockbed.o
CLOCKBED_TESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/monitord_clocksync*_test.c))
$(CLOCKBED_TESTS): $(CLOCKBED)
$(CLOCKBED_TESTS): LDFLAGS += $(CLOCKBED)

CLOCK_BENCH := $(B)/tests/bench/clock
$(CLOCK_BENCH): $(B)/tests/bench/clock.o $(B)/tests/bench/clock_peers.o \
	$(CLOCKBED) $(B)/tests/sim/model.o $(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm
BENCHES += $(CLOCK_BENCH)
BENCH_RUNS += $(CLOCK_BENCH)

CLOCK_HOST := $(B)/tests/bench/clock_host
$(CLOCK_HOST): $(B)/tests/bench/clock_host.o $(B)/tests/bench/clock_bare.o \
	$(B)/tests/sim/model.o \
	$(call libs,$(MONITORD) $(COLLECTOR) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(CLOCK_HOST)
BENCH_RUNS += $(CLOCK_HOST)
