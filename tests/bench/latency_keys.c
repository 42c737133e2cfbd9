/*
 * latency_keys: presses keys in the viewer's window and reads its
 * state lines, which it writes when a frame is on the screen; the answer to a
 * key that zooms is the first one with another length of time in sight.  Other
 * frames, of new events, may come in between.
 *
 *	latency_keys WINDOW KEYS < state-lines
 *
 * Prints p50 and p99 in ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <X11/Xlib.h>
#include <X11/keysym.h>

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

/* The length of time in sight that a state line tells; -1 at the end. */
static double
next_span(void)
{
	static char line[4096];
	long long t0, t1;
	const char *p;

	do {
		if (fgets(line, sizeof(line), stdin) == NULL)
			return (-1);
		p = strstr(line, " range=");
	} while (p == NULL || sscanf(p, " range=%lld:%lld", &t0, &t1) != 2);
	return ((double)(t1 - t0));
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
	if ((was = next_span()) < 0)
		return (2);
	for (int i = 0; i < keys; i++) {
		double t0 = now_ms();

		press(d, w, i % 20 < 10 ? XK_w : XK_s);
		do {
			if ((span = next_span()) < 0)
				return (2);
		} while (span > was * 0.98 && span < was * 1.02);
		was = span;
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
