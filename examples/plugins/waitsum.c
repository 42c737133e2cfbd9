/*
 * A metric of your own: so many milliseconds each thread has waited for locks
 * and for messages together, longest first.  A number for each row is all that
 * a metric is; the viewer makes a table with bars of it.  The words lock and
 * message leave the other one out, so that two views may be of this one file:
 *
 *	cc -shared -fPIC -o waitsum.so waitsum.c
 *	viewer --plugin locks=waitsum.so,lock --plugin mail=waitsum.so,message
 *run.orr
 */
#include <orrery-plugin.h>
#include <stdlib.h>
#include <string.h>

static const char *const spans[] = { "wait_lock", "wait_message" };
static struct wait {
	int64_t since_ns, sum_ns[2]; /* since -1: it does not wait */
} * rows;
static uint32_t nrows;
static int only = -1; /* of spans; -1: both */

static struct wait *
row(uint32_t number)
{
	uint32_t n = nrows;

	if (number >= nrows) {
		nrows = 2 * number + 16;
		rows = realloc(rows, nrows * sizeof(*rows));
		if (rows == NULL)
			abort(); /* the viewer says so, and goes on */
		for (; n < nrows; n++)
			rows[n] = (struct wait){ -1, { 0, 0 } };
	}
	return (&rows[number]);
}

static void
event(void *self, const struct orrery_event *e)
{
	struct wait *w;
	int i = strcmp(e->span, spans[0]) == 0 ? 0 : 1;

	(void)self;
	if (strcmp(e->span, spans[i]) != 0)
		return;
	w = row(e->row->number);
	if (e->shape == ORRERY_END && w->since_ns != -1)
		w->sum_ns[i] += e->t_ns - w->since_ns;
	w->since_ns = e->shape == ORRERY_BEGIN ? e->t_ns : -1;
}

static int
metric(void *self, const struct orrery_row *r, const struct orrery_view *v,
    double *value)
{
	const int64_t *sum = row(r->number)->sum_ns;

	(void)self, (void)v;
	*value = (double)(only < 0 ? sum[0] + sum[1] : sum[only]) / 1e6;
	return (*value > 0 ? 0 : -1);
}

static void
said(void *self, const char *word)
{
	(void)self;
	only = strcmp(word, "lock") == 0 ? 0 : 1;
}

const struct orrery_plugin orrery_plugin = {
	.api = ORRERY_PLUGIN_API,
	.name = "Waits in all",
	.about = "how long each thread waited for locks and messages",
	.event = event,
	.metric = metric,
	.unit = "ms",
	.said = said,
};
