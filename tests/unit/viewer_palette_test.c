/*
 * Can the colours be told apart?  CIEDE2000 between every two states, as seen
 * with normal vision and as simulated (Machado, Oliveira and Fernandes 2009)
 * for people without one kind of cone; contrast as in WCAG.
 */
#include "tests/check.h"

#include <math.h>
#include <stdio.h>

#include "layout/palette.h"
#include "model/model.h"
#include "tests/unit/make_model.h"

static const double see[4][9] = {
	{ 1, 0, 0, 0, 1, 0, 0, 0, 1 },
	{ 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
	    -0.003882, -0.048116, 1.051998 },
	{ 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
	    -0.011820, 0.042940, 0.968881 },
	{ 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602,
	    0.004733, 0.691367, 0.303900 },
};
static const char *const who[4] = { "normal", "protan", "deutan", "tritan" };

static double
linear(unsigned v)
{
	double x = v / 255.0;

	return (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
}

static void
rgb_linear(uint32_t rgb, double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = linear(rgb >> (16 - 8 * i) & 255);
}

static double
lab_f(double t)
{
	return (t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116);
}

static void
lab(uint32_t rgb, const double *m, double out[3])
{
	double c[3], s[3], x, y, z;

	rgb_linear(rgb, c);
	for (int i = 0; i < 3; i++) {
		s[i] =
		    m[i * 3] * c[0] + m[i * 3 + 1] * c[1] + m[i * 3 + 2] * c[2];
		s[i] = s[i] < 0 ? 0 : s[i] > 1 ? 1 : s[i];
	}
	x = (0.4124564 * s[0] + 0.3575761 * s[1] + 0.1804375 * s[2]) / 0.95047;
	y = 0.2126729 * s[0] + 0.7151522 * s[1] + 0.0721750 * s[2];
	z = (0.0193339 * s[0] + 0.1191920 * s[1] + 0.9503041 * s[2]) / 1.08883;
	out[0] = 116 * lab_f(y) - 16;
	out[1] = 500 * (lab_f(x) - lab_f(y));
	out[2] = 200 * (lab_f(y) - lab_f(z));
}

static double
hue(double b, double a)
{
	double h = atan2(b, a);

	return (h < 0 ? h + 2 * M_PI : h);
}

static double
ciede2000(const double p[3], const double q[3])
{
	double c1 = hypot(p[1], p[2]), c2 = hypot(q[1], q[2]);
	double c7 = pow((c1 + c2) / 2, 7), g, a1, a2, h1, h2, dl, dc, dh, lm,
	       cm, hm, t, sl, sc, sh, rc, rt, big;

	g = 0.5 * (1 - sqrt(c7 / (c7 + pow(25, 7))));
	a1 = p[1] * (1 + g);
	a2 = q[1] * (1 + g);
	c1 = hypot(a1, p[2]);
	c2 = hypot(a2, q[2]);
	h1 = hue(p[2], a1);
	h2 = hue(q[2], a2);
	dl = q[0] - p[0];
	dc = c2 - c1;
	dh = c1 * c2 == 0 ? 0 : h2 - h1;
	if (dh > M_PI)
		dh -= 2 * M_PI;
	if (dh < -M_PI)
		dh += 2 * M_PI;
	big = 2 * sqrt(c1 * c2) * sin(dh / 2);
	lm = (p[0] + q[0]) / 2;
	cm = (c1 + c2) / 2;
	hm = c1 * c2 == 0            ? h1 + h2
	     : fabs(h1 - h2) <= M_PI ? (h1 + h2) / 2
	     : h1 + h2 < 2 * M_PI    ? (h1 + h2) / 2 + M_PI
				     : (h1 + h2) / 2 - M_PI;
	t = 1 - 0.17 * cos(hm - M_PI / 6) + 0.24 * cos(2 * hm) +
	    0.32 * cos(3 * hm + M_PI / 30) -
	    0.20 * cos(4 * hm - 63 * M_PI / 180);
	sl = 1 + 0.015 * pow(lm - 50, 2) / sqrt(20 + pow(lm - 50, 2));
	sc = 1 + 0.045 * cm;
	sh = 1 + 0.015 * cm * t;
	rc = 2 * sqrt(pow(cm, 7) / (pow(cm, 7) + pow(25, 7)));
	rt = -sin(M_PI / 3 * exp(-pow((hm * 180 / M_PI - 275) / 25, 2))) * rc;
	return (sqrt(pow(dl / sl, 2) + pow(dc / sc, 2) + pow(big / sh, 2) +
		     rt * dc / sc * big / sh));
}

static double
apart(uint32_t a, uint32_t b, int eye)
{
	double p[3], q[3];

	lab(a, see[eye], p);
	lab(b, see[eye], q);
	return (ciede2000(p, q));
}

static double
contrast(uint32_t a, uint32_t b)
{
	double p[3], q[3], x, y;

	rgb_linear(a, p);
	rgb_linear(b, q);
	x = 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2] + 0.05;
	y = 0.2126 * q[0] + 0.7152 * q[1] + 0.0722 * q[2] + 0.05;
	return (x > y ? x / y : y / x);
}

