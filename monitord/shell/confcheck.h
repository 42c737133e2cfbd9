/* Inside of the cluster file's reader: shared by conf.c and confcheck*.c. */
#ifndef MONITORD_CONFCHECK_H
#define MONITORD_CONFCHECK_H

#include <cyaml/cyaml.h>

#include "conf.h"

/* A part of the file as it stands there; what is NULL was not said. */
struct raw_node {
	char *name, *launch, *host, *user, *collector, *dir, *ssh;
	char *ring, *rings, *spool, *flush, *full, *counters, *sched, *sample,
	    *test_clock;
	char **mask;
	unsigned mask_count;
};

struct raw_conf {
	char *name, *log, *index, *listen;
	char **probe;
	unsigned probe_count;
	struct raw_node *defaults;
	struct raw_node *nodes;
	unsigned nodes_count;
};

/* The schema: libcyaml loads by it, confcheck.c checks by it. */
extern const cyaml_schema_value_t conf_schema;

/*
 * Names everything that is wrong with the text.  Returns the number of
 * problems; after 0, libcyaml and the expansion of ranges find none.
 */
unsigned conf_check(const char *path, const char *text, size_t n, conf_report *,
    void *arg);

#endif
