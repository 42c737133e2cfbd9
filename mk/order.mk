# order: the simulator, the bench of clock and order, what their tests need.

SIM_MODEL := $(B)/tests/sim/model.o

$(B)/tests/unit/monitord_reorder_test $(B)/tests/unit/monitord_clocksync_test: \
	$(SIM_MODEL)
$(B)/tests/unit/monitord_reorder_test: LDFLAGS += $(SIM_MODEL)
$(B)/tests/unit/monitord_clocksync_test: LDFLAGS += $(SIM_MODEL)

$(B)/tests/bench/order: $(B)/tests/bench/order.o $(SIM_MODEL) \
	$(call libs,monitord proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/order
