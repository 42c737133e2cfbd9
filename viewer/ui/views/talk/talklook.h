/*
 * What is on its way at the instant that all views are of: messages, and calls
 * in their phases.
 */
#ifndef VIEWER_TALKLOOK_H
#define VIEWER_TALKLOOK_H

#include "ui/desk/ui.h"

enum now_kind {
	NOW_MESSAGE,
	NOW_SETUP,
	NOW_REMOTE,
	NOW_RETURN,
	NOW_KINDS
};
extern const char *const now_word[NOW_KINDS];

/* From the caller to the callee. */
struct now_item {
	enum now_kind kind;
	uint32_t from, to; /* lanes; UINT32_MAX: nobody knows yet */
	struct link link;  /* of REMOTE: from when it is served, no more */
};
struct now {
	struct now_item *item; /* by kind, then by when they began */
	size_t n, cap;
	uint32_t count[NOW_KINDS];
	bool more; /* than are here */
	int64_t t_ns;
};

/*
 * At t_mon_ns.  The caller frees w->item.  False: single links are not known
 * then.  Of what is open that has begun before, as much as flow_find_open() has
 * found.  Without memory there are fewer, and more is set.
 */
bool now_look(struct ui *, int64_t t_mon_ns, struct now *);

#endif
