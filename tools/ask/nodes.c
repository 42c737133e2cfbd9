/*
 * A node is a directory of the runtime directory that holds a collector.sock.
 */
#include "nodes.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"

static int
by_name(const void *a, const void *b)
{
	return (strcmp(*(char *const *)a, *(char *const *)b));
}

static int
add(struct nodes *nodes, const char *name)
{
	char **more;

	more = realloc(nodes->name, (nodes->n + 1) * sizeof(*more));
	if (more == NULL)
		return (-1);
	nodes->name = more;
	if ((more[nodes->n] = strdup(name)) == NULL)
		return (-1);
	nodes->n++;
	return (0);
}

int
nodes_list(struct nodes *nodes)
{
	const char *dir = paths_runtime_dir();
	char path[PATH_MAX];
	struct dirent *e;
	DIR *d;
	int r = 0;

	*nodes = (struct nodes){ 0 };
	if (dir == NULL || (d = opendir(dir)) == NULL)
		return (-1);
	while (r == 0 && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' &&
		    paths_collector(path, sizeof(path), e->d_name) == 0 &&
		    access(path, F_OK) == 0)
			r = add(nodes, e->d_name);
	closedir(d);
	if (nodes->n > 0)
		qsort(nodes->name, nodes->n, sizeof(*nodes->name), by_name);
	return (r);
}

void
nodes_clear(struct nodes *nodes)
{
	for (size_t i = 0; i < nodes->n; i++)
		free(nodes->name[i]);
	free(nodes->name);
	*nodes = (struct nodes){ 0 };
}
