/*
 * See choice.h.  A later rule wins, so one that says everything that an earlier
 * one says makes that meaningless: it is dropped, and the list of a run that is
 * changed again and again stays short.
 */
#include "choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glob.h"
#include "plain.h"

static const struct {
	const char *key;
	size_t offset;
} selections[] = {
	{ "program=", offsetof(struct choice_rule, program) },
	{ "node=", offsetof(struct choice_rule, node) },
	{ "thread=", offsetof(struct choice_rule, thread) },
};
#define NSELECTIONS (sizeof(selections) / sizeof(selections[0]))

static char *
selection(struct choice_rule *r, size_t i)
{
	return ((char *)r + selections[i].offset);
}

static const char *
selected(const struct choice_rule *r, size_t i)
{
	return ((const char *)r + selections[i].offset);
}

const char *
choice_pattern_problem(const char *pattern)
{
	char shown[PLAIN_BYTES(CHOICE_PATTERN)];
	size_t n;

	if (*pattern == '\0' || strcmp(pattern, "file:") == 0)
		return ("expected a pattern, such as db_*");
	if (strlen(pattern) >= CHOICE_PATTERN)
		return ("a pattern has at most 119 bytes");
	n = strlen(pattern);
	if (plain(shown, sizeof(shown), pattern, n) != n ||
	    memcmp(shown, pattern, n) != 0)
		return ("a pattern is text, without control characters");
	return (NULL);
}

uint32_t
choice_class(const char *name, size_t n)
{
	if (n == 3 && memcmp(name, "all", 3) == 0)
		return (CHOICE_CLASSES);
	for (unsigned c = 0; c < EVENT_CLASSES; c++)
		if (strlen(event_class_name[c]) == n &&
		    memcmp(event_class_name[c], name, n) == 0)
			return (UINT32_C(1) << c);
	return (0);
}

/* Behind the class and its colon, or what has no class. */
static const char *
take_pattern(struct choice_rule *r, const char *pattern)
{
	const char *why = choice_pattern_problem(pattern);

	if (why != NULL)
		return (why);
	memcpy(r->name, pattern, strlen(pattern) + 1);
	r->classes &= CHOICE_NAMED;
	if (r->classes == 0)
		return ("only call, lock, phase and note can be chosen by "
			"name");
	return (NULL);
}

/* cap:N */
static const char *
cap_word(struct choice_rule *r, const char *number)
{
	char *end;
	unsigned long n = strtoul(number, &end, 10);

	if (*number < '0' || *number > '9' || *end != '\0' ||
	    n > CHOICE_CAP_MAX)
		return ("expected cap: and a number of calls a second, 0 to "
			"1000000000");
	r->classes = CHOICE_CAP;
	r->on = true;
	r->cap = (uint32_t)n;
	return (NULL);
}

const char *
choice_word(struct choice_rule *r, const char *word)
{
	const char *rest = word + 1, *colon;
	size_t n;

	memset(r, 0, sizeof(*r));
	if (strncmp(word, "cap:", 4) == 0)
		return (cap_word(r, word + 4));
	if (*word != '+' && *word != '-')
		return ("expected +CLASS, -CLASS, +PATTERN or -PATTERN");
	r->on = *word == '+';
	colon = strchr(rest, ':');
	n = colon == NULL ? strlen(rest) : (size_t)(colon - rest);
	r->classes = choice_class(rest, n);
	if (r->classes == 0) {
		/* neither a class nor what could be meant as a pattern */
		if (strpbrk(rest, "*?:.") == NULL)
			return ("no such class of events; a pattern has a * or "
				"?, or stands behind a class (-lock:NAME)");
		r->classes = CHOICE_CLASSES;
		return (take_pattern(r, rest));
	}
	if (colon != NULL)
		return (take_pattern(r, colon + 1));
	if (!r->on && (r->classes & ~CHOICE_ALWAYS) == 0)
		return ("life and monitor are always recorded: nothing else "
			"could be understood");
	return (NULL);
}

/* Does a rule say all that this earlier one says? */
static bool
says_all_of(const struct choice_rule *r, const struct choice_rule *before)
{
	for (size_t i = 0; i < NSELECTIONS; i++)
		if (*selected(r, i) != '\0' &&
		    strcmp(selected(r, i), selected(before, i)) != 0)
			return (false);
	return (*r->name == '\0' || strcmp(r->name, before->name) == 0);
}

