/* See scene.h.  Arrays double; what does not fit in memory is not drawn. */
#include "layout/scene.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void
scene_clear(struct scene *s)
{
	static _Atomic uint64_t made;

	s->n = s->npoints = s->ntext = 0;
	s->made = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;
}

void
scene_free(struct scene *s)
{
	free(s->items);
	free(s->points);
	free(s->text);
	memset(s, 0, sizeof(*s));
}

static int
grow(void *array, size_t *cap, size_t need, size_t elem)
{
	void **a = array, *p;
	size_t n = *cap == 0 ? 256 : *cap;

	while (n < need)
		n *= 2;
	p = realloc(*a, n * elem);
	if (p == NULL)
		return (-1);
	*a = p;
	*cap = n;
	return (0);
}

struct item *
scene_add(struct scene *s, enum item_type type, uint32_t rgb)
{
	struct item *i;

	if (s->n == s->cap &&
	    grow(&s->items, &s->cap, s->n + 1, sizeof(*s->items)) == -1)
		return (NULL);
	i = &s->items[s->n++];
	memset(i, 0, sizeof(*i));
	i->type = (uint8_t)type;
	i->alpha = 255;
	i->rgb = rgb;
	return (i);
}

void
scene_rect(struct scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb)
{
	struct item *i;

	if (x1 <= x0 || y1 <= y0 || (i = scene_add(s, ITEM_RECT, rgb)) == NULL)
		return;
	i->x0 = x0;
	i->y0 = y0;
	i->x1 = x1;
	i->y1 = y1;
}

void
scene_line(struct scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    int32_t w, uint32_t rgb)
{
	struct item *i = scene_add(s, ITEM_LINE, rgb);

	if (i == NULL)
		return;
	i->x0 = x0;
	i->y0 = y0;
	i->x1 = x1;
	i->y1 = y1;
	i->w = w;
}

void
scene_text(struct scene *s, int32_t x, int32_t y, int32_t x1, int font,
    uint32_t rgb, const char *text)
{
	size_t n = strlen(text);
	struct item *i;

	if (n == 0 ||
	    (s->ntext + n + 1 > s->text_cap &&
		grow(&s->text, &s->text_cap, s->ntext + n + 1, 1) == -1))
		return;
	i = scene_add(s, ITEM_TEXT, rgb);
	if (i == NULL)
		return;
	i->x0 = x;
	i->y0 = y;
	i->x1 = x1;
	i->font = (uint8_t)font;
	i->first = (uint32_t)s->ntext;
	i->n = (uint32_t)n;
	memcpy(s->text + s->ntext, text, n + 1);
	s->ntext += n + 1;
}

void
scene_append(struct scene *s, const struct scene *from, size_t item,
    size_t items, size_t text, size_t bytes)
{
	struct item *to;

	if (items == 0 ||
	    (s->n + items > s->cap && grow(&s->items, &s->cap, s->n + items,
					  sizeof(*s->items)) == -1) ||
	    (s->ntext + bytes > s->text_cap &&
		grow(&s->text, &s->text_cap, s->ntext + bytes, 1) == -1))
		return;
	to = s->items + s->n;
	memcpy(to, from->items + item, items * sizeof(*to));
	for (size_t i = 0; bytes > 0 && i < items; i++)
		if (to[i].type == ITEM_TEXT || to[i].type == ITEM_TEXT_RIGHT)
			to[i].first += (uint32_t)(s->ntext - text);
	if (bytes > 0)
		memcpy(s->text + s->ntext, from->text + text, bytes);
	s->n += items;
	s->ntext += bytes;
}

int
scene_point(struct scene *s, int32_t x, int32_t y)
{
	if ((s->npoints + 1) * 2 > s->points_cap &&
	    grow(&s->points, &s->points_cap, (s->npoints + 1) * 2,
		sizeof(*s->points)) == -1)
		return (-1);
	s->points[s->npoints * 2] = x;
	s->points[s->npoints * 2 + 1] = y;
	s->npoints++;
	return (0);
}

struct item *
scene_poly(struct scene *s, size_t first, uint32_t rgb)
{
	struct item *i = scene_add(s, ITEM_POLY, rgb);
	const int32_t *p = s->points + 2 * first;

	if (i == NULL)
		return (NULL);
	i->first = (uint32_t)first;
	i->n = (uint32_t)(s->npoints - first);
	for (uint32_t k = 0; k < i->n; k++) {
		i->y0 = k == 0 || p[2 * k + 1] < i->y0 ? p[2 * k + 1] : i->y0;
		i->y1 = k == 0 || p[2 * k + 1] > i->y1 ? p[2 * k + 1] : i->y1;
	}
	return (i);
}

struct item *
scene_mark(struct scene *s, enum item_type type, int32_t x, int32_t y,
    int32_t w, uint32_t rgb)
{
	struct item *i = scene_add(s, type, rgb);

	if (i == NULL)
		return (NULL);
	i->x0 = i->x1 = x;
	i->y0 = i->y1 = y;
	i->w = w;
	return (i);
}

void
scene_print(const struct scene *s, FILE *f)
{
	static const char *const names[] = { "rect", "hatch", "line", "arrow",
		"dash", "poly", "dot", "circle", "square", "square_open",
		"diamond", "text", "text_right" };
	const struct item *i;
	bool poly;

	for (size_t k = 0; k < s->n; k++) {
		i = &s->items[k];
		poly = i->type == ITEM_POLY; /* its points tell it all */
		fprintf(f, "%s %d,%d %d,%d", names[i->type], i->x0,
		    poly ? 0 : i->y0, i->x1, poly ? 0 : i->y1);
		if (i->w != 0)
			fprintf(f, " w%d", i->w);
		fprintf(f, " #%06x", i->rgb);
		if (i->alpha != 255)
			fprintf(f, " a%d", i->alpha);
		if (i->of != OF_NOTHING)
			fprintf(f, " of %d:%llu", i->of,
			    (unsigned long long)i->id);
		if (i->type == ITEM_TEXT || i->type == ITEM_TEXT_RIGHT)
			fprintf(f, " \"%.*s\"", (int)i->n, s->text + i->first);
		for (uint32_t p = 0; poly && p < i->n; p++)
			fprintf(f, " %d,%d", s->points[(i->first + p) * 2],
			    s->points[(i->first + p) * 2 + 1]);
		fputc('\n', f);
	}
}
