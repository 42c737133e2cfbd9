# Kills: what sends them.

$(B)/tests/tools/killer: $(patsubst %,$(B)/tests/tools/%.o,killer killer_look) \
	$(call libs,tools_ask common proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
all: $(B)/tests/tools/killer

# make soak KILLS_APPLICATION=10000 KILLS_COLLECTOR=1000 KILLS_MONITORD=1000
KILLS_OF := $(foreach k,KILLS_APPLICATION KILLS_COLLECTOR KILLS_MONITORD \
	KILLS_VIEWER SEED RATE KEEP,$(if $($(k)),$(k)=$($(k))))

# monitord or the line away for a minute at a million events a second, and the
# same log
$(B)/tests/tools/samelog: $(B)/tests/tools/samelog.o $(call libs,proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/tests/tools/samelog

AWAY ?= 60 1000000
away: all ## monitord killed, line cut, monitord stopped, for AWAY='SECONDS EVENTS_PER_S'; same log?
	BUILD=$(B) sh tests/bench/away.sh $(AWAY) kill
	BUILD=$(B) sh tests/bench/away.sh $(AWAY) link
	BUILD=$(B) sh tests/bench/away.sh $(AWAY) stop
.PHONY: away
