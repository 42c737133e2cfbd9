/*
 * The tables of any view as a file for other programs: it is drawn large, to
 * nobody, and what its cells say is heard instead, page by page.  So a table
 * has in the file what it has on the screen, with all of its columns that are
 * not hidden and whole names.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/out/out.h"
#include "ui/out/outfile.h"
#include "ui/views/cells.h"
#include "ui/views/view.h"

#define WIDTH_PX  2400
#define HEIGHT_PX 16384 /* some 1,000 rows at once */
#define TABLES    4     /* in one view */

struct said {
	int32_t x, y;
	bool right; /* it ends at x */
	size_t at;  /* in the text */
};

/* A table, and how far it is written. */
struct part {
	struct table t;
	const char *title[TABLE_COLUMNS]; /* static, of its view */
	int32_t next;                     /* row */
	FILE *f;                          /* NULL: nothing is written of it */
	char *text;                       /* owned */
	size_t n;
};

struct hearing {
	struct ui *ui;
	enum view_id view;
	int64_t t0, t1;
	struct part part[TABLES];
	size_t parts;
	struct said *said; /* of one page; owned */
	size_t n, cap;
	char *text; /* owned */
	size_t used, size;
	uint64_t rows;
	bool failed;
};

/* --- hearing --- */

static bool
text_reserve(struct hearing *h, size_t n)
{
	size_t size = h->size == 0 ? 65536 : h->size * 2;
	char *p;

	if (h->used + n <= h->size)
		return (true);
	size = size < h->used + n ? h->used + n : size;
	p = realloc(h->text, size);
	if (p == NULL)
		return (false);
	h->text = p;
	h->size = size;
	return (true);
}

static bool
said_reserve(struct hearing *h)
{
	size_t cap = h->cap == 0 ? 1024 : h->cap * 2;
	struct said *p;

	if (h->n < h->cap)
		return (true);
	p = realloc(h->said, cap * sizeof(*p));
	if (p == NULL)
		return (false);
	h->said = p;
	h->cap = cap;
	return (true);
}

static void
text_heard(void *arg, int32_t x0, int32_t x1, int32_t baseline, bool right,
    const char *text, size_t n)
{
	struct hearing *h = arg;

	if (n == 0)
		return;
	if (!said_reserve(h) || !text_reserve(h, n + 1)) {
		h->failed = true;
		return;
	}
	h->said[h->n++] =
	    (struct said){ right ? x1 : x0, baseline, right, h->used };
	memcpy(h->text + h->used, text, n);
	h->text[h->used + n] = '\0';
	h->used += n + 1;
}

/* The same table as on the page before has its place again. */
static void
table_told(void *arg, const struct table *t, const struct table_column *column)
{
	struct hearing *h = arg;
	struct part *p = &h->part[h->parts];

	if (h->parts == TABLES)
		return;
	h->parts++;
	p->t = *t;
	for (size_t i = 0; i < t->n; i++)
		p->title[i] = column[i].title;
}

/* --- what was heard, in order --- */

static int
by_place(const void *a, const void *b)
{
	const struct said *x = a, *y = b;

	if (x->y != y->y)
		return (x->y < y->y ? -1 : 1);
	if (x->x != y->x)
		return (x->x < y->x ? -1 : 1);
	return ((x->at > y->at) - (x->at < y->at));
}

static bool
is_shown(const struct table *t, size_t i)
{
	return (t->place[i].x1 > t->place[i].x0);
}

/* Column of a text; t->n: it is beside the table. */
static size_t
column_of(const struct table *t, const struct said *s)
{
	size_t found = t->n;

	for (size_t i = 0; i < t->n; i++) {
		if (!is_shown(t, i))
			continue;
		if (s->right && s->x <= t->place[i].x1 + TABLE_APART / 2)
			return (s->x >= t->place[i].x0 ? i : found);
		if (!s->right && s->x >= t->place[i].x0 - TABLE_APART / 2 &&
		    s->x <= t->place[i].x1 + TABLE_APART / 2)
			found = i;
	}
	return (found);
}

/* Tabs and ends of lines are none of the text's; 1,204 is a number. */
static void
put(FILE *f, const char *text)
{
	bool number = strspn(text, "0123456789,.") == strlen(text);

	for (; *text != '\0'; text++)
		if (!number || *text != ',')
			fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
}

/* All that was said from y0 to y1 in a column, with blanks between. */
static void
put_cell(const struct hearing *h, const struct part *p, size_t column,
    int32_t y0, int32_t y1, size_t from)
{
	bool any = false;

	for (size_t i = from; i < h->n && h->said[i].y < y1; i++) {
		if (h->said[i].y < y0 ||
		    column_of(&p->t, &h->said[i]) != column)
			continue;
		if (any)
			fputc(' ', p->f);
		put(p->f, h->text + h->said[i].at);
		any = true;
	}
}

static size_t
first_below(const struct hearing *h, int32_t y)
{
	size_t low = 0, high = h->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (h->said[mid].y < y)
			low = mid + 1;
		else
			high = mid;
	}
	return (low);
}

/* Titles that the table has none for are those that stand there. */
static void
put_head(const struct hearing *h, const struct part *p)
{
	const struct table *t = &p->t;
	const char *between = "";

	fputs(TABLE_HEAD, p->f);
	for (size_t i = 0; i < t->n; i++) {
		if (!is_shown(t, i))
			continue;
		fputs(between, p->f);
		between = "\t";
		if (p->title[i][0] != '\0')
			put(p->f, p->title[i]);
		else
			put_cell(h, p, i, t->head_y, t->y,
			    first_below(h, t->head_y));
	}
	fputc('\n', p->f);
}

