/*
 * What is wrong with a cluster file, with line and column.
 *
 * libcyaml says that something does not fit the schema, but not always where.
 * So libyaml's tree, whose nodes know their place, is compared with the same
 * schema first; rows of a table check what a value must look like.  Problems
 * are collected, not just the first one.
 */
#include "confcheck.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "event.h"

#define PROBLEMS_MAX  50
#define NODE_NAME_MAX 63

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

static void __attribute__((format(printf, 4, 5)))
problem_at(struct check *ck, size_t line, size_t column, const char *fmt, ...)
{
	char text[1024];
	int n;
	va_list ap;

	if (++ck->problems > PROBLEMS_MAX)
		return;
	n = snprintf(text, sizeof(text), "%s:%zu:%zu: ", ck->path, line + 1,
	    column + 1);
	va_start(ap, fmt);
	if (n >= 0 && (size_t)n < sizeof(text))
		vsnprintf(text + n, sizeof(text) - (size_t)n, fmt, ap);
	va_end(ap);
	ck->report(ck->arg, text);
}
#define problem(ck, node, ...)                                                 \
	problem_at(ck, (node)->start_mark.line, (node)->start_mark.column,     \
	    __VA_ARGS__)

/* --- what values must look like --- */

/* A whole number of at most `max` and one of the units. */
static bool
is_quantity(const char *s, const char *const *units, unsigned long max)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)s[0]))
		return (false);
	errno = 0;
	v = strtoul(s, &end, 10);
	if (v == 0 || v > max || errno != 0)
		return (false);
	for (; *units != NULL; units++)
		if (strcmp(end, *units) == 0)
			return (true);
	return (false);
}

static bool
is_size(const char *s)
{
	static const char *const units[] = { "", "K", "M", "G", NULL };

	return (is_quantity(s, units, 1ul << 30));
}

static bool
is_duration(const char *s)
{
	static const char *const units[] = { "us", "ms", "s", NULL };

	return (is_quantity(s, units, 1000000));
}

static bool
is_rings(const char *s)
{
	static const char *const units[] = { "", NULL };

	return (is_quantity(s, units, 65536));
}

static bool
is_launch(const char *s)
{
	for (int i = 0; i < CONF_LAUNCHES; i++)
		if (strcmp(s, conf_launch_name[i]) == 0)
			return (true);
	return (false);
}

static bool
is_full(const char *s)
{
	static const char *const units[] = { "", NULL };

	return (
	    strcmp(s, "discard") == 0 ||
	    (strncmp(s, "wait:", 5) == 0 && is_quantity(s + 5, units, 60000)));
}

static bool
is_class(const char *s)
{
	if (strcmp(s, "all") == 0)
		return (true);
	for (int i = 0; i < EVENT_CLASSES; i++)
		if (strcmp(s, event_class_name[i]) == 0)
			return (true);
	return (false);
}

static bool
is_test_clock(const char *s)
{
	char *end;

	for (int i = 0; i < 3; i++, s = end + 1) {
		strtod(s, &end);
		if (end == s || (*end != ',' && *end != '\0'))
			return (false);
		if (*end == '\0')
			return (i >= 1);
	}
	return (false);
}

static bool
is_text(const char *s)
{
	return (s[0] != '\0');
}

/* No blank, and nothing that ssh could take for an option. */
static bool
is_word(const char *s)
{
	if (s[0] == '\0' || s[0] == '-')
		return (false);
	for (; *s != '\0'; s++)
		if (isspace((unsigned char)*s) || iscntrl((unsigned char)*s))
			return (false);
	return (true);
}

static const struct {
	const char *key;
	bool (*is)(const char *);
	const char *expected;
} values[] = {
	{ "log", is_text, "the name of a file" },
	{ "name", is_word, "a name without blanks" },
	{ "launch", is_launch, "local, ssh or none" },
	{ "host", is_word, "the name of a host" },
	{ "user", is_word, "the name of a user" },
	{ "collector", is_text, "the path of the collector program" },
	{ "dir", is_text, "a directory" },
	{ "ssh", is_text, "the ssh command" },
	{ "ring", is_size, "a size such as 2M (K, M, G)" },
	{ "rings", is_rings, "a whole number from 1 to 65536" },
	{ "spool", is_size, "a size such as 256M (K, M, G)" },
	{ "flush", is_duration, "a duration such as 5ms (us, ms, s)" },
	{ "full", is_full, "discard, or wait:MS (at most 60000)" },
	{ "test_clock", is_test_clock,
	    "SECONDS,PPM or SECONDS,PPM,WANDER_PPM" },
	{ "mask", is_class,
	    "a class of events: life, task, block, call, message, rpc, lock, "
	    "object, memory, phase, note, monitor; or all" },
};
#define NVALUES (sizeof(values) / sizeof(values[0]))

