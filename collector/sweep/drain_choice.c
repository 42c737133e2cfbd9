/*
 * What is recorded of a process: its choice, brought into the memory that we
 * share with it (ring.h).
 *
 * A class that was never recorded is switched off by its bit in the mask, which
 * costs the process a test.  One that was is left there, and said to be
 * unwanted: then its libprobe lets the ends through of what has begun.  When
 * all of that has come the bit is switched off, too.  Rules
 * come first, then what they say of the names that are known, then the mask; a
 * name that is made meanwhile is decided by who makes it, by the rules that it
 * finds (libprobe/choice.c).
 */
#include "drain_choice.h"

#include <stdlib.h>
#include <string.h>

#include "drain_in.h"
#include "log.h"
#include "ringchoice.h"

#define NAMES_CHOICE 128u /* texts of one process, in its numbering */

/* Classes with beginnings and ends. */
#define CLASSES_SPAN                                                           \
	(UINT32_C(1) << CLASS_task | UINT32_C(1) << CLASS_block |              \
	    UINT32_C(1) << CLASS_call | UINT32_C(1) << CLASS_message |         \
	    UINT32_C(1) << CLASS_rpc | UINT32_C(1) << CLASS_lock |             \
	    UINT32_C(1) << CLASS_phase)

static struct ring_choice *
shared(const struct drain_po *dp)
{
	return (segment_choice(dp->source.seg, &dp->source.layout));
}

static struct ring_segment *
segment(const struct drain_po *dp)
{
	return (dp->source.seg);
}

/* Memory that nobody has ever written to shall stay so. */
static bool
is_used(const struct drain_po *dp)
{
	return (dp->choice.serial != 0);
}

static void
write_rules(struct drain_po *dp, const struct choice_of *of)
{
	struct ring_choice *c = shared(dp);

	dp->choice.serial += 2;
	atomic_store(&c->serial, dp->choice.serial - 1);
	for (uint32_t i = 0; i < of->n; i++) {
		const struct choice_rule *r = &of->rule[i];
		bool thread = *r->thread != '\0';

		c->rules[i].classes = r->classes;
		c->rules[i].flags =
		    (r->on ? RULE_ON : 0u) | (thread ? RULE_THREAD : 0u);
		strncpy(c->rules[i].pattern, thread ? r->thread : r->name,
		    sizeof(c->rules[i].pattern) - 1);
	}
	atomic_store(&c->nrules, of->n);
	atomic_store(&c->serial, dp->choice.serial);
	CHOICE_FENCE(memory_order_seq_cst);
}

/* What the rules say, which only we write. */
static struct ringchoice_says
ask(const struct drain_po *dp, bool thread, struct bytes text,
    struct bytes file)
{
	struct ringchoice_says says = { 0, 0 };
	uint32_t serial;

	if (!ringchoice_ask(shared(dp), thread, text.p, text.n, file.p, file.n,
		&says, &serial))
		says.on = says.off = 0; /* the process has been at it */
	return (says);
}

static void
set_slot(struct drain_po *dp, uint64_t key, struct bytes text,
    struct bytes file)
{
	struct ringchoice_says says = ask(dp, false, text, file);
	struct ring_slot *slot;

	if (key == 0)
		return;
	slot = (says.off | says.on) != 0 ? ringchoice_make(shared(dp), key)
					 : ringchoice_find(shared(dp), key);
	if (slot == NULL) {
		if ((says.off | says.on) != 0 && !dp->choice.full)
			log_warnx("po %u (%s): more of its names are chosen "
				  "than there is room for; some others are "
				  "recorded as if they were not",
			    dp->po->number, dp->po->program);
		dp->choice.full |= (says.off | says.on) != 0;
		return;
	}
	atomic_store(&slot->off, says.off);
	atomic_store(&slot->on, says.on);
}

