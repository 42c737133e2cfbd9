/*
 * Rules as a user types them, in a row, with what they are for: what monitord
 * is asked for, by monitorctl and by a viewer.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"

struct line {
	struct choice_rule rule[CHOICE_RULES], all; /* all: selections */
	uint32_t n;
	bool reset, later, any;
	uint64_t for_ms; /* 0: for good */
};

static const struct {
	const char *option;
	size_t offset;
} selections[] = {
	{ "--program", offsetof(struct choice_rule, program) },
	{ "--node", offsetof(struct choice_rule, node) },
	{ "--thread", offsetof(struct choice_rule, thread) },
};
#define NSELECTIONS (sizeof(selections) / sizeof(selections[0]))

/* Of a selection, in *taken how many words it takes; 0: it is none. */
static const char *
take_selection(struct line *l, char *const *v, int *taken)
{
	for (size_t i = 0; i < NSELECTIONS; i++) {
		const char *option = selections[i].option, *value, *why;
		size_t n = strlen(option);
		bool own = v[0][n] == '=';

		if (strncmp(v[0], option, n) != 0 || (v[0][n] != '\0' && !own))
			continue;
		value = own ? v[0] + n + 1 : v[1];
		if (value == NULL)
			return ("needs a value");
		why = choice_pattern_problem(value);
		if (why != NULL)
			return (why);
		memcpy((char *)&l->all + selections[i].offset, value,
		    strlen(value) + 1);
		l->any = true;
		*taken = own ? 1 : 2;
		return (NULL);
	}
	*taken = 0;
	return (NULL);
}

/* --for SECONDS, as take_selection(). */
static const char *
take_for(struct line *l, char *const *v, int *taken)
{
	bool own = strncmp(*v, "--for=", 6) == 0;
	const char *value = own ? *v + 6 : v[1];
	char *end;
	double s;

	*taken = 0;
	if (!own && strcmp(*v, "--for") != 0)
		return (NULL);
	if (value == NULL)
		return ("needs a value");
	s = strtod(value, &end);
	if (*value < '0' || *value > '9' || *end != '\0' || !(s >= 0.001) ||
	    !(s * 1000 <= (double)CHOICE_FOR_MS))
		return ("expected seconds, from 0.001 to 86400");
	l->for_ms = (uint64_t)(s * 1000);
	l->any = true;
	*taken = own ? 1 : 2;
	return (NULL);
}

/* "-lock 'db_*'": a pattern without a sign is of the class before it. */
static const char *
narrow(struct line *l, const char *pattern)
{
	char word[CHOICE_LINE];
	struct choice_rule *r = &l->rule[l->n - 1];

	for (unsigned c = 0; c < EVENT_CLASSES; c++) {
		if (r->classes != UINT32_C(1) << c || *r->name != '\0')
			continue;
		snprintf(word, sizeof(word), "%c%s:%s", r->on ? '+' : '-',
		    event_class_name[c], pattern);
		return (choice_word(r, word));
	}
	return ("a pattern needs a + or -, or a class before it");
}

static const char *
take_word(struct line *l, const char *word)
{
	bool rule =
	    *word == '+' || *word == '-' || strncmp(word, "cap:", 4) == 0;

	if (l->n == CHOICE_RULES)
		return ("there is room for 64 rules");
	if (rule)
		return (choice_word(&l->rule[l->n++], word));
	if (l->n > 0)
		return (narrow(l, word));
	return ("expected +CLASS, -CLASS, +PATTERN or -PATTERN");
}

static const char *
take_all(struct line *l, char *const *v, const char **bad)
{
	const char *why = NULL;
	int n;

	while (*v != NULL && why == NULL) {
		*bad = *v;
		n = 1;
		if (strcmp(*v, "--reset") == 0)
			l->reset = true;
		else if (strcmp(*v, "--later") == 0)
			l->later = l->any = true;
		else if (strncmp(*v, "--", 2) == 0) {
			why = take_for(l, v, &n);
			if (why == NULL && n == 0)
				why = take_selection(l, v, &n);
			if (why == NULL && n == 0)
				why = "no such option";
		} else
			why = take_word(l, *v);
		v += n;
	}
	return (why);
}

const char *
choice_request(char *const *words, char text[CHOICE_REQUEST_BYTES], size_t *n,
    const char **bad)
{
	static struct line l;
	static struct choice c;
	const char *why;

	memset(&l, 0, sizeof(l));
	c.n = 0;
	why = take_all(&l, words, bad);
	if (why != NULL)
		return (why);
	*bad = NULL;
	for (uint32_t i = 0; i < l.n && why == NULL; i++) {
		struct choice_rule r = l.rule[i];

		memcpy(r.program, l.all.program, sizeof(r.program));
		memcpy(r.node, l.all.node, sizeof(r.node));
		memcpy(r.thread, l.all.thread, sizeof(r.thread));
		why = choice_add(&c, &r);
	}
	if (why == NULL && l.n == 0 && l.any)
		why = "there is no rule that it could be for";
	if (why != NULL)
		return (why);
	*n = (size_t)snprintf(text, 64, "%s%s", l.reset ? "reset\n" : "",
	    l.later ? "later\n" : "");
	if (l.for_ms > 0)
		*n += (size_t)snprintf(text + *n, 40, "for %" PRIu64 "\n",
		    l.for_ms);
	*n += choice_print(&c, text + *n);
	return (NULL);
}
