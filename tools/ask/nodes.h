/* Nodes whose collector listens on this machine, by the runtime directory. */
#ifndef TOOLS_NODES_H
#define TOOLS_NODES_H

#include <stddef.h>

struct nodes {
	char **name; /* in order of name */
	size_t n;
};

/* -1 with errno set; to be cleared in any case. */
int nodes_list(struct nodes *);
void nodes_clear(struct nodes *);

#endif
