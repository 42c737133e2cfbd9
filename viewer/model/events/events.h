/*
 * What the writer does with each event of threads, tasks, objects and links;
 * and what the rooms above read of links and messages.
 */
#ifndef VIEWER_EVENTS_H
#define VIEWER_EVENTS_H

#include "event.h"
#include "model/run/part.h"

/* threads.c, objects.c, locks.c: writer, one event each */
void thread_event(struct model *, struct location *, const struct event *,
    uint32_t task);
void thread_process_over(struct model *, uint32_t po_lane, int64_t t_ns);
/*
 * In a detail, depths.c: its lanes show the spans that it is in, each from when
 * it began, but not later than the lane's last change; there are so many rows.
 */
void thread_reopen(struct model *, struct location *, uint32_t depths,
    const struct last_change *, uint32_t nlast);
/* In a detail that ends before its spans have nested, but later they do. */
void thread_flat(struct model *, struct location *);
/* shelf.c: writer; puts a copy.  -1: ENOMEM. */
int shelf_put(struct model *, uint64_t task, const struct slot *, uint32_t n);
/* Takes it; 0: there was none.  To be freed with memory_free(). */
uint32_t shelf_take(struct model *, uint64_t task, struct slot **);
void shelf_drop(struct model *, uint64_t task);
void shelves_clear(struct model *);
void object_event(struct model *, struct location *, const struct event *);
void lock_event(struct model *, struct location *, const struct event *);
/* locks.c: that this lane's lock is held, a checkpoint says */
void lock_is_held(struct model *, uint32_t lane);
/* The thread holds none from t on; untold: as far as anybody knows. */
void locks_let_go(struct model *, const struct location *, int64_t t_ns,
    bool untold);
/* By a choice, or muted: whose locks are not told of any more. */
void locks_untold(struct model *, const struct location *,
    const struct event *);
/*
 * locks.c: of what is waited for from this event on; made when it is new;
 * UINT32_MAX: it has none.
 */
uint32_t wait_lane(struct model *, const struct location *,
    const struct event *);
/* One more, or by -1 one less, waits for what has that lane; of a lock nothing
 * is done. */
void wait_lane_count(struct model *, uint32_t lane, int64_t t_ns, int by);
void objects_rebuild(struct model *); /* those that late events have touched */

/* links.c: writer */
void link_event(struct model *, struct location *, const struct event *);
void link_ahead(const struct model *, const struct event *); /* its memory */
/* In a detail that is ready: drops those that only seem to have no effect. */
void links_check(struct model *);
/* In a detail: some that began before t_ns have an effect still to come. */
bool links_lack(const struct model *, int64_t t_ns);
/* Links under way, of the last LAST_CAUSES causes; how many. */
uint32_t links_waiting(const struct model *, struct link_waiting *);
/* They are under way in this model, too.  -1: ENOMEM. */
int links_await(struct model *, const struct link_waiting *, uint32_t n);

/* linkstore.c: writer */
void links_init(struct model *);
void links_clear(struct model *);
/* Gives up the oldest that hold so many bytes; those before this are gone. */
int64_t links_forget(struct model *, uint64_t bytes);

/* tasks.c: writer; returns the number of the task */
uint32_t task_event(struct model *, struct location *, const struct event *);
/*
 * Its span is put aside, with nothing in it, so that it need not be kept; how
 * long it had run when it comes back.
 */
void task_put_aside(struct model *, uint32_t task, int64_t ran_ns);
int64_t task_take_back(struct model *, uint32_t task);
/* One stretch of it is over; returns all of them, and on which PE it was. */
int64_t task_ran(struct model *, uint32_t task, int64_t ns, uint32_t *pe);

/* talklog.c: writer.  The sums since the last ones are put away; of less, when
 * that is much.  -1: ENOMEM. */
int talklog_keep(struct model *);
/* From now on they are not to be had. */
void talklog_give_up(struct model *);
/* Adds the i-th of those that are kept.  -1: ENOMEM. */
int talklog_add(const struct model *, uint32_t i, struct talk_sums *to);
void talklog_init(struct model *);
void talklog_clear(struct model *);

#endif
