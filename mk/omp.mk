# Programs of OpenMP that know nothing of us, by each compiler that has a
# runtime here (tests/system/openmp.sh).
omp_works = $(shell command -v $(1) >/dev/null && echo 'int main(void){return 0;}' | \
	$(1) -fopenmp -x c -o $(B)/.omp-$(1) - 2>/dev/null && echo $(1); rm -f $(B)/.omp-$(1))
OMPS := $(shell mkdir -p $(B))$(call omp_works,gcc) $(call omp_works,clang)

define omp_rules
$(B)/tests/omp/regions-$(1): tests/omp/regions.c
$(B)/examples/parallel/queens-$(1): examples/parallel/queens.c
$(B)/tests/omp/regions-$(1) $(B)/examples/parallel/queens-$(1):
	@mkdir -p $$(@D)
	$(1) -fopenmp -O2 -g -o $$@ $$<
endef
$(foreach c,$(OMPS),$(eval $(call omp_rules,$(c))))
all: $(OMPS:%=$(B)/tests/omp/regions-%) $(OMPS:%=$(B)/examples/parallel/queens-%)
