/* What the modules of the core ask of each other; its state: run.h. */
#ifndef MONITORD_INSIDE_H
#define MONITORD_INSIDE_H

#include "core.h"
#include "listen.h"
#include "monitord/run/run.h"
#include "monitord/run/together.h"
#include "node.h"
#include "stream.h"

/* The first viewer is here: from now on there are pulses. */
void core_watched(struct monitord_core *);
/* Writes, syncs and acknowledges now; false while the disk takes nothing. */
bool core_commit_now(struct monitord_core *);
/*
 * Back-pressure: reading may have to stop or may go on.  Nodes that are ahead
 * of others are not read from while their window is used up; those that the
 * others wait for always are.
 */
void core_pressure(struct monitord_core *);
void core_pressure_of(struct node *);
/* Adds the orphans of blocks that were only looked over; once, at the end. */
void core_count_orphans(struct monitord_core *);
/* core_begin.c: opens the log and takes back what is in it. */
int core_open_log(struct monitord_core *, struct store_error *);
void core_free_maps(struct monitord_core *);

/* rest.c: something happens; ends the rest. */
void core_busy(struct monitord_core *);
/* Before anybody has come. */
void core_begin_at_rest(struct monitord_core *);
/* Once a second: the rest may begin. */
void core_may_rest(struct monitord_core *);

/* finish.c */
void finish_start(struct monitord_core *);
void finish_check(struct monitord_core *);
void finish_free(struct monitord_core *);

/* status.c: YAML; a string to be freed, NULL: ENOMEM. */
char *status_text(struct monitord_core *);
/* choice.c: what is recorded.  NULL: ENOMEM. */
struct run_choice *choice_new(const char *rules);
void choice_free(struct monitord_core *);
/* Of the last change. */
uint64_t choice_number(const struct monitord_core *);
/* It holds at all nodes that are here. */
bool choice_in_force(const struct monitord_core *, uint64_t number);
/* To one that is running. */
void choice_tell(struct node *);
/* It has said what is recorded there. */
int node_chosen(struct node *, const void *msg);
/* "reset", "later" and "for MS", and rules, a line each.  EX_OK, or another
 * with *why. */
int choice_change(struct monitord_core *, struct bytes arguments,
    const char **why);
/* The same in a sentence, for a viewer. */
#define CHOICE_SENTENCE 250
void choice_sentence(struct monitord_core *, char text[CHOICE_SENTENCE]);
/* YAML; a string to be freed, NULL: ENOMEM. */
char *choice_text(struct monitord_core *);
/* control.c: a node has obeyed, or has gone. */
void control_chosen(struct monitord_core *);
/* control.c: to all who wait for the end of the run */
void control_tell(struct monitord_core *, int code, bool more,
    const char *text);
void control_free_all(struct monitord_core *);

/* How a guest of each role is received.  0, or -1 when it was refused. */
int node_hello(struct monitord_core *, struct guest *,
    const struct msg_hello *);
int node_hello_clock(struct monitord_core *, struct guest *,
    const struct msg_hello *);
int stream_hello(struct monitord_core *, struct guest *,
    const struct msg_hello *);
int control_hello(struct monitord_core *, struct guest *,
    const struct msg_hello *);

#endif
