/*
 * Which PO has made a process, as far as that can be known on its node: what
 * its process was before it became another program, else what its parent is.
 *
 * One whose parent has ended is another's child by then: of process 1, or of
 * one that has asked for orphans (PR_SET_CHILD_SUBREAPER).  So process 1 is
 * nobody's creator.
 */
#include <stdio.h>

#include "attach_inside.h"

/* 0: not known. */
static uint32_t
parent_of(uint32_t pid)
{
	char text[HELD_STAT], *at = held_stat(pid, text);
	unsigned parent = 0;

	if (at == NULL || sscanf(at, "%*c %u", &parent) != 1)
		return (0);
	return (parent);
}

/* The last that this process is or was, but for one; NULL: none. */
static const struct held *
last_of(const struct attach *at, uint32_t pid, const struct held *but)
{
	const struct held *h = at->held; /* the newest is the first */

	while (h != NULL &&
	       (h == but || h->m.pid != pid || h->dp == NULL || !held_alive(h)))
		h = h->next;
	return (h);
}

uint32_t
attach_creator(const struct attach *at, const struct held *h)
{
	const struct held *by = last_of(at, h->m.pid, h);
	uint32_t pid;

	if (by != NULL) /* one that has made no event has asked again */
		return (atomic_load(&by->seg->taken) != 0 ? by->m.po
							  : by->m.parent);
	pid = parent_of(h->m.pid);
	by = pid > 1 && held_alive(h) ? last_of(at, pid, h) : NULL;
	return (by == NULL ? 0 : by->m.po);
}
