/*
 * For tests of the viewer: the model of a log that was made up, and a window
 * on it without a server.
 */
#ifndef TESTS_UNIT_MAKE_MODEL_H
#define TESTS_UNIT_MAKE_MODEL_H

#include "tests/unit/make_pascal.h"
#include "ui/whole/frame.h"

/* Gives the model what the log has behind *fed, which moves on. */
static inline void
make_model_tell(struct model *m, const struct make_log *l, size_t *fed)
{
	struct frame f;

	for (; *fed < l->out.n; *fed += f.frame_bytes) {
		enum frame_status got =
		    frame_parse(l->out.p + *fed, l->out.n - *fed, &f);
		int taken = got == FRAME_OK ? model_add_frame(m, &f) : -1;

		assert(taken == 0);
		(void)taken; /* where assert is nothing */
	}
}

/* Ends the log, gives all of it to a new model, and frees it. */
static inline struct model *
make_model(struct make_log *l)
{
	struct model *m = model_new();
	size_t fed = 0;

	assert(m != NULL);
	make_log_blocks(l, 0);
	make_log_finish(l);
	make_model_tell(m, l, &fed);
	make_log_free(l);
	return (m);
}

/* The model of a run of pascal on one node, as make_pascal does it. */
static inline struct model *
make_pascal_model(uint32_t rows, uint32_t pes, int64_t t0, int64_t step)
{
	struct make_log log = { 0 };
	struct pascal *p = calloc(1, sizeof(*p));
	struct model *m;

	assert(p != NULL);
	make_log_head(&log, "pascal");
	make_log_node(&log, 1, "n0");
	make_log_po(&log, 1, 1, "pascal");
	make_pascal(p, &log, rows, pes, 1, 1, t0, step);
	make_log_sort(&log);
	m = make_model(&log);
	free(p);
	return (m);
}

/* A finished run in a dark window of w x h px, drawn to *px, the caller's. */
static inline struct ui *
make_ui(struct model *m, struct canvas *c, uint32_t **px, int32_t w, int32_t h)
{
	struct feed_status feed = { .connected = true, .finished = true };
	struct ui *ui = ui_new(&palette_dark);

	*px = calloc((size_t)w * (size_t)h, sizeof(**px));
	assert(ui != NULL && *px != NULL);
	canvas_init(c, *px, w, h, w);
	ui_resize(ui, w, h);
	ui_refresh(ui, m, &feed);
	return (ui);
}

#endif
