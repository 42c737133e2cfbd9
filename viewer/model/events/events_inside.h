/* Shared by the files that tell what has happened; writer only. */
#ifndef VIEWER_EVENTS_INSIDE_H
#define VIEWER_EVENTS_INSIDE_H

#include "events.h"
#include "model/run/adding.h"

/* objects.c: the heading of the objects, 0, or locks, 1; the lane of an object
 */
uint32_t group_lane(struct model *, uint32_t *lane, uint32_t which);
uint32_t object_lane(struct model *, uint64_t id);
/* objectmade.c: where and by whom it is made */
void object_made(struct model *, uint32_t number, const struct location *,
    const struct event *);
void object_asked(struct model *, const struct location *,
    const struct event *);

/* objectorders.c: who orders it to move, that it takes the order, and goes */
void object_ordered(struct model *, const struct location *,
    const struct event *);
void object_obeys(struct model *, struct object *, const struct event *);
void object_moves(struct model *, struct object *, const struct event *);

/* links.c, for early.c: by key; NULL: it is not there; NULL: ENOMEM. */
struct open_pair *open_find(struct open_table *, uint64_t key);
struct open_pair *open_add(struct model *, struct open_table *, uint64_t key);
/* early.c: this cause is the last that the effect has lacked */
void early_found(struct model *, const struct open_pair *, const struct event *,
    const struct kind_info *);
/* One of several that share their causes, some of which are not there yet. */
void early_waits(struct model *, const struct event *, const struct kind_info *,
    uint64_t key);
/* Another cause of theirs: it may have been the last that they lacked. */
void early_others(struct model *, const struct event *,
    const struct kind_info *, uint64_t key);

/* linkstore.c */
void link_add(struct model *, const struct link *);
/* The effect of link i has come. */
void link_finish(struct model *, uint32_t i, int64_t t_ns, uint32_t lane,
    uint16_t flags);

/* In a detail: link i has an effect, but it is not known. */
void link_drop(struct model *, uint32_t i);
/* Any thread; false: it is gone. */
bool link_get(const struct model *, uint32_t i, struct link *);

/* spans.c */
static inline bool
span_is_wait(uint8_t span)
{
	return (span >= SPAN_wait_message);
}
uint16_t slot_state(struct model *, const struct slot *, int fresh);
/* What shows when a thread is in no span; said: it says so just now. */
uint16_t base_state(struct model *, const struct location *, bool said);
uint32_t depth_next(const struct location *); /* of what is put on top */
void span_push(struct model *, struct location *, const struct event *,
    uint8_t span, uint32_t name, uint32_t number);
/* It comes back; last: that is all, which the thread's lane notes. */
void span_back(struct model *, struct location *, const struct slot *,
    int64_t t_ns, bool last);
/* Slot i is taken out; those above it stay, and move up. */
void span_close(struct model *, struct location *, uint32_t i, int64_t t_ns);
/* It is not on the stack any more, or not for now: its sums. */
void span_off(struct model *, struct location *, struct slot *, int64_t t_ns);
void own_show(struct model *, struct location *, int64_t t_ns, enum fresh);
/* Nothing is in the rows from `from` to `until` - 1 any more. */
void rows_empty(struct model *, struct location *, uint32_t from,
    uint32_t until, int64_t t_ns);

/* depths.c: rows of depths up to this one */
void depth_make(struct model *, struct location *, uint32_t depth);
void depth_show(struct model *, struct location *, uint32_t depth, int64_t t_ns,
    uint16_t state, uint32_t id);
void depth_empty(struct model *, struct location *, uint32_t depth,
    int64_t t_ns, uint16_t state);
/* Which of its row's changes at that instant the last one was, from 1 on. */
uint32_t row_nth(const struct model *, const struct location *, uint32_t depth);

/* talklog.c: writer.  A message is taken, a phase of a call is over, at t_ns;
 * odd: see talksums.h */
void talklog_note(struct model *, const struct talk_pair *, int64_t t_ns,
    bool odd);

/* remote.c: a PO has called; the callee has begun with it; odd: who reads
 * from a checkpoint on may not know for whom */
void remote_called(struct model *, uint64_t id, uint32_t po, int64_t t_ns);
void remote_note(struct model *, uint64_t id); /* comes first */
void remote_begun(struct model *, uint64_t id, uint32_t caller, int64_t t_ns,
    bool odd);
/* The callee, po, has ended it. */
void remote_ended(struct model *, uint64_t id, uint32_t po, int64_t t_ns);
/* It is back at the caller; odd: the answer was told late. */
void remote_returned(struct model *, uint64_t id, uint32_t callee, int64_t t_ns,
    bool odd);

/* links.c: one message or phase, which was over at t1_ns */
void talk_over(struct model *, const struct talk_pair *, int64_t t1_ns,
    bool odd);
/* For remote.c: a cause that has no link is under way. */
uint32_t cause_note(struct model *, uint64_t key);
/* What has been noted so long ago, see talksums.h. */
bool cause_is_odd(const struct model *, uint32_t number);
void open_take(struct open_table *, struct open_pair *);

#endif
