/*
 * What a plug-in's process answers is looked at before it is believed; and what
 * a plug-in draws with makes only answers that are right.
 */
#include "tests/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/host/pen.h"
#include "plugin/picture.h"
#include "tests/rnd.h"

/* A good answer: a rectangle, a text and a button. */
struct answer {
	struct plug_reply head;
	struct {
		struct plug_item item[3];
		char text[8];
		char words[8];
	} body;
};

static void
good(struct answer *a)
{
	memset(a, 0, sizeof(*a));
	a->head = (struct plug_reply){ .magic = PLUG_MAGIC,
		.seq = 7,
		.items = 3,
		.text_bytes = 8,
		.words_bytes = 8,
		.permille = 1000,
		.name = "One" };
	a->body.item[0] = (struct plug_item){ 1, 2, 3, 4, 0, 0, 0, PLUG_RECT };
	a->body.item[1] =
	    (struct plug_item){ 1, 2, 0, 0, 0, 4, ORRERY_HUE, PLUG_TEXT };
	a->body.item[2] =
	    (struct plug_item){ 1, 2, 9, 9, 4, 4, 0, PLUG_BUTTON };
	memcpy(a->body.text, "textmore", 8);
	memcpy(a->body.words, "a\nb: 17\n", 8);
}

/* NULL: it is taken. */
static const char *
wrong(const struct answer *a)
{
	struct plug_picture p = { 0 };
	const char *why = plug_head_wrong(&a->head, 7);

	if (why == NULL)
		why = plug_picture_take(&p, &a->head, &a->body);
	plug_picture_clear(&p);
	return (why);
}

static void
a_good_answer_is_taken(void **state)
{
	struct plug_picture p = { 0 };
	struct answer a;

	(void)state;
	good(&a);
	assert_null(plug_head_wrong(&a.head, 7));
	assert_int_equal(plug_body_bytes(&a.head), sizeof(a.body));
	assert_null(plug_picture_take(&p, &a.head, &a.body));
	assert_int_equal(p.items[2].kind, PLUG_BUTTON);
	assert_memory_equal(p.text + p.items[2].text, "more", 4);
	assert_string_equal(p.words, "a\nb: 17\n");
	/* one that is wrong leaves it as it is */
	a.body.item[0].kind = PLUG_KINDS;
	assert_non_null(plug_picture_take(&p, &a.head, &a.body));
	assert_string_equal(p.words, "a\nb: 17\n");
	assert_int_equal(p.items[0].kind, PLUG_RECT);
	plug_picture_clear(&p);
}

#define WRONG(change)                                                          \
	do {                                                                   \
		struct answer a;                                               \
                                                                               \
		good(&a);                                                      \
		change;                                                        \
		if (wrong(&a) == NULL)                                         \
			fail_msg("taken: %s", #change);                        \
	} while (0)

static void
nonsense_is_not_taken(void **state)
{
	(void)state;
	WRONG(a.head.magic++);
	WRONG(a.head.seq++);
	WRONG(a.head.items = PLUG_ITEMS_MAX + 1);
	WRONG(a.head.text_bytes = PLUG_TEXT_MAX + 1);
	WRONG(a.head.words_bytes = PLUG_WORDS_MAX + 1);
	WRONG(a.head.permille = 1001);
	WRONG(a.head.scroll_most = -1);
	WRONG(a.head.scroll_most = PLUG_SCROLL_MAX + 1);
	WRONG(a.head.over = 2);
	WRONG(memset(a.head.why, 'x', sizeof(a.head.why)));
	WRONG(a.head.name[1] = '\033');
	WRONG(a.head.about[0] = (char)0xff);
	WRONG(a.body.item[0].kind = PLUG_KINDS);
	WRONG(a.body.item[0].colour = PLUG_COLOURS);
	WRONG(a.body.item[0].x = PLUG_PX_MAX + 1);
	WRONG(a.body.item[0].y = -PLUG_PX_MAX - 1);
	WRONG(a.body.item[0].w = INT32_MIN);
	WRONG(a.body.item[0].h = INT32_MAX);
	WRONG(a.body.item[1].text = 9);
	WRONG(a.body.item[1].text_n = 9);
	WRONG(a.body.item[1].text = UINT32_MAX - 1);
	WRONG(a.body.item[2].text_n = 5);
	WRONG(a.body.item[0].text_n = 1); /* of which another one has it */
	WRONG(a.body.text[1] = '\n');
	WRONG(a.body.text[1] = (char)0x80);
	WRONG(a.body.words[7] = 'x');
	WRONG(a.body.words[2] = '\033');
}

static void
one_that_paints_over_and_over_is_too_heavy(void **state)
{
	static struct plug_item items[200];
	struct plug_picture p = { .head.items = 200, .items = items };

	(void)state;
	for (int i = 0; i < 200; i++)
		items[i] = (struct plug_item){ -5, -5, 1005, 1005, 0, 0, 0,
			PLUG_RECT };
	/* 1000 x 1000 px each */
	p.head.items = 138;
	assert_null(plug_picture_heavy(&p, 1000, 1000));
	p.head.items = 139;
	assert_non_null(plug_picture_heavy(&p, 1000, 1000));
	/* what is outside costs nothing */
	p.head.items = 200;
	assert_null(plug_picture_heavy(&p, 500, 500));
	for (int i = 0; i < 200; i++)
		items[i].x = -2000;
	assert_null(plug_picture_heavy(&p, 1000, 1000));
}

/* Whatever comes: refused, or a picture of which every part is within. */
static void
any_bytes_are_survived(void **state)
{
	struct answer a;
	unsigned taken = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		unsigned char *at = (unsigned char *)&a;

		good(&a);
		for (unsigned k = (unsigned)(rnd() % 3); k > 0; k--)
			at[rnd() % sizeof(a)] = (unsigned char)rnd();
		if (plug_body_bytes(&a.head) <= sizeof(a.body))
			taken += wrong(&a) == NULL;
	}
	assert_in_range(taken, 6000, 19999);
}

