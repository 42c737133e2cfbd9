/*
 * The state of a run, on which all modules of monitord's core act: its clock,
 * its nodes, its timers, its words in the log.
 */
#ifndef MONITORD_RUN_H
#define MONITORD_RUN_H

#include <sys/queue.h>

#include "clockmap.h"
#include "env.h"
#include "frame.h"
#include "message.h"
#include "monitord/order/reorder.h"
#include "monitord/registry/registry.h"
#include "monitord/run/nodes.h"
#include "monitord/run/settings.h"
#include "monitord/store/store.h"

struct control;
struct finish;
struct listen;
struct run_choice;
struct stream;
struct together;

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
/* Something waits for a commit. */
void core_commit_soon(struct monitord_core *);
struct node *core_node(struct monitord_core *, const char *name);
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

#endif
