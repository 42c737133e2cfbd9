/* What code is mapped into a process: /proc/PID/maps, and the files there. */
#ifndef COLLECTOR_SHELL_MODULES_H
#define COLLECTOR_SHELL_MODULES_H

#include <stdint.h>

#include "message.h"

typedef void modules_cb(void *arg, const struct msg_module *);

/* The piece of code that the kernel gives each process: the clock is there. */
#define MODULES_VDSO "vdso"

/*
 * Tells of each file with code in the process, and of MODULES_VDSO, which is
 * none and has no build id; node and PO are 0.  Of a file that is asked for
 * again no more is read than whether it is the same one.  Returns how many
 * there are; -1 with errno: the process may not be looked at,
 * or is gone.
 */
int modules_each(uint32_t pid, modules_cb *, void *arg);

/*
 * Where a mapping of this file, from that offset on, has what the file calls
 * address 0: *base is start less that.  And its build id in hexadecimal, ""
 * when it has none.  -1: it is no ELF file that can be read.
 */
#define MODULES_ID_BYTES 81
struct modules_file {
	uint64_t offset, start; /* of the mapping */
	uint64_t base;
	char build_id[MODULES_ID_BYTES];
};
int modules_read(int fd, struct modules_file *);

#endif
