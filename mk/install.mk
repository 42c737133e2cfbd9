# make install: PREFIX and DESTDIR as usual.  What is built with `pkg-config
# probe` finds the library by itself: in the linker's cache, which root brings
# up to date, or, where the linker does not look, by a path in the program.

BINDIR := $(DESTDIR)$(PREFIX)/bin
LIBDIR := $(DESTDIR)$(PREFIX)/lib
INCDIR := $(DESTDIR)$(PREFIX)/include
MANDIR := $(DESTDIR)$(PREFIX)/share/man
EXAMPLEDIR := $(DESTDIR)$(PREFIX)/share/doc/orrery/examples
EXAMPLE_SOURCES := $(wildcard examples/*.[ch])
EXAMPLE_PARALLEL := $(wildcard examples/parallel/*.c)
RPATH := $(if $(filter /usr,$(PREFIX)),, -Wl,-rpath,$${libdir})
HEADERS := $(wildcard libprobe/probe*.h libprobe/probe.hpp)
HEADERS_INSIDE := $(wildcard libprobe/probe/*.h)

PLUGIN_SOURCES := $(wildcard examples/plugins/*.c)
PLUGINDIR := $(LIBDIR)/orrery/plugins

INSTALLED_LIBS := libprobe.so.$(VERSION) libprobe.so.1 libprobe.so libprobe.a

install: all ## install programs, library, header, pkg-config file and manual pages
	install -d $(BINDIR) $(LIBDIR)/pkgconfig $(INCDIR)/probe
	install -m 755 $(PROGRAMS) $(BINDIR)
	install -m 755 $(B)/libprobe.so $(LIBDIR)/libprobe.so.$(VERSION)
	ln -sf libprobe.so.$(VERSION) $(LIBDIR)/libprobe.so.1
	ln -sf libprobe.so.1 $(LIBDIR)/libprobe.so
	install -m 644 $(B)/libprobe.a $(LIBDIR)
	for d in $(AUTO_DIRS); do install -d $(LIBDIR)/orrery/$$d; \
	    install -m 755 $(B)/libprobe-auto.so $(MPI_LIBS) $(LIBDIR)/orrery/$$d; done
	install -m 644 $(HEADERS) $(INCDIR)
	install -m 644 $(HEADERS_INSIDE) $(INCDIR)/probe
	for e in $(EXAMPLES); do \
	    install -m 755 $$e $(BINDIR)/orrery-$$(basename $$e); done
	install -m 644 viewer/plugin/orrery-plugin.h $(INCDIR)
	install -d $(EXAMPLEDIR)/plugins $(EXAMPLEDIR)/parallel $(PLUGINDIR)
	install -m 644 $(EXAMPLE_SOURCES) $(EXAMPLEDIR)
	install -m 644 $(EXAMPLE_PARALLEL) $(EXAMPLEDIR)/parallel
	install -m 644 $(PLUGIN_SOURCES) $(EXAMPLEDIR)/plugins
	install -m 755 $(EXAMPLE_PLUGINS) $(PLUGINDIR)
	sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@VERSION@|$(VERSION)|g' \
	    -e 's|^Libs:.*|&$(RPATH)|' \
	    libprobe/probe.pc.in > $(LIBDIR)/pkgconfig/probe.pc
	for m in $(wildcard docs/*.[1-9]); do \
	    s=$${m##*.}; install -d $(MANDIR)/man$$s; \
	    install -m 644 $$m $(MANDIR)/man$$s; done
	if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall: ## remove what install has put there
	cd $(BINDIR) && rm -f $(notdir $(PROGRAMS))
	for e in $(EXAMPLES); do rm -f $(BINDIR)/orrery-$$(basename $$e); done
	rm -f $(INCDIR)/orrery-plugin.h
	cd $(EXAMPLEDIR) && rm -f $(notdir $(EXAMPLE_SOURCES)) $(addprefix plugins/,$(notdir $(PLUGIN_SOURCES))) $(EXAMPLE_PARALLEL:examples/%=%)
	cd $(PLUGINDIR) && rm -f $(notdir $(EXAMPLE_PLUGINS))
	-rmdir $(PLUGINDIR) $(EXAMPLEDIR)/plugins $(EXAMPLEDIR)/parallel
	-rmdir $(EXAMPLEDIR) $(dir $(EXAMPLEDIR))
	rm -f $(addprefix $(LIBDIR)/,$(INSTALLED_LIBS)) $(LIBDIR)/pkgconfig/probe.pc
	for d in $(AUTO_DIRS); do rm -f $(LIBDIR)/orrery/$$d/libprobe-auto.so \
	    $(LIBDIR)/orrery/$$d/libprobe-mpi-*.so; done
	-cd $(LIBDIR) && rmdir -p $(patsubst %,orrery/%,$(AUTO_DIRS)) 2>/dev/null
	cd $(INCDIR) && rm -f $(notdir $(HEADERS)) $(addprefix probe/,$(notdir $(HEADERS_INSIDE)))
	-rmdir $(INCDIR)/probe
	for m in $(wildcard docs/*.[1-9]); do \
	    rm -f $(MANDIR)/man$${m##*.}/$$(basename $$m); done

dist: ## the sources of this version as build/orrery-VERSION.tar.gz
	@mkdir -p build
	git archive --prefix=orrery-$(VERSION)/ HEAD | gzip -9n >build/orrery-$(VERSION).tar.gz

first-hour: deps-check all ## what README and orrery(7) say, word for word, on a bare Debian 12 (root, a mirror)
	@echo "first-hour 3600 BUILD=$(B) sh scripts/first-hour.sh" | $(RUN) -v

.PHONY: install uninstall dist first-hour
