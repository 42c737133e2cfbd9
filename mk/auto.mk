# Programs that know nothing of us, for libprobe-auto.so: not linked with it.
$(B)/tests/apps/waits $(B)/tests/apps/blocks $(B)/tests/apps/talk $(B)/tests/apps/datagrams \
    $(B)/tests/apps/locks $(B)/tests/apps/counted $(B)/tests/apps/answers $(B)/tests/apps/cancels: %: %.o
	$(CC) $(LDFLAGS) -o $@ $<
$(B)/tests/apps/heap.o: CFLAGS += -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-builtin
$(B)/tests/apps/heap: $(B)/tests/apps/heap.o
	$(CC) $(LDFLAGS) -o $@ $< -lstdc++
$(B)/tests/bench/heap.o: CFLAGS += -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-builtin
$(B)/tests/bench/heap: $(B)/tests/bench/heap.o
	$(CC) $(LDFLAGS) -o $@ $<
BENCHES += $(B)/tests/bench/heap
# what a compiler switch tells of, to be held against samples
$(B)/tests/apps/sampled.o: CFLAGS += -finstrument-functions -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline-functions-called-once
$(B)/tests/unit/libprobe_stream_test: $(B)/libprobe/auto/descriptors/stream.o
$(B)/tests/unit/libprobe_next_test: $(B)/libprobe/auto/wrap/next.o
