/*
 * The order of the log is one in which causes come before effects, so what
 * lies behind the last of the picked events says nothing about what happens
 * before them, and is not read.
 */
#include "pick.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "argument.h"
#include "log.h"

#define LINE_BYTES 4096
#define ENOUGH     1000 /* what a sink says to stop: no error, no exit code */

/* Number of the location of this name; -1 when there is none. */
static int64_t
location_find(const struct defs *d, const char *text, size_t n)
{
	char name[LINE_BYTES];

	for (uint32_t i = 0; i <= defs_locations(d); i++) {
		if (i > 0 && defs_thread(d, i) == NULL)
			continue;
		location_print(name, sizeof(name), i, d);
		if (strlen(name) == n && memcmp(name, text, n) == 0)
			return (i);
	}
	return (-1);
}

static int
parse(struct picked *k, struct pick *p)
{
	const char *colon = strrchr(p->text, ':'), *at = strrchr(p->text, '@');
	const char *mark = at != NULL && at > colon ? at : colon;
	int64_t location;

	p->by_time = mark != NULL && *mark == '@';
	if (mark == NULL || mark == p->text ||
	    (p->by_time
		    ? seconds_arg(mark + 1, &p->t_mon_ns)
		    : number_arg(mark + 1, UINT64_MAX, &p->name.seq)) == -1) {
		log_warnx(
		    "%s is no event; say NODE/PO.THREAD:SEQ as monitorctl "
		    "dump --names prints it, or NODE/PO.THREAD@SECONDS",
		    p->text);
		return (EX_USAGE);
	}
	p->t_mon_ns += tracefile_run(k->tf)->start_mon_ns;
	location = location_find(k->defs, p->text, (size_t)(mark - p->text));
	if (location == -1) {
		log_warnx(
		    "%s: no thread of that name is in the log; monitorctl "
		    "report lists them",
		    p->text);
		return (EX_UNAVAILABLE);
	}
	p->name.location = (uint32_t)location;
	return (EX_OK);
}

/* True when nothing that comes can be it any more. */
static bool
look(struct pick *p, const struct event *e)
{
	if (p->by_time && e->t_mon_ns > p->t_mon_ns)
		return (true);
	if (!p->by_time && p->found)
		return (true);
	if (e->location != p->name.location)
		return (false);
	if (!p->by_time && e->seq != p->name.seq)
		return (e->seq > p->name.seq);
	p->found = true;
	p->name.seq = e->seq;
	p->event = *e;
	return (false);
}

static int
feed(void *arg, const struct event *e)
{
	struct picked *k = arg;
	bool passed = true;

	for (size_t i = 0; i < k->n; i++)
		passed &= look(&k->pick[i], e);
	if (passed && !k->all)
		return (ENOUGH);
	if (logical_add(k->logical, e, defs_kind(k->defs, e->kind)) == -1 &&
	    errno != EINVAL)
		return (-1);
	return (0);
}

static int
read_failed(void)
{
	log_warn("cannot read the log");
	return (errno == ENOMEM ? EX_OSERR : EX_IOERR);
}

int
picked_open(struct picked *k, const char *path)
{
	static const struct trace_sink sink = { .event = feed };
	int code = EX_OK;

	if ((k->tf = log_open(path, &code)) == NULL)
		return (code);
	if ((k->defs = log_defs(k->tf)) == NULL ||
	    (k->logical = logical_new()) == NULL)
		return (EX_OSERR);
	for (size_t i = 0; code == EX_OK && i < k->n; i++)
		code = parse(k, &k->pick[i]);
	if (code != EX_OK)
		return (code);
	if (tracefile_each(k->tf, INT64_MIN, INT64_MAX, &sink, k) == -1)
		return (read_failed());
	for (size_t i = 0; i < k->n; i++) {
		if (k->pick[i].found)
			continue;
		log_warnx("%s: the log has no such event; monitorctl dump "
			  "--names prints their names",
		    k->pick[i].text);
		return (EX_UNAVAILABLE);
	}
	if (tracefile_damaged_bytes(k->tf) > 0)
		log_warnx("%" PRIu64 " damaged bytes were skipped: there may "
			  "be more that happens before",
		    tracefile_damaged_bytes(k->tf));
	return (EX_OK);
}

void
picked_close(struct picked *k)
{
	logical_free(k->logical);
	defs_free(k->defs);
	if (k->tf != NULL)
		tracefile_close(k->tf);
}

static int
compare(const void *a, const void *b)
{
	const struct logical_event *x = &((const struct fetched *)a)->name;
	const struct logical_event *y = &((const struct fetched *)b)->name;

	if (x->location != y->location)
		return (x->location < y->location ? -1 : 1);
	return (x->seq < y->seq ? -1 : x->seq > y->seq);
}

struct fetch {
	struct fetched *at;
	size_t n, left;
};

static int
fetch(void *arg, const struct event *e)
{
	struct fetch *f = arg;
	struct fetched key = { .name = { e->location, e->seq } }, *x;

	if (f->left == 0)
		return (ENOUGH);
	x = bsearch(&key, f->at, f->n, sizeof(*f->at), compare);
	if (x != NULL) {
		x->event = *e;
		f->left--;
	}
	return (0);
}

int
picked_fetch(struct picked *k, struct fetched *at, size_t n)
{
	static const struct trace_sink sink = { .event = fetch };
	struct fetch f = { at, 0, 0 };

	qsort(at, n, sizeof(*at), compare);
	for (size_t i = 0; i < n; i++) /* each once */
		if (f.n == 0 || compare(&at[f.n - 1], &at[i]) != 0)
			at[f.n++] = at[i];
	for (size_t i = f.n; i < n; i++) /* still sorted */
		at[i] = at[f.n - 1];
	f.left = f.n;
	if (tracefile_each(k->tf, INT64_MIN, INT64_MAX, &sink, &f) == -1)
		return (read_failed());
	return (EX_OK);
}

const struct event *
fetched_find(const struct fetched *at, size_t n, struct logical_event name)
{
	struct fetched key = { .name = name };
	const struct fetched *x =
	    n == 0 ? NULL : bsearch(&key, at, n, sizeof(*at), compare);

	/* of several of one name the first has been read */
	while (x != NULL && x > at && compare(x - 1, x) == 0)
		x--;
	return (x == NULL ? NULL : &x->event);
}

void
picked_print(const struct picked *k, const char *before, const struct event *e)
{
	char line[LINE_BYTES];

	event_print_named(line, sizeof(line), e, k->defs,
	    tracefile_run(k->tf)->start_mon_ns);
	printf("%s%s\n", before, line);
}
