# Helpers of the viewer's X tests and benches.
UI_TOOLS := $(B)/tests/x11/grab $(B)/tests/x11/paste $(B)/tests/x11/send $(B)/tests/bench/latency_keys
$(UI_TOOLS): %: %.o
	$(CC) $(LDFLAGS) -o $@ $^ -lX11 -lpng
# An X server far away, or one that refuses things.
UI_PROXY := $(B)/tests/x11/proxy
$(UI_PROXY): %: %.o
	$(CC) $(LDFLAGS) -o $@ $^ -lz
$(B)/tests/bench/livelog: $(B)/tests/bench/livelog.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
$(B)/tests/bench/startup: $(B)/tests/bench/startup.o
	$(CC) $(LDFLAGS) -o $@ $^
test check list-quick: $(UI_TOOLS) $(UI_PROXY)
BENCH_RUNS += "sh tests/bench/remote.sh" "sh tests/bench/open.sh"
BENCHES += $(B)/tests/bench/latency_keys $(B)/tests/bench/makelog \
	$(B)/tests/bench/livelog $(B)/tests/bench/startup
TEST_PLUGINS := $(patsubst %.c,$(B)/%.so,$(wildcard tests/plugins/*.c))
all: $(TEST_PLUGINS) $(UI_TOOLS) $(UI_PROXY) $(B)/tests/bench/makelog
# A plug-in with every fault there is.
$(B)/tests/plugins/%.so: tests/plugins/%.c viewer/plugin/orrery-plugin.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(filter-out -pie,$(LDFLAGS)) -fPIC -shared -o $@ $<

# What the viewer's manual has of its tables.
protodoc-viewer: $(B)/viewer/viewer
	docs/protodoc.sh "$< --print" docs/viewer.1
protodoc: protodoc-viewer
.PHONY: protodoc-viewer
# The radial view while a tree grows.
TREE := $(patsubst %.c,$(B)/%.o,$(wildcard tests/bench/tree*.c))
$(B)/tests/bench/tree: $(TREE) $(call room_libs,viewer) $(call libs,symbols logical common proto)
	$(CC) $(LDFLAGS) -o $@ $(inputs) $(LIB_COMMON) $(LIB_PROTO) -lm -lpng $(LIB_MODEL) $(LIB_SYMBOLS)
BENCHES += $(B)/tests/bench/tree
TREE_TASKS ?= 1e6
bench-tree: $(B)/tests/bench/tree ## the radial view with TREE_TASKS=1e7 live tasks
	$(B)/tests/bench/tree --tasks $(TREE_TASKS)
	[ -z "$(TREE_LOG)" ] || $(B)/tests/bench/tree $(TREE_LOG)
.PHONY: bench-tree
