# Who looks at a log from outside: nothing of ours but the header of the storm.

OUTSIDE := $(B)/tests/outside/outside
$(OUTSIDE): $(patsubst %,$(B)/tests/outside/%.o,outside rows causes lanes clocks wrong)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ -lm
all: $(OUTSIDE)

storm: all ## storms of messages, held against what the processes know (KINDS, MESSAGES, SECONDS)
	@echo "storm 7200 BUILD=$(B) sh tests/outside/storm.sh" | $(RUN) -v
.PHONY: storm
