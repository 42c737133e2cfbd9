/*
 * Links as they are kept: 20 bytes each.
 *
 * Times are offsets from the first link of its group of 64 and the time it
 * took; the lane it comes from, the kind of its cause and the upper half of
 * its number (of a message, a call) are one of a list, since those of one
 * thread share them; the lane it goes to has 24 bits, its size 14 and a shift.
 * What does not fit is kept whole in an array of its own, and the link says
 * where.  Tags of messages, where there are any, are a byte more: a place in a
 * list of the first of them.
 */
#include <errno.h>

#include "events_inside.h"

#define GROUP     64 /* links that share a base of their times */
#define LANES_MAX 0xffffffu
#define NO_LANE   LANES_MAX
#define WIDE_LOOK 4096 /* links that are asked when whole ones may go */

/* How long it took. */
#define DUR_OPEN UINT32_MAX       /* the effect has not come */
#define DUR_WIDE (UINT32_MAX - 1) /* id: place in the array of whole ones */
#define DUR_BUSY (UINT32_MAX - 2) /* about to become a whole one */
#define DUR_GONE (UINT32_MAX - 3) /* not to be shown */
#define DUR_MAX  (UINT32_MAX - 4)

/* Words `from` and `to`. */
#define ORIGIN_BITS 18
#define ORIGINS_MAX (1u << ORIGIN_BITS)
#define FLAGS_MAX   63u
#define FLAGS_SHIFT 26
#define SIZE_SHIFT  24

struct packed_link {
	int32_t off;          /* ns from the base of its group */
	_Atomic uint32_t dur; /* ns, or DUR_...; published last */
	uint32_t from;        /* value of the size << ORIGIN_BITS | origin */
	_Atomic uint32_t to;  /* flags, shift of the size / 4, lane */
	_Atomic uint32_t id;
};

struct link_origin {
	uint32_t high; /* half of the number */
	uint32_t lane; /* kind << 24 | lane */
};

/* 14 bits and a shift of 0, 4, 8 or 12; -1: it does not fit. */
static int
size_pack(uint64_t v, uint32_t *value, uint32_t *shift)
{
	for (uint32_t s = 0; s < 4; s++) {
		if (v >> 4 * s << 4 * s != v || v >> 4 * s > 0x3fff)
			continue;
		*value = (uint32_t)(v >> 4 * s);
		*shift = s;
		return (0);
	}
	return (-1);
}

/* A new origin, or one that has left the cache; -1: there are too many. */
static int
origin_look(struct model *m, uint64_t key, uint32_t *out)
{
	struct link_origin *o;
	uint32_t i = idmap_find(&links_of(m)->link_origin_map, key);

	if (i == IDMAP_NONE) {
		if (links_of(m)->nlink_origins >= ORIGINS_MAX)
			return (-1);
		i = links_of(m)->nlink_origins;
		o = chunk_make(&links_of(m)->link_origins, i,
		    &held_of(m)->bytes);
		if (o == NULL ||
		    idmap_add(&links_of(m)->link_origin_map, key, i,
			&held_of(m)->retired, &held_of(m)->bytes) == -1)
			return (-1);
		*o = (struct link_origin){ (uint32_t)(key >> 32),
			(uint32_t)key };
		links_of(m)->nlink_origins++;
	}
	*out = i;
	return (0);
}

static int
origin_find(struct model *m, const struct link *l, uint32_t *out)
{
	uint64_t key = l->id >> 32 << 32 | (uint64_t)l->kind0 << 24 | l->lane0;
	struct link_origin_cache *c =
	    &links_of(m)->link_origin_cache[(l->lane0 + l->kind0 * 97u) %
					    LINK_ORIGINS_KEPT];

	if (c->key != key + 1) {
		if (origin_look(m, key, out) == -1)
			return (-1);
		*c = (struct link_origin_cache){ key + 1, *out };
	}
	*out = c->origin;
	return (0);
}

/* The base that link i shares; the first one of the group sets it. */
static int64_t *
base_of(struct model *m, uint32_t i, int64_t t)
{
	int64_t *base =
	    chunk_make(&links_of(m)->link_bases, i / GROUP, &held_of(m)->bytes);

	if (base != NULL && i % GROUP == 0)
		*base = t;
	return (base);
}

