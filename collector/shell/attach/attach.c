/*
 * Real processes.
 *
 * Order matters when a process attaches: its memory is with the keeper before
 * the process hears of it, so that whatever it publishes is known to somebody
 * who outlives us.  When the keeper dies, we start another one and give it
 * everything that we hold.
 */
#include "attach_inside.h"

#include <sys/mman.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "collector/ident/text.h"
#include "collector/shell/self/rescue.h"
#include "collector/shell/system/modules.h"
#include "collector/shell/system/perf.h"
#include "event.h"
#include "log.h"

static bool
source_thread_alive(void *arg, uint32_t tid)
{
	return (held_thread_alive(arg, tid));
}

static bool
source_measure(void *arg, struct measures *m)
{
	return (held_measure(arg, m));
}

static void
held_unlink(struct held *h)
{
	struct held **p;

	for (p = &h->at->held; *p != NULL; p = &(*p)->next) {
		if (*p == h) {
			*p = h->next;
			break;
		}
	}
	if (h->died != NULL)
		event_free(h->died);
	held_sched_end(h);
	share_leave(&h->at->shares, h);
	held_free(h);
}

/* Another PO of the same process: it has asked again, or is another program. */
static bool
held_again(const struct held *h)
{
	const struct held *other = h->at->held;

	while (other != NULL && (other == h || other->m.pid != h->m.pid))
		other = other->next;
	return (other != NULL);
}

/*
 * Drained and accounted for.  If the process lives on, it shall let go.  One
 * that has never had its memory (it had no room, or did not wait for the
 * answer) may have made any number of events.
 */
static void
source_released(void *arg)
{
	struct held *h = arg;
	struct pass gone = { .type = PASS_GONE, .po = h->m.po };

	if (drain_po_ident(h->dp)->ended && h->at->port != NULL &&
	    atomic_load(&h->seg->taken) == 0 && !held_again(h))
		port_not_taken(h->at->port, h->m.pid);
	atomic_store(&h->seg->gone, 1);
	atomic_store(&h->seg->mask, ~0u);
	(void)pass_send(h->at->keeper_fd, &gone, NULL);
	held_unlink(h);
}

/* The file keeps its length; what is read there again is zero. */
static void
source_empty(void *arg, void *at, size_t bytes)
{
	(void)arg;
	(void)madvise(at, bytes, MADV_REMOVE);
}

static const struct source_ops source_ops = {
	.thread_alive = source_thread_alive,
	.empty = source_empty,
	.measure = source_measure,
	.released = source_released,
};

static void
held_gone(struct held *h)
{
	drain_po_ending(h->dp, held_ending(h));
	collector_core_detach(h->at->core, h->dp);
}

static void
held_died_cb(evutil_socket_t fd, short what, void *arg)
{
	struct held *h = arg;

	(void)fd;
	(void)what;
	event_del(h->died);
	log_debug("po %u: process %u has ended", h->m.po, h->m.pid);
	held_gone(h);
}

void
held_enter(struct attach *at, struct held *h)
{
	h->at = at;
	h->next = at->held;
	at->held = h;
}

static int
held_watch(struct held *h)
{
	h->died = event_new(h->at->base, h->fds[1], EV_READ | EV_PERSIST,
	    held_died_cb, h);
	return (h->died == NULL ? -1 : event_add(h->died, NULL));
}

static struct source
held_source(struct held *h)
{
	return ((struct source){
	    .seg = h->seg,
	    .layout = h->m.layout,
	    .clock = (uint8_t)h->m.clock,
	    .sched = h->perf == NULL ? NULL : WAY,
	    .ops = &source_ops,
	    .arg = h,
	});
}

static struct msg_po
held_definition(const struct held *h)
{
	return ((struct msg_po){
	    .po = h->m.po,
	    .parent_po = h->m.parent,
	    .pid = h->m.pid,
	    .t_node_ns = h->m.t_node_ns,
	    .program = BYTES_STR(h->m.program),
	    .command = BYTES_STR(h->m.command),
	    .names_po = h->m.names_po,
	    .names = h->m.names,
	});
}

