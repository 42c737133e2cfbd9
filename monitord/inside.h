/* The core's own state, shared by the modules of this folder that act on it. */
#ifndef MONITORD_INSIDE_H
#define MONITORD_INSIDE_H

#include <sys/queue.h>

#include "core.h"
#include "env.h"
#include "listen.h"
#include "message.h"
#include "monitord/order/reorder.h"
#include "monitord/registry/registry.h"
#include "monitord/store/store.h"
#include "node.h"
#include "stream.h"
#include "together.h"

enum core_state {
	CORE_RUNNING,
	CORE_FINISHING,
	CORE_FINISHED,
	CORE_STATES
};
extern const char *const core_state_name[CORE_STATES];

/* What monitord itself has to say in the log, until it is the time. */
struct core_note {
	uint16_t kind; /* EV_late ... */
	uint32_t c;
	uint64_t a, b;
};
#define CORE_NOTES      128u /* room for so many is kept */
/* at a time: one of each event that can have been held, and more */
#define CORE_NOTES_MAX  (4u << 20)
#define CORE_NOTES_KEPT 65536u

/* Of one clock of a node, from the log. */
struct core_map {
	struct clockmap map;
	uint64_t from, start;    /* of its collector: the first, and the last */
	int64_t told_node_ns;    /* latest event */
	struct core_map *before; /* that of the clock before; NULL: none */
};

/* Those that are not in the log yet. */
struct core_notes {
	struct core_note *note;
	size_t n, cap;
	uint64_t dropped;
};

struct core_timers {
	struct env_timer *tick, *commit, *second, *pulse;
	bool tick_set, commit_set;
};

struct core_clock {
	int64_t offset_ns; /* monitor clock less env's: after a reboot */
	int64_t start_ns;  /* monitor clock when this monitord began */
	bool rebooted;     /* the log is of another boot */
};

/* The end of the run. */
struct core_end {
	struct msg_receipt receipt; /* once finished */
	uint64_t log_end;           /* of the log, for viewers, then */
	struct finish *finish;      /* set while the run is being ended */
};

struct monitord_core {
	struct env *env;
	struct core_settings set;
	void (*ended)(void *arg, int code);
	void *ended_arg;

	enum core_state state;
	struct core_clock clock;
	bool c_is_name[EVENT_KINDS];
	bool kind_written[EVENT_KINDS];

	struct store *store;
	struct registry *registry;
	struct reorder *reorder;
	struct together *together; /* NULL: pings only */
	struct listen *listen;
	TAILQ_HEAD(, node) nodes;
	unsigned clocks; /* connected ones */
	TAILQ_HEAD(, stream) streams;
	TAILQ_HEAD(, control) controls;
	struct core_end end;
	struct core_map *maps; /* by node, from the log */
	size_t nmaps;
	struct buf scratch; /* of blocks that are read back */

	struct core_timers timers;
	bool paused;
	bool resting;
	int64_t busy_ns; /* monitor clock: when something last happened */

	struct core_notes notes;
	struct run_choice *choice;

	uint64_t orphans;
	uint64_t rate_events; /* events a second ago */
	uint32_t rate;
	int64_t watermark_ns; /* of the reorderer, INT64_MIN: none */
};

/* Monitor clock. */
int64_t core_now(const struct monitord_core *);
int64_t core_mon(const struct monitord_core *, int64_t env_ns);
/* Something was pushed or told: have the reorderer look soon. */
void core_kick(struct monitord_core *);
/* The first viewer is here: from now on there are pulses. */
void core_watched(struct monitord_core *);
/* Something waits for a commit. */
void core_commit_soon(struct monitord_core *);
/* Writes, syncs and acknowledges now; false while the disk takes nothing. */
bool core_commit_now(struct monitord_core *);
/*
 * Back-pressure: reading may have to stop or may go on.  Nodes that are ahead
 * of others are not read from while their window is used up; those that the
 * others wait for always are.
 */
void core_pressure(struct monitord_core *);
void core_pressure_of(struct node *);
struct node *core_node(struct monitord_core *, const char *name);
/* Adds the orphans of blocks that were only looked over; once, at the end. */
void core_count_orphans(struct monitord_core *);
struct node *core_node_by_number(struct monitord_core *, uint32_t number);

/* core_log.c; arg is the core: puts a definition into the log. */
void core_define(void *arg, enum msg_type, const void *msg);
/* What the reorderer calls. */
reorder_emit core_emitted;
reorder_stall core_stalled;
reorder_found core_found;
reorder_doubt core_doubted;
int core_notes_new(struct monitord_core *); /* -1: ENOMEM */
/* An event of monitord's own, at the present place of the log. */
void core_say(struct monitord_core *, uint16_t kind, uint32_t c, uint64_t a,
    uint64_t b);
/* Writes what was said, and who was late. */
void core_say_all(struct monitord_core *);

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