/* Pairs from the paper of Sharma, Wu and Dalal. */
static void
the_measure_is_right(void **state)
{
	static const double cases[][7] = {
		{ 50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425 },
		{ 50, 2.4900, -0.0010, 50, -2.4900, 0.0009, 7.1792 },
		{ 2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082 },
		{ 50, 2.5, 0, 56, -27, -3, 31.9030 },
	};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(ciede2000(cases[i], cases[i] + 3) -
				 cases[i][6]) < 1e-4);
}

static void
states_differ_for_every_eye(void **state)
{
	const uint32_t *s = palette_dark.state;
	double d;

	(void)state;
	for (int eye = 0; eye < 4; eye++)
		for (int a = LANE_idle; a <= LANE_transit; a++)
			for (int b = a + 1; b <= LANE_transit; b++) {
				d = apart(s[a], s[b], eye);
				if (d < 10)
					print_error("%s: %s and %s: %.1f\n",
					    who[eye], lane_class_name[a],
					    lane_class_name[b], d);
				assert_true(d >= 10);
			}
}

static void
nodes_and_pes_differ(void **state)
{
	(void)state;
	for (int eye = 0; eye < 4; eye++) {
		for (unsigned a = 1; a <= 4; a++)
			for (unsigned b = a + 1; b <= 4; b++)
				assert_true(apart(palette_node(a),
						palette_node(b), eye) >= 10);
		for (unsigned a = 0; a < 5; a++)
			for (unsigned b = a + 1; b < 5; b++)
				assert_true(apart(palette_pe(a), palette_pe(b),
						eye) >= 8);
	}
	for (unsigned a = 0; a < 12; a++)
		for (unsigned b = a + 1; b < 12; b++)
			assert_true(
			    apart(palette_pe(a), palette_pe(b), 0) >= 8);
}

static void
everything_stands_out(void **state)
{
	const struct palette *p[2] = { &palette_dark, &palette_light };

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(contrast(p[i]->text, p[i]->panel) >= 7);
		assert_true(contrast(p[i]->dim, p[i]->panel) >= 4.5);
		assert_true(contrast(p[i]->error, p[i]->panel) >= 4.5);
		assert_true(contrast(p[i]->warn, p[i]->panel) >= 4.5);
		assert_true(contrast(p[i]->accent, p[i]->panel) >= 4.5);
		for (int c = 0; c < LANE_CLASSES; c++) {
			uint32_t ink = palette_ink(p[i], p[i]->state[c]);

			assert_true(contrast(ink, p[i]->panel) >= 4.5);
			assert_true(contrast(ink, p[i]->background) >= 4.5);
		}
	}
	for (int c = LANE_running; c <= LANE_lost; c++)
		assert_true(contrast(palette_dark.state[c],
				palette_dark.background) >= 3);
	for (unsigned pe = 0; pe < 64; pe++)
		assert_true(
		    contrast(palette_pe(pe), palette_dark.background) >= 2.5);
}

