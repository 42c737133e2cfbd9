/*
 * A plug-in that is wrong in the way that BAD says, for tests/system/plugin.sh.
 */
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/orrery-plugin.h"

extern struct orrery_plugin bad __asm__("orrery_plugin");

static int
is(const char *what)
{
	const char *bad_is = getenv("BAD");

	return (bad_is != NULL && strcmp(bad_is, what) == 0);
}

static void
hang(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

static void *
begin(void)
{
	return (is("begin") ? NULL : &bad);
}

static void
event(void *self, const struct orrery_event *e)
{
	(void)self;
	(void)e;
	if (is("crash"))
		raise(SIGSEGV);
	if (is("hang"))
		hang();
}

static void
much(struct orrery_pen *pen)
{
	for (int i = 0; i < 100000; i++)
		pen->rect(pen, i, i, 10, 10, ORRERY_TEXT);
}

static void
nowhere(struct orrery_pen *pen)
{
	pen->rect(pen, INT32_MIN, INT32_MAX, INT32_MAX, INT32_MIN, ORRERY_HUE);
	pen->line(pen, INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX, ORRERY_WARN);
	pen->text(pen, 10, 20, ORRERY_TEXT, "\x80\xff\033[2J\nline");
	pen->say(pen, "odd \x80\033[2J");
}

static void
draw(void *self, const struct orrery_view *v, struct orrery_pen *pen)
{
	static const char nonsense[1000] = "nonsense";
	struct orrery_bar bar = { "x", NAN, ORRERY_TEXT };

	(void)self;
	(void)v;
	if (is("draw-hang"))
		hang();
	if (is("sleep")) /* for ten seconds: by hand */
		pause();
	if (is("exit"))
		_exit(3);
	if (is("nan"))
		pen->bars(pen, &bar, 1, "ms");
	if (is("colour"))
		pen->rect(pen, 0, 0, 10, 10, 4711);
	if (is("much"))
		much(pen);
	if (is("nowhere"))
		nowhere(pen);
	/* what the viewer is told by this process, written by another hand */
	if (is("write"))
		(void)!write(3, nonsense, sizeof(nonsense));
	if (is("close"))
		close(3);
	pen->say(pen, "  drawn");
}

struct orrery_plugin bad = { ORRERY_PLUGIN_API, "Bad", "what is wrong", begin,
	event, draw, NULL, NULL, NULL };

static void __attribute__((constructor)) another(void)
{
	if (is("version"))
		bad.api = 17;
}
