/* What confcheck*.c share; nobody else includes this. */
#ifndef MONITORD_CONFCHECK_INSIDE_H
#define MONITORD_CONFCHECK_INSIDE_H

#include <yaml.h>

#include "confcheck.h"

/* Of names, and of what the collector's --dir takes. */
#define CONFCHECK_NAME_BYTES 255

struct place {
	unsigned line;
};

struct check {
	const char *path;
	conf_report *report;
	void *arg;
	yaml_document_t doc;
	unsigned problems;
	/* names of nodes so far, and where they stand */
	char **names;
	struct place *places;
	size_t nnames, cap;
};

/* Reports a problem; places count from 0. */
void confcheck_problem_at(struct check *, size_t line, size_t column,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
#define problem(ck, node, ...)                                                 \
	confcheck_problem_at(ck, (node)->start_mark.line,                      \
	    (node)->start_mark.column, __VA_ARGS__)

/* The i-th node of the document, as libyaml numbers them. */
yaml_node_t *confcheck_at(struct check *, int i);
/* The value of a key of this mapping, NULL when it is not there. */
const yaml_node_t *confcheck_find(struct check *, const yaml_node_t *map,
    const char *key);

/* confcheck_value.c: a scalar against what its key must look like. */
void confcheck_value(struct check *, const char *key, const yaml_node_t *);
/* No blank, and nothing that ssh could take for an option. */
bool confcheck_is_word(const char *);

/* confcheck_nodes.c: ranges and duplicates, below the root. */
void confcheck_nodes(struct check *, const yaml_node_t *root);

#endif