static void
check_value(struct check *ck, const char *key, const yaml_node_t *v)
{
	const char *s = (const char *)v->data.scalar.value;

	if (strlen(s) != v->data.scalar.length) {
		problem(ck, v, "%s: a NUL byte is not allowed", key);
		return;
	}
	for (size_t i = 0; i < NVALUES; i++) {
		if (strcmp(values[i].key, key) != 0 || values[i].is(s))
			continue;
		problem(ck, v, "%s: %s was expected, not '%.60s'", key,
		    values[i].expected, s);
		return;
	}
	if (strcmp(key, "listen") == 0 && conf_address_problem(s) != NULL)
		problem(ck, v, "listen: %s", conf_address_problem(s));
}

/* --- keys --- */

/* Edits that make a of b, up to a few: for "did you mean". */
static unsigned
distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	unsigned row[33], diagonal, up;

	if (n > 32 || m > 32)
		return (99);
	for (size_t j = 0; j <= m; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		diagonal = row[0];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			up = row[j];
			row[j] = diagonal + (a[i - 1] != b[j - 1]);
			if (up + 1 < row[j])
				row[j] = up + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			diagonal = up;
		}
	}
	return (row[m]);
}

static void
unknown_key(struct check *ck, const yaml_node_t *key,
    const cyaml_schema_field_t *fields)
{
	const char *s = (const char *)key->data.scalar.value, *best = NULL;
	char all[300] = "";
	unsigned d, least = 3;
	size_t n = 0;

	for (; fields->key != NULL; fields++) {
		d = distance(s, fields->key);
		if (d < least) {
			least = d;
			best = fields->key;
		}
		n += (size_t)snprintf(all + n,
		    n < sizeof(all) ? sizeof(all) - n : 0, "%s%s",
		    n == 0 ? "" : ", ", fields->key);
		if (n >= sizeof(all))
			n = sizeof(all) - 1;
	}
	if (best != NULL)
		problem(ck, key, "unknown key '%.60s'; did you mean '%s'?", s,
		    best);
	else
		problem(ck, key, "unknown key '%.60s'; %s are known here", s,
		    all);
}

static bool
is_mapping(const cyaml_schema_value_t *s)
{
	return (s->type == CYAML_MAPPING);
}

static void check_node(struct check *, const char *key, const yaml_node_t *,
    const cyaml_schema_value_t *);

static yaml_node_t *
at(struct check *ck, int i)
{
	return (yaml_document_get_node(&ck->doc, i));
}

static void
check_pair(struct check *ck, const yaml_node_t *map, const yaml_node_pair_t *p,
    const cyaml_schema_field_t *fields)
{
	const yaml_node_t *key = at(ck, p->key), *other;
	const cyaml_schema_field_t *f;
	const char *s;

	if (key->type != YAML_SCALAR_NODE) {
		problem(ck, key, "a key was expected");
		return;
	}
	s = (const char *)key->data.scalar.value;
	for (const yaml_node_pair_t *q = map->data.mapping.pairs.start; q < p;
	     q++) {
		other = at(ck, q->key);
		if (other->type == YAML_SCALAR_NODE &&
		    strcmp((char *)other->data.scalar.value, s) == 0) {
			problem(ck, key,
			    "'%.60s' is given twice (first in "
			    "line %zu)",
			    s, other->start_mark.line + 1);
			return;
		}
	}
	for (f = fields; f->key != NULL && strcmp(f->key, s) != 0; f++)
		;
	if (f->key == NULL)
		unknown_key(ck, key, fields);
	else
		check_node(ck, f->key, at(ck, p->value), &f->value);
}

static const yaml_node_t *
find(struct check *ck, const yaml_node_t *map, const char *key)
{
	const yaml_node_pair_t *p;
	const yaml_node_t *k;

	for (p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
	     p++) {
		k = at(ck, p->key);
		if (k->type == YAML_SCALAR_NODE &&
		    strcmp((char *)k->data.scalar.value, key) == 0)
			return (at(ck, p->value));
	}
	return (NULL);
}

