# codec: the bench of monitord's full path.

WRAPPED := reorder_new reorder_room reorder_commit block_finish ZSTD_compress2
$(B)/tests/bench/fullpath: $(patsubst %,$(B)/tests/bench/fullpath%.o,_load _split) \
	$(B)/tests/bench/fullpath.o $(B)/tests/sim/model.o \
	$(call libs,$(MONITORD) common proto)
	$(CC) $(LDFLAGS) $(patsubst %,-Wl$(comma)--wrap=%,$(WRAPPED)) -o $@ $^ \
	    $(LIB_COMMON) -lcyaml -lyaml $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/fullpath
comma := ,

# What a crash may leave of a log and of a spool, and flipped bits.
CRASHIMAGE := $(B)/tests/sim/crashimage
$(CRASHIMAGE): $(patsubst %,$(B)/tests/sim/%.o,crashimage crash_disk crash_redo \
	crash_log crash_spool crash_flips model) $(call libs,$(COLLECTOR) $(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
BENCHES += $(CRASHIMAGE)
IMAGES ?= 100000
crashimages: $(CRASHIMAGE) ## make IMAGES=n crash images, and flip every bit of a log
	$(CRASHIMAGE) --images $(IMAGES) --flips all
list-crash:
	@echo "crashimage 120 $(CRASHIMAGE) --images 3000"
.PHONY: crashimages list-crash
