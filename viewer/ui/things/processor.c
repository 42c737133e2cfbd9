/* On which processor a thread was, in words. */
#include <inttypes.h>
#include <stdio.h>

#include "model/measured/scheds.h"
#include "ui/desk/desk.h"

char *
processor_words(const struct ui *ui, uint32_t lane, int64_t t0, int64_t t1,
    char *buf, size_t n)
{
	const struct lane *l = model_lane(ui->model, lane);
	uint32_t sched = model_sched_of(ui->model,
		     l->kind == LANE_DEPTH ? l->parent : lane),
		 moves;
	struct sched_on a, b;

	buf[0] = '\0';
	if (sched == UINT32_MAX || t1 <= t0)
		return (buf);
	model_sched_on(ui->model, sched, t0, &a);
	model_sched_on(ui->model, sched, t1 - 1, &b);
	moves = b.moves - a.moves;
	if (b.cpu == SCHED_NO_CPU)
		return (buf);
	if (a.cpu == SCHED_NO_CPU && moves == 0)
		snprintf(buf, n, "%" PRIu32, b.cpu);
	else if (a.cpu == SCHED_NO_CPU)
		snprintf(buf, n, "%" PRIu32 " after %" PRIu32 " moves", b.cpu,
		    moves);
	else if (moves == 0)
		snprintf(buf, n, "%" PRIu32, a.cpu);
	else if (moves == 1)
		snprintf(buf, n, "%" PRIu32 ", then %" PRIu32, a.cpu, b.cpu);
	else
		snprintf(buf, n,
		    "%" PRIu32 ", then %" PRIu32 " after %" PRIu32 " moves",
		    a.cpu, b.cpu, moves);
	return (buf);
}
