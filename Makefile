# Orrery.  One makefile, not recursive, no configure step.
#
#   make SAN=1 ...      with ASan and UBSan, in build/san
#   make SAN=thread ... with TSan, in build/tsan; both with -O1, which is built
#                       in two thirds of the time
#   make CC=clang WERROR=1 ...

CC ?= gcc
CXX ?= g++
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

ifeq ($(SAN),1)
B := build/san
O ?= 1
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else ifeq ($(SAN),thread)
B := build/tsan
O ?= 1
SANFLAGS := -fsanitize=thread -fno-omit-frame-pointer
else
B := build
endif
O ?= 2

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla \
	-Wstrict-prototypes -Wmissing-prototypes
ifneq ($(SAN),)
WARN += -Wno-format-truncation # at -O1 less is known of what is printed
endif
ifeq ($(WERROR),1)
WARN += -Werror
endif
# What makes a mistake of ours harder to use, where the machine has it; and no
# trace of where it was built, so that two directories make the same programs.
HARD := -fstack-protector-strong -fstack-clash-protection -fPIE \
	$(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),-fcf-protection) \
	-ffile-prefix-map=$(CURDIR)=.
ifeq ($(SAN)$(filter 0,$(O)),)
HARD += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
endif
HARDLD := -pie -Wl,-z,relro,-z,now
CPPFLAGS += -D_GNU_SOURCE -DORRERY_VERSION='"$(VERSION)"' \
	-Iproto -Icommon -Ilibprobe -Iviewer -I.
CFLAGS += -std=c11 -O$(O) -g -pthread $(WARN) $(HARD) $(SANFLAGS)
LDFLAGS += -pthread $(HARDLD) $(SANFLAGS)

