/*
 * monitorctl run: the environment that libprobe looks at, then the program.
 * It runs in any case; a monitor that is not there never stops a program.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "ask.h"
#include "log.h"
#include "monitorctl.h"
#include "nodes.h"
#include "paths.h"

/* As env(1), nohup(1) and shells have it. */
#define EXIT_NOT_FOUND 127
#define EXIT_NOT_RUN   126

/* Says so when nobody would take the program's events. */
static void
look_for_collector(const char *node)
{
	char path[PATH_MAX];
	struct ask a;

	if (node == NULL) {
		log_warnx("no collector on this machine: the program runs "
			  "unobserved until one starts");
		return;
	}
	if (paths_collector(path, sizeof(path), node) == -1) {
		log_warn("node %s", node);
		return;
	}
	if (ask_connect(&a, path) == -1)
		log_warnx("no collector of node %s (%s: %s): the program runs "
			  "unobserved until one starts",
		    node, path, strerror(errno));
	ask_close(&a);
}

/* Which node, when nobody says so; NULL: none is there.  To be freed. */
static char *
usual_node(void)
{
	const char *said = getenv("ORRERY_NODE");
	struct nodes nodes;
	char *first = NULL;

	if (said != NULL)
		return (strdup(said));
	if (nodes_list(&nodes) == 0 && nodes.n > 0)
		first = strdup(nodes.name[0]);
	nodes_clear(&nodes);
	return (first);
}

/* lose, wait or wait:MILLISECONDS, as libprobe reads it. */
static bool
full_ok(const char *s)
{
	char *end;

	if (strcmp(s, "lose") == 0 || strcmp(s, "wait") == 0)
		return (true);
	if (strncmp(s, "wait:", 5) != 0 || s[5] < '0' || s[5] > '9')
		return (false);
	errno = 0;
	return (strtoul(s + 5, &end, 10) <= UINT32_MAX && *end == '\0' &&
		errno == 0);
}

int
run_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "node", required_argument, NULL, 'n' },
		{ "full", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *dir = paths_runtime_dir();
	char *node = NULL;
	int c;

	(void)g;
	while ((c = getopt_long(argc, argv, "+h", options, NULL)) != -1)
		switch (c) {
		case 'n':
			free(node);
			node = strdup(optarg);
			break;
		case 'f':
			if (!full_ok(optarg)) {
				log_warnx("run: --full %s: lose, wait or "
					  "wait:MILLISECONDS is expected",
				    optarg);
				free(node);
				return (EX_USAGE);
			}
			setenv("ORRERY_FULL", optarg, 1);
			break;
		default:
			free(node);
			return (usage_of("run", c == 'h'));
		}
	if (optind == argc) {
		free(node);
		return (usage_of("run", false));
	}
	if (dir != NULL)
		setenv("ORRERY_DIR", dir, 1);
	if (node == NULL)
		node = usual_node();
	look_for_collector(node);
	if (node != NULL)
		setenv("ORRERY_NODE", node, 1);
	free(node);
	execvp(argv[optind], argv + optind);
	c = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
	log_warn("%s", argv[optind]);
	return (c);
}
