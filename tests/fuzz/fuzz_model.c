/*
 * A log by anybody, in the model of the viewer: every frame is given to it,
 * and what a reader may ask is asked, of the whole run, of its middle, and of
 * times that it has never seen.  The script says how much memory the model may
 * use, what is asked, and of which ranges; without one all is asked.
 */
#include <stdlib.h>

#include "model/calls/calls.h"
#include "model/detail.h"
#include "model/model.h"
#include "tests/fuzz/frames.h"

#define PIXELS 40
#define SOME   32

/* Where memory came from is told by a run of its own. */
const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return ("malloc_context_size=0:quarantine_size_mb=1:"
		"max_malloc_fill_size=64");
}

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
size_t LLVMFuzzerCustomMutator(uint8_t *, size_t, size_t, unsigned);

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	return (frames_mutate(data, n, max, seed));
}

static void
look_at_lane(const struct model *m, uint32_t lane, int64_t t0, int64_t t1)
{
	static uint8_t share[PIXELS * LANE_CLASSES];
	static uint32_t name[PIXELS];
	static struct span s[SOME];
	int64_t by[LANE_CLASSES], from, to;
	uint64_t spans;
	char label[64];

	(void)model_lane_label(m, lane, label, sizeof(label));
	(void)model_lane_life(m, lane, &from, &to);
	(void)model_lane_ended(m, lane, &to);
	(void)model_lane_maker(m, lane);
	(void)model_lane_only_thread(m, lane);
	(void)model_lane_resident(m, lane);
	model_lane_pixels(m, lane, t0, t1, PIXELS, 0, PIXELS, share, name);
	if (model_lane_listed(m, lane, &spans))
		(void)model_lane_list(m, lane, spans / 2, s, SOME);
	(void)model_lane_spans(m, lane, t0, t1, s, SOME);
	(void)model_stack(m, lane, t0 + (t1 - t0) / 2, s, SOME);
	(void)model_step(m, lane, t0, 3);
	(void)model_step(m, lane, t1, -3);
	(void)model_lane_totals(m, lane, t0, t1, by, &spans);
}

static void
look_at_tasks(const struct model *m, int64_t t0, int64_t t1)
{
	static uint32_t roots[SOME];
	unsigned door = model_enter(m);
	struct task_sums sums;
	uint64_t depths;
	struct task t;

	(void)t0;
	(void)t1;
	(void)model_task_roots(m, roots, SOME);
	(void)model_task_levels(m, TASK_NONE);
	for (uint32_t i = 0; i < model_tasks(m) && i < 4 * SOME; i++) {
		model_task_get(m, i, &t);
		(void)model_task_counts(m, i, &depths);
		(void)model_task_level(m, i);
		(void)model_task_sums(m, i, &sums);
		(void)model_task_place(m, i);
		(void)model_name(m, model_task_name(m, i));
	}
	model_leave(m, door);
}

static void
look_at_nodes(const struct model *m, int64_t t0, int64_t t1)
{
	static struct doubt d[SOME];
	struct node_health h;
	uint32_t node, po, line;
	struct talk_pair talk;

	for (uint32_t i = 0; i <= model_nodes(m) + 1 && i < SOME; i++) {
		model_node_health(m, i, &h);
		(void)model_node_doubts(m, i, t0, t1, d, SOME);
	}
	for (uint32_t i = 0; i <= model_pos(m) && i < SOME; i++) {
		(void)model_po(m, i, &node, &po);
		for (uint32_t k = 0; k < SOME; k++)
			model_talk(m, i, k, TALK_MESSAGE, &talk);
	}
	for (uint32_t i = 0; i < model_talks(m) && i < SOME; i++)
		model_talk_at(m, i, &talk);
	for (uint32_t i = 0; i < SOME; i++)
		(void)model_name_place(m, i, &line);
}

static void
add_up_calls(const struct model *m, int64_t t0, int64_t t1)
{
	struct calls *c = calls_new();
	const struct call *v;

	if (c == NULL)
		abort();
	calls_begin(c, m, t0, t1, UINT32_MAX);
	for (int i = 0; i < 64 && !calls_step(c); i++)
		continue;
	(void)calls_paths(c, &v);
	calls_free(c);
}

static void
look_at_lanes(const struct model *m, int64_t t0, int64_t t1)
{
	for (uint32_t i = 0; i < model_lanes(m) && i < SOME; i++)
		look_at_lane(m, i, t0, t1);
}

static void
look_at_links(const struct model *m, int64_t t0, int64_t t1)
{
	static struct link links[SOME];
	static struct mark marks[SOME];
	uint64_t total;

	(void)model_links(m, t0, t1, links, SOME);
	(void)model_links_sample(m, t0, t1, links, SOME / 4, &total);
	(void)model_marks(m, t0, t1, marks, SOME);
	(void)model_alerts(m, t0, t1, marks, SOME);
}

static void
look_at_all(const struct model *m, int64_t t0, int64_t t1)
{
	static struct name_stats stats[SOME];
	static uint8_t share[PIXELS * LANE_CLASSES];
	static uint32_t density[PIXELS];

	(void)model_name_stats(m, stats, SOME);
	model_overview(m, t0, t1, PIXELS, 0, PIXELS, share);
	model_density(m, t0, t1, PIXELS, density);
}

static void (*const looks[])(const struct model *, int64_t,
    int64_t) = { look_at_lanes, look_at_nodes, add_up_calls, look_at_links,
	look_at_all, look_at_tasks };
#define LOOKS (sizeof(looks) / sizeof(looks[0]))

/* Of the whole run, and of a part of it or of times beyond. */
static void
look(const struct model *m, struct script *s, bool all)
{
	int64_t t0 = model_first_ns(m), t1 = model_last_ns(m), at;
	unsigned what = script_byte(s);

	if (t0 > t1)
		return;
	at = t0 +
	     (int64_t)((uint64_t)script_number(s) % (uint64_t)(t1 - t0 + 1));
	for (size_t i = 0; i < LOOKS; i++) {
		if (all || what % LOOKS == i)
			looks[i](m, t0, t1 + 1);
		if (all || what / LOOKS % LOOKS == i)
			looks[i](m, at, at + 1 + script_below(s, 60000));
	}
}

/* All that is whole in it, as the feed does it. */
static void
read_log(struct model *m, const uint8_t *data, size_t n)
{
	struct frame f;

	for (size_t at = 0; at < n;) {
		if (frame_parse(data + at, n - at, &f) != FRAME_OK) {
			at = frame_resync(data, n, at + 1);
			continue;
		}
		(void)model_add_frame_at(m, &f, at);
		at += f.frame_bytes;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct script s = frames_script(data, n);
	struct model *m = model_new();
	bool all = script_over(&s);
	char odd[200];

	if (m == NULL)
		abort();
	if (script_below(&s, 2) == 1)
		model_set_memory(m, 1024 * (1 + script_below(&s, 1024)));
	read_log(m, data, n);
	(void)model_odd(m, odd, sizeof(odd));
	look(m, &s, all);
	model_free(m);
	return (0);
}
