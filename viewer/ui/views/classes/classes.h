/*
 * The view Classes: structs and classes of the run's programs, out of their
 * debug information; which has which; and the time of their functions in the
 * panels' range.
 *
 * UI thread only.
 */
#ifndef VIEWER_CLASSES_H
#define VIEWER_CLASSES_H

#include "symbols/program.h"
#include "ui/desk/desk.h"

#define CLASS_NONE UINT32_MAX

/* A program of the run: a file, read by a thread of its own. */
struct class_reader;
struct class_program {
	char *path, *build_id; /* owned */
	struct program *p;     /* owned; NULL: not read */
	const char *why;       /* it cannot be; static; NULL: it is being */
	struct class_reader *reader;
};

struct class_sum {
	uint64_t calls;
	int64_t ran_ns;   /* in them, without waits and what they called */
	int64_t waits_ns; /* in them, for locks and whatever else */
	uint64_t served;  /* remote calls, of a class */
	uint64_t samples, cpu_ns; /* found in them */
	/* by them, or by what they called that is of no class: bytes; live: at
	 * the end of the range; about, where pieces were picked */
	double asked, live;
};

struct class_function {
	uint32_t class;
	uint32_t name; /* of the log, of the last that is it; 0: it has none */
	const struct program_function *is;
	struct class_sum sum;
};

struct class
{
	const struct program_type *is;
	const struct program *of;
	int64_t unused;            /* bytes; -1: not known */
	bool library;              /* its source is the system's */
	bool serves;               /* remote calls, in its functions */
	uint64_t objects;          /* of its name, in the log */
	uint32_t first, functions; /* in the list of those */
	struct class_sum sum;
};

enum class_way {
	CLASS_HAS,
	CLASS_POINTS,
	CLASS_INHERITS,
	CLASS_WAYS
};
struct class_edge {
	uint32_t from, to; /* classes */
	enum class_way way;
	uint32_t members; /* that do so */
};

struct classes {
	struct class_program *program;
	uint32_t programs, programs_more; /* more: that are not read */
	uint64_t due;                     /* frame in which to look for more */
	uint32_t pos;                     /* processes, when looked */
	struct class *class;              /* by name, file, line */
	struct class_edge *edge;          /* by from, to, way */
	struct class_function *function;  /* by class, line */
	uint32_t n, edges, functions;
	uint32_t *by_text;     /* functions, by their names */
	uint32_t *function_of; /* by name of the log; see classes_sum.c */
	uint32_t names;
	struct class_of { /* what the sums are of */
		const struct model *model;
		int64_t t0, t1;
		uint64_t events, version;
		uint32_t names, n;
		int64_t heap_t0, heap_t1; /* of what memory was added up */
		uint64_t heap_events;
	} of;
	uint64_t sum_due; /* frame from which they may be added up anew */
	bool sampled;     /* in the range, anything */
	bool remembers;   /* it is known who asked for memory */
	/* as chosen by the user */
	uint32_t selected; /* CLASS_NONE */
	bool list, libraries;
};

struct classes *classes_get(struct ui *); /* NULL: no memory */
void classes_free(struct ui *);           /* or the run is another one */

/*
 * classes_read.c: true: programs are there that were not when asked last; wait:
 * until all that are known are
 */
bool classes_read(struct ui *, struct classes *, bool wait);
bool classes_reading(const struct classes *);
void classes_read_free(struct classes *);

/* classes_make.c: all anew out of the programs; -1: ENOMEM, there are none */
int classes_make(struct classes *);
void classes_clear(struct classes *);
/* classes_sum.c */
void classes_sum(struct ui *, struct classes *);

/* It is among those that are shown now. */
bool class_shown(const struct classes *, uint32_t class);
/* It has objects in the log, or serves remote calls. */
bool class_is_po(const struct class *);
/* Of those that are shown, the next in order, or before; CLASS_NONE: none. */
uint32_t class_step(const struct classes *, uint32_t from, int step);
/* By its name; -1: it is said that there is none. */
int classes_select(struct ui *, const char *name);
/*
 * "file.h:12" of the chosen one, of class #N, of function @N, into buf, which
 * is returned; NULL: it is said that there is none.
 */
const char *classes_place(struct ui *, const char *which, char *buf, size_t n);
/* What the bars are of: found in them if there are samples, else in calls. */
int64_t class_time_ns(const struct classes *, const struct class_sum *);
/* "struct table"; a union's members are where they are */
char *class_words(const struct class *, char *buf, size_t n);
/* As the log and debug information have it, without what a terminal obeys. */
const char *class_text(const char *);

/* classes_chosen.c: the layout and the functions of a class */
void class_draw(struct ui *, struct canvas *, const struct rect *, uint32_t);
void class_say(struct ui *, uint32_t class, FILE *);

#endif
