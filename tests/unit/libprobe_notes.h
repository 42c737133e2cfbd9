/* For the tests of processes: notes that are counted in the hub. */
#ifndef TESTS_LIBPROBE_NOTES_H
#define TESTS_LIBPROBE_NOTES_H

#include "tests/check.h"

#include <sys/wait.h>

#include "libprobe_harness.h"
#include "probe.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1 /* clone, setuid and deaths are not for these tools */
#else
#define SANITIZED 0
#endif

static inline void
notes(int n)
{
	for (int i = 0; i < n; i++)
		probe_note(1, i % 500);
}

static inline int
wait_for(pid_t pid)
{
	int status = -1;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return (status);
}

/* Exactly n notes of one PO, on one thread, 0 to 499. */
static inline struct hub_po *
check_notes(struct hub *h, pid_t pid, uint64_t n)
{
	struct hub_po *p = hub_po_of_pid(h, pid);
	struct hub_stream *s;
	uint64_t next = 0;

	assert_non_null(p);
	assert_int_equal(p->nstreams, 1);
	s = p->streams[0];
	for (size_t i = 0; i < s->n; i++) {
		if (s->records[i].kind != EV_note)
			continue;
		assert_int_equal(s->records[i].a, next % 500);
		next++;
	}
	assert_int_equal(next, n);
	assert_int_equal(s->records[0].kind, EV_thread_begin);
	assert_int_equal(s->records[0].b, pid);
	assert_string_equal(h->fault, "");
	return (p);
}

#endif
