# make bench: every figure, into build/bench.tsv.  Never fails for a figure.

$(B)/tests/apps/%: $(B)/tests/apps/%.o $(B)/libprobe.so
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $< -L$(B) -lprobe -Wl,-rpath,'$$ORIGIN/../..' -lm
$(B)/tests/bench/latency: $(B)/tests/bench/latency.o $(call libs,vmodel proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm

APPS := $(patsubst %.c,$(B)/%,$(wildcard tests/apps/*.c))
all: $(APPS)
BENCHES += $(B)/tests/bench/latency
