/*
 * The part of YAML that monitord writes: block maps, lists of maps, flow maps
 * of scalars, plain and double-quoted scalars.  Becomes pairs of a path
 * ("nodes.0.clock.state") and a value, whose control characters are as in
 * plain.h.
 */
#ifndef TOOLS_YAML_H
#define TOOLS_YAML_H

#include <stdbool.h>
#include <stddef.h>

struct yaml {
	struct yaml_pair {
		char *path, *value;
		bool quoted; /* it is a text, whatever it looks like */
	} * pair;
	size_t n;
};

/* What it cannot read it leaves out.  -1: ENOMEM.  To be cleared anyway. */
int yaml_parse(struct yaml *, const char *text, size_t n);
void yaml_clear(struct yaml *);
/* The value of a path (printf's way), "" when it is not there. */
const char *yaml_get(const struct yaml *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
double yaml_number(const struct yaml *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
