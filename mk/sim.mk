# sim: the real collector and monitord in a simulated world.

, := ,
SEEDS ?= 200
SIM_PROGRAM := $(B)/tests/sim/sim
SIM_OBJECTS := $(patsubst %,$(B)/tests/sim/%.o,sim_main campaign shrink world \
	profile host absent app guest mischief check clockjudge promises causes growing wire fault env_sim \
	sim_loop sim_guard sim_races conn_sim disk_sim model)
# What the code under test allocates may fail, and its fatal() comes back; the
# programs go on between the steps of a sweep.
SIM_WRAP := $(addprefix -Wl$(,)--wrap=,malloc calloc realloc \
	reallocarray strdup fatal fatalx) $(addprefix -Wl$(,)--wrap=,drain_look \
	drain_take drain_convert drain_watermark_advance nodeclock_ready)
$(SIM_PROGRAM): $(SIM_OBJECTS) $(call libs,$(COLLECTOR) $(MONITORD) common proto)
	$(CC) $(LDFLAGS) $(SIM_WRAP) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) -lm
sim: $(SIM_PROGRAM) ## simulate SEEDS=n seeds of faults
	$(SIM_PROGRAM) --seeds $(SEEDS)
.PHONY: sim

# Bugs planted in copies of the sources: the simulator must find each of them.
PLANTED = BUILD=$(B) PLANTED_CC="$(CC) $(filter-out -DORRERY_VERSION%,$(CPPFLAGS)) \
	-DORRERY_VERSION=__FILE__ $(CFLAGS)" \
	PLANTED_LD="$(CC) $(LDFLAGS) $(SIM_WRAP)" \
	PLANTED_LIBS="$(SIM_OBJECTS) $(call libs,$(COLLECTOR) $(MONITORD) common proto) \
	$(LIB_COMMON) $(LIB_PROTO) -lm" tests/planted/run.sh
planted: $(SIM_PROGRAM) ## plant bugs, have the simulator find each (PLANT="name... --jobs N --seeds N")
	@$(PLANTED) $(PLANT)
list-planted:
	@echo 'planted 300 $(MAKE) -s planted PLANT=--few'
.PHONY: planted list-planted
