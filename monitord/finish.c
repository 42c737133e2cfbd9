/*
 * The end of a run.
 *
 * Every collector is asked for what it has and for its accounts.  When all
 * have answered, or been given up with a word, the reorderer lets go of
 * everything, the log is synced, the collectors may forget, and the log gets
 * its order, its index and its receipt: published = stored + lost, or else
 * something of ours is wrong and it says so.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "inside.h"
#include "log.h"
#include "receipt.h"

#define LOOK_NS     (50 * ENV_MS)
#define PROGRESS_NS (500 * ENV_MS)
#define GONE_NS     (5 * ENV_SEC)  /* for one that is not connected */
#define SILENT_NS   (10 * ENV_SEC) /* for one that says nothing */
#define STUCK_NS    (60 * ENV_SEC) /* for one that talks and does not get on */
#define ROOM_NS     (30 * ENV_SEC) /* for a log that cannot be written */
#define GOODBYE_NS                                                             \
	(3 * ENV_SEC) /* at the very end, for one that stands still */
#define VIEWERS_NS (20 * ENV_SEC) /* for all that read */

struct finish {
	struct env_timer *timer;
	int64_t since_ns, told_ns;
	int64_t stuck_ns; /* the log cannot be written since; 0: it can */
	int64_t end_ns, gone_ns; /* told everybody; a viewer has read since */
	int code;
	uint64_t events; /* at the last progress line */
	char *receipt;   /* in words, at the end */
	uint64_t taken;  /* by the viewers, when last looked at */
};

/* A line for everybody who waits, and for the log of the program. */
static void __attribute__((format(printf, 2, 3)))
tell(struct monitord_core *c, const char *fmt, ...)
{
	char text[400];
	size_t n;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	log_info("%s", text);
	n = strlen(text);
	text[n] = '\n';
	text[n + 1] = '\0';
	control_tell(c, EX_OK, true, text);
}

static bool
give_up(struct monitord_core *c, struct node *n, const char *why)
{
	tell(c, "node %s: %s, not waited for", n->name, why);
	n->given_up = true;
	return (true);
}

/*
 * This node has told everything, or is not waited for any longer.  It is as
 * long as it gets on: heartbeats are no sign of that, nor is that it connects
 * again and again.  Nobody gets on while the log cannot be written.
 */
static bool
node_done(struct monitord_core *c, struct node *n)
{
	int64_t now = core_now(c), since = c->end.finish->since_ns;
	int64_t moved = n->moved_ns > since ? n->moved_ns : since;

	if (n->end == NODE_FINISHED || n->given_up)
		return (true);
	if (n->number == 0)
		return (true); /* was never here */
	if (n->heard_ns > since)
		since = n->heard_ns;
	if (n->data == NULL && now - since >= GONE_NS)
		return (give_up(c, n, "not connected"));
	if (c->end.finish->stuck_ns != 0 || n->paused)
		n->moved_ns = now;
	else if (now - since >= SILENT_NS && now - moved >= SILENT_NS)
		return (give_up(c, n, "says nothing"));
	else if (now - moved >= STUCK_NS)
		return (give_up(c, n, "is here, but tells nothing more"));
	return (false);
}

static void
progress(struct monitord_core *c)
{
	struct finish *fi = c->end.finish;
	int64_t now = core_now(c);
	struct node *n;
	unsigned all = 0, done = 0;
	const char *why;

	if (now - fi->told_ns < PROGRESS_NS)
		return;
	fi->told_ns = now;
	TAILQ_FOREACH (n, &c->nodes, entry) {
		all++;
		done += n->end == NODE_FINISHED || n->given_up;
	}
	if (store_failed(c->store, &why))
		tell(c, "waiting for room: %s", why);
	else
		tell(c,
		    "%u of %u nodes have told everything, %" PRIu64
		    " events in the log",
		    done, all, store_events(c->store));
}

/*
 * The log could not be written for so long: the run stays as it is on the disk.
 * What is not there is in the spools, whose collectors go as they do when
 * monitord has died.
 */
static void
finish_abandon(struct monitord_core *c, const char *why)
{
	char text[600];

	snprintf(text, sizeof(text),
	    "the run is not finished: %s, for %d s; make room, start monitord "
	    "again with the same log, then shut it down\n",
	    why, (int)(ROOM_NS / ENV_SEC));
	log_warnx("%.*s", (int)strcspn(text, "\n"), text);
	control_tell(c, EX_IOERR, false, text);
	c->ended(c->ended_arg, EX_IOERR);
}

/* A line of the log for each of the receipt's. */
static void
warn_receipt(const char *text)
{
	size_t n;

	log_warnx("the receipt is not good:");
	for (; text != NULL && *text != '\0'; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (n > 0)
			log_warnx("%.*s", (int)n, text);
	}
}

/* The very end: everybody is told, and left alone when they have gone. */
static void
finish_end(struct monitord_core *c, const struct receipt *rc)
{
	struct finish *fi = c->end.finish;
	char *text = receipt_text(c, rc);

	control_tell(c, fi->code, false, text != NULL ? text : "");
	if (text != NULL && fi->code == EX_OK)
		log_info("%s is complete: %" PRIu64 " published = %" PRIu64
			 " stored + %" PRIu64 " lost",
		    store_path(c->store), rc->sums.published, rc->sums.stored,
		    rc->sums.lost);
	else
		warn_receipt(text);
	fi->receipt = text;
	fi->end_ns = fi->gone_ns = core_now(c);
}

