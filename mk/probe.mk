# libprobe.so is never unloaded: threads and handlers may be in its code.
$(B)/libprobe.so: LDFLAGS += -Wl,-z,nodelete

# The tests of libprobe have a collector of their own and need nothing else.
HARNESS := $(patsubst %.c,$(B)/%.o,$(wildcard tests/unit/libprobe_harness*.c))
PROBE_TESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/libprobe_*_test.c))
$(PROBE_TESTS): %: %.o $(HARNESS) $(B)/libprobe.a $(B)/libproto.a | $(B)/libprobe.so
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(LIB_PROTO)

probe-test: $(PROBE_TESTS) ## run the tests of libprobe
	for t in $(PROBE_TESTS); do $$t || exit 1; done
.PHONY: probe-test

BENCHES += $(B)/tests/bench/probe
$(B)/tests/bench/probe: $(B)/tests/bench/probe.o $(HARNESS) $(B)/libprobe.so $(B)/libproto.a
	$(CC) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) -L$(B) -lprobe -Wl,-rpath,'$$ORIGIN/../..' $(LIB_PROTO)
