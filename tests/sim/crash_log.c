/*
 * Crash images of the log.
 *
 * An owner of a store, as monitord is one, adds events of a few locations,
 * late ones among them, definitions and big bursts; it commits, sometimes the
 * disk fails it, and at the end it may finish the log.  What an event says
 * follows from its location and number, so a reader knows whether it is true.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>
#include <unistd.h>

#include "log/block.h"
#include "log/tracefile.h"
#include "monitord/store/store.h"
#include "tests/sim/crashimage.h"

enum {
	LOCATIONS = 6,
	COMMITS = 24,
	BURST = 1500,
};
#define LOG_PATH "/log/run.orr"

/* How far each location has got. */
struct progress {
	uint64_t next[LOCATIONS];
};

/* A commit that returned true: from this operation on it is a promise. */
struct promise {
	size_t at;
	struct progress stored;
};

struct owner {
	struct env *env;
	struct store *st;
	struct progress p;
	int64_t last_ns[LOCATIONS], now_ns;
	uint64_t names;
	bool wrong; /* an event says what nobody has written */
	struct event *scratch_events;
	struct buf scratch;
};

struct recording {
	uint64_t seed;
	struct crash_disk *disk;
	struct promise promises[COMMITS + 4];
	size_t npromises;
	struct progress added;
	size_t finished_at; /* the log was whole then; SIZE_MAX: never */
	size_t finishing_at;
};

static struct event
event_of(uint32_t location, uint64_t seq, int64_t t_ns)
{
	uint64_t word = crash_word(location + 1, seq);

	return ((struct event){ .t_mon_ns = t_ns,
	    .t_node_ns = t_ns - (int64_t)(word % 1000),
	    .seq = seq,
	    .a = word,
	    .b = word % 7 == 0 ? 0 : seq * 3,
	    .c = (uint32_t)word % 50,
	    .location = location,
	    .kind = EV_task_spawn });
}

static bool
event_is_true(const struct event *e)
{
	struct event want = event_of(e->location, e->seq, e->t_mon_ns);

	return (e->a == want.a && e->b == want.b && e->c == want.c &&
		e->kind == want.kind && e->t_node_ns == want.t_node_ns);
}

/* As monitord takes back what is in its log. */
static int
restore(void *arg, const struct frame *f)
{
	struct owner *o = arg;
	struct msg_block b;

	if (f->type == MSG_name)
		o->names++;
	if (f->type != MSG_block)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &b) == -1 ||
	    b.events > BLOCK_EVENTS_MAX ||
	    block_read(&b, o->scratch_events, &o->scratch) == -1)
		return (-1);
	for (uint32_t i = 0; i < b.events; i++) {
		const struct event *e = &o->scratch_events[i];

		if (e->location >= LOCATIONS || !event_is_true(e) ||
		    e->seq != o->p.next[e->location]) {
			o->wrong = true;
			return (-1);
		}
		o->p.next[e->location]++;
		o->last_ns[e->location] = e->t_mon_ns;
		if (e->t_mon_ns > o->now_ns)
			o->now_ns = e->t_mon_ns;
	}
	return (0);
}

/* Returns a code of sysexits.h. */
static int
owner_open(struct owner *o, struct env *env)
{
	static struct event *events;
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = BYTES_STR("crash"),
		.program = BYTES_STR("crashimage") };
	struct store_error err = { 0 };

	if (events == NULL)
		events = calloc(BLOCK_EVENTS_MAX, sizeof(*events));
	memset(o, 0, sizeof(*o));
	o->env = env;
	o->scratch_events = events;
	o->now_ns = 1000000000;
	o->st = store_open(env, LOG_PATH, &run, restore, o, &err);
	return (o->st != NULL ? 0 : err.code);
}

static void
owner_close(struct owner *o)
{
	store_close(o->st);
	o->st = NULL;
	buf_free(&o->scratch);
}

