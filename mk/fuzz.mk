# Fuzz targets of what takes long to build: everything is compiled once.  The
# frames' mutator knows what to change, so comparisons need not be traced,
# which halves the time of a run.
FUZZ_CC := clang -std=c11 -O2 -g -fno-sanitize-recover=undefined
FUZZ_SEEN := -fsanitize=address,undefined -fsanitize-coverage=inline-8bit-counters,pc-table
fuzzobj = $(patsubst %.c,$(B)/fuzz/obj/%.o,$(1))
$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) -pthread $(FUZZ_SEEN) -MMD -MP -c -o $@ $<

# With so many places to come to, weighing what of the corpus to try next took
# three quarters of the time.
FUZZ_PLAIN := fuzz_model fuzz_viewer fuzz_tools

FUZZ_FRAMES := tests/fuzz/frames.c $(PROTO)
$(B)/fuzz/fuzz_model: $(call fuzzobj,tests/fuzz/fuzz_model.c $(FUZZ_FRAMES) $(call room_src,viewer/model))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIB_PROTO) $(LIB_MODEL) -lm
FUZZERS += $(B)/fuzz/fuzz_model

$(B)/fuzz/fuzz_viewer: $(call fuzzobj,tests/fuzz/fuzz_viewer.c $(FUZZ_FRAMES) $(COMMON) \
	$(LOGICAL) $(call room_src,viewer))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) $(LIB_MODEL) \
	    -lX11 -lXext -lpng -lm
FUZZERS += $(B)/fuzz/fuzz_viewer

$(B)/fuzz/fuzz_tools: $(call fuzzobj,tests/fuzz/fuzz_tools.c $(FUZZ_FRAMES) $(COMMON) $(LOGICAL) $(TOOLS))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
FUZZERS += $(B)/fuzz/fuzz_tools

$(B)/fuzz/fuzz_answer: $(call fuzzobj,tests/fuzz/fuzz_answer.c $(PROTO) $(COMMON) $(LOGICAL) $(TOOLS))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
FUZZERS += $(B)/fuzz/fuzz_answer

$(B)/fuzz/fuzz_settings: $(call fuzzobj,tests/fuzz/fuzz_settings.c $(PROTO) $(COMMON) \
	$(LOGICAL) $(call room_src,viewer))
	$(FUZZ_CC) -pthread -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) $(LIB_MODEL) \
	    -lX11 -lXext -lpng -lm
FUZZERS += $(B)/fuzz/fuzz_settings
