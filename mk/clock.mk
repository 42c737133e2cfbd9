# clock: synchronisation in virtual time and on this machine.

CLOCK_SIM := $(B)/tests/sim/clock
$(CLOCK_SIM): $(patsubst %,$(B)/tests/sim/%.o,clock_main clockbed model) \
	$(call libs,monitord common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm
all: $(CLOCK_SIM)

CLOCKBED := $(B)/tests/sim/clockbed.o
$(B)/tests/unit/monitord_clocksync_test: $(CLOCKBED)
$(B)/tests/unit/monitord_clocksync_test: LDFLAGS += $(CLOCKBED)
