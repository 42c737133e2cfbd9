# libprobe.so is never unloaded: threads and handlers may be in its code.
$(B)/libprobe.so: LDFLAGS += -Wl,-z,nodelete
