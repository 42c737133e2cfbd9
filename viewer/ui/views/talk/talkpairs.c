/*
 * Lists pairs by what they have most of.
 *
 * What is found of a pair comes kind by kind, in any order:
 * it is brought together by sorting, and of very many only the first are kept.
 */
#include "talkpairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "ui/desk/desk.h"

static uint64_t
amount(const struct talk_row *r, bool calls)
{
	uint64_t n = 0;

	if (!calls)
		return (r->of[TALK_MESSAGE].count);
	for (int k = TALK_SETUP; k < TALKS; k++)
		n += r->of[k].count;
	return (n);
}

static int
compare_ends(const struct talk_end *a, const struct talk_end *b)
{
	if (a->node != b->node)
		return (a->node < b->node ? -1 : 1);
	if (a->po != b->po)
		return (a->po < b->po ? -1 : 1);
	return (a->lane < b->lane ? -1 : a->lane > b->lane);
}

static int
by_order(const void *a, const void *b)
{
	const struct talk_row *p = a, *q = b;
	int from = compare_ends(&p->from, &q->from);

	return (from != 0 ? from : compare_ends(&p->to, &q->to));
}

static int
compare(const struct talk_row *p, const struct talk_row *q, bool calls)
{
	uint64_t n = amount(p, calls), m = amount(q, calls);
	uint64_t x =
	    calls ? (uint64_t)p->of[TALK_WHOLE].ns : p->of[TALK_MESSAGE].bytes;
	uint64_t y =
	    calls ? (uint64_t)q->of[TALK_WHOLE].ns : q->of[TALK_MESSAGE].bytes;

	if (n != m)
		return (n < m ? 1 : -1);
	if (x != y)
		return (x < y ? 1 : -1);
	return (by_order(p, q));
}

static int
by_messages(const void *a, const void *b)
{
	return (compare(a, b, false));
}

/* A heap whose first is the last of all may be in this order. */
static int
by_messages_last(const void *a, const void *b)
{
	return (by_messages(b, a));
}

static int
by_calls(const void *a, const void *b)
{
	return (compare(a, b, true));
}

static struct talk_end
end_of(const struct ui *ui, bool threads, uint32_t number)
{
	struct talk_end e = { 0, 1, 0, UINT32_MAX };
	const struct lane *l;

	if (threads) {
		l = model_lane(ui->model, number);
		return ((struct talk_end){ l->node, 1, l->po, number });
	}
	(void)model_po(ui->model, number, &e.node, &e.po);
	return (e);
}

/* Those of one pair become one row; returns how many are left. */
static size_t
merge(struct talk_row *v, size_t n)
{
	size_t k = 0;

	qsort(v, n, sizeof(*v), by_order);
	for (size_t i = 0; i < n; i++) {
		if (k == 0 || by_order(&v[k - 1], &v[i]) != 0) {
			v[k++] = v[i];
			continue;
		}
		for (int j = 0; j < TALKS; j++)
			if (v[i].of[j].count != 0)
				v[k - 1].of[j] = v[i].of[j];
	}
	return (k);
}

static struct talk_row
row_of(const struct ui *ui, const struct talk_pair *p)
{
	bool threads = talk_level_of(ui) == TALK_BY_THREAD;
	struct talk_row row;

	memset(&row, 0, sizeof(row));
	row.from = end_of(ui, threads, p->from);
	row.to = end_of(ui, threads, p->to);
	row.of[p->what] = *p;
	return (row);
}

/* The first of v is the last of all in order: where is x, in its place? */
static void
sink(struct talk_row *v, size_t n, const struct talk_row *x)
{
	size_t i = 0, k;

	while ((k = 2 * i + 1) < n) {
		if (k + 1 < n && by_messages(&v[k + 1], &v[k]) > 0)
			k++;
		if (by_messages(x, &v[k]) >= 0)
			break;
		v[i] = v[k];
		i = k;
	}
	v[i] = *x;
}

/* Behind the last one that is kept, as far as its numbers tell. */
static bool
is_less(const struct talk_pair *p, const struct talk_row *last)
{
	const struct talk_pair *q = &last->of[TALK_MESSAGE];

	return (p->count < q->count ||
		(p->count == q->count && p->bytes < q->bytes));
}

/*
 * Pairs with most messages: there may be millions, of which only those are kept
 * that are among the first so far.
 */
