# Programs that must not notice libprobe: with it, and compiled without.  Both
# have the same name, since that can be seen from inside.

HARM_SOURCES := tests/apps/harm.c $(wildcard tests/apps/situations/*.c)
$(B)/tests/apps/harm: $(patsubst %.c,$(B)/%.o,$(HARM_SOURCES)) $(B)/libprobe.so
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(B) -lprobe \
	    -Wl,-rpath,'$$ORIGIN/../..' -lm
$(B)/off/tests/apps/harm: $(patsubst %.c,$(B)/off/%.o,$(HARM_SOURCES))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ -lm
$(B)/off/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DPROBE_OFF $(CFLAGS) -MMD -MP -c -o $@ $<
all: $(B)/off/tests/apps/harm

unharmed: deps-unharmed all ## a hundred programs of Debian under monitorctl run, compared with themselves; once more with all classes
	@ALL=1 sh tests/system/unharmed.sh
	@ALL=1 CLASSES=all sh tests/system/unharmed.sh
.PHONY: unharmed
