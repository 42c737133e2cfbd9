# Of the tests of bad input: a peer that does not behave.

$(B)/tests/tools/badpeer: $(B)/tests/tools/badpeer.o $(call libs,proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(B)/tests/tools/badpeer
