# A log made up without daemons, and the bench of the viewer's model.
$(B)/tests/bench/makelog: $(B)/tests/bench/makelog.o $(B)/tests/bench/makelog_load.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)

$(B)/tests/bench/model: $(B)/tests/bench/model.o $(call room_libs,viewer/layout) $(call room_libs,viewer/model) $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $(inputs) $(LIB_PROTO) -lm $(LIB_MODEL)

bench-model: $(B)/tests/bench/model ## cost of the viewer's model and layouts
	$(B)/tests/bench/model
.PHONY: bench-model

# The same at full size, and frames.  -n 1e8 takes half a minute and 1 GB for
# each part, -n 1e9 -o f two minutes and 6 GB; -o t: 100,000 threads, -o b -s 5:
# born meanwhile; -n 7e7 -o r: a list of 35 million rows.
SCALE := $(patsubst %.c,$(B)/%.o,$(wildcard tests/bench/scale*.c))
$(B)/tests/bench/scale: $(SCALE) $(call room_libs,viewer) $(call libs,symbols logical common proto)
	$(CC) $(LDFLAGS) -o $@ $(inputs) $(LIB_COMMON) $(LIB_PROTO) -lX11 -lXext -lpng $(LIB_MODEL) $(LIB_SYMBOLS) -lm
BENCHES += $(B)/tests/bench/scale
BENCH_RUNS += $(B)/tests/bench/scale
