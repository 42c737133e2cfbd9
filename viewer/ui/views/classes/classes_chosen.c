/*
 * The chosen class: what lies where in it, with what nothing is in; and its
 * functions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/palette.h"
#include "ui/draw/draw.h"
#include "ui/views/classes/classes.h"
#include "ui/views/view.h"

#define ROW_PX     15
#define CACHE_LINE 64

/* A member, a base, or a hole. */
struct part_of {
	int64_t at_bytes; /* -1: nowhere in it */
	uint64_t bytes, bits;
	const char *type, *name; /* NULL: nothing is here */
};

static int
by_at(const void *a, const void *b)
{
	const struct part_of *x = a, *y = b;

	if (x->at_bytes != y->at_bytes)
		return (x->at_bytes < y->at_bytes ? -1 : 1);
	return ((x->bytes > y->bytes) - (x->bytes < y->bytes));
}

/* Holes become parts; n of them are there, and room for as many more. */
static size_t
add_holes(const struct program_type *t, struct part_of *p, size_t n)
{
	int64_t at = 0, bytes = (int64_t)t->bytes, end;
	size_t all = n;

	for (size_t i = 0; i <= n; i++) {
		int64_t from = i < n ? p[i].at_bytes : bytes;

		if (from < 0)
			continue;
		if (from > at && at < bytes)
			p[all++] = (struct part_of){ at, (uint64_t)(from - at),
				0, NULL, NULL };
		if (i == n)
			break;
		end = from + (int64_t)(p[i].bits > 0 ? (p[i].bits + 7) / 8
						     : p[i].bytes);
		at = end > at ? end : at;
	}
	return (all);
}

/* In their order; to be freed.  NULL: no memory. */
static struct part_of *
parts_of(const struct class *k, size_t *n)
{
	const struct program_type *t = k->is;
	size_t most = (size_t)t->nmembers + t->nbases, all = 0;
	struct part_of *p = calloc(2 * most + 2, sizeof(*p));

	*n = 0;
	if (p == NULL)
		return (NULL);
	for (uint32_t i = 0; i < t->nbases; i++)
		p[all++] = (struct part_of){ t->bases[i].at_bytes,
			t->bases[i].bytes, 0, "base", t->bases[i].name };
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const struct program_member *m = &t->members[i];

		p[all++] = (struct part_of){ m->at_bytes, m->bytes,
			m->bits > 0 ? m->first_bit + m->bits : 0, m->type,
			m->name };
	}
	qsort(p, all, sizeof(*p), by_at);
	*n = k->unused > 0 ? add_holes(t, p, all) : all;
	qsort(p, *n, sizeof(*p), by_at);
	return (p);
}

static const char *
part_words(const struct part_of *p, char *buf, size_t n)
{
	size_t end = p->type == NULL ? 0 : strlen(p->type);

	if (p->name == NULL)
		snprintf(buf, n, "unused");
	else
		snprintf(buf, n, "%.120s%s%.120s%s", class_text(p->type),
		    end > 0 && p->type[end - 1] == '*' ? "" : " ",
		    class_text(p->name), p->at_bytes < 0 ? ", elsewhere" : "");
	return (buf);
}

/* --- drawn --- */

static void
draw_parts(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct class *k)
{
	const struct palette *p = ui->palette;
	struct part_of *part;
	char words[300];
	size_t n, rows = (size_t)((r->y1 - r->y0) / ROW_PX);
	int32_t y = r->y0 + 12;

	part = parts_of(k, &n);
	for (size_t i = 0; part != NULL && i < n && i < rows; i++) {
		bool hole = part[i].name == NULL;

		if (i + 1 == rows && n > rows) {
			draw_text(c, FONT_SMALL, r->x0 + 100, y, p->dim,
			    "and %zu more", n - i);
			break;
		}
		if (part[i].at_bytes >= 0)
			draw_right(c, FONT_SMALL, r->x0 + 44, y, p->dim,
			    "%" PRId64, part[i].at_bytes);
		draw_right(c, FONT_SMALL, r->x0 + 88, y,
		    hole ? p->warn : p->text, "%" PRIu64, part[i].bytes);
		draw_cut(c, FONT_SMALL, r->x0 + 100, y, r->x1 - r->x0 - 100,
		    hole ? p->warn : p->text,
		    part_words(&part[i], words, sizeof(words)));
		y += ROW_PX;
	}
	free(part);
}

