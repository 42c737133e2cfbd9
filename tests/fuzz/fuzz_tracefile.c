/*
 * Fuzzes logs.  A mutator that knows nothing of checksums would never get past
 * the frames, so the input is taken in two ways: as a file, byte for byte; and
 * as a list of bodies that are framed first: u8 type, u16 length, body.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/validate.h"
#include "log/tracefile.h"
#include "wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

struct reader {
	struct defs *defs;
	struct validate *validate;
	unsigned events;
	int64_t last_mon_ns;
};

static int
definition(void *arg, const struct frame *f)
{
	struct reader *r = arg;

	(void)defs_add(r->defs, f);
	(void)validate_definition(r->validate, f);
	return (0);
}

static int
event(void *arg, const struct event *e)
{
	struct reader *r = arg;
	char line[128];

	if (r->events > 0 && e->t_mon_ns < r->last_mon_ns)
		abort();
	r->last_mon_ns = e->t_mon_ns;
	if (r->events++ < 200) {
		(void)event_print(line, sizeof(line), e, r->defs, 0);
		(void)validate_event(r->validate, e);
	}
	return (r->events < 20000 ? 0 : 1);
}

/* What is told of blocks without reading them, true or not. */
static void
try_summaries(struct tracefile *t)
{
	const struct tracefile_entry *e;
	struct block_lane *lanes;
	size_t n, nlanes;

	if (tracefile_has_index(t) != 1)
		return;
	e = tracefile_index(t, &n);
	if (e == NULL)
		abort();
	for (size_t i = 0; i < n; i++) {
		if (tracefile_lanes(t, &e[i], &lanes, &nlanes) == -1)
			continue;
		if (nlanes == 0 || e[i].type != MSG_block)
			abort();
		free(lanes);
	}
}

static void
try_file(const uint8_t *data, size_t n)
{
	static const struct trace_sink sink = { definition, event };
	static int fd = -1;
	static char path[64];
	struct reader r = { 0 };
	struct msg_receipt receipt;
	struct tracefile *t;
	struct frame f;
	const char *why;
	uint64_t offset = 0;

	if (fd == -1) {
		fd = memfd_create("log", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) == -1 || pwrite(fd, data, n, 0) != (ssize_t)n)
		abort();
	t = tracefile_open(path, &why);
	if (t == NULL) {
		if (why == NULL)
			abort();
		return;
	}
	try_summaries(t);
	while (tracefile_next(t, &offset, &f) == 1)
		continue;
	r.defs = defs_new();
	r.validate = validate_new(NULL, NULL);
	(void)tracefile_each(t, INT64_MIN, INT64_MAX, &sink, &r);
	if (tracefile_receipt(t, &receipt))
		validate_receipt(r.validate, &receipt);
	if (tracefile_damaged_bytes(t) > n)
		abort();
	validate_free(r.validate);
	defs_free(r.defs);
	tracefile_close(t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct msg_run run = { .version = TRACEFILE_VERSION };
	struct buf b = { 0 };

	try_file(data, n);
	if (frame_append(&b, MSG_run, &run) == -1)
		abort();
	while (n >= 3) {
		size_t body = get_u16(data + 1);

		if (body > n - 3)
			body = n - 3;
		if (buf_reserve(&b, FRAME_HEAD_BYTES + body) == -1)
			abort();
		memcpy(b.p + b.n + FRAME_HEAD_BYTES, data + 3, body);
		b.n += frame_seal(b.p + b.n, data[0], body);
		data += 3 + body;
		n -= 3 + body;
	}
	try_file(b.p, b.n);
	buf_free(&b);
	return (0);
}
