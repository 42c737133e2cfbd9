/* Kinds of faults: their names, how often they come, whom they strike. */
#include "fault.h"

#include <math.h>
#include <string.h>

const char *const fault_name[FAULTS] = {
	[FAULT_PROGRAM_KILL] = "program killed",
	[FAULT_PROGRAM_STOP] = "program stopped",
	[FAULT_COLLECTOR_KILL] = "collector killed",
	[FAULT_COLLECTOR_STOP] = "collector stopped",
	[FAULT_MONITORD_KILL] = "monitord killed",
	[FAULT_MONITORD_STOP] = "monitord stopped",
	[FAULT_POWER] = "power lost",
	[FAULT_CUT] = "cut off",
	[FAULT_RESET] = "connection reset",
	[FAULT_STEP] = "clock steps",
	[FAULT_SLEW] = "clock slewed",
	[FAULT_SUSPEND] = "suspended",
	[FAULT_REBOOT] = "another clock",
	[FAULT_DISK_FULL] = "disk full",
	[FAULT_DISK_ERROR] = "disk broken",
	[FAULT_PREEMPT] = "thread preempted",
	[FAULT_LOSS] = "packet lost",
	[FAULT_DELAY] = "packet delayed",
	[FAULT_DUPLICATE] = "packet duplicated",
	[FAULT_TRUNCATE] = "packet truncated",
	[FAULT_FLIP] = "bit flipped on the wire",
	[FAULT_SHORT_WRITE] = "short write",
	[FAULT_SYNC] = "sync failed",
	[FAULT_READ_ERROR] = "read failed",
	[FAULT_READ_FLIP] = "bit flipped on disk",
	[FAULT_SLOW_DISK] = "disk slow",
	[FAULT_NO_MEMORY] = "out of memory",
	[FAULT_CRASH] = "killed amid its work",
	[FAULT_OVERTAKE] = "connection overtaken",
	[FAULT_RACE] = "programs overtake",
	[FAULT_DROP] = "batch swallowed",
};

/* Of single operations, on the mean over the seeds. */
static const double usual_rate[FAULTS] = {
	[FAULT_PREEMPT] = 0.002,
	[FAULT_LOSS] = 0.003,
	[FAULT_DELAY] = 0.005,
	[FAULT_DUPLICATE] = 0.005,
	[FAULT_TRUNCATE] = 0.001,
	[FAULT_FLIP] = 0.001,
	[FAULT_SHORT_WRITE] = 0.01,
	[FAULT_SYNC] = 0.03,
	[FAULT_READ_ERROR] = 0.02,
	[FAULT_READ_FLIP] = 0.02,
	[FAULT_SLOW_DISK] = 0.01,
	[FAULT_NO_MEMORY] = 2e-4,
	[FAULT_CRASH] = 0.01,
	[FAULT_OVERTAKE] = 0.003,
	[FAULT_RACE] = 0.01,
	[FAULT_DROP] = 0.005,
};

static void
skip_draw(struct faults *f, enum fault k)
{
	double u = 1 - chance_unit(&f->chance[k]);

	f->skip[k] = (uint64_t)(log(u) / log(1 - f->rate[k]));
}

void
faults_init(struct faults *f, struct chance *c, unsigned kinds, int64_t from_ns,
    int64_t until_ns, int64_t gap_ns)
{
	unsigned timed = 0;

	memset(f, 0, sizeof(*f));
	f->kinds = kinds;
	f->from_ns = from_ns;
	f->until_ns = until_ns;
	for (unsigned k = 0; k < FAULTS; k++) {
		f->chance[k] = chance_fork(c);
		if (k < FAULTS_TIMED) {
			timed += kinds >> k & 1;
			continue;
		}
		f->rate[k] = usual_rate[k] *
			     exp((2 * chance_unit(&f->chance[k]) - 1) * 1.2);
		skip_draw(f, k);
	}
	f->mean_ns = (double)gap_ns * (timed > 0 ? timed : 1);
}

void
faults_often(struct faults *f, enum fault k, double times, double most)
{
	f->until_ns = INT64_MAX;
	f->rate[k] = fmin(f->rate[k] * times, most);
	skip_draw(f, k);
}

int64_t
fault_wait(struct faults *f, enum fault k)
{
	return ((int64_t)chance_exp(&f->chance[k], f->mean_ns));
}

bool
fault_strikes(struct faults *f, enum fault k, int64_t now_ns)
{
	if ((f->kinds >> k & 1) == 0 || now_ns < f->from_ns ||
	    now_ns >= f->until_ns)
		return (false);
	if (f->skip[k] > 0) {
		f->skip[k]--;
		return (false);
	}
	skip_draw(f, k);
	f->count[k]++;
	return (true);
}
