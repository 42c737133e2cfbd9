/*
 * latency_keys: presses keys in the viewer's window and reads its
 * state lines, which it writes when a frame is on the screen; the answer to a
 * key that zooms or pans is the first one with another range in sight.  Other
 * frames, of new events, may come in between.  A key without an answer counts
 * as LOST_MS.
 *
 *	latency_keys [-v] WINDOW KEYS [THERE BACK] < state-lines
 *
 * THERE and BACK are keysyms, ten times each in turns; w and s if not given.
 * Prints p50 and p99 in ms; with -v each one, too, on stderr.
 */
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <X11/Xlib.h>
#include <X11/keysym.h>

#define LOST_MS 1000

struct range {
	double t0, t1; /* ns */
};

static double
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return ((x > y) - (x < y));
}

static void
press(Display *d, Window w, KeySym sym)
{
	XEvent e = { .xkey = { .type = KeyPress,
			 .display = d,
			 .window = w,
			 .root = DefaultRootWindow(d),
			 .same_screen = True,
			 .keycode = XKeysymToKeycode(d, sym) } };

	XSendEvent(d, w, True, KeyPressMask, &e);
	e.type = KeyRelease; /* it would else be held */
	XSendEvent(d, w, True, KeyReleaseMask, &e);
	XFlush(d);
}

/* The next line, without its end; NULL when none comes in time. */
static char *
next_line(double until_ms)
{
	static char in[65536];
	static size_t n, used;
	struct pollfd p = { 0, POLLIN, 0 };
	char *line, *end;
	double left;
	ssize_t got;

	memmove(in, in + used, n - used);
	n -= used;
	used = 0;
	while ((end = memchr(in, '\n', n)) == NULL) {
		left = until_ms - now_ms();
		if (n == sizeof(in) ||
		    poll(&p, 1, left > 0 ? (int)left + 1 : 0) != 1 ||
		    (got = read(0, in + n, sizeof(in) - n)) <= 0)
			return (NULL);
		n += (size_t)got;
	}
	line = in;
	*end = '\0';
	used = (size_t)(end - in) + 1;
	return (line);
}

/* The range in sight that a state line tells; false: none in time. */
static bool
next_range(double until_ms, struct range *r)
{
	long long t0, t1;
	const char *p;

	do {
		p = next_line(until_ms);
		if (p == NULL)
			return (false);
		p = strstr(p, " range=");
	} while (p == NULL || sscanf(p, " range=%lld:%lld", &t0, &t1) != 2);
	*r = (struct range){ (double)t0, (double)t1 };
	return (true);
}

/* Of the newest line there is. */
static bool
latest_range(struct range *r)
{
	if (!next_range(now_ms() + LOST_MS, r))
		return (false);
	while (next_range(0, r))
		;
	return (true);
}

static bool
moved(const struct range *a, const struct range *b)
{
	double least = (a->t1 - a->t0) * 0.02;

	return (fabs(a->t0 - b->t0) > least || fabs(a->t1 - b->t1) > least);
}

static double
answer_ms(Display *d, Window w, KeySym key, struct range *was)
{
	struct range is = *was;
	double t0 = now_ms(), ms;
	bool told;

	press(d, w, key);
	do {
		told = next_range(t0 + LOST_MS, &is);
	} while (told && !moved(was, &is));
	ms = now_ms() - t0;
	if (told || latest_range(&is))
		*was = is;
	return (ms);
}

int
main(int argc, char **argv)
{
	bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	char **arg = argv + 1 + verbose;
	int n = argc - 1 - verbose;
	int keys = n == 2 || n == 4 ? atoi(arg[1]) : 0;
	double *ms = calloc((size_t)(keys > 0 ? keys : 1), sizeof(*ms));
	KeySym there = n == 4 ? XStringToKeysym(arg[2]) : XK_w;
	KeySym back = n == 4 ? XStringToKeysym(arg[3]) : XK_s;
	Display *d = XOpenDisplay(NULL);
	struct range was;
	Window w;

	if (d == NULL || keys <= 0 || ms == NULL || there == NoSymbol ||
	    back == NoSymbol)
		return (2);
	w = (Window)strtoul(arg[0], NULL, 0);
	if (!latest_range(&was))
		return (2);
	for (int i = 0; i < keys; i++) {
		ms[i] = answer_ms(d, w, i % 20 < 10 ? there : back, &was);
		if (verbose)
			fprintf(stderr, "%d %.2f\n", i, ms[i]);
		/* at any moment of a frame */
		nanosleep(&(struct timespec){ 0, (i * 7919L % 23) * 1000000L },
		    NULL);
	}
	qsort(ms, (size_t)keys, sizeof(*ms), by_value);
	printf("%.3f %.3f\n", ms[keys / 2], ms[keys * 99 / 100]);
	free(ms);
	XCloseDisplay(d);
	return (0);
}
