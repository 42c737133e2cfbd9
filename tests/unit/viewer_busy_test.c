/*
 * Details of a row: what its threads did are shares of their lives, so that
 * none is beyond 100 % and who was not there is not idle; and how long any of
 * them ran is told of its own life and of the range.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/make_model.h"
#include "tests/unit/viewer_says.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"

#define MS 1000000

/*
 * In ms: of two threads of a process on n1 the first lives from 100 to 200 and
 * runs from 100 to 140 and from 150 to 160; the second lives from 110 to 150,
 * runs from 120 to 145 and waits for a call from 145 to 150.  On n2 a thread
 * lives from 0 to 1000 and runs from 0 to 500.
 */
static struct model *
make_run(void)
{
	struct make_log l = { 0 };
	uint32_t at[3], f, idle;

	make_log_head(&l, "busy");
	make_log_node(&l, 1, "n1");
	make_log_node(&l, 2, "n2");
	make_log_po(&l, 1, 1, "short");
	make_log_po(&l, 2, 1, "long");
	at[0] = make_log_thread(&l, 1, 1, 1, "one");
	at[1] = make_log_thread(&l, 1, 1, 2, "two");
	at[2] = make_log_thread(&l, 2, 1, 1, "other");
	f = make_log_name(&l, "work");
	idle = make_log_name(&l, "idle");
#define E(who, kind, ms, a, b, c)                                              \
	make_log_event(&l, at[who], EV_##kind, (ms)*MS, a, b, c)
	E(2, enter, 0, 0, 0, f);
	E(0, enter, 100, 0, 0, f);
	E(1, state, 110, 0, 0, idle);
	E(1, enter, 120, 0, 0, f);
	E(0, leave, 140, 0, 0, f);
	E(1, leave, 145, 0, 0, f);
	E(1, rpc_call, 145, 7, 0, f);
	E(0, enter, 150, 0, 0, f);
	E(1, rpc_return, 150, 7, 0, f);
	E(1, thread_end, 150, 0, 0, 0);
	E(0, leave, 160, 0, 0, f);
	E(0, thread_end, 200, 0, 0, 0);
	E(2, leave, 500, 0, 0, f);
	E(2, thread_end, 1000, 0, 0, 0);
#undef E
	make_log_sort(&l);
	return (make_model(&l));
}

static uint32_t
lane_of(const struct model *m, enum lane_kind kind, uint32_t node)
{
	for (uint32_t i = 0; i < model_lanes(m); i++)
		if (model_lane(m, i)->kind == kind &&
		    model_lane(m, i)->node == node)
			return (i);
	fail_msg("no such lane");
	return (0);
}

/* Of a row, and of a range in ms or, "", all. */
static void
details_say(enum lane_kind kind, uint32_t node, const char *range,
    const char *const *want)
{
	struct model *m = make_run();
	uint32_t *px;
	struct canvas c;
	struct ui *ui = make_ui(m, &c, &px, 1200, 800);
	char line[64], *text;

	snprintf(line, sizeof(line), "select-row %u", lane_of(m, kind, node));
	assert_int_equal(command_run(ui, line), 0);
	assert_int_equal(command_run(ui, "tab details"), 0);
	if (range[0] != '\0')
		assert_int_equal(command_run(ui, range), 0);
	ui_frame(ui, &c);
	text = described(ui);
	for (; *want != NULL; want++)
		has(text, *want);
	free(text);
	ui_free(ui);
	model_free(m);
	free(px);
}

static void
shares_are_of_lives(void **state)
{
	/* 5 of the 62 ms that both lived, and not of 32 */
	static const char *const some[] = { "lived\t32.0 ms\n",
		"threads\t2, of 62.0 ms\n", "remote calls\t5.00 ms, 8 %\n",
		NULL };
	/* both run at once from 120 to 140 */
	static const char *const all[] = { "lived\t100 ms\n",
		"running\t75.0 ms, 54 %\n",
		"busy\t55.0 ms, 55 % of its life, 6 % of the range\n", NULL };
	static const char *const one[] = { "lived\t1.00 s\n",
		"busy\t500 ms, 50 % of its life, 50 % of the range\n", NULL };

	(void)state;
	details_say(LANE_PO, 1, "select-range 120ms:152ms", some);
	details_say(LANE_PO, 1, "", all);
	details_say(LANE_NODE, 1, "", all);
	details_say(LANE_THREAD, 2, "", one);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_lives),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
