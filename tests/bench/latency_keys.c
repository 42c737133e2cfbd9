/*
 * latency_keys: presses keys in the viewer's window and reads its
 * state lines, which it writes when a frame is on the screen; the answer to a
 * key that zooms is the first one with another length of time in sight.  Other
 * frames, of new events, may come in between.  A key without an answer counts
 * as LOST_MS.
 *
 *	latency_keys WINDOW KEYS < state-lines
 *
 * Prints p50 and p99 in ms.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <X11/Xlib.h>
#include <X11/keysym.h>

#define LOST_MS 1000

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

/* The length of time in sight that a state line tells; -1: none in time. */
static double
next_span(double until_ms)
{
	long long t0, t1;
	const char *p;

	do {
		p = next_line(until_ms);
		if (p == NULL)
			return (-1);
		p = strstr(p, " range=");
	} while (p == NULL || sscanf(p, " range=%lld:%lld", &t0, &t1) != 2);
	return ((double)(t1 - t0));
}

/* Of the newest line there is. */
static double
latest_span(void)
{
	double span = next_span(now_ms() + LOST_MS), next;

	while ((next = next_span(0)) >= 0)
		span = next;
	return (span);
}

int
main(int argc, char **argv)
{
	double was, span;
	int keys = argc == 3 ? atoi(argv[2]) : 0;
	double *ms = calloc((size_t)(keys > 0 ? keys : 1), sizeof(*ms));
	Display *d = XOpenDisplay(NULL);
	Window w;

	if (d == NULL || keys <= 0 || ms == NULL)
		return (2);
	w = (Window)strtoul(argv[1], NULL, 0);
	if ((was = latest_span()) < 0)
		return (2);
	for (int i = 0; i < keys; i++) {
		double t0 = now_ms();

		press(d, w, i % 20 < 10 ? XK_w : XK_s);
		do {
			span = next_span(t0 + LOST_MS);
		} while (span >= 0 && span > was * 0.98 && span < was * 1.02);
		was = span >= 0 ? span : latest_span();
		ms[i] = now_ms() - t0;
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
