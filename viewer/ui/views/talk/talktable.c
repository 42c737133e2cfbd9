/*
 * Adds up groups for the matrix.
 *
 * Sums of groups, their rows and columns, in one walk.
 */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "talkmatrix.h"
#include "ui/desk/desk.h"

static void
add(struct talk_sum *s, const struct talk_pair *p)
{
	s->count += p->count;
	s->bytes += p->bytes;
	s->ns = span_add(s->ns, p->ns);
}

static double
value_of(const struct talk_statistic *st, const struct talk_sum *s)
{
	struct talk_pair p = { .count = s->count,
		.bytes = s->bytes,
		.ns = s->ns };

	return (talk_value(st, &p));
}

static void
fill(const struct ui *ui, struct talk_table *t)
{
	struct talk_list l;
	struct talk_pair p;
	uint32_t row, col;

	talk_list_of(ui, &l);
	for (uint32_t i = 0; i < l.n; i++) {
		talk_list_at(&l, i, &p);
		if (p.what != (uint32_t)t->statistic->what || p.count == 0 ||
		    p.from >= t->groups.nof || p.to >= t->groups.nof)
			continue;
		row = t->groups.of[p.from];
		col = t->groups.of[p.to];
		if (row == UINT32_MAX || col == UINT32_MAX)
			continue;
		t->pairs++;
		add(&t->cell[(size_t)row * t->groups.n + col], &p);
		add(&t->row[row], &p);
		add(&t->col[col], &p);
		add(&t->all, &p);
	}
}

bool
talk_table_make(const struct ui *ui, const struct talk_statistic *st,
    uint32_t most, struct talk_table *t)
{
	size_t n, cells;

	memset(t, 0, sizeof(*t));
	t->statistic = st;
	if (!talk_groups_make(ui, talk_level_of(ui), most, &t->groups))
		return (false);
	n = t->groups.n;
	cells = n * n;
	t->cell = calloc(cells + 2 * n, sizeof(*t->cell));
	t->value = calloc(cells + 2 * n, sizeof(*t->value));
	if (t->cell == NULL || t->value == NULL) {
		talk_table_clear(t);
		return (false);
	}
	t->row = t->cell + cells;
	t->col = t->row + n;
	t->row_value = t->value + cells;
	t->col_value = t->row_value + n;
	fill(ui, t);
	for (size_t i = 0; i < cells + 2 * n; i++)
		t->value[i] = value_of(st, &t->cell[i]);
	return (true);
}

void
talk_table_clear(struct talk_table *t)
{
	talk_groups_clear(&t->groups);
	free(t->cell);
	free(t->value);
	memset(t, 0, sizeof(*t));
}
