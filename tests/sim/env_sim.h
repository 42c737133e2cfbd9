/*
 * struct env on virtual time: many machines in one process, everything from
 * one seed.
 *
 * A machine has a clock and a disk.  A process on it has an env; it can be
 * killed (its files stay as they are, as in a page cache), stopped for a while,
 * and started anew.  When a machine loses power, what was not synced may be
 * gone, torn or there.  Paths between machines delay, jitter and can be cut;
 * what was sent arrives in order or not at all, as with TCP.
 */
#ifndef TESTS_SIM_ENV_SIM_H
#define TESTS_SIM_ENV_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "env.h"
#include "tests/sim/fault.h"
#include "tests/sim/model.h"

struct sim;
struct sim_machine;

struct sim *sim_new(uint64_t seed, const struct path_kind *);
/* To machines that are made from now on. */
void sim_path(struct sim *, const struct path_kind *);
void sim_free(struct sim *);         /* and all that is in it */
int64_t sim_now(const struct sim *); /* true time */
struct chance *sim_chance(struct sim *);
struct faults *sim_faults(struct sim *); /* to be set up; at first none */
/* Is the operation that happens now struck by this fault? */
bool sim_strikes(struct sim *, enum fault);
/*
 * The code under test has called fatal() or fatalx(): called back with its
 * env, which is dead, and whatever it owned cannot be freed any more.
 */
void sim_on_fatal(struct sim *, void (*cb)(void *, struct env *), void *arg);
/*
 * Everything that a process sends, before anything happens to it.  mark_ns is
 * the listener's, one for each end of a connection, at first INT64_MIN.
 */
typedef void sim_sent(void *arg, struct env *from, int64_t *mark_ns,
    const void *data, size_t n);
void sim_on_send(struct sim *, sim_sent *, void *arg);
/* Runs cb for a process from outside the loop; false: it ended in fatal(). */
bool sim_inside(struct env *, void (*cb)(void *), void *arg);

/* Calls back at a true time; env: only while it lives and runs, or NULL. */
void sim_at(struct sim *, int64_t at_ns, struct env *, void (*cb)(void *),
    void *arg);
/* The same for a program, which goes on while code under test runs. */
void sim_at_program(struct sim *, int64_t at_ns, void (*cb)(void *), void *arg);
/* Runs until then; false when nothing is left to do. */
bool sim_run(struct sim *, int64_t until_ns);

struct sim_machine *sim_machine_new(struct sim *, const char *name,
    const struct clock_kind *);
int64_t sim_machine_clock(struct sim_machine *);
void sim_machine_step(struct sim_machine *, int64_t by_ns);
/* Its processes are dead: those that come see another boot. */
void sim_machine_reboot(struct sim_machine *);
/* Runs fast by so much for a while. */
void sim_machine_slew(struct sim_machine *, double ppm, int64_t for_ns);
/* What is not synced may be lost here: takes time, so only where it can. */
void sim_machine_careful(struct sim_machine *);
/* Writes fail with this errno from now on; 0: they work again. */
void sim_machine_disk(struct sim_machine *, int error);
/* All processes are dead already. */
void sim_machine_power_loss(struct sim_machine *);
/* Contents of a file, or NULL. */
const void *sim_machine_file(struct sim_machine *, const char *path, size_t *n);
/* Nothing passes between the two before that. */
void sim_cut(struct sim *, struct sim_machine *, struct sim_machine *,
    int64_t until_ns);

struct env *sim_process(struct sim_machine *);
/*
 * SIGKILL.  The env does nothing from now on, so that what stands on it can
 * be freed; it is itself freed with the sim.
 */
void sim_kill(struct env *);
void sim_exit(struct env *); /* of its own accord: what it sent arrives */
void sim_pause(struct env *, int64_t until_ns); /* SIGSTOP */
/* Resets one of its connections; false: it has none. */
bool sim_reset(struct env *);

#endif
