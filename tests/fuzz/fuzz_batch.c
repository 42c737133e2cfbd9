/*
 * Fuzzes batches: runs that are taken are encoded again and must decode to the
 * same events.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "event.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

#define KEPT 4096
struct kept {
	struct node_event e[KEPT];
	size_t n;
	uint32_t stream;
	uint64_t first_seq, next_seq;
};

static int
definition(void *arg, const struct frame *f)
{
	(void)arg;
	return (f->frame_bytes > f->body_bytes ? 0 : -1);
}

/* Keeps the beginning of the first run. */
static int
events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct kept *k = arg;

	if (k->n == 0) {
		k->stream = stream;
		k->first_seq = k->next_seq = first_seq;
	}
	if (stream != k->stream || first_seq != k->next_seq ||
	    k->n + n > KEPT ||
	    (k->n > 0 && e[0].t_node_ns < k->e[k->n - 1].t_node_ns))
		return (1);
	memcpy(k->e + k->n, e, n * sizeof(*e));
	k->n += n;
	k->next_seq += n;
	return (0);
}

/* A hostile sender may give meaning to words that have none. */
static void
drop_meaningless(struct kept *k)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct event_desc *d = event_desc(k->e[i].kind);

		if (d->a[0] == '\0')
			k->e[i].a = 0;
		if (d->b[0] == '\0')
			k->e[i].b = 0;
		if (d->c[0] == '\0')
			k->e[i].c = 0;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct batch_sink sink = { definition, events };
	static struct kept first, again;
	struct batch_writer *w;

	first.n = again.n = 0;
	(void)batch_decode((struct bytes){ data, n }, &sink, &first);
	if (first.n == 0)
		return (0);
	drop_meaningless(&first);
	w = batch_writer_new();
	if (batch_add_run(w, first.stream, first.first_seq, first.e, first.n) ==
		-1 ||
	    batch_decode(batch_bytes(w), &sink, &again) != 0 ||
	    again.n != first.n ||
	    memcmp(first.e, again.e, first.n * sizeof(first.e[0])) != 0)
		abort();
	batch_writer_free(w);
	return (0);
}
