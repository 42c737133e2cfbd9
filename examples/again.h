/*
 * Programs of several processes: each is this very program, started again on
 * one node of a list.
 */
#ifndef EXAMPLES_AGAIN_H
#define EXAMPLES_AGAIN_H

#include <err.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#define NODES_MAX     16
#define ARGUMENTS_MAX 20

struct nodes {
	char *names; /* what the names are in */
	char *name[NODES_MAX];
	int n;
	char *here; /* $ORRERY_NODE, where we run, or NULL */
	bool known; /* it is NULL, or one of the list */
};

/* n1 to n4 without a list; ends the program when the list is none. */
static inline void
nodes_init(struct nodes *nodes, const char *list)
{
	char *s;

	nodes->here = getenv("ORRERY_NODE");
	nodes->known = nodes->here == NULL;
	nodes->names = strdup(list != NULL ? list : "n1,n2,n3,n4");
	if (nodes->names == NULL)
		err(EX_OSERR, "nodes");
	for (s = strtok(nodes->names, ","); s != NULL; s = strtok(NULL, ",")) {
		if (nodes->n == NODES_MAX)
			errx(EX_USAGE, "more than %d nodes", NODES_MAX);
		nodes->known |=
		    nodes->here != NULL && strcmp(nodes->here, s) == 0;
		nodes->name[nodes->n++] = s;
	}
	if (nodes->n == 0)
		errx(EX_USAGE, "--nodes is empty");
}

/*
 * Starts this program with its arguments and two more, an option that says
 * which process it is; the actions give it its sockets.
 */
static inline pid_t
start_again(char *const arguments[], const char *option, int number,
    const posix_spawn_file_actions_t *actions)
{
	extern char **environ;
	char word[16], which[16], *argv[ARGUMENTS_MAX + 3];
	int n, error;
	pid_t pid;

	for (n = 0; arguments[n] != NULL; n++) {
		if (n == ARGUMENTS_MAX)
			errx(EX_USAGE, "too many arguments");
		argv[n] = arguments[n];
	}
	snprintf(word, sizeof(word), "%s", option);
	snprintf(which, sizeof(which), "%d", number);
	argv[n++] = word;
	argv[n++] = which;
	argv[n] = NULL;
	error =
	    posix_spawn(&pid, "/proc/self/exe", actions, NULL, argv, environ);
	if (error != 0)
		errx(EX_OSERR, "%s %d: %s", option, number, strerror(error));
	return (pid);
}

#endif
