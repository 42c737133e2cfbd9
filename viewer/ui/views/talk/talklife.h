/* Which POs, nodes or threads are made, alive or over at an instant. */
#ifndef VIEWER_TALKLIFE_H
#define VIEWER_TALKLIFE_H

#include "ui/traffic/talk.h"

enum life {
	LIFE_NONE,  /* nothing has been said of it yet */
	LIFE_MADE,  /* from its creation or its process's begin on */
	LIFE_ALIVE, /* from its first event on */
	LIFE_ENDED, /* all of it */
	LIVES
};
extern const char *const life_word[LIVES];

/* enum life of each row at t; to be freed.  NULL: ENOMEM. */
uint8_t *lives_of(const struct ui *, const struct talk_groups *,
    int64_t t_mon_ns);

#endif