static void
check_mapping(struct check *ck, const yaml_node_t *map,
    const cyaml_schema_field_t *fields)
{
	const yaml_node_pair_t *p;

	for (p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
	     p++)
		check_pair(ck, map, p, fields);
	for (; fields->key != NULL; fields++)
		if (!(fields->value.flags & CYAML_FLAG_OPTIONAL) &&
		    find(ck, map, fields->key) == NULL)
			problem(ck, map, "'%s' is missing", fields->key);
}

/* One part of the file against its part of the schema. */
static void
check_node(struct check *ck, const char *key, const yaml_node_t *v,
    const cyaml_schema_value_t *s)
{
	const yaml_node_item_t *i;

	switch (s->type) {
	case CYAML_MAPPING:
		if (v->type == YAML_MAPPING_NODE)
			check_mapping(ck, v, s->mapping.fields);
		else
			problem(ck, v,
			    "%s: a mapping (key: value) was "
			    "expected",
			    key);
		break;
	case CYAML_SEQUENCE:
		if (v->type != YAML_SEQUENCE_NODE) {
			problem(ck, v, "%s: a list was expected, %s", key,
			    is_mapping(s->sequence.entry)
				? "each entry beginning with '- name: ...'"
				: "such as [task, message]");
			break;
		}
		if (v->data.sequence.items.start == v->data.sequence.items.top)
			problem(ck, v, "%s: at least one was expected", key);
		for (i = v->data.sequence.items.start;
		     i < v->data.sequence.items.top; i++)
			check_node(ck, key, at(ck, *i), s->sequence.entry);
		break;
	default:
		if (v->type == YAML_SCALAR_NODE)
			check_value(ck, key, v);
		else
			problem(ck, v,
			    "%s: a single value was expected, not "
			    "a %s",
			    key,
			    v->type == YAML_SEQUENCE_NODE ? "list" : "mapping");
	}
}

/* --- nodes: ranges, duplicates --- */

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
	const char *why;
	size_t i;
	int n = hostrange_each((const char *)v->data.scalar.value, cb, arg,
	    &why, &i);

	if (n == -1 && why != NULL)
		problem_at(ck, v->start_mark.line, column_in(v, i),
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
	name = find(ck, v, "name");
	host = find(ck, v, "host");
	if (name == NULL || name->type != YAML_SCALAR_NODE ||
	    !is_word((const char *)name->data.scalar.value))
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

static void
check_nodes(struct check *ck, const yaml_node_t *root)
{
	const yaml_node_t *nodes, *d;
	const yaml_node_item_t *i;

	if (root->type != YAML_MAPPING_NODE)
		return;
	d = find(ck, root, "defaults");
	if (d != NULL && d->type == YAML_MAPPING_NODE) {
		d = find(ck, d, "host");
		if (d != NULL && d->type == YAML_SCALAR_NODE)
			check_range(ck, "host", d, count_cb, NULL);
	}
	nodes = find(ck, root, "nodes");
	if (nodes == NULL || nodes->type != YAML_SEQUENCE_NODE)
		return;
	for (i = nodes->data.sequence.items.start;
	     i < nodes->data.sequence.items.top; i++)
		check_one(ck, at(ck, *i));
}

/* --- the whole --- */

static void
check_document(struct check *ck)
{
	const yaml_node_t *root = yaml_document_get_root_node(&ck->doc);

	if (root == NULL) {
		problem_at(ck, 0, 0,
		    "the file is empty; at least 'nodes:' "
		    "with a list was expected");
		return;
	}
	check_node(ck, "the file", root, &conf_schema);
	check_nodes(ck, root);
}

unsigned
conf_check(const char *path, const char *text, size_t n, conf_report *report,
    void *arg)
{
	struct check ck = { .path = path, .report = report, .arg = arg };
	yaml_parser_t parser;

	if (!yaml_parser_initialize(&parser)) {
		report(arg, "out of memory");
		return (1);
	}
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
	if (yaml_parser_load(&parser, &ck.doc)) {
		check_document(&ck);
		yaml_document_delete(&ck.doc);
	} else {
		problem_at(&ck, parser.problem_mark.line,
		    parser.problem_mark.column, "this is not YAML: %s%s%s",
		    parser.problem != NULL ? parser.problem : "unreadable",
		    parser.context != NULL ? " " : "",
		    parser.context != NULL ? parser.context : "");
	}
	yaml_parser_delete(&parser);
	for (size_t i = 0; i < ck.nnames; i++)
		free(ck.names[i]);
	free(ck.names);
	free(ck.places);
	return (ck.problems);
}
