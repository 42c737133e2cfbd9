# logical: its bench.

$(B)/tests/bench/logical: $(B)/tests/bench/logical.o $(call libs,logical proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
BENCHES += $(B)/tests/bench/logical
BENCH_RUNS += $(B)/tests/bench/logical