/* A process execs: what it was before has ended. */
static void
detach_same_process(struct attach *at, uint32_t pid)
{
	for (struct held *h = at->held; h != NULL; h = h->next) {
		if (h->m.pid != pid || h->dp == NULL)
			continue;
		drain_po_ending(h->dp, ENDING_BECAME);
		collector_core_detach(at->core, h->dp);
		held_sched_end(h);
	}
}

struct attach_code {
	struct attach *at;
	struct drain_po *dp;
};

static void
module_cb(void *arg, const struct msg_module *m)
{
	struct attach_code *c = arg;

	collector_core_module(c->at->core, c->dp, m);
}

void
attach_code(struct attach *at, struct drain_po *dp)
{
	struct attach_code c = { at, dp };
	const struct po *po = drain_po_ident(dp);

	if (modules_each(po->pid, module_cb, &c) == -1)
		log_debug("po %u: what code process %u has cannot be seen: %s",
		    po->number, po->pid, strerror(errno));
}

/* Reply to an attach: memory for the process, known to the keeper first. */
int
attach_process(struct attach *at, const struct msg_attach *rq, uint32_t pid,
    struct msg_attached *answer)
{
	struct pass m = {
		.type = PASS_SEGMENT,
		.po = collector_core_next_po(at->core),
		.pid = pid,
		.parent = rq->parent_po,
		.clock = rq->clock,
		.t_node_ns = at->env->ops->now_ns(at->env),
	};
	struct pass gone = { .type = PASS_GONE, .po = m.po };
	struct msg_po def;
	struct source source;
	struct held *h;

	text_copy(m.program, sizeof(m.program), rq->program.p, rq->program.n);
	text_copy(m.command, sizeof(m.command), rq->command.p, rq->command.n);
	m.names = collector_core_inherited(at->core, rq->names_po,
	    rq->names_t_node_ns, rq->names);
	m.names_po = m.names == 0 ? 0 : rq->names_po;
	if (segment_layout(&m.layout, SEGMENT_FIRST_BYTES, at->opt->ring_bytes,
		at->opt->rings, OPTIONS_NAMES_BYTES) == -1)
		return (-1);
	detach_same_process(at, pid);
	h = held_new(&m, at->opt->tag, collector_core_node(at->core),
	    collector_core_mask(at->core), at->opt->wait_ms);
	if (h == NULL)
		return (-1);
	held_enter(at, h);
	if (held_watch(h) == -1) { /* before anybody knows of it */
		held_unlink(h);
		return (-1);
	}
	share_join(&at->shares, h);
	if (h->m.parent == 0)
		h->m.parent = attach_creator(at, h);
	held_sched_usual(h);
	def = held_definition(h);
	source = held_source(h);
	(void)pass_send(at->keeper_fd, &h->m, h->fds);
	h->dp = collector_core_attach(at->core, &def, &source);
	if (h->dp == NULL) {
		(void)pass_send(at->keeper_fd, &gone, NULL);
		held_unlink(h);
		return (-1);
	}
	attach_code(at, h->dp); /* now: it may live no longer than its answer */
	held_sample_begin(h);
	*answer = (struct msg_attached){
		.node = collector_core_node(at->core),
		.po = m.po,
		.node_name = BYTES_STR(at->opt->name),
		.t_node_ns = drain_po_ident(h->dp)->t_node_ns,
		.names = m.names,
	};
	log_debug("po %u: process %u (%s)", m.po, pid, m.program);
	return (h->fds[0]);
}

const char *
attach_socket(const struct attach *at)
{
	return (at->opt->socket);
}

