/* What core*.c share; nobody else includes this. */
#ifndef COLLECTOR_CORE_INSIDE_H
#define COLLECTOR_CORE_INSIDE_H

#include "choice.h"
#include "collector/sweep/measured/sampler.h"
#include "core.h"
#include "uplink.h"

enum core_state {
	CORE_RUNNING,
	CORE_PAUSING, /* the masks are clear, events may be under way */
	CORE_SENDING, /* all is taken */
	CORE_STOPPED,
};

/* What is recorded here, by monitord's word (core_choice.c). */
struct core_chosen {
	uint64_t number; /* of the change in the run; 0: none */
	struct choice rules;
};

struct collector_core {
	struct env *env;
	const struct collector_ops *ops;
	void *arg;
	char name[256], monitord[256];
	struct collector_options opt;
	struct spool *spool;
	struct ident *ident;
	struct batch_writer *writer;
	struct drain *drain;
	struct sampler *sampler;
	struct sched *sched;
	struct uplink *uplink;
	struct clocklink *clock;
	struct env_timer *tick;
	struct buf frame; /* a batch that waits for room in the spool */
	bool blocked;
	bool short_of_memory; /* for the frame, and it has been said */
	bool missing;         /* POs that may still be found */
	enum core_state state;
	bool stopping, finishing; /* why we pause */
	bool leaving;             /* monitord waits for our farewell */
	int64_t state_ns;         /* since when */
	int64_t linked_ns;        /* when monitord was last there */
	int64_t now_ns, flushed_ns, checked_ns;
	int64_t told_ns; /* watermark of all that is in the spool */
	unsigned idle;
	bool resting;        /* nobody waits for heartbeats */
	unsigned eager;      /* so many are due at once */
	uint64_t asked;      /* places that somebody is finding out about */
	int64_t answered_ns; /* when the last answer came */
	struct uplink_absent absent, absent_before; /* ever; before this run */
	uint64_t no_run; /* from this batch on they are of no run we know */
	uint32_t node;
	struct core_chosen choice;
};

/* Somebody may wait for a heartbeat; without monitord, for so long. */
#define CORE_LINGER_NS (5 * ENV_SEC)
static inline bool
core_waited_for(const struct collector_core *co)
{
	return (!co->resting && co->now_ns - co->linked_ns < CORE_LINGER_NS);
}

/* core.c: the next tick. */
void core_schedule(struct collector_core *, int64_t delay_ns);
/* Reads the clocks: now_ns, and what the drain converts by. */
void core_clocks(struct collector_core *);
/* Takes what the last look saw, to its end.  -1: blocked. */
int core_flush(struct collector_core *);

/* core_code.c: asks for what is new; looks at POs with code that is not known
 */
void core_code_ask(struct collector_core *);
void core_code_look(struct collector_core *);
/* Answers are due, and may still come. */
bool core_code_waits(const struct collector_core *);

/* core_choice.c: takes up what an earlier one of us knew. */
void core_choice_load(struct collector_core *);
/* Of a PO that has just come. */
void core_choose(struct collector_core *, struct drain_po *);
/* monitord says so; arg is the core. */
void core_choice_set(void *arg, const struct msg_choose *);
/* A session begins; another run does; events are taken again; once a second. */
void core_choice_welcome(struct collector_core *);
void core_choice_forget(struct collector_core *);
void core_choice_resume(struct collector_core *);
void core_choice_second(struct collector_core *);
/* Events are taken now. */
bool core_takes(const struct collector_core *);

/* core_run.c: one tick in these states. */
void core_pausing(struct collector_core *);
void core_sending(struct collector_core *);
/* What monitord says of the run; arg is the core. */
extern const struct uplink_ops core_uplink_ops;

#endif
