/*
 * orrery-cluster(5): a clock that is so many seconds ahead and so many ppm
 * fast; one that wanders goes up and down about that within a minute.
 */
#include "tests/outside/clocks.h"

#include <math.h>
#include <stdio.h>

#define MINUTE_S  60.0
#define JITTER_NS 1000 /* of a cycle counter against the clock */

int
skewed_parse(struct skewed *s, const char *text)
{
	int n = 0;

	*s = (struct skewed){ 0 };
	if (sscanf(text, "%lf,%lf%n,%lf%n", &s->offset_s, &s->ppm, &n,
		&s->wander_ppm, &n) < 2 ||
	    text[n] != '\0')
		return (-1);
	return (0);
}

int64_t
skewed_ns(const struct skewed *s, int64_t raw_ns)
{
	double whole = 2 * M_PI / MINUTE_S, at_s = (double)raw_ns * 1e-9;
	double wander_s =
	    s->wander_ppm * 1e-6 * (1 - cos(whole * at_s)) / whole;

	return (raw_ns +
		llrint((s->offset_s + s->ppm * 1e-6 * at_s + wander_s) * 1e9));
}

/*
 * While a collector is away, it takes the rate of the last seconds to hold.
 * One that wanders by w ppm changes its rate by w / 10 ppm in a second, so
 * after four seconds it is off by less than w us.
 */
int64_t
skewed_slack_ns(const struct skewed *s)
{
	return (JITTER_NS + (int64_t)(s->wander_ppm * 1000));
}
