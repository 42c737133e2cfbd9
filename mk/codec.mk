# codec: the bench of monitord's full path.

WRAPPED := reorder_new reorder_push block_finish ZSTD_compress2
$(B)/tests/bench/fullpath: $(B)/tests/bench/fullpath.o $(B)/tests/sim/model.o \
	$(call libs,monitord common proto)
	$(CC) $(LDFLAGS) $(patsubst %,-Wl$(comma)--wrap=%,$(WRAPPED)) -o $@ $^ \
	    $(LIB_COMMON) -lcyaml -lyaml $(LIB_PROTO) -lm
BENCHES += $(B)/tests/bench/fullpath
comma := ,