static void
owner_add(struct owner *o, struct chance *c)
{
	uint32_t location = (uint32_t)chance_below(c, LOCATIONS);
	int64_t t_ns;
	struct event e;

	o->now_ns += 1 + (int64_t)chance_below(c, 300);
	t_ns = o->now_ns;
	if (chance_is(c, 0.03) && o->last_ns[location] > 0) /* late */
		t_ns = o->last_ns[location] + 1;
	e = event_of(location, o->p.next[location], t_ns);
	if (store_event(o->st, &e) == -1)
		abort();
	o->p.next[location]++;
	o->last_ns[location] = t_ns;
}

static void
owner_some(struct owner *o, struct chance *c)
{
	size_t n = chance_is(c, 0.06) ? BURST : 1 + chance_below(c, 60);
	struct msg_name name = { .name = 1, .text = BYTES_STR("a_name") };

	if (chance_is(c, 0.3)) {
		name.name = (uint32_t)++o->names;
		if (store_frame(o->st, MSG_name, &name) == -1)
			abort();
	}
	for (size_t i = 0; i < n; i++)
		owner_add(o, c);
}

/* Everything that the run writes; the promises it makes meanwhile. */
static void
record(struct recording *r, struct chance *c)
{
	struct msg_receipt receipt = { .stored = 1 };
	struct store_error err;
	struct owner o;

	r->disk = crash_disk_new(chance_next(c));
	r->finished_at = r->finishing_at = SIZE_MAX;
	if (owner_open(&o, crash_disk_env(r->disk)) != 0)
		abort();
	if (chance_is(c, 0.4))
		crash_disk_trouble(r->disk, 12);
	for (int i = 0; i < COMMITS; i++) {
		owner_some(&o, c);
		if (store_commit(o.st))
			r->promises[r->npromises++] =
			    (struct promise){ crash_disk_ops(r->disk), o.p };
	}
	crash_disk_trouble(r->disk, chance_is(c, 0.2) ? 6 : 0);
	r->added = o.p;
	if (chance_is(c, 0.6)) {
		r->finishing_at = crash_disk_ops(r->disk);
		if (store_finish(o.st, &receipt, &err) == 0)
			r->finished_at = crash_disk_ops(r->disk);
	}
	owner_close(&o);
}

/* --- looking --- */

struct look {
	struct recording *r;
	struct tally *t;
	const struct crash *crash;
	struct progress promised, most;
};

static void
wrong(const struct look *l, uint64_t *count, const char *what)
{
	tally_wrong(l->t, count, what, l->r->seed, l->crash);
}

/* All that was promised, nothing that nobody has written. */
static bool
look_at_progress(const struct look *l, const struct progress *p)
{
	bool good = true;

	for (int i = 0; i < LOCATIONS; i++) {
		l->t->checked += l->promised.next[i];
		if (p->next[i] < l->promised.next[i]) {
			wrong(l, &l->t->lost, "acknowledged events are gone");
			l->t->lost += l->promised.next[i] - p->next[i] - 1;
			good = false;
		}
		if (p->next[i] > l->most.next[i]) {
			wrong(l, &l->t->invented, "more than was written");
			good = false;
		}
	}
	return (good);
}

struct seen {
	struct progress p;
	int64_t last_ns;
	bool wrong;
};

static int
see(void *arg, const struct event *e)
{
	struct seen *s = arg;

	if (e->location >= LOCATIONS || !event_is_true(e) ||
	    e->t_mon_ns < s->last_ns || e->seq != s->p.next[e->location])
		s->wrong = true;
	else
		s->p.next[e->location]++;
	s->last_ns = e->t_mon_ns;
	return (0);
}

