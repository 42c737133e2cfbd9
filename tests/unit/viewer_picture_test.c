/* The states of the picture in the window, as the diagram of picture.h has it.
 */
#include "tests/check.h"

#include "ui/desk/picture.h"

/* What can happen to it, a letter each. */
static void
step(struct picture *p, char what)
{
	switch (what) {
	case 'c':
		picture_changed(p);
		break;
	case 'a':
		picture_awaited(p);
		break;
	case 'l':
		picture_lost(p);
		break;
	case 'b': /* begin, as what it is for now */
	case 'h': /* the same while a key is held */
	case 'w': /* and it must have all that has come */
	case 'H':
		picture_begin(p, picture_kind(p, what == 'h' || what == 'H',
				     what == 'w' || what == 'H'));
		break;
	case 'u':
		p->undone = true;
		break;
	case 's':
		picture_stopped(p);
		break;
	case 'e':
		picture_end(p);
		break;
	}
}

static void
it_goes_as_the_diagram_says(void **state)
{
	static const struct {
		const char *what, *steps;
		enum picture_state state;
		uint64_t frames;
	} cases[] = {
		{ "nothing has happened", "", PICTURE_RIGHT, 0 },
		{ "the run goes on", "c", PICTURE_CHANGED, 0 },
		{ "and on", "ccc", PICTURE_CHANGED, 0 },
		{ "a key", "ca", PICTURE_AWAITED, 0 },
		{ "a key that changes nothing", "a", PICTURE_RIGHT, 0 },
		{ "the run after a key", "cac", PICTURE_AWAITED, 0 },
		{ "a frame for the run", "cb", PICTURE_FULL, 0 },
		{ "one for a key", "cab", PICTURE_HASTY, 0 },
		{ "one for a key, with all", "caw", PICTURE_ANSWER, 0 },
		{ "a key is held", "h", PICTURE_HASTY, 0 },
		{ "held, with all", "H", PICTURE_ANSWER, 0 },
		{ "all for the run", "cw", PICTURE_FULL, 0 },
		{ "done", "cbe", PICTURE_RIGHT, 1 },
		{ "done for a key", "cabe", PICTURE_RIGHT, 1 },
		{ "a part is left", "cbue", PICTURE_CHANGED, 1 },
		{ "of a hasty one nobody waits for it", "cabue",
		    PICTURE_CHANGED, 1 },
		{ "the part is drawn", "cbuebe", PICTURE_RIGHT, 2 },
		{ "given up", "cbs", PICTURE_CHANGED, 0 },
		{ "given up for a key", "cbsa", PICTURE_AWAITED, 0 },
		{ "a part of what was given up", "cbusbe", PICTURE_RIGHT, 1 },
		{ "a change within a frame is in it", "cbce", PICTURE_RIGHT,
		    1 },
		{ "the server has forgotten it", "l", PICTURE_CHANGED, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct picture p = { 0 };

		for (const char *s = cases[i].steps; *s != '\0'; s++)
			step(&p, *s);
		if (p.state != cases[i].state || p.frame != cases[i].frames)
			fail_msg("%s: state %d after %d frames", cases[i].what,
			    (int)p.state, (int)p.frame);
	}
}

/* A frame is due or being drawn or not needed: one of these, in each state. */
static void
each_state_is_one_thing(void **state)
{
	static const struct {
		bool due, drawn, answers, hasty;
	} want[PICTURE_STATES] = {
		[PICTURE_CHANGED] = { .due = true },
		[PICTURE_AWAITED] = { .due = true, .hasty = true },
		[PICTURE_FULL] = { .drawn = true },
		[PICTURE_ANSWER] = { .drawn = true, .answers = true },
		[PICTURE_HASTY] = { .drawn = true,
		    .answers = true,
		    .hasty = true },
	};

	(void)state;
	for (int i = 0; i < PICTURE_STATES; i++) {
		struct picture p = { .state = (enum picture_state)i };

		assert_int_equal(picture_due(&p), want[i].due);
		assert_int_equal(picture_drawn(&p), want[i].drawn);
		assert_int_equal(picture_answers(&p), want[i].answers);
		assert_int_equal(picture_hasty(&p), want[i].hasty);
	}
}

/* Whatever is drawn meanwhile, it stays so until all of it was put there. */
static void
a_lost_picture_stays_lost(void **state)
{
	struct picture p = { 0 };

	(void)state;
	picture_lost(&p);
	for (const char *s = "bsabuebe"; *s != '\0'; s++)
		step(&p, *s);
	assert_true(p.lost);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_goes_as_the_diagram_says),
		cmocka_unit_test(each_state_is_one_thing),
		cmocka_unit_test(a_lost_picture_stays_lost),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
