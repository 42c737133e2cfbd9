# order: the simulator, the bench of clock and order, what their tests need.

SIM_MODEL := $(B)/tests/sim/model.o

# Unit tests that need chance.
MODEL_TESTS := $(patsubst %.c,$(B)/%,$(wildcard $(patsubst %,\
	tests/unit/monitord_%_test.c,reorder* clocksync* causes credit)))
$(MODEL_TESTS): $(SIM_MODEL)
$(MODEL_TESTS): LDFLAGS += $(SIM_MODEL)
$(B)/tests/unit/monitord_causes_test: LDFLAGS += -Wl,--wrap=calloc

$(B)/tests/bench/order: $(B)/tests/bench/order.o $(SIM_MODEL) \
	$(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/order
