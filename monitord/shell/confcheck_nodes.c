/*
 * The nodes of a cluster file: names that stand for a range of nodes are told
 * out, so that none is given twice, and a range of hosts has to have as many.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "confcheck_inside.h"

#define NODE_NAME_MAX 63

struct one_node {
	struct check *ck;
	const yaml_node_t *name;
	bool said;
};

static int
count_cb(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return (0);
}

static int
add_name(struct check *ck, const char *name, size_t line)
{
	char **names;
	struct place *places;
	size_t cap = ck->cap == 0 ? 64 : ck->cap * 2;

	if (ck->nnames == ck->cap) {
		names = realloc(ck->names, cap * sizeof(*names));
		if (names == NULL)
			return (-1);
		ck->names = names;
		places = realloc(ck->places, cap * sizeof(*places));
		if (places == NULL)
			return (-1);
		ck->places = places;
		ck->cap = cap;
	}
	ck->places[ck->nnames].line = (unsigned)line + 1;
	ck->names[ck->nnames] = strdup(name);
	if (ck->names[ck->nnames] == NULL)
		return (-1);
	ck->nnames++;
	return (0);
}

static int
name_cb(void *arg, const char *name)
{
	struct one_node *o = arg;
	struct check *ck = o->ck;

	if (ck->nnames >= HOSTRANGE_MAX) {
		problem(ck, o->name, "more than %d nodes", HOSTRANGE_MAX);
		return (1);
	}
	if (strlen(name) > NODE_NAME_MAX || strpbrk(name, "/:") != NULL ||
	    name[0] == '.') {
		problem(ck, o->name,
		    "name: '%.80s' has a slash or colon, begins with "
		    "a dot or is longer than %d characters",
		    name, NODE_NAME_MAX);
		return (1);
	}
	for (size_t i = 0; i < ck->nnames; i++) {
		if (strcmp(ck->names[i], name) != 0)
			continue;
		problem(ck, o->name,
		    "name: node '%s' is defined already, in "
		    "line %u",
		    name, ck->places[i].line);
		return (1);
	}
	return (add_name(ck, name, o->name->start_mark.line));
}

/* Within a scalar: its text begins behind a quote if there is one. */
static size_t
column_in(const yaml_node_t *v, size_t i)
{
	bool quoted = v->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
		      v->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;

	return (v->start_mark.column + quoted + i);
}

static int
check_range(struct check *ck, const char *key, const yaml_node_t *v,
    int (*cb)(void *, const char *), void *arg)
{
	const char *why = NULL;
	size_t i = 0;
	int n = v->data.scalar.length > CONFCHECK_NAME_BYTES
		    ? -1 /* said already */
		    : hostrange_each((const char *)v->data.scalar.value, cb,
			  arg, &why, &i);

	if (n == -1 && why != NULL)
		confcheck_problem_at(ck, v->start_mark.line, column_in(v, i),
		    "%s: bad range: %s", key, why);
	return (n);
}

static void
check_one(struct check *ck, const yaml_node_t *v)
{
	const yaml_node_t *name, *host;
	struct one_node o = { .ck = ck };
	int n, m;

	if (v->type != YAML_MAPPING_NODE)
		return; /* said already */
	name = confcheck_find(ck, v, "name");
	host = confcheck_find(ck, v, "host");
	if (name == NULL || name->type != YAML_SCALAR_NODE ||
	    !confcheck_is_word((const char *)name->data.scalar.value))
		return;
	o.name = name;
	n = check_range(ck, "name", name, name_cb, &o);
	if (n == -1 || host == NULL || host->type != YAML_SCALAR_NODE)
		return;
	m = check_range(ck, "host", host, count_cb, NULL);
	if (m != -1 && m != n && m != 1)
		problem(ck, host,
		    "host: stands for %d hosts, but name for %d "
		    "nodes",
		    m, n);
}

void
confcheck_nodes(struct check *ck, const yaml_node_t *root)
{
	const yaml_node_t *nodes, *d;
	const yaml_node_item_t *i;

	if (root->type != YAML_MAPPING_NODE)
		return;
	d = confcheck_find(ck, root, "defaults");
	if (d != NULL && d->type == YAML_MAPPING_NODE) {
		d = confcheck_find(ck, d, "host");
		if (d != NULL && d->type == YAML_SCALAR_NODE)
			check_range(ck, "host", d, count_cb, NULL);
	}
	nodes = confcheck_find(ck, root, "nodes");
	if (nodes == NULL || nodes->type != YAML_SEQUENCE_NODE)
		return;
	for (i = nodes->data.sequence.items.start;
	     i < nodes->data.sequence.items.top; i++)
		check_one(ck, confcheck_at(ck, *i));
}
