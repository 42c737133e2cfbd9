/*
 * The table is read line by line, word by word; what a word may be is said by
 * the directive in front.  It is read once, so nothing here is in a hurry.
 */
#include "tools/import/records.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "tools/import/records_inside.h"

#define TABLE_BYTES_MAX ((size_t)1 << 20)

struct records *
records_new(void)
{
	struct records *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return (NULL);
	r->place = -1;
	r->record = calloc(RECORDS_MAX, sizeof(*r->record));
	r->action = calloc(ACTIONS_MAX, sizeof(*r->action));
	r->called = calloc(CALLED_MAX, sizeof(*r->called));
	if (r->record != NULL && r->action != NULL && r->called != NULL)
		return (r);
	records_free(r);
	errno = ENOMEM;
	return (NULL);
}

void
records_free(struct records *r)
{
	if (r == NULL)
		return;
	for (unsigned i = 0; r->called != NULL && i < r->ncalled; i++)
		free(r->called[i].text);
	for (unsigned i = 0; r->action != NULL && i < r->nactions; i++) {
		for (int k = 0; k < 3; k++)
			free(r->action[i].word[k].text);
		free(r->action[i].here.text);
		free(r->action[i].at.text);
	}
	free(r->record);
	free(r->action);
	free(r->called);
	free(r);
}

int
records_wrong(struct records *r, unsigned line, const char *fmt, ...)
{
	int n = snprintf(r->error, sizeof(r->error), "line %u: ", line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->error + n, sizeof(r->error) - (size_t)n, fmt, ap);
	va_end(ap);
	errno = EINVAL;
	return (-1);
}

const char *
records_shown(struct shown *s, const char *word)
{
	(void)plain(s->text, sizeof(s->text), word, strlen(word));
	return (s->text);
}

int64_t
records_unit(const char *word)
{
	static const struct {
		const char *word;
		int64_t ns;
	} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
		{ "ns", 1 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].word, word) == 0)
			return (units[i].ns);
	return (0);
}

const char *
records_called(const struct records *r, const char *field, int64_t number)
{
	for (unsigned i = r->ncalled; i-- > 0;)
		if (r->called[i].number == number &&
		    strcmp(r->called[i].field, field) == 0)
			return (r->called[i].text);
	return (NULL);
}

static int
add_fields(struct records *r, const struct words *w, unsigned from,
    struct record_field *f, unsigned *n)
{
	struct shown s;

	*n = 0;
	for (unsigned i = from; i < w->n; i++) {
		size_t bytes = strlen(w->word[i]);
		char last = bytes > 0 ? w->word[i][bytes - 1] : '\0';

		if (last == '$' || last == '*')
			bytes--;
		if (*n == RECORD_FIELDS_MAX || bytes == 0 ||
		    bytes >= RECORD_NAME_BYTES)
			return (records_wrong(r, w->line,
			    "%s: expected up to %d fields with names of up to "
			    "%d letters",
			    records_shown(&s, w->word[i]), RECORD_FIELDS_MAX,
			    RECORD_NAME_BYTES - 1));
		memcpy(f[*n].name, w->word[i], bytes);
		f[*n].name[bytes] = '\0';
		f[*n].sort = last == '$'   ? FIELD_word
			     : last == '*' ? FIELD_rest
					   : FIELD_number;
		++*n;
	}
	return (0);
}

int
records_field(const struct records *r, const struct record *rec,
    const char *name)
{
	for (unsigned i = 0; i < r->heads; i++)
		if (strcmp(r->head[i].name, name) == 0)
			return ((int)i);
	for (unsigned i = 0; rec != NULL && i < rec->fields; i++)
		if (strcmp(rec->field[i].name, name) == 0)
			return ((int)(r->heads + i));
	return (-1);
}

int
records_number(const char *word, int64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoll(word, &end, 10);
	return (end == word || *end != '\0' || errno != 0 ? -1 : 0);
}

/* --- directives --- */

