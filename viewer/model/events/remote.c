/*
 * Phases of remote calls that have no link: what the callee does (rpc_begin to
 * rpc_end) and the whole (rpc_call to rpc_return).  Each is a record of its own
 * in the table of causes, under way like a message, so that it lives through
 * checkpoints as those do; it says when the phase began and which PO called.
 *
 * What comes in another order, since its node was late, is told when the last
 * of it has come; only if the call itself comes after its end, nobody knows for
 * whom the callee worked.
 */
#include <errno.h>

#include "events_inside.h"

static uint64_t
phase_key(enum talk what, uint64_t id)
{
	uint64_t h = idmap_mix((0xca11ull << 32 | what) ^ idmap_mix(id));

	return (h == 0 ? 1 : h);
}

/* It is what was noted last. */
static void
phase_open(struct model *m, enum talk what, uint64_t id, uint32_t caller,
    int64_t t, bool odd)
{
	struct open_pair *p =
	    open_add(m, &links_of(m)->open, phase_key(what, id));

	if (p == NULL)
		return;
	p->t_ns = t;
	p->lane = p->link = UINT32_MAX;
	p->po = caller;
	p->kind = EV_rpc_call;
	p->number = links_of(m)->open.nlast - 1;
	p->flags = odd;
}

static void
phase_close(struct model *m, enum talk what, uint64_t id, uint32_t callee,
    int64_t t, bool odd)
{
	struct open_pair *p =
	    open_find(&links_of(m)->open, phase_key(what, id));
	struct talk_pair pair;

	if (p == NULL)
		return;
	pair = (struct talk_pair){ p->po, callee, what, 1, 0, t - p->t_ns };
	odd |= p->flags != 0 || cause_is_odd(m, p->number);
	open_take(&links_of(m)->open, p);
	talk_over(m, &pair, t, odd);
}

void
remote_called(struct model *m, uint64_t id, uint32_t po, int64_t t)
{
	cause_note(m, phase_key(TALK_WHOLE, id));
	phase_open(m, TALK_WHOLE, id, po, t, false);
}

/*
 * Whether or not it is known who called: causes have the same numbers in the
 * run and where a part of it is read again.
 */
void
remote_note(struct model *m, uint64_t id)
{
	cause_note(m, phase_key(TALK_REMOTE, id));
}

void
remote_begun(struct model *m, uint64_t id, uint32_t caller, int64_t t, bool odd)
{
	phase_open(m, TALK_REMOTE, id, caller, t, odd);
}

void
remote_ended(struct model *m, uint64_t id, uint32_t po, int64_t t)
{
	phase_close(m, TALK_REMOTE, id, po, t, false);
}

void
remote_returned(struct model *m, uint64_t id, uint32_t callee, int64_t t,
    bool odd)
{
	phase_close(m, TALK_WHOLE, id, callee, t, odd);
}
