/* See map.h. */
#include "map.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE   UINT32_MAX
#define BLANKS " \t\r"
#define SHAPE  "NODE COUNT or NODE ranks N N-M ..., then perhaps through COMMAND"

struct reading {
	struct map *map;
	unsigned line;
	char *why;
	size_t n;
};

static int
fail(struct reading *r, const char *what, const char *word)
{
	snprintf(r->why, r->n, "%u: %s%.60s", r->line, what, word);
	return (-1);
}

/* "7"; false: it is no number, or too large. */
static bool
number(const char *s, char **end, unsigned long *v)
{
	if (*s < '0' || *s > '9')
		return (false);
	*v = strtoul(s, end, 10);
	return (*v < MAP_RANKS + 1);
}

static int
put_rank(struct reading *r, unsigned long rank, const char *word)
{
	struct map *m = r->map;

	if (rank >= MAP_RANKS)
		return (fail(r, "ranks go from 0 to 255: ", word));
	if (m->at[rank] != NONE)
		return (fail(r, "this rank has a node already: ", word));
	m->at[rank] = (uint32_t)m->nodes - 1; /* that of this line */
	return (0);
}

/* "3" or "4-6" */
static int
take_ranks(struct reading *r, const char *word)
{
	unsigned long from, to;
	char *end;

	if (!number(word, &end, &from))
		return (fail(r, "this is no rank: ", word));
	to = from;
	if (*end == '-' && (!number(end + 1, &end, &to) || to < from))
		return (fail(r, "this is no range of ranks: ", word));
	if (*end != '\0')
		return (fail(r, "this is no rank: ", word));
	for (; from <= to; from++)
		if (put_rank(r, from, word) == -1)
			return (-1);
	return (0);
}

/* How many, or which. */
static int
take_which(struct reading *r, struct map_node *node, char *rest)
{
	char *save, *word = strtok_r(rest, BLANKS, &save), *end;
	unsigned long v;

	if (word == NULL)
		return (fail(r, "expected " SHAPE, ""));
	if (strcmp(word, "ranks") != 0) {
		if (!number(word, &end, &v) || *end != '\0')
			return (
			    fail(r, "this is no number of instances: ", word));
		node->free = (unsigned)v;
		word = strtok_r(NULL, BLANKS, &save);
		return (word == NULL
			    ? 0
			    : fail(r, "expected through COMMAND, not ", word));
	}
	word = strtok_r(NULL, BLANKS, &save);
	if (word == NULL)
		return (fail(r, "ranks wants some, as in: ranks 0 2-4", ""));
	for (; word != NULL; word = strtok_r(NULL, BLANKS, &save))
		if (take_ranks(r, word) == -1)
			return (-1);
	return (0);
}

static int
take_line(struct reading *r, char *line)
{
	static const char by[] = " through ";
	struct map *m = r->map;
	struct map_node *node;
	char *through, *name;

	line[strcspn(line, "#")] = '\0';
	for (char *p = line; *p != '\0'; p++)
		if (*p == '\t' || *p == '\r')
			*p = ' ';
	name = line + strspn(line, BLANKS);
	if (*name == '\0')
		return (0);
	node = realloc(m->node, (m->nodes + 1) * sizeof(*node));
	if (node == NULL)
		return (fail(r, "out of memory", ""));
	m->node = node;
	node = &m->node[m->nodes];
	*node = (struct map_node){ .line = r->line };
	through = strstr(name, by);
	if (through != NULL) {
		*through = '\0';
		through += sizeof(by) - 1;
		through += strspn(through, BLANKS);
		if (*through == '\0')
			return (fail(r, "through wants a command", ""));
	}
	line = name + strcspn(name, BLANKS);
	if (*line != '\0')
		*line++ = '\0';
	node->name = strdup(name);
	node->through = through != NULL ? strdup(through) : NULL;
	m->nodes++;
	if (node->name == NULL || (through != NULL && node->through == NULL))
		return (fail(r, "out of memory", ""));
	return (take_which(r, node, line));
}

/* Those that are only counted get what is free, in the order of the lines. */
static int
place_free(struct reading *r)
{
	struct map *m = r->map;
	size_t rank = 0;

	for (size_t i = 0; i < m->nodes; i++) {
		r->line = m->node[i].line;
		for (unsigned k = 0; k < m->node[i].free; k++) {
			while (rank < MAP_RANKS && m->at[rank] != NONE)
				rank++;
			if (rank == MAP_RANKS)
				return (fail(r, "there are more than 256", ""));
			m->at[rank] = (uint32_t)i;
		}
	}
	for (size_t k = 0; k < MAP_RANKS; k++)
		if (m->at[k] != NONE)
			m->ranks = k + 1;
	for (size_t k = 0; k < m->ranks; k++)
		if (m->at[k] == NONE) {
			char word[24];

			r->line = m->node[m->at[m->ranks - 1]].line;
			snprintf(word, sizeof(word), "%zu", k);
			return (fail(r, "there is no rank ", word));
		}
	r->line = 1;
	return (m->ranks > 0 ? 0 : fail(r, "no program is to be started", ""));
}

int
map_parse(struct map *m, const char *text, char *why, size_t n)
{
	struct reading r = { .map = m, .why = why, .n = n };
	char *copy = strdup(text), *line = copy, *end;
	int rv = 0;

	memset(m, 0, sizeof(*m));
	m->at = malloc(MAP_RANKS * sizeof(*m->at));
	if (copy == NULL || m->at == NULL)
		rv = fail(&r, "out of memory", "");
	else
		memset(m->at, 0xff, MAP_RANKS * sizeof(*m->at));
	for (; rv == 0 && line != NULL; line = end) {
		r.line++;
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		rv = take_line(&r, line);
	}
	if (rv == 0)
		rv = place_free(&r);
	free(copy);
	return (rv);
}

void
map_clear(struct map *m)
{
	for (size_t i = 0; i < m->nodes; i++) {
		free(m->node[i].name);
		free(m->node[i].through);
	}
	free(m->node);
	free(m->at);
	memset(m, 0, sizeof(*m));
}
