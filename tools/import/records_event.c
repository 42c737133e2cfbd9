/*
 * Events of a record: a kind, and what its words are made of.
 */
#include <string.h>

#include "event.h"
#include "tools/import/records_inside.h"

/* "f,g)": the arguments of a function. */
static int
arguments(struct records *r, const struct words *w, const struct record *rec,
    char *text, struct expr *e)
{
	char *at, *rest = text, *end = strchr(text, ')');
	struct shown s;
	int f;

	if (end == NULL || end[1] != '\0')
		return (records_wrong(r, w->line,
		    "expected ) at the end of (%s", records_shown(&s, text)));
	*end = '\0';
	while ((at = strsep(&rest, ",")) != NULL) {
		if (e->fields == EXPR_ARGUMENTS ||
		    (f = records_field(r, rec, at)) == -1)
			return (records_wrong(r, w->line,
			    "(%s: expected up to %d fields of the record, "
			    "parted by commas",
			    records_shown(&s, at), EXPR_ARGUMENTS));
		e->field[e->fields++] = (uint8_t)f;
	}
	return (0);
}

static int
function(struct records *r, const struct words *w, const struct record *rec,
    char *text, struct expr *e)
{
	static const struct {
		const char *name;
		enum expr_op op;
		unsigned least, most;
	} functions[] = { { "put", EXPR_put, 1, 3 },
		{ "take", EXPR_take, 1, 3 }, { "id", EXPR_id, 1, 3 },
		{ "micro", EXPR_micro, 2, 2 } };
	char *open = strchr(text, '(');
	struct shown s;

	*open = '\0';
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, text) != 0)
			continue;
		e->op = functions[i].op;
		if (arguments(r, w, rec, open + 1, e) == -1)
			return (-1);
		if (e->fields >= functions[i].least &&
		    e->fields <= functions[i].most)
			return (0);
		return (records_wrong(r, w->line, "%s() has %u to %u fields",
		    text, functions[i].least, functions[i].most));
	}
	return (records_wrong(r, w->line,
	    "%s: expected put, take, id or micro in front of (",
	    records_shown(&s, text)));
}

/* "{field}" in a text: which ones. */
static int
text_fields(struct records *r, const struct words *w, const struct record *rec,
    struct expr *e)
{
	char name[RECORD_NAME_BYTES];
	const char *end;
	struct shown s;
	int f;

	for (const char *p = e->text; (p = strchr(p, '{')) != NULL; p = end) {
		if ((end = strchr(p, '}')) == NULL ||
		    (size_t)(end - p) > sizeof(name) ||
		    e->fields == EXPR_ARGUMENTS)
			return (records_wrong(r, w->line,
			    "\"%s\": expected up to %d {field}",
			    records_shown(&s, e->text), EXPR_ARGUMENTS));
		memcpy(name, p + 1, (size_t)(end - p) - 1);
		name[end - p - 1] = '\0';
		if ((f = records_field(r, rec, name)) == -1)
			return (records_wrong(r, w->line,
			    "{%s}: the record has no such field",
			    records_shown(&s, name)));
		e->field[e->fields++] = (uint8_t)f;
	}
	return (0);
}

/* A copy without the quotes, if there are any. */
char *
records_unquoted(const char *text)
{
	size_t n = strlen(text);

	if (text[0] != '"')
		return (strdup(text));
	return (strndup(text + 1, n > 1 && text[n - 1] == '"' ? n - 2 : n - 1));
}

static int
expression(struct records *r, const struct words *w, const struct record *rec,
    char *text, struct expr *e)
{
	struct shown s;
	int f;

	if (text[0] == '"') {
		e->op = EXPR_text;
		if ((e->text = records_unquoted(text)) == NULL)
			return (-1);
		return (text_fields(r, w, rec, e));
	}
	if (strchr(text, '(') != NULL)
		return (function(r, w, rec, text, e));
	if (records_number(text, &e->number) == 0) {
		e->op = EXPR_number;
		return (0);
	}
	if ((f = records_field(r, rec, text)) == -1)
		return (records_wrong(r, w->line,
		    "%s: expected a number, a field of the record, a \"text\" "
		    "or a function",
		    records_shown(&s, text)));
	e->op = EXPR_field;
	e->field[e->fields++] = (uint8_t)f;
	return (0);
}

static bool
is_label(const char *field, const char *label, size_t n)
{
	return (strncmp(field, label, n) == 0 && field[n] == ':');
}

/* label=expression */
static int
action_word(struct records *r, const struct words *w, const struct record *rec,
    struct record_action *a, char *text)
{
	const struct event_desc *d = event_desc(a->kind);
	char *is = strchr(text, '=');
	struct expr *e = NULL;
	struct shown s;

	if (strcmp(text, "until-next") == 0) {
		a->until_next = true;
		return (0);
	}
	if (is == NULL)
		return (records_wrong(r, w->line, "%s: expected LABEL=WORD",
		    records_shown(&s, text)));
	*is = '\0';
	if (strcmp(text, "here") == 0)
		e = &a->here;
	else if (strcmp(text, "at") == 0)
		e = &a->at;
	else if (is_label(d->a, text, (size_t)(is - text)))
		e = &a->word[0];
	else if (is_label(d->b, text, (size_t)(is - text)))
		e = &a->word[1];
	else if (is_label(d->c, text, (size_t)(is - text)))
		e = &a->word[2];
	if (e == NULL || e->op != EXPR_none)
		return (records_wrong(r, w->line,
		    "%s: expected a label of %s, once", records_shown(&s, text),
		    d->name));
	if (expression(r, w, rec, is + 1, e) == -1)
		return (-1);
	if ((e == &a->here || e == &a->at) && e->op != EXPR_id)
		return (
		    records_wrong(r, w->line, "%s: expected id(...)", text));
	return (0);
}

/*
 * What the monitor says of itself, and what others say of the life of
 * processes, does not come from a trace.
 */
static bool
may_be_made(const struct event_desc *d)
{
	return (d != NULL && d->class != CLASS_monitor &&
		d->kind != EV_po_begin && d->kind != EV_po_end);
}

int
records_action(struct records *r, const struct words *w)
{
	struct record *rec =
	    r->nrecords > 0 ? &r->record[r->nrecords - 1] : NULL;
	const struct event_desc *d = event_desc_by_name(w->word[0]);
	struct record_action *a;
	struct shown s;

	if (rec == NULL)
		return (records_wrong(r, w->line,
		    "expected a record above its event"));
	if (!may_be_made(d))
		return (records_wrong(r, w->line,
		    "%s: expected a kind of event, as monitorctl dump has it",
		    records_shown(&s, w->word[0])));
	if (r->nactions == ACTIONS_MAX)
		return (records_wrong(r, w->line, "more than %d events",
		    ACTIONS_MAX));
	a = &r->action[r->nactions++];
	*a = (struct record_action){ .kind = d->kind, .line = w->line };
	rec->actions++;
	for (unsigned i = 1; i < w->n; i++)
		if (action_word(r, w, rec, a, w->word[i]) == -1)
			return (-1);
	return (0);
}
