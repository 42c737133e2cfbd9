/* The view Memory: asked for, and in words. */
#include "memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/asked.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define EVENTS_FRAME 20000 /* about a millisecond */
#define DESCRIBED    64    /* places, and pairs, in words */

const struct legend_row memory_legend[] = {
	{ ITEM_RECT, LEGEND_NODES, 0,
	    "bytes in use, by process: the colour of its node" },
	{ ITEM_RECT, LEGEND_INK(dim), "bytes of a place over the run" },
	{ ITEM_LINE, LEGEND_INK(accent),
	    "the end of the range that the figures are of" },
	{ ITEM_TEXT, LEGEND_INK(warn),
	    "what is not freed, a place that only grows" },
	{ 0 },
};

static void *
make(void)
{
	return (heap_sums_new());
}

static void
end(void *k)
{
	heap_sums_free(k);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	heap_sums_begin(k, of->model, of->t0, of->t1, run_begin(ui),
	    run_end(ui));
}

static bool
step(void *k)
{
	return (heap_sums_step(k, EVENTS_FRAME));
}

static const struct asked_how how = { make, end, begin, step, 1, 20 };

const struct heap_sums *
memory_shown(const struct ui *ui)
{
	return (asked_shown(ui, ASKED_HEAP));
}

bool
memory_prepare(struct ui *ui)
{
	struct asked_of want = { .model = ui->model,
		.events = model_heap_events(ui->model) };

	if (!figures_range(ui, &want.t0, &want.t1))
		want.t1 = want.t0;
	if (figures_whole(ui)) {
		want.t0 = INT64_MIN;
		want.t1 = INT64_MAX;
	} else if (want.t1 >= model_last_ns(ui->model) ||
		   want.t1 == ui->play.head_mon_ns) {
		want.t1++; /* what happens at the last instant belongs to it */
	}
	if (asked_step(ui, ASKED_HEAP, &how, &want))
		memory_code_find(ui);
	return (!draw_stopped(ui));
}

/* A stack, or what the program calls it. */
static const char *
words_of(const struct ui *ui, uint32_t name)
{
	return (name == 0 ? "(not known)" : label_name(ui->model, name));
}

/* As memory_place(), but for the words that it is in its file. */
static const char *
memory_place_raw(const struct ui *ui, uint32_t name,
    char buf[MEMORY_PLACE_BYTES])
{
	const char *s = words_of(ui, name), *end = strstr(s, HEAP_CALLER);

	snprintf(buf, MEMORY_PLACE_BYTES, "%.*s",
	    (int)(end == NULL ? strlen(s) : (size_t)(end - s)), s);
	return (buf);
}

const char *
memory_place(const struct ui *ui, uint32_t name, char buf[MEMORY_PLACE_BYTES])
{
	return (memory_code(ui, words_of(ui, name), buf));
}

const char *
memory_caller(const struct ui *ui, const char **rest,
    char buf[MEMORY_PLACE_BYTES])
{
	const char *s = strstr(*rest, HEAP_CALLER);

	if (s == NULL)
		return (NULL);
	*rest = s + strlen(HEAP_CALLER);
	return (memory_code(ui, *rest, buf));
}

bool
memory_only_grows(const struct heap_place *p)
{
	return (!p->shrank && p->live >= 2);
}

const char *
memory_empty(const struct ui *ui)
{
	if (model_heap_events(ui->model) > 0)
		return (NULL);
	return ("no memory was told of: `monitorctl run --memory all COMMAND' "
		"records it, or probe_mem_alloc() in the program");
}

const char *
memory_who(const struct ui *ui, uint32_t lane, char buf[MEMORY_WHO_BYTES])
{
	const struct lane *l = model_lane(ui->model, lane);

	if (l == NULL)
		snprintf(buf, MEMORY_WHO_BYTES, "?");
	else if (l->kind == LANE_THREAD)
		snprintf(buf, MEMORY_WHO_BYTES, "%.64s/%" PRIu32 ".%" PRIu32,
		    label_node(ui->model, l->node), l->po, l->thread);
	else
		snprintf(buf, MEMORY_WHO_BYTES, "%.64s/%" PRIu32,
		    label_node(ui->model, l->node), l->po);
	return (buf);
}

