# Helpers of the viewer's X tests and benches.
UI_TOOLS := $(B)/tests/x11/grab $(B)/tests/bench/latency_keys
$(UI_TOOLS): %: %.o
	$(CC) $(LDFLAGS) -o $@ $^ -lX11 -lpng
test check list-quick: $(UI_TOOLS)
BENCHES += $(B)/tests/bench/latency_keys $(B)/tests/bench/makelog
all: $(UI_TOOLS) $(B)/tests/bench/makelog
