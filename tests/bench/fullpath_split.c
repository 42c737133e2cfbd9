/*
 * Which stage of the full path is at work: the linker puts functions of ours
 * around those that begin one (mk/codec.mk).
 */
#include <time.h>

#include "monitord/inside.h"
#include "tests/bench/bench.h"
#include "tests/bench/fullpath.h"

const char *const stage_name[STAGES] = {
	"rest",
	"frames, checksums of batches",
	"decode, clock map",
	"push",
	"order, causes",
	"encode",
	"checksums of blocks, lanes",
	"compress",
	"write, sync",
};

struct split split;

double
split_ns(void)
{
	return (clock_ns(CLOCK_MONOTONIC));
}

enum stage
enter(enum stage s)
{
	enum stage before = split.now;
	double now;

	if (!split.on)
		return (before);
	now = split_ns();
	split.ns[before] += now - split.since_ns;
	split.since_ns = now;
	split.now = s;
	return (before);
}

struct reorder *__real_reorder_new(const struct reorder_options *,
    reorder_emit *, reorder_stall *, void *);
struct reorder *__wrap_reorder_new(const struct reorder_options *,
    reorder_emit *, reorder_stall *, void *);
struct event_slot *__real_reorder_room(struct reorder *, uint32_t, size_t *);
struct event_slot *__wrap_reorder_room(struct reorder *, uint32_t, size_t *);
void __real_reorder_commit(struct reorder *, uint32_t, size_t);
void __wrap_reorder_commit(struct reorder *, uint32_t, size_t);
int __real_block_finish(struct block_writer *, int, int, struct buf *);
int __wrap_block_finish(struct block_writer *, int, int, struct buf *);
size_t __real_ZSTD_compress2(void *, void *, size_t, const void *, size_t);
size_t __wrap_ZSTD_compress2(void *, void *, size_t, const void *, size_t);

static reorder_emit *core_emit;

static void
emit_cb(void *arg, const struct event *e, size_t n)
{
	enum stage s = enter(STAGE_ENCODE);

	core_emit(arg, e, n);
	enter(s);
}

struct reorder *
__wrap_reorder_new(const struct reorder_options *o, reorder_emit *emit,
    reorder_stall *stall, void *arg)
{
	core_emit = emit;
	return (__real_reorder_new(o, emit_cb, stall, arg));
}

struct event_slot *
__wrap_reorder_room(struct reorder *r, uint32_t stream, size_t *n)
{
	enum stage s = enter(STAGE_PUSH);
	struct event_slot *room = __real_reorder_room(r, stream, n);

	enter(s);
	return (room);
}

void
__wrap_reorder_commit(struct reorder *r, uint32_t stream, size_t n)
{
	enum stage s = enter(STAGE_PUSH);

	__real_reorder_commit(r, stream, n);
	enter(s);
}

int
__wrap_block_finish(struct block_writer *w, int late, int level,
    struct buf *out)
{
	enum stage s = enter(STAGE_SEAL);
	int rv = __real_block_finish(w, late, level, out);

	enter(s);
	return (rv);
}

size_t
__wrap_ZSTD_compress2(void *ctx, void *to, size_t room, const void *from,
    size_t n)
{
	enum stage s = enter(STAGE_ZSTD);
	size_t rv = __real_ZSTD_compress2(ctx, to, room, from, n);

	enter(s);
	return (rv);
}
