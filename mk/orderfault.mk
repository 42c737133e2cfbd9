# The fault matrix of the reorderer; --messages 1e9 is the long run.

MESSAGES ?= 1e7
ORDERFAULT := $(B)/tests/sim/orderfault
$(ORDERFAULT): $(patsubst %,$(B)/tests/sim/%.o,orderfault orderworld \
	ordercheck model) $(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(ORDERFAULT)
orderfault: $(ORDERFAULT) ## try the reorderer with every fault, MESSAGES=n in all
	$(ORDERFAULT) --messages $(MESSAGES) --jobs 2
.PHONY: orderfault

# Every interleaving of small programs.
ORDERMODEL := $(B)/tests/sim/ordermodel
$(ORDERMODEL): $(B)/tests/sim/ordermodel.o $(B)/tests/sim/model.o \
	$(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(ORDERMODEL)

$(B)/tests/bench/delay: $(B)/tests/bench/delay.o $(B)/tests/sim/model.o \
	$(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/delay
BENCH_RUNS += $(B)/tests/bench/delay
