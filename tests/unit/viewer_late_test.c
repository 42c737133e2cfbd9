/* What is asked step by step, in a frame that has time and in one that has not.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/desk/desk.h"
#include "ui/views/asked.h"

#define STEPS 20 /* until all is known */

static int steps, late_from;

static void *
make(void)
{
	static int of_nothing;

	return (&of_nothing);
}

static void
end(void *k)
{
	(void)k;
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	(void)k;
	(void)ui;
	(void)of;
	steps = 0;
}

static bool
step(void *k)
{
	(void)k;
	return (++steps == STEPS);
}

static const struct asked_how how = { make, end, begin, step, 8, 1 };

static bool
never(void *arg)
{
	(void)arg;
	return (false);
}

static bool
late(void *arg)
{
	(void)arg;
	return (steps % 8 >= late_from);
}

static void
a_frame_that_is_late_goes_on_by_a_step(void **state)
{
	struct make_log l = { 0 };
	struct canvas c;
	struct asked_of want;
	struct model *m;
	struct ui *ui;
	uint32_t *px;

	(void)state;
	make_log_head(&l, "late");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "prog");
	make_log_thread(&l, 1, 1, 1, "");
	m = make_model(&l);
	ui = make_ui(m, &c, &px, 800, 600);
	asked_range(ui, &want, false);
	ui->picture->stop_cb = never;
	/* it has time: all that a frame may take */
	assert_false(asked_step(ui, ASKED_TOP, &how, &want));
	assert_int_equal(steps, 8);
	/* it is late soon */
	ui->picture->late_cb = late;
	late_from = 3;
	assert_false(asked_step(ui, ASKED_TOP, &how, &want));
	assert_int_equal(steps, 11);
	/* it was late before: a step all the same, or it would never end */
	late_from = 0;
	assert_false(asked_step(ui, ASKED_TOP, &how, &want));
	assert_int_equal(steps, 12);
	assert_true(ui->picture->undone);
	/* nobody waits for the frame: all of it */
	ui->picture->stop_cb = NULL;
	assert_true(asked_step(ui, ASKED_TOP, &how, &want));
	assert_int_equal(steps, STEPS);
	ui_free(ui);
	model_free(m);
	free(px);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_that_is_late_goes_on_by_a_step),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
