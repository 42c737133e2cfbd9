# Programs that know nothing of us, for libprobe-auto.so: not linked with it.
$(B)/tests/apps/waits: $(B)/tests/apps/waits.o
	$(CC) $(LDFLAGS) -o $@ $<