const char *
choice_add(struct choice *c, const struct choice_rule *r)
{
	uint32_t n = 0;

	if (*r->thread != '\0' && *r->name != '\0')
		return ("names and threads cannot be chosen together");
	if (*r->thread != '\0' && r->classes == CHOICE_CAP)
		return ("a cap is for a process, not for some of its threads");
	for (uint32_t i = 0; i < c->n; i++)
		if (!says_all_of(r, &c->rule[i]) ||
		    (c->rule[i].classes & ~r->classes) != 0)
			n++;
	if (n == CHOICE_RULES)
		return ("there are 64 rules already; --reset begins anew");
	n = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		if (says_all_of(r, &c->rule[i]))
			c->rule[i].classes &= ~r->classes;
		if (c->rule[i].classes != 0)
			c->rule[n++] = c->rule[i];
	}
	c->rule[n] = *r;
	c->n = n + 1;
	return (NULL);
}

/* The classes of a rule, which may be several after others have taken some. */
static size_t
print_classes(char *to, size_t size, uint32_t classes)
{
	size_t n = 0;

	if (classes == CHOICE_CLASSES)
		return ((size_t)snprintf(to, size, "all"));
	for (unsigned c = 0; c < EVENT_CLASSES; c++)
		if (classes & UINT32_C(1) << c)
			n += (size_t)snprintf(to + n, size - n, "%s%s",
			    n == 0 ? "" : ",", event_class_name[c]);
	return (n);
}

static size_t
print_rule(const struct choice_rule *r, char *to, size_t size)
{
	size_t n = 0;

	if (r->classes == CHOICE_CAP)
		n = (size_t)snprintf(to, size, "cap:%" PRIu32, r->cap);
	else
		to[n++] = r->on ? '+' : '-';
	if (*r->name == '\0' && r->classes != CHOICE_CAP)
		n += print_classes(to + n, size - n, r->classes);
	else if (*r->name != '\0' && r->classes != CHOICE_NAMED) {
		n += print_classes(to + n, size - n, r->classes);
		to[n++] = ':';
	}
	n += (size_t)snprintf(to + n, size - n, "%s", r->name);
	for (size_t i = 0; i < NSELECTIONS; i++)
		if (*selected(r, i) != '\0')
			n += (size_t)snprintf(to + n, size - n, "\t%s%s",
			    selections[i].key, selected(r, i));
	to[n++] = '\n';
	to[n] = '\0';
	return (n);
}

size_t
choice_print(const struct choice *c, char text[CHOICE_TEXT_BYTES])
{
	size_t n = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < c->n; i++)
		n += print_rule(&c->rule[i], text + n, CHOICE_LINE);
	return (n);
}

/* "lock,memory" as a text may have it; 0: one of them is none. */
static uint32_t
classes_of(const char *s, size_t n)
{
	uint32_t all = 0, one;

	for (;;) {
		const char *comma = memchr(s, ',', n);
		size_t k = comma == NULL ? n : (size_t)(comma - s);

		one = choice_class(s, k);
		if (one == 0)
			return (0);
		all |= one;
		if (comma == NULL)
			return (all);
		s += k + 1;
		n -= k + 1;
	}
}

/* The first part of a line, which may name several classes. */
static const char *
parse_word(struct choice_rule *r, char *word)
{
	char *colon = strchr(word, ':');
	size_t n = colon == NULL ? strlen(word) : (size_t)(colon - word);
	uint32_t classes = 0;
	const char *why;

	if (n > 1 && memchr(word, ',', n) != NULL)
		classes = classes_of(word + 1, n - 1);
	if (classes == 0)
		return (choice_word(r, word));
	memset(r, 0, sizeof(*r));
	r->on = *word == '+';
	r->classes = classes;
	why = *word != '+' && *word != '-' ? "expected + or -" : NULL;
	if (why == NULL && colon != NULL)
		why = take_pattern(r, colon + 1);
	return (why);
}

static const char *
parse_selection(struct choice_rule *r, const char *part)
{
	const char *why, *value;

	for (size_t i = 0; i < NSELECTIONS; i++) {
		size_t n = strlen(selections[i].key);

		if (strncmp(part, selections[i].key, n) != 0)
			continue;
		value = part + n;
		why = choice_pattern_problem(value);
		if (why == NULL)
			memcpy(selection(r, i), value, strlen(value) + 1);
		return (why);
	}
	return ("expected program=, node= or thread=");
}

static const char *
parse_line(struct choice *c, char *line)
{
	struct choice_rule r = { 0 };
	char *save = NULL, *part = strtok_r(line, "\t", &save);
	const char *why;

	if (part == NULL)
		return ("an empty rule");
	why = parse_word(&r, part);
	while (why == NULL && (part = strtok_r(NULL, "\t", &save)) != NULL)
		why = parse_selection(&r, part);
	return (why != NULL ? why : choice_add(c, &r));
}

