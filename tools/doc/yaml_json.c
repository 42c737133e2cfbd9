/*
 * The pairs come in order, so those of one map or list stand together: from
 * one path to the next, what they do not share is closed and opened.
 */
#include "yaml_json.h"

#include <ctype.h>
#include <string.h>

#include "doc.h"

struct path {
	int n;
	struct step {
		const char *p;
		size_t n;
	} step[DOC_DEPTH - 1];
};

static void
path_split(struct path *path, const char *s)
{
	for (path->n = 0; path->n < DOC_DEPTH - 1; s++) {
		struct step *step = &path->step[path->n++];

		*step = (struct step){ s, strcspn(s, ".") };
		s += step->n;
		if (*s == '\0')
			return;
	}
}

static bool
is_item(const struct step *s)
{
	return (s->n > 0 && strspn(s->p, "0123456789") >= s->n);
}

/* Maps and lists in which both stand. */
static int
shared(const struct path *a, const struct path *b)
{
	int n = 0;

	while (n < a->n - 1 && n < b->n - 1 && a->step[n].n == b->step[n].n &&
	       memcmp(a->step[n].p, b->step[n].p, a->step[n].n) == 0)
		n++;
	return (n);
}

/* What the entry is called; a list's have no names. */
static const char *
key_of(const struct doc *d, const struct step *s, char key[128])
{
	if (d->level[d->depth].list)
		return (NULL);
	snprintf(key, 128, "%.*s", (int)s->n, s->p);
	for (char *c = key; *c != '\0'; c++)
		if (*c == '"' || *c == '\\' || !isgraph((unsigned char)*c))
			*c = '_';
	return (key);
}

/* As JSON has it: "-1.5", not "01", ".5" or "inf". */
static bool
is_number(const char *s)
{
	size_t digits;

	s += *s == '-';
	digits = strspn(s, "0123456789");
	if (digits == 0 || (digits > 1 && *s == '0'))
		return (false);
	s += digits;
	if (*s != '.')
		return (*s == '\0');
	digits = strspn(++s, "0123456789");
	return (digits > 0 && s[digits] == '\0');
}

static void
put_value(struct doc *d, const char *key, const struct yaml_pair *p)
{
	bool word = is_number(p->value) || strcmp(p->value, "true") == 0 ||
		    strcmp(p->value, "false") == 0;

	if (!p->quoted && strcmp(p->value, "[]") == 0) {
		doc_list(d, key, DOC_ONE_LINE);
		doc_end(d);
	} else {
		(p->quoted || !word ? doc_text : doc_word)(d, key, p->value);
	}
}

void
yaml_json(FILE *f, const struct yaml *y)
{
	struct path last = { 0 }, path;
	struct doc d;
	char key[128];
	int open = 0;

	doc_begin(&d, f, DOC_JSON);
	for (size_t i = 0; i < y->n; i++, last = path) {
		path_split(&path, y->pair[i].path);
		for (int keep = shared(&last, &path); open > keep; open--)
			doc_end(&d);
		for (; open < path.n - 1; open++)
			if (is_item(&path.step[open + 1]))
				doc_list(&d, key_of(&d, &path.step[open], key),
				    DOC_LINES);
			else
				doc_map(&d, key_of(&d, &path.step[open], key),
				    DOC_LINES);
		put_value(&d, key_of(&d, &path.step[open], key), &y->pair[i]);
	}
	for (; open > 0; open--)
		doc_end(&d);
	doc_finish(&d);
}