/* On either ground: areas at 3 : 1, the letters on them at 4.5 : 1. */
static void
nothing_fades_into_the_ground(void **state)
{
	const struct palette *p[2] = { &palette_dark, &palette_light };
	uint32_t rgb, last;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(contrast(p[i]->dim, p[i]->background) >= 4.5);
		for (unsigned pe = 0; pe < 256; pe++) {
			rgb = palette_pe_on(p[i], pe);
			assert_true(contrast(rgb, p[i]->background) >= 3);
		}
		for (unsigned a = 0; a < 12; a++)
			for (unsigned b = a + 1; b < 12; b++)
				assert_true(
				    apart(palette_pe_on(p[i], a),
					palette_pe_on(p[i], b), 0) >= 8);
		for (int s = 0; s < SCALES; s++)
			for (int k = 0; k <= 100; k++)
				assert_true(contrast(palette_scale_on(p[i],
							 (enum palette_scale)s,
							 k / 100.0),
						p[i]->background) >= 3);
		/* and its steps can still be told apart */
		last = palette_scale_on(p[i], SCALE_VIRIDIS, 0);
		for (int k = 1; k <= 8; k++) {
			rgb = palette_scale_on(p[i], SCALE_VIRIDIS, k / 8.0);
			assert_true(apart(rgb, last, 0) >= 3);
			last = rgb;
		}
		rgb = palette_on(p[i], p[i]->text);
		assert_int_equal(rgb, p[i]->text);
	}
	for (uint32_t k = 0; k < 4096; k++) {
		rgb = (k >> 8) * 0x110000 | (k >> 4 & 15) * 0x1100 |
		      (k & 15) * 0x11;
		assert_true(contrast(palette_text_on(rgb), rgb) >= 4.5);
	}
}

static void
names_keep_their_colours(void **state)
{
	static const char *const names[] = { "bigp", "setc", "makeRow",
		"bigPlus", "makeRows", "append", "rev3", "go", "fillout",
		"rev2" };

	(void)state;
	assert_int_equal(palette_name(3, "sort"), palette_name(99, "sort"));
	for (int a = 0; a < 10; a++)
		for (int b = a + 1; b < 10; b++)
			assert_true(apart(palette_name(1, names[a]),
					palette_name(2, names[b]), 0) >= 8);
}

static uint32_t
define(struct make_log *l, const char *text, const char *file, uint32_t line,
    const char *program)
{
	struct msg_name d = { .name = ++l->names,
		.text = BYTES_STR(text),
		.file = BYTES_STR(file),
		.line = line,
		.program = BYTES_STR(program) };

	assert_int_equal(frame_append(&l->out, MSG_name, &d), 0);
	return (d.name);
}

#define MAINS 3

/* Of three called main and one called work; in this order, or the other. */
static void
colours_of(bool turned, uint32_t rgb[MAINS + 1])
{
	static const struct {
		const char *text, *file, *program;
		uint32_t line;
	} of[MAINS + 1] = { { "main", "a.c", "server", 3 },
		{ "main", "a.c", "client", 3 }, { "main", "b.c", "client", 9 },
		{ "work", "b.c", "client", 20 } };
	struct make_log l = { 0 };
	uint32_t name[MAINS + 1];
	struct model *m;

	make_log_head(&l, "alike");
	for (int i = 0; i <= MAINS; i++) {
		int k = turned ? MAINS - i : i;

		name[k] = define(&l, of[k].text, of[k].file, of[k].line,
		    of[k].program);
	}
	m = make_model(&l);
	for (int i = 0; i <= MAINS; i++) {
		rgb[i] = palette_of_name(m, name[i]);
		assert_int_equal(palette_of(m, name[i], of[i].text), rgb[i]);
		assert_int_equal(palette_of(m, name[i], "other"),
		    palette_name(name[i], "other"));
	}
	assert_int_equal(rgb[MAINS], palette_name(0, "work"));
	model_free(m);
}

static void
those_called_alike_are_told_apart(void **state)
{
	uint32_t rgb[2][MAINS + 1];

	(void)state;
	for (int k = 0; k < 2; k++)
		colours_of(k == 1, rgb[k]);
	for (int a = 0; a <= MAINS; a++) {
		assert_int_equal(rgb[0][a], rgb[1][a]);
		for (int b = 0; b < a; b++)
			assert_true(apart(rgb[0][a], rgb[0][b], 0) >= 10);
	}
}

#define CALLED 22

