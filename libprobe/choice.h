/* What is recorded: by class, name and thread; the part that is not inlined. */
#ifndef LIBPROBE_CHOICE_H
#define LIBPROBE_CHOICE_H

#include "internal.h"

/*
 * Is this event of this thread recorded?  Asked for each one on the slow path,
 * once: it notes what begins and ends.  Safe in handlers.
 */
bool choice_wants(struct thread *, uint32_t kind, uint32_t c, uint64_t a);
/* The same of a thread that has no ring. */
bool choice_wants_ever(uint32_t kind);

/* Calls of the function at this address are left out. */
bool choice_function(const void *address);

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