static void
asked(struct pen *p, int32_t scroll)
{
	const struct orrery_view v = { 400, 100, 0, 1000, 1, 0 };

	pen_begin(p, &v, scroll);
}

/* The answer that a pen makes; NULL: it is right. */
static const char *
pen_answer(const struct pen *p)
{
	struct plug_reply r = { .magic = PLUG_MAGIC,
		.items = p->nitems,
		.text_bytes = (uint32_t)p->text_bytes,
		.words_bytes = (uint32_t)p->words_bytes };
	size_t n = plug_body_bytes(&r), items = p->nitems * sizeof(*p->items);
	struct plug_picture got = { 0 };
	char *body = malloc(n + 1);
	const char *why;

	assert_non_null(body);
	memcpy(body, p->items, items);
	memcpy(body + items, p->text, p->text_bytes);
	memcpy(body + items + p->text_bytes, p->words, p->words_bytes);
	why = plug_head_wrong(&r, 0);
	if (why == NULL)
		why = plug_picture_take(&got, &r, body);
	plug_picture_clear(&got);
	free(body);
	return (why);
}

static int32_t
far(void)
{
	uint64_t k = rnd() % 8;

	return (k == 0   ? INT32_MIN
		: k == 1 ? INT32_MAX
			 : (int32_t)(rnd() % 200000) - 100000);
}

/* However odd the calls, the answer is right, or it says what was wrong. */
static void
a_pen_makes_right_answers(void **state)
{
	struct orrery_bar bars[3] = { { "a", 1, ORRERY_ACCENT },
		{ "\x80\033", 2, ORRERY_HUE + 3 }, { NULL, 0.5, ORRERY_WARN } };
	const double values[3] = { 1, -3, 2 };
	struct pen p;
	struct orrery_pen *c = &p.calls;

	(void)state;
	assert_int_equal(pen_init(&p), 0);
	for (int i = 0; i < 2000; i++) {
		asked(&p, (int32_t)(rnd() % 5));
		c->rect(c, far(), far(), far(), far(), rnd() % 300);
		c->line(c, far(), far(), far(), far(), rnd() % 272);
		c->text(c, far(), far(), rnd() % 272, "%s\n\t\x9b%d", "x", i);
		c->text_right(c, far(), far(), ORRERY_TEXT, "%s", "");
		c->button(c, far(), far(), far(), far(), "word");
		c->area(c, far(), far(), far(), far());
		c->bars(c, bars, 3, "ms");
		c->curve(c, values, 3, NULL, ORRERY_ACCENT);
		c->kiviat(c, bars, 3, 2);
		c->say(c, "line\n%s", "\033[2J");
		assert_null(pen_answer(&p));
	}
	/* too much is told, once */
	asked(&p, 0);
	for (int i = 0; i < PLUG_ITEMS_MAX + 2; i++)
		c->rect(c, 0, 0, 1, 1, ORRERY_TEXT);
	assert_non_null(strstr(p.why, "more than 16384"));
	assert_int_equal(p.nitems, PLUG_ITEMS_MAX);
	asked(&p, 0);
	bars[1].value = NAN;
	c->bars(c, bars, 2, "ms");
	assert_non_null(strstr(p.why, "no finite number"));
	assert_int_equal(p.nitems, 0);
	free(p.items);
	free(p.text);
	free(p.words);
}

/* The n-th rectangle. */
static const struct plug_item *
rectangle(const struct pen *p, unsigned n)
{
	for (uint32_t i = 0; i < p->nitems; i++)
		if (p->items[i].kind == PLUG_RECT && n-- == 0)
			return (&p->items[i]);
	return (NULL);
}

static void
bars_are_as_long_as_their_values(void **state)
{
	struct orrery_bar bars[10];
	struct pen p;

	(void)state;
	for (int i = 0; i < 10; i++)
		bars[i] =
		    (struct orrery_bar){ "row", 100 - 10 * i, ORRERY_ACCENT };
	assert_int_equal(pen_init(&p), 0);
	asked(&p, 0); /* five rows have room */
	p.calls.bars(&p.calls, bars, 10, "ms");
	assert_int_equal(p.scroll_most, 5);
	/* 100 and 60 */
	assert_in_range(rectangle(&p, 4)->w, rectangle(&p, 0)->w * 3 / 5,
	    rectangle(&p, 0)->w * 3 / 5 + 1);
	assert_null(rectangle(&p, 5));
	assert_memory_equal(p.words, "  row: 100 ms\n  row: 90 ms\n", 27);
	asked(&p, 99); /* beyond the end: the last ones */
	p.calls.bars(&p.calls, bars, 10, "ms");
	assert_in_range(rectangle(&p, 4)->w, rectangle(&p, 0)->w / 5,
	    rectangle(&p, 0)->w / 5 + 1);
	free(p.items);
	free(p.text);
	free(p.words);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_answer_is_taken),
		cmocka_unit_test(nonsense_is_not_taken),
		cmocka_unit_test(one_that_paints_over_and_over_is_too_heavy),
		cmocka_unit_test(any_bytes_are_survived),
		cmocka_unit_test(a_pen_makes_right_answers),
		cmocka_unit_test(bars_are_as_long_as_their_values),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
