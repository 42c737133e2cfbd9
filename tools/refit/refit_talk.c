/*
 * Windows of half a second; each is solved for when the next four are known
 * as well.
 */
#include "refit_talk.h"

#include <stdlib.h>

#include "common/clock/tighten.h"

#define WINDOW_NS INT64_C(500000000)
#define WINDOWS   4               /* of the future */
#define REST_NS   (8 * WINDOW_NS) /* after so long without any */

struct refit_talk {
	struct refit_clock *clocks;
	size_t n;
	struct tighten *tighten;
	int64_t end_ns; /* of the present window */
	bool any;
};

/* Tells of the clocks as they were at this time. */
static int
tell(struct refit_talk *t, int64_t at_mon_ns)
{
	struct clock_line line;
	uint32_t epoch;
	double beta;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct refit_clock *c = &t->clocks[i];

		if (c->map.n == 0 ||
		    !refit_clock_line(c, clockmap_node(&c->map, at_mon_ns),
			&line, &beta, &epoch))
			continue;
		if (tighten_node(t->tighten, i, &line, beta, epoch, &c->map) ==
		    -1)
			return (-1);
	}
	return (0);
}

static int
solve(struct refit_talk *t)
{
	int64_t at = t->end_ns - WINDOWS * WINDOW_NS;
	struct tighten_says says;

	if (tell(t, at) == -1)
		return (-1);
	tighten_solve(t->tighten, at);
	for (uint32_t i = 0; i < t->n; i++) {
		if (tighten_says(t->tighten, i, &says) &&
		    refit_clock_tighten(&t->clocks[i], &says.aim,
			says.error_ns) == -1)
			return (-1);
	}
	t->end_ns += WINDOW_NS;
	return (0);
}

struct refit_talk *
refit_talk_new(struct refit_clock *clocks, size_t n)
{
	struct refit_talk *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return (NULL);
	t->clocks = clocks;
	t->n = n;
	t->tighten = tighten_new();
	if (t->tighten == NULL) {
		free(t);
		return (NULL);
	}
	return (t);
}

void
refit_talk_free(struct refit_talk *t)
{
	if (t == NULL)
		return;
	tighten_free(t->tighten);
	free(t);
}

int
refit_talk_message(struct refit_talk *t, uint32_t from, uint32_t to,
    int64_t sent_mon_ns, int64_t taken_mon_ns)
{
	if (!t->any) {
		t->any = true;
		t->end_ns = taken_mon_ns + WINDOW_NS;
		if (tell(t, taken_mon_ns) == -1)
			return (-1);
	}
	if (taken_mon_ns - t->end_ns > REST_NS) {
		for (int i = 0; i < WINDOWS; i++)
			if (solve(t) == -1)
				return (-1);
		t->end_ns = taken_mon_ns + WINDOW_NS;
	}
	while (taken_mon_ns >= t->end_ns)
		if (solve(t) == -1)
			return (-1);
	tighten_message(t->tighten, from, to, sent_mon_ns, taken_mon_ns);
	return (0);
}

int
refit_talk_end(struct refit_talk *t)
{
	for (int i = 0; t->any && i < 2 * WINDOWS; i++)
		if (solve(t) == -1)
			return (-1);
	return (0);
}