/* Those that we have told, and what the names of places stand for. */
static void
known_names(struct drain_po *dp, const struct po *po, uint32_t max,
    unsigned depth)
{
	const struct po *from = ident_po(dp->d->ident, po->names_po);
	struct frame f;
	struct msg_name m;
	struct msg_symbol y;

	if (from != NULL && depth > 0)
		known_names(dp, from, max < po->inherited ? max : po->inherited,
		    depth - 1);
	for (size_t at = 0; at < po->defs.n; at += f.frame_bytes) {
		if (frame_parse(po->defs.p + at, po->defs.n - at, &f) !=
		    FRAME_OK)
			break;
		if (f.type == MSG_name &&
		    msg_decode(f.type, f.body, f.body_bytes, &m) == 0 &&
		    m.name <= max)
			set_slot(dp, m.name, m.text, m.file);
		if (f.type == MSG_symbol && po == dp->po &&
		    dp->places != NULL &&
		    msg_decode(f.type, f.body, f.body_bytes, &y) == 0 &&
		    y.more == 0)
			set_slot(dp, places_address(dp->places, y.name),
			    y.function, y.file);
	}
}

/* And those that the process has published since. */
static void
fresh_names(struct drain_po *dp)
{
	const struct segment_layout *l = &dp->source.layout;
	const char *base = (const char *)segment(dp) + l->names_offset;
	uint64_t used = atomic_load(&segment(dp)->names_used);
	uint64_t at = dp->names_at;
	uint32_t number = dp->po->names;
	struct ring_name head;

	if (used > l->names_bytes)
		used = l->names_bytes;
	while (!dp->names_bad && used > at && used - at >= sizeof(head)) {
		const char *text = base + at + sizeof(head);
		size_t n;

		memcpy(&head, base + at, sizeof(head));
		n = (size_t)head.text_bytes + head.file_bytes;
		if (used - at - sizeof(head) < n || head.text_bytes == 0)
			break;
		set_slot(dp, ++number, (struct bytes){ text, head.text_bytes },
		    (struct bytes){ text + head.text_bytes, head.file_bytes });
		at += (sizeof(head) + n + 3) & ~(size_t)3;
	}
}

static void
threads(struct drain_po *dp)
{
	const struct segment_layout *l = &dp->source.layout;
	uint32_t used = atomic_load(&segment(dp)->rings_used);

	for (uint32_t i = 0; i < used && i < l->nrings; i++) {
		struct ring *r = segment_ring(segment(dp), l, i);
		char name[RING_NAME_BYTES];

		if (atomic_load(&r->state) != RING_LIVE)
			continue;
		memcpy(name, r->name, sizeof(name));
		atomic_store(&r->unwanted,
		    ask(dp, true,
			(struct bytes){ name, strnlen(name, sizeof(name)) },
			(struct bytes){ NULL, 0 })
			.off);
	}
}

static void
by_name(struct drain_po *dp, const struct choice_of *of)
{
	struct ring_choice *c = shared(dp);

	if (of->n == 0 && !is_used(dp))
		return;
	write_rules(dp, of);
	if (of->n == 0) {
		for (uint32_t i = 0; i < RING_SLOTS; i++) {
			if (atomic_load(&c->slots[i].key) == 0)
				continue;
			atomic_store(&c->slots[i].off, 0);
			atomic_store(&c->slots[i].on, 0);
		}
	} else {
		known_names(dp, dp->po, UINT32_MAX / 2, dp->po->depth);
		fresh_names(dp);
	}
	threads(dp);
}

void
drain_choice_mask(struct drain_po *dp, bool on)
{
	uint32_t mask = dp->choice.mask;

	if (dp->choice.n > 0 || dp->choice.unwanted != 0 ||
	    dp->choice.cap != 0 || atomic_load(&segment(dp)->stopped) != 0)
		mask |= RING_LOOK;
	if (!dp->buried)
		atomic_store(&segment(dp)->mask, on ? mask : 0);
	/* it may have stopped itself just now: it says so first */
	if (on && !dp->buried && atomic_load(&segment(dp)->stopped) != 0)
		atomic_fetch_or(&segment(dp)->mask, RING_LOOK);
}

