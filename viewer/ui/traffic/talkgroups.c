/*
 * Rows and columns of who talks to whom: POs, nodes or threads in the order of
 * nodes.  What is more than there is room for is folded, POs and threads to
 * their nodes, nodes to so many beside each other that it fits: nothing is left
 * out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

struct member {
	uint32_t node, po, number, lane; /* number: of the PO, or the lane */
};

static int
by_place(const void *a, const void *b)
{
	const struct member *p = a, *q = b;

	if (p->node != q->node)
		return (p->node < q->node ? -1 : 1);
	if (p->po != q->po)
		return (p->po < q->po ? -1 : 1);
	return (p->number < q->number ? -1 : p->number > q->number);
}

uint32_t
processes_all(const struct ui *ui)
{
	uint32_t n = 0, node, po;

	for (uint32_t i = 0; model_po(ui->model, i, &node, &po) == 0; i++)
		n += po != 0;
	return (n);
}

/* All POs but collectors, or all threads of them.  NULL: ENOMEM. */
static struct member *
members(const struct ui *ui, bool threads, uint32_t *n)
{
	uint32_t all = threads ? model_lanes(ui->model) : model_pos(ui->model);
	struct member *v = malloc((all + 1) * sizeof(*v));
	const struct lane *l;
	struct member m = { 0 };

	*n = 0;
	for (uint32_t i = 0; v != NULL && i < all; i++) {
		m.number = i;
		m.lane = UINT32_MAX;
		if (threads) {
			l = model_lane(ui->model, i);
			if (l->kind != LANE_THREAD || l->thread == 0)
				continue;
			m.node = l->node;
			m.po = l->po;
			m.lane = i;
		} else if (model_po(ui->model, i, &m.node, &m.po) == -1) {
			break;
		}
		if (m.po != 0)
			v[(*n)++] = m;
	}
	if (v != NULL && *n > 1)
		qsort(v, *n, sizeof(*v), by_place);
	return (v);
}

static uint32_t
nodes_of(const struct member *v, uint32_t n)
{
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < n; i++)
		nodes += i == 0 || v[i].node != v[i - 1].node;
	return (nodes);
}

/* The row of a thread, a PO, or of its node. */
static uint32_t
row_of(const struct model *m, const struct member *v, bool node)
{
	uint32_t lane = v->lane;

	if (lane == UINT32_MAX)
		lane = model_po_lane(m, v->number);
	for (; node && lane != UINT32_MAX; lane = model_lane(m, lane)->parent)
		if (model_lane(m, lane)->kind == LANE_NODE)
			break;
	return (lane);
}

/* Into groups of `each` nodes; 0: each is one by itself. */
static void
place(const struct model *m, struct talk_groups *g, const struct member *v,
    uint32_t n, uint32_t each)
{
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool first = i == 0 || v[i].node != v[i - 1].node;

		if (each == 0) {
			g->group[g->n++] = (struct talk_end){ v[i].node, 1,
				v[i].po, v[i].lane };
		} else if (first && nodes++ % each == 0) {
			g->group[g->n++] =
			    (struct talk_end){ v[i].node, 1, 0, UINT32_MAX };
		} else if (first) {
			g->group[g->n - 1].nodes =
			    v[i].node - g->group[g->n - 1].node + 1;
		}
		if (each == 0 ||
		    (first && g->group[g->n - 1].node == v[i].node))
			g->row[g->n - 1] = row_of(m, &v[i], each != 0);
		g->of[v[i].number] = g->n - 1;
	}
}

bool
talk_groups_make(const struct ui *ui, enum talk_level level, uint32_t most,
    struct talk_groups *g)
{
	struct member *v;
	uint32_t n, nodes;

	memset(g, 0, sizeof(*g));
	v = members(ui, level == TALK_BY_THREAD, &n);
	most = most < 1 ? 1 : most > TALK_GROUPS_MAX ? TALK_GROUPS_MAX : most;
	g->level = level != TALK_BY_NODE && n > most ? TALK_BY_NODE : level;
	g->nof = level == TALK_BY_THREAD ? model_lanes(ui->model)
					 : model_pos(ui->model);
	g->group = calloc((n < most ? n : most) + 1, sizeof(*g->group));
	g->row = calloc((n < most ? n : most) + 1, sizeof(*g->row));
	g->of = malloc((g->nof + 1) * sizeof(*g->of));
	if (v == NULL || g->group == NULL || g->row == NULL || g->of == NULL ||
	    n == 0) {
		free(v);
		talk_groups_clear(g);
		return (false);
	}
	memset(g->of, 0xff, (g->nof + 1) * sizeof(*g->of));
	nodes = nodes_of(v, n);
	place(ui->model, g, v, n,
	    g->level != TALK_BY_NODE ? 0 : (nodes + most - 1) / most);
	free(v);
	return (true);
}

