/*
 * latency_keys: presses keys in the viewer's window and reads its
 * state line, which it writes when the frame that answers is on the screen.
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

/* The range that a state line tells; 0 at the end. */
static int
next_range(char *range, size_t n)
{
	static char line[4096];
	const char *p;

	if (fgets(line, sizeof(line), stdin) == NULL)
		return (0);
	p = strstr(line, "range=");
	snprintf(range, n, "%.*s", p != NULL ? (int)strcspn(p, " ") : 0,
	    p != NULL ? p : "");
	return (1);
}

int
main(int argc, char **argv)
{
	char was[128] = "", range[128];
	int keys = argc == 3 ? atoi(argv[2]) : 0;
	double *ms = calloc((size_t)(keys > 0 ? keys : 1), sizeof(*ms));
	Display *d = XOpenDisplay(NULL);
	Window w;

	if (d == NULL || keys <= 0 || ms == NULL)
		return (2);
	w = (Window)strtoul(argv[1], NULL, 0);
	if (!next_range(was, sizeof(was)))
		return (2);
	for (int i = 0; i < keys; i++) {
		double t0 = now_ms();

		press(d, w, i % 20 < 10 ? XK_w : XK_s);
		do {
			if (!next_range(range, sizeof(range)))
				return (2);
		} while (strcmp(range, was) == 0);
		strcpy(was, range);
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
