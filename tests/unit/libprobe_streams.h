/* For the tests of libprobe: what a hub has got, looked at closely. */
#ifndef TESTS_LIBPROBE_STREAMS_H
#define TESTS_LIBPROBE_STREAMS_H

#include "tests/check.h"

#include "libprobe_harness.h"
#include "probe.h"

#ifdef __SANITIZE_THREAD__
#define SCALE 20 /* everything is slower there */
#else
#define SCALE 1
#endif

/* Accounts and order of every stream. */
static inline void
check_accounts(struct hub *h)
{
	hub_drain(h, false);
	hub_sweep(h);
	assert_string_equal(h->fault, "");
	assert_int_equal(h->faults, 0);
	for (size_t i = 0; i < h->npos; i++) {
		for (size_t k = 0; k < h->pos[i]->nstreams; k++) {
			struct hub_stream *s = h->pos[i]->streams[k];

			assert_int_equal(s->lost_records,
			    hub_count(s, EV_lost));
			assert_true(hub_told_lost(s) <= s->lost_total);
		}
	}
}

static inline struct hub_stream *
only_stream(struct hub *h)
{
	struct hub_po *p = hub_wait_po(h, 0);

	assert_non_null(p);
	assert_int_equal(p->nstreams, 1);
	return (p->streams[0]);
}

static inline const struct ring_record *
record_at(const struct hub_stream *s, size_t i, unsigned kind)
{
	assert_true(i < s->n);
	assert_int_equal(s->records[i].kind, kind);
	assert_int_equal(s->records[i].zero, 0);
	return (&s->records[i]);
}

#endif
