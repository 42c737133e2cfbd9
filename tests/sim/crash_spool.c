/*
 * Crash images of the spool and of the journal beside it.
 *
 * What the spool is for is the death of processes: once spool_append() has
 * returned, the ring gives the events up, so the batch must be there after a
 * SIGKILL, until it has been acknowledged.  After a loss of power, with which
 * the programs die too, it need only open, tell no lies, and go on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/ident/ident.h"
#include "collector/spool/spool.h"
#include "tests/sim/crashimage.h"

enum {
	STEPS = 60,
	SAFE_MAX = 4096,
};
#define SPOOL_DIR "/spool"
#define BIG       ((size_t)400 << 10) /* five of these make a file */

/* What was promised, and from which operation on. */
struct step {
	size_t at;
	uint64_t safe;  /* batches up to this one have been appended */
	uint64_t acked; /* these may be gone */
	uint32_t pos;   /* POs in the journal, each with a thread */
	uint64_t epoch;
};

struct recording {
	uint64_t seed;
	struct crash_disk *disk;
	struct step step[4 * STEPS + 8];
	size_t nsteps;
	uint64_t last; /* the highest number that was tried */
	bool big;
	size_t bytes[SAFE_MAX]; /* of each batch */
};

/* A batch whose every byte follows from its number. */
static uint8_t *
batch_frame(uint64_t number, size_t bytes, size_t *n)
{
	struct msg_batch m = { .number = number, .watermark_node_ns = 7 };
	uint8_t *p = malloc(bytes + 8), *frame;

	if (p == NULL)
		abort();
	for (size_t i = 0; i < bytes; i += 8) {
		uint64_t word = crash_word(number, i);

		memcpy(p + i, &word, 8);
	}
	m.streams = (struct bytes){ p, bytes };
	frame = frame_message(MSG_batch, &m, n);
	if (frame == NULL)
		abort();
	free(p);
	return (frame);
}

/* Both of what a collector keeps in its directory. */
struct keeper {
	struct spool *spool;
	struct ident *ident;
};

static bool
keeper_open(struct keeper *k, struct env *env)
{
	k->ident = NULL;
	k->spool = spool_open(env, SPOOL_DIR, 0);
	if (k->spool != NULL)
		k->ident = ident_open(env, SPOOL_DIR);
	return (k->ident != NULL);
}

static void
keeper_close(struct keeper *k)
{
	ident_free(k->ident);
	spool_close(k->spool);
}

static void
promise(struct recording *r, const struct keeper *k)
{
	r->step[r->nsteps++] = (struct step){ .at = crash_disk_ops(r->disk),
		.safe = spool_next(k->spool) - 1,
		.acked = spool_first(k->spool) - 1,
		.pos = (uint32_t)ident_pos(k->ident),
		.epoch = spool_epoch(k->spool) };
}

static void
append(struct recording *r, struct keeper *k, struct chance *c)
{
	uint64_t number = spool_next(k->spool);
	/* few lengths: what is written anew ends where the old has ended */
	size_t n, bytes = (size_t)chance_below(c, 5) * 640;
	uint8_t *frame;

	if (r->big)
		bytes = BIG + bytes;
	if (number >= SAFE_MAX)
		return;
	r->bytes[number] = bytes;
	r->last = number > r->last ? number : r->last;
	frame = batch_frame(number, bytes, &n);
	(void)spool_append(k->spool, frame, n);
	free(frame);
}

static void
define(struct keeper *k, struct chance *c)
{
	struct msg_po po = { .po = ident_next_po(k->ident),
		.pid = 1000 + (uint32_t)chance_below(c, 1000),
		.program = BYTES_STR("program"),
		.command = BYTES_STR("./program") };
	struct po *p = ident_po_new(k->ident, &po);

	if (p == NULL ||
	    ident_stream_new(k->ident, p, 1, po.pid, "main") == NULL)
		abort();
	(void)ident_save(k->ident);
}

/* From the moment when it is told they may be gone. */
static void
acknowledge(struct recording *r, struct keeper *k, struct chance *c)
{
	uint64_t number = spool_first(k->spool) - 1 + chance_below(c, 6);

	promise(r, k);
	if (number > r->step[r->nsteps - 1].acked)
		r->step[r->nsteps - 1].acked = number;
	spool_ack(k->spool, number);
}

static void
record(struct recording *r, struct chance *c)
{
	struct keeper k;
	int steps;

	r->disk = crash_disk_new(chance_next(c));
	r->big = r->seed % 6 == 0;
	steps = r->big ? STEPS / 3 : STEPS;
	if (!keeper_open(&k, crash_disk_env(r->disk)))
		abort();
	for (int i = 0; i < steps; i++) {
		if (chance_is(c, 0.15))
			define(&k, c);
		promise(r, &k);
		append(r, &k, c);
		promise(r, &k);
		if (chance_is(c, 0.3))
			acknowledge(r, &k, c);
		if (chance_is(c, 0.04)) {
			keeper_close(&k);
			if (!keeper_open(&k, crash_disk_env(r->disk)))
				abort();
		}
		promise(r, &k);
	}
	keeper_close(&k);
}

/* --- looking --- */

struct look {
	struct recording *r;
	struct tally *t;
	const struct crash *crash;
	struct step promised;
};

static bool
wrong(const struct look *l, uint64_t *count, const char *what)
{
	tally_wrong(l->t, count, what, l->r->seed, l->crash);
	return (false);
}

