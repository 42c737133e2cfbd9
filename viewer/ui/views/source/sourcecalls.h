/*
 * From where a function is called: the places in the code that have told that
 * they did, in the whole run; those that samplers found below it and the
 * functions that called it, in the panels' range.
 */
#ifndef VIEWER_SOURCECALLS_H
#define VIEWER_SOURCECALLS_H

#include "ui/desk/desk.h"

#define SOURCE_SITES 64 /* that are kept, those of most time */

struct source_site {
	uint32_t name; /* its place; of a function that of its declaration */
	uint32_t line;
	bool declared;  /* the function is known, not the line in it */
	uint64_t n;     /* samples that were found beyond it; calls */
	int64_t ns;     /* processor time of those; time of the calls */
	uint64_t calls; /* of a place: from there, in the whole run */
};

struct source_sites {
	struct source_site site[SOURCE_SITES];
	size_t n, all; /* all: with those that are not kept */
};

/* Of the function of this name; false: no memory. */
bool source_sites(const struct ui *, uint32_t name, struct source_sites *);

#endif
