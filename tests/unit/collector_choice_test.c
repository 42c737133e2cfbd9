/* What is recorded of a process, as its memory says it. */
#include "tests/unit/collector_sweep.h"

#include "collector/sweep/drain_choice.h"
#include "collector/sweep/drain_in.h"
#include "ringchoice.h"

#define BIT(class) (UINT32_C(1) << CLASS_##class)

static void
choose(struct fixture *fx, const char *rules)
{
	static struct choice c;
	static struct choice_of of;

	c.n = 0;
	assert_null(choice_parse(&c, rules, strlen(rules)));
	choice_of(&c, CHOICE_CLASSES, "n1", "program", &of);
	drain_choose(fx->program.dp, &of, true, fx->now_ns);
}

static void
seconds(struct fixture *fx, int n)
{
	for (int i = 0; i < n; i++)
		drain_choice_second(fx->program.dp, true, fx->now_ns);
}

static uint32_t
mask(struct fixture *fx)
{
	return (atomic_load(&fx->program.seg->mask));
}

static uint32_t
unwanted(struct fixture *fx)
{
	return (atomic_load(&fx->program.seg->unwanted));
}

static void
a_class_that_was_never_recorded_is_a_bit(void **state)
{
	struct fixture *fx = *state;

	choose(fx, "-lock\n");
	assert_int_equal(mask(fx), CHOICE_CLASSES & ~BIT(lock));
	assert_int_equal(unwanted(fx), 0);
}

static void
what_has_begun_is_waited_for(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);

	choose(fx, "");
	program_publish(&fx->program, r, fx->now_ns, EV_enter, 1, 0);
	sweep(fx);
	choose(fx, "-call\n-memory\n-lock\n");
	/* no ends are due of memory, perhaps of locks, and one of a call */
	assert_int_equal(mask(fx), (CHOICE_CLASSES & ~BIT(memory)) | RING_LOOK);
	assert_int_equal(unwanted(fx), BIT(call) | BIT(lock));
	seconds(fx, 3);
	assert_int_equal(unwanted(fx), BIT(call));
	program_publish(&fx->program, r, fx->now_ns, EV_leave, 1, 0);
	seconds(fx, 3);
	assert_int_equal(unwanted(fx), BIT(call)); /* it is not taken yet */
	sweep(fx);
	seconds(fx, 1);
	assert_int_equal(unwanted(fx), BIT(call)); /* somebody may be late */
	seconds(fx, 1);
	assert_int_equal(unwanted(fx), 0);
	assert_int_equal(mask(fx),
	    CHOICE_CLASSES & ~(BIT(memory) | BIT(lock) | BIT(call)));
	choose(fx, "");
	assert_int_equal(mask(fx), CHOICE_CLASSES);
}

static void
names_let_in_what_their_class_leaves_out(void **state)
{
	struct fixture *fx = *state;
	struct ring_choice *c =
	    segment_choice(fx->program.seg, &fx->program.layout);

	program_name(&fx->program, "db_lock");
	sweep(fx);
	program_name(&fx->program, "ui_lock"); /* and one that is not read */
	choose(fx, "-lock\n+lock:db_*\n-call:ui*\n");
	assert_int_equal(mask(fx), CHOICE_CLASSES | RING_LOOK);
	assert_int_equal(unwanted(fx), BIT(lock));
	assert_int_equal(ringchoice_find(c, 1)->on, BIT(lock));
	assert_int_equal(ringchoice_find(c, 1)->off, 0);
	assert_int_equal(ringchoice_find(c, 2)->off, BIT(call));
	seconds(fx, 3);
	assert_int_equal(unwanted(fx), BIT(lock)); /* some are wanted */
	choose(fx, "");
	assert_int_equal(mask(fx), CHOICE_CLASSES);
	assert_int_equal(ringchoice_find(c, 1)->on, 0);
	assert_int_equal(ringchoice_find(c, 2)->off, 0);
}

static void
threads_are_known_by_their_names(void **state)
{
	struct fixture *fx = *state;
	struct ring *r = program_thread(&fx->program, 0, 1);

	choose(fx, "-all\tthread=work*\n");
	assert_int_equal(atomic_load(&r->unwanted), CHOICE_CLASSES);
	assert_true((mask(fx) & RING_LOOK) != 0);
	choose(fx, "-all\tthread=other\n");
	assert_int_equal(atomic_load(&r->unwanted), 0);
}

static void
a_change_is_told_once(void **state)
{
	struct fixture *fx = *state;
	uint32_t about = fx->program.dp->po->about->number;

	choose(fx, "");
	sweep(fx);
	assert_int_equal(count(fx, about, EV_choice), 0);
	for (int i = 0; i < 3; i++)
		choose(fx, "-lock\n");
	sweep(fx);
	assert_int_equal(count(fx, about, EV_choice), 1);
	for (int i = 0; i < 500; i++)
		choose(fx, i % 2 ? "-lock\n" : "");
	sweep(fx);
	assert_int_equal(count(fx, about, EV_choice), 501);
}

/* Whatever the process writes into its memory. */
static void
a_hostile_process_does_no_harm(void **state)
{
	struct fixture *fx = *state;
	struct ring_choice *c =
	    segment_choice(fx->program.seg, &fx->program.layout);

	choose(fx, "-db_*\ncap:10\n-all\tthread=x*\n");
	memset(c, 0xff, sizeof(*c));
	atomic_store(&fx->program.seg->names_used, UINT64_MAX);
	atomic_store(&fx->program.seg->rings_used, UINT32_MAX);
	choose(fx, "-ui_*\n");
	for (uint32_t i = 0; i < RING_SLOTS; i++)
		atomic_store(&c->slots[i].key, i % 3 ? UINT64_MAX - i : i);
	seconds(fx, 2);
	choose(fx, "");
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_class_that_was_never_recorded_is_a_bit),
		TEST(what_has_begun_is_waited_for),
		TEST(names_let_in_what_their_class_leaves_out),
		TEST(threads_are_known_by_their_names),
		TEST(a_change_is_told_once),
		TEST(a_hostile_process_does_no_harm),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