/* -1: it does not fit. */
static int
link_pack(struct model *m, struct packed_link *p, const struct link *l,
    int64_t base)
{
	int64_t off = l->t0_mon_ns - base;
	int64_t dur =
	    l->t1_mon_ns == INT64_MAX ? DUR_OPEN : l->t1_mon_ns - l->t0_mon_ns;
	uint32_t to = l->lane1 == UINT32_MAX ? NO_LANE : l->lane1;
	uint32_t size, shift, origin;

	if (off < INT32_MIN || off > INT32_MAX || l->lane0 >= NO_LANE ||
	    to > NO_LANE || l->lane1 == NO_LANE || l->kind0 > 255 ||
	    l->flags > FLAGS_MAX || size_pack(l->bytes, &size, &shift) == -1)
		return (-1);
	if (l->t1_mon_ns != INT64_MAX && (dur < 0 || dur > DUR_MAX))
		return (-1);
	if (origin_find(m, l, &origin) == -1)
		return (-1);
	p->off = (int32_t)off;
	p->from = size << ORIGIN_BITS | origin;
	atomic_init(&p->to,
	    (uint32_t)l->flags << FLAGS_SHIFT | shift << SIZE_SHIFT | to);
	atomic_init(&p->id, (uint32_t)l->id);
	atomic_init(&p->dur, (uint32_t)dur);
	return (0);
}

/* Its place in the array of whole ones; UINT32_MAX: ENOMEM. */
static uint32_t
wide_add(struct model *m, const struct link *l)
{
	struct link *w = chunk_make(&links_of(m)->wide_links,
	    links_of(m)->nwide_links, &held_of(m)->bytes);

	if (w == NULL) {
		held_of(m)->failed = ENOMEM;
		return (UINT32_MAX);
	}
	*w = *l;
	return (links_of(m)->nwide_links++);
}

/* Its place in the list of tags + 1; at least half of the slots are free. */
static uint8_t
tag_place(struct links *k, uint32_t tag)
{
	uint32_t i = tag * 2654435761u / (UINT32_MAX / LINK_TAG_SLOTS + 1);

	while (k->tag_slot[i] != 0 && k->tag[k->tag_slot[i] - 1] != tag)
		i = (i + 1) % LINK_TAG_SLOTS;
	if (k->tag_slot[i] == 0) {
		if (k->ntags == LINK_TAGS)
			return (LINK_TAGS + 1);
		k->tag[k->ntags++] = tag;
		k->tag_slot[i] = (uint8_t)k->ntags;
	}
	return (k->tag_slot[i]);
}

/* Beside link i, whole or not; 0 needs no room. */
static void
tag_add(struct model *m, uint32_t i, uint32_t tag)
{
	struct links *k = links_of(m);
	uint8_t *place;

	if (tag == 0)
		return;
	place = chunk_make(&k->link_tags, i, &held_of(m)->bytes);
	if (place == NULL)
		held_of(m)->failed = ENOMEM;
	else
		*place = tag_place(k, tag);
}

static uint32_t
tag_of(const struct model *m, uint32_t i)
{
	const struct links *k = links_of(m);
	const uint8_t *place = chunk_at(&k->link_tags, i);

	return (place == NULL || *place == 0 ? 0
		: *place <= LINK_TAGS        ? k->tag[*place - 1]
					     : LINK_TAG_OTHER);
}

