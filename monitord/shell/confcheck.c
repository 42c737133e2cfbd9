/*
 * What is wrong with a cluster file, with line and column.
 *
 * libcyaml says that something does not fit the schema, but not always where.
 * So libyaml's tree, whose nodes know their place, is compared with the same
 * schema first: keys and their kinds here, what the values look like in
 * confcheck_value.c, what the names of nodes stand for in confcheck_nodes.c.
 * Problems are collected, not just the first one.
 */
#include "confcheck.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "confcheck_inside.h"

#define PROBLEMS_MAX 50
#define DEPTH_MAX    16u
#define THINGS_MAX   250000u /* 4,096 nodes with all there is to say */
#define KEYS_MAX     64      /* of a mapping */

void
confcheck_problem_at(struct check *ck, size_t line, size_t column,
    const char *fmt, ...)
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

yaml_node_t *
confcheck_at(struct check *ck, int i)
{
	return (yaml_document_get_node(&ck->doc, i));
}

static void
check_pair(struct check *ck, const yaml_node_t *map, const yaml_node_pair_t *p,
    const cyaml_schema_field_t *fields)
{
	const yaml_node_t *key = confcheck_at(ck, p->key), *other;
	const cyaml_schema_field_t *f;
	const char *s;

	if (key->type != YAML_SCALAR_NODE) {
		problem(ck, key, "a key was expected");
		return;
	}
	s = (const char *)key->data.scalar.value;
	for (const yaml_node_pair_t *q = map->data.mapping.pairs.start; q < p;
	     q++) {
		other = confcheck_at(ck, q->key);
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
		check_node(ck, f->key, confcheck_at(ck, p->value), &f->value);
}

const yaml_node_t *
confcheck_find(struct check *ck, const yaml_node_t *map, const char *key)
{
	const yaml_node_pair_t *p;
	const yaml_node_t *k;

	for (p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
	     p++) {
		k = confcheck_at(ck, p->key);
		if (k->type == YAML_SCALAR_NODE &&
		    strcmp((char *)k->data.scalar.value, key) == 0)
			return (confcheck_at(ck, p->value));
	}
	return (NULL);
}

static void
check_mapping(struct check *ck, const yaml_node_t *map,
    const cyaml_schema_field_t *fields)
{
	const yaml_node_pair_t *p = map->data.mapping.pairs.start;

	if (map->data.mapping.pairs.top - p > KEYS_MAX) {
		problem(ck, map, "more than %d keys", KEYS_MAX);
		return;
	}
	for (; p < map->data.mapping.pairs.top; p++)
		check_pair(ck, map, p, fields);
	for (; fields->key != NULL; fields++)
		if (!(fields->value.flags & CYAML_FLAG_OPTIONAL) &&
		    confcheck_find(ck, map, fields->key) == NULL)
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
		if (v->data.sequence.items.top - v->data.sequence.items.start >
		    (ptrdiff_t)s->sequence.max) {
			problem(ck, v, "%s: %u at most were expected", key,
			    s->sequence.max);
			break;
		}
		for (i = v->data.sequence.items.start;
		     i < v->data.sequence.items.top; i++)
			check_node(ck, key, confcheck_at(ck, *i),
			    s->sequence.entry);
		break;
	default:
		if (v->type == YAML_SCALAR_NODE)
			confcheck_value(ck, key, v);
		else
			problem(ck, v,
			    "%s: a single value was expected, not "
			    "a %s",
			    key,
			    v->type == YAML_SEQUENCE_NODE ? "list" : "mapping");
	}
}

/*
 * Whether the file is small enough to be read: libyaml takes time that grows
 * with the square of how deeply a file is nested, and keeps a few hundred bytes
 * of each thing in it.  What is no YAML is for the next who reads it.
 */
static bool
check_size(struct check *ck, const char *text, size_t n)
{
	yaml_parser_t parser;
	yaml_event_t e;
	unsigned depth = 0, things = 0;
	bool more = true, good = true;

	if (!yaml_parser_initialize(&parser))
		return (true);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
	while (more && good && yaml_parser_parse(&parser, &e)) {
		more = e.type != YAML_STREAM_END_EVENT;
		if (e.type == YAML_MAPPING_START_EVENT ||
		    e.type == YAML_SEQUENCE_START_EVENT)
			depth++;
		if (e.type == YAML_MAPPING_END_EVENT ||
		    e.type == YAML_SEQUENCE_END_EVENT)
			depth--;
		good = depth <= DEPTH_MAX && ++things <= THINGS_MAX;
		if (!good)
			confcheck_problem_at(ck, e.start_mark.line,
			    e.start_mark.column,
			    depth > DEPTH_MAX
				? "nested more than %u deep; that is no "
				  "cluster file"
				: "more than %u keys and values; that is no "
				  "cluster file",
			    depth > DEPTH_MAX ? DEPTH_MAX : THINGS_MAX);
		yaml_event_delete(&e);
	}
	yaml_parser_delete(&parser);
	return (good);
}

static void
check_document(struct check *ck)
{
	const yaml_node_t *root = yaml_document_get_root_node(&ck->doc);

	if (root == NULL) {
		confcheck_problem_at(ck, 0, 0,
		    "the file is empty; at least 'nodes:' "
		    "with a list was expected");
		return;
	}
	check_node(ck, "the file", root, &conf_schema);
	confcheck_nodes(ck, root);
}

/* { name: n[01-16] }: within braces a [ begins a list. */
static const char *
range_in_flow(const char *text, size_t n, size_t at)
{
	if (at == 0 || at >= n || text[at] != '[' ||
	    strchr(" \t\n,[{:", text[at - 1]) != NULL)
		return ("");
	return ("; within { } a range wants quotes, as in "
		"\"n[01-16]\"");
}

unsigned
conf_check(const char *path, const char *text, size_t n, conf_report *report,
    void *arg)
{
	struct check ck = { .path = path, .report = report, .arg = arg };
	yaml_parser_t parser;

	if (!check_size(&ck, text, n))
		return (ck.problems);
	if (!yaml_parser_initialize(&parser)) {
		report(arg, "out of memory");
		return (1);
	}
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
	if (yaml_parser_load(&parser, &ck.doc)) {
		check_document(&ck);
		yaml_document_delete(&ck.doc);
	} else {
		confcheck_problem_at(&ck, parser.problem_mark.line,
		    parser.problem_mark.column, "this is not YAML: %s%s%s%s",
		    parser.problem != NULL ? parser.problem : "unreadable",
		    parser.context != NULL ? " " : "",
		    parser.context != NULL ? parser.context : "",
		    range_in_flow(text, n, parser.problem_mark.index));
	}
	yaml_parser_delete(&parser);
	for (size_t i = 0; i < ck.nnames; i++)
		free(ck.names[i]);
	free(ck.names);
	free(ck.places);
	return (ck.problems);
}
