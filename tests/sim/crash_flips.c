/*
 * Every bit of a log of 1 MiB, flipped, one at a time.
 *
 * The reader is the production one.  The whole log fits into its window, so a
 * bit is flipped there, and the reader goes on from the frame that it is in:
 * that frame must be refused, and the next one it gives must be the one
 * behind, whole.  All frames but the one are as they were, so this tells of
 * all.  What stands at the ends is tried on a whole reader: the run frame,
 * without which nothing is opened, and index and receipt, without which the
 * table is made by reading everything.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log/block.h"
#include "log/tracefile_inside.h"
#include "monitord/store/store_inside.h"
#include "tests/sim/crashimage.h"

#define LOG_PATH  "/log/run.orr"
#define LOG_BYTES ((size_t)1 << 20)
#define ROOM      ((size_t)12 << 10) /* for what ends it */
#define END_EACH  16 /* of the bits that a whole reader is made for */

static int
restore(void *arg, const struct frame *f)
{
	(void)arg;
	(void)f;
	return (0);
}

/* A finished log of a little less than 1 MiB, blocks of many sizes in it. */
static void
make_log(struct crash_disk *d, struct chance *c)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = BYTES_STR("flips"),
		.program = BYTES_STR("crashimage") };
	struct msg_receipt receipt = { .stored = 1 };
	struct msg_name name = { .text = BYTES_STR("some_function") };
	struct store_error error;
	struct event e = { .t_mon_ns = 1000000000, .kind = EV_send };
	uint64_t seq[8] = { 0 };
	struct buf tail = { 0 };
	struct store *st = store_open(crash_disk_env(d), LOG_PATH, &run,
	    restore, NULL, &error);
	size_t n;

	if (st == NULL)
		abort();
	while (store_bytes(st) < LOG_BYTES - ROOM) {
		name.name++;
		if (store_frame(st, MSG_name, &name) == -1)
			abort();
		n = 1 + (size_t)chance_below(c, 1u << chance_below(c, 12));
		if (n > (LOG_BYTES - ROOM - store_bytes(st)) / 16)
			n = 20;
		for (size_t i = 0; i < n; i++) {
			e.location = (uint32_t)chance_below(c, 8);
			e.t_mon_ns += (int64_t)chance_below(c, 1000);
			e.t_node_ns = e.t_mon_ns - 5;
			e.a = chance_next(c);
			e.b = chance_below(c, 5000);
			e.seq = seq[e.location]++;
			if (store_event(st, &e) == -1)
				abort();
		}
		if (!store_commit(st))
			abort();
	}
	/* store_finish() would fold all this into two big blocks */
	if (tracefile_tail(st->entries.entry, st->entries.n, st->synced,
		st->events, &receipt, &tail) == -1 ||
	    st->env->ops->write_at(st->file, tail.p, tail.n, st->synced) !=
		(ssize_t)tail.n)
		abort();
	buf_free(&tail);
	store_close(st);
}

