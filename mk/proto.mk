# proto: the bench of bytes, the fuzz targets, the tables of the manual pages.

$(B)/tests/bench/bytes: $(B)/tests/bench/bytes.o $(B)/tests/bench/bytes_load.o \
	$(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/bytes

# built from source: every function of proto is to be instrumented
PROTO_FUZZ := $(patsubst %,$(B)/fuzz/fuzz_%,message batch tracefile)
$(PROTO_FUZZ): $(B)/fuzz/%: tests/fuzz/%.c $(PROTO) $(wildcard proto/*.h proto/*/*.h proto/*.def)
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined -o $@ $< $(PROTO) $(LIB_PROTO)
FUZZERS += $(PROTO_FUZZ)

$(B)/docs/protodoc: $(B)/docs/protodoc.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
# the log that orrery-log(5) has byte by byte
$(B)/docs/examplelog: $(B)/docs/examplelog.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/docs/protodoc $(B)/docs/examplelog

protodoc: $(B)/docs/protodoc $(B)/docs/examplelog ## put the tables of proto and the viewer into the manual pages
	docs/protodoc.sh $(B)/docs/protodoc docs/orrery-log.5 docs/orrery-protocol.7
.PHONY: protodoc

# a log with all that a view can show, for tests/system/legend.sh
$(B)/tests/tools/everything: $(B)/tests/tools/everything.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/tests/tools/everything

# a log with all that the format allows, for tests/system/reader.sh
$(B)/tests/tools/wildlog: $(B)/tests/tools/wildlog.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/tests/tools/wildlog
