/* What is recorded: by class, name and thread; the part that is not inlined. */
#ifndef LIBPROBE_CHOICE_H
#define LIBPROBE_CHOICE_H

#include "internal.h"
#include "ringchoice.h"

/*
 * Is this event of this thread recorded?  Asked for each one on the slow path,
 * once: it notes what begins and ends.  Safe in handlers.
 */
bool choice_wants(struct thread *, uint32_t kind, uint32_t c, uint64_t a);
/* The same of a thread that has no ring. */
bool choice_wants_ever(uint32_t kind);

/*
 * Calls of the function at this address are left out.  Inlined into the hooks,
 * which for such a function do nothing else.
 */
static inline bool
choice_function(const void *address)
{
	struct ring_choice *by =
	    __atomic_load_n(&attachment.choice, __ATOMIC_ACQUIRE);
	uint64_t key = (uintptr_t)address;
	const struct ring_slot *slot;

	if (PROBE_UNLIKELY(by == NULL))
		return (false);
	slot = &by->slots[ringchoice_home(key)]; /* where it nearly always is */
	if (PROBE_UNLIKELY(atomic_load_explicit(&slot->key,
			       memory_order_acquire) != key) &&
	    (slot = ringchoice_find(by, key)) == NULL)
		return (false);
	return ((atomic_load_explicit(&slot->off, memory_order_relaxed) &
		    UINT32_C(1) << CLASS_call) != 0);
}

/*
 * With the lock held: a name's number is given, and once more when others can
 * see it.
 */
void choice_name(uint32_t number, const char *text, size_t n, const char *file,
    size_t file_n);
/* With the lock held: there is a segment, which is not used yet. */
void choice_attached(struct attachment *);
/* With the lock held: a thread has a ring now, with its name. */
void choice_thread(struct thread *);
/* Its ring is live; or it has another name. */
void choice_thread_name(struct thread *);
/* The same, with a ring that has room: that it is muted, if it is. */
void choice_thread_says(struct thread *);

/* probe_mute() and the others, of the library that was loaded first */
void choice_mute(uint32_t classes, bool more);
void choice_stop(bool stops);

#endif
