/*
 * What a viewer is sent, as `monitorctl dump --raw` would print it, but in the
 * order in which it comes.
 *
 *	watch [--stop] [SOCKET]	monitord.sock in ORRERY_DIR by default
 *
 * With --stop it stops, as by SIGSTOP, when the first events have come.
 *
 * Reads until the receipt of the run.  If the stream ends before that, it says
 * how many bytes of the log have come, its last line is "cut", and it exits 3.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/block.h"
#include "talk.h"

#define READ_BYTES ((size_t)1 << 20)
#define STOP_BYTES ((size_t)1 << 12) /* at a time, for one that will stop */
#define EXIT_CUT   3

struct watch {
	int fd;
	struct buf in, scratch;
	struct event *events;
	uint64_t log_bytes; /* in frames of the log */
	bool finished, stops;
};

static void
print_block(struct watch *w, const struct frame *f)
{
	struct msg_block b;

	if (msg_decode(f->type, f->body, f->body_bytes, &b) == -1 ||
	    block_read(&b, w->events, &w->scratch) == -1)
		die("block");
	for (uint32_t i = 0; i < b.events; i++) {
		const struct event *e = &w->events[i];
		const struct event_desc *d = event_desc(e->kind);

		printf("%" PRId64 "\t%" PRId64 "\t%" PRIu32 "\t%" PRIu64
		       "\t%s\t%u\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64
		       "\t%" PRIu32 "\n",
		    e->t_mon_ns, e->t_node_ns, e->location, e->seq,
		    d != NULL ? d->name : "?", e->flags, e->shift_ns, e->a,
		    e->b, e->c);
	}
}

static void
frame(struct watch *w, const struct frame *f)
{
	static const struct msg_subscribe all;

	if (f->type == MSG_welcome && !talk_message(w->fd, MSG_subscribe, &all))
		die("subscribe");
	else if (f->type == MSG_block)
		print_block(w, f);
	else if (f->type == MSG_receipt)
		w->finished = true;
	if (f->type == MSG_block && w->stops) {
		w->stops = false;
		raise(SIGSTOP);
	}
	if (f->type != MSG_welcome && f->type != MSG_pulse &&
	    f->type != MSG_receipt)
		w->log_bytes += f->frame_bytes;
}

/* Whole frames, and what is left of the last one. */
static void
frames(struct watch *w)
{
	size_t at = 0;
	struct frame f;
	enum frame_status s;

	while ((s = frame_parse(w->in.p + at, w->in.n - at, &f)) == FRAME_OK) {
		frame(w, &f);
		at += f.frame_bytes;
	}
	if (s != FRAME_SHORT)
		die(frame_strstatus(s));
	memmove(w->in.p, w->in.p + at, w->in.n - at);
	w->in.n -= at;
}

/* Half a frame at the end has come, too. */
static int
cut(const struct watch *w)
{
	puts("cut");
	fprintf(stderr, "watch: %" PRIu64 " bytes of the log, no receipt\n",
	    w->log_bytes + w->in.n);
	return (EXIT_CUT);
}

int
main(int argc, char **argv)
{
	struct msg_hello hello = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_VIEWER,
		.name = BYTES_STR("watch"),
		.pid = (uint32_t)getpid() };
	const char *dir = getenv("ORRERY_DIR");
	struct watch w = { 0 };
	char path[200];
	size_t want;
	ssize_t n;
	int code;

	if (argc > 1 && strcmp(argv[1], "--stop") == 0) {
		w.stops = true;
		argc--;
		argv++;
	}
	snprintf(path, sizeof(path), "%s/monitord.sock",
	    dir != NULL ? dir : ".");
	w.events = calloc(BLOCK_EVENTS_MAX, sizeof(*w.events));
	if (w.events == NULL)
		die("memory");
	w.fd = talk_socket(argc > 1 ? argv[1] : path, false);
	if (!talk_message(w.fd, MSG_hello, &hello))
		die("hello");
	puts("t_mon_ns\tt_node_ns\tlocation\tseq\tkind\tflags\tshift_ns\ta\tb\t"
	     "c");
	while (!w.finished) {
		want = w.stops ? STOP_BYTES : READ_BYTES;
		if (buf_reserve(&w.in, want) == -1)
			die("memory");
		n = read(w.fd, w.in.p + w.in.n, want);
		if (n <= 0)
			break;
		w.in.n += (size_t)n;
		frames(&w);
	}
	code = w.finished ? 0 : cut(&w);
	buf_free(&w.in);
	buf_free(&w.scratch);
	free(w.events);
	close(w.fd);
	return (fflush(stdout) == 0 ? code : 1);
}