/* Who waits hears that it goes on: a large log takes minutes. */
static void
closing_cb(void *arg, unsigned percent)
{
	struct monitord_core *c = arg;
	int64_t now = core_now(c);

	if (now - c->end.finish->told_ns < PROGRESS_NS)
		return;
	c->end.finish->told_ns = now;
	tell(c, "the log is put in order: %u %%", percent);
}

/* Closes the log.  -1: it cannot be written now, *err says why. */
static int
finish_log(struct monitord_core *c, struct store_error *err)
{
	struct finish *fi = c->end.finish;
	struct receipt rc;
	const char *why;

	reorder_flush(c->reorder);
	core_say_all(c);
	if (!core_commit_now(c)) {
		store_failed(c->store, &why);
		return (store_fail(err, EX_IOERR, "%s", why));
	}
	core_count_orphans(c);
	receipt_add_up(c, &rc);
	fi->code = receipt_good(&rc) ? EX_OK : EX_SOFTWARE;
	c->end.log_end = store_bytes(c->store);
	store_tell_closing(c->store, closing_cb, c);
	if (store_finish(c->store, &rc.sums, err) == -1) {
		if (core_now(c) - fi->told_ns >= PROGRESS_NS)
			tell(c, "%s", err->text);
		receipt_clear(&rc);
		return (-1);
	}
	c->end.receipt = rc.sums;
	c->state = CORE_FINISHED;
	finish_end(c, &rc);
	receipt_clear(&rc);
	stream_news(c);
	stream_pulse(c);
	return (0);
}

/*
 * All have gone, or have had time to.  A viewer that reads is waited for, but
 * not without end: what it misses is in the file.
 */
static bool
all_gone(struct monitord_core *c)
{
	struct finish *fi = c->end.finish;
	uint64_t taken = stream_taken(c);
	int64_t now = core_now(c);
	struct node *n;

	if (taken != fi->taken) {
		fi->taken = taken;
		fi->gone_ns = now;
	}
	if (now - fi->gone_ns > GOODBYE_NS || now - fi->end_ns > VIEWERS_NS) {
		stream_give_up(c);
		return (true);
	}
	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->data != NULL && !n->given_up)
			return (false);
	return (stream_all_sent(c));
}

/* Waits for the nodes, then closes the log.  true: the run is over. */
static bool
finish_step(struct monitord_core *c)
{
	struct finish *fi = c->end.finish;
	struct store_error err;
	struct node *n;
	const char *why = err.text;
	bool done = true, stuck = store_failed(c->store, &why);

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (!node_done(c, n))
			done = false;
	if (!done)
		progress(c);
	else if (finish_log(c, &err) == 0)
		return (false);
	else
		why = err.text;
	if (!stuck && !done)
		fi->stuck_ns = 0;
	else if (fi->stuck_ns == 0)
		fi->stuck_ns = core_now(c);
	else if (core_now(c) - fi->stuck_ns >= ROOM_NS) {
		finish_abandon(c, why);
		return (true);
	}
	return (false);
}

static void
look_cb(void *arg)
{
	struct monitord_core *c = arg;
	struct finish *fi = c->end.finish;

	if (c->state == CORE_FINISHED && all_gone(c)) {
		c->ended(c->ended_arg, fi->code);
		return;
	}
	if (c->state != CORE_FINISHED && finish_step(c))
		return;
	c->env->ops->timer_set(fi->timer, LOOK_NS);
}

void
finish_start(struct monitord_core *c)
{
	struct node *n;

	if (c->state == CORE_FINISHED)
		control_tell(c, c->end.finish->code, false,
		    "the run has been ended; its receipt is in the log\n");
	if (c->state != CORE_RUNNING)
		return;
	if (c->end.finish == NULL)
		c->end.finish = calloc(1, sizeof(*c->end.finish));
	if (c->end.finish == NULL ||
	    (c->end.finish->timer =
		    c->env->ops->timer_new(c->env, look_cb, c)) == NULL) {
		log_warnx("out of memory");
		return;
	}
	c->state = CORE_FINISHING;
	core_busy(c);
	c->end.finish->since_ns = c->end.finish->told_ns = core_now(c);
	TAILQ_FOREACH (n, &c->nodes, entry)
		node_finish(n);
	c->env->ops->timer_set(c->end.finish->timer, 0);
}

void
finish_check(struct monitord_core *c)
{
	if (c->end.finish != NULL && c->end.finish->timer != NULL)
		c->env->ops->timer_set(c->end.finish->timer, 0);
}

const char *
core_receipt(const struct monitord_core *c)
{
	return (c->end.finish != NULL ? c->end.finish->receipt : NULL);
}

void
finish_free(struct monitord_core *c)
{
	if (c->end.finish == NULL)
		return;
	c->env->ops->timer_free(c->end.finish->timer);
	free(c->end.finish->receipt);
	free(c->end.finish);
	c->end.finish = NULL;
}
