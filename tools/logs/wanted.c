/*
 * The filters of the commands that go through the events of a log.
 */
#include "wanted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "argument.h"
#include "log.h"

/* 1, or -1 if it is no number, having said so. */
static int
number_taken(int good, const char *command, const char *option,
    const char *value)
{
	if (good != -1)
		return (1);
	log_warnx("%s: --%s: %s is not a number; see monitorctl %s --help",
	    command, option, value, command);
	return (-1);
}

int
wanted_option(struct wanted *w, const char *command, int c, const char *value)
{
	switch (c) {
	case 'f':
		return (number_taken(seconds_arg(value, &w->from_ns), command,
		    "from", value));
	case 't':
		return (number_taken(seconds_arg(value, &w->to_ns), command,
		    "to", value));
	case 'p':
		return (number_taken(number_arg(value, UINT32_MAX, &w->po),
		    command, "po", value));
	case 'T':
		return (number_taken(number_arg(value, UINT32_MAX, &w->thread),
		    command, "thread", value));
	case 'n':
		w->node = value;
		return (1);
	case 'k':
		w->kinds = value;
		return (1);
	default:
		return (0);
	}
}

/* A kind that programs have declared, each perhaps with other fields. */
static bool
mark_own(struct wanted *w, const char *name)
{
	size_t n = strlen(name);
	struct own_kind kind;

	for (uint32_t i = 1; i <= defs_names(w->defs); i++) {
		const struct def_name *d = defs_name(w->defs, i);

		if (d != NULL && strncmp(d->text, name, n) == 0 &&
		    d->text[n] == ' ' && own_parse(&kind, d->text) == NULL &&
		    w->nown < WANTED_OWN)
			w->own[w->nown++] = i;
	}
	w->kind[EV_own_more] |= w->nown > 0;
	return (w->nown > 0);
}

/* "send,receive": marks the kinds; -1 if one is unknown, having said so. */
static int
mark_kinds(struct wanted *w, const char *list)
{
	char *copy = strdup(list), *at = copy, *name;
	const struct event_desc *desc;
	unsigned k;
	int r = copy == NULL ? -1 : 0;

	w->some_kinds = true;
	while (r == 0 && (name = strsep(&at, ",")) != NULL) {
		for (k = 1; k < EVENT_KINDS; k++)
			if ((desc = defs_kind(w->defs, k)) != NULL &&
			    strcmp(desc->name, name) == 0)
				break;
		if (k < EVENT_KINDS) {
			w->kind[k] = true;
			w->kind[EV_own_more] |= k == EV_own;
		} else if (!mark_own(w, name)) {
			log_warnx("no kind of event is called %s; "
				  "orrery-log(5) has them all, and report "
				  "those that the program has declared",
			    name);
			r = -1;
		}
	}
	free(copy);
	return (r);
}

bool
wanted_place(const struct wanted *w, uint32_t location)
{
	const struct def_thread *t;
	const struct def_node *n;

	if (w->node == NULL && w->po == UINT64_MAX && w->thread == UINT64_MAX)
		return (true);
	if ((t = defs_thread(w->defs, location)) == NULL)
		return (false);
	n = defs_node(w->defs, t->node);
	return (
	    (w->node == NULL || (n != NULL && strcmp(n->name, w->node) == 0)) &&
	    (w->po == UINT64_MAX || w->po == t->po) &&
	    (w->thread == UINT64_MAX || w->thread == t->thread));
}

static bool
wanted_own(const struct wanted *w, uint32_t name)
{
	for (unsigned i = 0; i < w->nown; i++)
		if (w->own[i] == name)
			return (true);
	return (false);
}

bool
wanted_event(const struct wanted *w, const struct event *e)
{
	if (w->some_kinds && (e->kind >= EVENT_KINDS || !w->kind[e->kind]) &&
	    !(e->kind == EV_own && wanted_own(w, e->c)))
		return (false);
	return (wanted_place(w, e->location));
}

static int
print_node(char *to, size_t room, const struct def_node *n)
{
	return (n == NULL || n->name == NULL || n->name[0] == '\0'
		    ? 0
		    : snprintf(to, room, " %s", n->name));
}

/* Is there such a place in the log?  Says so if not. */
static bool
place_known(const struct wanted *w, const char *command)
{
	uint32_t nodes = defs_nodes(w->defs);
	char known[512] = "";
	bool found = w->node == NULL;
	uint32_t at = 0;
	size_t n = 0;

	for (uint32_t i = 0; i <= nodes; i++) { /* 0: monitord */
		const struct def_node *node = defs_node(w->defs, i);

		if (node != NULL && w->node != NULL)
			found |= strcmp(node->name, w->node) == 0;
		if (n + 100 < sizeof(known))
			n += (size_t)print_node(known + n, 100, node);
	}
	if (!found) {
		log_warnx("%s: --node %s: the log has no such node, but%s",
		    command, w->node, n > 0 ? known : " none");
		return (false);
	}
	for (found = w->po == UINT64_MAX && w->thread == UINT64_MAX;
	     !found && at < defs_locations(w->defs);)
		found = wanted_place(w, ++at);
	if (!found)
		log_warnx("%s: the log has no such process or thread; "
			  "monitorctl report lists them",
		    command);
	return (found);
}

int
wanted_in(struct wanted *w, const char *command, const struct defs *defs,
    int64_t start_mon_ns, int64_t *from_mon_ns, int64_t *to_mon_ns)
{
	w->defs = defs;
	*from_mon_ns =
	    w->from_ns + (w->from_ns == INT64_MIN ? 0 : start_mon_ns);
	*to_mon_ns = w->to_ns + (w->to_ns == INT64_MAX ? 0 : start_mon_ns);
	if (w->kinds != NULL && mark_kinds(w, w->kinds) == -1)
		return (EX_USAGE);
	return (place_known(w, command) ? EX_OK : EX_UNAVAILABLE);
}
