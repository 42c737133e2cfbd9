/* Processes and threads of an export, numbered in a row, and their names. */
#ifndef TOOLS_EXPORT_PLACES_H
#define TOOLS_EXPORT_PLACES_H

#include "tools/export/export.h"

#define PLACE_BYTES 1024

struct places {
	const struct defs *defs;
	uint32_t *number; /* of the process, by location */
	uint32_t *first;  /* a location of each process */
	uint32_t locations, processes;
};

/* -1: ENOMEM.  Process 0 is monitord, and what is not defined. */
int places_init(struct places *, const struct export_of *);
void places_clear(struct places *);
static inline uint32_t
places_process(const struct places *p, uint32_t location)
{
	return (location <= p->locations ? p->number[location] : 0);
}
/* "n1/3 pascal" and "1 worker"; "monitord". */
void places_process_name(const struct places *, uint32_t process,
    char name[PLACE_BYTES]);
void places_thread_name(const struct places *, uint32_t location,
    char name[PLACE_BYTES]);

#endif