/* A file of the system with these bytes, opened by the reader. */
static struct tracefile *
open_bytes(const void *p, size_t n, int *fd)
{
	const char *why = NULL;
	char path[64];

	*fd = memfd_create("log", MFD_CLOEXEC);
	if (*fd == -1 || write(*fd, p, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	return (tracefile_open(path, &why));
}

struct place {
	uint64_t offset;
	size_t bytes;
	unsigned type;
};

static size_t
find_frames(struct tracefile *t, struct place *at, size_t max)
{
	uint64_t offset = 0;
	struct frame f;
	size_t n = 0;

	while (n < max && tracefile_next(t, &offset, &f) == 1) {
		at[n++] = (struct place){ .offset = offset - f.frame_bytes,
			.bytes = f.frame_bytes,
			.type = f.type };
	}
	return (n);
}

struct flips {
	struct tracefile *t;
	struct place *at;
	size_t n;
	struct tally *tally;
	uint64_t seed;
};

static void
forget_damage(struct tracefile *t)
{
	t->damaged_bytes = t->damaged_end = 0;
}

/* One bit of frame k. */
static void
flip(struct flips *fl, size_t k, size_t bit)
{
	struct tracefile *t = fl->t;
	const struct place *at = &fl->at[k];
	uint8_t *byte = t->window.p + at->offset + bit / 8;
	uint64_t offset = at->offset;
	struct frame f;
	int rc;

	*byte ^= (uint8_t)(1u << bit % 8);
	forget_damage(t);
	fl->tally->flips++;
	rc = tracefile_next(t, &offset, &f);
	if (rc == 1 && offset - f.frame_bytes == at->offset)
		tally_wrong(fl->tally, &fl->tally->unseen, "a flip is not seen",
		    fl->seed, NULL);
	else if (k + 1 < fl->n &&
		 (rc != 1 || offset - f.frame_bytes != at[1].offset ||
		     f.frame_bytes != at[1].bytes ||
		     tracefile_damaged_bytes(t) != at->bytes))
		tally_wrong(fl->tally, &fl->tally->unsalvaged,
		    "the frame behind a flip is not found", fl->seed, NULL);
	/* and as it is found by the index */
	if (tracefile_frame_at(t, at->offset, at->bytes, &f) != 0)
		tally_wrong(fl->tally, &fl->tally->unseen,
		    "a flip is not seen at its place", fl->seed, NULL);
	*byte ^= (uint8_t)(1u << bit % 8);
}

/* A bit at the head or the tail: all blocks must still be found. */
static void
flip_whole(struct flips *fl, uint8_t *log, size_t bytes, size_t k, size_t bit,
    size_t nentries)
{
	uint8_t *byte = log + fl->at[k].offset + bit / 8;
	struct tracefile *t;
	size_t n = 0;
	int fd;

	*byte ^= (uint8_t)(1u << bit % 8);
	fl->tally->flips++;
	t = open_bytes(log, bytes, &fd);
	if (t == NULL || tracefile_index(t, &n) == NULL || n != nentries)
		tally_wrong(fl->tally, &fl->tally->unsalvaged,
		    "blocks are gone with another frame", fl->seed, NULL);
	tracefile_close(t);
	close(fd);
	*byte ^= (uint8_t)(1u << bit % 8);
}

/* Events of a log that a reader can get at. */
static int
count_event(void *arg, const struct event *e)
{
	(void)e;
	++*(uint64_t *)arg;
	return (0);
}

static uint64_t
count_events(struct crash_disk *d, const char *path)
{
	static const struct trace_sink sink = { .event = count_event };
	struct tracefile *t;
	uint64_t events = 0;
	const void *p;
	size_t n;
	int fd;

	p = crash_disk_file(d, path, &n);
	if (p == NULL)
		return (0);
	t = open_bytes(p, n, &fd);
	if (t == NULL ||
	    tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &events) != 0)
		events = 0;
	tracefile_close(t);
	close(fd);
	return (events);
}

/*
 * The same damage in a log that is not finished, met by the monitord that
 * goes on with it: it cuts there, and must throw nothing away.
 */
static void
flip_recovered(struct flips *fl, const uint8_t *log, size_t k, uint64_t all)
{
	struct crash_disk *d = crash_disk_new(k);
	struct env *env = crash_disk_env(d);
	size_t bytes = (size_t)fl->at[fl->n - 2].offset; /* less the index */
	struct env_file *f =
	    env->ops->open(env, LOG_PATH, ENV_WRITE | ENV_CREATE);
	uint8_t bad = log[fl->at[k].offset + fl->at[k].bytes / 2] ^ 4;
	struct msg_block b;
	struct frame fr;
	struct store_error error;
	struct store *st;
	char path[64];

	if (f == NULL ||
	    env->ops->write_at(f, log, bytes, 0) != (ssize_t)bytes ||
	    env->ops->write_at(f, &bad, 1,
		fl->at[k].offset + fl->at[k].bytes / 2) != 1)
		abort();
	env->ops->file_close(f);
	if (frame_parse(log + fl->at[k].offset, fl->at[k].bytes, &fr) !=
		FRAME_OK ||
	    msg_decode(MSG_block, fr.body, fr.body_bytes, &b) == -1)
		abort();
	fl->tally->flips++;
	st = store_open(env, LOG_PATH, NULL, restore, NULL, &error);
	snprintf(path, sizeof(path), "%s.cut-%llu", LOG_PATH,
	    (unsigned long long)fl->at[k].offset);
	if (st == NULL || store_cut_bytes(st) != bytes - fl->at[k].offset ||
	    count_events(d, LOG_PATH) + count_events(d, path) + b.events != all)
		tally_wrong(fl->tally, &fl->tally->unsalvaged,
		    "recovery throws whole blocks away", fl->seed, NULL);
	store_close(st);
	crash_disk_free(d);
}

void
crash_flips(uint64_t seed, unsigned stride, struct tally *tally)
{
	struct chance c = { seed };
	struct crash_disk *d = crash_disk_new(seed);
	struct flips fl = { .tally = tally, .seed = seed };
	size_t bytes, nentries, more, first = 0;
	uint64_t all;
	uint8_t *log;
	int fd;

	make_log(d, &c);
	log = (uint8_t *)(uintptr_t)crash_disk_file(d, LOG_PATH, &bytes);
	fl.t = open_bytes(log, bytes, &fd);
	fl.at = calloc(bytes / FRAME_HEAD_BYTES, sizeof(*fl.at));
	if (fl.t == NULL || fl.at == NULL || bytes > LOG_BYTES)
		abort();
	fl.n = find_frames(fl.t, fl.at, bytes / FRAME_HEAD_BYTES);
	if (tracefile_index(fl.t, &nentries) == NULL ||
	    tracefile_window(fl.t, 0, bytes, &more) == NULL || more != bytes)
		abort();
	all = count_events(d, LOG_PATH);
	for (size_t k = 1; k < fl.n; k += 23)
		if (fl.at[k].type == MSG_block)
			flip_recovered(&fl, log, k, all);
	for (size_t k = 0; k < fl.n; k++) {
		size_t bits = fl.at[k].bytes * 8;
		/* heads wholly, whatever the stride */
		size_t bit = 0;

		for (; bit < FRAME_HEAD_BYTES * 8 && k % 16 == 0; bit++)
			flip(&fl, k, bit);
		for (bit = bit + first % stride; bit < bits; bit += stride)
			flip(&fl, k, bit);
		first += bits;
		if (k > 0 && k + 2 < fl.n)
			continue;
		for (bit = 0; bit < bits;
		     bit += stride < END_EACH ? END_EACH : stride)
			flip_whole(&fl, log, bytes, k, bit, nentries);
	}
	free(fl.at);
	tracefile_close(fl.t);
	close(fd);
	crash_disk_free(d);
}
