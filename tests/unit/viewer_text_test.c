/*
 * Text that has too little room: as many whole characters as fit, however long
 * it is.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "raster/canvas.h"
#include "ui/desk/ui.h"
#include "ui/draw/draw.h"

static const char *const texts[] = { "", "i", "monitord", "two words here",
	"Grüße, 世界 und wir", "a\303", "\377\376x", "……", "\n\t\001" };

/* Where characters begin, and the end. */
static bool
is_whole(const char *s, size_t at)
{
	return (s[at] == '\0' || ((unsigned char)s[at] & 0xc0) != 0x80);
}

static void
what_fits_is_the_most_that_fits(void **state)
{
	int32_t used;

	(void)state;
	for (int f = 0; f <= FONT_BOLD; f++)
		for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
			for (int32_t width = -3; width < 200; width++) {
				const char *s = texts[i];
				size_t all = strlen(s), most = 0, n;

				for (n = 1; n <= all; n++)
					if (is_whole(s, n) &&
					    text_width((enum font)f, s, n) <=
						width)
						most = n;
				n = text_fits((enum font)f, s, all, width,
				    &used);
				assert_int_equal(n, most);
				assert_int_equal(used,
				    text_width((enum font)f, s, n));
			}
}

static void
lines_end_at_words(void **state)
{
	const char *s = "one two three";
	int32_t two = text_width(FONT_NORMAL, "one two", 7);

	(void)state;
	assert_int_equal(draw_line_end(FONT_NORMAL, s, 10000), strlen(s));
	assert_int_equal(draw_line_end(FONT_NORMAL, s, two), 7);
	assert_int_equal(draw_line_end(FONT_NORMAL, s, two + 8), 7);
	assert_int_equal(draw_line_end(FONT_NORMAL, s, two - 1), 3);
	assert_int_equal(draw_line_end(FONT_NORMAL, s, 1), 1);
	assert_int_equal(draw_line_end(FONT_NORMAL, "", 1), 0);
}

/* Each character that did not fit was once a reason to measure all of it. */
static void
a_name_of_a_megabyte_is_cut_at_once(void **state)
{
	static uint32_t px[100 * 20], few[100 * 20];
	size_t n = 1u << 20;
	char *name = malloc(n + 1);
	struct canvas c;

	(void)state;
	memset(name, 'm', n);
	name[n] = '\0';
	canvas_init(&c, px, 100, 20, 100);
	draw_cut(&c, FONT_NORMAL, 0, 14, 90, 0xffffff, name);
	name[1000] = '\0';
	canvas_init(&c, few, 100, 20, 100);
	draw_cut(&c, FONT_NORMAL, 0, 14, 90, 0xffffff, name);
	assert_memory_equal(px, few, sizeof(px));
	free(name);
}

/* "worker-o…me-07": the end of a name is what tells it from its neighbour. */
static void
names_are_cut_in_the_middle(void **state)
{
	uint32_t one[15 * 90], two[15 * 90], cut[15 * 90];
	const char *const names[] = { "worker-of-a-long-name-07",
		"worker-of-a-long-name-08", "Grüße-und-noch-mehr-Wörter-äöü" };
	struct canvas c;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (int32_t width = -2; width <= 84; width++) {
			memset(cut, 0, sizeof(cut));
			canvas_init(&c, cut, 90, 15, 90);
			draw_cut_middle(&c, FONT_NORMAL, 0, 11, width, 0xffffff,
			    names[i]);
			for (int32_t y = 0; y < 15; y++)
				for (int32_t x = width > 0 ? width + 1 : 0;
				     x < 90; x++)
					assert_int_equal(cut[y * 90 + x], 0);
		}
	canvas_init(&c, one, 90, 15, 90);
	memset(one, 0, sizeof(one));
	draw_cut_middle(&c, FONT_NORMAL, 0, 11, 80, 0xffffff, names[0]);
	canvas_init(&c, two, 90, 15, 90);
	memset(two, 0, sizeof(two));
	draw_cut_middle(&c, FONT_NORMAL, 0, 11, 80, 0xffffff, names[1]);
	assert_memory_not_equal(one, two, sizeof(one));
	/* with room for all of it nothing is cut */
	memset(one, 0, sizeof(one));
	memset(two, 0, sizeof(two));
	canvas_init(&c, one, 90, 15, 90);
	draw_cut_middle(&c, FONT_NORMAL, 0, 11, 90, 0xffffff, "worker-07");
	canvas_init(&c, two, 90, 15, 90);
	draw_text(&c, FONT_NORMAL, 0, 11, 0xffffff, "worker-07");
	assert_memory_equal(one, two, sizeof(one));
}

/* What a text looks like, in px of 40 x 20. */
static void
draw_one(enum font font, const char *s, uint32_t px[40 * 20])
{
	struct canvas c;

	memset(px, 0, 40 * 20 * sizeof(*px));
	canvas_init(&c, px, 40, 20, 40);
	draw_text(&c, font, 2, 14, 0xffffff, "%s", s);
}

/* Letters that look alike are one drawing: A and \xce\x91 (Alpha). */
static void
letters_of_many_languages_are_no_boxes(void **state)
{
	static const char *const letters[] = { "ő", "ł", "ß", "Ž", "Ș", "ω",
		"Ψ", "ж", "Я", "ї", "ґ", "Ђ", "ƿ", "€", "№", "計", "算", "م",
		"🚀", "🚁", "\t", "\xff" };
	static uint32_t px[22][40 * 20];

	(void)state;
	for (int f = 0; f <= FONT_BOLD; f++) {
		for (size_t i = 0; i < 22; i++) {
			draw_one((enum font)f, letters[i], px[i]);
			for (size_t k = 0; k < i; k++)
				assert_memory_not_equal(px[i], px[k],
				    sizeof(px[0]));
		}
	}
}

/* The number of a character that has no glyph; as wide as is said. */
static void
what_has_no_glyph_is_a_number(void **state)
{
	uint32_t px[40 * 20];
	int32_t w = text_width(FONT_SMALL, "計", 3);
	int n = 0;

	(void)state;
	draw_one(FONT_SMALL, "計", px);
	for (int32_t y = 0; y < 20; y++)
		for (int32_t x = 0; x < 40; x++) {
			if (px[y * 40 + x] != 0)
				assert_true(x >= 2 && x < 2 + w);
			n += px[y * 40 + x] == 0xffffff;
		}
	/* 8A08: 13 + 12 px above, 12 + 13 px below */
	assert_int_equal(n, 13 + 12 + 12 + 13);
	assert_true(text_width(FONT_SMALL, "🚀", 4) > w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_is_the_most_that_fits),
		cmocka_unit_test(lines_end_at_words),
		cmocka_unit_test(letters_of_many_languages_are_no_boxes),
		cmocka_unit_test(what_has_no_glyph_is_a_number),
		cmocka_unit_test(names_are_cut_in_the_middle),
		cmocka_unit_test(a_name_of_a_megabyte_is_cut_at_once),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