static void
describe_places(struct ui *ui, FILE *f)
{
	const struct heap_place *p;
	size_t n = heap_sums_places(memory_shown(ui), &p);
	char owner[MEMORY_WHO_BYTES], part[MEMORY_PLACE_BYTES];
	char code[MEMORY_PLACE_BYTES];

	for (size_t i = 0; i < n && i < DESCRIBED; i++) {
		const char *rest = label_name(ui->model, p[i].name);
		bool found;

		memory_place_raw(ui, p[i].name, part);
		memory_place(ui, p[i].name, code);
		found = strcmp(part, code) != 0;
		fprintf(f,
		    "memory of %s%s%s%s: %s%.0f pieces, asked %.0f, given "
		    "%.0f, freed %.0f, live %.0f, live bytes %.0f, stacks "
		    "%" PRIu32 "%s",
		    part, found ? " (" : "", found ? code : "",
		    found ? ")" : "", p[i].picked ? "~" : "", p[i].made,
		    p[i].asked, p[i].given, p[i].freed, p[i].live,
		    p[i].live_bytes, p[i].stacks,
		    memory_only_grows(&p[i]) ? ", only grows" : "");
		for (uint32_t k = 0; k < p[i].owners; k++)
			fprintf(f, "%s %s", k == 0 ? ", of" : ",",
			    memory_who(ui, p[i].owner[k], owner));
		fprintf(f, "\n");
		while (
		    p[i].stacks == 1 && memory_caller(ui, &rest, part) != NULL)
			fprintf(f, "  from %s\n", part);
	}
	if (n > DESCRIBED)
		fprintf(f, "memory: %d of %zu places\n", DESCRIBED, n);
}

static void
describe_pairs(struct ui *ui, FILE *f)
{
	const struct heap_pair *p;
	size_t n = heap_sums_pairs(memory_shown(ui), &p);
	char from[MEMORY_WHO_BYTES], to[MEMORY_WHO_BYTES];

	for (size_t i = 0; i < n && i < DESCRIBED; i++)
		fprintf(f,
		    "memory given to %s, freed by %s: %" PRIu64
		    " pieces, %" PRIu64 " bytes\n",
		    memory_who(ui, p[i].from, from),
		    memory_who(ui, p[i].to, to), p[i].pieces, p[i].bytes);
}

void
memory_describe(struct ui *ui, FILE *f)
{
	const struct heap_process *p;
	const struct heap_totals *t;
	char name[MEMORY_WHO_BYTES];
	size_t n;

	if (memory_empty(ui) != NULL || memory_shown(ui) == NULL) {
		fprintf(f, "memory: %s\n",
		    memory_empty(ui) != NULL ? memory_empty(ui)
					     : "not added up yet");
		return;
	}
	t = heap_sums_totals(memory_shown(ui));
	fprintf(f,
	    "memory: in use %" PRId64 ", most %" PRId64 ", pieces %.0f, asked "
	    "%.0f, given %.0f, freed %.0f, live %.0f, live bytes %.0f, null "
	    "frees %" PRIu64 ", freed elsewhere %" PRIu64 "%s\n",
	    t->in_use, t->most, t->made, t->asked, t->given, t->freed, t->live,
	    t->live_bytes, t->nulls, t->elsewhere,
	    model_heap_cut(ui->model) ? ", later events are not kept" : "");
	if (t->has_counts)
		fprintf(f,
		    "memory counted: pieces %" PRIu64 ", asked %" PRIu64
		    ", given %" PRIu64 ", freed %" PRIu64 ", bytes %" PRIu64
		    ", null frees %" PRIu64 "\n",
		    t->counted, t->counted_asked, t->counted_given,
		    t->counted_freed, t->counted_back, t->counted_nulls);
	n = heap_sums_processes(memory_shown(ui), &p);
	for (size_t i = 0; i < n && i < DESCRIBED; i++)
		fprintf(f,
		    "memory of process %s: in use %" PRId64 ", most %" PRId64
		    "\n",
		    memory_who(ui, p[i].lane, name), p[i].live_bytes,
		    p[i].most_bytes);
	describe_places(ui, f);
	describe_pairs(ui, f);
}
