/*
 * Whether two logs hold the same, each thread for itself.
 *
 *	samelog A.orr B.orr
 *
 * Times and the order between threads differ from run to run; what a thread
 * has said, in its order, does not if its program does the same again.  For
 * each thread (by node, PO and number) the sequence of kinds and words is put
 * into a hash, names by their text.  What the monitor itself says is left out,
 * and so are process numbers.  Prints a line for each thread that differs and
 * how many there are; exits 1 when some do, or when an event is lost.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/tracefile.h"

#define THREADS 65536

struct said {
	char who[96];
	uint64_t events, hash, next_seq;
};

struct logged {
	const char *path;
	struct defs *defs;
	struct said *thread; /* by location */
	size_t n;
	uint64_t lost, gaps, events;
	bool c_is_name[EVENT_KINDS];
};

static uint64_t
mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return (h ^ h >> 29);
}

static uint64_t
text_hash(const char *s)
{
	uint64_t h = 1;

	while (s != NULL && *s != '\0')
		h = mix(h, (uint8_t)*s++);
	return (h);
}

static int
define(void *arg, const struct frame *f)
{
	return (defs_add(((struct logged *)arg)->defs, f));
}

static struct said *
said_by(struct logged *l, uint32_t location)
{
	const struct def_thread *t;
	const struct def_node *n;
	struct said *s;

	if (location >= THREADS)
		return (NULL);
	s = &l->thread[location];
	if (s->who[0] != '\0')
		return (s);
	t = defs_thread(l->defs, location);
	n = t == NULL ? NULL : defs_node(l->defs, t->node);
	if (n == NULL)
		return (NULL);
	snprintf(s->who, sizeof(s->who), "%.60s/%u.%u", n->name, t->po,
	    t->thread);
	if (location >= l->n)
		l->n = location + 1;
	return (s);
}

static int
event(void *arg, const struct event *e)
{
	struct logged *l = arg;
	const struct event_desc *d = event_desc(e->kind);
	const struct def_name *name;
	struct said *s;

	if (e->location == 0 || d == NULL)
		return (0);
	if (e->kind == EV_lost)
		l->lost += e->a;
	s = said_by(l, e->location);
	if (s == NULL)
		return (-1);
	l->gaps += e->seq != s->next_seq;
	s->next_seq = e->seq + 1;
	s->events++;
	l->events++;
	s->hash = mix(s->hash, e->kind);
	if (d->class == CLASS_life)
		return (0);
	s->hash = mix(mix(s->hash, e->a), e->b);
	if (l->c_is_name[e->kind]) {
		name = defs_name(l->defs, e->c);
		s->hash =
		    mix(s->hash, text_hash(name == NULL ? "" : name->text));
	} else
		s->hash = mix(s->hash, e->c);
	return (0);
}

static int
by_who(const void *a, const void *b)
{
	return (strcmp(((const struct said *)a)->who,
	    ((const struct said *)b)->who));
}

static void
logged_free(struct logged *l)
{
	defs_free(l->defs);
	free(l->thread);
}

static int
log_read(struct logged *l)
{
	static const struct trace_sink sink = { define, event };
	const char *why = "";
	struct tracefile *t = tracefile_open(l->path, &why);

	if (t == NULL) {
		fprintf(stderr, "samelog: %s: %s\n", l->path, why);
		return (-1);
	}
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		const struct event_desc *d = event_desc(k);

		l->c_is_name[k] = d != NULL && event_field_is(d->c, "name");
	}
	l->defs = defs_new();
	l->thread = calloc(THREADS, sizeof(*l->thread));
	if (l->defs == NULL || l->thread == NULL ||
	    tracefile_each(t, INT64_MIN, INT64_MAX, &sink, l) != 0) {
		fprintf(stderr, "samelog: %s: %s\n", l->path, strerror(errno));
		tracefile_close(t);
		return (-1);
	}
	tracefile_close(t);
	qsort(l->thread, l->n, sizeof(*l->thread), by_who);
	return (0);
}

/* Both are in order of who; "" are locations that nobody has used. */
static unsigned
differences(const struct logged *a, const struct logged *b)
{
	unsigned n = 0;
	size_t i = 0, k = 0;
	int order;

	while (i < a->n || k < b->n) {
		order = i == a->n ? 1
			: k == b->n
			    ? -1
			    : strcmp(a->thread[i].who, b->thread[k].who);
		if (order == 0) {
			if (a->thread[i].events != b->thread[k].events ||
			    a->thread[i].hash != b->thread[k].hash) {
				printf("%s: %" PRIu64 " and %" PRIu64
				       " events, not the same\n",
				    a->thread[i].who, a->thread[i].events,
				    b->thread[k].events);
				n++;
			}
			i++;
			k++;
			continue;
		}
		if (order < 0 ? a->thread[i].who[0] != '\0'
			      : b->thread[k].who[0] != '\0') {
			printf("%s: in %s only\n",
			    order < 0 ? a->thread[i].who : b->thread[k].who,
			    order < 0 ? a->path : b->path);
			n++;
		}
		i += order < 0;
		k += order > 0;
	}
	return (n);
}

int
main(int argc, char **argv)
{
	struct logged a = { 0 }, b = { 0 };
	unsigned n;

	if (argc != 3) {
		fprintf(stderr, "usage: samelog A.orr B.orr\n");
		return (64);
	}
	a.path = argv[1];
	b.path = argv[2];
	if (log_read(&a) == -1 || log_read(&b) == -1)
		return (65);
	n = differences(&a, &b);
	printf("events %" PRIu64 " and %" PRIu64 ", lost %" PRIu64
	       " and %" PRIu64 ", gaps %" PRIu64 " and %" PRIu64
	       ", threads that differ %u\n",
	    a.events, b.events, a.lost, b.lost, a.gaps, b.gaps, n);
	logged_free(&a);
	logged_free(&b);
	return (n > 0 || a.lost + b.lost + a.gaps + b.gaps > 0);
}