/* The number of a text, defined if need be; 0: there can be none. */
static uint32_t
text_name(struct drain_po *dp, const char *text)
{
	const struct buf *defs = &dp->po->defs;
	struct msg_name m = { .name = IDENT_NAME_CHOICE };
	struct frame f;

	for (size_t at = 0; at < defs->n; at += f.frame_bytes) {
		struct msg_name old;

		if (frame_parse(defs->p + at, defs->n - at, &f) != FRAME_OK)
			break;
		if (f.type != MSG_name ||
		    msg_decode(f.type, f.body, f.body_bytes, &old) == -1 ||
		    old.name < IDENT_NAME_CHOICE ||
		    old.name >= IDENT_NAME_CHOICE + NAMES_CHOICE)
			continue;
		if (old.text.n == strlen(text) &&
		    memcmp(old.text.p, text, old.text.n) == 0)
			return (old.name);
		if (old.name >= m.name)
			m.name = old.name + 1;
	}
	if (m.name >= IDENT_NAME_CHOICE + NAMES_CHOICE)
		return (0);
	m.po = dp->po->number;
	m.text = BYTES_STR(text);
	if (ident_name_new(dp->d->ident, dp->po, &m) == -1 ||
	    batch_add_definition(dp->d->writer, MSG_name, &m) == -1)
		return (0);
	return (m.name);
}

/* -1: not now. */
static int
tell(struct drain_po *dp, int64_t now_node_ns)
{
	uint32_t name;

	if (dp->choice.text == NULL || dp->buried || dp->ended)
		return (0);
	if (drain_room(dp->d) == -1)
		return (-1);
	name = text_name(dp, dp->choice.text);
	if (drain_say(dp, EV_choice, dp->choice.classes, dp->choice.before,
		name, now_node_ns) == -1)
		return (-1);
	free(dp->choice.text);
	dp->choice.text = NULL;
	dp->choice.before = dp->choice.classes;
	return (0);
}

/* Other words than those told last have to be told. */
static void
remember(struct drain_po *dp, const struct choice_of *of)
{
	char text[CHOICE_WORDS];
	char *copy;

	choice_words(of, text);
	if (dp->choice.told != NULL && strcmp(dp->choice.told, text) == 0 &&
	    dp->choice.text == NULL)
		return;
	copy = strdup(text);
	if (copy == NULL)
		return;
	free(dp->choice.told);
	dp->choice.told = copy;
	free(dp->choice.text);
	dp->choice.text = strdup(text);
	dp->choice.classes = of->classes | of->some;
}

/* What an earlier one of us, or nobody, has put there. */
static void
begin(struct drain_po *dp)
{
	struct ring_segment *s = segment(dp);

	dp->choice.begun = true;
	dp->choice.before = CHOICE_CLASSES;
	dp->choice.told = strdup("all classes");
	if (!dp->recovered)
		return;
	dp->choice.serial = atomic_load(&shared(dp)->serial);
	dp->choice.serial += dp->choice.serial % 2;
	dp->choice.mask = atomic_load(&s->mask) & CHOICE_CLASSES;
	dp->choice.cap = atomic_load(&shared(dp)->cap);
	dp->choice.capped = dp->choice.cap != 0;
}

void
drain_choose(struct drain_po *dp, const struct choice_of *of, bool on,
    int64_t now_node_ns)
{
	struct ring_segment *s = segment(dp);
	uint32_t stays;

	if (dp->buried)
		return;
	if (!dp->choice.begun)
		begin(dp);
	remember(dp, of);
	stays = dp->choice.mask & ~of->classes & CLASSES_SPAN;
	dp->choice.n = of->n;
	dp->choice.unwanted = stays | of->some;
	dp->choice.some = of->some;
	dp->choice.calm = 0;
	dp->choice.mask = of->classes | dp->choice.unwanted;
	by_name(dp, of);
	if (of->cap != dp->choice.cap)
		atomic_store(&shared(dp)->cap, of->cap);
	dp->choice.capped |= of->cap != 0;
	dp->choice.cap = of->cap;
	/* less: looked at first, more: let in first */
	atomic_fetch_or(&s->unwanted, dp->choice.unwanted);
	drain_choice_mask(dp, on);
	atomic_store(&s->unwanted, dp->choice.unwanted);
	(void)tell(dp, now_node_ns);
}

