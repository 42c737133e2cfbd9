/*
 * Groups and names as lines of the file of notes (notefile.h): rows are told by
 * their numbers, which are those of the log for ever, in ranges.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/desk/parse.h"
#include "ui/notes/groups.h"

#define PER_LINE 32 /* ranges of a group; more are lines of their own */

/* A number at *at, which moves on. */
static bool
number(const char **at, uint32_t *v)
{
	uint64_t n = 0;
	const char *p = *at;

	for (; *p >= '0' && *p <= '9' && n < HAND_LANE; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	if (p == *at || n >= HAND_LANE)
		return (false);
	*v = (uint32_t)n;
	*at = p;
	return (true);
}

int
groups_rows(const char *word, void (*cb)(void *, uint32_t), void *arg)
{
	uint32_t from, to;

	for (;; word++) {
		if (!number(&word, &from))
			return (-1);
		to = from;
		if (*word == ':' && (word++, !number(&word, &to)))
			return (-1);
		if (to < from || to - from >= HAND_MEMBERS_MAX)
			return (-1);
		for (; cb != NULL && from <= to; from++)
			cb(arg, from);
		if (*word == '\0')
			return (0);
		if (*word != ',')
			return (-1);
	}
}

struct joining {
	struct hand *h;
	struct hand_group *g;
	bool full;
};

static void
join_cb(void *arg, uint32_t lane)
{
	struct joining *j = arg;

	j->full |= hand_join(j->h, j->g, lane) == -1;
}

/* "3,5:8 NAME" */
static int
parse_group(struct hand *h, const char *line, const char **why)
{
	struct joining j = { .h = h };
	char w[512];

	*why = "group wants rows and a name, as in: group 3,5:8 workers";
	if (!parse_word(&line, w, sizeof(w)) ||
	    groups_rows(w, NULL, NULL) == -1)
		return (-1);
	*why = groups_wrong_name(line, true);
	if ((*why)[0] != '\0')
		return (-1);
	j.g = hand_find(h, line);
	if (j.g == NULL || j.g->class != 0)
		j.g = hand_make(h, line, 0);
	*why = "there are too many groups";
	if (j.g == NULL)
		return (-1);
	groups_rows(w, join_cb, &j);
	*why = "there are too many rows in this group";
	return (j.full ? -1 : 0);
}

/* "row 12 NAME", "function 7 NAME" */
static int
parse_name(struct hand *h, const char *line, const char **why)
{
	struct hand_names *k = &h->rows;
	char w[16];
	uint64_t of;

	*why = "name wants row or function, a number and a name";
	if (!parse_word(&line, w, sizeof(w)))
		return (-1);
	if (strcmp(w, "function") == 0)
		k = &h->functions;
	else if (strcmp(w, "row") != 0)
		return (-1);
	if (!parse_word(&line, w, sizeof(w)) || parse_number(w, &of) == -1 ||
	    of >= HAND_LANE || line[0] == '\0')
		return (-1);
	*why = groups_wrong_name(line, false);
	if ((*why)[0] != '\0')
		return (-1);
	*why = "there are too many names";
	return (hand_call(h, k, (uint32_t)of, line));
}

int
groups_parse(struct hand *h, const char *line, const char **why)
{
	char w[16];

	*why = NULL;
	if (!parse_word(&line, w, sizeof(w)))
		return (-1);
	if (strcmp(w, "group") == 0)
		return (parse_group(h, line, why));
	if (strcmp(w, "name") == 0)
		return (parse_name(h, line, why));
	if (strcmp(w, "afresh") != 0 || line[0] != '\0')
		return (-1);
	hand_clear(h);
	return (0);
}

static void
write_group(FILE *f, const struct hand_group *g)
{
	uint32_t ranges = 0, from, to;

	for (uint32_t i = 0; i < g->n; i++) {
		from = to = g->member[i];
		while (i + 1 < g->n && g->member[i + 1] == to + 1) {
			to++;
			i++;
		}
		fprintf(f, "%s%" PRIu32, ranges == 0 ? "group " : ",", from);
		if (to > from)
			fprintf(f, ":%" PRIu32, to);
		if (++ranges == PER_LINE || i + 1 == g->n) {
			fprintf(f, " %s\n", g->name);
			ranges = 0;
		}
	}
}

void
groups_write(FILE *f, const struct hand *h)
{
	for (uint32_t i = 0; i < h->rows.n; i++)
		fprintf(f, "name row %" PRIu32 " %s\n", h->rows.name[i].of,
		    h->rows.name[i].text);
	for (uint32_t i = 0; i < h->functions.n; i++)
		fprintf(f, "name function %" PRIu32 " %s\n",
		    h->functions.name[i].of, h->functions.name[i].text);
	for (uint32_t i = 0; i < h->ngroups; i++)
		if (h->group[i] != NULL && h->group[i]->class == 0)
			write_group(f, h->group[i]);
}
