/*
 * The lines from which a call may have come: those from which its function was
 * called in its process, and of those the ones in the function that it lies in,
 * if any are.  Mostly that is one.
 */
#include "calledfrom.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/run/sites.h"
#include "ui/desk/desk.h"

#define LINES 3 /* that are written */
#define DEEP  256

struct lines {
	uint32_t name[LINES], line[LINES];
	unsigned n; /* also of those that are not written */
};

/* The function that a call lies in; 0: none. */
static uint32_t
within(const struct model *m, uint32_t lane, const struct span *k)
{
	struct span in[DEEP];
	size_t n = model_stack(m, lane, k->t0_mon_ns, in, DEEP);
	uint32_t up = 0;

	for (size_t i = 0; i < n && i < DEEP; i++) {
		if (in[i].depth == k->depth)
			break;
		if (in[i].kind == SPAN_call)
			up = in[i].name;
	}
	return (up);
}

static bool
is_in(const struct model *m, uint32_t place, uint32_t function)
{
	const char *a = model_name(m, place), *b = model_name(m, function);

	return (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void
line_add(const struct model *m, struct lines *to, uint32_t place)
{
	uint32_t line = 0;

	model_name_place(m, place, &line);
	for (unsigned i = 0; i < to->n && i < LINES; i++)
		if (to->line[i] == line && is_in(m, place, to->name[i]))
			return;
	if (to->n < LINES) {
		to->name[to->n] = place;
		to->line[to->n] = line;
	}
	to->n++;
}

static void
find(const struct model *m, const struct lane *l, uint32_t name, uint32_t up,
    struct lines *to)
{
	for (uint32_t i = 0; i < model_call_sites(m); i++) {
		struct call_site s = model_call_site(m, i);

		if (s.function == name && s.place != 0 && s.node == l->node &&
		    s.po == l->po && (up == 0 || is_in(m, s.place, up)))
			line_add(m, to, s.place);
	}
}

static size_t
put_line(const struct model *m, const struct lines *of, unsigned i, char *buf,
    size_t n)
{
	const char *file = model_name_place(m, of->name[i], &(uint32_t){ 0 });
	int put = snprintf(buf, n, "%s%.60s", i > 0 ? " or " : "",
	    model_name(m, of->name[i]));
	size_t at = (size_t)put < n ? (size_t)put : n - 1;

	if (file != NULL && file[0] != '\0' && of->line[i] != 0)
		put = snprintf(buf + at, n - at, ", %.80s:%" PRIu32, file,
		    of->line[i]);
	else
		put = 0;
	return (at + (size_t)put < n ? at + (size_t)put : n - 1);
}

bool
called_from(const struct ui *ui, uint32_t lane, const struct span *k, char *buf,
    size_t n)
{
	const struct model *m = ui->model;
	const struct lane *l = model_lane(m, lane);
	struct lines to = { .n = 0 };
	uint32_t up;
	size_t at = 0;

	if (k->kind != SPAN_call || k->name == 0 || model_call_sites(m) == 0)
		return (false);
	up = within(m, l->kind == LANE_DEPTH ? l->parent : lane, k);
	find(m, l, k->name, up, &to);
	if (to.n == 0 && up != 0)
		find(m, l, k->name, 0, &to);
	for (unsigned i = 0; i < to.n && i < LINES; i++)
		at += put_line(m, &to, i, buf + at, n - at);
	if (to.n > LINES)
		snprintf(buf + at, n - at, " or %u more", to.n - LINES);
	return (to.n > 0);
}
