/* Colours: one thing each, everywhere.  0xRRGGBB. */
#ifndef VIEWER_PALETTE_H
#define VIEWER_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

struct palette {
	uint32_t background, panel, line, grid; /* surfaces */
	uint32_t text, dim;                     /* text in two weights */
	uint32_t faint; /* lines; it is too near to the ground for text */
	uint32_t accent, selection, warn, error;
	uint32_t state[16]; /* by enum lane_class */
};
extern const struct palette palette_dark, palette_light;

/* Phases of a remote call, in its caller's row; frames of fork-join blocks. */
#define PALETTE_RPC_OUT  0xf0e442
#define PALETTE_RPC_WORK 0x117733
#define PALETTE_RPC_BACK 0xcc3311
#define PALETTE_BLOCK    0xa6764b
#define PALETTE_SEVERAL  0x7fd88a /* of calls: in several phases */
#define PALETTE_OBJECT   0xccbb44 /* an object is asked for, or sent */
#define PALETTE_NOTE     0xb78ae8 /* what the user has written down */
#define PALETTE_OWN      0x44bb99 /* of a kind that the program declares */

/* Between two runs: less and more in the second, what one of them has. */
#define DIFFERENCE_LESS   0x3b8fd4
#define DIFFERENCE_MORE   0xe8731c
#define DIFFERENCE_ONLY_A 0xb78ae8
#define DIFFERENCE_ONLY_B 0xf0e442

uint32_t palette_pe(unsigned pe); /* Tol's set, then golden angle */
uint32_t palette_pe_on(const struct palette *, unsigned pe); /* to be seen */
struct model;
/* Of a node, wherever it is told by colour: by its name's place from 1 on. */
uint32_t palette_node(unsigned place);
uint32_t palette_of_node(const struct model *, uint32_t node);
/*
 * Of a function or the like: a slot of its text's own choice; of those that
 * were assigned, the first PALETTE_NAMES have one each.  None is like that of a
 * wait.  UI thread only.
 */
#define PALETTE_NAMES 24
uint32_t palette_name(uint32_t name, const char *text);
void palette_assign(const char *text);
void palette_assign_none(void);
bool palette_all_assigned(void); /* others make no difference */
/*
 * Of a name of the log, everywhere: by its text, and by its place, too, if
 * others are called so.  And of what is called `text`: that
 * of the name of the log, unless that is called otherwise.
 */
uint32_t palette_of_name(const struct model *, uint32_t name);
uint32_t palette_of(const struct model *, uint32_t name, const char *text);
void palette_assign_name(const struct model *, uint32_t name);
/* Time as a colour, 0..1. */
enum palette_scale {
	SCALE_VIRIDIS,
	SCALE_CIVIDIS,  /* the same to all eyes */
	SCALE_SPECTRUM, /* VISTA's, from blue to magenta */
	SCALES
};
extern const char *const palette_scale_name[SCALES];
uint32_t palette_scale(enum palette_scale, double tau);
/* Such that it can be seen on this ground from end to end. */
uint32_t palette_scale_on(const struct palette *, enum palette_scale,
    double tau);
/* A colour, as much stronger as it must be to be seen on this ground. */
uint32_t palette_on(const struct palette *, uint32_t rgb);
/* The same for letters of it, on all surfaces: 4.5 : 1. */
uint32_t palette_ink(const struct palette *, uint32_t rgb);
/* Between the panel and it: an area below lines. */
uint32_t palette_area(const struct palette *, uint32_t rgb);
/* Black or white, whichever can be read better on this colour. */
uint32_t palette_text_on(uint32_t rgb);
/* Of what is not known yet, only sketched. */
uint32_t palette_faint(const struct palette *, uint32_t rgb);
uint32_t palette_mix(uint32_t a, uint32_t b, unsigned b_255); /* linear light */

#endif
