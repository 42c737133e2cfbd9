/* What is in the log of monitord_fake.h's core. */
#ifndef TESTS_MONITORD_FOUND_H
#define TESTS_MONITORD_FOUND_H

#include "log/tracefile.h"
#include "tests/unit/monitord_fake.h"

struct found {
	uint64_t notes, others, falls; /* falls: time went back */
	uint64_t next; /* of notes of one thread, in order: exactly once */
	bool wrong;
	int64_t last_ns;
	uint32_t location;
};

static inline int
found_event(void *arg, const struct event *e)
{
	struct found *f = arg;

	if (e->t_mon_ns < f->last_ns)
		f->falls++;
	f->last_ns = e->t_mon_ns;
	if (e->kind != EV_note) {
		f->others++;
		return (0);
	}
	if (f->location == 0)
		f->location = e->location;
	if (e->location == f->location) {
		if (e->a != f->next || e->seq != f->next)
			f->wrong = true;
		f->next++;
	}
	f->notes++;
	return (0);
}

static inline void
read_log(const struct world *w, struct found *f)
{
	static const struct trace_sink sink = { .event = found_event };
	const char *why = NULL;
	struct tracefile *t = tracefile_open(w->log, &why);

	memset(f, 0, sizeof(*f));
	f->last_ns = INT64_MIN;
	if (t == NULL)
		fail_msg("%s: %s", w->log, why);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, f), 0);
	assert_int_equal(tracefile_damaged_bytes(t), 0);
	tracefile_close(t);
}

static inline bool
read_receipt(const struct world *w, struct msg_receipt *r)
{
	const char *why = NULL;
	struct tracefile *t = tracefile_open(w->log, &why);
	bool got;

	assert_non_null(t);
	got = tracefile_receipt(t, r) == 1;
	tracefile_close(t);
	return (got);
}

/* The run ends with this code, and its receipt is in the log. */
static inline void
finish_with(struct world *w, int code, struct msg_receipt *r)
{
	assert_int_equal(world_finish(w), code);
	assert_true(read_receipt(w, r));
}

/* Ends the run: everything that was published is in the log once. */
static inline void
check_exact(struct world *w, const struct fake *f)
{
	struct found found;

	assert_int_equal(world_finish(w), 0);
	read_log(w, &found);
	assert_int_equal(found.notes, f->published);
	assert_false(found.wrong);
}

/* ... and the world. */
static inline void
close_exact(struct world *w, struct fake *f)
{
	check_exact(w, f);
	close_one(w, f);
}

#endif
