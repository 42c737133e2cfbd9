# Programs whose runs have known answers, for tests/oracle/oracle.

TRUTH_PARTS := truth truth_same truth_tasks truth_locks truth_odd truth_own
$(B)/tests/oracle/truth: $(patsubst %,$(B)/tests/oracle/%.o,$(TRUTH_PARTS))
$(B)/tests/oracle/other: $(B)/tests/oracle/other.o
$(B)/tests/oracle/truth $(B)/tests/oracle/other: $(B)/libprobe.so
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(B) -lprobe \
	    -Wl,-rpath,'$$ORIGIN/../..' -pthread
all: $(B)/tests/oracle/truth $(B)/tests/oracle/other

# logs as of clocks that tick seldom, and as if events had been lost
ORACLE_LOGS := $(addprefix $(B)/tests/tools/,coarse lossy)
$(ORACLE_LOGS): %: %.o $(call libs,tools_logs proto)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_PROTO)
all: $(ORACLE_LOGS)

oracle: all ## every figure that is shown against the events of the log (ORACLE_RANGES=1000)
	@for t in oracle oracle_run; do \
	    echo "$$t 3600 ORACLE_RANGES=$(or $(ORACLE_RANGES),1000) BUILD=$(B) sh tests/system/$$t.sh"; \
	done | $(RUN) -v
.PHONY: oracle
