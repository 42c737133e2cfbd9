/* What the parts of a simulated run share. */
#ifndef TESTS_SIM_WORLD_INSIDE_H
#define TESTS_SIM_WORLD_INSIDE_H

#include "collector/core.h"
#include "monitord/core.h"
#include "tests/sim/app.h"
#include "tests/sim/env_sim.h"
#include "tests/sim/world.h"

#define LOG_PATH     "/run.orr"
#define DISTURBED_NS (2500 * ENV_MS)  /* a step is found and corrected */
#define CLOCK_ORIGIN (3600 * ENV_SEC) /* of sim_machine_clock() */

struct unattached;
struct host;
struct program {
	struct program *next; /* of the strays */
	struct host *host;
	struct app app;
	struct drain_po *dp;
	uint32_t pid; /* that it asks its collector under */
};

struct host {
	struct world *w;
	char name[24];
	struct sim_machine *machine;
	struct chance chance;
	struct env *env; /* NULL: the collector is dead */
	struct collector_core *core;
	struct program **programs; /* most of them one after another */
	unsigned programs_n;
	struct program *strays; /* that their collector had no memory for */
	int64_t every_ns;       /* between events of a thread */
	bool awaited;           /* a program is to come yet */
	bool done;              /* the collector has stopped in good order */
	bool dying;             /* what it frees now it would not have freed */
	int64_t disturbed_ns;   /* when its clock was last, INT64_MIN: never */
	int64_t asleep_ns;      /* suspended for so long */
	int64_t asleep_clock_ns;
	bool set_back;        /* its clock has shown a time twice */
	bool going_down;      /* its programs have ended, it will be booted */
	unsigned clocks;      /* that it has had before this one */
	unsigned pongs;       /* of this start of the collector */
	unsigned collectors;  /* that it has had */
	uint32_t processes;   /* that have asked them */
	uint32_t asks_again;  /* one that was turned away; 0: none */
	unsigned turned_away; /* in all */
	unsigned after_end;   /* of these, after its collector's last word */
	struct unattached *absent; /* NULL: none; of this collector */
	bool told_last;
	bool measured; /* the present clock, in a start that is over */
};

/* What settled clocks must keep to; 0: nothing is promised. */
struct clock_promise {
	double outside; /* at most such a share beyond its bound; any state */
	double p99_ns, worst_ns; /* of the errors */
};

/* What a seed is like. */
struct profile {
	size_t nodes;
	unsigned programs;      /* of a node at a time, 0: one */
	unsigned programs_most; /* of a node, in all; 0: as usual */
	int64_t life_ns; /* of a program, on the mean; 0: until the end */
	uint32_t
	    names; /* of a program, at most; 0: few; a child has its parent's */
	int64_t run_ns, gap_ns; /* of timed faults */
	int64_t every_ns;       /* between events of a thread, on the mean */
	unsigned kinds;         /* of faults */
	bool viewer;            /* somebody looks on */
	bool control;           /* and somebody ends it from outside */
	bool prompt;            /* messages are taken when they come */
	/* from then on nobody sends, and events are rarer; 0: never */
	int64_t silent_from_ns, silent_every_ns;
	int64_t stop_ns;    /* stops last so long at least; 0: briefly */
	double relay_times; /* a relay repeats so much more often; 0: none */
	bool hurried;       /* it is ended before all has come to rest */
	bool calm;          /* no faults: nothing may be late */
	struct clock_promise promise;
	struct clock_kind clock;
	struct path_kind path;
};

struct world {
	const struct world_options *o;
	struct world_result *r;
	struct profile p;
	struct sim *sim;
	struct chance chance;
	struct host *hosts;
	size_t hosts_n;
	const char **names; /* of the hosts */
	struct crowd crowd;
	struct sim_machine *center;
	struct env *env; /* NULL: monitord is dead */
	struct monitord_core *core;
	unsigned starts; /* of monitord */
	int64_t gone_ns; /* when it was last there */
	int ended;       /* its code, or -1 */
	bool peace;
	struct guest *viewer, *control; /* NULL: none comes */
};

/* Takes note of the first thing that is wrong. */
void wrong(struct world *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void tell(const struct world *, const char *what, const char *who);

/* profile.c: what kind of a world a seed makes. */
void profile_of(struct profile *, const struct world_options *);

/* host.c: collectors and their programs. */
void host_make(struct host *, struct world *, size_t i);
void host_kill(struct host *);
/*
 * Ends its programs in good order; when all that they did is in the spool, the
 * node comes back with a clock that is ahead by so much: booted, or, with the
 * same boot, set while nobody watched.
 */
void host_reclock(struct host *, int64_t by_ns, bool boots);
/*
 * The clock that it has now is in the log.  One that is gone before it was
 * measured has no map, and no time of it is promised to be right.  Without a
 * boot nobody can tell which clock an unmeasured start had.
 */
bool host_may_reclock(struct host *, bool boots);
void host_fatal(struct host *);
void host_peace(struct host *);
void host_free(struct host *);
struct program *host_program(struct host *); /* a running one, or NULL */
void program_kill(struct program *);

/*
 * absent.c: a collector has begun; the number of the next process; a program
 * was turned away, was taken in; whether the receipt has them.
 */
void absent_anew(struct host *);
/* It says that it has finished: what comes later need not be counted. */
void absent_told_last(struct host *);
uint32_t absent_process(struct host *);
void absent_add(struct program *, int error);
void absent_served(struct program *);
void absent_check(struct world *, uint64_t receipt);

/* mischief.c: timed faults, until there is peace. */
void mischief_start(struct world *);

/* world.c, for mischief.c */
void monitord_kill(struct world *, bool power);

/* check.c: the log against what the programs know that they have done. */
void check_log(struct world *);
/* Events that programs had no room for. */
uint64_t programs_lost(const struct world *);

/* growing.c: the log so far, when monitord dies, and before the run ends. */
void check_growing(struct world *);

/* wire.c: what collectors send; for sim_on_send(). */
void wire_sent(void *arg, struct env *from, int64_t *promised_ns,
    const void *data, size_t n);

#endif
