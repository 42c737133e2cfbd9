/*
 * Which shape the machine has: one of those that are known, or places that the
 * user has written down, a line each, the name of a PO or node as commands have
 * it and where it stands, in units of the user's choice.  Names stay names: who
 * is not there yet has a place when it comes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "ui/desk/desk.h"
#include "ui/views/view.h"

bool
machine_place(struct ui *ui, const struct machine *m, uint32_t i, double *x,
    double *y)
{
	const struct machine_layout *l = &machine_figures(ui)->layout;
	char name[96];

	if (l->shape.kind != SHAPE_OWN)
		return (shape_place(&l->shape, m->g.n, i, x, y));
	talk_end_spell(ui, &m->g.group[i], name, sizeof(name));
	for (uint32_t k = 0; k < l->n; k++)
		if (strcmp(l->put[k].name, name) == 0) {
			*x = l->put[k].x;
			*y = l->put[k].y;
			return (true);
		}
	return (false);
}

/* A number of the file; false: it is none, or of no use. */
static bool
number(const char *text, double *v)
{
	char *end;

	*v = strtod(text, &end);
	return (end != text && *end == '\0' && isfinite(*v) && fabs(*v) <= 1e9);
}

/* 1: a place; 0: nothing on this line; -1: it is wrong. */
static int
read_line(char *line, struct machine_put *p)
{
	char *save = NULL, *word[4], *c;
	int n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	for (c = strchr(line, '#'); c != NULL; c = strchr(c + 1, '#'))
		if (c[1] < '0' || c[1] > '9') { /* "#12" is a thread */
			*c = '\0';
			break;
		}
	for (char *w = strtok_r(line, " \t", &save); w != NULL && n < 4;
	     w = strtok_r(NULL, " \t", &save))
		word[n++] = w;
	if (n == 0)
		return (0);
	if (n != 3 || strlen(word[0]) >= sizeof(p->name) ||
	    !number(word[1], &p->x) || !number(word[2], &p->y))
		return (-1);
	snprintf(p->name, sizeof(p->name), "%s", word[0]);
	return (1);
}

/* To 0..1; all of one x or y stand in its middle. */
static void
scale(struct machine_layout *l)
{
	double x0 = l->put[0].x, x1 = x0, y0 = l->put[0].y, y1 = y0;

	for (uint32_t i = 1; i < l->n; i++) {
		x0 = fmin(x0, l->put[i].x);
		x1 = fmax(x1, l->put[i].x);
		y0 = fmin(y0, l->put[i].y);
		y1 = fmax(y1, l->put[i].y);
	}
	l->aspect = x1 > x0 && y1 > y0 ? (x1 - x0) / (y1 - y0) : 1;
	for (uint32_t i = 0; i < l->n; i++) {
		l->put[i].x = x1 > x0 ? (l->put[i].x - x0) / (x1 - x0) : 0.5;
		l->put[i].y = y1 > y0 ? (l->put[i].y - y0) / (y1 - y0) : 0.5;
	}
}

int
machine_layout_text(struct ui *ui, const char *file, char *text)
{
	struct machine_layout *to = calloc(1, sizeof(*to));
	char *next = text;
	int rc = 0;

	if (to == NULL)
		return (desk_fail(ui, "out of memory"));
	for (unsigned n = 1; next != NULL && rc != -1; n++) {
		char *line = next, *end = strchr(line, '\n');

		next = end == NULL ? NULL : end + 1;
		if (end != NULL)
			*end = '\0';
		if (to->n == MACHINE_PUTS)
			break;
		rc = read_line(line, &to->put[to->n]);
		if (rc == -1)
			(void)desk_fail(ui,
			    "%s, line %u: not a name and two numbers, as in: "
			    "n1/3 2 1",
			    file, n);
		to->n += rc == 1;
	}
	if (rc != -1 && to->n == 0)
		rc = desk_fail(ui, "%s: no places in it", file);
	if (rc != -1) {
		to->shape.kind = SHAPE_OWN;
		scale(to);
		machine_figures(ui)->layout = *to;
	}
	free(to);
	return (rc == -1 ? -1 : 0);
}

int
machine_shape(struct ui *ui, const char *name)
{
	struct machine_figures *f = machine_figures(ui);
	struct shape s;

	if (shape_parse(name, &s) == -1)
		return (-1);
	f->layout.shape = s;
	return (0);
}
