/*
 * Prints the tables of proto as mdoc, for the manual pages: what they say of
 * events and messages is what the programs do.
 *
 *	protodoc events | log | protocol | sizes | numbers
 */
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "event.h"
#include "frame.h"
#include "log/block.h"
#include "log/tracefile.h"
#include "message.h"

static const char *const match_text[] = {
	"one to one",
	"one to many",
	"all to each",
};
static const char *const key_text[] = { "a", "b", "a and b" };

/* A sentence: capital, full stop, nothing that mdoc takes for itself. */
static void
sentence(const char *s)
{
	if (*s == '\0')
		return;
	putchar(*s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s);
	for (s++; *s != '\0'; s++) {
		if (*s == '\\')
			printf("\\e");
		else if (s[0] == '.' && s[1] == ' ')
			printf(".\n"), s++;
		else
			putchar(*s);
	}
	printf(".\n");
}

static void
word(const char *which, const char *field)
{
	const char *colon = strchr(field, ':');

	if (colon == NULL)
		return;
	printf(".It %s Ta %.*s Ta %s\n", which, (int)(colon - field), field,
	    colon + 1);
}

static void
event(const struct event_desc *d)
{
	printf(".It Sy %s Pq %u\n", d->name, d->kind);
	sentence(d->what);
	if (d->shape != SHAPE_POINT)
		printf("%s of a\n.Em %s\nspan.\n",
		    d->shape == SHAPE_BEGIN ? "Begin" : "End",
		    event_span_name[d->span]);
	if (d->role != ROLE_NONE)
		printf("%s of\n.Sy %s ,\n%s, by %s.\n",
		    d->role == ROLE_CAUSE ? "Cause" : "Effect",
		    event_table[d->partner].name, match_text[d->match],
		    key_text[d->key]);
	if (d->a[0] == '\0' && d->b[0] == '\0' && d->c[0] == '\0')
		return;
	printf(".Bl -column \"a\" \"destination\" \"address\" -compact\n");
	word("a", d->a);
	word("b", d->b);
	word("c", d->c);
	printf(".El\n");
}

static void
events(void)
{
	for (int c = 0; c < EVENT_CLASSES; c++) {
		printf(".Ss Class %s\n.Bl -tag -width Ds\n",
		    event_class_name[c]);
		for (unsigned k = 0; k < EVENT_KINDS; k++) {
			const struct event_desc *d = event_desc(k);

			if (d != NULL && d->class == c)
				event(d);
		}
		printf(".El\n");
	}
}

/* COLLECTOR_TO_MONITORD: "From collector to monitord". */
static void
direction(const char *s)
{
	printf("From ");
	for (; *s != '\0'; s++)
		putchar(*s == '_'                ? ' '
			: *s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a'
						 : *s);
	printf(".\n");
}

static void
message(const struct msg_desc *d, unsigned id)
{
	static const char *const type[] = { "u8", "u16", "u32", "u64", "i64",
		"time", "uuid", "str", "data" };

	printf(".It Sy %s Pq %u\n", d->name, id);
	sentence(d->what);
	if (strcmp(d->direction, "LOG") != 0)
		direction(d->direction);
	printf(".Bl -column \"spool_limit_bytes\" \"data\" \"events/s\"\n");
	for (unsigned i = 0; i < d->nfields; i++) {
		const struct msg_field *f = &d->fields[i];

		printf(".It %s Ta %s Ta %s Ta %s\n", f->name, type[f->type],
		    f->unit, f->what);
	}
	printf(".El\n");
}

static void
messages(int log)
{
	printf(".Bl -tag -width Ds\n");
	for (unsigned id = 0; id < MSG_TYPES; id++) {
		const struct msg_desc *d = &msg_table[id];

		if (d->name != NULL &&
		    (strcmp(d->direction, "LOG") == 0) == log)
			message(d, id);
	}
	printf(".El\n");
}

static void
sizes(void)
{
	const struct {
		const char *what;
		unsigned value;
	} rows[] = {
		{ "protocol version", PROTO_VERSION },
		{ "oldest protocol version still spoken", PROTO_VERSION_MIN },
		{ "version of the log format", TRACEFILE_VERSION },
		{ "head of a frame, bytes", FRAME_HEAD_BYTES },
		{ "body of a frame, bytes at most", FRAME_BODY_MAX },
		{ "text, bytes at most", PROTO_STR_MAX },
		{ "events in a block at most", BLOCK_EVENTS_MAX },
		{ "columns of a block unpacked, bytes at most",
		    BLOCK_PLAIN_MAX },
	};

	printf(".Bl -column \"columns of a block unpacked, bytes at most\" "
	       "\"8388608\"\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf(".It %s Ta %u\n", rows[i].what, rows[i].value);
	printf(".El\n");
}

static void
row(const char *what, const char *const *name, unsigned n)
{
	printf(".It %s Ta ", what);
	for (unsigned i = 0; i < n; i++)
		printf("%s%s %u", i > 0 ? ", " : "", name[i], i);
	putchar('\n');
}

static void
numbers(void)
{
	printf(".Bl -column \"classes\" \"numbers\"\n");
	row("classes", event_class_name, EVENT_CLASSES);
	row("spans", event_span_name, EVENT_SPANS);
	row("reasons", lost_reason_name, LOST_REASONS);
	printf(".El\n");
}

int
main(int argc, char *argv[])
{
	const char *what = argc == 2 ? argv[1] : "";

	if (strcmp(what, "events") == 0)
		events();
	else if (strcmp(what, "log") == 0)
		messages(1);
	else if (strcmp(what, "protocol") == 0)
		messages(0);
	else if (strcmp(what, "sizes") == 0)
		sizes();
	else if (strcmp(what, "numbers") == 0)
		numbers();
	else {
		fprintf(stderr,
		    "usage: protodoc events | log | protocol | sizes | "
		    "numbers\n");
		return (64);
	}
	return (0);
}
