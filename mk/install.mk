# make install: PREFIX and DESTDIR as usual.

BINDIR := $(DESTDIR)$(PREFIX)/bin
LIBDIR := $(DESTDIR)$(PREFIX)/lib
INCDIR := $(DESTDIR)$(PREFIX)/include
MANDIR := $(DESTDIR)$(PREFIX)/share/man
HEADERS := $(wildcard libprobe/probe*.h libprobe/probe.hpp)
HEADERS := $(filter-out %_priv.h %_clock.h %_int.h,$(HEADERS))

install: all ## install programs, library, header, pkg-config file and manual pages
	install -d $(BINDIR) $(LIBDIR)/pkgconfig $(INCDIR)
	install -m 755 $(PROGRAMS) $(BINDIR)
	install -m 755 $(B)/libprobe.so $(LIBDIR)/libprobe.so.$(VERSION)
	ln -sf libprobe.so.$(VERSION) $(LIBDIR)/libprobe.so.1
	ln -sf libprobe.so.1 $(LIBDIR)/libprobe.so
	install -m 644 $(B)/libprobe.a $(LIBDIR)
	install -m 644 $(HEADERS) $(INCDIR)
	sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@VERSION@|$(VERSION)|g' \
	    libprobe/probe.pc.in > $(LIBDIR)/pkgconfig/probe.pc
	for m in $(wildcard docs/*.[1-9]); do \
	    s=$${m##*.}; install -d $(MANDIR)/man$$s; \
	    install -m 644 $$m $(MANDIR)/man$$s; done

uninstall: ## remove what install has put there
	cd $(BINDIR) && rm -f $(notdir $(PROGRAMS))
	rm -f $(LIBDIR)/libprobe.* $(LIBDIR)/pkgconfig/probe.pc
	cd $(INCDIR) && rm -f $(notdir $(HEADERS))
	for m in $(wildcard docs/*.[1-9]); do \
	    rm -f $(MANDIR)/man$${m##*.}/$$(basename $$m); done

.PHONY: install uninstall
