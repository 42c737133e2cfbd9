# A log made up without daemons, and the bench of the viewer's model.
$(B)/tests/bench/makelog: $(B)/tests/bench/makelog.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