static void
draw_function(struct ui *ui, struct canvas *c, const struct rect *r, int32_t y,
    const struct classes *all, const struct class_function *f)
{
	const struct palette *p = ui->palette;
	int32_t name_px = (r->x1 - r->x0) * 2 / 5, x = r->x0 + name_px;
	char num[32], span[32], place[200];
	const char *file = strrchr(f->is->file, '/');

	canvas_fill(c, r->x0, y - 8, r->x0 + 8, y,
	    palette_of(ui->model, f->name, f->is->name));
	draw_cut_middle(c, FONT_SMALL, r->x0 + 14, y, name_px - 20, p->text,
	    f->is->name);
	if (f->name != 0)
		spot_add(ui, r->x0, y - 11, x, y + 4, "find \"%.38s\"",
		    f->is->name);
	snprintf(place, sizeof(place), "%.150s:%" PRIu32,
	    file == NULL ? f->is->file : file + 1, f->is->first);
	draw_cut_middle(c, FONT_SMALL, x, y, r->x1 - x - 130, p->accent, place);
	spot_add(ui, x, y - 11, r->x1 - 126, y + 4, "class-source @%zu",
	    (size_t)(f - all->function));
	draw_right(c, FONT_SMALL, r->x1 - 64, y,
	    f->sum.calls > 0 ? p->text : p->dim, "%s",
	    format_count(num, sizeof(num),
		all->sampled ? f->sum.samples : f->sum.calls));
	draw_right(c, FONT_SMALL, r->x1, y, p->text, "%s",
	    format_span(span, sizeof(span), class_time_ns(all, &f->sum)));
}

static void
draw_functions(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct classes *all, const struct class *k)
{
	const struct palette *p = ui->palette;
	uint32_t rows = (uint32_t)((r->y1 - r->y0) / ROW_PX);
	int32_t y = r->y0 + 12;

	draw_text(c, FONT_SMALL, r->x0, y, p->dim, "%" PRIu32 " function%s",
	    k->functions, k->functions == 1 ? "" : "s");
	draw_right(c, FONT_SMALL, r->x1 - 64, y, p->dim, "%s",
	    all->sampled ? "found" : "calls");
	draw_right(c, FONT_SMALL, r->x1, y, p->dim, "%s",
	    all->sampled ? "CPU" : "ran");
	for (uint32_t i = 0; i < k->functions && i + 1 < rows; i++) {
		y += ROW_PX;
		if (i + 2 == rows && i + 1 < k->functions) {
			draw_text(c, FONT_SMALL, r->x0 + 14, y, p->dim,
			    "and %" PRIu32 " more", k->functions - i);
			return;
		}
		draw_function(ui, c, r, y, all, &all->function[k->first + i]);
	}
}

static void
title_words(const struct class *k, char *buf, size_t n)
{
	uint64_t lines = (k->is->bytes + CACHE_LINE - 1) / CACHE_LINE;
	size_t at = (size_t)snprintf(buf, n,
	    "%" PRIu64 " bytes in %" PRIu64 " cache line%s", k->is->bytes,
	    lines, lines == 1 ? "" : "s");

	if (k->unused >= 0 && at < n)
		at += (size_t)snprintf(buf + at, n - at, ", %" PRId64 " unused",
		    k->unused);
	if (k->objects > 0 && at < n)
		at += (size_t)snprintf(buf + at, n - at,
		    ", %" PRIu64 " objects", k->objects);
	if (k->serves && at < n)
		snprintf(buf + at, n - at, ", serves remote calls");
}

void
class_draw(struct ui *ui, struct canvas *c, const struct rect *r, uint32_t i)
{
	const struct classes *all = ui->figures.classes;
	const struct class *k = &all->class[i];
	const struct palette *p = ui->palette;
	int32_t mid = (r->x0 + r->x1) / 2, x, y = r->y0 + 14;
	struct rect left = { r->x0, y + 6, mid - 10, r->y1 };
	struct rect right = { mid + 10, y + 6, r->x1, r->y1 };
	char words[300];

	canvas_fill(c, r->x0, r->y0, r->x1, r->y0 + 1, p->line);
	x = draw_text(c, FONT_BOLD, r->x0, y, p->text, "%.60s",
	    class_words(k, words, sizeof(words)));
	title_words(k, words, sizeof(words));
	draw_cut(c, FONT_SMALL, x + 14, y, r->x1 - x - 200, p->dim, words);
	snprintf(words, sizeof(words), "%.200s:%" PRIu32, k->is->file,
	    k->is->line);
	draw_cut_middle(c, FONT_SMALL, r->x1 - 180, y, 180, p->accent, words);
	if (k->is->file[0] != '\0')
		spot_add(ui, r->x1 - 180, y - 12, r->x1, y + 4,
		    "class-source #%" PRIu32, i);
	draw_parts(ui, c, &left, k);
	draw_functions(ui, c, &right, all, k);
}

void
class_say(struct ui *ui, uint32_t i, FILE *f)
{
	const struct class *k = &ui->figures.classes->class[i];
	struct part_of *part;
	char words[300];
	size_t n;

	fprintf(f, "  chosen: %s\n", class_words(k, words, sizeof(words)));
	part = parts_of(k, &n);
	for (size_t m = 0; part != NULL && m < n; m++)
		fprintf(f, "    at %" PRId64 ": %" PRIu64 " bytes, %s\n",
		    part[m].at_bytes, part[m].bytes,
		    part_words(&part[m], words, sizeof(words)));
	free(part);
}
