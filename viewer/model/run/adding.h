/*
 * What those rooms need that add to a run what has happened; writer only unless
 * said otherwise.
 */
#ifndef VIEWER_RUN_ADDING_H
#define VIEWER_RUN_ADDING_H

#include "model/run/take.h"

/* odd.c: as far as the log has been read, see tracefile_number_max(). */
bool number_is_possible(const struct model *, uint32_t number);

/* marks.c */
void loss_add(struct model *, int64_t t0_ns, int64_t t1_ns);

/* functions.c: NULL: it has no name, or ENOMEM. */
struct function *function_of(struct model *, uint8_t kind, uint32_t name);
struct function *function_of_state(struct model *, uint16_t state, uint8_t kind,
    uint32_t name);
void functions_forget(struct location *);
/* A task is suspended (by 1), or is not any more after so long (-1). */
void function_asleep(struct model *, uint32_t name, int by, int64_t since_ns,
    int64_t ns);

/* A span begins; one goes on; one goes on again that was suspended. */
enum fresh {
	GOES_ON,
	BEGINS,
	COMES_BACK
};

/* tables.c */
void stats_talk(struct model *, const struct talk_pair *); /* one of them */

#endif
