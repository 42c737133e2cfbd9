/*
 * Attaching that was put off at the start (start.c) is made up for, and with it
 * what needs a collector: the table of streams.
 */
#include "libprobe/auto/descriptors/attach.h"

#include "internal.h"
#include "libprobe/auto/descriptors/streams.h"

void
auto_attach(void)
{
	if (probe_po() == 0)
		(void)thread_ready();
	streams_start();
}
