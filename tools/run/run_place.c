#include "run_place.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "paths.h"
#include "tools/ask/ask.h"
#include "tools/ask/nodes.h"

/* Says so when nobody would take the program's events: false. */
static bool
look_for_collector(const char *node, const char *then)
{
	char path[PATH_MAX];
	struct ask a;

	if (node == NULL) {
		log_warnx("no collector on this machine: %s", then);
		return (false);
	}
	if (paths_collector(path, sizeof(path), node) == -1) {
		log_warn("node %s", node);
		return (false);
	}
	if (ask_connect(&a, path) == -1) {
		log_warnx("no collector of node %s (%s: %s): %s", node, path,
		    strerror(errno), then);
		return (false);
	}
	ask_close(&a);
	return (true);
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

bool
run_place(const char *node, const char *then, char **place)
{
	const char *dir = paths_runtime_dir();

	if (dir != NULL)
		setenv("ORRERY_DIR", dir, 1);
	*place = node != NULL ? strdup(node) : usual_node();
	if (*place != NULL)
		setenv("ORRERY_NODE", *place, 1);
	return (look_for_collector(*place, then));
}
