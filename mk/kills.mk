# Kills: what sends them.

$(B)/tests/tools/killer: $(B)/tests/tools/killer.o $(call libs,tools logical common proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
all: $(B)/tests/tools/killer

# make soak KILLS_APPLICATION=10000 KILLS_COLLECTOR=1000 KILLS_MONITORD=1000
KILLS_OF := $(foreach k,KILLS_APPLICATION KILLS_COLLECTOR KILLS_MONITORD \
	KILLS_VIEWER SEED RATE KEEP,$(if $($(k)),$(k)=$($(k))))
