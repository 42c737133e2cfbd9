/*
 * What "find" is given: a part of a name, then any of > 5ms, < 20ms, 5ms..20ms
 * and on THREADS.  Whoever is called just so is meant alone.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ui/desk/parse.h"
#include "ui/views/found/found.h"

#define WORD 64

/*
 * '*' and '?' stand for what they do in file names; without them a part is
 * enough.  Case is nothing.
 */
static bool
found_matches(const char *pattern, const char *text)
{
	const char *p = pattern, *star = NULL, *from = NULL;

	if (strpbrk(pattern, "*?") == NULL)
		return (strcasestr(text, pattern) != NULL);
	while (*text != '\0') {
		if (*p == '*') {
			star = ++p;
			from = text;
		} else if (*p == '?' || tolower((unsigned char)*p) ==
					    tolower((unsigned char)*text)) {
			p++;
			text++;
		} else if (star != NULL) {
			p = star;
			text = ++from;
		} else {
			return (false);
		}
	}
	p += strspn(p, "*");
	return (*p == '\0');
}

/* Where the conditions begin: at a word of theirs. */
static size_t
name_length(const char *s)
{
	size_t at = 0, n;

	for (;;) {
		at += strspn(s + at, " \t");
		n = strcspn(s + at, " \t");
		if (n == 0 || s[at] == '<' || s[at] == '>' ||
		    (n == 2 && strncmp(s + at, "on", 2) == 0))
			return (at);
		if (isdigit((unsigned char)s[at]) &&
		    memmem(s + at, n, "..", 2) != NULL)
			return (at);
		at += n;
	}
}

static void
copy_trimmed(char *to, size_t room, const char *from, size_t n)
{
	while (n > 0 && strchr(" \t", from[n - 1]) != NULL)
		n--;
	snprintf(to, room, "%.*s", (int)n, from);
}

/* "> 5ms", ">5ms", ">= 5ms"; *s goes behind it. */
static int
parse_bound(const char **s, struct found_ask *a)
{
	char sign = **s, word[WORD];
	bool equal = (*s)[1] == '=';
	const char *p = *s + 1 + equal;
	size_t n;
	int64_t ns;

	p += strspn(p, " \t");
	n = strcspn(p, " \t");
	if (n == 0 || n >= sizeof(word))
		return (-1);
	snprintf(word, sizeof(word), "%.*s", (int)n, p);
	if (parse_time(word, &ns) == -1)
		return (-1);
	if (sign == '>')
		a->least_ns = ns + !equal;
	else
		a->most_ns = ns - !equal;
	*s = p + n;
	return (0);
}

static int
parse_between(const char **s, struct found_ask *a)
{
	size_t n = strcspn(*s, " \t");
	char word[WORD];

	if (n >= sizeof(word))
		return (-1);
	snprintf(word, sizeof(word), "%.*s", (int)n, *s);
	if (parse_range(word, &a->least_ns, &a->most_ns) == -1)
		return (-1);
	*s += n;
	return (0);
}

int
found_parse(struct ui *ui, const char *text, struct found_ask *a)
{
	const char *s = text + strspn(text, " \t"), *end = NULL;
	size_t n;

	*a = (struct found_ask){ .least_ns = 0, .most_ns = INT64_MAX };
	if (strlen(text) >= FOUND_TEXT)
		return (desk_fail(ui, "find: that is too long"));
	if (*s == '"') { /* a long one may have been cut */
		end = strchr(s + 1, '"');
		end = end == NULL ? s + strlen(s) : end;
		copy_trimmed(a->name, sizeof(a->name), s + 1,
		    (size_t)(end - s) - 1);
		s = end + (*end == '"');
	} else {
		n = name_length(s);
		copy_trimmed(a->name, sizeof(a->name), s, n);
		s += n;
	}
	for (s += strspn(s, " \t"); *s != '\0'; s += strspn(s, " \t")) {
		if (strncmp(s, "on", 2) == 0 && (s[2] == ' ' || s[2] == '\t')) {
			s += 3 + strspn(s + 3, " \t");
			copy_trimmed(a->threads, sizeof(a->threads), s,
			    strlen(s));
			break;
		}
		if ((*s == '<' || *s == '>') ? parse_bound(&s, a) == -1
					     : !isdigit((unsigned char)*s) ||
						   parse_between(&s, a) == -1)
			return (desk_fail(ui,
			    "find wants a name, a length as "
			    "in > 5ms or 5ms..20ms, and on "
			    "THREADS; not: %.60s",
			    s));
	}
	if (a->least_ns > a->most_ns)
		return (desk_fail(ui, "find: nothing is longer than that and "
				      "shorter, too"));
	return (0);
}

