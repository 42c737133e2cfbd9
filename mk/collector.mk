# Of the collector: its fuzzer, and a reader of spools for its tests.

$(B)/tests/tools/spoolcheck: $(B)/tests/tools/spoolcheck.o $(call libs,proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/tests/tools/spoolcheck
