/*
 * Names on sectors and boxes, where they have room: along the arc, else from
 * the centre outwards, never upside down.  Each keeps to its own sector, so
 * none lies upon another; and its place is that of the sector, so that it moves
 * only as that does.
 */
#include <math.h>
#include <string.h>

#include "treepane.h"
#include "ui/desk/desk.h"

#define TEXT_PX     7.0  /* height of a capital letter */
#define RING_MIN_PX 11.0 /* thinner ones have no names */
#define ROOM_PX     6    /* that is left beside a name */
#define SAG_PX      1.0  /* an arc as flat as this is a line */
#define LETTERS_MIN 4    /* fewer of a longer name say nothing */
#define NAMES_MAX   300
#define UNIT        4096 /* length of a direction */
#define PI_2        1.5707963267948966

struct names {
	const struct ui *ui;
	const struct canvas *layer;
	tree_piece_fn *fn;
	void *arg;
	struct tree_piece piece;
	double cx, cy; /* of the tree, px in its area */
	unsigned left;
};

/* Dark on what is light, light on what is dark. */
static uint32_t
text_rgb(const struct names *k, double x, double y)
{
	const struct canvas *c = k->layer;
	int32_t px = canvas_dots((int32_t)x), py = canvas_dots((int32_t)y);
	uint32_t rgb;

	if (px < 0 || py < 0 || px >= c->dots_x || py >= c->dots_y)
		return (k->ui->palette->text);
	rgb = c->px[(size_t)py * (size_t)c->stride + (size_t)px];
	return (palette_text_on(rgb));
}

/*
 * As much of the name as fits, with dots where it was cut.  False: too little
 * to be read.
 */
static bool
fit(struct names *k, uint32_t task, double room)
{
	const struct model *m = tree_model(k->ui);
	const char *name = model_name(m, model_task_name(m, task));
	struct tree_piece *p = &k->piece;
	size_t n, letters = 0;
	int32_t dots = text_width(FONT_SMALL, "…", strlen("…")), w;

	if (name == NULL || name[0] == '\0' || room < 2 * dots)
		return (false);
	n = strlen(name);
	if (n < sizeof(p->text) && text_width(FONT_SMALL, name, n) <= room) {
		memcpy(p->text, name, n + 1);
		p->n = n;
		return (true);
	}
	for (n = 0; name[n] != '\0' && n + 8 < sizeof(p->text); letters++) {
		size_t next = n + 1;

		while (((unsigned char)name[next] & 0xc0) == 0x80)
			next++;
		w = text_width(FONT_SMALL, name, next);
		if (w + dots > room || next + 8 >= sizeof(p->text))
			break;
		n = next;
	}
	if (letters < LETTERS_MIN)
		return (false);
	p->n =
	    (size_t)snprintf(p->text, sizeof(p->text), "%.*s…", (int)n, name);
	return (true);
}

static int32_t
width(const struct names *k)
{
	return (text_width(FONT_SMALL, k->piece.text, k->piece.n));
}

static int32_t
sixteenths(double v)
{
	return ((int32_t)lrint(v * SCENE_ONE));
}

static void
tell(struct names *k, const struct tree_piece *p)
{
	k->fn(k->arg, p);
}

/* A line of text around x, y; up: how far its middle is above that. */
static void
straight(struct names *k, double x, double y, double dx, double dy)
{
	struct tree_piece *p = &k->piece;
	double half = width(k) / 2.0;

	p->rgb = text_rgb(k, x, y);
	p->x_q = sixteenths(x - half * dx - TEXT_PX / 2 * dy);
	p->y_q = sixteenths(y - half * dy + TEXT_PX / 2 * dx);
	p->dx = (int32_t)lrint(dx * UNIT);
	p->dy = (int32_t)lrint(dy * UNIT);
	tell(k, p);
}

/* Letter by letter on a circle about the middle of the tree. */
static void
curved(struct names *k, double radius, double angle, int way)
{
	const struct tree_piece *whole = &k->piece;
	struct tree_piece p = *whole;
	double base = radius - way * TEXT_PX / 2;
	double at = -width(k) / 2.0;

	p.rgb = text_rgb(k, k->cx + radius * cos(angle),
	    k->cy + radius * sin(angle));
	for (size_t i = 0; i < whole->n; i += p.n) {
		double a, dx, dy, w;

		for (p.n = 1;
		     ((unsigned char)whole->text[i + p.n] & 0xc0) == 0x80;)
			p.n++;
		memcpy(p.text, whole->text + i, p.n);
		p.text[p.n] = '\0';
		w = text_width(FONT_SMALL, p.text, p.n);
		a = angle + way * (at + w / 2) / radius;
		at += w;
		dx = -sin(a) * way;
		dy = cos(a) * way;
		p.x_q = sixteenths(k->cx + base * cos(a) - w / 2 * dx);
		p.y_q = sixteenths(k->cy + base * sin(a) - w / 2 * dy);
		p.dx = (int32_t)lrint(dx * UNIT);
		p.dy = (int32_t)lrint(dy * UNIT);
		tell(k, &p);
	}
}

