/* Rules of what is recorded: patterns, grammar, which one wins. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "choice.h"
#include "glob.h"
#include "ringchoice.h"

#define BIT(class) (UINT32_C(1) << CLASS_##class)

static void
patterns(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool is;
	} cases[] = {
		{ "db_*", "db_query", true },
		{ "db_*", "db_", true },
		{ "db_*", "db", false },
		{ "*", "", true },
		{ "?", "", false },
		{ "*_lock", "db_lock_lock", true },
		{ "*_lock", "db_locks", false },
		{ "a*b*c", "axxbxxbc", true },
		{ "a*b*c", "axxbxxb", false },
		{ "a?c", "abc", true },
		{ "a?c", "ac", false },
		{ "name", "name", true },
		{ "name", "names", false },
		{ "**x", "x", true },
		{ "std::*<*>", "std::vector<int>", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(glob_is(cases[i].pattern, cases[i].text,
				     strlen(cases[i].text)),
		    cases[i].is);
}

/* A pattern with many stars takes no more than the product of the lengths. */
static void
patterns_are_quick(void **state)
{
	static char text[5000];

	(void)state;
	memset(text, 'a', sizeof(text));
	assert_false(
	    glob_is("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text, sizeof(text)));
}

static void
words(void **state)
{
	static const struct {
		const char *word, *why; /* NULL: it is one */
		uint32_t classes;
		bool on;
		const char *name;
	} cases[] = {
		{ "+memory", NULL, BIT(memory), true, "" },
		{ "-all", NULL, CHOICE_CLASSES, false, "" },
		{ "-lock:db_*", NULL, BIT(lock), false, "db_*" },
		{ "-call:main", NULL, BIT(call), false, "main" },
		{ "-db_*", NULL, CHOICE_NAMED, false, "db_*" },
		{ "+all:x", NULL, CHOICE_NAMED, true, "x" },
		{ "-A::f", NULL, CHOICE_NAMED, false, "A::f" },
		{ "-call:file:*.hpp", NULL, BIT(call), false, "file:*.hpp" },
		{ "-file:a.c", NULL, CHOICE_NAMED, false, "file:a.c" },
		{ "memory", "expected +CLASS", 0, 0, "" },
		{ "", "expected +CLASS", 0, 0, "" },
		{ "-", "no such class", 0, 0, "" },
		{ "-lokc", "no such class", 0, 0, "" },
		{ "-lock:", "expected a pattern", 0, 0, "" },
		{ "-lock:file:", "expected a pattern", 0, 0, "" },
		{ "-memory:x*", "only call, lock", 0, 0, "" },
		{ "-life", "always recorded", 0, 0, "" },
		{ "-\xff*", "is text", 0, 0, "" },
		{ "-a*\n", "without control", 0, 0, "" },
	};
	struct choice_rule r;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *why = choice_word(&r, cases[i].word);

		if (cases[i].why != NULL) {
			assert_non_null(why);
			assert_non_null(strstr(why, cases[i].why));
			continue;
		}
		assert_null(why);
		assert_int_equal(r.classes, cases[i].classes);
		assert_int_equal(r.on, cases[i].on);
		assert_string_equal(r.name, cases[i].name);
	}
}

/* What rules come to, in words; and the same after they were written. */
static void
rules(void **state)
{
	static const struct {
		const char *text, *program, *is;
	} cases[] = {
		{ "", "p", "all classes" },
		{ "-lock\n", "p", "all classes but lock" },
		{ "-lock\n+lock\n", "p", "all classes" },
		{ "-all\n+call\n", "p", "call" },
		{ "-all\n", "p", "nothing but who there is" },
		{ "-lock\tprogram=a*\n", "p", "all classes" },
		{ "-lock\tprogram=a*\n", "ab", "all classes but lock" },
		{ "-lock\tnode=m\n", "p", "all classes" },
		{ "-lock\tnode=n?\n", "p", "all classes but lock" },
		{ "-db_*\n", "p", "all classes; without db_*" },
		{ "-db_*\n+db_*\n", "p", "all classes; with db_*" },
		{ "-lock:db_*\n-lock\n", "p", "all classes but lock" },
		{ "-db_*\n-lock\n", "p",
		    "all classes but lock; without call, phase, note db_*" },
		{ "-lock\n+lock:db_*\n", "p",
		    "all classes but lock; with lock db_*" },
		{ "-all\tthread=w*\n", "p",
		    "all classes; without all of threads w*" },
		{ "-note,lock\n", "p", "all classes but lock, note" },
	};
	static struct choice c, again;
	static struct choice_of of;
	static char text[CHOICE_TEXT_BYTES], said[CHOICE_WORDS];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		c.n = again.n = 0;
		assert_null(
		    choice_parse(&c, cases[i].text, strlen(cases[i].text)));
		choice_of(&c, CHOICE_CLASSES, "n1", cases[i].program, &of);
		choice_words(&of, said);
		assert_string_equal(said, cases[i].is);
		assert_null(choice_parse(&again, text, choice_print(&c, text)));
		choice_of(&again, CHOICE_CLASSES, "n1", cases[i].program, &of);
		choice_words(&of, said);
		assert_string_equal(said, cases[i].is);
	}
}

