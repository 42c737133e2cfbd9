/*
 * Causes and effects in a run that goes on: they are asked for again when more
 * has come, also when nothing comes behind it any more.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "feed/cone.h"
#include "tests/unit/make_model.h"
#include "ui/desk/desk.h"

#define W 900
#define H 600

static void
the_last_events_are_asked_about_too(void **state)
{
	struct model *m = make_pascal_model(12, 2, 1000000, 30000);
	struct feed_status feed = { .live = true, .connected = true };
	struct canvas c;
	uint32_t *px;
	struct ui *ui = make_ui(m, &c, &px, W, H);
	struct causality *is = &ui->causality;
	char why[300];

	(void)state;
	ui_refresh(ui, m, &feed);
	ui_frame(ui, &c);
	/* answered before any event was there, a moment ago */
	is->show = CAUSALITY_BOTH;
	is->cone = cone_open(NULL, why, sizeof(why));
	assert_non_null(is->cone);
	is->cut = calloc(1, sizeof(*is->cut));
	is->due = ui->picture->frame + 10;
	assert_true(model_events(m) > is->events);

	ui_refresh(ui, m, &feed);
	picture_changed(ui->picture);
	ui_frame(ui, &c);
	assert_false(causality_busy(ui));
	for (int i = 0; i < 100 && picture_due(ui->picture); i++)
		ui_frame(ui, &c);
	assert_true(causality_busy(ui));
	assert_int_equal(is->events, model_events(m));
	assert_false(picture_due(ui->picture));
	ui_free(ui);
	model_free(m);
	free(px);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_events_are_asked_about_too),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