static int
do_begins(struct records *r, const struct words *w)
{
	r->keyed = w->n == 2 && strcmp(w->word[1], "keyed") == 0;
	if (!r->keyed && (w->n != 2 || strcmp(w->word[1], "alike") != 0))
		return (records_wrong(r, w->line,
		    "begins: expected keyed or alike"));
	return (0);
}

static int
do_between(struct records *r, const struct words *w)
{
	if (w->n != 2 || strlen(w->word[1]) >= sizeof(r->between))
		return (records_wrong(r, w->line,
		    "between: expected up to 7 letters"));
	snprintf(r->between, sizeof(r->between), "%s", w->word[1]);
	return (0);
}

static int
do_first(struct records *r, const struct words *w)
{
	return (add_fields(r, w, 1, r->first, &r->firsts));
}

static int
do_head(struct records *r, const struct words *w)
{
	if (r->nrecords > 0)
		return (
		    records_wrong(r, w->line, "head: expected before records"));
	if (add_fields(r, w, 1, r->head, &r->heads) == -1)
		return (-1);
	for (unsigned i = 0; i < r->heads; i++)
		if (r->head[i].sort == FIELD_rest)
			return (records_wrong(r, w->line,
			    "head: only a record can have the rest"));
	return (0);
}

static int
do_time(struct records *r, const struct words *w)
{
	struct shown s;
	int f;

	if (w->n < 3 || w->n % 2 == 0 || w->n > 9)
		return (records_wrong(r, w->line,
		    "time: expected fields with units (s, ms, us, ns)"));
	r->times = 0;
	for (unsigned i = 1; i < w->n; i += 2) {
		int64_t unit = records_unit(w->word[i + 1]);

		if ((f = records_field(r, NULL, w->word[i])) == -1 || unit == 0)
			return (records_wrong(r, w->line,
			    "time: %s: expected a field of the head and its "
			    "unit (s, ms, us, ns)",
			    records_shown(&s, w->word[i])));
		r->time[r->times++] = (struct record_time){ (uint8_t)f, unit };
	}
	return (0);
}

static int
do_place(struct records *r, const struct words *w)
{
	if (w->n != 3 ||
	    (r->place = records_field(r, NULL, w->word[1])) == -1 ||
	    strlen(w->word[2]) >= sizeof(r->place_name))
		return (records_wrong(r, w->line,
		    "place: expected a field of the head and what nodes are "
		    "called"));
	snprintf(r->place_name, sizeof(r->place_name), "%s", w->word[2]);
	return (0);
}

static int
do_call(struct records *r, const struct words *w)
{
	struct called *c = &r->called[r->ncalled];

	if (w->n != 4 || strlen(w->word[1]) >= sizeof(c->field) ||
	    records_number(w->word[2], &c->number) == -1)
		return (records_wrong(r, w->line,
		    "call: expected a field, its number and a name"));
	if (r->ncalled == CALLED_MAX)
		return (records_wrong(r, w->line, "more than %d names",
		    CALLED_MAX));
	snprintf(c->field, sizeof(c->field), "%s", w->word[1]);
	if ((c->text = records_unquoted(w->word[3])) == NULL)
		return (-1);
	r->ncalled++;
	return (0);
}

static int
do_record(struct records *r, const struct words *w)
{
	struct record *rec = &r->record[r->nrecords];
	unsigned from = r->keyed ? 3 : 1;

	if (r->nrecords == RECORDS_MAX)
		return (records_wrong(r, w->line, "more than %d records",
		    RECORDS_MAX));
	*rec = (struct record){ .first = r->nactions };
	if (r->keyed &&
	    (w->n < 3 || records_number(w->word[1], &rec->id) == -1 ||
		strlen(w->word[2]) >= sizeof(rec->word)))
		return (records_wrong(r, w->line,
		    "record: expected its number, its word and its fields"));
	if (r->keyed)
		snprintf(rec->word, sizeof(rec->word), "%s", w->word[2]);
	if (add_fields(r, w, from, rec->field, &rec->fields) == -1)
		return (-1);
	for (unsigned i = 0; i < rec->fields; i++) {
		rec->numbers += rec->field[i].sort != FIELD_rest;
		if (rec->field[i].sort == FIELD_rest && i + 1 < rec->fields)
			return (records_wrong(r, w->line,
			    "record: expected the rest at its end"));
	}
	if (rec->fields + r->heads > UINT8_MAX)
		return (records_wrong(r, w->line, "record: too many fields"));
	r->nrecords++;
	return (0);
}

