/*
 * A view or a metric of your own for Orrery's viewer: a shared object with one
 * symbol, `orrery_plugin'.
 *
 *	cc -shared -fPIC -o mine.so mine.c
 *	viewer --plugin mine.so run.orr
 *
 * It is loaded into a process of its own, beside the viewer: it gets every
 * event of the log in order, and says what is to be drawn when it is asked.  If
 * it crashes, hangs or draws nonsense, its view says so, and the viewer goes
 * on.  All calls come from one thread.  orrery-plugin(3) has the details, the
 * examples `waitsum.c' and `pulse.c' are complete ones.
 *
 * Nothing here depends on other headers of Orrery, and nothing is linked.
 */
#ifndef ORRERY_PLUGIN_H
#define ORRERY_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORRERY_PLUGIN_API 1 /* what a viewer loads is of the same number */

/* A thread; valid during the call. */
struct orrery_row {
	uint32_t number;     /* the same for the whole run */
	const char *thread;  /* its name, or else its place */
	const char *place;   /* "n1/3.1": node, process, thread */
	const char *program; /* of its process */
	const char *label;   /* what a reader knows it by: of these */
	const char *node;
};

enum orrery_shape {
	ORRERY_POINT,
	ORRERY_BEGIN, /* of a span: a call, a task, a wait... */
	ORRERY_END    /* of the innermost one of that kind */
};

#define ORRERY_LATE 1u /* came after its time had been passed; growing logs */

/* An event; valid during the call.  Kinds and words are those of probe(3). */
struct orrery_event {
	int64_t t_ns;     /* since the start of the run, all clocks as one */
	const char *kind; /* "send", "enter"... */
	const char *kind_class;
	const char *span; /* what it begins or ends: "call"; else "none" */
	enum orrery_shape shape;
	unsigned flags;
	const struct orrery_row *row;
	const char *name;     /* of the word that is a name; else "" */
	uint64_t word[3];     /* as numbers */
	const char *label[3]; /* "message", "size"...; "": there is none */
};

/* Colours: those of the viewer, on dark and on light; ORRERY_HUE + n: the n-th
 * of those that tell things apart, n up to 255. */
enum orrery_colour {
	ORRERY_TEXT,
	ORRERY_DIM,
	ORRERY_LINE,
	ORRERY_ACCENT,
	ORRERY_WARN,
	ORRERY_ERROR,
	ORRERY_HUE = 16
};

/* What is to be drawn. */
struct orrery_view {
	int32_t width, height; /* px; 0, 0 is the upper left */
	int64_t t0_ns, t1_ns;  /* what the viewer's figures are of */
	int finished;          /* nothing is left to be read, now */
	uint64_t events;       /* so many have been */
};

struct orrery_bar {
	const char *name;
	double value;
	unsigned colour;
};

/*
 * What draws.  Texts have printf's formats.  Coordinates in px; what is outside
 * of the view is not seen.
 */
struct orrery_pen {
	void (*rect)(struct orrery_pen *, int32_t x, int32_t y, int32_t width,
	    int32_t height, unsigned colour);
	void (*line)(struct orrery_pen *, int32_t x0, int32_t y0, int32_t x1,
	    int32_t y1, unsigned colour);
	/* at a baseline; to the left of x with text_right */
	void (*text)(struct orrery_pen *, int32_t x, int32_t y, unsigned colour,
	    const char *format, ...) __attribute__((format(printf, 5, 6)));
	void (*text_right)(struct orrery_pen *, int32_t x, int32_t y,
	    unsigned colour, const char *format, ...)
	    __attribute__((format(printf, 5, 6)));
	/* a click there is told to said(), with this word */
	void (*button)(struct orrery_pen *, int32_t x, int32_t y, int32_t width,
	    int32_t height, const char *word);
	/* a line of `viewer --describe' */
	void (*say)(struct orrery_pen *, const char *format, ...)
	    __attribute__((format(printf, 2, 3)));

	/* Ready ones: into an area, at first the whole view; with their words.
	 */
	void (*area)(struct orrery_pen *, int32_t x, int32_t y, int32_t width,
	    int32_t height);
	void (*bars)(struct orrery_pen *, const struct orrery_bar *, size_t n,
	    const char *unit); /* a table with bars; it scrolls */
	void (*curve)(struct orrery_pen *, const double *value, size_t n,
	    const char *unit, unsigned colour); /* evenly from t0 to t1 */
	void (*kiviat)(struct orrery_pen *, const struct orrery_bar *, size_t n,
	    double most); /* an axis each */
};

struct orrery_plugin {
	uint32_t api;      /* ORRERY_PLUGIN_API */
	const char *name;  /* its title */
	const char *about; /* half a sentence */
	/* NULL, or makes what the others get as self; NULL: it cannot. */
	void *(*begin)(void);
	/* Every event, in order of time (of a growing log: as they come). */
	void (*event)(void *self, const struct orrery_event *);
	/*
	 * A view: draws it.  NULL: it is a metric, a number for each row, which
	 * is shown as a table with bars, the largest first.
	 */
	void (
	    *draw)(void *self, const struct orrery_view *, struct orrery_pen *);
	/* A metric: 0, or -1 where there is none; in this unit. */
	int (*metric)(void *self, const struct orrery_row *,
	    const struct orrery_view *, double *value);
	const char *unit;
	/* NULL, or: a button was clicked; or `say NAME WORD'. */
	void (*said)(void *self, const char *word);
};

/* What the shared object has. */
extern const struct orrery_plugin orrery_plugin;

#ifdef __cplusplus
}
#endif

#endif
