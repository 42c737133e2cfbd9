/*
 * What a viewer is sent, as `monitorctl dump --raw` would print it, but in the
 * order in which it comes.
 *
 *	watch [SOCKET]		monitord.sock in ORRERY_DIR by default
 *
 * Reads until the receipt of the run, and exits 1 if that does not come.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block.h"
#include "talk.h"

#define READ_BYTES ((size_t)1 << 20)

struct watch {
	int fd;
	struct buf in, scratch;
	struct event *events;
	bool finished;
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
	ssize_t n;

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
		if (buf_reserve(&w.in, READ_BYTES) == -1)
			die("memory");
		n = read(w.fd, w.in.p + w.in.n, READ_BYTES);
		if (n <= 0)
			break;
		w.in.n += (size_t)n;
		frames(&w);
	}
	buf_free(&w.in);
	buf_free(&w.scratch);
	free(w.events);
	close(w.fd);
	return (w.finished && fflush(stdout) == 0 ? 0 : 1);
}
