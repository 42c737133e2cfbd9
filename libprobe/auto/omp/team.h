/*
 * OpenMP as events: regions are blocks, what each thread does in one is a
 * member's share and a task (the implicit one), tasks are tasks.  Runtimes tell
 * it differently (omp.c, gomp.c); what they tell is the same.
 *
 * All of it is called by the thread that it is about.  NULL for a task or team
 * is fine: memory was out, and nothing is told of it.
 */
#ifndef LIBPROBE_AUTO_TEAM_H
#define LIBPROBE_AUTO_TEAM_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of tasks; the last that was put in comes out first. */
struct team_ids {
	struct team_block *top;
	uint32_t n;
};

/* A region that is being worked on. */
struct team {
	uint64_t id;
	uint32_t name;
	uint32_t width; /* as its members say */
	uint64_t parent;
	const void *at; /* in the code */
};

struct team_task {
	uint64_t id, team; /* of an implicit one its region's */
	uint32_t name, index, width;
	const void *region; /* of an implicit one, where that is in the code */
	uint32_t barriers;  /* so far */
	uint32_t group;     /* tasks that were there before a taskgroup */
	bool live, implicit, begun, over, asleep, waiting, awaited;
	struct team_ids made; /* and not joined yet */
	struct team_ids lacks;
};

/* "task prog+0x1139": made there in the code. */
uint32_t team_name(const char *what, const void *at);

/* A region; its maker waits for it.  width: how many it asks for. */
struct team *team_begin(struct team_task *by, uint32_t width, const void *at);
void team_end(struct team *, struct team_task *by);
/* The implicit task of a member; of the program itself without a team. */
struct team_task *team_join(struct team *, uint32_t index, uint32_t width);
/* It has done its share. */
void team_leave(struct team_task *);
void team_barrier(struct team_task *, bool begin);

/* A task is made by another one, which may be NULL. */
struct team_task *team_task_new(struct team_task *by, const void *at);
/* It gets a processing element, for the first time or again. */
void team_task_run(struct team_task *);
/* It gives it up for others. */
void team_task_yield(struct team_task *);
void team_task_end(struct team_task *);
void team_task_free(struct team_task *);
/* It waits for what it has made, and has got it. */
void team_task_wait(struct team_task *);
void team_task_waited(struct team_task *);
void team_group(struct team_task *, bool begin);
/* It may not begin before another one, that others wait for, has ended. */
void team_task_after(struct team_task *, const struct team_task *first);

#endif