void
drain_choice_symbol(struct drain_po *dp, const struct msg_symbol *m)
{
	if (dp->choice.n > 0 && m->more == 0 && dp->places != NULL)
		set_slot(dp, places_address(dp->places, m->name), m->function,
		    m->file);
}

/* Is all taken, and of which of these classes is nothing open? */
static uint32_t
nothing_open(const struct drain_po *dp, uint32_t classes)
{
	for (uint32_t i = 0; i < dp->used; i++) {
		const struct slot *s = &dp->slots[i];

		if (s->unread)
			return (0);
		if (s->st == NULL)
			continue;
		if (s->taken != s->head || s->active)
			return (0);
		for (unsigned c = 0; c < EVENT_CLASSES; c++)
			if (s->open[c] > 0)
				classes &= ~(UINT32_C(1) << c);
	}
	return (classes);
}

/*
 * Where nothing unwanted is open any more, as seen twice with a second between,
 * so that a thread that had looked at the mask before has long got on.  What is
 * open in a process that we have adopted is not known.
 */
static void
settle(struct drain_po *dp)
{
	uint32_t classes = dp->choice.unwanted & ~dp->choice.some;

	if (classes == 0 || dp->recovered || dp->detached)
		return;
	classes = nothing_open(dp, classes);
	if (classes == 0)
		dp->choice.calm = 0;
	else if (++dp->choice.calm > 1) {
		dp->choice.calm = 0;
		dp->choice.mask &= ~classes;
		dp->choice.unwanted &= ~classes;
	}
}

/* What a function is called; 0: it has no name. */
static uint32_t
name_of(struct drain_po *dp, uint64_t key)
{
	if (key <= dp->po->names)
		return ((uint32_t)key);
	if (key <= UINT32_MAX || dp->places == NULL)
		return (0);
	return (places_name(dp->places, key));
}

/*
 * The calls that were only counted, as a counter of the process that has the
 * name of the function.  -1: not all, for now.
 */
static int
tell_counted(struct drain_po *dp, int64_t now_node_ns)
{
	struct ring_choice *c = shared(dp);
	struct po_choice *own = &dp->choice;

	if (own->counted == NULL)
		own->counted = calloc(RING_SLOTS, sizeof(*own->counted));
	for (uint32_t i = 0; own->counted != NULL && i < RING_SLOTS; i++) {
		uint64_t key = atomic_load(&c->slots[i].key), n;

		n = key == 0 ? 0 : atomic_load(&c->slots[i].counted);
		if (n == own->counted[i])
			continue;
		if (drain_room(dp->d) == -1)
			return (-1);
		key = name_of(dp, key);
		if (drain_places_tell(dp) == -1 ||
		    drain_say(dp, EV_measure, n,
			MEASURE_PROCESS | MEASURE_TOTAL | MEASURE_COUNT,
			(uint32_t)key, now_node_ns) == -1)
			return (-1);
		own->counted[i] = n;
	}
	return (0);
}

int
drain_choice_end(struct drain_po *dp, int64_t now_node_ns)
{
	if (!dp->choice.capped || dp->buried)
		return (0);
	return (tell_counted(dp, now_node_ns));
}

void
drain_choice_second(struct drain_po *dp, bool on, int64_t now_node_ns)
{
	(void)tell(dp, now_node_ns);
	if (dp->choice.capped && !dp->buried && !dp->ended) {
		atomic_fetch_add(&shared(dp)->second, 1);
		(void)tell_counted(dp, now_node_ns);
	}
	settle(dp);
	/* it may have started itself again since */
	if (on && !dp->detached) {
		drain_choice_mask(dp, true);
		atomic_store(&segment(dp)->unwanted, dp->choice.unwanted);
	}
}

void
drain_choice_free(struct drain_po *dp)
{
	free(dp->choice.text);
	free(dp->choice.told);
	free(dp->choice.counted);
}
