/*
 * From where in the code functions are called, as far as they say so
 * (enter.caller): how often each was from each place, in the whole run.
 */
#ifndef VIEWER_SITES_H
#define VIEWER_SITES_H

#include <stdint.h>

struct model;

struct call_site {
	uint32_t function; /* name that is called */
	uint32_t place;    /* name of the place; 0: not known by now */
	uint32_t node, po;
	uint64_t address; /* a return address: behind the call */
	uint64_t calls;
};

/* In the order in which they were first seen. */
uint32_t model_call_sites(const struct model *);
struct call_site model_call_site(const struct model *, uint32_t i);

#endif