# Layers (tests/layers.sh checks them): an archive per folder, without its
# main.c, so that tests link everything else.
src = $(filter-out %/main.c,$(wildcard $(1)/*.c))
obj = $(patsubst %.c,$(B)/%.o,$(1))

# one archive, of three rooms
PROTO := $(foreach d,proto proto/log proto/check,$(call src,$(d)))
COMMON := $(call src,common) $(call src,common/clock)
LIBPROBE := $(call src,libprobe) $(call src,libprobe/meet)
AUTO_ROOMS := $(sort $(patsubst %/,%,$(dir $(shell find libprobe/auto -name '*.c'))))
AUTO := $(foreach d,$(AUTO_ROOMS),$(call src,$(d)))
# what glibc's loader puts for $LIB, here and elsewhere
AUTO_DIRS := lib64 $(patsubst %,lib/%,$(shell $(CC) -print-multiarch 2>/dev/null))
LOGICAL := $(call src,logical)
SYMBOLS := $(call src,symbols)

# Rooms of the daemons and the viewer: every folder below them with sources, at
# any depth, is one.  It is found by itself: viewer/model/keep makes
# libviewer_model_keep.a, and a program that links "all rooms of viewer/model"
# has it.
ROOMS := $(sort $(patsubst %/,%,$(dir $(shell find collector monitord tools viewer -name '*.c'))))
rooms = $(foreach r,$(1),$(filter $(r) $(r)/%,$(ROOMS)))
room_src = $(foreach r,$(call rooms,$(1)),$(call src,$(r)))
TOOLS := $(call room_src,tools)

# the cores of monitord and collector: all but what talks to the system directly
MONITORD := monitord monitord_run monitord_store monitord_order monitord_order_causal monitord_clock \
	monitord_registry
COLLECTOR := collector collector_sweep_measured collector_sweep collector_sweep_code \
	collector_spool collector_ident

libs = $(patsubst %,$(B)/lib%.a,$(1))
room_libs = $(call libs,$(subst /,_,$(call rooms,$(1))))
# what a rule with archives links; they may need each other in any order
inputs = $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
LIB_PROTO := -lzstd -lz
LIB_MODEL := -lsodium
LIB_TOOLS := -lsqlite3 -lotf2
LIB_COMMON := -levent -luuid -lm
# names of C++ are known to its library
LIB_SYMBOLS := -ldw -lelf -lstdc++

PROGRAMS := $(B)/collector/collector $(B)/monitord/monitord \
	$(B)/tools/monitorctl $(B)/viewer/viewer
EXAMPLES := $(patsubst %.c,$(B)/%,$(filter-out examples/tasks.c $(wildcard examples/*_*.c),\
	$(wildcard examples/*.c)))

EXAMPLE_PLUGINS := $(patsubst %.c,$(B)/%.so,$(wildcard examples/plugins/*.c))

all: $(PROGRAMS) $(B)/libprobe.so $(B)/libprobe.a $(B)/libprobe-auto.so $(EXAMPLES) $(EXAMPLE_PLUGINS) ## build everything

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(CFLAGS_$(firstword $(subst /, ,$*))) -MMD -MP -c -o $@ $<

CFLAGS_libprobe := -fPIC -fno-plt -fvisibility=hidden -ftls-model=initial-exec
# a wrapper's frame leads to its caller's, and is no rewritten call of itself
$(B)/libprobe/auto/heap/%.o: CFLAGS += -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-builtin
# a sanitizer's -O3 takes twice the time to make and finds nothing more; who
# asks for no optimisation gets none
ifeq ($(SAN)$(filter 0,$(O)),)
CFLAGS_viewer := -O3
CFLAGS_proto := -O3
CFLAGS_monitord := -O3
endif

# Tests run once: what an optimiser does to them costs more than it saves, and
# of their variables no debugger is asked in make check.  At -O1 less is known
# of what is printed, and what may be unset.
$(B)/tests/unit/%.o: CFLAGS += -O1 -g1 -Wno-format-truncation -Wno-maybe-uninitialized
# this one reads its own
$(B)/tests/unit/symbols_program_test.o: CFLAGS += -O1 -g2

# The folder is a prerequisite too: it is newer when a file has left it.  It is
# there; make would think of a program made from a source that had its name.
$(ROOMS): ;
define archive
$(B)/lib$(1).a: $(call obj,$(2)) $(patsubst %/,%,$(sort $(dir $(2))))
	rm -f $$@
	ar rcs $$@ $$(filter %.o,$$^)
endef
$(eval $(call archive,proto,$(PROTO)))
$(eval $(call archive,common,$(COMMON)))
$(eval $(call archive,logical,$(LOGICAL)))
$(eval $(call archive,symbols,$(SYMBOLS)))
$(eval $(call archive,probe,$(LIBPROBE)))
$(foreach r,$(ROOMS),$(eval $(call archive,$(subst /,_,$(r)),$(call src,$(r)))))

$(B)/libprobe.so: $(call obj,$(LIBPROBE)) libprobe/libprobe.map
	$(CC) $(filter-out -pie,$(LDFLAGS)) -shared -Wl,-soname,libprobe.so.1 \
	    -Wl,--version-script=libprobe/libprobe.map -o $@ $(filter %.o,$^)
	ln -sf libprobe.so $(B)/libprobe.so.1

# The same with wrappers, for programs that do not know of us (libprobe/auto).
# Its soname makes one of the two in programs that do.
$(B)/libprobe-auto.so: $(call obj,$(filter-out %/linked.c,$(LIBPROBE)) $(AUTO)) libprobe/auto/auto.map libprobe/auto/bulk.ld
	$(CC) $(filter-out -pie,$(LDFLAGS)) -shared -Wl,-soname,libprobe.so.1 -Wl,-z,nodelete \
	    -Wl,--version-script=libprobe/auto/auto.map -Wl,-T,libprobe/auto/bulk.ld -o $@ $(filter %.o,$^)
	for d in $(AUTO_DIRS); do mkdir -p $(B)/auto/$$d && \
	    ln -sfr $@ $(B)/auto/$$d; done

$(B)/collector/collector: $(B)/collector/shell/main.o $(call libs,collector_shell collector_shell_attach collector_shell_keeper \
	    collector_shell_self collector_shell_system $(COLLECTOR) symbols common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) $(LIB_PROTO) $(LIB_SYMBOLS)
$(B)/monitord/monitord: $(B)/monitord/shell/main.o $(call libs,monitord_shell $(MONITORD) common proto)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIB_COMMON) -lcyaml -lyaml $(LIB_PROTO) -lm
$(B)/tools/monitorctl: $(B)/tools/main.o $(call room_libs,tools) $(call libs,symbols logical common proto)
	$(CC) $(LDFLAGS) -o $@ $(inputs) $(LIB_TOOLS) $(LIB_COMMON) $(LIB_PROTO) -lm $(LIB_SYMBOLS)
$(B)/viewer/viewer: $(call obj,$(wildcard viewer/*/main.c)) $(call room_libs,viewer) \
	    $(call libs,symbols logical common proto)
	$(CC) $(LDFLAGS) -o $@ $(inputs) $(LIB_COMMON) $(LIB_PROTO) -lX11 -lXext -lpng $(LIB_MODEL) $(LIB_SYMBOLS) -lm

