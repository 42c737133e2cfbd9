/*
 * For tests of the viewer: the model of a log that was made up, and a window
 * on it without a server.
 */
#ifndef TESTS_UNIT_MAKE_MODEL_H
#define TESTS_UNIT_MAKE_MODEL_H

#include "tests/unit/make_log.h"
#include "ui/ui.h"

/* Ends the log, gives all of it to a new model, and frees it. */
static inline struct model *
make_model(struct make_log *l)
{
	struct model *m = model_new();
	struct frame f;

	assert(m != NULL);
	make_log_blocks(l, 0);
	make_log_finish(l);
	for (size_t at = 0; at < l->out.n; at += f.frame_bytes) {
		enum frame_status got =
		    frame_parse(l->out.p + at, l->out.n - at, &f);
		int taken = got == FRAME_OK ? model_add_frame(m, &f) : -1;

		assert(taken == 0);
		(void)taken; /* where assert is nothing */
	}
	make_log_free(l);
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
