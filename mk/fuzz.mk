# Fuzz targets of what takes long to build: everything is compiled once.  The
# mutators know what to change, so comparisons are not traced, and what belongs
# to the targets themselves is not looked at: both cost a third of the runs.
# Blocks and buffers are small, so that thousands of runs a second fit.
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_CC := clang -std=c11 -O2 -gline-tables-only -fno-omit-frame-pointer -DORRERY_SMALL $(FUZZ_SAN)
FUZZ_SEEN := -fsanitize-coverage=edge,inline-8bit-counters,pc-table
fuzzobj = $(patsubst %.c,$(B)/fuzz/obj/%.o,$(1))
$(B)/fuzz/obj/tests/%.o: FUZZ_SEEN :=
$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) -pthread $(FUZZ_SEEN) -MMD -MP -c -o $@ $<

# The names of new functions (print_funcs) would be looked up by a process of
# its own, for a third of the time of a short run; nobody else adds to a corpus
# (reload).

# With so many places to come to, weighing what of the corpus to try next took
# three quarters of the time.
FUZZ_PLAIN := fuzz_model fuzz_viewer fuzz_tools fuzz_monitord

FUZZ_FRAMES := tests/fuzz/frames.c $(PROTO)
$(B)/fuzz/fuzz_model: $(call fuzzobj,tests/fuzz/fuzz_model.c $(FUZZ_FRAMES) $(call room_src,viewer/model))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer -o $@ $^ $(LIB_PROTO) $(LIB_MODEL) -lm
FUZZERS += $(B)/fuzz/fuzz_model

$(B)/fuzz/fuzz_viewer: $(call fuzzobj,tests/fuzz/fuzz_viewer.c $(FUZZ_FRAMES) $(COMMON) \
	$(LOGICAL) $(SYMBOLS) $(filter-out %/both.c,$(call room_src,viewer)))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) $(LIB_MODEL) \
	    -lX11 -lXext -lpng $(LIB_SYMBOLS) -lm
FUZZERS += $(B)/fuzz/fuzz_viewer

$(B)/fuzz/fuzz_tools: $(call fuzzobj,tests/fuzz/fuzz_tools.c $(FUZZ_FRAMES) $(COMMON) $(LOGICAL) $(TOOLS) $(SYMBOLS))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer -o $@ $^ $(LIB_TOOLS) $(LIB_COMMON) $(LIB_PROTO) $(LIB_SYMBOLS) -lm
FUZZERS += $(B)/fuzz/fuzz_tools

$(B)/fuzz/fuzz_import: $(call fuzzobj,tests/fuzz/fuzz_import.c $(PROTO) $(call room_src,tools/import))
	$(FUZZ_CC) -fsanitize=fuzzer -o $@ $^ $(LIB_PROTO)
FUZZERS += $(B)/fuzz/fuzz_import

$(B)/fuzz/fuzz_answer: $(call fuzzobj,tests/fuzz/fuzz_answer.c $(PROTO) $(COMMON) $(LOGICAL) $(TOOLS) $(SYMBOLS))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer -o $@ $^ $(LIB_TOOLS) $(LIB_COMMON) $(LIB_PROTO) $(LIB_SYMBOLS) -lm
FUZZERS += $(B)/fuzz/fuzz_answer

$(B)/fuzz/fuzz_settings: $(call fuzzobj,tests/fuzz/fuzz_settings.c $(PROTO) $(COMMON) \
	$(LOGICAL) $(SYMBOLS) $(call room_src,viewer))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) $(LIB_MODEL) \
	    -lX11 -lXext -lpng $(LIB_SYMBOLS) -lm
FUZZERS += $(B)/fuzz/fuzz_settings

$(B)/fuzz/fuzz_symbols: $(call fuzzobj,tests/fuzz/fuzz_symbols.c collector/shell/system/modules.c $(PROTO) $(SYMBOLS))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer -o $@ $^ $(LIB_PROTO) $(LIB_SYMBOLS)
FUZZERS += $(B)/fuzz/fuzz_symbols
