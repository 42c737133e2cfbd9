/*
 * Common Trace Format 1.8, for babeltrace2 and Trace Compass: a folder with a
 * stream of packets and, in words, what is in them (ctf_words.c).
 *
 * One stream has all events, so that they are in the log's order; an event is
 * its kind, its time since the first one, its place and raw time, and those of
 * its words that mean something, packed without gaps.  One of a kind that the
 * program has declared is of a kind with just those fields; where a part of it
 * is lost, it is what is in the log.  What was lost stands in the context of
 * the packet, where readers look for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctf_inside.h"
#include "wire.h"

#define PACKET_BYTES ((size_t)1 << 20)
#define HEAD_BYTES   (4 + 16 + 4 + 5 * 8)
#define EVENT_BYTES  (2 + 8 + 4 + 8 + 8 + 4 + 2 + 8 * OWN_FIELDS) /* at most */

static void
put_packet(struct ctf *c)
{
	uint8_t *p = c->packet;

	if (c->n == HEAD_BYTES)
		return;
	put_u32(p, CTF_MAGIC);
	memcpy(p + 4, c->of->run->run.b, 16);
	put_u32(p + 20, 0);
	put_u64(p + 24, (uint64_t)(c->first_mon_ns - c->base_mon_ns));
	put_u64(p + 32, (uint64_t)(c->last_mon_ns - c->base_mon_ns));
	put_u64(p + 40, c->n * 8);
	put_u64(p + 48, c->n * 8);
	put_u64(p + 56, c->lost);
	out_bytes(&c->stream, p, c->n);
	c->n = HEAD_BYTES;
}

static void
ctf_free(void *arg)
{
	struct ctf *c = arg;

	if (c->fd != -1)
		close(c->fd);
	out_close(&c->stream);
	own_free(c->own);
	intmap_free(&c->owned);
	free(c->owned_name);
	free(c->packet);
	free(c);
}

int
ctf_file(const struct ctf *c, const char *name)
{
	char path[CTF_PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%s", c->of->path, name);
	return (
	    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)0666));
}

static void *
ctf_begin(const struct export_of *of, struct out *out)
{
	struct ctf *c = calloc(1, sizeof(*c));
	int saved;

	(void)out;
	if (c == NULL)
		return (NULL);
	c->of = of;
	c->n = HEAD_BYTES;
	fields_init(&c->fields, of->defs);
	c->packet = malloc(PACKET_BYTES);
	c->fd = ctf_file(c, "events");
	c->own = defs_own(of->defs);
	if (c->packet != NULL && c->own != NULL && c->fd != -1 &&
	    out_open(&c->stream, c->fd) == 0)
		return (c);
	saved = errno;
	ctf_free(c);
	errno = saved;
	return (NULL);
}

/* Behind what was put last: this many bytes of a little-endian number. */
#define PUT(bits, v) (put_u##bits(p, v), p += (bits) / 8)

/* Where it is whole, and there is room for its kind. */
static uint32_t
own_number(struct ctf *c, const struct event *e, const struct own_event *own)
{
	uintptr_t at = (uintptr_t)intmap_find(&c->owned, e->c);
	uint32_t *more;

	if (!fields_own_whole(own))
		return (EV_own);
	if (at != 0)
		return (CTF_OWN + (uint32_t)at - 1);
	if (c->nowned == CTF_OWN_MAX)
		return (EV_own);
	if (c->nowned == c->owned_cap) {
		size_t cap = c->owned_cap == 0 ? 16 : c->owned_cap * 2;

		more = reallocarray(c->owned_name, cap, sizeof(*more));
		if (more == NULL)
			return (UINT32_MAX);
		c->owned_name = more;
		c->owned_cap = cap;
	}
	if (intmap_reserve(&c->owned) == -1)
		return (UINT32_MAX);
	c->owned_name[c->nowned++] = e->c;
	intmap_put(&c->owned, e->c, (void *)(uintptr_t)c->nowned);
	return (CTF_OWN + (uint32_t)c->nowned - 1);
}

/* Which of the trace's kinds it is of; UINT32_MAX: ENOMEM. */
static uint32_t
number_of(struct ctf *c, const struct event *e, enum own_part part,
    const struct own_event *own)
{
	if (part == OWN_WHOLE)
		return (own_number(c, e, own));
	/* of a kind that nobody describes there is nothing more to say */
	return (defs_kind(c->of->defs, e->kind) != NULL ? e->kind : 0);
}

static uint8_t *
put_words(const struct ctf *c, uint8_t *p, unsigned kind, const struct event *e)
{
	const struct field *f = c->fields.of[kind];

	if (f[0].type != WORD_none)
		PUT(64, e->a);
	if (f[1].type != WORD_none)
		PUT(64, e->b);
	if (f[2].type != WORD_none)
		PUT(32, e->c);
	return (p);
}

static uint8_t *
put_own(uint8_t *p, const struct own_event *own)
{
	for (unsigned i = 0; i < own->kind->fields; i++) {
		if (own->kind->field[i].is_name)
			PUT(32, (uint32_t)own->value[i]);
		else
			PUT(64, own->value[i]);
	}
	return (p);
}

static int
ctf_event(void *arg, const struct event *e)
{
	struct ctf *c = arg;
	struct own_event own;
	enum own_part part = own_event(c->own, e, &own);
	uint32_t number;
	uint8_t *p;

	if (part == OWN_MORE_FOLLOWS)
		return (0);
	if (part == OWN_FAILED ||
	    (number = number_of(c, e, part, &own)) == UINT32_MAX)
		return (-1);
	if (!c->begun) {
		c->begun = true;
		c->base_mon_ns = e->t_mon_ns;
	}
	if (PACKET_BYTES - c->n < EVENT_BYTES)
		put_packet(c);
	if (c->n == HEAD_BYTES)
		c->first_mon_ns = e->t_mon_ns;
	p = c->packet + c->n;
	c->last_mon_ns = e->t_mon_ns;
	PUT(16, (uint16_t)number);
	PUT(64, (uint64_t)(e->t_mon_ns - c->base_mon_ns));
	PUT(32, e->location);
	PUT(64, e->seq);
	PUT(64, (uint64_t)e->t_node_ns);
	PUT(32, e->shift_ns);
	PUT(16, e->flags);
	p = number >= CTF_OWN ? put_own(p, &own) : put_words(c, p, number, e);
	c->n = (size_t)(p - c->packet);
	if (e->kind == EV_lost)
		c->lost += e->a;
	errno = c->stream.error;
	return (c->stream.error == 0 ? 0 : -1);
}

static int
ctf_end(void *arg)
{
	struct ctf *c = arg;

	put_packet(c);
	return (out_flush(&c->stream) == -1 ? -1 : ctf_words(c));
}

const struct exporter export_ctf = { .name = "ctf",
	.suffix = ".ctf",
	.what =
	    "a folder of Common Trace Format 1.8, for babeltrace2 and Trace Compass",
	.to = EXPORT_FOLDER,
	.begin = ctf_begin,
	.event = ctf_event,
	.end = ctf_end,
	.free = ctf_free };