void
link_add(struct model *m, const struct link *l)
{
	uint32_t i = interval_count(&links_of(m)->links), wide;
	struct packed_link *p =
	    interval_next(&links_of(m)->links, &held_of(m)->bytes);
	int64_t *base = base_of(m, i, l->t0_mon_ns);

	if (p == NULL || base == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	if (link_pack(m, p, l, *base) == -1) {
		wide = wide_add(m, l);
		if (wide == UINT32_MAX)
			return;
		atomic_init(&p->id, wide);
		atomic_init(&p->dur, DUR_WIDE);
	}
	tag_add(m, i, l->tag);
	interval_publish(&links_of(m)->links, l->t0_mon_ns,
	    l->t1_mon_ns == INT64_MAX ? l->t0_mon_ns : l->t1_mon_ns);
}

/* False: it is gone. */
bool
link_get(const struct model *m, uint32_t i, struct link *out)
{
	const struct packed_link *p = chunk_at(&links_of(m)->links.items, i);
	const struct link_origin *o;
	const struct link *w;
	const int64_t *base;
	uint32_t dur, to, id;

	if (p == NULL)
		return (false);
	do { /* it may become a whole one meanwhile */
		dur = atomic_load_explicit(&p->dur, memory_order_acquire);
		id = atomic_load_explicit(&p->id, memory_order_acquire);
		to = atomic_load_explicit(&p->to, memory_order_acquire);
	} while (dur == DUR_BUSY ||
		 dur != atomic_load_explicit(&p->dur, memory_order_relaxed));
	if (dur == DUR_GONE)
		return (false);
	if (dur == DUR_WIDE) {
		w = chunk_at(&links_of(m)->wide_links, id);
		if (w == NULL)
			return (false);
		*out = *w;
		out->t1_mon_ns =
		    __atomic_load_n(&w->t1_mon_ns, __ATOMIC_ACQUIRE);
		out->lane1 = SEE(w->lane1);
		out->flags = SEE(w->flags);
		return (true);
	}
	base = chunk_at(&links_of(m)->link_bases, i / GROUP);
	if (base == NULL)
		return (false);
	out->t0_mon_ns = *base + p->off;
	out->t1_mon_ns = dur == DUR_OPEN ? INT64_MAX : out->t0_mon_ns + dur;
	o = chunk_known(&links_of(m)->link_origins,
	    p->from & (ORIGINS_MAX - 1));
	out->lane0 = o->lane & LANES_MAX;
	out->kind0 = (uint16_t)(o->lane >> 24);
	out->lane1 = (to & LANES_MAX) == NO_LANE ? UINT32_MAX : to & LANES_MAX;
	out->flags = (uint16_t)(to >> FLAGS_SHIFT);
	out->id = (uint64_t)o->high << 32 | id;
	out->bytes = (uint64_t)(p->from >> ORIGIN_BITS)
		     << 4 * (to >> SIZE_SHIFT & 3);
	out->tag = tag_of(m, i);
	return (true);
}

/* One that does not fit any more. */
static void
link_widen(struct model *m, uint32_t i, struct packed_link *p, int64_t t,
    uint32_t lane, uint16_t flags)
{
	struct link l;
	uint32_t wide;

	if (!link_get(m, i, &l))
		return;
	l.t1_mon_ns = t;
	l.lane1 = lane;
	l.flags = flags;
	wide = wide_add(m, &l);
	if (wide == UINT32_MAX)
		return;
	atomic_store(&p->dur, DUR_BUSY);
	atomic_store(&p->id, wide);
	atomic_store(&p->dur, DUR_WIDE);
}

static void
wide_finish(struct link *w, int64_t t, uint32_t lane, uint16_t flags)
{
	if (w == NULL)
		return; /* forgotten */
	PUT(w->lane1, lane);
	PUT(w->flags, flags);
	__atomic_store_n(&w->t1_mon_ns, t < w->t0_mon_ns ? w->t0_mon_ns : t,
	    __ATOMIC_RELEASE);
}

void
link_finish(struct model *m, uint32_t i, int64_t t, uint32_t lane,
    uint16_t flags)
{
	struct packed_link *p = chunk_at(&links_of(m)->links.items, i);
	const int64_t *base = chunk_at(&links_of(m)->link_bases, i / GROUP);
	int64_t t0;
	uint32_t shift;

	if (p == NULL || base == NULL)
		return; /* forgotten */
	t0 = *base + p->off;
	if (atomic_load_explicit(&p->dur, memory_order_relaxed) == DUR_WIDE) {
		wide_finish(chunk_at(&links_of(m)->wide_links,
				atomic_load(&p->id)),
		    t, lane, flags);
	} else if (t - t0 > DUR_MAX || lane >= NO_LANE || flags > FLAGS_MAX) {
		link_widen(m, i, p, t, lane, flags);
	} else {
		t = t < t0 ? t0 : t;
		shift = atomic_load_explicit(&p->to, memory_order_relaxed) &
			3u << SIZE_SHIFT;
		atomic_store_explicit(&p->to,
		    (uint32_t)flags << FLAGS_SHIFT | shift | lane,
		    memory_order_relaxed);
		atomic_store_explicit(&p->dur, (uint32_t)(t - t0),
		    memory_order_release);
	}
	interval_extend(&links_of(m)->links, i, t);
}

void
link_drop(struct model *m, uint32_t i)
{
	struct packed_link *p = chunk_at(&links_of(m)->links.items, i);

	if (p != NULL)
		atomic_store(&p->dur, DUR_GONE);
}

int64_t
links_forget(struct model *m, uint64_t bytes)
{
	uint32_t gone = interval_forget(&links_of(m)->links, bytes,
	    &held_of(m)->retired, &held_of(m)->bytes);
	const struct packed_link *p;
	uint32_t wide = links_of(m)->nwide_links;
	struct link l;

	chunk_drop(&links_of(m)->link_bases, gone / GROUP, &held_of(m)->retired,
	    &held_of(m)->bytes);
	chunk_drop(&links_of(m)->link_tags, gone, &held_of(m)->retired,
	    &held_of(m)->bytes);
	/* of the whole ones those that come before the next links' */
	for (uint32_t i = gone; i < interval_count(&links_of(m)->links) &&
				i < gone + WIDE_LOOK && wide > 0;
	     i++) {
		p = chunk_known(&links_of(m)->links.items, i);
		if (atomic_load(&p->dur) == DUR_WIDE &&
		    atomic_load(&p->id) < wide)
			wide = atomic_load(&p->id);
	}
	chunk_drop(&links_of(m)->wide_links, wide, &held_of(m)->retired,
	    &held_of(m)->bytes);
	return (gone > 0 && link_get(m, gone, &l) ? l.t0_mon_ns : INT64_MIN);
}

void
links_init(struct model *m)
{
	interval_init(&links_of(m)->links, sizeof(struct packed_link));
	chunk_init(&links_of(m)->link_bases, sizeof(int64_t), 4);
	chunk_init(&links_of(m)->link_tags, sizeof(uint8_t), 4);
	chunk_init(&links_of(m)->link_origins, sizeof(struct link_origin), 4);
	chunk_init(&links_of(m)->wide_links, sizeof(struct link), 4);
}

void
links_clear(struct model *m)
{
	interval_clear(&links_of(m)->links);
	chunk_clear(&links_of(m)->link_bases);
	chunk_clear(&links_of(m)->link_tags);
	chunk_clear(&links_of(m)->link_origins);
	chunk_clear(&links_of(m)->wide_links);
	idmap_clear(&links_of(m)->link_origin_map);
}

/* readers */

static int
link_touches(const struct link *l, int64_t t0, int64_t t1)
{
	int64_t end = l->t1_mon_ns == INT64_MAX ? l->t0_mon_ns : l->t1_mon_ns;

	return (l->t0_mon_ns < t1 && end >= t0);
}

static size_t
links_touching(const struct model *m, int64_t t0, int64_t t1, struct link *out,
    size_t max)
{
	struct link l;
	size_t n = 0;
	uint32_t i, count = interval_count(&links_of(m)->links);

	for (i = 0; (i = interval_find(&links_of(m)->links, i, t0, t1)) < count;
	     i++) {
		if (!link_get(m, i, &l) || !link_touches(&l, t0, t1))
			continue;
		if (n == max)
			return (max + 1);
		out[n++] = l;
	}
	return (n);
}

size_t
model_links(const struct model *m, int64_t t0, int64_t t1, struct link *out,
    size_t max)
{
	return (links_touching(detail_for(m, t0, t1), t0, t1, out, max));
}

size_t
model_links_sample(const struct model *m, int64_t t0, int64_t t1,
    struct link *out, size_t max, uint64_t *total)
{
	uint32_t n, first, last, hi, mid, stride;
	size_t got = model_links(m, t0, t1, out, max);
	struct link l;

	if (got <= max) {
		*total = got;
		return (got);
	}
	if (max == 0) {
		*total = 0;
		return (0);
	}
	m = detail_for(m, t0, t1);
	n = interval_count(&links_of(m)->links);
	first = interval_find(&links_of(m)->links, 0, t0, t1);
	/* nearly sorted: the first that starts behind the range ends it */
	for (last = first, hi = n; hi - last > 1;) {
		mid = last + (hi - last) / 2;
		if (!link_get(m, mid, &l) || l.t0_mon_ns < t1)
			last = mid;
		else
			hi = mid;
	}
	/* a power of two, and the same ones wherever the range begins: those
	 * that are seen stay while the range moves and the run grows */
	for (stride = 2; (last - first) / stride >= max; stride *= 2)
		continue;
	first = (first + stride - 1) / stride * stride;
	got = 0;
	*total = 0;
	for (uint32_t i = first; i <= last && got < max; i += stride) {
		/* one of each stride: threads that take turns must not be
		 * chosen by their turn */
		mid = i + ((uint32_t)idmap_mix(i) & (stride - 1));
		if (mid > last)
			continue;
		link_get(m, mid, &l);
		if (!link_touches(&l, t0, t1))
			continue;
		out[got++] = l;
		*total += stride;
	}
	return (got);
}
