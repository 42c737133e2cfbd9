# Message tightening and the refit of a log: bench, and what their tests need.
PINGED := $(SIM_MODEL) $(B)/tests/sim/pinged.o
$(B)/tests/bench/tighten: $(B)/tests/bench/tighten.o $(PINGED) \
	$(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/tighten
$(B)/tests/unit/common_tighten_test: $(SIM_MODEL)
$(B)/tests/unit/common_tighten_test: LDFLAGS += $(SIM_MODEL)
$(B)/tests/bench/refit: $(B)/tests/bench/refit.o $(PINGED) \
	$(call libs,tools_refit tools_logs $(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/refit
REFIT_TESTS := $(patsubst %,$(B)/tests/unit/tools_refit%test,_ _clock_)
$(REFIT_TESTS): $(PINGED)
$(REFIT_TESTS): LDFLAGS += $(PINGED)
# The whole world in a unit test.
WORLD_OBJECTS := $(filter-out %/sim_main.o %/campaign.o %/shrink.o,$(SIM_OBJECTS))
WORLD_TESTS := $(patsubst %,$(B)/tests/unit/monitord_%_test,together rest)
$(WORLD_TESTS): $(WORLD_OBJECTS)
$(WORLD_TESTS): LDFLAGS += $(SIM_WRAP) $(WORLD_OBJECTS)
