# Real processes behind bad lines and wrong clocks: tests/system/world.sh.

WORLD_TOOLS := $(B)/tests/tools/relay $(B)/tests/tools/clockerror
$(WORLD_TOOLS): %: %.o $(call libs,proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm
all: $(WORLD_TOOLS)

WORLD_SECONDS ?= 600
world: all ## real processes in namespaces, through a bad relay, for WORLD_SECONDS
	@echo "world $$(($(WORLD_SECONDS) * 2 + 300)) SECONDS=$(WORLD_SECONDS) BUILD=$(B) sh tests/system/world.sh" | $(RUN) -v
.PHONY: world