/* Of one log; parts: it is drawn before the second one called main has come. */
static void
colours_of_log(bool parts, uint32_t rgb[CALLED + 2])
{
	struct feed_status feed = { .connected = true, .finished = true };
	uint32_t name[CALLED + 2], at, *px = NULL;
	struct model *m = model_new();
	struct make_log l = { 0 };
	struct ui *ui = NULL;
	struct canvas c;
	size_t fed = 0;
	char text[16];

	make_log_head(&l, "late");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "one");
	at = make_log_thread(&l, 1, 1, 1, "");
	for (uint32_t i = 0; i < CALLED; i++) {
		snprintf(text, sizeof(text), "f%u", (unsigned)i);
		name[i] =
		    define(&l, i == 0 ? "main" : text, "a.c", 10 + i, "one");
		make_log_event(&l, at, EV_enter, 100 + i, 0, 0, name[i]);
	}
	make_log_blocks(&l, 0);
	make_model_tell(m, &l, &fed);
	if (parts)
		ui = make_ui(m, &c, &px, 640, 400);
	name[CALLED] = define(&l, "main", "b.c", 5, "two");
	name[CALLED + 1] = define(&l, "late", "b.c", 9, "two");
	make_log_event(&l, at, EV_enter, 1000, 0, 0, name[CALLED]);
	make_log_event(&l, at, EV_enter, 1010, 0, 0, name[CALLED + 1]);
	make_log_blocks(&l, 0);
	make_model_tell(m, &l, &fed);
	if (!parts)
		ui = make_ui(m, &c, &px, 640, 400);
	ui_refresh(ui, m, &feed);
	for (int i = 0; i < CALLED + 2; i++)
		rgb[i] = palette_of_name(m, name[i]);
	ui_free(ui);
	model_free(m);
	make_log_free(&l);
	free(px);
}

static void
when_it_was_read_makes_no_difference(void **state)
{
	uint32_t rgb[2][CALLED + 2];

	(void)state;
	for (int k = 0; k < 2; k++)
		colours_of_log(k == 0, rgb[k]);
	for (int i = 0; i < CALLED + 2; i++) {
		assert_int_equal(rgb[0][i], rgb[1][i]);
		for (int k = 0; k < i; k++)
			assert_true(rgb[0][i] != rgb[0][k]);
	}
}

/* Whatever they are called; and in another run of them, too. */
static void
the_first_names_are_told_apart(void **state)
{
	uint32_t rgb[PALETTE_NAMES];
	char name[16];

	(void)state;
	palette_assign_none();
	for (int again = 0; again < 2; again++)
		for (int i = 0; i < PALETTE_NAMES; i++) {
			snprintf(name, sizeof(name), "f%d", i * i);
			palette_assign(name);
			assert_true(again == 0 ||
				    palette_name((uint32_t)i, name) == rgb[i]);
			rgb[i] = palette_name(1, name);
		}
	for (int a = 0; a < PALETTE_NAMES; a++) {
		for (int b = 0; b < a; b++)
			assert_true(apart(rgb[a], rgb[b], 0) >= 10);
		for (int w = LANE_wait_message; w <= LANE_lost; w++)
			assert_true(
			    apart(rgb[a], palette_dark.state[w], 0) >= 10);
	}
}

static void
scales_begin_and_end_right(void **state)
{
	(void)state;
	assert_int_equal(palette_scale(SCALE_VIRIDIS, 0), 0x440154);
	assert_int_equal(palette_scale(SCALE_VIRIDIS, 1), 0xfde725);
	assert_int_equal(palette_scale(SCALE_VIRIDIS, NAN), 0x440154);
	assert_int_equal(palette_scale(SCALE_SPECTRUM, 0), 0x0000ff);
	assert_int_equal(palette_scale(SCALE_SPECTRUM, 0.2), 0x00ffff);
	assert_int_equal(palette_scale(SCALE_SPECTRUM, 1), 0xff00ff);
	assert_int_equal(palette_mix(0x102030, 0x405060, 0), 0x102030);
	assert_int_equal(palette_mix(0x102030, 0x405060, 255), 0x405060);
	/* light adds up: half of white is brighter than 0x80 */
	assert_int_equal(palette_mix(0, 0xffffff, 128) & 255, 181);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_measure_is_right),
		cmocka_unit_test(states_differ_for_every_eye),
		cmocka_unit_test(nodes_and_pes_differ),
		cmocka_unit_test(everything_stands_out),
		cmocka_unit_test(nothing_fades_into_the_ground),
		cmocka_unit_test(names_keep_their_colours),
		cmocka_unit_test(those_called_alike_are_told_apart),
		cmocka_unit_test(when_it_was_read_makes_no_difference),
		cmocka_unit_test(the_first_names_are_told_apart),
		cmocka_unit_test(scales_begin_and_end_right),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
