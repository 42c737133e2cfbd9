/* See picture.h: the diagram there is all that happens here. */
#include "ui/desk/picture.h"

#include <assert.h>

void
picture_changed(struct picture *p)
{
	if (p->state == PICTURE_RIGHT)
		p->state = PICTURE_CHANGED;
}

void
picture_awaited(struct picture *p)
{
	if (p->state == PICTURE_CHANGED)
		p->state = PICTURE_AWAITED;
}

void
picture_lost(struct picture *p)
{
	p->lost = true;
	picture_changed(p);
}

enum picture_state
picture_kind(const struct picture *p, bool going_on, bool whole)
{
	if (!going_on && p->state != PICTURE_AWAITED)
		return (PICTURE_FULL);
	return (whole ? PICTURE_ANSWER : PICTURE_HASTY);
}

void
picture_begin(struct picture *p, enum picture_state kind)
{
	assert(kind >= PICTURE_FULL && kind < PICTURE_STATES);
	p->state = kind;
	p->undone = false;
}

void
picture_stopped(struct picture *p)
{
	p->state = PICTURE_CHANGED;
}

void
picture_end(struct picture *p)
{
	p->state = p->undone ? PICTURE_CHANGED : PICTURE_RIGHT;
	p->frame++;
}

bool
picture_due(const struct picture *p)
{
	return (p->state == PICTURE_CHANGED || p->state == PICTURE_AWAITED);
}

bool
picture_drawn(const struct picture *p)
{
	return (p->state >= PICTURE_FULL);
}

bool
picture_answers(const struct picture *p)
{
	return (p->state == PICTURE_ANSWER || p->state == PICTURE_HASTY);
}

bool
picture_hasty(const struct picture *p)
{
	return (p->state == PICTURE_AWAITED || p->state == PICTURE_HASTY);
}