static struct talk_row *
message_rows(const struct ui *ui, const struct talk_list *l, size_t *n,
    size_t *all)
{
	struct talk_row *v = malloc(TALK_ROWS_MAX * sizeof(*v)), row;
	struct talk_pair p;

	for (uint32_t i = 0; v != NULL && i < l->n; i++) {
		talk_list_at(l, i, &p);
		if (p.count == 0 || p.what != TALK_MESSAGE)
			continue;
		if (++*all <= TALK_ROWS_MAX) {
			v[(*n)++] = row_of(ui, &p);
			if (*n == TALK_ROWS_MAX) /* the last one comes first */
				qsort(v, *n, sizeof(*v), by_messages_last);
			continue;
		}
		if (is_less(&p, &v[0]))
			continue;
		row = row_of(ui, &p);
		if (by_messages(&row, &v[0]) < 0)
			sink(v, *n, &row);
	}
	if (*n > 0)
		qsort(v, *n, sizeof(*v), by_messages);
	return (v);
}

static struct talk_row *
call_rows(const struct ui *ui, const struct talk_list *l, size_t *n,
    size_t *all)
{
	struct talk_row *v = malloc(((size_t)l->n + 1) * sizeof(*v));
	struct talk_pair p;

	for (uint32_t i = 0; v != NULL && i < l->n; i++) {
		talk_list_at(l, i, &p);
		if (p.count != 0 && p.what != TALK_MESSAGE)
			v[(*n)++] = row_of(ui, &p);
	}
	if (v == NULL || *n == 0)
		return (v);
	*all = *n = merge(v, *n);
	qsort(v, *n, sizeof(*v), by_calls);
	*n = *n < TALK_ROWS_MAX ? *n : TALK_ROWS_MAX;
	return (v);
}

struct talk_row *
talk_rows(const struct ui *ui, bool calls, size_t *n, size_t *all)
{
	struct talk_list l;

	talk_list_of(ui, &l);
	*n = *all = 0;
	return (
	    calls ? call_rows(ui, &l, n, all) : message_rows(ui, &l, n, all));
}

void
talk_between(const struct ui *ui, const struct talk_groups *g, uint32_t row,
    uint32_t col, struct talk_pair of[TALKS])
{
	struct talk_list l;
	struct talk_pair p;

	memset(of, 0, TALKS * sizeof(*of));
	talk_list_of(ui, &l);
	for (uint32_t i = 0; i < l.n; i++) {
		talk_list_at(&l, i, &p);
		if (p.from >= g->nof || p.to >= g->nof ||
		    g->of[p.from] != row || g->of[p.to] != col)
			continue;
		of[p.what].count += p.count;
		of[p.what].bytes += p.bytes;
		of[p.what].ns = span_add(of[p.what].ns, p.ns);
	}
}

static void
add_pair(struct talk_pair *to, const struct talk_pair *p)
{
	to->count += p->count;
	to->bytes += p->bytes;
	to->ns = span_add(to->ns, p->ns);
}

void
talk_sums_of(const struct ui *ui, const struct talk_groups *g, uint32_t row,
    struct talk_pair sent[TALKS], struct talk_pair received[TALKS])
{
	struct talk_list l;
	struct talk_pair p;

	memset(sent, 0, TALKS * sizeof(*sent));
	memset(received, 0, TALKS * sizeof(*received));
	talk_list_of(ui, &l);
	for (uint32_t i = 0; i < l.n; i++) {
		talk_list_at(&l, i, &p);
		if (p.from < g->nof && g->of[p.from] == row)
			add_pair(&sent[p.what], &p);
		if (p.to < g->nof && g->of[p.to] == row)
			add_pair(&received[p.what], &p);
	}
}

char *
talk_sums_words(const struct ui *ui, const struct talk_groups *g, uint32_t row,
    char *buf, size_t n)
{
	struct talk_pair sent[TALKS], received[TALKS];
	const char *about = messages_exact(ui) ? "" : "~";

	talk_sums_of(ui, g, row, sent, received);
	snprintf(buf, n,
	    "sent %s%" PRIu64 ", %s%" PRIu64 " bytes; received %s%" PRIu64
	    ", %s%" PRIu64 " bytes; calls made %s%" PRIu64
	    ", served %s%" PRIu64,
	    about, sent[TALK_MESSAGE].count, about, sent[TALK_MESSAGE].bytes,
	    about, received[TALK_MESSAGE].count, about,
	    received[TALK_MESSAGE].bytes, about, sent[TALK_WHOLE].count, about,
	    received[TALK_WHOLE].count);
	return (buf);
}
