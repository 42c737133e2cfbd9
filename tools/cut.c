/*
 * monitorctl past, future: the cut through all threads that an event makes.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"
#include "tools/logs/pick.h"

#define NAME_BYTES 4096

struct cut {
	const char *command;
	bool past, tsv;
	struct picked picked;
	struct logical_cut *at; /* by location */
	struct fetched *events;
	size_t n;
};

static int
compare(const void *a, const void *b)
{
	const struct logical_cut *x = a, *y = b;

	return (x->location < y->location ? -1 : x->location > y->location);
}

static int
find(struct cut *c)
{
	struct logical *l = c->picked.logical;
	struct logical_event e = c->picked.pick[0].name;
	size_t found = 0;

	c->n = logical_locations(l);
	c->at = calloc(c->n, sizeof(*c->at));
	c->events = calloc(c->n, sizeof(*c->events));
	if (c->at == NULL || c->events == NULL ||
	    (c->past ? logical_past_cut : logical_future_cut)(l, e, c->at) ==
		-1) {
		log_warn("%s", c->command);
		return (EX_OSERR);
	}
	qsort(c->at, c->n, sizeof(*c->at), compare);
	for (size_t i = 0; i < c->n; i++)
		if (c->at[i].any)
			c->events[found++].name =
			    (struct logical_event){ c->at[i].location,
				    c->at[i].seq };
	c->n = found; /* never 0: the event itself is one */
	return (picked_fetch(&c->picked, c->events, found));
}

static void
print_tsv(const struct cut *c, const char *name, uint32_t location,
    const struct event *e)
{
	const struct event_desc *d;

	printf("%s\t%" PRIu32, name, location);
	if (e == NULL) {
		puts("\t\t\t");
		return;
	}
	d = defs_kind(c->picked.defs, e->kind);
	printf("\t%" PRIu64 "\t%" PRId64 "\t%s\n", e->seq, e->t_mon_ns,
	    d != NULL ? d->name : "?");
}

/* Also of the threads that have no event in it, or none at all. */
static void
print(const struct cut *c)
{
	char name[NAME_BYTES];
	uint32_t last = defs_locations(c->picked.defs);

	if (c->tsv)
		puts("thread\tlocation\tseq\tt_mon_ns\tkind");
	for (uint32_t i = 0, at = 0; i <= last; i++) {
		const struct event *e = NULL;

		if (i > 0 && defs_thread(c->picked.defs, i) == NULL)
			continue;
		while (at < c->n && c->events[at].name.location < i)
			at++;
		if (at < c->n && c->events[at].name.location == i)
			e = &c->events[at].event;
		location_print(name, sizeof(name), i, c->picked.defs);
		if (c->tsv)
			print_tsv(c, name, i, e);
		else if (e != NULL)
			picked_print(&c->picked, "", e);
		else
			printf("- %s\n", name);
	}
}

static int
run(struct cut *c, int argc, char **argv)
{
	static const struct option options[] = {
		{ "tsv", no_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct pick pick = { 0 };
	int o, code;

	while ((o = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (o != 't')
			return (option_of(c->command, o, argv));
		c->tsv = true;
	}
	if (argc - optind != 2)
		return (usage_of(c->command, false));
	pick.text = argv[optind + 1];
	c->picked = (struct picked){ .pick = &pick, .n = 1, .all = !c->past };
	code = picked_open(&c->picked, argv[optind]);
	if (code == EX_OK)
		code = find(c);
	if (code == EX_OK)
		print(c);
	free(c->at);
	free(c->events);
	picked_close(&c->picked);
	return (code);
}

int
past_run(const struct globals *g, int argc, char **argv)
{
	struct cut c = { .command = "past", .past = true };

	(void)g;
	return (run(&c, argc, argv));
}

int
future_run(const struct globals *g, int argc, char **argv)
{
	struct cut c = { .command = "future" };

	(void)g;
	return (run(&c, argc, argv));
}