/* Changing one's mind for ever needs no more room. */
static void
meaningless_rules_go(void **state)
{
	static struct choice c;
	char line[64];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(line, sizeof(line), "%clock\n-db_*\tprogram=p%d\n",
		    i % 2 ? '+' : '-', i % 5);
		assert_null(choice_parse(&c, line, strlen(line)));
		assert_true(c.n <= 6);
	}
	assert_null(choice_parse(&c, "-all\n", 5));
	assert_int_equal(c.n, 1);
	for (int i = 1; i < (int)CHOICE_RULES; i++) {
		snprintf(line, sizeof(line), "-x%d*\n", i);
		assert_null(choice_parse(&c, line, strlen(line)));
	}
	assert_non_null(choice_parse(&c, "-y*\n", 4));
	assert_int_equal(c.n, CHOICE_RULES);
}

static void
bad_texts(void **state)
{
	static const char *const bad[] = { "\n", "-lock\tprogram=\n",
		"-lock\tprogramm=a\n", "-lock\tthread=a\tx\n",
		"-db*\tthread=a\n", "*lock,note\n", "-lock,nota\n" };
	static struct choice c;
	static char longer[2 * CHOICE_LINE];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_non_null(choice_parse(&c, bad[i], strlen(bad[i])));
	memset(longer, '*', sizeof(longer));
	assert_non_null(choice_parse(&c, longer, sizeof(longer)));
	assert_non_null(choice_parse(&c, "-lo\0ck", 6));
	assert_int_equal(c.n, 0);
}

/* In shared memory: what is not there says nothing, and no more than fits. */
static void
slots(void **state)
{
	static struct ring_choice c;
	size_t made = 0;

	(void)state;
	for (uint64_t key = 1; key < 2 * RING_SLOTS; key++) {
		struct ring_slot *s = ringchoice_make(&c, key);

		made += s != NULL;
		assert_ptr_equal(ringchoice_find(&c, key), s);
		assert_ptr_equal(ringchoice_make(&c, key), s);
	}
	assert_true(made > RING_SLOTS / 2 && made <= RING_SLOTS);
	assert_null(ringchoice_find(&c, UINT64_MAX));
}

static void
says(void **state)
{
	static struct ring_choice c = {
		.nrules = 3,
		.rules = { { BIT(call) | BIT(lock), 0, "db_*" },
		    { BIT(lock), RULE_ON, "*_lock" },
		    { BIT(call), RULE_THREAD, "db_*" } },
	};
	struct ringchoice_says s;
	uint32_t serial;

	(void)state;
	assert_true(
	    ringchoice_ask(&c, false, "db_lock", 7, NULL, 0, &s, &serial));
	assert_int_equal(s.off, BIT(call));
	assert_int_equal(s.on, BIT(lock));
	assert_true(
	    ringchoice_ask(&c, true, "db_lock", 7, NULL, 0, &s, &serial));
	assert_int_equal(s.off, BIT(call));
	assert_int_equal(s.on, 0);
	/* a kind of events is known by its name, without its fields */
	c.nrules = 1;
	c.rules[0] = (struct ring_rule){ BIT(note), 0, "or?er" };
	assert_true(ringchoice_ask(&c, false, "order price:real:EUR", 20, NULL,
	    0, &s, &serial));
	assert_int_equal(s.off, BIT(note));
	assert_true(ringchoice_ask(&c, false, "orders price:real:EUR", 21, NULL,
	    0, &s, &serial));
	assert_int_equal(s.off, 0);
	assert_true(
	    ringchoice_ask(&c, false, "order price", 11, NULL, 0, &s, &serial));
	assert_int_equal(s.off, 0);
	atomic_store(&c.serial, 1); /* being written */
	assert_false(
	    ringchoice_ask(&c, false, "db_lock", 7, NULL, 0, &s, &serial));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns),
		cmocka_unit_test(patterns_are_quick),
		cmocka_unit_test(words),
		cmocka_unit_test(rules),
		cmocka_unit_test(meaningless_rules_go),
		cmocka_unit_test(bad_texts),
		cmocka_unit_test(slots),
		cmocka_unit_test(says),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
