# monitord: the fuzz target of the cluster file.

CONF_FUZZ := $(wildcard monitord/shell/conf*.c) monitord/shell/hostrange.c proto/choice.c proto/event.c \
	monitord/shell/indexer.c common/log.c proto/plain.c # when to index is said there
$(B)/fuzz/fuzz_conf: tests/fuzz/fuzz_conf.c $(CONF_FUZZ) $(wildcard monitord/shell/conf*.h)
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined -o $@ $< $(CONF_FUZZ) -lcyaml -lyaml
FUZZERS += $(B)/fuzz/fuzz_conf

# The daemons' cores on a world in memory, for what is run thousands of times.
PAPER := $(wildcard tests/fuzz/paper*.c)
PAPER_TESTS := $(B)/tests/unit/monitord_control_test
$(PAPER_TESTS): $(call obj,$(PAPER))
$(PAPER_TESTS): LDFLAGS += $(call obj,$(PAPER))

DAEMON_FUZZ := $(patsubst %,$(B)/fuzz/fuzz_%,monitord recover collector)
$(B)/fuzz/fuzz_monitord $(B)/fuzz/fuzz_recover: $(call fuzzobj,$(call room_src,monitord))
$(B)/fuzz/fuzz_collector: $(call fuzzobj,$(call room_src,collector) $(SYMBOLS))
$(B)/fuzz/fuzz_collector: LIB_COMMON += $(LIB_SYMBOLS)
$(DAEMON_FUZZ): $(B)/fuzz/%: $(B)/fuzz/obj/tests/fuzz/%.o $(call fuzzobj,$(PAPER) $(COMMON) $(PROTO))
	$(FUZZ_CC) -fsanitize=fuzzer -o $@ $^ -lcyaml -lyaml $(LIB_COMMON) $(LIB_PROTO)
FUZZERS += $(DAEMON_FUZZ)