void
talk_groups_clear(struct talk_groups *g)
{
	free(g->group);
	free(g->row);
	free(g->of);
	memset(g, 0, sizeof(*g));
}

char *
talk_end_short(const struct ui *ui, const struct talk_end *e, char *buf,
    size_t n)
{
	char name[96];

	if (e->lane != UINT32_MAX)
		snprintf(buf, n, "PO %" PRIu32 "  %s", e->po,
		    label_lane(ui->model, model_lane(ui->model, e->lane), name,
			sizeof(name)));
	else if (e->po != 0)
		snprintf(buf, n, "%s  PO %" PRIu32,
		    label_program(ui->model, e->node, e->po), e->po);
	else if (e->nodes > 1)
		snprintf(buf, n, "%s to %s", label_node(ui->model, e->node),
		    label_node(ui->model, e->node + e->nodes - 1));
	else
		snprintf(buf, n, "%s", label_node(ui->model, e->node));
	return (buf);
}

char *
talk_end_label(const struct ui *ui, const struct talk_end *e, char *buf,
    size_t n)
{
	size_t at = 0;

	if (e->po != 0)
		at = (size_t)snprintf(buf, n, "%.60s  ",
		    label_node(ui->model, e->node));
	if (at < n)
		talk_end_short(ui, e, buf + at, n - at);
	return (buf);
}

char *
talk_end_spell(const struct ui *ui, const struct talk_end *e, char *buf,
    size_t n)
{
	const char *node = label_node(ui->model, e->node);

	if (e->lane != UINT32_MAX)
		snprintf(buf, n, "#%" PRIu32, e->lane);
	else if (e->po != 0)
		snprintf(buf, n, "%s/%" PRIu32, node, e->po);
	else if (e->nodes > 1)
		snprintf(buf, n, "%s:%s", node,
		    label_node(ui->model, e->node + e->nodes - 1));
	else
		snprintf(buf, n, "%s", node);
	return (buf);
}

/* 0: there is none of that name. */
static uint32_t
node_named(const struct ui *ui, const char *name, size_t n)
{
	const char *is;

	for (uint32_t i = 1; i <= model_nodes(ui->model); i++) {
		is = label_node(ui->model, i);
		if (model_node_told(ui->model, i) && strlen(is) == n &&
		    memcmp(is, name, n) == 0)
			return (i);
	}
	return (0);
}

static bool
has_po(const struct ui *ui, const struct talk_end *e)
{
	uint32_t node, po;

	for (uint32_t i = 0; model_po(ui->model, i, &node, &po) == 0; i++)
		if (node == e->node && po == e->po)
			return (true);
	return (false);
}

int
talk_end_parse(const struct ui *ui, const char *word, struct talk_end *e)
{
	const char *slash = strrchr(word, '/'), *colon = strchr(word, ':');
	uint64_t n = 0;
	uint32_t last;

	*e = (struct talk_end){ 0, 1, 0, UINT32_MAX };
	if (word[0] == '#') {
		if (parse_number(word + 1, &n) == -1 ||
		    n >= model_lanes(ui->model) ||
		    model_lane(ui->model, (uint32_t)n)->kind != LANE_THREAD)
			return (-1);
		e->lane = (uint32_t)n;
		e->node = model_lane(ui->model, e->lane)->node;
		e->po = model_lane(ui->model, e->lane)->po;
		return (0);
	}
	if (slash != NULL) {
		if (parse_number(slash + 1, &n) == -1 || n == 0 ||
		    n > UINT32_MAX)
			return (-1);
		e->po = (uint32_t)n;
		e->node = node_named(ui, word, (size_t)(slash - word));
		return (has_po(ui, e) ? 0 : -1);
	} else if (colon != NULL) {
		e->node = node_named(ui, word, (size_t)(colon - word));
		last = node_named(ui, colon + 1, strlen(colon + 1));
		if (last < e->node)
			return (-1);
		e->nodes = last - e->node + 1;
	} else {
		e->node = node_named(ui, word, strlen(word));
	}
	return (e->node == 0 ? -1 : 0);
}

bool
talk_end_has(const struct talk_end *e, const struct lane *l)
{
	if (e->lane != UINT32_MAX)
		return (l->id == e->lane);
	return (l->node >= e->node && l->node - e->node < e->nodes &&
		(e->po == 0 || e->po == l->po));
}

bool
talk_end_same(const struct talk_end *a, const struct talk_end *b)
{
	return (a->node == b->node && a->nodes == b->nodes && a->po == b->po &&
		a->lane == b->lane);
}