static void
held_adopt(struct attach *at, struct held *h)
{
	struct msg_po def = held_definition(h);
	struct source source;
	struct pass gone = { .type = PASS_GONE, .po = h->m.po };
	const struct po *po = ident_po(collector_core_ident(at->core), h->m.po);

	/* a keeper without journal has found it in a child: looked for anew */
	if (po != NULL && po->pid != h->m.pid) {
		(void)pass_send(at->keeper_fd, &gone, NULL);
		held_unlink(h);
		return;
	}
	share_join(&at->shares, h);
	held_sched_usual(h);
	source = held_source(h);
	h->dp = collector_core_adopt(at->core, &def, &source);
	if (h->dp == NULL) {
		if (errno != EEXIST)
			log_warn("po %u", h->m.po);
		else { /* one before us died before it could say so */
			atomic_store(&h->seg->gone, 1);
			atomic_store(&h->seg->mask, ~0u);
		}
		(void)pass_send(at->keeper_fd, &gone, NULL);
		held_unlink(h);
		return;
	}
	if (!held_alive(h)) {
		held_gone(h);
		return;
	}
	attach_code(at, h->dp);
	held_sample_begin(h);
	if (held_watch(h) == -1)
		log_warn("po %u", h->m.po);
}

/*
 * The core misses a PO: nobody has handed on its memory, because all who had
 * it were killed at a time.  Its process has it.
 */
bool
attach_missing(struct attach *at, const struct po *po)
{
	struct pass m = {
		.po = po->number,
		.pid = po->pid,
		.parent = po->parent,
		.t_node_ns = po->t_node_ns,
		.names_po = po->names_po,
		.names = po->inherited,
	};
	struct held *h;
	int fds[PASS_FDS], rc;

	rc = rescue_find(at->opt->tag, &m, fds);
	if (rc != 1)
		return (rc == -1);
	text_copy(m.program, sizeof(m.program), po->program,
	    strlen(po->program));
	text_copy(m.command, sizeof(m.command), po->command,
	    strlen(po->command));
	h = held_map(&m, fds);
	if (h == NULL) {
		log_warn("po %u", po->number);
		return (true);
	}
	log_info("po %u found again in process %u", m.po, m.pid);
	(void)pass_send(at->keeper_fd, &h->m, h->fds);
	held_enter(at, h);
	held_adopt(at, h);
	return (false);
}

struct attach *
attach_new(struct env *env, const struct options *opt, int keeper_fd,
    int listen_fd)
{
	struct attach *at = calloc(1, sizeof(*at));
	int saved;

	if (at == NULL)
		return (NULL);
	at->env = env;
	at->base = env_event_base(env);
	at->opt = opt;
	at->keeper_fd = keeper_fd;
	at->listen_fd = listen_fd;
	at->retry = evtimer_new(at->base, attach_keeper_retry_cb, at);
	if (opt->sched || opt->sample_hz > 0)
		(void)attach_perf_there(at);
	if (at->retry != NULL && attach_keeper_inherit(at) == 0)
		return (at);
	saved = errno;
	attach_free(at);
	errno = saved;
	return (NULL);
}

void
attach_free(struct attach *at)
{
	if (at == NULL)
		return;
	port_free(at->port);
	if (at->keeper_ev != NULL)
		event_free(at->keeper_ev);
	if (at->retry != NULL)
		event_free(at->retry);
	while (at->held != NULL)
		held_unlink(at->held);
	perf_free(at->perf);
	free(at);
}

int
attach_start(struct attach *at, struct collector_core *core)
{
	struct pass ready = { .type = PASS_READY, .pid = (uint32_t)getpid() };
	struct held *h, *next;

	at->core = core;
	for (h = at->held; h != NULL; h = next) {
		next = h->next;
		held_adopt(at, h);
	}
	collector_core_adopted(core);
	at->port = port_new(at->base, at->listen_fd, at, core);
	if (at->port == NULL || attach_keeper_watch(at) == -1)
		return (-1);
	(void)pass_send(at->keeper_fd, &ready, NULL);
	if (collector_core_numbers_sure(core))
		attach_opened(at);
	return (0);
}

void
attach_opened(struct attach *at)
{
	struct pass open = { .type = PASS_OPEN };

	if (!at->open)
		(void)pass_send(at->keeper_fd, &open, NULL);
	at->open = true;
}

void
attach_welcomed(struct attach *at)
{
	if (at->port != NULL)
		port_welcomed(at->port);
}

void
attach_stopped(struct attach *at)
{
	struct pass stop = { .type = PASS_STOP };

	at->stopped = true;
	(void)pass_send(at->keeper_fd, &stop, NULL);
}
