/*
 * What the user has said of a run by hand: other names of rows and functions,
 * and rows that are put together.  A group is a lane, too, without a place in
 * the log: its number is HAND_LANE or more, and what it did is what its members
 * did.  The objects of a class are such a group by themselves.
 *
 * It is the user's, not the model's: model_set_hand() tells the model of it,
 * and it must live as long as somebody asks.  UI thread, and those that draw
 * for it while it waits.
 */
#ifndef VIEWER_HAND_H
#define VIEWER_HAND_H

#include "model/run/run.h"

#define HAND_NAME        64 /* bytes of a name, with its end */
#define HAND_NAMES_MAX   1000
#define HAND_GROUPS_MAX  512 /* classes are half of them at most */
#define HAND_MEMBERS_MAX 10000
#define HAND_LANE        0xff000000u

struct hand_name {
	uint32_t of; /* a lane, or number of a name */
	char text[HAND_NAME];
};
struct hand_names {
	struct hand_name *name; /* in order of of; owned */
	uint32_t n, cap;
};

struct hand_group {
	struct lane pub; /* LANE_GROUP; id is its number */
	char name[HAND_NAME];
	uint32_t class;   /* name number of a class of objects; 0: by hand */
	uint32_t *member; /* lanes, each greater than the one before; owned.
			   * Some may not be there yet */
	uint32_t n, cap;
	uint8_t flags; /* TIMELINE_FOLDED ... */
};

struct hand {
	struct hand_names rows, functions;
	struct hand_group *group[HAND_GROUPS_MAX]; /* owned; NULL: free */
	uint32_t ngroups, nclasses; /* places in use; classes among them */
	uint32_t *class_of;         /* by name number: its group; owned */
	uint32_t class_cap;
	uint32_t seen;    /* lanes that were looked at for classes */
	uint64_t version; /* grows with each change */
	uint64_t members; /* with each of who is in which group */
};

struct hand *hand_new(void);     /* NULL: ENOMEM */
void hand_clear(struct hand *);  /* all that is by hand */
void hand_forget(struct hand *); /* classes: of another model than before */
void hand_free(struct hand *);   /* NULL is fine */

/* Another name, or with "" none.  -1: there are too many, or ENOMEM. */
int hand_call(struct hand *, struct hand_names *, uint32_t of,
    const char *text);
const char *hand_called(const struct hand_names *, uint32_t of); /* or NULL */

/* NULL: no such group; of any number. */
struct hand_group *hand_group(const struct hand *, uint32_t lane);
/* By its name; classes after those by hand. */
struct hand_group *hand_find(const struct hand *, const char *name);
/* The group by hand that a lane itself is in; NULL: in none.  O(groups). */
struct hand_group *hand_of(const struct hand *, uint32_t lane);
/* An empty one; class 0: by hand.  NULL: too many, or ENOMEM. */
struct hand_group *hand_make(struct hand *, const char *name, uint32_t class);
/* Into this group, and out of the one that it was in.  -1: as above. */
int hand_join(struct hand *, struct hand_group *, uint32_t lane);
/* Out of its group, which is gone with its last one. */
void hand_leave(struct hand *, uint32_t lane);
void hand_dissolve(struct hand *, struct hand_group *);
/* Objects that are new go to their classes. */
void hand_classes(struct hand *, const struct model *);
/*
 * The group of a class that has a heading of its own: there are other classes,
 * and more than one object is in it.  NULL: it has not.
 */
struct hand_group *hand_class(const struct hand *, uint32_t name);

/* NULL: none; it is not the model's. */
void model_set_hand(struct model *, struct hand *);
struct hand *model_hand(const struct model *);
/* Is there a lane, or group, of this number? */
bool model_lane_there(const struct model *, uint32_t lane);
/*
 * Member i of a group that is there: a lane; UINT32_MAX: no more, or it is no
 * group.
 */
uint32_t model_group_member(const struct model *, uint32_t group, uint32_t i);
/* It is this row, below it, or a member of this group or below one. */
bool model_lane_within(const struct model *, uint32_t lane, uint32_t of);
/* Who is in which group: another number when that is changed. */
uint64_t model_group_version(const struct model *, uint32_t group);

#endif
