/*
 * See helper.h.  Questions go as frames, and stay in `pending` until they are
 * answered, the one that is worked on first.  When the process dies of it or
 * takes too long, its successor is asked again: the file may just have been
 * written anew.  If he dies of it, too, the file is asked about no more.
 */
#include "helper.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/shell/self/spawn.h"
#include "frame.h"
#include "log.h"
#include "symbols/symbols.h"

#define WAIT_S        10 /* for one answer; for a question, then it goes */
#define PENDING_BYTES (64u << 20)
#define PIECE_BYTES   (64u << 10)
#define TEXT_BYTES    4096u
#define BAD_FILES     64u

struct helper {
	struct event_base *base;
	const struct helper_ops *ops;
	void *arg;
	int fd; /* -1: there is none */
	pid_t pid;
	struct event *read_ev, *write_ev, *timer;
	struct buf pending; /* questions */
	size_t sent;        /* bytes of them */
	struct buf in;
	bool again;           /* one has died of the first question */
	bool failed;          /* none could be started, and it has been said */
	char *bad[BAD_FILES]; /* files that are asked about no more */
	unsigned nbad;
};

static void
set_timer(struct helper *h)
{
	struct timeval t = { .tv_sec = WAIT_S };

	(void)evtimer_add(h->timer, &t);
}

static void
stop(struct helper *h)
{
	if (h->fd == -1)
		return;
	event_del(h->read_ev);
	event_del(h->write_ev);
	event_free(h->read_ev);
	event_free(h->write_ev);
	close(h->fd);
	h->fd = -1;
	h->in.n = h->sent = 0;
	(void)kill(h->pid, SIGKILL);
	(void)waitpid(h->pid, NULL, 0); /* or somebody else has */
}

/* The first question is answered, or never will be. */
static void
drop_first(struct helper *h)
{
	struct frame f;

	if (frame_parse(h->pending.p, h->pending.n, &f) != FRAME_OK)
		return; /* it is ours, and whole */
	h->pending.n -= f.frame_bytes;
	memmove(h->pending.p, h->pending.p + f.frame_bytes, h->pending.n);
	h->sent = h->sent > f.frame_bytes ? h->sent - f.frame_bytes : 0;
}

static bool
is_bad(const struct helper *h, struct bytes path)
{
	for (unsigned i = 0; i < h->nbad; i++)
		if (strlen(h->bad[i]) == path.n &&
		    memcmp(h->bad[i], path.p, path.n) == 0)
			return (true);
	return (false);
}

static void
set_bad(struct helper *h, struct bytes path)
{
	char *copy;

	log_warnx("%.*s: its symbols are broken, or reading them takes too "
		  "long; its functions have no names",
	    (int)path.n, (const char *)path.p);
	if (h->nbad == BAD_FILES || path.n == 0)
		return;
	copy = strndup((const char *)path.p, path.n);
	if (copy != NULL)
		h->bad[h->nbad++] = copy;
}

/* The first question has no answer.  false: there is none. */
static bool
give_up_first(struct helper *h, bool is_its_fault)
{
	struct msg_resolve q;
	struct msg_symbol none = { 0 };
	struct frame f;

	if (h->pending.n == 0 ||
	    frame_parse(h->pending.p, h->pending.n, &f) != FRAME_OK ||
	    frame_decode(&f, MSG_resolve, &q) == -1)
		return (false);
	if (is_its_fault && !is_bad(h, q.path))
		set_bad(h, q.path);
	none.name = q.name;
	none.po = q.po;
	drop_first(h);
	h->ops->symbol(h->arg, &none);
	return (true);
}

/* Those that wait and are of no use: as long as they are the next ones. */
static void
skip_bad(struct helper *h)
{
	struct msg_resolve q;
	struct frame f;

	while (h->pending.n > 0 &&
	       frame_parse(h->pending.p, h->pending.n, &f) == FRAME_OK &&
	       frame_decode(&f, MSG_resolve, &q) == 0 && is_bad(h, q.path))
		(void)give_up_first(h, false);
}

/* -1: it does not speak as it should. */
static int
take_answers(struct helper *h)
{
	struct msg_symbol m;
	struct frame f;
	size_t at = 0;
	enum frame_status st;

	while ((st = frame_parse(h->in.p + at, h->in.n - at, &f)) == FRAME_OK) {
		if (h->pending.n == 0 || frame_decode(&f, MSG_symbol, &m) == -1)
			return (-1);
		at += f.frame_bytes;
		h->again = false;
		if (m.more == 0)
			drop_first(h);
		h->ops->symbol(h->arg, &m);
	}
	memmove(h->in.p, h->in.p + at, h->in.n - at);
	h->in.n -= at;
	return (st == FRAME_SHORT ? 0 : -1);
}

static void died(struct helper *);

static void
read_cb(evutil_socket_t fd, short what, void *arg)
{
	struct helper *h = arg;
	ssize_t n;

	(void)what;
	if (buf_reserve(&h->in, PIECE_BYTES) == -1)
		return;
	n = recv(fd, h->in.p + h->in.n, PIECE_BYTES, MSG_DONTWAIT);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0) {
		h->in.n += (size_t)n;
		if (take_answers(h) == 0) {
			set_timer(h);
			return;
		}
	}
	died(h);
}

static void
write_cb(evutil_socket_t fd, short what, void *arg)
{
	struct helper *h = arg;
	ssize_t n;

	(void)what;
	n = send(fd, h->pending.p + h->sent, h->pending.n - h->sent,
	    MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n > 0)
		h->sent += (size_t)n;
	if (h->sent == h->pending.n)
		event_del(h->write_ev);
	/* what is wrong with it is noticed by who reads */
}

