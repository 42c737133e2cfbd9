# Who looks at a log from outside: nothing of ours but the header of the storm.

OUTSIDE := $(B)/tests/outside/outside
OUTSIDE_PARTS := $(patsubst %,$(B)/tests/outside/%.o,rows causes lanes clocks wrong)
$(OUTSIDE): $(B)/tests/outside/outside.o $(OUTSIDE_PARTS)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ -lm
all: $(OUTSIDE)
$(B)/tests/unit/outside_test: $(OUTSIDE_PARTS)
$(B)/tests/unit/outside_test: LDFLAGS += $(OUTSIDE_PARTS)

# what a viewer of a storm is sent
$(B)/tests/tools/watch: $(B)/tests/tools/watch.o $(call libs,proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/tests/tools/watch

storm: all ## storms of messages, held against what the processes know (KINDS, MESSAGES, SECONDS)
	@echo "storm 7200 BUILD=$(B) sh tests/outside/storm.sh" | $(RUN) -v
.PHONY: storm
