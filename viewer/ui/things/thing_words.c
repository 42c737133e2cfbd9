/* Things as words, for scripts and the layout file, and back again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "thing_inside.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

char *
thing_spell(const struct ui *ui, const struct thing *k, char *buf, size_t n)
{
	int64_t t = thing_time(k) - run_origin(ui);

	switch (k->kind) {
	case THING_TASK:
		snprintf(buf, n, "task 0x%" PRIx64, k->id);
		break;
	case THING_PATH:
		snprintf(buf, n, "path 0x%" PRIx64, k->id);
		break;
	case THING_ROW:
		snprintf(buf, n, "row %" PRIu32, k->lane);
		break;
	case THING_SPAN:
		snprintf(buf, n, "span %" PRIu32 " %" PRId64 "ns", k->of, t);
		break;
	case THING_LINK:
		snprintf(buf, n, "link %" PRIu32 " %" PRId64 "ns 0x%" PRIx64,
		    k->link.lane0, t, k->link.id);
		break;
	case THING_MARK:
		snprintf(buf, n, "mark %" PRIu32 " %" PRId64 "ns", k->mark.lane,
		    t);
		break;
	case THING_RUN:
		snprintf(buf, n, "run");
		break;
	}
	return (buf);
}

static int
parse_task(const struct ui *ui, const char *word, struct thing *k)
{
	uint64_t v;

	if (parse_number(word, &v) == -1)
		return (-1);
	k->kind = THING_TASK;
	if (word[0] == '0' && word[1] == 'x') {
		k->id = v;
	} else {
		if (v >= model_tasks(ui->model) ||
		    model_task_gone(ui->model, (uint32_t)v))
			return (-1);
		k->id = model_task(ui->model, (uint32_t)v)->id;
	}
	return (model_task_by_id(ui->model, k->id) == TASK_NONE ? -1 : 0);
}

/* A link of that row and time; with an id only that. */
static int
parse_link(const struct ui *ui, const char *id, int64_t t, struct thing *k)
{
	struct link like = { .t0_mon_ns = t, .lane0 = k->lane }, *v;
	uint64_t wanted;
	bool found = false;
	size_t n;

	k->kind = THING_LINK;
	if (id[0] == '\0')
		return (thing_find_link(ui->model, k->lane, t, NULL, &k->link)
			    ? 0
			    : -1);
	if (parse_number(id, &wanted) == -1 ||
	    (v = malloc(LINKS_LOOK * sizeof(*v))) == NULL)
		return (-1);
	n = model_links(ui->model, t, t + 1, v, LINKS_LOOK);
	for (size_t i = 0; !found && i < n && i < LINKS_LOOK; i++) {
		like.id = wanted;
		like.kind0 = v[i].kind0;
		found = thing_same_link(&v[i], &like);
		if (found)
			k->link = v[i];
	}
	free(v);
	return (found ? 0 : -1);
}

int
thing_parse(const struct ui *ui, const char *text, struct thing *k)
{
	char kind[8] = "", a[24] = "", b[40] = "", id[24] = "";
	int n = sscanf(text, "%7s %23s %39s %23s", kind, a, b, id);
	uint64_t v;
	int64_t t;

	memset(k, 0, sizeof(*k));
	k->lane = UINT32_MAX;
	if (n == 2 && strcmp(kind, "task") == 0)
		return (parse_task(ui, a, k));
	if (n < 2 || parse_number(a, &v) == -1)
		return (-1);
	if (n == 2 && strcmp(kind, "path") == 0) {
		k->kind = THING_PATH;
		k->id = v;
		return (thing_refresh(ui, k) ? 0 : -1);
	}
	if (v >= model_lanes(ui->model))
		return (-1);
	k->lane = (uint32_t)v;
	if (n == 2 && strcmp(kind, "row") == 0) {
		k->kind = THING_ROW;
		return (0);
	}
	if (n < 3 || parse_time(b, &t) == -1)
		return (-1);
	t += run_origin(ui);
	if (n == 3 && strcmp(kind, "span") == 0) {
		k->kind = THING_SPAN;
		k->of = thing_shown_lane(ui, k->lane);
		if (!thing_find_span(ui->model, k->of, t, NULL, &k->span))
			return (-1);
		if (k->span.kind != SPAN_task)
			return (0);
		k->kind = THING_TASK;
		k->id = k->span.id;
		return (0);
	}
	if (n == 3 && strcmp(kind, "mark") == 0) {
		k->kind = THING_MARK;
		return (
		    thing_find_mark(ui->model, k->lane, t, &k->mark) ? 0 : -1);
	}
	return (strcmp(kind, "link") == 0 ? parse_link(ui, id, t, k) : -1);
}
