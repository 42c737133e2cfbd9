/* For tests of the window: one run in it, commands, frames. */
#ifndef TESTS_UNIT_VIEWER_UI_H
#define TESTS_UNIT_VIEWER_UI_H

#include <stdlib.h>

#include "tests/check.h"
#include "tests/unit/make_model.h"
#include "ui/input/input.h"
#include "ui/whole/frame.h"

struct fixture {
	struct model *m;
	struct ui *ui;
	struct canvas c;
	uint32_t *px;
};

/* A window of so many pixels on this model, which goes with it. */
static inline int
open_on(void **state, struct model *m, int32_t width, int32_t height)
{
	struct fixture *x = calloc(1, sizeof(*x));

	assert_non_null(x);
	x->m = m;
	x->ui = make_ui(m, &x->c, &x->px, width, height);
	ui_frame(x->ui, &x->c);
	*state = x;
	return (0);
}

static inline int
teardown(void **state)
{
	struct fixture *x = *state;

	ui_free(x->ui);
	model_free(x->m);
	free(x->px);
	free(x);
	return (0);
}

static inline void
run(struct fixture *x, const char *line)
{
	if (command_run(x->ui, line) == -1)
		fail_msg("%s: %s", line, x->ui->told.message);
	ui_frame(x->ui, &x->c);
}

#endif