/* Along the arc.  False: there is no room. */
static bool
along(struct names *k, const struct radial_node *n, double d, double angle)
{
	double radius = d * (n->ring + 0.5), w;
	double room = n->arc_rad * (radius - TEXT_PX / 2) - ROOM_PX;
	int way = sin(angle) > 0.02 ? -1 : 1; /* below: the other way round */

	if (n->arc_rad > 6) /* a whole ring: not all around it */
		room = 2.4 * radius;
	if (!fit(k, n->task, room))
		return (false);
	w = width(k);
	if (w * w / (8 * radius) < SAG_PX)
		straight(k, k->cx + radius * cos(angle),
		    k->cy + radius * sin(angle), -sin(angle) * way,
		    cos(angle) * way);
	else
		curved(k, radius, angle, way);
	return (true);
}

/* Outwards, or inwards on the left. */
static bool
across(struct names *k, const struct radial_node *n, double d, double angle)
{
	double radius = d * (n->ring + 0.5);
	double in = d * n->ring + ROOM_PX / 2.0;
	int way = cos(angle) < -0.02 ? -1 : 1;

	if (n->arc_rad * in < TEXT_PX + 3 || !fit(k, n->task, d - ROOM_PX))
		return (false);
	straight(k, k->cx + radius * cos(angle), k->cy + radius * sin(angle),
	    cos(angle) * way, sin(angle) * way);
	return (true);
}

static bool
on_sector(struct names *k, const struct radial_node *n)
{
	const struct radial_view *v = &k->ui->tree;
	double d = k->ui->treepane.nodes.ring_px, radius = d * (n->ring + 0.5);
	double angle = n->from_rad + n->arc_rad / 2 - PI_2 + v->rotate_rad, x,
	       y;

	if (n->ring == 0) {
		if (!fit(k, n->task, 2 * sqrt(d * d - 25) - ROOM_PX))
			return (false);
		straight(k, k->cx, k->cy, 1, 0);
		return (true);
	}
	x = k->cx + radius * cos(angle);
	y = k->cy + radius * sin(angle);
	if (x < 0 || y < 0 || x >= v->width || y >= v->height)
		return (false);
	return (along(k, n, d, angle) || across(k, n, d, angle));
}

/* In the middle of what is in sight of it. */
static bool
on_box(struct names *k, const struct radial_node *n)
{
	const struct radial_view *v = &k->ui->tree;
	double wide = v->width * v->zoom / (4 * PI_2);
	double x0 = k->cx + (n->from_rad - 2 * PI_2) * wide;
	double x1 = x0 + n->arc_rad * wide;
	double y = (double)n->y / SCENE_ONE;

	x0 = x0 < 0 ? 0 : x0;
	x1 = x1 > v->width ? v->width : x1;
	if (y < 0 || y >= v->height || !fit(k, n->task, x1 - x0 - ROOM_PX))
		return (false);
	straight(k, (x0 + x1) / 2, y, 1, 0);
	return (true);
}

void
tree_names_each(const struct ui *ui, const struct canvas *layer,
    tree_piece_fn *fn, void *arg)
{
	const struct radial_layout *l = &ui->treepane.nodes;
	const struct radial_view *v = &ui->tree;
	const struct model *m = tree_model(ui);
	bool icicle = v->form == RADIAL_ICICLE;
	struct names k = { .ui = ui,
		.layer = layer,
		.fn = fn,
		.arg = arg,
		.cx = v->width / 2.0 + v->centre_x,
		.cy = v->height / 2.0 + v->centre_y,
		.left = NAMES_MAX };
	double least = 2 * ROOM_PX, wide;
	unsigned door;

	if (v->form == RADIAL_POLYGONS) {
		tree_branches_each(ui, fn, arg);
		return;
	}
	if (l->ring_px < RING_MIN_PX)
		return;
	door = model_enter(m);
	for (size_t i = 0; i < l->nnodes && k.left > 0; i++) {
		const struct radial_node *n = &l->nodes[i];

		wide = icicle ? v->width * v->zoom / (4 * PI_2)
			      : l->ring_px * (n->ring + 1);
		if (n->task == TASK_NONE || n->summary ||
		    (n->ring > 0 && n->arc_rad * wide < least))
			continue;
		k.left -= icicle ? on_box(&k, n) : on_sector(&k, n);
	}
	model_leave(m, door);
}

static void
draw_piece(void *arg, const struct tree_piece *p)
{
	int32_t x = p->x_q / SCENE_ONE, y = p->y_q / SCENE_ONE;

	if (p->upon)
		canvas_blend(arg, x - 2, y - 10,
		    x + 2 + text_width(FONT_SMALL, p->text, p->n), y + 3,
		    p->ground, TREE_GROUND_ALPHA);
	canvas_text_turned(arg, FONT_SMALL, p->x_q, p->y_q, p->dx, p->dy,
	    p->rgb, p->text, p->n);
}

void
tree_names_draw(const struct ui *ui, struct canvas *layer)
{
	tree_names_each(ui, layer, draw_piece, layer);
}
