/* Arguments and pauses: what all example programs need. */
#ifndef EXAMPLES_ARGUMENTS_H
#define EXAMPLES_ARGUMENTS_H

#include <err.h>
#include <stdlib.h>
#include <sysexits.h>

/*
 * A number from min to max, or the end with a word about what is wrong.  It is
 * no part of what the example shows, also where all functions are told of.
 */
__attribute__((no_instrument_function)) static inline double
number_arg(const char *what, const char *s, double min, double max)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end != '\0' || !(v >= min && v <= max))
		errx(EX_USAGE, "%s is %s, must be a number from %g to %g", what,
		    s, min, max);
	return (v);
}

#endif