/* As every reader sees it: through a file of the real system. */
static bool
look_as_reader(const struct look *l, const struct crash_disk *d)
{
	static const struct trace_sink sink = { .event = see };
	struct seen seen = { .last_ns = INT64_MIN };
	const char *why = NULL;
	struct tracefile *t;
	char path[64];
	const void *p;
	size_t n;
	bool good = false;
	int fd;

	p = crash_disk_file(d, LOG_PATH, &n);
	fd = memfd_create("log", MFD_CLOEXEC);
	if (p == NULL || fd == -1 || write(fd, p, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	t = tracefile_open(path, &why);
	if (t != NULL &&
	    tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &seen) == 0 &&
	    tracefile_damaged_bytes(t) == 0 && !seen.wrong)
		good = look_at_progress(l, &seen.p);
	else
		wrong(l, &l->t->lost, "a reader cannot read it");
	tracefile_close(t);
	close(fd);
	return (good);
}

/* Goes on with a recovered log: what is added then must stay. */
static bool
go_on(struct look *l, struct crash_disk *d, struct owner *o, struct chance *c)
{
	struct owner again;

	for (int i = 0; i < 2; i++) {
		owner_some(o, c);
		if (!store_commit(o->st)) {
			wrong(l, &l->t->lost, "cannot be written any more");
			return (false);
		}
	}
	l->promised = l->most = o->p;
	owner_close(o);
	if (owner_open(&again, crash_disk_env(d)) != 0 || again.wrong) {
		wrong(l, &l->t->lost, "cannot be opened a second time");
		owner_close(&again);
		return (false);
	}
	owner_close(&again);
	return (look_at_progress(l, &again.p) && look_as_reader(l, d));
}

static bool recover(struct look *, struct crash_disk *, struct chance *, bool);

/* The next monitord dies, too, when it has just begun to write. */
static bool
crash_again(struct look *l, struct crash_disk *d, struct owner *o, size_t first,
    struct chance *c)
{
	struct crash crash = { .kind = CRASH_RANDOM };
	struct crash_disk *second;
	bool good;

	owner_some(o, c);
	good = store_commit(o->st);
	crash.at =
	    first + (size_t)chance_below(c, crash_disk_ops(d) - first + 1);
	if (good && crash.at == crash_disk_ops(d))
		l->promised = o->p;
	l->most = o->p;
	owner_close(o);
	second = crash_disk_image(d, &crash, c);
	l->t->again++;
	good = recover(l, second, c, false);
	crash_disk_free(second);
	return (good);
}

static bool
recover(struct look *l, struct crash_disk *d, struct chance *c, bool twice)
{
	size_t first = twice ? crash_disk_settle(d) : 0;
	struct owner o;
	int code = owner_open(&o, crash_disk_env(d));

	if (o.wrong) {
		wrong(l, &l->t->invented, "an event that nobody has written");
		owner_close(&o);
		return (false);
	}
	if (code == EX_CANTCREAT && l->crash->at > l->r->finishing_at) {
		/* it is finished: then all of it is there */
		l->promised = l->r->added;
		owner_close(&o);
		return (look_as_reader(l, d));
	}
	if (code != 0) {
		wrong(l, &l->t->lost, "cannot be opened");
		owner_close(&o);
		return (false);
	}
	if (!look_at_progress(l, &o.p)) {
		owner_close(&o);
		return (false);
	}
	return (twice ? crash_again(l, d, &o, first, c) : go_on(l, d, &o, c));
}

static void
one_image(struct recording *r, const struct crash *crash, struct chance *c,
    struct tally *t)
{
	struct look l = { .r = r, .t = t, .crash = crash, .most = r->added };
	struct crash_disk *d = crash_disk_image(r->disk, crash, c);

	for (size_t i = 0; i < r->npromises && r->promises[i].at <= crash->at;
	     i++)
		l.promised = r->promises[i].stored;
	t->images++;
	if (recover(&l, d, c, chance_is(c, 0.1)))
		t->recovered++;
	crash_disk_free(d);
}

void
crash_log(uint64_t seed, uint64_t images, struct tally *t)
{
	struct recording r = { .seed = seed };
	struct chance c = { seed };

	record(&r, &c);
	for (uint64_t i = 0; i < images; i++) {
		struct crash crash = crash_pick(r.disk, i, images, false, &c);

		one_image(&r, &crash, &c, t);
	}
	crash_disk_free(r.disk);
}
