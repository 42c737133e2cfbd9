/* The command line of the collector. */
#ifndef COLLECTOR_OPTIONS_H
#define COLLECTOR_OPTIONS_H

#include <stdbool.h>

#include "collector/core.h"

struct options {
	char name[64];
	char tag[128];      /* of this node's memory files, of no other's */
	char monitord[256]; /* address */
	char spool[512];
	char socket[108];  /* of the attach and query port */
	char keeper[108];  /* where a successor finds the keeper */
	char runtime[256]; /* the directory */
	uint64_t spool_limit_bytes, ring_bytes;
	uint32_t rings;
	int64_t flush_ns, sweep_ns, counters_ns;
	uint32_t mask, wait_ms;
	bool sched;             /* switches of threads are recorded */
	uint32_t sample_hz;     /* of each thread; 0: none */
	const char *test_clock; /* NULL: the real one */
	bool stdin_exit;
	int verbose;
	/* how keeper and worker start each other: not for people */
	const char *internal;
};

#define SAMPLE_HZ_MAX       10000
#define OPTIONS_NAMES_BYTES (UINT64_C(16) << 20) /* room for names, per PO */

/* Prints and exits (sysexits) on --help, --version and what makes no sense. */
void options_parse(struct options *, int argc, char **argv);

#endif