const char *
choice_typed(struct choice *c, const char *typed)
{
	char line[CHOICE_LINE], *to = line;

	if (strlen(typed) >= sizeof(line))
		return ("a rule is too long");
	for (; *typed != '\0'; typed++) {
		if (*typed == '\t' || *typed == '\n')
			return ("a rule has no tabs and is on one line");
		*to++ = *typed;
		if (strncmp(typed, " --", 3) == 0) {
			to[-1] = '\t';
			typed += 2;
		}
	}
	*to = '\0';
	return (parse_line(c, line));
}

const char *
choice_parse(struct choice *c, const char *text, size_t n)
{
	char line[CHOICE_LINE];
	const char *why = NULL;

	while (n > 0 && why == NULL) {
		const char *end = memchr(text, '\n', n);
		size_t k = end == NULL ? n : (size_t)(end - text);

		if (k >= sizeof(line) || memchr(text, '\0', k) != NULL)
			return ("a rule is too long, or has a NUL");
		memcpy(line, text, k);
		line[k] = '\0';
		why = parse_line(c, line);
		k += end != NULL;
		text += k;
		n -= k;
	}
	return (why);
}

static bool
is_here(const struct choice_rule *r, const char *node, const char *program)
{
	return ((*r->node == '\0' || glob_is(r->node, node, strlen(node))) &&
		(*r->program == '\0' ||
		    glob_is(r->program, program, strlen(program))));
}

/* Of a class as a whole: what was said of names before is void. */
static void
class_rule(struct choice_of *of, const struct choice_rule *r)
{
	of->classes = r->on ? of->classes | r->classes
			    : of->classes & (~r->classes | CHOICE_ALWAYS);
	for (uint32_t i = 0; i < of->n; i++)
		if (*of->rule[i].name != '\0')
			of->rule[i].classes &= ~r->classes;
}

void
choice_of(const struct choice *c, uint32_t base, const char *node,
    const char *program, struct choice_of *of)
{
	uint32_t n = 0;

	memset(of, 0, sizeof(*of));
	of->classes = base | CHOICE_ALWAYS;
	for (uint32_t i = 0; i < c->n; i++) {
		const struct choice_rule *r = &c->rule[i];

		if (!is_here(r, node, program))
			continue;
		if (r->classes == CHOICE_CAP)
			of->cap = r->cap;
		else if (*r->name == '\0' && *r->thread == '\0')
			class_rule(of, r);
		else
			of->rule[of->n++] = *r;
	}
	for (uint32_t i = 0; i < of->n; i++) {
		if (of->rule[i].classes == 0)
			continue;
		if (*of->rule[i].name != '\0' && of->rule[i].on)
			of->some |= of->rule[i].classes & ~of->classes;
		of->rule[n++] = of->rule[i];
	}
	of->n = n;
}

struct words {
	char *text;
	size_t n;
};

static void
say(struct words *w, const char *text)
{
	size_t k = strlen(text);

	if (w->n + k >= CHOICE_WORDS)
		k = CHOICE_WORDS - 1 - w->n;
	memcpy(w->text + w->n, text, k);
	w->n += k;
	w->text[w->n] = '\0';
}

static void
say_classes(struct words *w, uint32_t classes)
{
	bool first = true;

	if (classes == CHOICE_CLASSES) {
		say(w, "all");
		return;
	}
	for (unsigned c = 0; c < EVENT_CLASSES; c++) {
		if ((classes & UINT32_C(1) << c) == 0)
			continue;
		say(w, first ? "" : ", ");
		say(w, event_class_name[c]);
		first = false;
	}
}

static void
say_rule(struct words *w, const struct choice_rule *r)
{
	say(w, r->on ? "; with " : "; without ");
	if (*r->thread != '\0') {
		say_classes(w, r->classes == CHOICE_CLASSES
				   ? r->classes
				   : r->classes & ~CHOICE_ALWAYS);
		say(w, " of threads ");
		say(w, r->thread);
		return;
	}
	if (r->classes != CHOICE_NAMED) {
		say_classes(w, r->classes);
		say(w, " ");
	}
	say(w, r->name);
}

void
choice_words(const struct choice_of *of, char text[CHOICE_WORDS])
{
	struct words w = { text, 0 };
	char cap[16];
	uint32_t out = CHOICE_CLASSES & ~of->classes;
	uint32_t in = of->classes & ~CHOICE_ALWAYS;

	if (out == 0)
		say(&w, "all classes");
	else if (in == 0)
		say(&w, "nothing but who there is");
	else if (__builtin_popcount(out) <= EVENT_CLASSES / 2) {
		say(&w, "all classes but ");
		say_classes(&w, out);
	} else {
		say_classes(&w, in);
	}
	for (uint32_t i = 0; i < of->n; i++)
		say_rule(&w, &of->rule[i]);
	if (of->cap != 0) {
		snprintf(cap, sizeof(cap), "%" PRIu32, of->cap);
		say(&w, "; of a function ");
		say(&w, cap);
		say(&w, " calls a second, more are counted");
	}
}
