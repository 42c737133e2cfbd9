/*
 * The connection to monitord that carries the events.
 *
 *	CONNECTING  trying, with growing pauses
 *	HELLO       hello sent, waiting for welcome
 *	RUNNING     definitions, accounts and batches go out
 *
 * A session starts with everything that monitord may not know: all
 * definitions, then the accounts of threads that have ended, then the batches
 * from the first that is not acknowledged.
 */
#ifndef COLLECTOR_UPLINK_H
#define COLLECTOR_UPLINK_H

#include "choice.h"
#include "collector/ident/ident.h"
#include "collector/spool/spool.h"
#include "env.h"

struct uplink;

struct uplink_ops {
	/* before anything is sent; may change what is to be sent */
	void (*welcome)(void *arg, const struct msg_welcome *);
	/* monitord wants the accounts of all threads; stop: and us to go */
	void (*finish)(void *arg, bool stop);
	/* it has them, or its run is over without: it waits for us no more */
	void (*let_go)(void *arg);
	/* more of the spool may be forgotten */
	void (*acked)(void *arg);
	/* somebody waits for heartbeats, or nobody does any more */
	void (*attend)(void *arg, bool waits);
	/* this is recorded from now on */
	void (*choose)(void *arg, const struct msg_choose *);
};

struct uplink *uplink_new(struct env *, const char *address, const char *name,
    struct spool *, struct ident *, const struct uplink_ops *, void *arg);
void uplink_free(struct uplink *); /* NULL is fine */

bool uplink_running(const struct uplink *);
/* A batch has been appended; frame may save reading it back. */
void uplink_batch(struct uplink *, uint64_t number, const void *frame, size_t);
/* Threads have ended: their accounts go out behind the batches. */
void uplink_accounts(struct uplink *);
/* How many processes could not attach in this run, and why the last one. */
struct uplink_absent {
	uint64_t processes, unrecorded;
};
void uplink_unattached(struct uplink *, const struct uplink_absent *,
    const char *why);
/* What is recorded here, behind all that is there; in each session. */
void uplink_chosen(struct uplink *, uint64_t number, uint32_t classes,
    const struct choice *);
/* After the last batch: accounts of all live threads, then `finished`. */
void uplink_finish(struct uplink *);
/* Everything has been sent, and acknowledged. */
bool uplink_idle(const struct uplink *);

/*
 * Goes out if there is a session, all batches are sent, and it is due; and
 * without a watermark, when its figures may be news.
 */
void uplink_heartbeat(struct uplink *, const struct msg_heartbeat *,
    int64_t period_ns);

#endif