$(B)/examples/pascal $(B)/examples/semigroup: $(B)/examples/tasks.o
$(B)/examples/drones: $(call obj,$(wildcard examples/drones_*.c))
# what a compiler switch makes of a program that has no word about us in it
$(B)/examples/calltree.o: CFLAGS += -finstrument-functions -fno-omit-frame-pointer
# knows nothing of us, and has frame pointers, as its stacks are to be seen
$(B)/examples/leaks.o: CFLAGS += -fno-omit-frame-pointer -fno-builtin
$(B)/examples/leaks: $(B)/examples/leaks.o
	$(CC) $(LDFLAGS) -o $@ $<
# views and metrics for the viewer: nothing of ours is linked
$(B)/examples/plugins/%.so: examples/plugins/%.c viewer/plugin/orrery-plugin.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Iviewer/plugin $(CFLAGS) $(filter-out -pie,$(LDFLAGS)) -fPIC -shared -o $@ $<
# and so do these, which are to be made with that switch to show their functions
$(addprefix $(B)/examples/,philosophers bathroom datingservice textsearch trading): %: %.o
	$(CC) $(LDFLAGS) -pthread -o $@ $<
$(B)/examples/%: $(B)/examples/%.o $(B)/libprobe.so
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(B) -lprobe -Wl,-rpath,'$$ORIGIN/..:$$ORIGIN/../lib' -lm

# Unit tests: tests/unit/NAME_test.c links every library it may need.
TEST_LIBS := $(call libs,symbols logical common proto)
ifeq ($(SAN),thread) # what TSAN_UNIT needs
TEST_LIBS += $(call room_libs,viewer/model viewer/feed viewer/layout/radial collector) $(call libs,viewer_layout)
else
TEST_LIBS += $(call room_libs,viewer collector monitord tools)
endif
UNIT := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/*_test.c))
$(B)/tests/unit/%_test: $(B)/tests/unit/%_test.o $(TEST_LIBS) $(B)/libprobe.a
	$(CC) $(LDFLAGS) -o $@ $< $(B)/libprobe.a -Wl,--start-group $(TEST_LIBS) -Wl,--end-group \
	    -lcmocka -levent -luuid -lcyaml -lyaml -lX11 -lXext -lpng $(LIB_MODEL) $(LIB_TOOLS) $(LIB_PROTO) $(LIB_SYMBOLS) -lm

include $(filter-out mk/check.mk,$(wildcard mk/*.mk)) mk/check.mk

fmt: ## lay out the sources with clang-format
	clang-format -i $$(git ls-files '*.c' '*.h' '*.hpp')

clean: ## remove what was built
	rm -rf build

help: ## print this
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

-include $(shell find $(B) -name '*.d' 2>/dev/null)
.PHONY: all fmt clean help
.DEFAULT_GOAL := all
