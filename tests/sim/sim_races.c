/*
 * A sweep takes its time: between the reading of the clock, the look at each
 * program's rings, the copying of what was seen and the watermark, programs
 * go on.  The linker sends these steps here first (see mk/sim.mk).
 */
#include "collector/sweep/drain_in.h"
#include "collector/sweep/nodeclock.h"
#include "tests/sim/inside.h"

uint64_t __real_drain_look(struct drain *);
int __real_drain_take(struct drain *, int64_t);
void __real_drain_convert(struct drain_po *, struct slot *,
    const struct ring_record *, struct node_event *, size_t);
void __real_drain_watermark_advance(struct drain *);
bool __real_nodeclock_ready(const struct nodeclock *);
uint64_t __wrap_drain_look(struct drain *);
int __wrap_drain_take(struct drain *, int64_t);
void __wrap_drain_convert(struct drain_po *, struct slot *,
    const struct ring_record *, struct node_event *, size_t);
void __wrap_drain_watermark_advance(struct drain *);
bool __wrap_nodeclock_ready(const struct nodeclock *);

static void
meanwhile(void)
{
	if (sim_current != NULL)
		sim_takes_time(sim_current);
}

uint64_t
__wrap_drain_look(struct drain *d)
{
	meanwhile();
	return (__real_drain_look(d));
}

int
__wrap_drain_take(struct drain *d, int64_t now_node_ns)
{
	meanwhile();
	return (__real_drain_take(d, now_node_ns));
}

void
__wrap_drain_convert(struct drain_po *dp, struct slot *s,
    const struct ring_record *r, struct node_event *e, size_t n)
{
	meanwhile();
	__real_drain_convert(dp, s, r, e, n);
}

void
__wrap_drain_watermark_advance(struct drain *d)
{
	meanwhile();
	__real_drain_watermark_advance(d);
}

/* Asked before the rings of each program are looked at. */
bool
__wrap_nodeclock_ready(const struct nodeclock *nc)
{
	meanwhile();
	return (__real_nodeclock_ready(nc));
}
