# A log made up without daemons, and the bench of the viewer's model.
$(B)/tests/bench/makelog: $(B)/tests/bench/makelog.o $(call libs,proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)

$(B)/tests/bench/model: $(B)/tests/bench/model.o $(call libs,vlayout vmodel proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO) -lm

bench-model: $(B)/tests/bench/model ## cost of the viewer's model and layouts
	$(B)/tests/bench/model
.PHONY: bench-model
