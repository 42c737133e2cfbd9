/* What the parts of the view Memory share. */
#ifndef VIEWER_VIEWS_MEMORY_H
#define VIEWER_VIEWS_MEMORY_H

#include "layout/chart/axis.h"
#include "model/heap/heap.h"
#include "ui/desk/desk.h"

#define MEMORY_PLACE_BYTES 256

/* The sums of what is shown; NULL: nothing is known yet. */
const struct heap_sums *memory_shown(const struct ui *);
/* memory_code.c: looks for names of code that have come since. */
void memory_code_find(struct ui *);
/* The first part of a stack, as function and line if these are known. */
const char *memory_code(const struct ui *, const char *stack,
    char buf[MEMORY_PLACE_BYTES]);
/* The name of the function of that part; 0: it is not known. */
uint32_t memory_code_name(const struct ui *, const char *stack);
/*
 * The innermost part of a stack, or a name as it is; into buf, which is
 * returned.
 */
const char *memory_place(const struct ui *, uint32_t name,
    char buf[MEMORY_PLACE_BYTES]);
/* Its next caller, behind the one that *rest points at; NULL: no more. */
const char *memory_caller(const struct ui *, const char **rest,
    char buf[MEMORY_PLACE_BYTES]);
/* "n1/3.2" of a thread's lane, "n1/3" of a process'; into buf. */
#define MEMORY_WHO_BYTES 96
const char *memory_who(const struct ui *, uint32_t lane,
    char buf[MEMORY_WHO_BYTES]);
bool memory_only_grows(const struct heap_place *);
/* Why there is nothing, and what to do; NULL: there is something. */
const char *memory_empty(const struct ui *);

/* memory_curve.c: in use over the run, with its axes */
void memory_curve(struct ui *, struct canvas *, const struct rect *);
/* Whose colours those are, at the right end of a line, if there is room. */
void memory_nodes(struct ui *, struct canvas *, int32_t left,
    const struct rect *);
/* The time of the curve, of the whole run, as all views count it. */
struct axis memory_axis(const struct ui *, int32_t x0, int32_t x1);

#endif
