/*
 * probe.h stands alone, since it is installed in other people's systems, and
 * so repeats a few things of proto/.  Here they are compared; nothing in this
 * file is ever run.
 */
#include "internal.h"

/* clang-format off */
#define SAME(a, b) _Static_assert((int)(a) == (int)(b), #a " is not " #b)

SAME(PROBE_CLASS_life, CLASS_life);
SAME(PROBE_CLASS_task, CLASS_task);
SAME(PROBE_CLASS_block, CLASS_block);
SAME(PROBE_CLASS_call, CLASS_call);
SAME(PROBE_CLASS_message, CLASS_message);
SAME(PROBE_CLASS_rpc, CLASS_rpc);
SAME(PROBE_CLASS_lock, CLASS_lock);
SAME(PROBE_CLASS_object, CLASS_object);
SAME(PROBE_CLASS_memory, CLASS_memory);
SAME(PROBE_CLASS_phase, CLASS_phase);
SAME(PROBE_CLASS_note, CLASS_note);
SAME(PROBE_CLASS_monitor, CLASS_monitor);
SAME(PROBE_CLASS_sample, CLASS_sample);
SAME(PROBE_CLASSES, EVENT_CLASSES);

/*
 * Every kind that a program makes is in probe.h under its number: a new row
 * of events.def does not compile before probe.h has it too.  The other kinds
 * are the collector's and the monitor's.
 */
enum {
	PROBE_po_begin = EV_po_begin, PROBE_po_end = EV_po_end,
	PROBE_lost = EV_lost, PROBE_late = EV_late, PROBE_orphan = EV_orphan,
	PROBE_stall = EV_stall, PROBE_rejoin = EV_rejoin,
	PROBE_clock_step = EV_clock_step, PROBE_found = EV_found,
	PROBE_distrust = EV_distrust, PROBE_trust = EV_trust,
	PROBE_unattached = EV_unattached, PROBE_sched_in = EV_sched_in,
	PROBE_sched_out = EV_sched_out, PROBE_sched_new = EV_sched_new,
	PROBE_sched_gone = EV_sched_gone, PROBE_sched_from = EV_sched_from,
	PROBE_sample_from = EV_sample_from,
	PROBE_sample_stack = EV_sample_stack,
	PROBE_sample_found = EV_sample_found,
	PROBE_choice = EV_choice
};
#define EVENT(name, id, ...) SAME(PROBE_##name, id);
#include "events.def"
#undef EVENT
/* clang-format on */

#define AT(type, field, probe_type, probe_field)                               \
	_Static_assert(offsetof(struct type, field) ==                         \
			   offsetof(struct probe_type, probe_field),           \
	    #type "." #field)

AT(ring_record, t_cycles, probe_record, t_cycles);
AT(ring_record, kind, probe_record, kind_c);
AT(ring_record, a, probe_record, a);
AT(ring_record, b, probe_record, b);
_Static_assert(sizeof(struct ring_record) == sizeof(struct probe_record),
    "a record");
_Static_assert(offsetof(struct ring_record, c) ==
		   offsetof(struct probe_record, kind_c) + 4,
    "c is the upper half");
_Static_assert(offsetof(struct ring, active) - offsetof(struct ring, head) ==
		   offsetof(struct probe_shared, active),
    "what is written on every event");
_Static_assert(PROBE_LOOK == RING_LOOK, "look");
_Static_assert(EVENT_CLASSES < 31, "classes and RING_LOOK share a word");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "kind_c");
_Static_assert(sizeof(struct probe_thread) == 64, "one cache line");
