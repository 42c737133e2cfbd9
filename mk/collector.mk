# Of the collector: its fuzzer, and a reader of spools for its tests.

$(B)/tests/tools/spoolcheck: $(B)/tests/tools/spoolcheck.o $(call libs,proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/tests/tools/spoolcheck

# the port's parser, and what it stands on, all instrumented
ATTACH_FUZZ := collector/shell/attach/request.c collector/ident/text.c $(PROTO)
$(B)/fuzz/fuzz_attach: tests/fuzz/fuzz_attach.c $(ATTACH_FUZZ) collector/shell/attach/request.h
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined -o $@ $< $(ATTACH_FUZZ) $(LIB_PROTO)
FUZZERS += $(B)/fuzz/fuzz_attach
# a test may run out of memory
$(B)/tests/unit/collector_core_end_test: LDFLAGS += -Wl,--wrap=calloc
$(B)/tests/unit/collector_drain_end_test: LDFLAGS += -Wl,--wrap=calloc,--wrap=realloc
