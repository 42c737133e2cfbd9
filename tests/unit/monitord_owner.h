/* For the tests of the log: its owner, and what it reads back. */
#ifndef TESTS_MONITORD_OWNER_H
#define TESTS_MONITORD_OWNER_H

#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "log.h"
#include "log/block.h"
#include "log/tracefile.h"
#include "monitord/store/store_inside.h"

#define LOCATIONS 4

/* What an owner of a store remembers of it. */
struct owner {
	struct env *env;
	struct store *st;
	char dir[64], path[96];
	uint64_t next[LOCATIONS];
	unsigned definitions;
	unsigned without, whole; /* blocks without their events, and with */
	bool wants;              /* all of them */
};

static inline int
restore(void *arg, const struct frame *f)
{
	struct owner *o = arg;
	struct msg_block b;
	struct block_lane *lanes;
	size_t n;

	if (f->type == MSG_node)
		o->definitions++;
	if (f->type != MSG_block)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &b) == -1 ||
	    block_read_lanes(&b, &lanes, &n) == -1)
		return (-1);
	if (b.columns.n == 0 && o->wants) {
		free(lanes);
		return (STORE_WHOLE);
	}
	*(b.columns.n == 0 ? &o->without : &o->whole) += 1;
	for (size_t i = 0; i < n; i++) {
		assert_true(lanes[i].location < LOCATIONS);
		/* file order is sequence order: never a hole */
		assert_int_equal(lanes[i].first_seq,
		    o->next[lanes[i].location]);
		o->next[lanes[i].location] += lanes[i].events;
	}
	free(lanes);
	return (0);
}

static inline int
owner_start(struct owner *o)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = BYTES_STR("test"),
		.program = BYTES_STR("test") };
	struct msg_node node = { .node = 1, .name = BYTES_STR("n1") };
	struct store_error err = { 0 };

	memset(o->next, 0, sizeof(o->next));
	o->definitions = o->without = o->whole = 0;
	o->st = store_open(o->env, o->path, &run, restore, o, &err);
	if (o->st == NULL)
		return (err.code);
	if (o->definitions == 0)
		assert_int_equal(store_frame(o->st, MSG_node, &node), 0);
	return (0);
}

static inline void
owner_open(struct owner *o)
{
	memset(o, 0, sizeof(*o));
	snprintf(o->dir, sizeof(o->dir), "/tmp/orrery-test-XXXXXX");
	assert_non_null(mkdtemp(o->dir));
	snprintf(o->path, sizeof(o->path), "%s/run.orr", o->dir);
	o->env = env_event_new(NULL);
	assert_non_null(o->env);
	assert_int_equal(owner_start(o), 0);
}

static inline int
remove_cut(void *arg, const char *name)
{
	const struct owner *o = arg;
	char path[400];

	snprintf(path, sizeof(path), "%s/%.255s", o->dir, name);
	if (strstr(name, ".cut-") != NULL)
		unlink(path);
	return (0);
}

static inline void
owner_close(struct owner *o)
{
	store_close(o->st);
	o->env->ops->list(o->env, o->dir, remove_cut, o);
	env_event_free(o->env);
	unlink(o->path);
	rmdir(o->dir);
}

/* Adds the location's next event at this time. */
static inline int
add(struct owner *o, uint32_t location, int64_t t)
{
	struct event e = { .t_mon_ns = t,
		.t_node_ns = t - 5,
		.location = location,
		.kind = EV_note,
		.seq = o->next[location] };

	e.a = e.seq;
	o->next[location]++;
	return (store_event(o->st, &e));
}

struct seen {
	uint64_t next[LOCATIONS], events, late;
	int64_t last;
	bool wrong, disorder;
};

static inline int
see(void *arg, const struct event *e)
{
	struct seen *s = arg;

	if (e->t_mon_ns < s->last)
		s->disorder = true;
	s->last = e->t_mon_ns;
	if (e->seq != s->next[e->location] || e->a != e->seq)
		s->wrong = true;
	s->next[e->location]++;
	s->events++;
	s->late += (e->flags & EVENT_LATE) != 0;
	return (0);
}

static inline void
read_back(struct owner *o, struct seen *s)
{
	static const struct trace_sink sink = { .event = see };
	const char *why = NULL;
	struct tracefile *t = tracefile_open(o->path, &why);

	memset(s, 0, sizeof(*s));
	s->last = INT64_MIN;
	if (t == NULL)
		fail_msg("%s", why);
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, s), 0);
	assert_int_equal(tracefile_damaged_bytes(t), 0);
	tracefile_close(t);
}

static inline void
finish(struct owner *o)
{
	struct msg_receipt r = { .published = 1 };
	struct store_error err;

	if (store_finish(o->st, &r, &err) == -1)
		fail_msg("%s", err.text);
	store_close(o->st);
	o->st = NULL;
}

static inline size_t
slurp(const char *path, uint8_t *p, size_t room)
{
	FILE *f = fopen(path, "re");
	size_t n = fread(p, 1, room, f);

	fclose(f);
	return (n);
}

static inline void
spit(const char *path, const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "we");

	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

/*
 * Late and timely events of the same threads in turns: what makes holes if
 * the order in the file is wrong.
 */
static inline void
fill(struct owner *o, int commits)
{
	int64_t t = 1000;

	for (int i = 0; i < commits; i++) {
		for (int k = 0; k < 6; k++)
			add(o, (uint32_t)(k & 1), t += 10);
		add(o, 2, t - 25);
		add(o, 2, t - 15);
		add(o, 2, t += 10);
		add(o, 3, t - 5);
		add(o, 0, t += 10);
		assert_true(store_commit(o->st));
	}
}

#endif
