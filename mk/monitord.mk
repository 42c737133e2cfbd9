# monitord: the fuzz target of the cluster file.

CONF_FUZZ := $(wildcard monitord/conf*.c) monitord/hostrange.c proto/event.c \
	monitord/indexer.c common/log.c # when to index is said there
$(B)/fuzz/fuzz_conf: tests/fuzz/fuzz_conf.c $(CONF_FUZZ) $(wildcard monitord/conf*.h)
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined -o $@ $< $(CONF_FUZZ) -lcyaml -lyaml
FUZZERS += $(B)/fuzz/fuzz_conf

# a world in memory, for what is run thousands of times
PAPER := $(wildcard tests/fuzz/paper*.c)
PAPER_TESTS := $(B)/tests/unit/monitord_control_test
$(PAPER_TESTS): $(call obj,$(PAPER))
$(PAPER_TESTS): LDFLAGS += $(call obj,$(PAPER))
