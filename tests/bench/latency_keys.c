/*
 * latency_keys: presses keys in the viewer's window and reads its
 * state lines, which it writes when a frame is on the screen; the answer to a
 * key that zooms or pans is the first one with another range in sight.  Other
 * frames, of new events, may come in between.  A key without an answer counts
 * as LOST_MS.
 *
 *	latency_keys [-v] [-e EVENTS] WINDOW KEYS [THERE BACK] < state-lines
 *
 * THERE and BACK are keysyms, ten times each in turns; w and s if not given.
 * With -e it begins when so many events are in the viewer.  Prints p50 and p99
 * in ms; with -v each one, too, on stderr.
 */
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <X11/Xlib.h>
#include <X11/Xlibint.h>
#include <X11/extensions/xtestproto.h>
#include <X11/keysym.h>

#include "tests/bench/bench.h"

#define LOST_MS 1000

/* Of the extension XTEST; 0: the server does not have it. */
static int xtest;

/* As if by hand: the viewer takes no events that are sent. */
static void
fake(Display *dpy, int type, KeyCode code)
{
	xXTestFakeInputReq *req;

	LockDisplay(dpy);
	GetReq(XTestFakeInput, req);
	req->reqType = (CARD8)xtest;
	req->xtReqType = X_XTestFakeInput;
	req->type = (BYTE)type;
	req->detail = code;
	req->time = 0;
	req->root = None;
	req->rootX = req->rootY = 0;
	req->deviceid = 0;
	UnlockDisplay(dpy);
	SyncHandle();
}

static void
press(Display *d, Window w, KeySym sym)
{
	KeyCode code = XKeysymToKeycode(d, sym);

	XSetInputFocus(d, w, RevertToParent, CurrentTime);
	fake(d, KeyPress, code);
	fake(d, KeyRelease, code); /* it would else be held */
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

/* What a state line tells. */
struct told {
	double t0, t1; /* ns in sight */
	double events;
};

/* False: none in time. */
static bool
next_told(double until_ms, struct told *to)
{
	unsigned long long events;
	long long t0, t1;
	const char *p, *q;

	do {
		p = next_line(until_ms);
		if (p == NULL)
			return (false);
		q = strstr(p, " events=");
		p = strstr(p, " range=");
	} while (p == NULL || q == NULL ||
		 sscanf(p, " range=%lld:%lld", &t0, &t1) != 2 ||
		 sscanf(q, " events=%llu", &events) != 1);
	*to = (struct told){ (double)t0, (double)t1, (double)events };
	return (true);
}

/* The newest line there is, of so many events at least. */
static bool
latest_told(double events, struct told *to)
{
	*to = (struct told){ 0, 0, -1 };
	while (to->events < events)
		if (!next_told(now_ms() + 60 * LOST_MS, to))
			return (false);
	while (next_told(0, to))
		;
	return (true);
}

static bool
moved(const struct told *a, const struct told *b)
{
	double least = (a->t1 - a->t0) * 0.02;

	return (fabs(a->t0 - b->t0) > least || fabs(a->t1 - b->t1) > least);
}

static double
answer_ms(Display *d, Window w, KeySym key, struct told *was)
{
	struct told is = *was;
	double t0 = now_ms(), ms;
	bool told;

	press(d, w, key);
	do {
		told = next_told(t0 + LOST_MS, &is);
	} while (told && !moved(was, &is));
	ms = now_ms() - t0;
	if (told)
		*was = is;
	return (ms);
}

_Noreturn static void
usage(void)
{
	fprintf(stderr, "usage: latency_keys [-v] [-e events] window keys "
			"[there back]\n");
	exit(64);
}

int
main(int argc, char **argv)
{
	KeySym there = XK_w, back = XK_s;
	bool verbose = false;
	double *ms, events = 0;
	struct told was;
	Display *d;
	Window w;
	int keys, c;

	while ((c = getopt(argc, argv, "ve:")) != -1) {
		if (c != 'v' && c != 'e')
			usage();
		verbose |= c == 'v';
		events = c == 'e' ? strtod(optarg, NULL) : events;
	}
	argc -= optind;
	argv += optind;
	if ((argc != 2 && argc != 4) || (keys = atoi(argv[1])) <= 0)
		usage();
	if (argc == 4) {
		there = XStringToKeysym(argv[2]);
		back = XStringToKeysym(argv[3]);
	}
	ms = calloc((size_t)keys, sizeof(*ms));
	d = XOpenDisplay(NULL);
	if (d == NULL || ms == NULL || there == NoSymbol || back == NoSymbol ||
	    !XQueryExtension(d, "XTEST", &xtest, &(int){ 0 }, &(int){ 0 })) {
		free(ms);
		return (2);
	}
	w = (Window)strtoul(argv[0], NULL, 0);
	if (!latest_told(events, &was)) {
		free(ms);
		return (2);
	}
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