static void
put_row(struct hearing *h, const struct part *p, int32_t shown)
{
	const struct table *t = &p->t;
	int32_t y0 = t->y + shown * t->row_px;
	size_t from = first_below(h, y0);

	fprintf(p->f, "%s\t%zu\t%" PRId64 "\t%" PRId64 "\t%" PRId32,
	    views[h->view].name, (size_t)(p - h->part) + 1, h->t0, h->t1,
	    t->first + shown + 1);
	for (size_t i = 0; i < t->n; i++) {
		if (!is_shown(t, i))
			continue;
		fputc('\t', p->f);
		put_cell(h, p, i, y0, y0 + t->row_px, from);
	}
	fputc('\n', p->f);
	h->rows++;
}

static bool
part_begin(const struct hearing *h, struct part *p)
{
	if (p->f != NULL)
		return (true);
	p->f = open_memstream(&p->text, &p->n);
	if (p->f == NULL)
		return (false);
	put_head(h, p);
	return (true);
}

/* --- pages --- */

static void
draw_page(struct hearing *h)
{
	static uint32_t dot;
	struct rect all = { 0, 0, WIDTH_PX, HEIGHT_PX };
	struct canvas c;

	h->n = h->used = h->parts = 0;
	canvas_init(&c, &dot, 1, 1, 1);
	draw_listen(text_heard, h);
	cells_listen(table_told, h);
	views[h->view].draw(h->ui, &c, &all);
	draw_listen(NULL, NULL);
	cells_listen(NULL, NULL);
	if (h->n > 1)
		qsort(h->said, h->n, sizeof(*h->said), by_place);
}

/* Where the next page begins; -1: nowhere. */
static int32_t
put_page(struct hearing *h)
{
	int32_t more = -1;

	for (size_t i = 0; i < h->parts; i++) {
		struct part *p = &h->part[i];
		int32_t from = p->next > p->t.first ? p->next - p->t.first : 0;

		if (from < p->t.shown && !part_begin(h, p))
			h->failed = true;
		for (int32_t k = from;
		     k < p->t.shown && !h->failed && h->rows < LIST_WRITES; k++)
			put_row(h, p, k);
		if (p->t.first + p->t.shown > p->next)
			p->next = p->t.first + p->t.shown;
		if (p->next < p->t.rows && p->next > more)
			more = p->next;
	}
	return (h->rows < LIST_WRITES && !h->failed ? more : -1);
}

/* The view is as it was, where it is drawn as it is. */
static void
put_pages(struct hearing *h)
{
	struct ui *ui = h->ui;
	int32_t *scroll = &ui->lists.scroll[h->view], was = *scroll, at = 0;
	bool mouse = ui->mouse.in, undone = ui->picture->undone;
	bool (*stop_cb)(void *) = ui->picture->stop_cb;
	size_t spots = ui->spots.n;

	ui->picture->stop_cb = NULL; /* all of it, now */
	ui->mouse.in = false;
	views[h->view].prepare(ui);
	for (int32_t next = 0; next >= at; next = put_page(h)) {
		*scroll = at = next;
		draw_page(h);
		at++; /* it goes on behind it, or is over */
	}
	*scroll = was;
	ui->mouse.in = mouse;
	ui->picture->stop_cb = stop_cb;
	ui->picture->undone = undone;
	ui->spots.n = spots;
}

/* The parts one behind the other, with an empty line between. */
static void
parts_join(struct hearing *h, FILE *f)
{
	const char *between = "";

	for (size_t i = 0; i < TABLES; i++) {
		struct part *p = &h->part[i];

		if (p->f == NULL)
			continue;
		h->failed |= ferror(p->f) != 0;
		h->failed |= fclose(p->f) != 0;
		if (f != NULL && !h->failed) {
			fputs(between, f);
			fwrite(p->text, 1, p->n, f);
			between = "\n";
		}
		free(p->text);
	}
}

/* 0, or -1: what is wrong is said. */
static int
parts_write(struct hearing *h, const char *path)
{
	struct outfile o = { 0 };
	bool open = h->rows > 0 && outfile_open(&o, path) == 0;
	int trouble = errno;

	parts_join(h, open ? o.f : NULL);
	if (h->rows == 0)
		return (
		    desk_fail(h->ui, "%s has no table now, or nothing is in it",
			views[h->view].name));
	if (open && outfile_close(&o, !h->failed && ferror(o.f) == 0) == 0)
		return (0);
	return (desk_fail(h->ui, "cannot write %.120s: %s", path,
	    outfile_trouble(open        ? errno
			    : h->failed ? ENOMEM
					: trouble)));
}

int
table_write(struct ui *ui, enum view_id view, const char *path)
{
	struct hearing h = { .ui = ui, .view = view };
	int rc;

	if ((views[view].flags & VIEW_TABLE) == 0)
		return (desk_fail(ui, "%s has no table to write as .tsv",
		    views[view].name));
	if (!figures_range(ui, &h.t0, &h.t1))
		return (desk_fail(ui, "nothing has happened in this time"));
	h.t0 -= run_origin(ui);
	h.t1 -= run_origin(ui);
	put_pages(&h);
	rc = parts_write(&h, path);
	free(h.said);
	free(h.text);
	if (rc == 0)
		snprintf(ui->told.message, sizeof(ui->told.message),
		    "written to %.120s: %" PRIu64 " row%s", path, h.rows,
		    h.rows == 1 ? "" : "s");
	return (rc);
}
