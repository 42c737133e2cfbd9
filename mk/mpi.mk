# libprobe for programs that use MPI (libprobe/mpi): one source, a library for
# each MPI that is here.  What it needs of others is made weak, since also what
# a rank starts has it, without MPI.
MPI_SOURCES := $(wildcard libprobe/mpi/*.c)
MPIS := $(foreach m,openmpi mpich,$(if $(shell command -v mpicc.$(m) 2>/dev/null),$(m)))
MPI_LIBS := $(MPIS:%=$(B)/libprobe-mpi-%.so)
mpi_include = $(patsubst -I%,-isystem %,$(filter -I%,$(shell mpicc.$(1) -show)))

define mpi_rules
$(B)/libprobe/mpi/$(1)/%.o: libprobe/mpi/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) $(call mpi_include,$(1)) $$(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $$@ $$<
	objcopy --weaken $$@
$(B)/libprobe-mpi-$(1).so: $(MPI_SOURCES:libprobe/mpi/%.c=$(B)/libprobe/mpi/$(1)/%.o)
	$$(CC) $$(filter-out -pie,$$(LDFLAGS)) -shared -Wl,-z,nodelete -o $$@ $$^
	for d in $$(AUTO_DIRS); do mkdir -p $(B)/auto/$$$$d && ln -sfr $$@ $(B)/auto/$$$$d; done
$(B)/tests/mpi/ranks-$(1): tests/mpi/ranks.c tests/mpi/ends.c tests/mpi/ranks.h
$(B)/examples/parallel/torus-$(1): examples/parallel/torus.c
$(B)/tests/mpi/ranks-$(1) $(B)/examples/parallel/torus-$(1):
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) $(call mpi_include,$(1)) $$(CFLAGS) -o $$@ $$(filter %.c,$$^) \
	    $$(filter-out -I%,$$(wordlist 2,99,$$(shell mpicc.$(1) -show)))
endef
$(foreach m,$(MPIS),$(eval $(call mpi_rules,$(m))))
all: $(MPI_LIBS) $(MPIS:%=$(B)/tests/mpi/ranks-%) $(MPIS:%=$(B)/examples/parallel/torus-%)

# a profiler of MPI's own kind, to count beside us
$(B)/tests/mpi/libcounter-%.so: tests/mpi/counter.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(call mpi_include,$*) -O2 -fPIC -shared -o $@ $< \
	    $(filter-out -I%,$(wordlist 2,99,$(shell mpicc.$* -show)))

# Debian's is of Open MPI; HPCC_MPICH is one that was built with mpicc.mpich
hpcc: all $(MPIS:%=$(B)/tests/mpi/libcounter-%.so) ## hpcc with 4 ranks, its messages held against a profiler of MPI's own kind (HPCC_MPICH=one of MPICH)
	@echo "hpcc 1800 BUILD=$(B) HPCC_MPICH=$(HPCC_MPICH) sh tests/mpi/hpcc.sh" | $(RUN) -v
.PHONY: hpcc
