/* A process, as its collector has told of it: who made it, and how it ended. */
#include <inttypes.h>
#include <stdio.h>

#include "event.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

static uint32_t
number_of(const struct model *m, uint32_t lane)
{
	uint32_t n = model_pos(m);

	for (uint32_t i = 0; i < n; i++)
		if (model_po_lane(m, i) == lane)
			return (i);
	return (n);
}

static void
put_ending(const struct po_life *k, char *buf, size_t n)
{
	char how[ENDING_WORDS_BYTES];

	if (k->end_mon_ns == INT64_MAX)
		snprintf(buf, n, "not yet");
	else if (k->clean != 0 && k->ending == ENDING_VANISHED)
		snprintf(buf, n, "left in good order");
	else
		snprintf(buf, n, "%s%s", ending_words(k->ending, how),
		    k->clean != 0 ? ", in good order" : ", not of itself");
}

static void
put_time(const struct ui *ui, int64_t t, const char *none, char *buf, size_t n)
{
	char when[40];

	snprintf(buf, n, "%s",
	    t == INT64_MAX ? none : run_time(ui, t, 1000, when, sizeof(when)));
}

const char *
process_words(const struct ui *ui, uint32_t lane, unsigned i, char *buf,
    size_t n)
{
	const struct model *m = ui->model;
	uint32_t number = number_of(m, lane), maker;
	const char *file, *build_id;
	struct po_life k;
	char name[96];

	model_po_life(m, number, &k);
	if (k.end_mon_ns > ui->play.head_mon_ns)
		k.end_mon_ns = INT64_MAX;
	switch (i) {
	case 0:
		snprintf(buf, n, k.pid == 0 ? "not told" : "%" PRIu64, k.pid);
		return ("pid");
	case 1:
		put_time(ui, k.begin_mon_ns, "not told", buf, n);
		return ("joined");
	case 2:
		put_time(ui, k.end_mon_ns, "not yet", buf, n);
		return ("left");
	case 3:
		put_ending(&k, buf, n);
		return ("ending");
	case 4:
		maker = model_lane_maker(m, lane);
		snprintf(buf, n, "%s",
		    maker == UINT32_MAX ? "no process of this run"
					: label_lane(m, model_lane(m, maker),
					      name, sizeof(name)));
		return ("creator");
	case 5:
		file = model_po_file(m, number, &build_id);
		snprintf(buf, n, "%s",
		    file != NULL ? file
				 : label_program(m, model_lane(m, lane)->node,
				       model_lane(m, lane)->po));
		return ("command");
	default:
		return (NULL);
	}
}
