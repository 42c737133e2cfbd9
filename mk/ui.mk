# Helpers of the viewer's X tests and benches.
UI_TOOLS := $(B)/tests/x11/grab $(B)/tests/bench/latency_keys
$(UI_TOOLS): %: %.o
	$(CC) $(LDFLAGS) -o $@ $^ -lX11 -lpng
$(B)/tests/bench/livelog: $(B)/tests/bench/livelog.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
test check list-quick: $(UI_TOOLS)
BENCHES += $(B)/tests/bench/latency_keys $(B)/tests/bench/makelog \
	$(B)/tests/bench/livelog
all: $(UI_TOOLS) $(B)/tests/bench/makelog