static void
timer_cb(evutil_socket_t fd, short what, void *arg)
{
	struct helper *h = arg;

	(void)fd;
	(void)what;
	if (h->pending.n > 0)
		died(h);
	else
		stop(h);
}

static int
start(struct helper *h)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == -1)
		return (-1);
	h->pid = spawn_self("helper", &pair[1], 1);
	close(pair[1]);
	h->fd = pair[0];
	h->read_ev =
	    event_new(h->base, h->fd, EV_READ | EV_PERSIST, read_cb, h);
	h->write_ev =
	    event_new(h->base, h->fd, EV_WRITE | EV_PERSIST, write_cb, h);
	if (h->pid != -1 && h->read_ev != NULL && h->write_ev != NULL &&
	    event_add(h->read_ev, NULL) == 0)
		return (0);
	if (h->read_ev != NULL)
		event_free(h->read_ev);
	if (h->write_ev != NULL)
		event_free(h->write_ev);
	close(h->fd);
	h->fd = -1;
	return (-1);
}

static void
ask_rest(struct helper *h)
{
	if (h->sent < h->pending.n)
		(void)event_add(h->write_ev, NULL);
	set_timer(h);
}

static void
none_starts(struct helper *h)
{
	if (!h->failed)
		log_warn("no helper can be started: functions have no names");
	h->failed = true;
	while (give_up_first(h, false))
		;
	h->pending.n = 0;
}

/* It has, or it takes too long, or speaks nonsense. */
static void
died(struct helper *h)
{
	stop(h);
	if (h->again)
		(void)give_up_first(h, true);
	h->again = !h->again;
	skip_bad(h);
	if (h->pending.n == 0)
		return;
	if (start(h) == 0)
		ask_rest(h);
	else
		none_starts(h);
}

struct helper *
helper_new(struct event_base *base, const struct helper_ops *ops, void *arg)
{
	struct helper *h = calloc(1, sizeof(*h));

	if (h == NULL)
		return (NULL);
	h->base = base;
	h->ops = ops;
	h->arg = arg;
	h->fd = -1;
	h->timer = evtimer_new(base, timer_cb, h);
	if (h->timer == NULL) {
		free(h);
		return (NULL);
	}
	return (h);
}

void
helper_free(struct helper *h)
{
	if (h == NULL)
		return;
	stop(h);
	event_free(h->timer);
	buf_free(&h->pending);
	buf_free(&h->in);
	for (unsigned i = 0; i < h->nbad; i++)
		free(h->bad[i]);
	free(h);
}

bool
helper_ask(struct helper *h, const struct msg_resolve *m)
{
	if (h->pending.n > PENDING_BYTES || is_bad(h, m->path) ||
	    frame_append(&h->pending, MSG_resolve, m) == -1)
		return (false);
	if (h->fd != -1 || start(h) == 0) {
		ask_rest(h);
		return (true);
	}
	h->pending.n = 0; /* there was none before: a dead one has none */
	none_starts(h);
	return (false);
}

/* The process. */

static void
text_of(struct bytes b, char to[TEXT_BYTES])
{
	size_t n = b.n < TEXT_BYTES ? b.n : TEXT_BYTES - 1;

	if (n > 0)
		memcpy(to, b.p, n);
	to[n] = '\0';
}

static int
answer(struct symbols *s, const struct msg_resolve *q, struct buf *out)
{
	static struct symbols_level level[SYMBOLS_LEVELS];
	static char path[TEXT_BYTES], build_id[TEXT_BYTES];
	const char *why;
	struct msg_symbol m;
	unsigned n;

	text_of(q->path, path);
	text_of(q->build_id, build_id);
	n = symbols_find(s, path, build_id, q->address, level, &why);
	for (unsigned i = 0; i < n || i == 0; i++) {
		m = (struct msg_symbol){ .name = q->name,
			.po = q->po,
			.level = (uint8_t)i,
			.more = i + 1 < n };
		if (n > 0) {
			m.function = BYTES_STR(level[i].function);
			m.file = BYTES_STR(level[i].file);
			m.line = level[i].line;
			m.first = level[i].first;
		}
		if (frame_append(out, MSG_symbol, &m) == -1)
			return (-1);
	}
	return (0);
}

static int
send_all(int fd, struct buf *out)
{
	for (size_t at = 0; at < out->n;) {
		ssize_t n = send(fd, out->p + at, out->n - at, MSG_NOSIGNAL);

		if (n == -1 && errno != EINTR)
			return (-1);
		at += n > 0 ? (size_t)n : 0;
	}
	out->n = 0;
	return (0);
}

/* Answers all whole questions; -1: it is over. */
static int
answer_all(int fd, struct symbols *s, struct buf *in, struct buf *out)
{
	struct msg_resolve q;
	struct frame f;
	size_t at = 0;

	while (frame_parse(in->p + at, in->n - at, &f) == FRAME_OK) {
		if (frame_decode(&f, MSG_resolve, &q) == -1 ||
		    answer(s, &q, out) == -1 || send_all(fd, out) == -1)
			return (-1);
		at += f.frame_bytes;
	}
	memmove(in->p, in->p + at, in->n - at);
	in->n -= at;
	return (0);
}

int
helper_run(int fd)
{
	struct symbols *s = symbols_new();
	struct buf in = { 0 }, out = { 0 };
	ssize_t n;

	(void)setpriority(PRIO_PROCESS, 0, 10); /* it must not be in the way */
	while (s != NULL && buf_reserve(&in, PIECE_BYTES) == 0) {
		n = recv(fd, in.p + in.n, PIECE_BYTES, 0);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		in.n += (size_t)n;
		if (answer_all(fd, s, &in, &out) == -1)
			break;
	}
	symbols_free(s);
	buf_free(&in);
	buf_free(&out);
	return (0);
}
