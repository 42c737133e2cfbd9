/*
 * What the fuzz targets of the daemons share: reading choices from an input,
 * and saying things to the tested side of a world on paper.
 *
 * An input is a script: a byte says what happens next, the bytes behind it how.
 * At its end everything is zero, so that any input means something, and cutting
 * one or changing a byte leaves most of its meaning.
 */
#ifndef TESTS_FUZZ_IN_H
#define TESTS_FUZZ_IN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "frame.h"
#include "log.h"
#include "tests/fuzz/paper.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/*
 * Freed memory is used again soon, or else every run would touch new pages; a
 * use after free within some megabytes of frees is what is looked for.
 */
const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return ("malloc_context_size=0:quarantine_size_mb=1:"
		"max_malloc_fill_size=64");
}

struct in {
	const uint8_t *p, *end;
};

static inline unsigned
in_u8(struct in *in)
{
	return (in->p < in->end ? *in->p++ : 0);
}

static inline unsigned
in_u16(struct in *in)
{
	unsigned low = in_u8(in);

	return (low | in_u8(in) << 8);
}

/* Mostly small, sometimes near one of the edges. */
static inline uint64_t
in_number(struct in *in)
{
	unsigned how = in_u8(in);
	uint64_t v = 0;

	switch (how & 7) {
	case 7:
		for (int i = 0; i < 8; i++)
			v |= (uint64_t)in_u8(in) << (8 * i);
		return (v);
	case 6:
		return (UINT64_MAX - (how >> 3));
	case 5:
		return ((uint64_t)INT64_MAX - (how >> 3));
	case 4:
		return ((uint64_t)INT64_MIN + (how >> 3));
	case 3:
		return ((uint64_t)in_u16(in) << (how >> 3));
	default:
		return (how >> 3);
	}
}

/* The next bytes of the input as they are, n of them or what is left. */
static inline struct bytes
in_bytes(struct in *in, size_t n)
{
	struct bytes b = { in->p, n };

	if (b.n > (size_t)(in->end - in->p))
		b.n = (size_t)(in->end - in->p);
	in->p += b.n;
	return (b);
}

/* A kind that there is. */
static inline uint16_t
in_kind(struct in *in)
{
	unsigned kind = in_u8(in);

	while (event_table[kind % EVENT_KINDS].name == NULL)
		kind++;
	return ((uint16_t)(kind % EVENT_KINDS));
}

/* A time so much later; never beyond what a writer takes. */
static inline int64_t
in_later(int64_t t_ns, uint64_t gap)
{
	const int64_t most = (INT64_C(1) << 62) - 1;

	if (t_ns >= most || (gap & INT64_MAX) > (uint64_t)(most - t_ns))
		return (most);
	return (t_ns + (int64_t)(gap & INT64_MAX));
}

static inline void
fuzz_say(struct env_conn *c, enum msg_type type, const void *msg)
{
	struct buf b = { 0 };

	if (frame_append(&b, type, msg) == 0)
		paper_deliver(c, b.p, b.n);
	buf_free(&b);
}

/* A frame of any body. */
static inline void
fuzz_frame(struct buf *b, unsigned type, struct bytes body)
{
	if (buf_reserve(b, FRAME_HEAD_BYTES + body.n) == -1)
		abort();
	if (body.n > 0)
		memcpy(b->p + b->n + FRAME_HEAD_BYTES, body.p, body.n);
	b->n += frame_seal(b->p + b->n, type, body.n);
}

/* Time passes in leaps until the run has ended: *code is no longer -1. */
static inline void
fuzz_wait(struct paper *p, const int *code)
{
	for (int i = 0; i < 30 && *code == -1; i++)
		paper_leap(p, 2 * ENV_SEC);
}

/* What daemons have to say is not wanted a thousand times a second. */
static inline void
fuzz_quiet(void)
{
	log_init("fuzz", -1);
}

#endif
