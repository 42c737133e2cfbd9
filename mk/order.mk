# order: the simulator, the bench of clock and order, what their tests need.

SIM_MODEL := $(B)/tests/sim/model.o

# Unit tests that need chance.
MODEL_TESTS := $(patsubst %,$(B)/tests/unit/monitord_%_test,reorder clocksync \
	causes credit)
$(MODEL_TESTS): $(SIM_MODEL)
$(MODEL_TESTS): LDFLAGS += $(SIM_MODEL)

$(B)/tests/bench/order: $(B)/tests/bench/order.o $(SIM_MODEL) \
	$(call libs,monitord common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/order

# The real collector and monitord in a simulated world.
SEEDS ?= 200
SIM_PROGRAM := $(B)/tests/sim/sim
$(SIM_PROGRAM): $(patsubst %,$(B)/tests/sim/%.o,sim_main world app env_sim \
	conn_sim disk_sim model) $(call libs,collector monitord common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
sim: $(SIM_PROGRAM) ## simulate SEEDS=n seeds of faults
	$(SIM_PROGRAM) --seeds $(SEEDS)
.PHONY: sim