/* A batch that is there is the one that was written under this number. */
static bool
batch_is_true(const struct look *l, struct keeper *k, uint64_t number)
{
	struct buf b = { 0 };
	uint8_t *want;
	size_t n;
	bool same;

	if (number > l->r->last || spool_read(k->spool, number, &b) == -1) {
		buf_free(&b);
		return (false);
	}
	want = batch_frame(number, l->r->bytes[number], &n);
	same = b.n == n && memcmp(b.p, want, n) == 0;
	free(want);
	buf_free(&b);
	return (same);
}

static bool
spool_has(struct keeper *k, uint64_t number)
{
	struct buf b = { 0 };
	int rc = spool_read(k->spool, number, &b);

	buf_free(&b);
	return (rc == 0 || errno != ENOENT);
}

static bool
look_at_batches(const struct look *l, struct keeper *k, bool power)
{
	uint64_t next = spool_next(k->spool);

	for (uint64_t i = spool_first(k->spool); i < next; i++) {
		/* a loss of power may have taken some out of the middle */
		if (power && !spool_has(k, i))
			continue;
		if (!batch_is_true(l, k, i))
			return (wrong(l, &l->t->invented,
			    "a batch that nobody has written"));
	}
	if (power)
		return (true);
	for (uint64_t i = l->promised.acked + 1; i <= l->promised.safe; i++) {
		l->t->checked++;
		if (!batch_is_true(l, k, i))
			return (wrong(l, &l->t->lost, "a safe batch is gone"));
	}
	if (next <= l->promised.safe)
		return (wrong(l, &l->t->lost, "a number would be used again"));
	return (true);
}

static bool
look_at_ident(const struct look *l, struct keeper *k)
{
	for (uint32_t po = 1; po <= l->promised.pos; po++) {
		l->t->checked++;
		if (ident_po(k->ident, po) == NULL ||
		    ident_stream(k->ident, po, 1) == NULL)
			return (wrong(l, &l->t->lost, "a PO is forgotten"));
	}
	if (ident_next_po(k->ident) <= l->promised.pos)
		return (wrong(l, &l->t->lost, "a PO's number is used again"));
	return (true);
}

/* It goes on, and what is appended now is there next time. */
static bool
go_on(struct look *l, struct keeper *k, struct crash_disk *d, struct chance *c)
{
	uint64_t number = spool_next(k->spool), epoch = spool_epoch(k->spool);
	bool good;

	append(l->r, k, c);
	define(k, c);
	if (spool_next(k->spool) != number + 1)
		return (wrong(l, &l->t->lost, "nothing can be appended"));
	keeper_close(k);
	if (!keeper_open(k, crash_disk_env(d)))
		return (wrong(l, &l->t->lost, "cannot be opened again"));
	if (spool_next(k->spool) > number + 1)
		return (wrong(l, &l->t->invented, "old batches come back"));
	good = batch_is_true(l, k, number) && spool_epoch(k->spool) > epoch;
	return (good || wrong(l, &l->t->lost, "what was appended is gone"));
}

static bool
recover(struct look *l, struct crash_disk *d, struct chance *c)
{
	bool power = l->crash->kind != CRASH_KILL;
	size_t was[2] = { 0 };
	struct keeper k;
	bool good;

	if (!keeper_open(&k, crash_disk_env(d))) {
		keeper_close(&k);
		return (wrong(l, &l->t->lost, "the spool cannot be opened"));
	}
	good = look_at_batches(l, &k, power) && (power || look_at_ident(l, &k));
	if (good && spool_epoch(k.spool) <= l->promised.epoch)
		good = wrong(l, &l->t->lost, "an epoch would come twice");
	if (good) {
		uint64_t number = spool_next(k.spool);

		/* another history: the recording keeps its own */
		was[0] = number < SAFE_MAX ? l->r->bytes[number] : 0;
		was[1] = (size_t)l->r->last;
		good = go_on(l, &k, d, c);
		if (number < SAFE_MAX)
			l->r->bytes[number] = was[0];
		l->r->last = was[1];
	}
	keeper_close(&k);
	return (good);
}

void
crash_spool(uint64_t seed, uint64_t images, struct tally *t)
{
	struct recording *r = calloc(1, sizeof(*r));
	struct chance c = { seed };

	if (r == NULL)
		abort();
	r->seed = seed;
	record(r, &c);
	if (r->big && images > 32)
		images = 32; /* of some MiB each */
	for (uint64_t i = 0; i < images; i++) {
		struct crash crash =
		    crash_pick(r->disk, i, images, i % 3 != 0, &c);
		struct look l = { .r = r, .t = t, .crash = &crash };
		struct crash_disk *d;
		size_t cut;

		if (i % 4 == 1) { /* between two steps, nothing cut */
			crash.kind = CRASH_KILL;
			crash.at = r->step[chance_below(&c, r->nsteps)].at;
			crash.tear = 0;
		}
		cut = crash.kind == CRASH_KILL && crash.tear > 0;
		d = crash_disk_image(r->disk, &crash, &c);

		for (size_t k = 0; k < r->nsteps; k++) {
			/* the last operation, if cut, is no promise yet */
			if (r->step[k].at + cut <= crash.at)
				l.promised = r->step[k];
		}
		t->images++;
		if (recover(&l, d, &c))
			t->recovered++;
		crash_disk_free(d);
	}
	crash_disk_free(r->disk);
	free(r);
}