static int
do_line(struct records *r, const struct words *w, bool indented)
{
	static const struct {
		const char *word;
		int (*run)(struct records *, const struct words *);
	} directives[] = { { "begins", do_begins }, { "between", do_between },
		{ "first", do_first }, { "head", do_head }, { "time", do_time },
		{ "place", do_place }, { "call", do_call },
		{ "record", do_record } };
	struct shown s;

	if (indented)
		return (records_action(r, w));
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (strcmp(directives[i].word, w->word[0]) == 0)
			return (directives[i].run(r, w));
	return (records_wrong(r, w->line,
	    "%s: expected begins, between, first, head, time, place, call or "
	    "record",
	    records_shown(&s, w->word[0])));
}

/* Words are parted by blanks; a "text" holds blanks. */
static int
split(struct records *r, char *line, struct words *w)
{
	bool quoted;

	w->n = 0;
	for (char *p = line; *p != '\0';) {
		p += strspn(p, " \t\r");
		if (*p == '\0' || *p == '#')
			break;
		if (w->n == WORDS_MAX)
			return (records_wrong(r, w->line, "more than %d words",
			    WORDS_MAX));
		w->word[w->n++] = p;
		for (quoted = false;
		     *p != '\0' && (quoted || strchr(" \t\r", *p) == NULL); p++)
			quoted ^= *p == '"';
		if (quoted)
			return (
			    records_wrong(r, w->line, "a \" is not closed"));
		if (*p != '\0')
			*p++ = '\0';
	}
	return (0);
}

/* Its words are shown when a line lacks them. */
static bool
is_shown(const char *line)
{
	const unsigned char *p = (const unsigned char *)line;
	size_t n = strlen(line), k;
	uint32_t c;

	for (; n > 0; p += k, n -= k) {
		if ((k = plain_character(p, n, &c)) == 0)
			return (false);
		if (c != '\t' && c != '\r' && !plain_is_shown(c))
			return (false);
	}
	return (true);
}

int
records_read(struct records *r, const char *text, size_t n)
{
	struct words w = { .line = 0 };
	char *copy, *at, *line;
	int rc = 0;

	if (n > TABLE_BYTES_MAX)
		return (records_wrong(r, 1, "expected no more than 1 MB"));
	if (memchr(text, '\0', n) != NULL)
		return (records_wrong(r, 1, "expected text, which has no NUL"));
	if ((copy = strndup(text, n)) == NULL)
		return (-1);
	for (at = copy; rc == 0 && (line = strsep(&at, "\n")) != NULL;) {
		bool indented = *line == ' ' || *line == '\t';

		w.line++;
		rc = is_shown(line)
			 ? split(r, line, &w)
			 : records_wrong(r, w.line, "expected UTF-8 text");
		if (rc == 0 && w.n > 0)
			rc = do_line(r, &w, indented);
	}
	free(copy);
	return (rc);
}

int
records_ready(struct records *r)
{
	const char *what =
	    r->nrecords == 0 ? "record"
	    : r->times == 0  ? "time"
	    : !r->keyed && r->nrecords > 1 && r->record[0].fields == 0
		? "begins keyed"
		: NULL;

	if (what == NULL)
		return (0);
	snprintf(r->error, sizeof(r->error),
	    "expected a line that begins with: %s", what);
	errno = EINVAL;
	return (-1);
}