/* "5 ms" without rounding, so that it can be read again. */
static int
spell_time(char *buf, size_t n, int64_t ns)
{
	static const struct {
		int64_t ns;
		const char *unit;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (ns != 0 && ns % units[i].ns == 0)
			return (snprintf(buf, n, "%" PRId64 "%s",
			    ns / units[i].ns, units[i].unit));
	return (snprintf(buf, n, "%" PRId64 "ns", ns));
}

char *
found_spell(const struct found_ask *a, char *buf, size_t n)
{
	char word[WORD];
	size_t at = (size_t)snprintf(buf, n, "%s", a->name);

	if (a->least_ns > 0 && at < n) {
		/* of whole ns, longer than 5 ms is at least one more */
		bool more = a->least_ns % 1000 == 1;

		spell_time(word, sizeof(word), a->least_ns - more);
		at += (size_t)snprintf(buf + at, n - at, " %s %s",
		    more ? ">" : ">=", word);
	}
	if (a->most_ns < INT64_MAX && at < n) {
		bool less = a->most_ns % 1000 == 999;

		spell_time(word, sizeof(word), a->most_ns + less);
		at += (size_t)snprintf(buf + at, n - at, " %s %s",
		    less ? "<" : "<=", word);
	}
	if (a->threads[0] != '\0' && at < n)
		snprintf(buf + at, n - at, " on %s", a->threads);
	if (buf[0] == '\0')
		snprintf(buf, n, "any");
	return (buf + (buf[0] == ' '));
}

uint8_t *
found_names(const struct ui *ui, const struct found_ask *a, uint32_t *n)
{
	uint32_t all = model_names(ui->model) + 1;
	uint8_t *found = calloc(all, 1);
	const char *name;
	bool just = false;

	*n = all;
	for (uint32_t i = 1; found != NULL && i < all; i++) {
		name = model_name(ui->model, i);
		if (name == NULL)
			continue;
		found[i] = a->name[0] == '\0' || found_matches(a->name, name);
		if (a->name[0] != '\0' && strcmp(a->name, name) == 0) {
			found[i] = 2;
			just = true;
		}
	}
	for (uint32_t i = 1; found != NULL && i < all && just; i++)
		found[i] = found[i] == 2;
	return (found);
}

/* By its own name, or that of its process or node. */
static bool
thread_is_meant(const struct ui *ui, const struct lane *l, const char *threads)
{
	const struct model *m = ui->model;
	char name[160], place[96];

	if (found_matches(threads, label_lane(m, l, name, sizeof(name))))
		return (true);
	snprintf(place, sizeof(place), "%s/%" PRIu32, label_node(m, l->node),
	    l->po);
	snprintf(name, sizeof(name), "%s PO %" PRIu32,
	    label_program(m, l->node, l->po), l->po);
	return (found_matches(threads, label_node(m, l->node)) ||
		found_matches(threads, place) || found_matches(threads, name));
}

uint8_t *
found_lanes(const struct ui *ui, const struct found_ask *a, uint32_t *n)
{
	uint32_t all = model_lanes(ui->model);
	uint8_t *found = calloc(all + 1u, 1);
	const struct lane *l;

	*n = all;
	for (uint32_t i = 0; found != NULL && i < all; i++) {
		l = model_lane(ui->model, i);
		found[i] = l->kind == LANE_THREAD &&
			   (a->threads[0] == '\0' ||
			       thread_is_meant(ui, l, a->threads));
	}
	return (found);
}
