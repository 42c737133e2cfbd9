/*
 * A second thread reads and unpacks, the first one fills the model.
 *
 * A few parts go round between the two threads, each some
 * definitions as they lie in the log and then one block, unpacked; so a lock is
 * taken once for some 10^4 events.  The reader also has the region's next pages
 * cleared, which would else be done whenever the model comes to a new one.
 */
#include "feed/feed_ahead.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "log/block.h"
#include "log/tracefile.h"
#include "model/keep/memory.h"

#define PARTS       4
#define FRAMES_MAX  512       /* of a part */
#define BYTES_MAX   (1 << 18) /* of its definitions */
#define CLEAR_BYTES ((size_t)48 << 20)
#define CLEAR_LEAST (1 << 21) /* of a log for which that is done */

struct part_frame {
	uint64_t offset;
	size_t body_at, body_bytes, frame_bytes;
	unsigned type;
};

struct part {
	struct part_frame frame[FRAMES_MAX];
	unsigned n;
	struct buf bodies;
	/* the last frame, if it is a block that can be read */
	bool unpacked;
	struct msg_block block;
	struct event *events;
	uint32_t cap;
	bool last;
	uint64_t end; /* offset behind it */
	uint64_t damaged_bytes;
};

struct ahead {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned made, taken; /* parts so far, under the lock */
	bool stop;            /* under the lock */
	struct part part[PARTS];
	/* the reader's */
	struct tracefile *file;
	uint64_t offset;
	struct buf scratch;
	/* the taker's */
	unsigned next; /* frame of the part that is being taken */
	bool holds;
	uint64_t at; /* offset behind what was taken */
	uint64_t damaged_bytes;
};

/* --- the reader --- */

static bool
unpack(struct ahead *a, struct part *p, const struct frame *f)
{
	struct event *e;

	if (msg_decode(MSG_block, f->body, f->body_bytes, &p->block) == -1 ||
	    p->block.events > BLOCK_EVENTS_MAX)
		return (false);
	if (p->block.events > p->cap) {
		e = realloc(p->events, p->block.events * sizeof(*e));
		if (e == NULL)
			return (false);
		p->events = e;
		p->cap = p->block.events;
	}
	return (block_read(&p->block, p->events, &a->scratch) == 0);
}

/* False: there is no memory for it. */
static bool
part_add(struct ahead *a, struct part *p, const struct frame *f)
{
	struct part_frame *to = &p->frame[p->n];

	*to = (struct part_frame){ .offset = a->offset - f->frame_bytes,
		.body_at = p->bodies.n,
		.frame_bytes = f->frame_bytes,
		.type = f->type };
	if (f->type == MSG_block && unpack(a, p, f)) {
		p->unpacked = true;
	} else {
		to->body_bytes = f->body_bytes;
		if (buf_add(&p->bodies, f->body, f->body_bytes) == -1)
			return (false);
	}
	p->n++;
	p->end = a->offset;
	return (true);
}

static void
part_fill(struct ahead *a, struct part *p)
{
	struct frame f;
	int r;

	p->n = 0;
	p->bodies.n = 0;
	p->unpacked = p->last = false;
	p->end = a->offset;
	while (p->n < FRAMES_MAX && p->bodies.n < BYTES_MAX && !p->unpacked) {
		r = tracefile_next(a->file, &a->offset, &f);
		if (r == 0)
			p->end = a->offset;
		if (r != 1 || !part_add(a, p, &f)) {
			p->last = true;
			break;
		}
	}
	p->damaged_bytes = tracefile_damaged_bytes(a->file);
}

static void *
reader(void *arg)
{
	struct ahead *a = arg;
	struct part *p;
	bool more = true;
	bool long_log = tracefile_bytes(a->file) - a->offset >= CLEAR_LEAST;

	while (more) {
		pthread_mutex_lock(&a->lock);
		while (a->made - a->taken == PARTS && !a->stop)
			pthread_cond_wait(&a->changed, &a->lock);
		more = !a->stop;
		p = &a->part[a->made % PARTS];
		pthread_mutex_unlock(&a->lock);
		if (!more)
			break;
		if (long_log)
			memory_clear_ahead(CLEAR_BYTES);
		part_fill(a, p);
		more = !p->last;
		pthread_mutex_lock(&a->lock);
		a->made++;
		pthread_cond_signal(&a->changed);
		pthread_mutex_unlock(&a->lock);
	}
	return (NULL);
}

/* --- the taker --- */

static bool
alone(void)
{
	cpu_set_t set;

	return (sched_getaffinity(0, sizeof(set), &set) == 0 &&
		CPU_COUNT(&set) < 2);
}

static void
ahead_free(struct ahead *a)
{
	tracefile_close(a->file);
	for (unsigned i = 0; i < PARTS; i++) {
		free(a->part[i].events);
		buf_free(&a->part[i].bodies);
	}
	buf_free(&a->scratch);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

struct ahead *
ahead_start(const char *file, uint64_t offset)
{
	const char *why;
	struct ahead *a;

	if (alone() || (a = calloc(1, sizeof(*a))) == NULL)
		return (NULL);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	a->offset = a->at = offset;
	a->file = tracefile_open(file, &why);
	if (a->file != NULL && pthread_create(&a->thread, NULL, reader, a) == 0)
		return (a);
	ahead_free(a);
	return (NULL);
}

/* The part whose turn it is, waited for; NULL: there was a last one. */
static struct part *
part_get(struct ahead *a)
{
	struct part *p = &a->part[a->taken % PARTS];

	if (a->holds && a->next < p->n)
		return (p);
	if (a->holds) {
		a->at = p->end;
		if (p->last)
			return (NULL);
	}
	pthread_mutex_lock(&a->lock);
	if (a->holds) {
		a->taken++;
		pthread_cond_signal(&a->changed);
	}
	while (a->made == a->taken)
		pthread_cond_wait(&a->changed, &a->lock);
	p = &a->part[a->taken % PARTS];
	pthread_mutex_unlock(&a->lock);
	a->holds = true;
	a->next = 0;
	a->damaged_bytes = p->damaged_bytes;
	return (p);
}

bool
ahead_next(struct ahead *a, struct ahead_frame *out)
{
	const struct part_frame *f;
	struct part *p;

	do {
		if ((p = part_get(a)) == NULL)
			return (false);
	} while (a->next == p->n);
	f = &p->frame[a->next++];
	a->at = f->offset + f->frame_bytes;
	*out = (struct ahead_frame){ .offset = f->offset };
	out->frame.type = f->type;
	out->frame.frame_bytes = f->frame_bytes;
	out->frame.body_bytes = f->body_bytes;
	out->frame.body = p->bodies.p + f->body_at;
	if (p->unpacked && a->next == p->n) {
		out->block = p->block;
		out->events = p->events;
	}
	return (true);
}

uint64_t
ahead_offset(const struct ahead *a)
{
	return (a->at);
}

uint64_t
ahead_damaged_bytes(const struct ahead *a)
{
	return (a->damaged_bytes);
}

void
ahead_stop(struct ahead *a)
{
	if (a == NULL)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	ahead_free(a);
}
